"""The reference scorer 8.01's numbers: what it was seen to count, as exact cases.

Files are written out here as they would be scored; counts are recall numerator and denominator, then those
of precision, twice for BLANC (links together, links apart).
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import referee
from corpora import corpus
from exact_scores import counts, fraction

COUNTS = json.loads(
    (Path(__file__).parents[2] / "data" / "reference_counts.json").read_text(encoding="utf-8")
)

# Clusters in the order of first sight; a letter is a mention of one token.
REPEATS: list[tuple[str, list[str], list[str], dict[str, str]]] = [
    ("in one key cluster", ["aab"], ["ab"], {
        "mentions": "2 2 2 2", "muc": "1 2 1 1", "b_cubed": "4/3 3 2 2", "ceaf_m": "3 3 3 2",
        "ceaf_e": "6/5 1 6/5 1", "blanc": "1 2 1 1 0 0 0 0"}),
    ("the key scored against itself", ["aa"], ["aa"], {
        "mentions": "1 1 1 1", "muc": "0 1 0 0", "b_cubed": "1/2 2 1 1", "ceaf_m": "2 2 2 1",
        "ceaf_e": "4/3 1 4/3 1", "blanc": "0 1 0 0 0 0 0 0"}),
    ("in two key clusters", ["ab", "ac"], ["ab", "ac"], {
        "mentions": "3 3 3 3", "muc": "0 2 0 1", "b_cubed": "2 4 5/2 3", "ceaf_m": "3 4 3 3",
        "ceaf_e": "5/3 2 5/3 2", "blanc": "1 2 1 1 2 4 2 2"}),
    ("in two key clusters, the other way round", ["ac", "ab"], ["ab", "c"], {
        "mentions": "3 3 3 3", "muc": "1 2 1 1", "b_cubed": "5/2 4 3 3", "ceaf_m": "3 4 3 3",
        "ceaf_e": "5/3 2 5/3 2", "blanc": "1 2 1 1 2 4 2 2"}),
    ("linked to itself and apart from itself", ["aab", "a"], ["ab"], {
        "mentions": "2 2 2 2", "muc": "0 2 0 1", "b_cubed": "5/3 4 3/2 2", "ceaf_m": "3 4 3 2",
        "ceaf_e": "6/5 2 6/5 1", "blanc": "1 2 1 1 0 2 0 0"}),
    ("one cluster twice", ["ab", "ab"], ["ab", "ab"], {
        "mentions": "2 2 2 2", "muc": "1 2 1 1", "b_cubed": "2 4 2 2", "ceaf_m": "2 4 2 2",
        "ceaf_e": "1 2 1 1", "blanc": "1 1 1 1 0 3 0 0"}),
    ("the first in the response counts", ["ab", "c"], ["ab", "ac"], {
        "mentions": "3 3 3 3", "muc": "1 1 1 1", "b_cubed": "3 3 3 3", "ceaf_m": "3 3 3 3",
        "ceaf_e": "2 2 2 2", "blanc": "1 1 1 1 2 2 2 2"}),
    ("the first in the response counts, even if wrong", ["ab", "c"], ["ac", "ab"], {
        "mentions": "3 3 3 3", "muc": "0 1 0 1", "b_cubed": "2 3 2 3", "ceaf_m": "2 3 2 3",
        "ceaf_e": "4/3 2 4/3 2", "blanc": "0 1 0 1 1 2 1 2"}),
    ("spurious, in one cluster", ["ab"], ["abdd"], {
        "mentions": "2 2 2 3", "muc": "1 1 1 3", "b_cubed": "2 2 1 4", "ceaf_m": "2 2 2 4",
        "ceaf_e": "2/3 1 2/3 1", "blanc": "1 1 1 4 0 0 0 0"}),
    ("spurious, in two clusters", ["ab"], ["abd", "d"], {
        "mentions": "2 2 2 3", "muc": "1 1 1 2", "b_cubed": "2 2 4/3 4", "ceaf_m": "2 2 2 4",
        "ceaf_e": "4/5 1 4/5 2", "blanc": "1 1 1 3 0 0 0 3"}),
    ("spurious, many times: no refusal", ["ab"], ["ab", "d" * 21], {
        "mentions": "2 2 2 3", "muc": "1 1 1 21", "b_cubed": "2 2 2 23", "ceaf_m": "2 2 2 23",
        "ceaf_e": "1 1 1 2", "blanc": "1 1 1 2 0 0 0 2"}),
    ("emptied clusters vanish", ["ab"], ["ab", "a", "b"], {
        "mentions": "2 2 2 2", "muc": "1 1 1 1", "b_cubed": "2 2 2 2", "ceaf_m": "2 2 2 2",
        "ceaf_e": "1 1 1 1", "blanc": "1 1 1 1 0 0 0 0"}),
    ("more than ten: scored, where the reference scorer refuses", ["ab"], ["a" * 12 + "b"], {
        "mentions": "2 2 2 2", "muc": "1 1 1 1", "ceaf_e": "1 1 1 1"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "response", "metric", "expected"),
    [
        pytest.param(key, response, metric, expected, id=f"{name}, {metric}")
        for name, key, response, metrics in REPEATS
        for metric, expected in metrics.items()
    ],
)
def test_repeated_mentions(key: list[str], response: list[str], metric: str, expected: str) -> None:
    assert counts(key, response, metric) == [Fraction(n) for n in expected.split()]


def write(path: Path, *documents: tuple[str, str]) -> str:
    """Write documents given as a name and their coreference cells."""
    lines = []
    for name, cells in documents:
        lines += [f"#begin document {name}", *(f"w\t{cell}" for cell in cells.split()), "#end document"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def score_files(
    tmp_path: Path, key: list[tuple[str, str]], response: list[tuple[str, str]]
) -> referee.Result:
    return referee.score(write(tmp_path / "key.conll", *key), write(tmp_path / "response.conll", *response))


def found(result: referee.Result, metric: str) -> list[Fraction]:
    return [fraction(n) for n in result.scores[metric].counts.values()]


def test_of_documents_with_one_name_the_last_counts(tmp_path: Path) -> None:
    result = score_files(tmp_path, [("d", "(1) (1) -"), ("d", "(1) - (1)")], [("d", "(1) (1) -")])
    assert found(result, "mentions") == [1, 2, 1, 2]
    assert found(result, "b_cubed") == [Fraction(1, 2), 2, Fraction(1, 2), 2]
    assert "more than once" in result.notices[0]


def test_a_missing_document_is_an_empty_one_and_an_extra_one_is_ignored(tmp_path: Path) -> None:
    result = score_files(tmp_path, [("x", "(1) (1)"), ("y", "(1) (1)")], [("y", "(1) (1)"), ("z", "(1) (1)")])
    assert found(result, "mentions") == [2, 4, 2, 2]
    assert found(result, "ceaf_e") == [1, 2, 1, 1]
    assert found(result, "blanc") == [1, 2, 1, 1, 0, 0, 0, 0]
    assert any("missing" in notice for notice in result.notices)
    assert any("ignored" in notice for notice in result.notices)


def test_an_empty_key_document_adds_to_precision_only(tmp_path: Path) -> None:
    result = score_files(tmp_path, [("x", ""), ("y", "(1) (1)")], [("x", "(1) (1)"), ("y", "(1) (1)")])
    assert found(result, "mentions") == [2, 2, 2, 4]
    assert found(result, "muc") == [1, 1, 1, 2]


def test_blanc_is_computed_from_the_sums(tmp_path: Path) -> None:
    """Each document alone would leave out a kind of link that the corpus has."""
    key = [("x", "(1) (1)"), ("y", "(1) (2)")]
    result = score_files(tmp_path, key, [("x", "(1) (1)"), ("y", "(1) (1)")])
    assert found(result, "blanc") == [1, 1, 1, 2, 0, 1, 0, 0]
    assert (result.blanc.recall, result.blanc.precision) == (0.5, 0.25)


def test_single_tokens_come_before_openings_in_a_cell(tmp_path: Path) -> None:
    """Which cluster comes first decides which of two repeats survives."""
    result = score_files(tmp_path, [("d", "(1|(0) 1) (0)")], [("d", "(5|(3) 5) (5)|(3)")])
    assert found(result, "ceaf_m") == [3, 3, 3, 3]


def test_a_closing_and_an_opening_in_one_cell_are_nested(tmp_path: Path) -> None:
    result = score_files(tmp_path, [("d", "(1 1)|(1 1)")], [("d", "(2 (2) 2)")])
    assert found(result, "mentions") == [2, 2, 2, 2]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["response"])
def test_counts_of_the_reference_scorers_own_cases(case: dict[str, str | list[float]]) -> None:
    folder = corpus("conll-scorer-cases")
    result = referee.score(folder / str(case["key"]), folder / str(case["response"]))
    for metric in ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc"):
        expected = [pytest.approx(n, abs=1e-12) for n in case[metric]]
        assert list(result.scores[metric].counts.values()) == expected
