"""The scripts of the multilingual model go with the product's training, from records to a model that runs."""

from __future__ import annotations

import json
import lzma
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.model import Document
from referee.resolvers.neural.models import facts_of
from toy_encoder import write_encoder
from toy_story import story

MULTI = Path(__file__).parents[2] / "models" / "multi"


def record(document: Document, part: str, guidelines: str) -> dict[str, Any]:
    mentions = [
        [m.start, m.end - 1, number, int(len(cluster.mentions) > 1), 1, 0]
        for number, cluster in enumerate(document.clusters, 1)
        for m in cluster.mentions
    ]
    sentences = [[number, end - start] for number, (start, end) in enumerate(document.sentences)]
    return {
        "id": f"{guidelines}/{part}", "part": part, "guidelines": guidelines, "speakers": [],
        "words": "\n".join(document.words), "sentences": sentences, "mentions": sorted(mentions),
    }  # fmt: skip


def write_records(path: Path) -> Path:
    rows = [
        record(story(), part, guidelines)
        for guidelines in ("ontonotes", "openboek")
        for part in ("train", "dev")
    ]
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def test_upper_layers_are_trained_go_on_and_become_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records, encoder = write_records(tmp_path / "records.xz"), write_encoder(tmp_path / "encoder")
    monkeypatch.syspath_prepend(MULTI)
    for name in ("corpora", "encoder", "finish", "learning", "upper"):  # others may have the same names
        monkeypatch.delitem(sys.modules, name, raising=False)

    def run(step: str, *given: Path) -> None:
        words = [step, str(records), *map(str, given), "--encoder", str(encoder), "--tiny"]
        monkeypatch.setattr(sys, "argv", ["train.py", *words, "-o", str(tmp_path / step)])
        runpy.run_path(str(MULTI / "train.py"), run_name="__main__")

    run("upper")
    log = [json.loads(line) for line in (tmp_path / "upper" / "log").read_text().splitlines()]
    assert [line["event"] for line in log if "event" in line] == ["ready", "dev"]
    steps = [line["step"] for line in log if "step" in line]
    assert steps == [5]
    run("upper")  # all twelve steps are done, so it only measures again
    again = (tmp_path / "upper" / "log").read_text().splitlines()[len(log) :]
    assert [json.loads(line).get("step") for line in again] == [None, None]
    run("finish", tmp_path / "upper")
    facts = facts_of(tmp_path / "finish")
    assert facts["guidelines"] == ["ontonotes", "litbank", "gerdracor", "openboek"]
    assert facts["languages"] == {"ontonotes": "en", "openboek": "nl"}
    assert [row["language"] for row in facts["scores"]] == ["en", "nl"]
    for name in ("corpora", "encoder", "finish", "learning", "upper"):
        sys.modules.pop(name, None)
