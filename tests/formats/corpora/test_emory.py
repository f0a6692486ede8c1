"""Emory's dialogues: scenes, characters, mentions of several characters or of nobody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee import Corpus, FormatError, read
from referee.model import Relation


def opened(folder: Path, utterances: list[dict[str, Any]], ids: str = "document") -> Corpus:
    scenes = [{"scene_id": f"s01_e01_c0{number}", "utterances": utterances} for number in (1, 2)]
    value = {"season_id": "s01", "episodes": [{"episode_id": "s01_e01", "scenes": scenes}]}
    (folder / "a.json").write_text(json.dumps(value, indent=1))
    return read(folder / "a.json", ids=ids)


def said(tokens: Any, entities: Any, *speakers: str) -> dict[str, Any]:
    return {"speakers": list(speakers), "tokens": tokens, "character_entities": entities, "transcript": ""}


TALK = [
    said([["I", "told", "mom", "."]], [[[0, 1, "Ann"], [2, 3, "Eve"]]], "Ann"),
    said([["You", "know", "."]], [[[0, 1, "#GENERAL#"]]], "Ann"),
    said([["They", "do", "."]], [[[0, 1, "Eve", "Ann"]]], "Bob", "Tom"),
    said([[], ["You", "!"]], [[], [[0, 1, "#GENERAL#"]]]),
]  # fmt: skip


def test_scenes_are_documents_and_characters_clusters(tmp_path: Path) -> None:
    corpus = opened(tmp_path, TALK)
    assert corpus.ids == ["s01_e01_c01", "s01_e01_c02"]
    document = corpus[0]
    assert document.sentences == ((0, 4), (4, 7), (7, 10), (10, 12))
    assert {c.id: [m.spans for m in c.mentions] for c in document.clusters} == {
        "Ann": [((0, 1),)],
        "Eve": [((2, 3),)],
        "#GENERAL# 1": [((4, 5),)],
        "Ann + Eve": [((7, 8),)],
        "#GENERAL# 2": [((10, 11),)],
    }
    assert document.relations == (Relation("split antecedent", "Ann + Eve", ("Ann", "Eve")),)
    assert document.layers["speaker"][6:] == ("Ann", *["Bob + Tom"] * 3, "-", "-")
    assert corpus.notices == [
        f"{tmp_path / 'a.json'}:1: a mention of nobody in particular is a singleton (4 times)"
    ]


def test_names_hold_in_all_scenes(tmp_path: Path) -> None:
    corpus = opened(tmp_path, TALK, ids="corpus")
    assert corpus.cross_document
    assert {cluster.id for cluster in corpus[0].clusters} & {
        cluster.id for cluster in corpus[1].clusters
    } >= {
        "Ann",
        "Eve",
    }


@pytest.mark.parametrize(
    ("utterance", "message"),
    [
        (said([["I"]], [[[0, 2, "Ann"]]]), r"a\.json: scene s01_e01_c01: expected \[start, end, CHARACTER\]"),
        (said([["I"]], [[[0, 1]]]), "expected"),
        (said([["I"]], []), "lists of the same length"),
        (said(["I"], [[]]), "a sentence must be a list of words"),
    ],
)
def test_what_does_not_fit_is_refused(utterance: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        opened(tmp_path, [utterance])
