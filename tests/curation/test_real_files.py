"""Real texts with annotators made up from their key: each misses mentions, and confuses entities."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import referee
from corpora import corpus
from referee.curation.cases import letters
from referee.model import Document, Mention
from systems import spoiled

TEXTS = 6


@pytest.fixture(scope="module")
def key() -> list[Document]:
    read = referee.read(corpus("gum") / "dev")
    return [replace(read[number], relations=()) for number in range(TEXTS)]


@pytest.fixture(scope="module")
def annotators(key: list[Document], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("annotators")
    paths = [folder / f"{name}.conllu" for name in ("ann", "bob", "cy")]
    for seed, path in enumerate(paths):
        referee.write(spoiled(key, 0.1, seed), path)
    return paths


def clusters(documents: Iterable[Document]) -> list[set[frozenset[Mention]]]:
    return [{frozenset(c.mentions) for c in document.clusters} for document in documents]


def test_the_majority_is_nearer_to_the_key_than_each_annotator(
    key: list[Document], annotators: list[Path]
) -> None:
    made = referee.curate(*annotators)
    alone = [referee.score(key, path, protocol="conll").conll for path in annotators]
    assert referee.score(key, made.merged, protocol="conll").conll > max(alone) + 0.05
    assert made.cases


def test_alpha_is_that_of_agree(annotators: list[Path]) -> None:
    made, agreed = referee.curate(*annotators), referee.agree(*annotators)
    assert made.agreement is not None
    assert made.agreement.alpha == agreed.alpha
    assert made.agreement.pairs == agreed.pairs
    assert 0 < agreed.alpha < 1


def test_copies_are_merged_to_what_each_says(key: list[Document], tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.conllu" for name in ("ann", "bob")]
    for path in paths:
        referee.write(key, path)
    made = referee.curate(*paths)
    assert not made.cases
    assert made.agreement is not None
    assert made.agreement.alpha == 1
    assert clusters(made.merged) == clusters(key)
    referee.write(made.merged, tmp_path / "merged.conllu")
    assert (tmp_path / "merged.conllu").read_bytes() == paths[0].read_bytes()


def test_a_case_file_that_is_filled_in_leaves_nothing(annotators: list[Path], tmp_path: Path) -> None:
    made = referee.curate(*annotators)
    made.write_cases(tmp_path / "cases.csv")
    with (tmp_path / "cases.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(made.cases)
    for row in rows:
        answers = [row[name] for name in ("ann", "bob", "cy") if row[name] and "(" not in row[name]]
        together = " ".join(letter for letter, _ in zip(letters(), json.loads(row["mentions"]), strict=False))
        row["decision"] = answers[0] if answers else together
    with (tmp_path / "cases.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    again = referee.curate(*annotators, decided=tmp_path / "cases.csv")
    assert not again.cases
    assert len(again.decisions) == len(rows)
    again.write_cases(tmp_path / "rest.csv")
    third = referee.curate(*annotators, decided=tmp_path / "rest.csv")
    assert clusters(third.merged) == clusters(again.merged)
