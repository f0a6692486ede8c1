"""Pairs that are read get the reader's odds, on average over rows; all others stay as they are."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import numpy as np
import pytest

from referee.arrays import IntArray
from referee.resolvers.across import second_look
from referee.resolvers.across.constants import READING
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.reader import ReadRow
from referee.resolvers.across.second_look import ReadMentions, SecondLook

# Four passages of two documents, six pieces each with their marks; two mentions in each, a ninth in none.
DOCUMENT = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1])
KIND = np.array([0, 1, 0, 0, 0, 1, 0, 0, 0])
PLACES = np.array(
    [[0, 4, 0, 1], [0, 4, 2, 2], [4, 8, 0, 0], [4, 8, 1, 3], [0, 4, 0, 0], [0, 4, 1, 1], [4, 8, 0, 0],
     [4, 8, 3, 3], [-1, -1, -1, -1]]
)  # fmt: skip


class Told:
    """Reads nothing: a vector has the size of its row and two pieces; odds are made of both, and features."""

    def __init__(self) -> None:
        self.rows: list[ReadRow] = []
        self.pairs = self

    def states(self, row: ReadRow, first: IntArray, last: IntArray) -> Any:
        self.rows.append(row)
        return row.lower, first, last

    def vectors(self, states: Any, first: IntArray, last: IntArray) -> Any:
        return np.stack([states[first, 0], states[last, 0]], 1) + 100 * len(states)

    def odds(self, vectors: Any, kind: IntArray, features: Any, pairs: RowPairs) -> Any:
        return vectors[pairs.first, 0] + vectors[pairs.second, 1] / 1000 + features


class Stored:
    """A piece's lower state says its document and where it is."""

    def of(self, document: int, begin: int, end: int) -> Any:
        places = np.r_[-1, begin:end, -1]
        return np.stack([10 * document + places], 1).astype(np.float16)


def look(most: int = 512, workers: int = 1, reader: Told | None = None) -> SecondLook:
    def features(pairs: RowPairs) -> Any:
        return (pairs.first * 0.25 + pairs.second * 0.5).astype(np.float32)

    settings = {**READING, "most": most}
    mentions = ReadMentions(DOCUMENT, KIND, PLACES)
    return SecondLook(
        cast("Any", reader or Told()), cast("Any", Stored()), settings, mentions, features, workers
    )


def same_kind() -> RowPairs:
    pairs = all_pairs(9)
    same = KIND[pairs.first] == KIND[pairs.second]
    return RowPairs(pairs.first[same], pairs.second[same])


def test_passages_are_told_apart_by_document_and_piece() -> None:
    mentions = ReadMentions(DOCUMENT, KIND, PLACES)
    assert mentions.passages.tolist() == [[0, 0, 4], [0, 4, 8], [1, 0, 4], [1, 4, 8]]
    assert mentions.number.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, -1]
    assert mentions.lengths.tolist() == [6, 6, 6, 6]
    rows, spans = mentions.spans([2, 0])
    assert rows.tolist() == [0, 1, 4, 5]
    assert spans.tolist() == [[0, 7, 8], [1, 9, 9], [0, 1, 1], [1, 2, 2]]


def test_only_what_was_read_is_replaced() -> None:
    pairs, reader = same_kind(), Told()
    odds = np.linspace(-2, 2, pairs.size)
    result = look(reader=reader).look(pairs, odds)
    assert [len(row.marks) for row in reader.rows] == [24]
    for first, second, before, after in zip(*pairs, odds, result, strict=True):
        if second == 8:
            assert after == before
        else:
            pieces = [
                10 * DOCUMENT[row] + PLACES[row, 0] + PLACES[row, at] for row, at in ((first, 2), (second, 3))
            ]
            wanted = 2400 + pieces[0] + (2400 + pieces[1]) / 1000 + first * 0.25 + second * 0.5
            assert after == pytest.approx(wanted, abs=1e-2)


def test_all_mentions_of_a_passage_are_marked_and_only_pairs_that_are_asked_for_change() -> None:
    reader = Told()
    result = look(reader=reader).look(RowPairs(np.array([0]), np.array([4])), np.array([1.0]))
    assert result[0] > 1000
    assert [row.marks.tolist() for row in reader.rows] == [[0, 1, 1, 2, 0, 0, 0, 1, 2, 0, 0, 0]]
    assert reader.rows[0].passages.tolist() == [0] * 6 + [1] * 6


def test_a_pair_within_a_passage_is_read_alone_if_nothing_else_is_wanted() -> None:
    reader = Told()
    look(reader=reader).look(RowPairs(np.array([2, 7]), np.array([3, 8])), np.zeros(2))
    assert [len(row.marks) for row in reader.rows] == [6]


def test_odds_of_several_rows_are_averaged() -> None:
    """Three passages, of which only two fit into a row: each is read twice, its own pairs too."""
    rows = np.array([2, 2, 2, 3, 3, 4])
    others = np.array([3, 4, 6, 4, 6, 6])
    reader = Told()
    result = look(12, reader=reader).look(RowPairs(rows, others), np.full(6, 0.5))
    assert [len(row.marks) for row in reader.rows] == [12, 12, 12]
    assert result[0] == pytest.approx(1200 + 4 + (1200 + 7) / 1000 + 2 * 0.25 + 3 * 0.5, abs=1e-2)
    assert (result > 1000).all()


def test_any_number_of_threads_gives_the_same_bits() -> None:
    pairs = same_kind()
    odds = np.random.default_rng(1).normal(size=pairs.size)
    one, two = (look(12, workers).look(pairs, odds) for workers in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_passages_of_many_mentions_are_read_with_fewer_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight mentions are in passages: what counts as many is more than so many of those that are paired."""
    pairs = same_kind()
    odds = np.random.default_rng(1).normal(size=pairs.size)

    def rows(many: int, near: int, few: int = 0) -> int:
        monkeypatch.setattr(second_look, "MANY", many)
        monkeypatch.setattr(second_look, "NEAR_OF_MANY", near)
        monkeypatch.setattr(second_look, "FEW_PAIRS", few)
        reader = Told()
        look(12, reader=reader).look(pairs, odds)
        return len(reader.rows)

    assert rows(9, 1) == 6  # all pairs of four passages
    assert rows(8, 1) < rows(8, 2) <= 6
    assert rows(8, 1, few=pairs.size // 9 - 1) < 6
    assert rows(8, 1, few=-(-pairs.size // 9)) == 6  # of nine mentions no more are asked for: all are read
    assert rows(8, 99) == 6


@pytest.mark.parametrize(("at_once", "calls"), [(64, [16]), (1, [2, 3, 3, 3, 3, 6])])
def test_pairs_of_several_rows_are_described_at_once_and_each_of_them_once(
    at_once: int, calls: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_look, "DESCRIBED_AT_ONCE", at_once)
    asked, pairs = list[RowPairs](), same_kind()
    own = look(12)

    def features(some: RowPairs) -> Any:
        asked.append(some)
        return own.features(some)

    odds = np.linspace(-1, 1, pairs.size)
    changed = dataclasses.replace(own, features=features).look(pairs, odds)
    assert changed.tobytes() == own.look(pairs, odds).tobytes()
    assert sorted(some.size for some in asked) == calls
    assert all(np.unique(some.first * 9 + some.second).size == some.size for some in asked)


def test_without_pairs_nothing_is_read() -> None:
    none, reader = np.zeros(0, np.int64), Told()
    assert look(reader=reader).look(RowPairs(none, none), np.zeros(0)).size == 0
    assert reader.rows == []
