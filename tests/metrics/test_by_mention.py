"""What mentions add to a metric: over all of them it is the metric, and it is shared fairly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from referee.arrays import IntArray
from referee.metrics.by_mention import CREDITS
from referee.metrics.contingency import Contingency
from referee.metrics.standard import METRICS
from strategies import Clusters, pairs_of_partitions

MENTIONS = 12


def labels(clusters: Clusters) -> IntArray:
    of_mention = {mention: number for number, cluster in enumerate(clusters) for mention in cluster}
    return np.array([of_mention.get(mention, -1) for mention in range(MENTIONS)], np.int64)


@pytest.mark.parametrize("name", CREDITS)
@given(pair=pairs_of_partitions())
def test_all_mentions_together_are_the_metric(name: str, pair: tuple[Clusters, Clusters]) -> None:
    credit, counts = CREDITS[name], []
    for own, other in (pair, pair[::-1]):
        found = [
            (len({*mine} & {*its}), len(mine), len(its))
            for mine in own for its in other for mention in mine if mention in its
        ]  # fmt: skip
        n, sizes, others = np.array(found, np.int64).reshape(-1, 3).T
        all_sizes = np.array([len(mine) for mine in own for _ in mine], np.int64)
        counts += [credit.found(n, sizes, others).sum(), credit.possible(all_sizes).sum()]
    table = Contingency.from_labels(*map(labels, pair))
    assert counts == pytest.approx(METRICS[name].count(table)[0].tolist())


def test_a_link_is_shared_by_its_two_mentions() -> None:
    """Three of a cluster of four are together on the other side: three of its six links."""
    three = np.array([3, 3, 3])
    assert CREDITS["links"].found(three, three + 1, three).tolist() == [1, 1, 1]
    assert CREDITS["links"].possible(np.array([4] * 4)).tolist() == [1.5] * 4
    assert CREDITS["lea"].found(three, three + 1, three) == pytest.approx([2 / 3] * 3)
