"""Tells keys apart: a number for each document's clusters, and one short name for all of them.

Results are only comparable if they were scored against the same key. The number depends on which mentions
are together, and not on the order or the names of clusters, so the same key in another format has the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from referee.model import Chains, IntArray

HashArray = npt.NDArray[np.uint64]
NAME_LENGTH = 6  # bytes of a key's name: enough to tell all the keys of the world apart


def fingerprints(key: Chains) -> HashArray:
    """Sum up each document's clusters in 64 bits. Sums wrap around, and mixing keeps them from cancelling."""
    mention = _mix(_mix(key.start) + key.end.astype(np.uint64))
    for row, spans in key.parts.items():
        mention[row] = int.from_bytes(blake2b(repr(spans).encode(), digest_size=8).digest(), "little")
    cluster = _sum(key.cluster, mention, key.cluster_document.size)
    document = _sum(key.cluster_document, _mix(cluster), key.lengths.size)
    return _mix(document + _mix(key.lengths))


def name_of_key(documents: Sequence[str], prints: Sequence[int]) -> str:
    """Name a key by its documents, in whatever order."""
    lines = sorted(f"{document}\t{number}" for document, number in zip(documents, prints, strict=True))
    return blake2b("\n".join(lines).encode("utf-8", "surrogateescape"), digest_size=NAME_LENGTH).hexdigest()


def _sum(groups: IntArray, values: HashArray, size: int) -> HashArray:
    sums = np.zeros(size, np.uint64)
    np.add.at(sums, groups, values)
    return sums


def _mix(values: IntArray | HashArray) -> HashArray:
    """Scatter the bits of each number over all 64 (the finaliser of SplitMix64: Steele et al. 2014)."""
    mixed = values.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
