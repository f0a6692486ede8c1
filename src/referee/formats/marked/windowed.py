"""Answers to prompts about windows of documents, as `referee llm run` leaves them in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from referee.display import number_of
from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.catalogue import JSON
from referee.formats.files import is_of_a_run
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.marked.manifest import (
    ANSWERED,
    ANSWERS,
    CUT,
    NO_ANSWER,
    REPLIES,
    REPLY,
    Carried,
    Manifest,
    Prompt,
    ReplyFacts,
    read_manifest,
    read_reply,
)
from referee.formats.marked.markings import Marking
from referee.formats.marked.text import Answer, answers_in
from referee.model import Chains, Corpus, Document

# JSON that says that nothing corefers; elsewhere such a file may be anything.
NO_CLUSTERS = re.compile(r'"clusters"\s*:\s*(?:\{\s*\}|\[\s*\])')
BEST = (CUT, ANSWERED)  # outcomes with something to read, the better one last


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """What is known of the answer to one prompt."""

    prompt: Prompt
    outcome: str
    answers: Sequence[Answer] = ()  # more than one if it holds several documents, which were not asked for
    carried: Carried = field(default_factory=dict)  # the entities that its prompt listed

    @property
    def rank(self) -> tuple[int, int]:
        """Order answers about one window: what can be read first, then the later attempt."""
        readable = BEST.index(self.outcome) + 1 if self.outcome in BEST else 0
        return readable, self.prompt.attempt


class WindowedAnswers(Corpus):
    """Answers about windows of documents; brought to a key, they become documents again."""

    is_copy = True

    def __init__(self, name: str, folder: Path, manifest: Manifest, answers: Sequence[WindowAnswer]) -> None:
        """Take the answers to a manifest's prompts."""
        self.name, self.folder, self.manifest = name, folder, manifest
        self._windows: dict[str, dict[int, list[WindowAnswer]]] = {}
        for answer in answers:
            windows = self._windows.setdefault(answer.prompt.document, {})
            windows.setdefault(answer.prompt.window, []).append(answer)
        self.ids = list(self._windows)

    def windows(self, number: int) -> list[WindowAnswer]:
        """List a document's windows in order, each with the best answer about it."""
        windows = self._windows[self.ids[number]]
        return [max(windows[window], key=lambda answer: answer.rank) for window in sorted(windows)]

    def faults(self) -> Iterator[tuple[str, str]]:
        """List what is wrong with answers, each with FILE:LINE, as far as that shows without a key."""
        for number in range(len(self.ids)):
            for window in self.windows(number):
                if window.outcome != ANSWERED:
                    where = f"{self.folder / window.prompt.name}{self.manifest.ending}:1"
                    yield where, f"window {window.prompt.window}: {window.outcome}"
                for answer in window.answers:
                    yield from ((f"{answer.path}:{line}", what) for line, what in answer.flaws)

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document's first answer is."""
        del word
        first = next(iter(self._windows[self.ids[number]].values()))[0]
        return f"{self.folder / first.prompt.name}{self.manifest.ending}:1"

    def weight(self, number: int) -> int:
        """Count words."""
        return max(answer.prompt.end for answer in self.windows(number))

    def document(self, number: int) -> Document:
        """Refuse: a window's words are the key's."""
        self._refuse(number)

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Refuse likewise."""
        self._refuse(next((number for number in numbers if number is not None), 0))

    def _refuse(self, number: int) -> NoReturn:
        raise FormatError(
            f"{self.location(number)}: answers about windows have no text of their own; score them against "
            "the corpus that was asked about"
        )


def manifest_beside(file: SeekableFile) -> Path | None:
    """Find the manifest in the folder of an answer, if it has one."""
    return Path(file.path).parent / ANSWERS if is_of_a_run(file.path) else None


def read_windowed(files: Sequence[SeekableFile], name: str, path: Path) -> WindowedAnswers:
    """Read the answers in one folder by its manifest."""
    others = [file.path for file in files if manifest_beside(file) != path]
    if others:
        raise FormatError(
            f"{others[0]}: is not in the folder of {path}; give one folder of answers at a time"
        )
    manifest, ledger = read_manifest(path), Ledger()
    by_name = {Path(file.path).name.removesuffix(manifest.ending): file for file in files}
    answers = [
        read_window(prompt, path.parent, by_name.get(prompt.name), ledger) for prompt in manifest.prompts
    ]
    corpus = WindowedAnswers(name, path.parent, manifest, answers)
    windows = number_of(len({(p.document, p.window) for p in manifest.prompts}), "window")
    documents = number_of(len(corpus.ids), "document")
    ledger.close(corpus, [f"{name}: answers about {windows} of {documents}, joined"])
    known = {prompt.name for prompt in manifest.prompts}
    if strangers := sorted(name for name in by_name if name not in known):
        corpus.note([f"{path}: {by_name[strangers[0]].path} answers none of its prompts, and is not read"])
    return corpus


def read_window(prompt: Prompt, folder: Path, file: SeekableFile | None, ledger: Ledger) -> WindowAnswer:
    """Read the answer to one prompt, and the record of its reply where there is one."""
    record = folder / REPLIES / f"{prompt.name}{REPLY}"
    facts = read_reply(record) if record.is_file() else ReplyFacts(ANSWERED, prompt.carried, prompt.prompt)
    if file is None:
        return WindowAnswer(prompt, NO_ANSWER)
    if facts.prompt != prompt.prompt:
        raise FormatError(f"{record}: answers another prompt than {prompt.name}; run it in another folder")
    answers, _ = answers_in(file, ledger, whole=True)
    if not answers and NO_CLUSTERS.search(lenient(file.read())):
        answers = [Answer(prompt.document, file.path, 1, JSON, Marking("", has_text=False), ())]
    return WindowAnswer(prompt, facts.outcome, answers, facts.carried)
