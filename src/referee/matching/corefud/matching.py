"""Matches mentions by CorefUD's rules, and says how the official scorer then looks them up.

The official scorer keeps the pairs of mentions that are not equal in one dictionary, first key → response,
then response → key: a response mention that equals another key mention overwrites it. And a mention that
several entities have is looked up in the last of them. So what it counts is not one to one: see `Ways`.

Metrics of mentions ask for words and partners under all rules: `NumberedMentions` has them for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.matching.corefud.pairs import Arcs, Pairing, TieCounts, first_of_identity
from referee.matching.corefud.ranked_mentions import ClusterIds, RankedMentions, rank_mentions
from referee.matching.matchings import Numbers
from referee.matching.text_order import TextOrder, ZeroList
from referee.metrics.contingency import Membership
from referee.metrics.each_way import Ways
from referee.metrics.mention_metrics import MentionRows
from referee.model import NO_WORD, UNKNOWN, Chains


class ScorerDeviations(NamedTuple):
    """Where the official scorer departs from one-to-one pairs, or leaves a choice to chance: in mentions."""

    diverted: int = 0  # looked up as another mention than their partner
    several: int = 0  # occurrences beyond the first in other entities
    tied: int = 0
    alike: int = 0
    rootless: int = 0
    large: int = 0

    def __add__(self, other: tuple[int, ...]) -> ScorerDeviations:  # type: ignore[override]
        """Add up what two batches have."""
        return ScorerDeviations(*(a + b for a, b in zip(self, other, strict=True)))

    def notices(self, response: str, *, official: bool) -> list[str]:
        """Say each that there is, and what is done about it."""
        said = {
            "mentions are zeros without governors in a sentence where the other side has zeros too: "
            "the official scorer fails there": self.rootless,
        }
        if official:
            said |= {
                "mentions are also in another entity: the last entity counts, and in CEAF each": self.several,
                "mentions are looked up as a mention other than their partner, because the official scorer "
                "keeps both directions in one dictionary; protocol='corefud' separates them": self.diverted,
                "mentions could have another partner of the same weight: SciPy's choice for the document's "
                "matrix decides, as in the official scorer": self.tied,
                "mentions have the ends and the length of another: they are ordered by words, then by "
                "heads, and at random by the official scorer": self.alike,
                "documents have too many mentions for one matrix: ties may be decided differently from "
                "the official scorer": self.large,
            }
        return [f"{response}: {count} {what}" for what, count in said.items() if count]


@dataclass(frozen=True, slots=True)
class CorefudMentions:
    """Mentions that were matched by CorefUD's rules, with their words and partners."""

    rows: tuple[MentionRows, MentionRows]
    deviations: ScorerDeviations


@dataclass(frozen=True, slots=True)
class OfficialMentions(CorefudMentions):
    """The same with the numbers by which the official scorer looks mentions up."""

    ways: Ways
    chain_rows: tuple[IntArray, IntArray]  # row of the ways → row of the chains
    own: Numbers  # of all rows of the chains
    looked_up: Numbers


@dataclass(frozen=True, slots=True)
class NumberedMentions:
    """Mentions that were numbered by other rules; their words and partners are listed when asked for."""

    sides: tuple[Chains, Chains]  # the response with the numbers that it gives its own zeros
    numbers: Numbers
    orders: tuple[TextOrder, TextOrder]
    drop: bool  # whether entities of one mention are left out

    @property
    def deviations(self) -> ScorerDeviations:
        """None: the official scorer does not have this."""
        return ScorerDeviations()

    @property
    def rows(self) -> tuple[MentionRows, MentionRows]:
        """List the mentions; one without a head is a zero if all of it is."""
        heads = [
            side.start if side.head is None else np.where(side.head == UNKNOWN, side.start, side.head)
            for side in self.sides
        ]
        key, response = rank_mentions(
            self.sides, (heads[0], heads[1]), self.orders, (None, None), with_heads=False, drop=self.drop
        )
        ours, theirs = self.numbers[0][key.row], self.numbers[1][response.row]
        return (
            _rows(key, ours, np.where(np.isin(ours, theirs), ours, -1)),
            _rows(response, theirs, np.where(np.isin(theirs, ours), theirs, -1)),
        )


@dataclass(frozen=True, slots=True)
class CorefudMatching:
    """Key and response, with all that matching by CorefUD's rules needs."""

    sides: tuple[Chains, Chains]
    heads: tuple[IntArray, IntArray]
    orders: tuple[TextOrder, TextOrder]
    zeros: tuple[ZeroList, ZeroList]
    ids: tuple[ClusterIds, ClusterIds]

    def match(
        self, match: str, *, official: bool, dependent: bool, drop: bool
    ) -> tuple[Numbers, CorefudMentions]:
        """Match mentions; zeros by what they depend on if `dependent`, and not those that are dropped."""
        key, response = rank_mentions(
            self.sides, self.heads, self.orders, self.ids, with_heads=match == "head", drop=drop
        )
        ties = TieCounts()
        arcs = sentences = None
        if dependent and key.zero.any() and response.zero.any():
            arcs = self._arcs(0, key), self._arcs(1, response)
            sentences = self._sentences(0, key), self._sentences(1, response)
        k, r = Pairing(key, response, official, ties).pairs(match, arcs, sentences)
        known = _Known.of(key, response, key.identity[k], response.identity[r])
        deviations = ScorerDeviations(
            0,
            sum(side.row.size - first_of_identity(side).size for side in (key, response)),
            ties.tied, ties.alike, ties.rootless, ties.large,
        )  # fmt: skip
        if not official:
            return known.numbers(), CorefudMentions(known.mention_rows(), deviations)
        lookup = _Lookup.of(known)
        deviations = deviations._replace(diverted=lookup.diverted(known))
        ways = lookup.ways(known, self.sides[0].lengths.size)
        own = key.identity_of_row, response.identity_of_row
        asked = lookup.target[own[0]], lookup.target[own[1]]
        rows = key.row, response.row
        return known.numbers(), OfficialMentions(
            lookup.mention_rows(known), deviations, ways, rows, own, asked
        )

    def _zero_of(self, side: int, mentions: RankedMentions) -> list[tuple[int, int, int]]:
        """List the mentions whose head is a zero: mention, document, which zero."""
        index = np.flatnonzero(mentions.zero)
        document = mentions.document[index]
        which = self.heads[side][mentions.row[index]] - self.orders[side].lengths[document]
        return list(zip(index.tolist(), document.tolist(), which.tolist(), strict=True))

    def _arcs(self, side: int, mentions: RankedMentions) -> Arcs:
        """Say what each mention's head depends on, if it is a zero; words by their numbers in text order."""
        found = [
            (mention, document, governor, relation)
            for mention, document, which in self._zero_of(side, mentions)
            for governor, relation in self.zeros[side][document][which].governors
        ]
        word = np.array([governor for _, _, governor, _ in found], np.int64)
        document_of = np.array([document for _, document, _, _ in found], np.int64)
        number = self.orders[side].numbers(document_of, np.maximum(word, 0))
        number[word == NO_WORD] = NO_WORD
        arcs: list[set[tuple[int, str]]] = [set() for _ in range(mentions.row.size)]
        for (mention, _, _, relation), governor in zip(found, number.tolist(), strict=True):
            arcs[mention].add((governor, relation))
        return arcs

    def _sentences(self, side: int, mentions: RankedMentions) -> IntArray:
        sentences = np.full(mentions.row.size, -1)
        for mention, document, which in self._zero_of(side, mentions):
            sentences[mention] = self.zeros[side][document][which].sentence
        return sentences


@dataclass(frozen=True, slots=True)
class _Known:
    """Both sides, and the pairs, by identities."""

    key: RankedMentions
    response: RankedMentions
    paired: tuple[IntArray, IntArray]  # identities of key and response
    identities: int

    @classmethod
    def of(cls, key: RankedMentions, response: RankedMentions, k: IntArray, r: IntArray) -> _Known:
        sides = (key, response)
        return cls(key, response, (k, r), 1 + max(int(s.identity_of_row.max(initial=-1)) for s in sides))

    def numbers_of_response(self) -> IntArray:
        """Number the response's identities: as the key's partner, or past all of the key's."""
        number = self.identities + np.arange(self.identities)
        number[self.paired[1]] = self.paired[0]
        return number

    def numbers(self) -> Numbers:
        """Number the rows of key and response; what is dropped is the same as nothing else."""
        ours = self.key.identity_of_row + 2 * self.identities * self.key.dropped
        theirs = np.where(
            self.response.dropped,
            3 * self.identities + self.response.identity_of_row,
            self.numbers_of_response()[self.response.identity_of_row],
        )
        return ours, theirs

    def mention_rows(self) -> tuple[MentionRows, MentionRows]:
        """List the mentions with their partners, one to one."""
        ours, theirs = self.key.identity, self.numbers_of_response()[self.response.identity]
        return (
            _rows(self.key, ours, np.where(np.isin(ours, theirs), ours, -1)),
            _rows(self.response, theirs, np.where(np.isin(theirs, ours), theirs, -1)),
        )


@dataclass(frozen=True, slots=True)
class _Lookup:
    """The official scorer's dictionary over identities, and which identities each side has."""

    target: IntArray  # what an identity is looked up as; itself if it is not in the dictionary
    in_key: BoolArray
    in_response: BoolArray

    @classmethod
    def of(cls, known: _Known) -> _Lookup:
        target = np.arange(known.identities)
        k, r = (side[known.paired[0] != known.paired[1]] for side in known.paired)
        target[k] = r
        target[r] = k
        there = np.zeros((2, known.identities), np.bool_)
        there[0, known.key.identity] = there[1, known.response.identity] = True
        return cls(target, there[0], there[1])

    def diverted(self, known: _Known) -> int:
        """Count the mentions that are not looked up as their partner."""
        count = 0
        for one, other, ours, theirs in (
            (*known.paired, self.in_key, self.in_response),
            (*known.paired[::-1], self.in_response, self.in_key),
        ):
            partner = np.full(known.identities, -1)
            partner[one] = other
            actual = np.where(theirs[self.target], self.target, -1)
            count += int((ours & (actual != partner)).sum())
        return count

    def ways(self, known: _Known, units: int) -> Ways:
        """Put mentions into their clusters by the numbers that they are looked up by."""
        key, response = known.key, known.response

        def side(mentions: RankedMentions, number: IntArray) -> Membership:
            return Membership(number, mentions.cluster, mentions.document_of_cluster, units)

        return Ways(
            (side(key, self.target[key.identity]), side(response, response.identity)),
            (side(key, key.identity), side(response, self.target[response.identity])),
            (side(key, key.identity), side(response, known.numbers_of_response()[response.identity])),
        )

    def mention_rows(self, known: _Known) -> tuple[MentionRows, MentionRows]:
        """List the mentions with those that they are looked up as: themselves, if the other side has them."""

        def partners(identity: IntArray, there: BoolArray) -> IntArray:
            other = np.where(self.target == np.arange(self.target.size), -1, self.target)
            return np.where(there[identity], identity, other[identity])

        return (
            _rows(known.key, known.key.identity, partners(known.key.identity, self.in_response)),
            _rows(known.response, known.response.identity, partners(known.response.identity, self.in_key)),
        )


def _rows(mentions: RankedMentions, number: IntArray, partner: IntArray) -> MentionRows:
    """Sort the mentions of each cluster by first word, last word and number of words."""
    words = mentions.words
    order = np.lexsort((words.sizes, words.last, words.first, mentions.cluster))
    some = words.of(order)
    return MentionRows(
        number[order], partner[order], mentions.cluster[order], mentions.document[order],
        mentions.zero[order], some.offsets, some.words,
    )  # fmt: skip
