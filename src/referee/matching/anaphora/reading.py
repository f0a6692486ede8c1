"""Reads key and response with what goes beyond identity: by the rules of Universal Anaphora, or sets alone
under the rules of others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError, ProtocolError
from referee.matching.anaphora.numbering import UaMatcher, UaNumbers
from referee.matching.anaphora.relations import ComparedRelations, Sides, compare_relations
from referee.matching.anaphora.sides import (
    Entities,
    EntitySets,
    Signature,
    counted_entities,
    merged_membership,
    places,
)
from referee.matching.corefud.matching import OfficialMentions
from referee.matching.matchings import Numbers
from referee.matching.protocol import Protocol
from referee.metrics.contingency import Contingency, Membership, without_repeats
from referee.metrics.each_way import Tables, Ways, tables_each_way
from referee.metrics.sets import Sets
from referee.model import Anaphora

FROM_KEY = ("blanc", "links")  # the scorers count them from the key's side alone


class BeyondIdentity(NamedTuple):
    """The tables of a stack of units, and what its metrics ask for beside them."""

    plain: Tables  # without sets
    tables: Tables  # with a mention for each set
    ways: Ways
    sets: Sets
    clusters: tuple[IntArray, IntArray]  # set → its entity in the tables
    relations: ComparedRelations | None = None
    repeats: tuple[int, int] = (0, 0)  # occurrences of mentions beyond the first in key and response


def read_by_ua(sides: Sides, protocol: Protocol) -> tuple[Numbers, BeyondIdentity]:
    """Match key and response by Universal Anaphora's rules; also number the mentions, one to one."""
    if protocol.sets != "drop":
        check_circles(sides)
    matcher = UaMatcher(sides[0].chains, sides[1].chains, protocol.match)
    sets, entities = [], []
    for side, number in zip(sides, matcher.own, strict=True):
        sets.append(EntitySets.of(_with_sets(side, protocol), number))
        entities.append(_entities(side, sets[-1], number, protocol))
    if protocol.singletons == "drop" and (sets[0].entity or sets[1].entity):
        raise ProtocolError(
            f"sets='{protocol.sets}' needs singletons='keep' where there are sets, whose elements may be "
            "singletons; give sets='drop' to drop singletons"
        )
    numbers = matcher.numbers((entities[0].row, entities[1].row))
    both = entities[0], entities[1]
    made = _by_ua(sides, (sets[0], sets[1]), both, numbers)
    repeats = [each.row.size - np.unique(n[each.row]).size for each, n in zip(both, numbers.own, strict=True)]
    made = made._replace(
        relations=compare_relations(sides, numbers, both[0]), repeats=(repeats[0], repeats[1])
    )
    refers = [side.refers[side.chains.cluster] for side in sides]
    return (numbers.own[0][refers[0]], numbers.looked_up[1][refers[1]]), made


def check_circles(sides: Sides) -> None:
    """Refuse sets that contain themselves."""
    if circles := (*sides[0].circles, *sides[1].circles):
        raise FormatError(
            f"{circles[0]}: a set must not contain itself; correct the annotation, or give sets='drop'"
        )


def _with_sets(side: Anaphora, protocol: Protocol) -> Anaphora:
    return replace(side, elements=side.elements[:0]) if protocol.sets == "drop" else side


def _entities(side: Anaphora, sets: EntitySets, number: IntArray, protocol: Protocol) -> Entities:
    chains = side.chains
    zero = (chains.start >= chains.lengths[chains.document]) & (protocol.zeros == "drop")
    once, drop = protocol.sets != "drop", protocol.singletons == "drop"
    return counted_entities(side, sets, number, zero, once=once, drop=drop)


def _by_ua(
    sides: Sides, sets: tuple[EntitySets, EntitySets], entities: tuple[Entities, Entities], numbers: UaNumbers
) -> BeyondIdentity:
    """Tabulate entities without their sets, and with them."""
    both = _columns(sides, sets, numbers.own, numbers.looked_up)
    clusters = entities[0].of_set, entities[1].of_set
    ways = _ways(entities, numbers)
    plain = tables = tables_each_way(ways, FROM_KEY)
    if both[0].size or both[1].size:
        ways = _ways(entities, numbers, both)
        tables = tables_each_way(ways, FROM_KEY)
    return BeyondIdentity(plain, tables, ways, both, clusters)


def _columns(sides: Sides, sets: tuple[EntitySets, EntitySets], own: Numbers, looked_up: Numbers) -> Sets:
    """Number the sets of both sides past all mentions."""
    first = 1 + max(int(each.max(initial=0)) for two in (own, looked_up) for each in two)
    known: dict[Signature, int] = {}
    columns = []
    for side, found, *numbers in zip(sides, sets, own, looked_up, strict=True):
        columns.append(found.columns(side.chains.cluster_document, first, known, numbers))
        first += columns[-1].size
    return columns[0], columns[1]


def _ways(entities: tuple[Entities, Entities], numbers: UaNumbers, sets: Sets | None = None) -> Ways:
    stand = (None, None) if sets is None else (sets[0].mention, sets[1].mention)

    def side(which: int, number: IntArray) -> Membership:
        return entities[which].membership(number, stand[which])

    (key, response), (key_asked, response_asked) = numbers.own, numbers.looked_up
    return Ways(
        (side(0, key_asked), side(1, response)),
        (side(0, key), side(1, response_asked)),
        (side(0, key), side(1, response_asked)),
        numbers.alike,
    )


def read_sets(sides: Sides, numbers: Numbers, given: tuple[Membership, Membership]) -> BeyondIdentity:
    """Add sets to mentions that the rules of others have matched, one to one."""
    check_circles(sides)
    sides = sides[0].referring, sides[1].referring
    sets = tuple(EntitySets.of(side, number) for side, number in zip(sides, numbers, strict=True))
    found = _columns(sides, (sets[0], sets[1]), numbers, numbers)
    key, response = (
        merged_membership(membership, each, columns.mention)
        for membership, each, columns in zip(given, sets, found, strict=True)
    )
    response = without_repeats(key, response)
    tables = Tables.of(Contingency.of(key, response))
    clusters = places(key, found[0]), places(response, found[1])
    return BeyondIdentity(
        Tables.of(Contingency.of(*given)), tables, Ways.one_to_one(key, response), found, clusters
    )


def read_official_sets(sides: Sides, mentions: OfficialMentions) -> BeyondIdentity:
    """Add sets to mentions that the official CorefUD scorer matches, each way."""
    check_circles(sides)
    sides = sides[0].referring, sides[1].referring
    own, looked_up = mentions.own, mentions.looked_up
    sets = tuple(EntitySets.of(side, number) for side, number in zip(sides, own, strict=True))
    found = _columns(sides, (sets[0], sets[1]), own, looked_up)
    ranked = []
    for side, rows, one, each in zip(sides, mentions.chain_rows, mentions.ways.pairs, sets, strict=True):
        number = np.zeros(side.refers.size, np.int64)
        number[side.chains.cluster[rows]] = one.cluster
        ranked.append(each.renumbered(number))

    def with_sets(two: tuple[Membership, Membership]) -> tuple[Membership, Membership]:
        key, response = (
            merged_membership(side, each, columns.mention)
            for side, each, columns in zip(two, ranked, found, strict=True)
        )
        return key, response

    given = mentions.ways
    ways = Ways(with_sets(given.recall), with_sets(given.precision), with_sets(given.pairs))
    plain, tables = tables_each_way(given, FROM_KEY), tables_each_way(ways, FROM_KEY)
    clusters = places(ways.pairs[0], found[0]), places(ways.pairs[1], found[1])
    return BeyondIdentity(plain, tables, ways, found, clusters)
