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
from referee.model import Cluster, Document, Mention
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


def test_a_person_who_knows_the_key_decides_all_in_a_few_rounds(
    key: list[Document], annotators: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "cases.csv"
    made = referee.curate(*annotators)
    before, first = referee.score(key, made.merged, protocol="conll").conll, len(made.cases)
    for _ in range(3):
        made.write_cases(path)
        _fill_in(path, key)
        made = referee.curate(*annotators, decided=path)
        if not made.cases:
            break
    assert not made.cases
    assert first > 100
    after = referee.score(key, made.merged, protocol="conll")
    assert after.conll > max(before + 0.02, 0.95)  # what two of three missed is no question
    assert after.mentions.precision == 1
    made.write_cases(path)
    assert clusters(referee.curate(*annotators, decided=path).merged) == clusters(made.merged)


def _fill_in(path: Path, key: list[Document]) -> None:
    """Decide each case as the key has it, the parts of entities by what most of their mentions are."""
    homes = {d.id: {m.spans: c.id for c in d.clusters for m in c.mentions} for d in key}
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        parts = [[tuple(map(tuple, spans)) for spans in part] for part in json.loads(row["mentions"])]
        assert len(parts) <= 40
        known = [[homes[row["document"]].get(spans) for spans in part] for part in parts]
        groups: dict[str, list[str]] = {}
        for number, (letter, some) in enumerate(zip(letters(), known, strict=False)):
            home = max(some, key=some.count)
            groups.setdefault(home or f"none {number}", []).append(letter)
        by_group = " | ".join(" ".join(each) for each in groups.values())
        row["decision"] = (
            row["decision"]
            or {
                "mention": "yes" if known[0][0] else "no",
                "words": next(
                    (letter for letter, some in zip(letters(), known, strict=False) if some[0]), "A"
                ),
                "entity": by_group,
            }[row["kind"]]
        )
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize(("delimiter", "start"), [(";", "\ufeff"), ("\t", "")])
def test_tables_of_any_spreadsheet_are_read(delimiter: str, start: str, tmp_path: Path) -> None:
    words = ["Ann", "said", "she", "slept"]
    one, two = (
        Document.of("d", words, [(0, 4)], [Cluster("1", (Mention.at(0, 1), *more))])
        for more in ((Mention.at(2, 3),), ())
    )
    made = referee.curate(one, two, names=["one", "two"])
    made.write_cases(tmp_path / "cases.csv")
    with (tmp_path / "cases.csv").open(encoding="utf-8") as file:
        rows = [*csv.reader(file)]
    rows[1][rows[0].index("decision")] = "YES"
    with (tmp_path / "saved.csv").open("w", encoding="utf-8", newline="") as file:
        file.write(start)
        csv.writer(file, delimiter=delimiter).writerows(rows)
    again = referee.curate(one, two, names=["one", "two"], decided=tmp_path / "saved.csv")
    assert again.merged[0].clusters == one.clusters
