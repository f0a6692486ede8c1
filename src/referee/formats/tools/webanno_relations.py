"""Coreference as a relation layer of WebAnno TSV: spans that are marked, and relations between them.

    #T_SP=webanno.custom.Referent|entity
    #T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent

    1-1⇥0-3⇥Ann⇥person⇥coref⇥1-3
    1-2⇥4-8⇥took⇥_⇥_⇥_
    1-3⇥9-12⇥her⇥person|object[1]⇥_⇥_
    1-4⇥13-16⇥hat⇥object[1]⇥_⇥_

* A span is one token, or all tokens with its number, `object[1]`. Its type is the value of the first feature
  that has one; `*` is none.
* A relation is in the row of its target. `BT_…` names the layer of its ends, and has the token of its source,
  with the numbers of both spans where they have any: `1-3[4_1]`, `0` for a span without a number. An anaphor
  is the source, and its antecedent the target.
* A layer whose name has `coref` in it, or means identity, is read. Its relations are identity, unless their
  value says otherwise: those with `split` or `aggr` in it lead to a part of a split antecedent, and others
  that begin with `bridg` are bridging. In other layers only relations with a value that means identity count,
  or all if the layer is called after bridging or split antecedents.
  All spans of a layer that is read are mentions, and those in no relation are singletons.
* The feature `reference` of a span may say that it is `non-referring`, or of `deixis`: of discourse deixis,
  with all that it is linked with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.exceptions import FormatError
from referee.formats.format import USUAL, Reading
from referee.formats.tools.marks import NO_FLAGS, Flags, flags_of, kind_beyond
from referee.formats.tools.standoff import is_coreference_layer, kind_of_relation
from referee.model import Span

ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
LETTERS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
STACKED = re.compile(r"\\.|\|", re.DOTALL)
NUMBERED = re.compile(r"(.*)\[([0-9]{1,9})\]", re.DOTALL)
TARGET = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")
SYNTAX = "de.tudarmstadt.ukp.dkpro.core.api.syntax"  # dependencies, whose ends are parts of speech
BASE = "BT_"
NOTHING, NO_VALUE = "_", "*"


def stacked(cell: str) -> list[str]:
    r"""Cut a cell at the signs `|` that are not escaped.

    >>> stacked(r"a|b\|c|d\\|e")
    ['a', 'b\\|c', 'd\\\\', 'e']
    """
    if "\\" not in cell:
        return cell.split("|")
    return STACKED.sub(lambda match: "\n" if match[0] == "|" else match[0], cell).split("\n")


def unescaped(text: str) -> str:
    r"""Take backslashes away.

    >>> unescaped(r"a\_b\->c\\")
    'a_b->c\\'
    """
    return ESCAPED.sub(lambda match: LETTERS.get(match[1], match[1]), text) if "\\" in text else text


@dataclass(slots=True)
class SpanMark:
    """A span: the units of its lines, what is said of it, and the first of the lines."""

    start: int
    end: int
    type: str | None
    line: int
    flags: Flags = NO_FLAGS


@dataclass(frozen=True, slots=True)
class SpanRelation:
    """A relation: the spans of the anaphor and of its antecedent, and its value."""

    anaphor: str
    antecedent: str
    value: str
    line: int


@dataclass(slots=True)
class RelationLayer:
    """A layer of relations, and the layer of spans that are their ends."""

    name: str
    spans: range  # columns
    reference: int | None  # the column of what the spans refer to
    values: range
    target: int
    reading: Reading = USUAL
    marks: dict[str, SpanMark] = field(default_factory=dict)  # a number or a token → span
    relations: list[SpanRelation] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The last part of the layer's name."""
        return self.name.rsplit(".", 1)[-1]

    @property
    def is_coreference(self) -> bool:
        """Whether the layer's name says that its relations are of coreference."""
        return is_coreference_layer(self.name)

    @property
    def is_read(self) -> bool:
        """Whether there is coreference in the layer, or what the layer is called after goes beyond it."""
        return (
            self.is_coreference
            or self.beyond is not None
            or any(self.kind_of(relation) == "" for relation in self.relations)
        )

    def take(self, cells: Sequence[str], unit: str, span: Span, where: str, line: int) -> None:
        """Read the cells of a token."""
        for key, (value, flags) in _spans(cells, self.spans, self.reference, unit).items():
            known = self.marks.setdefault(key, SpanMark(*span, value, line, flags))
            known.start, known.end = min(known.start, span[0]), max(known.end, span[1])
        if cells[self.target] == NOTHING:
            return
        targets = stacked(cells[self.target])
        rows = [stacked(cells[column]) for column in self.values]
        for number, target in enumerate(targets):
            match = TARGET.fullmatch(target)
            if match is None:
                raise FormatError(f"{where}: expected a token such as 1-3 or 1-3[4_1], not '{target[:40]}'")
            source, own = (match[2] or "0", match[3] or "0")
            values = [row[number] for row in rows if number < len(row)]
            value = unescaped(next((value for value in values if value not in (NOTHING, NO_VALUE)), ""))
            self.relations.append(
                SpanRelation(match[1] if source == "0" else source, unit if own == "0" else own, value, line)
            )

    def kind_of(self, relation: SpanRelation) -> str | None:
        """Say what a relation means: identity is '', None is something else."""
        by_value = kind_of_relation(
            relation.value, self.reading, within_coreference=self.is_coreference and not self.beyond
        )
        return self.beyond if by_value is None else by_value

    @property
    def beyond(self) -> str | None:
        """What the layer is called after, if that is not identity."""
        return kind_beyond(self.kind, within_coreference=False)

    def check(self, path: str) -> None:
        """See that relations end at spans."""
        for relation in self.relations:
            for name in (relation.anaphor, relation.antecedent):
                if name not in self.marks:
                    raise FormatError(
                        f"{path}:{relation.line}: a relation ends at {name}, where nothing is marked"
                    )


def _spans(
    cells: Sequence[str], columns: range, reference: int | None, unit: str
) -> dict[str, tuple[str | None, Flags]]:
    """List the spans that a token is in, each by its number or its token, with the first value and flags."""
    found: dict[str, tuple[str | None, Flags]] = {}
    for column in columns:
        for cell in stacked(cells[column]) if cells[column] != NOTHING else ():
            match = NUMBERED.fullmatch(cell)
            value, key = (match[1], match[2]) if match else (cell, unit)
            kind, flags = found.get(key, (None, NO_FLAGS))
            more = flags_of(value) if column == reference else NO_FLAGS
            said = None if more or value in (NOTHING, NO_VALUE) else unescaped(value)
            found[key] = said if kind is None else kind, flags | more
    return found
