"""Metrics that look at mentions: against plain code, and what holds of them."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from referee import Scorer
from referee.exceptions import ProtocolError
from referee.metrics.mention_metrics import MENTION_METRICS, mention_overlap, rows_of_words, zeros

Words = tuple[int, ...]
mentions = st.frozensets(st.integers(0, 9), min_size=1, max_size=4).map(lambda words: tuple(sorted(words)))
partitions = st.lists(mentions, unique=True, max_size=9).flatmap(
    lambda some: st.lists(st.integers(0, 3), min_size=len(some), max_size=len(some)).map(
        lambda labels: [
            [mention for mention, label in zip(some, labels, strict=True) if label == own]
            for own in sorted(set(labels))
        ]
    )
)
zero_words = st.frozensets(st.integers(0, 9))


@given(partitions, partitions)
def test_overlap_is_that_of_the_best_pairing(key: list[list[Words]], response: list[list[Words]]) -> None:
    ours, theirs = list(chain(*key)), list(chain(*response))
    common = np.array([[len({*k} & {*r}) for r in theirs] for k in ours])
    best = common[linear_sum_assignment(-common)].sum() if common.size else 0
    counted = mention_overlap(*rows_of_words(key, response), 1)[0]
    assert counted.tolist() == [best, sum(map(len, ours)), best, sum(map(len, theirs))]


@given(partitions, zero_words)
def test_a_perfect_response_has_every_zero(key: list[list[Words]], unwritten: frozenset[int]) -> None:
    anaphors = sum(len(m) == 1 and m[0] in unwritten for own in key for m in sorted(own)[1:])
    assert zeros(*rows_of_words(key, key, unwritten), 1)[0].tolist() == [anaphors] * 4


@given(partitions, partitions, zero_words)
def test_zeros_are_those_of_plain_code(
    key: list[list[Words]], response: list[list[Words]], unwritten: frozenset[int]
) -> None:
    owner = {mention: number for number, own in enumerate(response) for mention in own}
    firsts = {min(own) for own in response}
    right = astray = missed = 0
    partners = set()
    for own in map(sorted, key):
        for index, mention in enumerate(own):
            if not index or len(mention) > 1 or mention[0] not in unwritten:
                continue
            partners.add(mention)
            before = {owner[other] for other in own[:index] if other in owner}
            if mention not in owner or mention in firsts:
                missed += 1
            elif owner[mention] in before:
                right += 1
            else:
                astray += 1
    spurious = sum(
        len(m) == 1 and m[0] in unwritten and m not in firsts | partners for own in response for m in own
    )
    counted = zeros(*rows_of_words(key, response, unwritten), 1)[0].tolist()
    assert counted == [right, right + missed + astray, right, right + spurious + astray]


@pytest.mark.parametrize("metric", MENTION_METRICS)
def test_bare_clusters_have_no_words_to_look_at(metric: str) -> None:
    scorer = Scorer(metric=[metric])
    scorer.update([["a", "b"]], [["a"]])
    with pytest.raises(ProtocolError, match="needs documents: bare clusters have no words"):
        scorer.compute()
