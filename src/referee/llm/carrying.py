"""Tells a model what was found in the windows before: the entities that are known, and their ids."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.marked.manifest import Carried, Prompt
from referee.formats.marked.markings import abridged
from referee.formats.marked.windowed import read_window
from referee.matching.answers.stitching import Stitching, placed_window
from referee.model import Document, Mention, Text, Window

SHOWN = 3  # mentions of an entity: its first, its longest and its last
LONGEST_ID = 40  # characters; no model needs longer ones
INTRODUCTION = (
    "The text below continues a longer one. These entities were mentioned before, here with their ids and "
    "some of their mentions. Use the same id where the text mentions one of them again."
)


@dataclass
class KnownEntities:
    """What is known of a document before its next window."""

    text: Text
    _stitching: Stitching = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing known."""
        self._stitching = Stitching(self.text)

    def add(self, prompt: Prompt, folder: Path, ending: str) -> None:
        """Take the answer to a prompt, as it lies in the folder of answers."""
        answer = read_window(prompt, folder, SeekableFile(str(folder / f"{prompt.name}{ending}")), Ledger())
        window = Window.of(Document(self.text, ()), prompt.start, prompt.end)
        document, _ = placed_window(window, answer, str(folder))
        if document:
            self._stitching.add(window, document.clusters, answer)

    def listed(self, limit: int | None) -> tuple[str, Carried]:
        """Write the entities for the next prompt, and name them; of more than `limit` those met last."""
        known = {each.id: each.mentions for each in self._stitching.clusters() if len(each.id) <= LONGEST_ID}
        latest = sorted(known, key=lambda id_: known[id_][-1], reverse=True)
        chosen = sorted(latest[:limit], key=lambda id_: known[id_][0])
        if not chosen:
            return "", {}
        lines = [f"{id_}: {'; '.join(self._shown(known[id_]))}" for id_ in chosen]
        new = f"Give entities that are not in this list new ids, from {self._stitching.next_id()} on."
        return "\n".join([INTRODUCTION, "", *lines, "", new]), self._stitching.carried(chosen)

    def _shown(self, mentions: tuple[Mention, ...]) -> list[str]:
        longest = max(mentions, key=lambda mention: mention.end - mention.start)
        words = [abridged(self.text.spelled(each.spans)) for each in (mentions[0], longest, mentions[-1])]
        return list(dict.fromkeys(words))[:SHOWN]
