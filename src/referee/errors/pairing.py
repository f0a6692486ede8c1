"""Pairs the documents of a key with those of a response, and compares their entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np

from referee.errors.entities import MutualPartition
from referee.exceptions import FormatError, RefereeError
from referee.matching.matcher import Matcher, skipped_notice
from referee.matching.matchings import memberships
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.model import Chains, Corpus
from referee.model.characters import InCharacters
from referee.scoring.evaluate import Repeats, comparable, sort_into_units

PathName = str | PathLike[str]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A key and a response, document by document."""

    key: Corpus  # with the mentions that are asked for
    numbers: Sequence[int]  # its documents, unit by unit
    units: Sequence[str]
    comparison: MutualPartition
    notices: Sequence[str]


def in_one_measure(key: Corpus, responses: Sequence[Corpus]) -> tuple[Corpus, Sequence[Corpus]]:
    """Count everything in characters if some count tokens and others characters."""
    if all(response.offsets == key.offsets for response in responses):
        return key, responses
    return InCharacters(key), [InCharacters(response) for response in responses]


def pair_all(
    key: Corpus,
    responses: Sequence[Corpus],
    protocol: Protocol,
    *,
    parses: PathName | None = None,
    groups: Groups | None = None,
) -> list[Pairing]:
    """Compare each response with the key; all with the same documents of it."""
    if not responses:
        raise RefereeError("no response to analyse")
    pairings = [_pairing(key, response, protocol, parses, groups) for response in responses]
    if any(pairing.numbers != pairings[0].numbers for pairing in pairings):
        raise RefereeError("the responses are paired with different documents of the key; analyse them apart")
    return pairings


def _pairing(
    key: Corpus, response: Corpus, protocol: Protocol, parses: PathName | None, groups: Groups | None
) -> Pairing:
    key, response, found, notices = comparable(key, response, protocol)
    labels, units = sort_into_units(key, found, protocol.scope, groups)
    pairs = [one for unit in units for one in unit]
    numbers = [k for k, _ in pairs]
    matcher = Matcher.of(key, protocol, parses)
    own, rows = matcher.read_key(numbers)
    chains = own, response.chains([r for _, r in pairs])
    differences = _differences(chains, key, numbers, response)
    if differences and (protocol.strict or protocol.match != "exact" or isinstance(key, InCharacters)):
        raise FormatError(f"{differences[0]}; referee validate --key shows the first difference")
    matched = matcher.number(numbers, *chains, rows)
    unit_of_document = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
    across = None if protocol.scope == "document" else unit_of_document
    sides = memberships(*chains, matched.numbers, across)
    comparison = MutualPartition.of(chains, sides, drop_singletons=protocol.singletons == "drop")
    notices += [*differences, *skipped_notice(response.name, matched.skipped)]
    notices += [*Repeats(*comparison.repeats).notices(key.name, response.name)]
    return Pairing(key, numbers, labels, comparison, notices)


def _differences(
    chains: tuple[Chains, Chains], key: Corpus, numbers: Sequence[int], response: Corpus
) -> list[str]:
    lengths = chains[0].lengths, chains[1].lengths
    differ = np.flatnonzero((lengths[0] != lengths[1]) & (lengths[0] >= 0) & (lengths[1] >= 0)).tolist()
    return [
        f"document {key.ids[numbers[i]]}: {lengths[0][i]} {key.offsets} in the key, {lengths[1][i]} in the "
        f"response ({response.name}): positions may not correspond"
        for i in differ
    ]
