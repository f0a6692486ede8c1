"""The class of each wrong link, after the transformations of Kummerfeld & Klein (2013).

    divided entity      both mentions are in the response, in different entities
    conflated entities  both mentions are in the key, in different entities
    span error          a mention is not on the other side, but one with the same head is, with other boundaries
    missing entity      the response has no mention of the key entity at all
    missing mention     the response lacks one of the two mentions, or both
    extra entity        the key has no mention of the response entity at all
    extra mention       the key lacks one of the two mentions, or both

Where heads are not known, boundaries are wrong if two mentions begin or end together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from referee.analysis.entities import Entities, Partition
from referee.analysis.links import RECALL, LinkError
from referee.analysis.mention_types import Described
from referee.analysis.study import Study, SystemErrors

CLASSES = (
    "span error", "divided entity", "missing mention", "missing entity",
    "conflated entities", "extra mention", "extra entity",
)  # fmt: skip
ABSENT = {RECALL: ("divided entity", "missing mention", "missing entity")}
SURPLUS = ("conflated entities", "extra mention", "extra entity")


def link_classes(study: Study, system: SystemErrors) -> Iterator[tuple[LinkError, str]]:
    """Go through a system's errors, each with its class."""
    comparison = system.comparison
    sides = (
        (system.recall, comparison.key, study.mentions, comparison.recall),
        (system.precision, comparison.response, system.mentions, comparison.precision),
    )
    lonely = [_alone(described, partition) for _, _, described, partition in sides]
    for number, (errors, entities, described, partition) in enumerate(sides):
        moved = _moved(lonely[number], lonely[1 - number])
        absent = set(lonely[number])
        lost = _lost(entities, described, partition)
        for error in errors:
            yield error, _class(error, absent, moved, lost)


def _alone(described: Sequence[Described], partition: Partition) -> list[Described]:
    """List the mentions that the other side has not."""
    return [each for each, found in zip(described, partition.found.tolist(), strict=True) if not found]


def _moved(ours: Sequence[Described], theirs: Sequence[Described]) -> set[Described]:
    """Find the mentions that the other side has with wrong boundaries."""
    places: defaultdict[tuple[str, str, int], bool] = defaultdict(bool)
    for each in theirs:
        for place in _places(each):
            places[place] = True
    return {each for each in ours if any(place in places for place in _places(each))}


def _places(each: Described) -> list[tuple[str, str, int]]:
    if each.head is not None:
        return [(each.document_id, "head", each.head)]
    return [(each.document_id, "start", each.mention.start), (each.document_id, "end", each.mention.end)]


def _lost(entities: Entities, described: Sequence[Described], partition: Partition) -> set[Described]:
    """List the mentions of entities that the other side has no mention of."""
    found = partition.found
    return {
        each
        for start, end in entities.edges()
        if not found[start:end].any()
        for each in described[start:end]
    }


def _class(error: LinkError, absent: set[Described], moved: set[Described], lost: set[Described]) -> str:
    whole, mention, entity = ABSENT.get(error.side, SURPLUS)
    if not absent.intersection(error.link):
        return whole
    if moved.intersection(error.link):
        return "span error"
    return entity if error.anaphor in lost else mention
