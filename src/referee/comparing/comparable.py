"""Lets only those results be compared that were made alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import numpy as np

from referee.exceptions import ProtocolError
from referee.matching.protocol import DATA
from referee.metrics.standard import METRICS
from referee.scoring.fingerprints import OF_CLUSTERS
from referee.scoring.result import Result

KEY, OWN_KEY = "key", "the key's clusters"


def alike(results: Sequence[Result]) -> list[Result]:
    """Refuse results of unlike protocols, versions or keys; keep common metrics, and one order of units."""
    if not results:
        raise ProtocolError("there is nothing to compare: give at least one result")
    first = results[0]
    names = [name for name in first.counts if all(name in result.counts for result in results)]
    if not names:
        raise ProtocolError("the results have no metric in common")
    aligned = [_aligned(first, other, names) for other in results]
    for other in aligned[1:]:
        _check_denominators(aligned[0], other)
    return aligned


def _aligned(first: Result, other: Result, names: Sequence[str]) -> Result:
    for name, (ours, theirs) in _differences(_fields(first), _fields(other)).items():
        remedy = "against the same key" if name in (KEY, OWN_KEY) else f"with the same {name}"
        verb = "are" if name in (*DATA, OWN_KEY) else "is"
        raise ProtocolError(
            f"{first.system} and {other.system} cannot be compared: {name} {verb} {ours} and {theirs}; "
            f"score both {remedy}"
        )
    if len(set(first.units)) < len(first.units):
        raise ProtocolError(f"{first.system}: several units have one name, so they cannot be paired")
    missing = set(first.units) ^ set(other.units)
    if missing:
        raise ProtocolError(
            f"{first.system} and {other.system} cannot be compared: only one has {min(missing)}; score both "
            "against the same key"
        )
    rows = {unit: row for row, unit in enumerate(other.units)}
    order = [rows[unit] for unit in first.units]
    return replace(
        other,
        units=first.units,
        counts={name: other.counts[name][order] for name in names},
        lengths=[other.lengths[row] for row in order] if other.lengths else (),
    )


def _fields(result: Result) -> dict[str, str]:
    """Every choice of the protocol, unsaid ones too; the version; the trees and groups that were used."""
    choices = {field.name: str(getattr(result.protocol, field.name)) for field in fields(result.protocol)}
    data = {name: getattr(result, name) or "none" for name in DATA}
    return choices | data | {"version": result.version} | _named_key(result.key)


def _named_key(key: str) -> dict[str, str]:
    """The key, if it is known. One of bare clusters has another name than the same key with its text."""
    if not key:
        return {}
    return {OWN_KEY if key.startswith(OF_CLUSTERS) else KEY: key}


def _differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    common = [name for name in ours if name in theirs]
    return {name: (ours[name], theirs[name]) for name in common if ours[name] != theirs[name]}


def _check_denominators(first: Result, other: Result) -> None:
    """What recall is divided by comes from the key alone: where it differs, so do the keys."""
    for name in first.counts.keys() & METRICS.keys():
        columns = [
            i for i, column in enumerate(METRICS[name].columns) if column.endswith("recall_denominator")
        ]
        differ = (first.counts[name] != other.counts[name])[:, columns].any(axis=1)
        if differ.any():
            raise ProtocolError(
                f"{first.system} and {other.system} cannot be compared: their keys differ in "
                f"{first.units[int(np.argmax(differ))]}; score both against the same key"
            )
