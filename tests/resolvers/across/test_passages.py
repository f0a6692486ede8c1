"""Passages are whole sentences, and their lower states are kept from when their text is read."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from referee.arrays import IntArray
from referee.model import Document, Text
from referee.resolvers.across import passages as passages_module
from referee.resolvers.across.passages import LowerStates, passage_ends
from referee.resolvers.across.second_look import places_in
from referee.resolvers.neural import encoder
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.running import Model
from referee.resolvers.neural.subwords import windows


class Counted(Model):
    """Each word has two pieces, the number of the word twice; states are a window's pieces and its sum."""

    def __init__(self) -> None:
        self.special_tokens = (1, 2, 0)
        self.asked: list[tuple[str, ...]] = []

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        numbers = np.array([int(word) for word in words])
        return np.repeat(numbers, 2), np.arange(2 * numbers.size).reshape(-1, 2)

    def run(self, results: Sequence[str], row: IntArray, kinds: IntArray) -> list[Floats]:
        self.asked.append(tuple(results))
        states = np.stack([row, np.full_like(row, row.sum())], 1).astype(np.float32)
        return [states * (1 if result == "lower" else 10) for result in results]


def text(*sentences: int) -> Text:
    """Sentences of so many words; words are numbered from 10."""
    edges = np.cumsum([0, *sentences]).tolist()
    words = tuple(str(10 + number) for number in range(edges[-1]))
    return Document.of("d", words, tuple(itertools.pairwise(edges)), ()).text


def test_sentences_are_put_together_as_long_as_there_is_room() -> None:
    assert passage_ends([50, 50, 28, 1, 128]).tolist() == [[0, 128], [128, 129], [129, 257]]


def test_a_long_sentence_is_alone_and_too_long_a_one_is_left_out() -> None:
    assert passage_ends([10, 254, 10]).tolist() == [[0, 10], [10, 264], [264, 274]]
    assert passage_ends([10, 255, 10]).tolist() == [[0, 10], [265, 275]]
    assert passage_ends([255]).shape == (0, 2)


def test_a_mention_is_in_the_passage_that_has_all_of_it() -> None:
    passages = np.array([[0, 10], [265, 275]])
    first, last = np.array([0, 9, 9, 20, 265, 274, 264]), np.array([0, 9, 10, 21, 265, 275, 266])
    assert places_in(passages, first, last).tolist() == [
        [0, 10, 0, 0], [0, 10, 9, 9], [-1] * 4, [-1] * 4, [265, 275, 0, 0], [-1] * 4, [-1] * 4,
    ]  # fmt: skip


def test_the_passage_of_a_short_text_is_its_window() -> None:
    model = Counted()
    lower = LowerStates(model, [text(3, 2)])
    states, passages, ends = lower.read(0)
    assert passages.tolist() == [[0, 10]]
    assert ends.tolist()[-1] == [8, 9]
    assert states[:, 0].tolist() == [100, 110, 120, 130, 140]
    kept = lower.of(0, 0, 10)
    assert kept[:, 0].tolist() == [1, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 2]
    assert model.asked == [("states", "lower")]


def shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let windows be of 30 pieces and passages of at most 12."""

    def cut(pieces: IntArray, marks: tuple[int, int, int]) -> object:
        return windows(pieces, marks, 30, 8)

    monkeypatch.setattr(encoder, "windows", cut)
    monkeypatch.setattr(passages_module, "windows", cut)
    monkeypatch.setattr(passages_module, "passage_ends", lambda sizes: passage_ends(sizes, 12, 50))


def test_a_passage_of_a_long_text_has_the_marks_of_its_first_window(monkeypatch: pytest.MonkeyPatch) -> None:
    shortened(monkeypatch)
    own = text(*[6] * 9)
    lower = LowerStates(Counted(), [own])
    _, passages, _ = lower.read(0)
    cut = windows(np.repeat(np.arange(10, 64), 2), (1, 2, 0), 30, 8)
    assert len(cut.rows) > 3
    crossing = 0
    for begin, end in passages.tolist():
        kept = lower.of(0, begin, end)
        assert kept[:, 0].tolist() == [1, *(10 + np.arange(begin, end) // 2).tolist(), 2]
        window = cut.read[begin] // 32
        assert kept[0, 1] == kept[-1, 1] == np.float16(cut.rows[window].sum())
        crossing += int(cut.read[end - 1] // 32 > window)
    assert crossing > 0


def test_passages_are_told_apart_by_text_and_read_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    shortened(monkeypatch)
    lower = LowerStates(model := Counted(), [text(*[6] * 9), text(5, 5, 5)])
    passages = {number: lower.read(number)[1].tolist() for number in (1, 0)}
    count = len(model.asked)
    for number in (0, 1, 0):
        for begin, end in passages[number][::-1]:
            pieces = 10 + np.arange(begin, end) // 2
            assert lower.of(number, begin, end)[1:-1, 0].tolist() == pieces.tolist()
    assert len(model.asked) == count
