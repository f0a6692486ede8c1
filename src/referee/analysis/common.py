"""What systems share: errors that all make, errors of some alone, and links that one recovers for another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.analysis.links import LinkError
from referee.analysis.mention_types import Described

if TYPE_CHECKING:
    from referee.analysis.study import Study, SystemErrors

Systems = tuple[str, ...]


def sort_by_systems(errors: Iterable[Sequence[LinkError]]) -> Mapping[Systems, list[LinkError]]:
    """Sort errors by the systems that make them: each error is under exactly one set of systems.

    The error kept is that of the first system which makes it. A link that is wrong twice in one system, as
    repeated mentions can be, is two errors.
    """
    makers: dict[tuple[Described, Described, int], list[str]] = {}
    kept: dict[tuple[Described, Described, int], LinkError] = {}
    for made in errors:
        seen: Counter[tuple[Described, Described]] = Counter()
        for error in made:
            link = (*error.link, seen[error.link])
            seen[error.link] += 1
            makers.setdefault(link, []).append(error.system)
            kept.setdefault(link, error)
    shared: dict[Systems, list[LinkError]] = {}
    for link, names in makers.items():
        shared.setdefault(tuple(names), []).append(kept[link])
    return shared


def common_errors(study: Study, side: str) -> Sequence[LinkError]:
    """List the errors that all systems make."""
    return study.shared[side].get(tuple(system.name for system in study.systems), [])


def found_mentions(study: Study, system: SystemErrors) -> set[Described]:
    """Gather the key mentions whose boundaries a system has right."""
    found = system.comparison.recall.found.tolist()
    return {mention for mention, there in zip(study.mentions, found, strict=True) if there}


def clusters_found(study: Study, system: SystemErrors) -> Mapping[Described, int]:
    """Say which cluster of a system each key mention is in."""
    others = system.comparison.recall.other.tolist()
    return {mention: other for mention, other in zip(study.mentions, others, strict=True) if other >= 0}


def recovered(study: Study, missed: Sequence[LinkError], by: SystemErrors) -> list[LinkError]:
    """Choose, from links that one system misses, those that another has (Table 8)."""
    clusters = clusters_found(study, by)
    return [
        error
        for error in missed
        if error.anaphor in clusters and clusters[error.anaphor] == clusters.get(error.antecedent)
    ]
