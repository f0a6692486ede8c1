"""Identifies keys: a number for each unit's clusters, and one short name for all of them.

Results are only comparable if they were scored against the same key. The number depends on which mentions
are together, and not on the order or the names of clusters, so the same key in another format has the same.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from hashlib import blake2b
from numbers import Integral

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray, distinct
from referee.encoding import encoded
from referee.model import Chains

HashArray = npt.NDArray[np.uint64]
NAME_LENGTH = 6  # bytes of a key's name: enough to distinguish all keys
LONGEST, LONGEST_NUMBER = 40, 20  # characters of a name that is sorted with others in one array; of 2⁶⁴
OF_CLUSTERS = "clusters-"  # begins a key's name that was made of bare clusters, without texts


def fingerprints(key: Chains, unit_of_document: IntArray | None = None) -> HashArray:
    """Hash each unit's clusters into 64 bits. Sums wrap around, and mixing keeps them from cancelling.

    A unit is a document, or what `unit_of_document` says; then clusters that span documents are joined in it.
    """
    documents = np.arange(key.lengths.size)
    unit = documents if unit_of_document is None else unit_of_document
    position = _mix(documents - np.searchsorted(unit, unit))  # a document's position in its unit
    mention = _mix(_mix(position[key.document] + key.start.astype(np.uint64)) + key.end.astype(np.uint64))
    for row, spans in key.parts.by_row().items():
        whole = int.from_bytes(blake2b(encoded(repr(spans)), digest_size=8).digest(), "little")
        mention[row] = position[key.document[row]] ^ np.uint64(whole)
    cluster, cluster_unit = key.cluster, unit[key.cluster_document]
    if unit_of_document is not None and key.entity is not None:
        joined, first = distinct(cluster_unit, key.entity)
        cluster, cluster_unit = joined[cluster], cluster_unit[first]
    units = int(unit.max(initial=-1)) + 1
    sums = _sum(cluster_unit, _mix(_sum(cluster, mention, cluster_unit.size)), units)
    return _mix(sums + _sum(unit, _mix(position + key.lengths.astype(np.uint64)), units))


def name_of_key(units: Sequence[str], prints: Sequence[int] | HashArray) -> str:
    """Name a key by its units, in any order."""
    whole = blake2b(digest_size=NAME_LENGTH)
    end = b""
    for line in _sorted_lines(units, prints):
        whole.update(end + line)
        end = b"\n"
    return whole.hexdigest()


def _sorted_lines(units: Sequence[str], prints: Sequence[int] | HashArray) -> Iterable[bytes]:
    """Put units and their numbers into lines, in order; the usual names in an array, since many are many."""
    lines = (f"{unit}\t{number}" for unit, number in zip(units, prints, strict=True))
    longest = max(map(len, units), default=0)
    if longest <= LONGEST and all(map(str.isascii, units)):
        column = np.fromiter(map(encoded, lines), f"S{longest + 1 + LONGEST_NUMBER}", len(units))
        column.sort()
        return map(bytes, column)
    return map(encoded, sorted(lines))


def short_hash(chunks: Iterable[bytes]) -> str:
    """Name data (trees, groups) that a score was made with; where one chunk ends and the next begins counts.

    >>> short_hash([b"(S", b"(NP he))"]) == short_hash([b"(S(NP he))"])
    False
    """
    whole = blake2b(digest_size=NAME_LENGTH)
    for chunk in chunks:
        whole.update(len(chunk).to_bytes(8, "little") + chunk)
    return whole.hexdigest()


def print_of_clusters(clusters: Iterable[Collection[Hashable]]) -> int | None:
    """Sum up one unit's bare clusters in 64 bits, in any order; None if a mention has no stable name.

    >>> print_of_clusters([["a", "b"], ["c"]]) == print_of_clusters([["c"], ["b", "a"]])
    True
    """
    try:
        lines = sorted("\n".join(sorted(map(_lasting_name, cluster))) for cluster in clusters if cluster)
    except TypeError:
        return None
    whole = "\n\n".join(lines).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(whole, digest_size=8).digest(), "little")


def _lasting_name(mention: Hashable) -> str:
    """Write a mention in a form that is the same in every process, and the same for equal mentions."""
    if type(mention) is tuple and {*map(type, mention)} == {int}:  # the usual case, quickly
        return repr(mention)
    return repr(_plain_form(mention))


def _plain_form(mention: Hashable) -> Hashable:
    """Reduce to strings, numbers and tuples; other objects may be written otherwise in every process."""
    if mention is None or isinstance(mention, str | bytes):
        return mention
    if isinstance(mention, Integral) or (isinstance(mention, float) and mention.is_integer()):
        return int(mention)
    if isinstance(mention, float):
        return float(mention)
    if isinstance(mention, tuple):
        return tuple(map(_plain_form, mention))
    if isinstance(mention, frozenset):
        return (frozenset.__name__, *sorted(map(_lasting_name, mention)))
    raise TypeError(f"{type(mention).__name__} has no stable name")


def _sum(groups: IntArray, values: HashArray, size: int) -> HashArray:
    sums = np.zeros(size, np.uint64)
    np.add.at(sums, groups, values)
    return sums


def _mix(values: IntArray | HashArray) -> HashArray:
    """Mix the bits of each number over all 64 (the finaliser of SplitMix64: Steele et al. 2014)."""
    mixed = values.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
