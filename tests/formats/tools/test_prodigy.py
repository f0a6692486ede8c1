"""Prodigy: spans, relations between spans or tokens, answers, and what is wrong with a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee import Cluster, Document, FormatError, Mention, read, write
from referee.model import cut_text
from tool_specimens import PRODIGY, PRODIGY_FIELDS, STORY, put, span


def one(folder: Path, **changes: Any) -> Document:
    (document,) = read(put(folder, "a.jsonl", json.dumps(PRODIGY_FIELDS | changes)))
    return document


def spelled(document: Document) -> list[list[str]]:
    return [[document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters]


def test_answers(tmp_path: Path) -> None:
    rejected = json.dumps(PRODIGY_FIELDS | {"answer": "reject"})
    corpus = read(put(tmp_path, "a.jsonl", f"{PRODIGY}{rejected}\n{PRODIGY.replace('meta', 'data')}"))
    assert corpus.ids == ["story", "a#3"]
    where = f"{tmp_path}/a.jsonl"
    assert (
        corpus.notices
        == corpus.about
        == [
            f"{where}:1: the relation 'KNOWS' does not mean coreference: kept but not read: lines 1, 3",
            f"{where}:2: tasks that were rejected or ignored are skipped",
        ]
    )


def test_relations_between_tokens(tmp_path: Path) -> None:
    tokens = [
        {"text": STORY[start:end], "start": start, "end": end, "id": number}
        for number, (start, end) in enumerate([(0, 3), (11, 14), (45, 48)])
    ]
    relations = [
        {"head": 0, "child": 1, "label": "COREF"},
        {"head": 0, "child": 2, "head_span": {"start": 0, "end": 3}, "label": "ident"},
        {"head": 2, "child": 1, "label": "LOVES"},
    ]
    document = one(tmp_path, tokens=tokens, spans=None, relations=relations)
    assert spelled(document) == [["Ann", "her", "Ann"]]
    assert spelled(one(tmp_path, tokens=tokens, spans=[], relations=relations[2:])) == []


def test_one_span_in_two_clusters_stays_in_two(tmp_path: Path) -> None:
    both = [Mention.at(0, 3), Mention.at(4, 6)]
    clusters = [Cluster("1", (*both, Mention.at(7, 8))), Cluster("2", (both[0], Mention.at(9, 10)))]
    write([cut_text("x", "Ann is a b", clusters)], tmp_path / "b.prodigy.jsonl")
    fields = json.loads((tmp_path / "b.prodigy.jsonl").read_text(encoding="utf-8"))
    assert fields["spans"][1] == {"start": 4, "end": 6, "token_start": 1, "token_end": 1, "label": "Mention"}
    assert fields["relations"][0]["head_span"] == fields["spans"][0]
    assert (fields["relations"][0]["child"], fields["relations"][0]["head"]) == (1, 0)
    assert fields["tokens"][0] == {"text": "Ann", "start": 0, "end": 3, "id": 0, "ws": True}
    assert fields["tokens"][3]["ws"] is False
    (document,) = read(tmp_path / "b.prodigy.jsonl")
    assert spelled(document) == [["Ann", "is", "a"], ["Ann", "b"]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": None}, "has no text that is a string"),
        ({"spans": [{"start": 0}]}, "start and end must be whole numbers"),
        ({"spans": [span((0, 3)) | {"label": 3}]}, "the label of a span must be a string"),
        ({"spans": [{"start": 0, "end": 99}]}, "the span 0-99 is empty, or not inside"),
        (
            {"relations": [{"head": 0, "child": 9, "label": "COREF"}]},
            "neither a child_span nor a child that is",
        ),
        ({"relations": [{"head": True, "child": 0, "label": "COREF"}]}, "neither a head_span nor a head"),
        ({"relations": 3}, "relations must be a list of objects"),
        ({"tokens": [{}], "relations": [{"head": 0, "child": 0}]}, "start and end must be whole numbers"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.jsonl:2: .*{message}"):
        read(put(tmp_path, "a.jsonl", PRODIGY + json.dumps(PRODIGY_FIELDS | changes)))
