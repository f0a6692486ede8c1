"""Doubts about annotation: what no corpus has is said loudly, and what corpora have is not doubted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from corpora import corpus as folder_of
from referee import formats, stats
from referee.formats.plausibility import implausible
from referee.model import Cluster, Document, DocumentCorpus, Mention

REAL = (
    "ontogum/dev/conll", "gum/dev", "litbank", "ecbplus/dev", "corefud", "craft/dev.jsonl", "fantasycoref",
    "winobias/type1_pro_dev.jsonl", "gap/gap-validation.tsv", "languages/nb_narc/dev.jsonl",
    "languages/hu_korkor/train.jsonl", "languages/th_hancoref/train.jsonl",
)  # fmt: skip


def corpus(*sizes: Sequence[int], ids: Sequence[str] = (), across: bool = False) -> DocumentCorpus:
    """Make documents of clusters of these sizes; ids name those of each document."""
    made = []
    for number, of_document in enumerate(sizes):
        clusters, start = [], 0
        for size, name in zip(of_document, ids or map(str, range(len(of_document))), strict=False):
            mentions = tuple(Mention.at(at, at + 1) for at in range(start, start + size))
            clusters.append(Cluster(name, mentions))
            start += size
        made.append(Document.of(f"d{number}", ["w"] * max(start, 1), [(0, max(start, 1))], clusters))
    return DocumentCorpus(made, "c", cross_document=across)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (corpus(), "NO DOCUMENT WAS READ"),
        (corpus([], []), "NO MENTION WAS READ (2 documents)"),
        (corpus([1] * 30, [1] * 30), "EVERY MENTION IS ALONE (60 mentions"),
        (corpus([40, 1], [30]), "ONE CLUSTER HAS 99% OF THE MENTIONS"),
        (corpus([20, 5], [20, 6], [20], across=True), "ONE CLUSTER HAS 85% OF THE MENTIONS"),
        (corpus([2, 2], ids=["UNK", "7"]), "THE CLUSTER 'UNK' HAS 2 MENTIONS"),
    ],
)
def test_what_no_corpus_has_is_said(given: DocumentCorpus, said: str) -> None:
    (doubt,) = implausible(given)
    assert doubt.startswith(f"c: {said}")


@pytest.mark.parametrize(
    "given",
    [
        corpus([1] * 49),  # too few to say so
        corpus([1] * 60, [2]),
        corpus([9], [9], [9], [9], [9], [9]),  # short documents of one entity
        corpus([30, 20]),
        corpus([1] * 40, [1] * 40, across=True),  # each entity is in both
        corpus([1, 1], ids=["UNK", "none"]),  # nothing is joined
    ],
)
def test_what_corpora_have_is_not_doubted(given: DocumentCorpus) -> None:
    assert not implausible(given)


def test_an_odd_sample_is_checked_against_all_documents(tmp_path: Path) -> None:
    empty = {"tokens": ["a"], "clusters": []}
    lines = [json.dumps(empty | {"doc_key": str(number)}) for number in range(40)]
    lines[-1] = json.dumps({"doc_key": "last", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]})
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert not implausible(formats.read(path))


def test_a_doubt_is_among_the_notices_of_values(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"tokens": ["a"], "clusters": []}), encoding="utf-8")
    assert any("NO MENTION WAS READ" in notice for notice in stats(path).notices)


@pytest.mark.parametrize("name", REAL)
def test_real_corpora_raise_no_doubt(name: str) -> None:
    whole = formats.read(folder_of(name.split("/")[0]).joinpath(*name.split("/")[1:]))
    assert not implausible(whole)
    for first in range(0, min(len(whole), 50), 10):
        assert not implausible(whole[first : first + 10])
