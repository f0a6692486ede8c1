"""What a page shows of a text: its words, the ends of its sentences, and who speaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.model import Document, Mention, joined_spans

ZERO = "∅"  # shown for a word that is not written, and has no form
NOBODY = "-"  # CoNLL's word for no speaker


@dataclass(frozen=True, slots=True)
class Displayed:
    """A text as the page shows it: words that are not written are where they belong."""

    tokens: Sequence[str]
    ends: Sequence[int]  # of the sentences
    speakers: Sequence[tuple[int, str]]  # the first token of each turn, and who speaks
    position: Sequence[int] | None = None  # word → token, where there are words that are not written

    def offsets(self, mention: Mention) -> list[int]:
        """List where a mention's spans begin and end among the tokens."""
        if self.position is None or mention.end > len(self.position):
            return [offset for span in mention.spans for offset in span]
        tokens = [self.position[word] for span in mention.spans for word in range(*span)]
        return [offset for span in joined_spans([(at, at + 1) for at in tokens]) for offset in span]


def displayed(document: Document) -> Displayed:
    """Take what the page shows of a text."""
    text = document.text
    order = text.reading_order()
    speakers = document.layers.get("speaker", ())
    turns = _turns([speakers[word] for word in order] if speakers else ())
    if not text.zeros:
        return Displayed(text.words, [end for _, end in text.sentences], turns)
    position = [0] * len(order)
    for at, word in enumerate(order):
        position[word] = at
    tokens = [text.words[word] if word < text.length else _unwritten(text.words[word]) for word in order]
    ends = [position[end - 1] + 1 for _, end in text.sentences]
    for number, zero in enumerate(text.zeros):
        if zero.sentence < len(ends):
            ends[zero.sentence] = max(ends[zero.sentence], position[text.length + number] + 1)
    return Displayed(tokens, ends, turns, position)


def _unwritten(word: str) -> str:
    return ZERO if word in ("", "_") else word


def _turns(speakers: Sequence[str]) -> list[tuple[int, str]]:
    changes = [
        (token, name) for token, name in enumerate(speakers) if not token or speakers[token - 1] != name
    ]
    return changes if {name for _, name in changes} - {NOBODY} else []
