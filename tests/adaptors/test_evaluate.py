"""The module inside Hugging Face evaluate itself, without a network; `make test-training` has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.adaptors import COREFERENCE

evaluate = pytest.importorskip("evaluate")

KEYS = [[[[0, 1], [4, 5]], [[7, 8]]], [[[2, 3], [7, 9]]]]
RESPONSES = [[[[0, 1], [4, 5], [7, 8]]], []]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", tmp_path / "metrics")


def test_the_folder_is_a_module(tmp_path: Path) -> None:
    module = evaluate.load(COREFERENCE, cache_dir=str(tmp_path / "cache"))
    found = module.compute(predictions=RESPONSES, references=KEYS)
    scorer = referee.Scorer()
    for key, response in zip(KEYS, RESPONSES, strict=True):
        scorer.update(key, response)
    assert found == scorer.compute().log_dict()


def test_it_takes_documents_one_by_one(tmp_path: Path) -> None:
    module = evaluate.load(COREFERENCE, cache_dir=str(tmp_path / "cache"))
    for key, response in zip(KEYS, RESPONSES, strict=True):
        module.add(prediction=response, reference=key)
    assert module.compute(protocol="conll")["muc/recall"] == 0.5
