"""Label Studio: whose annotation counts, where the text is, which units, and what is wrong with a file."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from referee import Cluster, Document, FormatError, Mention, read, write
from referee.model import Corpus, cut_text
from tool_specimens import ANN, HER, LATER, RESULT, SPELLED, STORY, TASK, put, region, relation


def corpus(folder: Path, *tasks: Any, role: str = "key") -> Corpus:
    return read(put(folder, "a.json", json.dumps(list(tasks), indent=1)), role=role)


def spelled(document: Document) -> list[list[str]]:
    return [[document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters]


def task(*annotations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"data": {"text": STORY}, "annotations": list(annotations), **fields}


def test_names_and_locations(tmp_path: Path) -> None:
    read_in = corpus(tmp_path, TASK, task(id=5), task())
    assert read_in.ids == ["story", "5", "a#3"]
    after = json.dumps([TASK], indent=1).count("\n") + 1  # where the second task begins
    assert [read_in.location(number).rsplit(":", 1)[1] for number in (0, 1)] == ["2", str(after)]
    lines = f"lines {after}, {after + 7}"
    assert read_in.notices == [
        f"{tmp_path}/a.json:{after}: a task without an annotation is read as one without mentions: {lines}",
        f"{tmp_path}/a.json:2: the relation 'knows' does not mean coreference: kept but not read",
    ]
    alone = read(put(tmp_path, "b.json", json.dumps(TASK)))
    assert alone.ids == ["story"]


def test_whose_annotation_counts(tmp_path: Path) -> None:
    first, second = {"result": [region(ANN)]}, {"result": [region(HER)], "ground_truth": True}
    cancelled = {"result": [region(LATER)], "was_cancelled": True}
    guess = {"result": [region(ANN), region(LATER), relation(LATER, ANN)]}
    assert spelled(corpus(tmp_path, task(cancelled, first)).document(0)) == [["Ann"]]
    both = corpus(tmp_path, task(first, second, predictions=[guess]))
    assert spelled(both.document(0)) == [["her"]]
    assert ":2: of a task with several annotations the first is read" in both.notices[0]
    response = corpus(tmp_path, task(first, predictions=[guess]), role="response")
    assert spelled(response.document(0)) == [["Ann", "Ann"]]
    assert spelled(corpus(tmp_path, task(cancelled, predictions=[guess])).document(0)) == [["Ann", "Ann"]]
    write(response, tmp_path / "b.labelstudio.json")  # what was read, for whoever reads it
    assert spelled(read(tmp_path / "b.labelstudio.json").document(0)) == [["Ann", "Ann"]]


def test_the_text_is_found_among_the_data(tmp_path: Path) -> None:
    named = task({"result": RESULT}) | {"data": {"title": "x", "corefText": STORY, "n": 3}}
    assert spelled(corpus(tmp_path, named).document(0)) == SPELLED[:1] + SPELLED[1:]
    alone = task() | {"data": {"body": STORY}}
    assert corpus(tmp_path, alone).document(0).text.running == STORY
    with pytest.raises(
        FormatError, match=r"a\.json:2: data has no text, and it is not clear which of one, two is meant"
    ):
        corpus(tmp_path, task() | {"data": {"one": "x", "two": "y"}})


def test_old_offsets_count_units_of_utf_16(tmp_path: Path) -> None:
    shifted = deepcopy([region(ANN), region(HER), region(LATER)])
    for one in shifted[1:]:
        one["value"]["start"] += 1
        one["value"]["end"] += 1
    read_in = corpus(tmp_path, task({"result": shifted}))
    assert spelled(read_in.document(0)) == [["Ann"], ["her"], ["Ann"]]
    assert read_in.notices == []
    shifted[0]["value"]["text"] = "Amy"
    (notice,) = corpus(tmp_path, task({"result": shifted})).notices
    assert notice.endswith(":2: the text of a region is not at its offsets")


def test_scores_and_several_labels(tmp_path: Path) -> None:
    sure = region(ANN) | {"score": 0.25}
    sure["value"]["labels"] = ["Person", "Name"]
    (document,) = corpus(tmp_path, task({"result": [sure]}))
    (mention,) = document.clusters[0].mentions
    assert (mention.type, mention.score) == ("Person, Name", 0.25)
    scored = cut_text("d", "Ann", [Cluster("1", (Mention(((0, 3),), type="P", score=0.5),))])
    write([scored], tmp_path / "b.labelstudio.json")
    (again,) = read(tmp_path / "b.labelstudio.json")
    assert again.clusters[0].mentions[0].score == 0.5


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "expected a task with data and annotations: 3"),
        ({"annotations": []}, "expected a task with data"),
        (task({"result": 3}), "result must be a list of objects: 3"),
        (task(3), r"annotations must be a list of objects: \[3\]"),  # type: ignore[arg-type]
        (task({"result": [{"type": "labels"}]}), "a region without a value"),
        (
            task({"result": [region(ANN) | {"value": {"start": "/div[1]", "end": 3}}]}),
            "must be whole numbers",
        ),
        (
            task({"result": [region(ANN) | {"value": {"start": 0, "end": 99}}]}),
            "the span 0-99 is empty, or not",
        ),
        (
            task({"result": [region(ANN) | {"value": {"start": 0, "end": 10**30}}]}),
            "the span 0-10+ is empty, or",
        ),
        (
            task({"result": [region(ANN) | {"value": {"start": 0, "end": 3, "labels": 3}}]}),
            "must be a list of str",
        ),
        (task({"result": [relation(ANN, HER)]}), "a relation names the mark a, which does not exist"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.json:4: .*{message}"):
        read(
            put(
                tmp_path,
                "a.json",
                '[\n{"data": {"text": ""}, "annotations": []},\n\n' + json.dumps(value) + "]",
            )
        )


def test_exports_without_relations_are_refused(tmp_path: Path) -> None:
    minimal = {"text": STORY, "id": 1, "label": [], "annotator": 1, "annotation_id": 1}
    with pytest.raises(FormatError, match=r"a\.json:2: Label Studio's JSON-MIN has no relations"):
        corpus(tmp_path, minimal)
