"""doccano: lines of entities and relations, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee import Cluster, FormatError, Mention, read, write
from referee.model import cut_text
from tool_specimens import DOCCANO, DOCCANO_FIELDS, put


def test_several_lines(tmp_path: Path) -> None:
    corpus = read(put(tmp_path, "a.jsonl", DOCCANO + "\n" + DOCCANO.replace('"id": "story", ', "")))
    assert corpus.ids == ["story", "a#2"]
    assert corpus.location(1) == f"{tmp_path}/a.jsonl:3"
    (notice,) = corpus.notices
    assert notice.endswith(
        "a.jsonl:1: the relation 'knows' does not mean coreference: kept but not read: lines 1, 3"
    )
    write(corpus, tmp_path / "b.doccano.jsonl")
    assert (tmp_path / "b.doccano.jsonl").read_text(encoding="utf-8") == (tmp_path / "a.jsonl").read_text(
        encoding="utf-8"
    ).replace("\n\n", "\n")


def test_what_is_written_is_recognised_before_a_long_text(tmp_path: Path) -> None:
    text = "Ann and Bo. " * 10_000
    clusters = [
        Cluster("1", (Mention(((0, 3),), type="P"), Mention.at(12, 15))),
        Cluster("2", (Mention.at(8, 10),)),
    ]
    write([cut_text("x", text, clusters), cut_text("y", "Ann", clusters[:0])], tmp_path / "b.doccano.jsonl")
    fields = json.loads((tmp_path / "b.doccano.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert fields["entities"][0] == {"id": 1, "label": "P", "start_offset": 0, "end_offset": 3}
    assert fields["relations"] == [{"id": 3, "from_id": 2, "to_id": 1, "type": "Coreference"}]
    corpus = read(tmp_path / "b.doccano.jsonl")
    assert corpus.ids == ["x", "y"]
    assert [len(cluster.mentions) for cluster in corpus.document(0).clusters] == [2, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"text": 3}, "has no text that is a string; fields: id, text"),
        ({"entities": {"id": 3}}, "entities must be a list of objects"),
        ({"entities": [3]}, "entities must be a list of objects"),
        ({"entities": [{"id": 10, "label": "A", "start_offset": 0}]}, "must be whole numbers"),
        (
            {"entities": [{"id": 10, "label": "A", "start_offset": 0, "end_offset": 3.0}]},
            "must be whole numbers",
        ),
        (
            {"entities": [{"id": 10, "label": "A", "start_offset": 0, "end_offset": 3}] * 2},
            "entity 10 occurs twice",
        ),
        (
            {"entities": [{"id": 10, "label": 3, "start_offset": 0, "end_offset": 3}]},
            "its label is not a string",
        ),
        (
            {"entities": [{"id": 10, "label": "A", "start_offset": -3, "end_offset": 3}], "relations": []},
            "the span -3-3 is empty, or",
        ),
        (
            {"relations": [{"from_id": 10, "to_id": 99, "type": "coref"}]},
            "names the mark 99, which does not exist",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.jsonl:2: .*{message}"):
        read(put(tmp_path, "a.jsonl", DOCCANO + json.dumps(DOCCANO_FIELDS | changes)))


def test_a_line_that_breaks_off(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.jsonl:2: not a JSON object on one line"):
        read(put(tmp_path, "a.jsonl", DOCCANO + DOCCANO[:90]))
