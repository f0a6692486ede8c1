"""Why mentions were joined: what their words, and the sentences around them, have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from referee.arrays import IntArray
from referee.language.stems import head_stem
from referee.model import Span, Text
from referee.resolvers.across.compatibility.same_names import CERTAIN
from referee.resolvers.across.graph.roles import BESIDE, is_time, roles
from referee.resolvers.across.linkage import Join

ONE_NAME = "both clusters are called by one name"


class MentionKey(NamedTuple):
    """A mention wherever it is kept: the text, the first word and the one after the last."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class ExplainedJoin:
    """A step of joining: two mentions whose clusters became one, how likely they are the same, and why."""

    number: int
    addition: int  # of texts to a store; 1 where all are linked at once
    first: MentionKey
    second: MentionKey
    said: tuple[str, str]
    average: float  # over the pairs of mentions of both clusters that were compared
    reasons: tuple[str, ...]
    entity: str  # that both are in now, or the first one is if they were separated
    holds: bool  # whether they still are
    taken_back: bool = False  # whether it was, when texts were added

    def to_dict(self) -> dict[str, Any]:
        """Give it in plain values."""
        return {
            "join": self.number, "addition": self.addition, "entity": self.entity, "holds": self.holds,
            "mentions": [list(self.first), list(self.second)], "said": list(self.said),
            "score": round(self.average, 4), "reasons": list(self.reasons), "taken back": self.taken_back,
        }  # fmt: skip

    @property
    def told(self) -> tuple[str, str]:
        """Both mentions with their text and first word."""
        one, other = (
            f"‘{said}’ ({key.text} {key.start})"
            for said, key in zip(self.said, (self.first, self.second), strict=True)
        )
        return one, other

    @property
    def why(self) -> str:
        """What both have in common, in words."""
        apart = "taken apart when texts were added: " if self.taken_back else "separated by people: "
        return apart * (not self.holds) + ("; ".join(self.reasons) or "the model alone")

    def __str__(self) -> str:
        """Write it as a line."""
        return f"{self.number:>6}  {self.average:.2f}  {' = '.join(self.told)}: {self.why}"


@dataclass(frozen=True)
class JoinedMentions:
    """Mentions in columns, by which joins are explained: of texts that were linked, or of a store."""

    texts: Sequence[Text]
    document: IntArray
    start: IntArray
    end: IntArray  # the last word
    kind: IntArray
    label: IntArray  # the entity of each
    named: Callable[[int], str]  # label → the id of the entity

    def key(self, row: int) -> MentionKey:
        """Name a mention."""
        number, start, end = (int(column[row]) for column in (self.document, self.start, self.end))
        return MentionKey(self.texts[number].id, start, end + 1)


class Explainer:
    """Explains joins."""

    def __init__(self, mentions: JoinedMentions) -> None:
        """Take the mentions that were joined; single numbers of lists are read far faster."""
        self.mentions = mentions
        self.documents, self.starts, self.ends, self.kinds, self.labels = (
            column.tolist()
            for column in (mentions.document, mentions.start, mentions.end, mentions.kind, mentions.label)
        )

    @cached_property
    def _by_text(self) -> dict[int, list[int]]:
        """The mentions of each text."""
        found: dict[int, list[int]] = {}
        for row, document in enumerate(self.documents):
            found.setdefault(document, []).append(row)
        return found

    def explained(
        self,
        number: int,
        join: Join,
        addition: int = 1,
        *,
        taken_back: bool = False,
    ) -> ExplainedJoin:
        """Explain the join of this number, counted from 0."""
        first, second, average = join
        one, other = self.mentions.key(first), self.mentions.key(second)
        return ExplainedJoin(
            number + 1, addition, one, other, (self._said(first), self._said(second)), average,
            tuple([ONE_NAME] * (average == CERTAIN) + self._reasons(first, second)),
            self.mentions.named(self.labels[first]), self.labels[first] == self.labels[second],
            taken_back,
        )  # fmt: skip

    def _words(self, row: int) -> list[str]:
        text = self.mentions.texts[self.documents[row]]
        return list(text.words[self.starts[row] : self.ends[row] + 1])

    def _said(self, row: int) -> str:
        return " ".join(self._words(row))

    def _reasons(self, first: int, second: int) -> list[str]:
        """Say what is the same, from the words to the entities of their sentences."""
        one, other = ([word.lower() for word in self._words(row)] for row in (first, second))
        reasons = []
        if one == other:
            reasons.append("the same words")
        elif {*one} < {*other} or {*other} < {*one}:
            shorter = min(one, other, key=len)
            reasons.append(f"‘{' '.join(shorter)}’ is part of the other")
        elif head_stem(one) == head_stem(other):
            reasons.append(f"the same stem ‘{head_stem(one)}’")
        elif is_time(self._words(first)) and is_time(self._words(second)):
            reasons.append("both are times")
        shared = self._around(first) & self._around(second)
        said = ", ".join(self._named(shared))
        return reasons + ([f"in both sentences: {said}"] if said else [])

    @cached_property
    def _first_rows(self) -> dict[int, int]:
        """The first mention of each entity, by which it is called in reasons."""
        found: dict[int, int] = {}
        for row, label in enumerate(self.labels):
            found.setdefault(label, row)
        return found

    def _named(self, labels: set[tuple[str, int]]) -> list[str]:
        return [
            f"{self._said(self._first_rows[label])}" + f" ({role})" * (role != BESIDE)
            for role, label in sorted(labels, key=str)
        ]

    def _around(self, row: int) -> set[tuple[str, int]]:
        """List the other entities of a mention's sentence, by role and label."""
        starts, ends, labels = self.starts, self.ends, self.labels
        document, start, end = self.documents[row], starts[row], ends[row] + 1
        text = self.mentions.texts[document]
        begin, stop = next((span for span in text.stretches if span[0] <= start < span[1]), (0, text.length))
        near: dict[Span, int] = {}
        for other in self._by_text[document]:
            if begin <= starts[other] and ends[other] < stop and self.kinds[other] == 1:
                near[starts[other] - begin, ends[other] + 1 - begin] = labels[other]
        found = roles(text.words[begin:stop], (start - begin, end - begin), near)
        counted = {(role, near[span]) for role, span in found if near[span] != labels[row]}
        return counted if self.kinds[row] == 0 else {(BESIDE, label) for _, label in counted}
