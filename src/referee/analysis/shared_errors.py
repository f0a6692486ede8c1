"""What systems share: errors that all make, errors of some alone, and links that one recovers for another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.analysis.link_errors import LinkError
from referee.language.mention_types import Described

if TYPE_CHECKING:
    from referee.analysis.study import Study, SystemErrors

Systems = tuple[str, ...]


def sort_by_systems(errors: Iterable[Sequence[LinkError]]) -> Mapping[Systems, list[LinkError]]:
    """Sort errors by the systems that make them: each error is under exactly one set of systems.

    The error listed is that of the first system which makes it. A link that is wrong twice in one system, as
    repeated mentions can be, is two errors.
    """
    makers: dict[tuple[Described, Described], list[tuple[LinkError, list[str]]]] = {}
    for made in errors:
        for error in made:
            again = makers.setdefault(error.link, [])
            for _, names in again:
                if names[-1] != error.system:
                    names.append(error.system)
                    break
            else:
                again.append((error, [error.system]))
    shared: dict[Systems, list[LinkError]] = {}
    for again in makers.values():
        for error, names in again:
            shared.setdefault(tuple(names), []).append(error)
    return shared


def common_errors(study: Study, side: str) -> Sequence[LinkError]:
    """List the errors that all systems make."""
    return study.shared[side].get(tuple(system.name for system in study.systems), [])


def with_boundaries(
    study: Study, errors: Iterable[LinkError], systems: Sequence[SystemErrors]
) -> list[LinkError]:
    """Choose the recall errors of which some one system has both mentions, boundaries and all (Table 4)."""
    present = [system.comparison.recall.present for system in systems]
    rows = study.rows
    return [e for e in errors if any(side[rows[e.anaphor]] and side[rows[e.antecedent]] for side in present)]


def recovered(study: Study, missed: Iterable[LinkError], by: SystemErrors) -> list[LinkError]:
    """Choose, from recall errors of one system, the links that another has (Table 8)."""
    other, rows = by.comparison.recall.other, study.rows
    return [e for e in missed if 0 <= other[rows[e.anaphor]] == other[rows[e.antecedent]]]
