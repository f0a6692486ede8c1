"""Bridging, and expressions that refer to nothing, as links that a system has, lacks or makes wrongly.

A bridging anaphor has one link, to its anchor, on each side. A key link that the response lacks is a recall
error, and a link that the response has instead, or of an anaphor that is none in the key, a precision error:

anaphor missed     the response has no bridging anaphor with these words
entity wrong       it has one, anchored in another entity: a recall and a precision error
mention wrong      it is anchored in the right entity of the key, but in another of its mentions: the same
anaphor invented   the key has no bridging anaphor with these words

An expression that refers to nothing has no antecedent: its link goes to itself. The response lacks it as a
mention (`expression missed`) or has it in an entity (`taken to refer`); what the response has and the key has
not may be a mention of an entity in the key (`refers in the key`) or none (`expression invented`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.analysis.describing import guarded
from referee.analysis.link_errors import PRECISION, RECALL, LinkError
from referee.language.mention_types import Category, Described, describe
from referee.matching.anaphora.relations import ComparedRelations
from referee.metrics.relations import BRIDGING, NON_REFERRING
from referee.model import Anaphora, Document, Mention

ANAPHOR_MISSED, ANAPHOR_INVENTED = "anaphor missed", "anaphor invented"
ENTITY_WRONG, MENTION_WRONG = "entity wrong", "mention wrong"
EXPRESSION_MISSED, EXPRESSION_INVENTED = "expression missed", "expression invented"
TAKEN_TO_REFER, REFERS_IN_KEY = "taken to refer", "refers in the key"
CAUSES_OF_SIDE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    BRIDGING: {
        RECALL: (MENTION_WRONG, ENTITY_WRONG, ANAPHOR_MISSED),
        PRECISION: (MENTION_WRONG, ENTITY_WRONG, ANAPHOR_INVENTED),
    },
    NON_REFERRING: {
        RECALL: (TAKEN_TO_REFER, EXPRESSION_MISSED),
        PRECISION: (REFERS_IN_KEY, EXPRESSION_INVENTED),
    },
}
LAYER_CAUSES = {
    layer: tuple(dict.fromkeys(cause for causes in sides.values() for cause in causes))
    for layer, sides in CAUSES_OF_SIDE.items()
}


MEASURES = {BRIDGING: "bridging_entity", NON_REFERRING: "non_referring"}  # what shared tasks rank by


class Anchor(NamedTuple):
    """What an anaphor is linked to on one side."""

    mention: Mention
    entity: int  # the cluster of the mention, counted from 0 in its document
    label: str  # the kind of bridging, where the corpus says so


@dataclass(frozen=True, slots=True)
class RelationLink:
    """An anaphor, with what key and response link it to; and what is wrong with that, if anything is."""

    document: int
    anaphor: Mention
    key: Anchor | None
    response: Anchor | None
    cause: str
    alone: bool  # whether it is linked to itself, since it refers to nothing

    def of(self, side: str) -> Anchor | None:
        """What it is linked to in the key (recall) or in the response (precision)."""
        return self.key if side == RECALL else self.response


def relation_links(compared: ComparedRelations, layer: str) -> list[RelationLink]:
    """List the links of both sides, those of the key first."""
    return [*(_bridging(compared) if layer == BRIDGING else _non_referring(compared))]


class _Side:
    """The rows of one side."""

    def __init__(self, side: Anaphora) -> None:
        self.side = side
        self.parts = side.chains.parts.by_row()

    def located(self, row: int) -> tuple[int, Mention]:
        """Give a row's document and mention."""
        chains = self.side.chains
        spans = self.parts.get(row) or ((int(chains.start[row]), int(chains.end[row])),)
        return int(chains.document[row]), Mention(spans)

    def anchor(self, row: int, label: str = "") -> Anchor:
        """Make an anchor of a row."""
        chains = self.side.chains
        first = np.searchsorted(chains.cluster_document, chains.document[row])
        return Anchor(self.located(row)[1], int(chains.cluster[row] - first), label)

    def bridge(self, number: int) -> tuple[int, Mention, Anchor]:
        """Give the document, anaphor and anchor of a bridge."""
        anaphor, anchor = self.side.bridges[number, :2].tolist()
        return *self.located(anaphor), self.anchor(anchor, self.side.labels[number])

    @property
    def referring(self) -> set[tuple[int, Mention]]:
        """The mentions of entities that refer to something."""
        rows = np.flatnonzero(self.side.refers[self.side.chains.cluster])
        return {self.located(row) for row in rows.tolist()}


def _bridging(compared: ComparedRelations) -> Iterator[RelationLink]:
    keys, responses = map(_Side, compared.sides)
    ours, theirs = (column.tolist() for column in compared.bridges)
    right = zip(compared.same_anchor.tolist(), compared.same_entity.tolist(), strict=True)
    causes = ["" if same else MENTION_WRONG if entity else ENTITY_WRONG for same, entity in right]
    partner = dict(zip(*(column.tolist() for column in compared.common), strict=True))
    cause_of = dict(zip(partner, causes, strict=True))
    for at, bridge in enumerate(ours):
        document, anaphor, anchor = keys.bridge(bridge)
        other = responses.bridge(theirs[partner[at]])[2] if at in partner else None
        yield RelationLink(document, anaphor, anchor, other, cause_of.get(at, ANAPHOR_MISSED), alone=False)
    found = set(partner.values())
    for at, bridge in enumerate(theirs):
        if at not in found:
            document, anaphor, anchor = responses.bridge(bridge)
            yield RelationLink(document, anaphor, None, anchor, ANAPHOR_INVENTED, alone=False)


def _non_referring(compared: ComparedRelations) -> Iterator[RelationLink]:
    keys, responses = map(_Side, compared.sides)
    referring = responses.referring
    for row, found in zip(
        *(column.tolist() for column in (compared.empty[0], compared.found[0])), strict=True
    ):
        document, mention = keys.located(row)
        itself = keys.anchor(row)
        missed = TAKEN_TO_REFER if (document, mention) in referring else EXPRESSION_MISSED
        yield RelationLink(
            document, mention, itself, itself if found else None, "" if found else missed, alone=True
        )
    referring = keys.referring
    for row in compared.empty[1][~compared.found[1]].tolist():
        document, mention = responses.located(row)
        invented = REFERS_IN_KEY if (document, mention) in referring else EXPRESSION_INVENTED
        yield RelationLink(document, mention, None, responses.anchor(row), invented, alone=True)


class RelationErrors(NamedTuple):
    """The errors of one system, the links that it made by the types of their mentions, and all of the key."""

    recall: Sequence[LinkError]
    precision: Sequence[LinkError]
    decisions: Mapping[tuple[str, str], int]
    maximum: Sequence[LinkError]


def relation_errors(
    documents: Sequence[Document], links: Sequence[RelationLink], system: str, category: Category | None
) -> RelationErrors:
    """Make errors of links, with their mentions described by the key's layers."""
    described = _Describing(documents, links, category and guarded(category))
    recall, precision = (
        [described.error(link, side, system) for link in links if link.of(side) and link.cause]
        for side in (RECALL, PRECISION)
    )
    made = [described.error(link, PRECISION, system) for link in links if link.response]
    most = [described.error(link, RECALL, "maximum") for link in links if link.key]
    return RelationErrors(recall, precision, Counter(error.types for error in made), most)


class _Describing:
    """Describes the mentions of links, each once."""

    def __init__(
        self, documents: Sequence[Document], links: Sequence[RelationLink], category: Category | None
    ) -> None:
        wanted: list[dict[Mention, None]] = [{} for _ in documents]
        for link in links:
            wanted[link.document][link.anaphor] = None
            for anchor in (link.key, link.response):
                if anchor:
                    wanted[link.document][anchor.mention] = None
        self.known: list[dict[Mention, Described]] = [
            dict(zip(mentions, describe(document, list(mentions), category), strict=True))
            for document, mentions in zip(documents, wanted, strict=True)
        ]

    def error(self, link: RelationLink, side: str, system: str) -> LinkError:
        """Make a value of a link of one side."""
        anchor, known = link.of(side), self.known[link.document]
        assert anchor is not None  # whoever calls has looked
        mentions = known[link.anaphor], known[anchor.mention]
        return LinkError(side, system, *mentions, anchor.entity, link.cause, anchor.label, link.alone)
