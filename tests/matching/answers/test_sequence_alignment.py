"""Sequences are aligned in order, as well as can be where they are short, and quickly where they are long."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from referee.matching.answers import sequence_alignment
from referee.matching.answers.sequence_alignment import equal_items, least_edits, longest_increasing


def longest_common(ours: list[int], theirs: list[int]) -> int:
    """The length of a longest common subsequence, by its definition."""
    row = [0] * (len(theirs) + 1)
    for mine in ours:
        before = row
        row = [0]
        for position, other in enumerate(theirs):
            row.append(before[position] + 1 if mine == other else max(before[position + 1], row[position]))
    return row[-1]


def pairs(ours: list[int], theirs: list[int]) -> list[tuple[int, int]]:
    own, other = equal_items(np.array(ours, np.int64), np.array(theirs, np.int64))
    aligned = list(zip(own.tolist(), other.tolist(), strict=True))
    assert all(ours[i] == theirs[j] for i, j in aligned)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(aligned))
    return aligned


def drawn(chance: random.Random, values: int, length: int) -> list[int]:
    return [chance.randrange(values) for _ in range(chance.randrange(length))]


def test_short_sequences_lose_as_little_as_possible() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        ours, theirs = drawn(chance, 4, 12), drawn(chance, 4, 12)
        runs = least_edits(ours, theirs)
        assert sum(run.length for run in runs) == longest_common(ours, theirs)
        assert len(pairs(ours, theirs)) == longest_common(ours, theirs)
        assert all(ours[s : s + n] == theirs[o : o + n] for s, o, n in runs)


def test_past_the_most_edits_what_was_reached_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence_alignment, "MOST_EDITS", 3)
    assert sum(run.length for run in least_edits("abcdXXXXXXefgh", "abcdYYYYYYefgh")) == 4
    chance = random.Random(2)
    for _ in range(500):
        pairs(drawn(chance, 3, 30), drawn(chance, 3, 30))


@pytest.mark.parametrize("window", [4, 16])
def test_windows_and_anchors_keep_the_order(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence_alignment, "WINDOW", window)
    chance = random.Random(window)
    for _ in range(1000):
        ours = drawn(chance, chance.choice([2, 5, 30]), 60)
        theirs = list(ours)
        for _ in range(chance.randrange(6)):
            start = chance.randrange(len(theirs) + 1)
            theirs[start : start + chance.randrange(5)] = drawn(chance, 30, 5)
        pairs(ours, theirs)


def test_unlike_runs_of_one_number_are_no_anchors(monkeypatch: pytest.MonkeyPatch) -> None:
    def zeros(items: np.typing.NDArray[np.int64], length: int) -> np.typing.NDArray[np.uint64]:
        return np.zeros(min(items.size - length + 1, 1), np.uint64)

    monkeypatch.setattr(sequence_alignment, "_hashes", zeros)
    monkeypatch.setattr(sequence_alignment, "WINDOW", 2)
    chance = random.Random(4)
    for _ in range(200):
        pairs(drawn(chance, 9, 30), drawn(chance, 9, 30))


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("the baker sold it .", "here is the text : the baker sold it .", [5, 6, 7, 8, 9]),
        ("the baker sold it .", "the baker sold it . i hope it helps .", [0, 1, 2, 3, 4]),
        ("a b c a b d", "a b d", [0, 1, 2]),
    ],
)
def test_runs_stay_together(ours: str, theirs: str, expected: list[int]) -> None:
    numbers = {word: number for number, word in enumerate(f"{ours} {theirs}".split())}
    aligned = pairs([numbers[word] for word in ours.split()], [numbers[word] for word in theirs.split()])
    assert [other for _, other in aligned] == expected
    assert ours != "a b c a b d" or [own for own, _ in aligned] == [3, 4, 5]


def test_the_longest_chain_is_chosen() -> None:
    assert longest_increasing([]) == []
    assert longest_increasing([3, 2, 1]) == [2]
    assert longest_increasing([9, 1, 8, 2, 3, 0]) == [1, 3, 4]


def noisy(items: list[int], chance: random.Random, values: int) -> list[int]:
    """Drop, change and add one item in sixty, each."""
    made = []
    for item in items:
        draw, other = chance.random() * 60, chance.randrange(values)
        made += [item] if draw >= 3 else ([], [other], [item, other])[int(draw)]
    return made


@pytest.mark.parametrize(
    ("kind", "values", "least"),
    [("usual", 5000, 0.95), ("few", 20, 0.95), ("one", 1, 0.95), ("repeated", 500, 0.94)],
)
def test_noise_loses_little_and_time_grows_with_length(kind: str, values: int, least: float) -> None:
    chance = random.Random(kind)
    times = []
    for size in (20_000, 80_000):
        ours = [chance.randrange(values) for _ in range(100 if kind == "repeated" else size)]
        ours = (ours * (size // len(ours)))[:size]
        theirs = noisy(ours, chance, values)
        before = perf_counter()
        aligned = pairs(ours, theirs)
        times.append(perf_counter() - before)
        assert len(aligned) >= least * size
    assert times[1] < 60


@pytest.mark.parametrize("kind", ["shuffled", "disjoint", "reversed", "another", "two values"])
def test_hard_cases_do_not_explode(kind: str) -> None:
    chance = random.Random(3)
    ours = [chance.randrange(3000) for _ in range(60_000)]
    theirs = ours[12_000:24_000] + ours[:12_000] + ours[24_000:]
    if kind == "disjoint":
        theirs = [item + 3000 for item in ours]
    elif kind == "reversed":
        ours, theirs = list(range(60_000)), list(range(60_000))[::-1]
    elif kind == "another":
        theirs = [chance.randrange(3000) for _ in range(60_000)]
    elif kind == "two values":
        ours, theirs = ([chance.randrange(2) for _ in range(60_000)] for _ in range(2))
    before = perf_counter()
    aligned = pairs(ours, theirs)
    assert perf_counter() - before < 60
    assert kind != "shuffled" or len(aligned) >= 48_000


def test_a_short_text_is_found_in_a_long_one_of_the_same_words() -> None:
    """No word is rare, but runs of them are: they lead to the place, however far behind it is."""
    short = np.arange(100)
    long = np.concatenate([np.random.default_rng(1).permutation(np.tile(short, 30)), short, [50]])
    ours, theirs = equal_items(short, long)
    assert ours.tolist() == short.tolist()
    assert theirs.tolist() == list(range(3000, 3100))


SEQUENCES = Path(__file__).parents[2] / "data" / "aligned_sequences.jsonl"


@pytest.mark.parametrize("record", [json.loads(line) for line in SEQUENCES.read_text().splitlines()])
def test_of_alignments_that_are_as_good_the_same_is_taken(
    record: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With limits so small that short sequences meet anchors, windows and the most edits."""
    for name, limit in record["limits"].items():
        monkeypatch.setattr(sequence_alignment, name, limit)
    ours, theirs = record["ours"], record["theirs"]
    assert [[*pair] for pair in pairs(ours, theirs)] == record["pairs"]
    assert [[*run] for run in least_edits(ours, theirs)] == record["edits"]
    assert longest_increasing(ours) == record["increasing"]
