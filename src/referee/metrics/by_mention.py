"""What each mention adds to a metric, so that a metric can be summed over any kind of mention or entity.

A mention that key and response share is in a cluster of each side. Of `own` mentions in the one on its side
and `other` in the one on the other side, `n` are in both. From these numbers follows what the mention adds to
the numerator; any mention adds to the denominator by `own` alone. Recall sums over the mentions of the key,
precision over those of the response; over all mentions, the sum is the metric. No mention is repeated.

CEAF pairs whole clusters, BLANC also counts links between clusters, and MUC counts links of trees: none of
these links or pairs belongs to a mention, so these metrics are not here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referee.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Credit:
    """What a mention that is found adds to the numerator, and what any mention adds to the denominator."""

    found: Callable[[IntArray, IntArray, IntArray], FloatArray]  # n, own, other
    possible: Callable[[IntArray], FloatArray]  # own


def _one(n: IntArray, own: IntArray, other: IntArray) -> FloatArray:
    """Count the mention itself."""
    del own, other
    return np.ones(n.size)


def _cluster_share(n: IntArray, own: IntArray, other: IntArray) -> FloatArray:
    """Take the share of its cluster that the mention finds (Bagga & Baldwin 1998)."""
    del other
    return n / own


def _link_share(n: IntArray, own: IntArray, other: IntArray) -> FloatArray:
    """Take the share of its links that the mention finds; one that is alone on both sides finds its own.

    So LEA (Moosavi & Strube 2016) is shared out: |K| · C(n, 2) / C(|K|, 2) is n times (n − 1) / (|K| − 1).

    >>> three, one = np.array([3, 1, 1]), np.array([2, 1, 1])
    >>> _link_share(one, three, np.array([2, 1, 4])).tolist()
    [0.5, 1.0, 0.0]
    """
    share: FloatArray = (n - 1) / np.maximum(own - 1, 1)
    share[(own == 1) & (other == 1)] = 1
    return share


def _half_links(n: IntArray, own: IntArray, other: IntArray) -> FloatArray:
    """Count half of each link that the mention is in: the other half belongs to the other mention."""
    del own, other
    return (n - 1) / 2


def _each_one(own: IntArray) -> FloatArray:
    return np.ones(own.size)


CREDITS: dict[str, Credit] = {
    "mentions": Credit(_one, _each_one),
    "links": Credit(_half_links, lambda own: (own - 1) / 2),
    "b_cubed": Credit(_cluster_share, _each_one),
    "lea": Credit(_link_share, _each_one),
}
