"""The scripts that trained the English model go with the product's training."""

from __future__ import annotations

import json
import runpy
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from referee import formats
from referee.resolvers.neural.entity_decisions import EntityScorer
from referee.training.across.mentions import MentionSettings
from referee.training.across.reader import ReaderSettings
from referee.training.trainer import Settings
from small_corpora import write_gap
from toy_encoder import write_encoder
from toy_story import story

SETTINGS = {
    "en/train": Settings,
    "en-nc/train": Settings,
    "en-nc/train_entities": Settings,
    "link-en/finding": MentionSettings,
    "link-en/reading": ReaderSettings,
}
PLANS = ("TEACHERS", "TEACHER", "TEACHING", "PUPIL", "STUDENT", "DISTILLED", "LAST", "FOLD")
MODELS = Path(__file__).parents[2] / "models"
MODULES = (
    "train",
    "material",
    "texts",
    "finding",
    "reading",
)  # of scripts, which have one name in two folders


def run_script(monkeypatch: pytest.MonkeyPatch, name: str, *given: str) -> dict[str, Any]:
    """Run a script as a command does, with its folder first and none of another's modules loaded."""
    path = MODELS / f"{name}.py"
    for module in MODULES:
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(path.parent)
    monkeypatch.setattr(sys, "argv", [path.name, *given])
    return runpy.run_path(str(path), run_name="__main__" if given else "script")


def listed(plans: Any) -> list[dict[str, Any]]:
    return [plan for plan in (plans if isinstance(plans, list) else [plans]) if isinstance(plan, dict)]


@pytest.mark.parametrize("name", SETTINGS)
def test_scripts_of_the_english_models_are_of_this_version(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = run_script(monkeypatch, name)
    settings = {field.name for field in fields(SETTINGS[name])}
    plans = [plan for name in PLANS if name in named for plan in listed(named[name])]
    assert plans
    assert not [plan for plan in plans if plan.keys() - settings - {"encoder_layers"}]


def write_corpora(data: Path) -> Path:
    """Lay out the story as the corpora that the English model was trained on."""
    for part in ("train", "dev"):
        for corpus in ("ontogum", "gum"):
            folder = data / corpus / part / ("conllu" if corpus == "ontogum" else "")
            folder.mkdir(parents=True)
            for name in ("one", "two"):
                formats.write([story().with_text(id=name)], folder / f"{name}.conllu")
    (data / "litbank").mkdir()
    for name in "abcd":  # the fourth is for dev
        formats.write([story().with_text(id=name)], data / "litbank" / f"{name}.conll")
    (data / "craft").mkdir()
    for part in ("train", "dev"):
        formats.write(
            [story().with_text(id=f"{part}{number}") for number in range(5)],
            data / "craft" / f"{part}.jsonl",
        )
    lines = ["document\tclass", "one\tcc-by/pd", "two\tnc"]
    (data / "ontogum" / "licences.tsv").write_text("\n".join(lines) + "\n")
    lines = ["article\tlicence", *(f"train{number}\tCC BY" for number in range(4)), "train4\tverbatim copies"]
    (data / "craft" / "licences.tsv").write_text("\n".join(lines) + "\n")
    (data / "gap").mkdir()
    for part in ("development", "validation"):
        write_gap(data / "gap" / f"gap-{part}.tsv")
    return data


def test_the_scorer_of_entities_is_trained_fold_by_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        str(write_corpora(tmp_path / "data")), "--e5", str(write_encoder(tmp_path / "encoder")),
        "--model", str(tmp_path), "-o", str(tmp_path / "out"), "--tiny", "--device", "cpu",
    ]  # fmt: skip

    def run(*more: str) -> str:
        run_script(monkeypatch, "en-nc/train_entities", *given, *more)
        return capsys.readouterr().out

    assert '"event": "last"' in run("--fold", "1")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["fold1"]
    assert EntityScorer.in_folder(tmp_path) is None
    said = run()
    assert said.count('"event": "last"') == 1  # the other one was done
    assert "from 4 documents" in said
    assert EntityScorer.in_folder(tmp_path) is not None
    with pytest.raises(SystemExit):
        run("--fold", "2")


def test_the_model_of_free_texts_is_trained_phase_by_phase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, encoder, out = (
        write_corpora(tmp_path / "data"),
        str(write_encoder(tmp_path / "encoder")),
        tmp_path / "out",
    )
    (tmp_path / "texts" / "craft").mkdir(parents=True)
    (tmp_path / "texts" / "craft" / "plain.txt").write_text(" ".join(story().words))
    given = [
        str(data), "--mpnet", encoder, "--e5", encoder, "--texts", str(tmp_path / "texts"),
        "-o", str(out), "--tiny", "--device", "cpu",
    ]  # fmt: skip

    def run(*more: str) -> str:
        run_script(monkeypatch, "en/train", *given, *more)
        return capsys.readouterr().out

    # Of OntoGUM one text is free, of LitBank three are to train on, of CRAFT four: a fold has one of each.
    assert '"train": 6' in run("--phase", "teacher1")
    assert [path.name for path in out.iterdir()] == ["teacher1"]
    run()
    ended = sorted(log.stem for log in out.glob("*.log") if '"event": "last"' in log.read_text())
    assert ended == [
        "distilled",
        "last",
        "student",
        "teacher0",
        "teacher2",
        "teacher3",
    ]  # the other one was done
    assert (out / "last" / "network.safetensors").exists()
    assert sorted(path.name for path in out.glob("pairs*.safetensors")) == [
        f"pairs{fold}.safetensors" for fold in range(4)
    ]
    assert EntityScorer.in_folder(out / "en") is not None
    facts = json.loads((out / "en" / "model.json").read_text())
    assert facts["guidelines"] == ["ontonotes", "litbank", "craft"] == list(facts["thresholds"])
    assert facts["licence"] == "CC-BY-SA-4.0"
