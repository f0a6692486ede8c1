"""What annotators leave undecided, each case with its answers; and what a person decides.

A case is a question about some parts of a document, called A, B and so on:

    mention   is this a mention? answered by yes or no
    words     which words does the mention have? answered by a part
    entity    which parts are the same? answered by groups of parts, as in `A B | C`

Each can be answered by the name of an annotator too: it is as he has it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from referee.analysis.contexts import WINDOW, marked, surroundings
from referee.display import number_of
from referee.exceptions import FormatError, did_you_mean
from referee.language.mention_types import Described
from referee.model import Document, Mention

MENTION, WORDS, ENTITY = KINDS = ("mention", "words", "entity")
YES, NO = "yes", "no"
APART = "|"
SHOWN = 3  # mentions of a part that are shown


@dataclass(frozen=True, slots=True)
class Case:
    """A question that annotators answer differently, and no rule decides."""

    kind: str  # one of KINDS
    text: Document  # without clusters
    parts: tuple[tuple[Mention, ...], ...]
    answers: Mapping[str, str]  # annotator → his answer; nothing for one who has no opinion
    meanwhile: str  # what the merged document answers as long as nobody decides

    @property
    def document(self) -> str:
        """The document."""
        return self.text.id

    @property
    def question(self) -> str:
        """What is asked."""
        return {
            MENTION: "is this a mention?",
            WORDS: "which words does it have?",
            ENTITY: "which are the same?",
        }[self.kind]

    def context(self, shown: int = SHOWN, window: int = WINDOW) -> list[str]:
        """Write each part as it is in the text, of many mentions the first, with some words around each."""
        lines = []
        for letter, mentions in zip(letters(), self.parts, strict=False):
            said = " / ".join(in_context(self.text, mention, window) for mention in mentions[:shown])
            more = len(mentions) - shown
            said += f" / and {number_of(more, 'more mention')}" if more > 0 else ""
            lines.append(said if self.kind == MENTION else f"{letter}: {said}")
        return lines

    def by_answer(self) -> dict[str, list[str]]:
        """List who gave which answer."""
        found: dict[str, list[str]] = {}
        for name, answer in self.answers.items():
            found.setdefault(answer, []).append(name)
        return found


@dataclass(frozen=True, slots=True)
class Decision:
    """How a person decided a case."""

    kind: str
    document: str
    parts: tuple[tuple[Mention, ...], ...]
    answer: str
    note: str = ""
    where: str = ""  # for errors: where it was read

    def grouping(self) -> list[int]:
        """Number the group of each part, of an answer that groups them; errors say what is wrong."""
        names = [letter for letter, _ in zip(letters(), self.parts, strict=False)]
        group: dict[str, int] = {}
        for number, side in enumerate(self.answer.split(APART)):
            for letter in side.upper().replace(",", " ").split():
                if letter not in names:
                    raise self.error(f"there is no part {letter}")
                if letter in group:
                    raise self.error(f"part {letter} is named twice")
                group[letter] = number
        if missing := [letter for letter in names if letter not in group]:
            raise self.error(f"part {missing[0]} is missing")
        return [group[letter] for letter in names]

    def check(self, annotators: Sequence[str]) -> None:
        """Refuse an answer that nobody can follow."""
        if self.kind not in KINDS:
            near = did_you_mean(self.kind, KINDS)
            raise FormatError(f"{self.where}: the kind must be {', '.join(KINDS)}, not '{self.kind}'{near}")
        if self.answer in annotators:
            return
        if self.kind == ENTITY:
            self.grouping()
        elif self.answer.upper() not in self._answers():
            raise self.error("it is not an answer")

    def _answers(self) -> list[str]:
        return ["YES", "NO"] if self.kind == MENTION else _first_letters(len(self.parts))

    def error(self, what: str) -> FormatError:
        """Say that an answer cannot be understood, and which can."""
        count = len(self.parts)
        able = {
            MENTION: f"{YES}, {NO}",
            WORDS: ", ".join(_first_letters(count)),
            ENTITY: f"groups of all parts as '{' '.join(_first_letters(count))}' or "
            f"'{f' {APART} '.join(_first_letters(count))}'",
        }[self.kind]
        return FormatError(
            f"{self.where}: the decision '{self.answer}': {what}; write {able}, or an annotator's name"
        )


def letters() -> Iterator[str]:
    """Name parts: A to Z, AA to AZ, and so on.

    >>> [letter for letter, _ in zip(letters(), range(28))][-3:]
    ['Z', 'AA', 'AB']
    """
    yield from ascii_uppercase
    for first in letters():
        yield from (first + last for last in ascii_uppercase)


def _first_letters(count: int) -> list[str]:
    return [letter for letter, _ in zip(letters(), range(count), strict=False)]


def grouped(labels: Sequence[Hashable]) -> str:
    """Write which parts are in one group; those without a label are in brackets.

    >>> grouped([4, 7, 4]), grouped([1, None])
    ('A C | B', 'A (B not marked)')
    """
    groups: dict[Hashable, list[str]] = {}
    absent = []
    for letter, label in zip(letters(), labels, strict=False):
        if label is None:
            absent.append(letter)
        else:
            groups.setdefault(label, []).append(letter)
    said = f" {APART} ".join(" ".join(each) for each in groups.values())
    return f"{said} ({' '.join(absent)} not marked)" if absent else said


def in_context(text: Document, mention: Mention, window: int = WINDOW) -> str:
    """Write the words around a mention, which is in brackets."""
    described = Described(text.id, mention, document=text)
    return marked(text, surroundings(described, window), [(described, "[]")])


def counted(cases: Iterable[Case]) -> dict[str, int]:
    """Count cases by kind."""
    found = dict.fromkeys(KINDS, 0)
    for case in cases:
        found[case.kind] += 1
    return found
