"""referee train --resolver across: from two corpora with topics to a folder that resolves."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from safetensors.numpy import load_file

from corpora import corpus
from referee import formats
from referee.cli import main
from referee.matching.units import unit_labels
from referee.resolvers.across import model
from referee.resolvers.neural.models import FILES
from referee.training import train as learn_across
from referee.training.across import model as across_training
from referee.training.data.topics import no_shared_topics
from three_topics import HashedWords, write_topics

TEST_TOPICS = {str(number) for number in range(36, 46)}  # of ECB+, Cybulska and Vossen (2015)


@pytest.fixture(autouse=True)
def _encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (across_training, model):
        monkeypatch.setattr(module, "Encoder", lambda *_: HashedWords())


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
        "train",
        train,
        "--dev",
        dev,
        "--resolver",
        "across",
        "--encoder",
        tmp_path / "given",
        "-o",
        out,
        "--epochs",
        8,
    )
    assert told.exit_code == 0, told.output
    assert f"{out}: events: λ 0." in told.output
    assert (out / "model.json").read_text() == "{}"
    settings = json.loads((out / "across.json").read_text())
    assert {*settings} == {"events", "entities", "all"}
    assert settings["all"] != across_training.BEGUN  # tuned
    response = tmp_path / "response.jsonl"
    gold = ("--mentions", "gold", "--scope", "topic")
    resolved = run("link", dev, "--model", out, *gold, "-o", response)
    assert resolved.exit_code == 0, resolved.output
    assert len(formats.read(response)) == len(formats.read(dev))


@pytest.mark.parametrize("way", ["apart", "end-to-end"])
def test_a_way_of_training_is_chosen(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across_training, "SPANS_PER_WORD", (0.4,))  # others take time
    monkeypatch.setattr(learn_across, "VOTING", 1)
    (tmp_path / "given").mkdir()
    for name in FILES:
        (tmp_path / "given" / name).write_text("{}")
    train, dev = (
        write_topics(tmp_path / "train.jsonl", ["quake"]),
        write_topics(tmp_path / "dev.jsonl", ["strike"]),
    )
    words = ("train", train, "--dev", dev, "--encoder", tmp_path / "given", "-o", tmp_path / "made")
    chosen = () if way == "apart" else ("--way", way)
    told = run(*words, "--resolver", "across", "--no-reader", "--epochs", 1, *chosen)
    assert told.exit_code == 0, told.output
    arrays = load_file(tmp_path / "made" / model.HEADS)
    assert (arrays["0/mention.first.weight"] == arrays["0/span.first.weight"]).all() == (way != "apart")
    told = run(*words, "--way", "end-to-end")
    assert told.exit_code == 2
    assert "--way is a setting of the resolver across, not of neural" in told.output


def test_one_kind_is_tuned_and_the_installed_model_has_the_encoder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across_training, "SPANS_PER_WORD", (0.4,))
    monkeypatch.setattr(learn_across, "VOTING", 1)
    given = tmp_path / "given"
    given.mkdir()
    for name in FILES:
        (given / name).write_text("{}")
    monkeypatch.setattr(learn_across, "model_named", lambda _: SimpleNamespace(folder=given))
    train = write_topics(tmp_path / "train.jsonl", ["quake"])
    words = (
        "train",
        "--resolver",
        "across",
        train,
        "--dev",
        write_topics(tmp_path / "dev.jsonl", ["strike"]),
    )
    told = run(*words, "--kind", "events", "-o", tmp_path / "made", "--no-reader", "--epochs", 1)
    assert told.exit_code == 0, told.output
    assert "events: λ" in told.output
    assert "entities: λ" not in told.output
    settings = json.loads((tmp_path / "made" / "across.json").read_text())
    assert settings["entities"] == across_training.BEGUN


def test_within_documents_an_encoder_must_be_given(tmp_path: Path) -> None:
    told = run("train", "a", "--dev", "b", "-o", tmp_path)
    assert told.exit_code == 2
    assert "--resolver neural needs --encoder" in told.output


def test_one_corpus_and_one_dev(tmp_path: Path) -> None:
    told = run("train", "a", "b", "--dev", "c", "--resolver", "across", "--encoder", tmp_path, "-o", tmp_path)
    assert told.exit_code == 2
    assert "--resolver across is trained on one corpus, and tuned on one --dev" in told.output


def test_ecbplus_is_divided_by_topic_and_its_test_topics_are_in_neither_part() -> None:
    train, dev = (formats.read(corpus(f"ecbplus/{part}")) for part in ("train", "dev"))
    no_shared_topics(train, dev)
    assert not TEST_TOPICS & {*unit_labels(train, "topic"), *unit_labels(dev, "topic")}
