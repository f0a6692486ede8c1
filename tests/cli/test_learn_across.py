"""referee train --across: from two corpora with topics to a folder that resolves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from corpora import corpus
from referee import formats
from referee.cli import main
from referee.matching.units import unit_labels
from referee.resolve.across.topic_material import no_shared_topics
from referee.resolve.neural.installed import FILES
from three_topics import HashedWords, write_topics

pytest.importorskip("torch", reason="training needs torch: pip install 'referee-coref[train]'")
pytest.importorskip("safetensors", reason="needs safetensors: pip install 'referee-coref[resolve]'")

from referee.resolve.across import across_training, model

TEST_TOPICS = {str(number) for number in range(36, 46)}  # of ECB+, Cybulska and Vossen (2015)


@pytest.fixture(autouse=True)
def _encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (across_training, model):
        monkeypatch.setattr(module, "Model", lambda *_: HashedWords())


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


def test_a_model_is_trained_tuned_and_resolves(tmp_path: Path) -> None:
    train, dev = (
        write_topics(tmp_path / "train.jsonl", ["quake", "theft"]),
        write_topics(tmp_path / "dev.jsonl", ["strike"]),
    )
    (tmp_path / "given").mkdir()
    for name in FILES:
        (tmp_path / "given" / name).write_text("{}")
    out = tmp_path / "made"
    told = run(
        "train", train, "--dev", dev, "--across", "--encoder", tmp_path / "given", "-o", out, "--epochs", 8
    )
    assert told.exit_code == 0, told.output
    assert f"{out}: events: λ 0." in told.output
    assert (out / "model.json").read_text() == "{}"
    settings = json.loads((out / "across.json").read_text())
    assert {*settings} == {"events", "entities", "all"}
    assert settings["all"] != across_training.BEGUN  # tuned
    response = tmp_path / "response.jsonl"
    gold = ("--mentions", "gold", "--topics", "gold")
    resolved = run("resolve", dev, "--across", "--model", out, *gold, "-o", response)
    assert resolved.exit_code == 0, resolved.output
    assert len(formats.read(response)) == len(formats.read(dev))


def test_one_corpus_and_one_dev(tmp_path: Path) -> None:
    told = run("train", "a", "b", "--dev", "c", "--across", "--encoder", tmp_path, "-o", tmp_path)
    assert told.exit_code == 2
    assert "across documents give one CORPUS and one --dev" in told.output


def test_ecbplus_is_divided_by_topic_and_its_test_topics_are_in_neither_part() -> None:
    train, dev = (formats.read(corpus(f"ecbplus/{part}")) for part in ("train", "dev"))
    no_shared_topics(train, dev)
    assert not TEST_TOPICS & {*unit_labels(train, "topic"), *unit_labels(dev, "topic")}
