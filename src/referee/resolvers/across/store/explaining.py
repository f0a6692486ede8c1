"""Why mentions were joined: what their words, and the sentences around them, have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from referee.language.stems import head_stem
from referee.model import Span
from referee.resolvers.across.compatibility.same_names import CERTAIN
from referee.resolvers.across.graph.roles import BESIDE, is_time, roles
from referee.resolvers.across.store.contents import Contents, entity_id
from referee.resolvers.across.store.decisions import MentionKey

ONE_NAME = "both clusters are called by one name"


@dataclass(frozen=True)
class StoreJoin:
    """A step of joining: two mentions whose clusters became one, how likely they are the same, and why."""

    number: int
    addition: int
    first: MentionKey
    second: MentionKey
    said: tuple[str, str]
    average: float  # over the pairs of mentions of both clusters that were compared
    reasons: tuple[str, ...]
    entity: str  # that both are in now, or the first one is if they were separated
    holds: bool  # whether they still are

    def to_dict(self) -> dict[str, Any]:
        """Give it in plain values."""
        return {
            "join": self.number, "addition": self.addition, "entity": self.entity, "holds": self.holds,
            "mentions": [list(self.first), list(self.second)], "said": list(self.said),
            "score": round(self.average, 4), "reasons": list(self.reasons),
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
        separated = "separated by people: " if not self.holds else ""
        return separated + ("; ".join(self.reasons) or "the model alone")

    def __str__(self) -> str:
        """Write it as a line."""
        return f"{self.number:>6}  {self.average:.2f}  {' = '.join(self.told)}: {self.why}"


class Explainer:
    """Explains the joins of a store."""

    def __init__(self, contents: Contents) -> None:
        """Take what the store has."""
        self.contents = contents

    @cached_property
    def _by_text(self) -> dict[int, list[int]]:
        """The mentions of each text."""
        found: dict[int, list[int]] = {}
        for row, document in enumerate(self.contents.rows["document"].tolist()):
            found.setdefault(document, []).append(row)
        return found

    def joins(self, addition: int | None = None) -> list[StoreJoin]:
        """List joins, or those of one addition."""
        rows = self.contents.joins
        chosen = (
            range(rows.size) if addition is None else np.flatnonzero(rows["addition"] == addition).tolist()
        )
        return [self._join(number, *rows[number].tolist()) for number in chosen]

    def _join(self, number: int, first: int, second: int, average: float, addition: int) -> StoreJoin:
        label = self.contents.label
        one, other = self.contents.key(first), self.contents.key(second)
        return StoreJoin(
            number + 1, addition, one, other, (self._said(first), self._said(second)), average,
            tuple([ONE_NAME] * (average == CERTAIN) + self._reasons(first, second)),
            entity_id(int(label[first])), bool(label[first] == label[second]),
        )  # fmt: skip

    def _words(self, row: int) -> list[str]:
        mention = self.contents.rows[row]
        return list(self.contents.texts[mention["document"]].words[mention["start"] : mention["end"] + 1])

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

    def _named(self, labels: set[tuple[str, int]]) -> list[str]:
        return [
            f"{self._said(label)}" + f" ({role})" * (role != BESIDE)
            for role, label in sorted(labels, key=str)
        ]

    @cached_property
    def _columns(self) -> dict[str, list[int]]:
        """The columns of mentions as lists, of which single numbers are read far faster."""
        columns = {name: self.contents.rows[name].tolist() for name in ("document", "start", "end", "kind")}
        return columns | {"label": self.contents.label.tolist()}

    def _around(self, row: int) -> set[tuple[str, int]]:
        """List the other entities of a mention's sentence, by role and label."""
        columns = self._columns
        starts, ends, kinds, labels = (columns[name] for name in ("start", "end", "kind", "label"))
        document, start, end = columns["document"][row], starts[row], ends[row] + 1
        text = self.contents.texts[document]
        begin, stop = next((span for span in text.stretches if span[0] <= start < span[1]), (0, text.length))
        near: dict[Span, int] = {}
        for other in self._by_text[document]:
            if begin <= starts[other] and ends[other] < stop and kinds[other] == 1:
                near[starts[other] - begin, ends[other] + 1 - begin] = labels[other]
        found = roles(text.words[begin:stop], (start - begin, end - begin), near)
        counted = {(role, near[span]) for role, span in found if near[span] != labels[row]}
        return counted if kinds[row] == 0 else {(BESIDE, label) for _, label in counted}
