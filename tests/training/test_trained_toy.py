"""A toy model that knows one story by heart: it runs, is exported and tuned, by functions and commands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.exceptions import FormatError, ProtocolError
from referee.model import Document
from referee.resolvers.neural.running import Model
from referee.resolvers.neural.tuning import DevText, Knobs, Tuner, judged_scores, key_of, linked_spans
from referee.training.export.model import export_model
from referee.training.trainer import Settings
from referee.training.within import Annotated, TrainingData, train_model
from toy_encoder import write_encoder
from toy_story import story
from toy_training import SIZES

SAID: list[Any] = []


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Train once for all tests here; what is this small is slower on several threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("trained")
    settings = Settings(
        encoder_layers=0, epochs=60, measures=4, patience=9, rate=5e-3, head_rate=1e-2, encoder_dropout=0.0,
        ruled=0.0, average=0.8, sizes=SIZES | {"dropout": 0.0},
    )  # fmt: skip
    data = TrainingData([Annotated([story()])], [Annotated([story()])])
    encoder = write_encoder(tmp_path_factory.mktemp("encoder"))
    trainer = train_model(data, encoder, folder / "model", settings, report=SAID.append)
    assert trainer.state.best == 100.0
    yield folder / "model"
    torch.set_num_threads(threads)


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "model"))


def key_file(tmp_path: Path) -> str:
    path = tmp_path / "key.conll"
    referee.write([story()], str(path))
    return str(path)


def run(*words: str) -> Any:
    return CliRunner().invoke(main, list(words))


def resolved(folder: Path, document: Document) -> list[list[tuple[int, int]]]:
    lengths = [end - start for start, end in document.sentences]
    linked = Model(folder).resolve(document.words, np.repeat(np.arange(len(lengths)), lengths))
    return sorted(map(sorted, linked_spans(linked)))


def test_one_document_is_learnt_by_heart_and_runs_without_torch(trained: Path) -> None:
    losses = [facts["loss"] for facts in SAID if "loss" in facts]
    assert losses[-1] < losses[0] / 10
    assert resolved(trained, story()) == sorted(map(sorted, key_of(story())))


def test_eight_bits_are_smaller_and_know_the_same(trained: Path, tmp_path: Path) -> None:
    export_model(trained, tmp_path / "small", int8=True)
    small, large = ((folder / "encoder.onnx").stat().st_size for folder in (tmp_path / "small", trained))
    assert small < 0.8 * large
    assert resolved(tmp_path / "small", story()) == sorted(map(sorted, key_of(story())))
    about = json.loads((tmp_path / "small" / "model.json").read_text())
    assert (about["bits"], about["mention_threshold"]) == (8, -5.0)


def test_the_command_exports_and_tells_what_is_lost(model: Path, tmp_path: Path) -> None:
    said = run("export", str(model), "-o", str(tmp_path / "small"), "--int8", "--dev", key_file(tmp_path))
    assert said.exit_code == 0, said.output
    assert said.output.count("100.00") == 2
    assert "parameters." in said.output
    refused = run("export", str(model), "-o", str(model))
    assert "export it into another folder" in refused.output
    with pytest.raises(FormatError, match="only a model that Referee trained"):
        export_model(tmp_path / "small", tmp_path / "smaller", int8=True)


def test_tuning_finds_what_was_lost_by_a_bad_threshold(model: Path) -> None:
    about = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(json.dumps(about | {"threshold": 40.0, "name": "toy"}))
    tuner = Tuner(model, [DevText(story())])
    tuned = tuner.tune()
    assert tuned.before.conll == 0.0
    assert tuned.chosen.conll == 1.0
    tuner.save(tuned.facts())
    told = json.loads((model / "model.json").read_text())
    assert told["threshold"] == tuned.chosen.knobs.threshold <= 3.0
    assert told["name"] == "toy"
    recalls = [point.recall for point in tuned.curve]
    assert [point.knobs.threshold for point in tuned.curve] == sorted(
        point.knobs.threshold for point in tuned.curve
    )
    assert recalls[0] >= recalls[-1]


def test_fewer_candidates_are_chosen_where_nothing_is_lost(model: Path) -> None:
    tuner = Tuner(model, [DevText(story())])
    best, few = tuner.point(Knobs(0.0, -5.0, 2.0)), tuner.point(Knobs(0.0, -5.0, 0.0))
    assert best.conll == 1.0 > few.conll
    assert tuner.tune().chosen.knobs.mention_threshold > -7.0


def test_links_and_mentions_are_judged_by_the_key(model: Path) -> None:
    linked = Tuner(model, [DevText(story())]).resolve(Knobs(0.0, -5.0, 2.0))[0]
    key = key_of(story())
    links = [right for kind, _, right in judged_scores(linked, key) if kind == "link"]
    assert links == [1] * (sum(map(len, key)) - len(key))
    wrong = [right for kind, _, right in judged_scores(linked, key[1:]) if kind == "link"]
    assert len(wrong) == len(links)
    assert sum(wrong) == sum(links) - (len(key[0]) - 1)


def test_the_command_tunes_and_draws(model: Path, tmp_path: Path) -> None:
    before = (model / "model.json").read_text()
    dry = run("tune", str(model), "--dev", key_file(tmp_path), "--dry-run")
    assert dry.exit_code == 0, dry.output
    assert (model / "model.json").read_text() == before
    said = run("tune", str(model), "--dev", key_file(tmp_path), "-f", "json")
    assert said.exit_code == 0, said.output
    told = json.loads(said.stdout)
    assert told["chosen"]["conll"] == 1.0
    assert len(told["curve"]) == 25
    assert json.loads((model / "model.json").read_text())["threshold"] == told["chosen"]["threshold"]
    assert "<svg" in (model / "curve.svg").read_text()
    shown = run("tune", str(model), "--dev", f"litbank={key_file(tmp_path)}", "--dry-run").output
    assert "Chosen: threshold" in shown
    assert "By guidelines" not in shown
    assert told["thresholds"] == {}
    key = key_file(tmp_path)
    shown = run(
        "tune", str(model), "--dev", f"litbank={key}", "--dev", f"ontonotes={key}", "--dry-run"
    ).output
    assert "By guidelines, where the texts of each score best: ontonotes" in " ".join(shown.split())
    refused = run("tune", str(model), "--dev", f"prague={key_file(tmp_path)}")
    assert "the model knows the guidelines ontonotes, litbank" in refused.output


def test_without_a_key_nothing_can_be_tuned(model: Path) -> None:
    with pytest.raises(ProtocolError, match="give dev="):
        Tuner(model, [DevText(Document(story().text, ()))])


def test_the_command_trains_and_goes_on(tmp_path: Path) -> None:
    key, out = key_file(tmp_path), str(tmp_path / "out")
    encoder = str(write_encoder(tmp_path / "encoder"))
    words = ["train", key, f"litbank={key}", "--dev", key, "-o", out, "--encoder", encoder, "--device", "cpu"]
    said = run(*words, "--epochs", "1", "--encoder-layers", "1", "--entities", key, "--int8")
    assert said.exit_code == 0, said.output
    assert "2 documents; from the beginning" in said.output
    assert "step 1 of 1" in said.output
    assert "next: use referee tune" in said.output
    told = json.loads((tmp_path / "out" / "model.json").read_text())
    assert told["guidelines"] == ["ontonotes", "litbank"]
    again = run(*words, "--epochs", "1", "--encoder-layers", "1", "--entities", key, "--int8")
    assert "resume it by --resume, or" in again.output
    assert run(*words, "--epochs", "2", "--encoder-layers", "1", "--resume").exit_code == 1
    third = run(
        *words, f"third={key}", "--epochs", "1", "--encoder-layers", "1", "-o", str(tmp_path / "three")
    )
    assert third.exit_code == 0, third.output
    told = json.loads((tmp_path / "three" / "model.json").read_text())
    assert told["guidelines"] == ["ontonotes", "litbank", "third"]
