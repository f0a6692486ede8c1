"""Small runs of training on the story, and what is left of them."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from referee.model import Document
from referee.training.trainer import Settings, Trainer
from referee.training.within import Annotated, TrainingData
from toy_story import story

SIZES = {
    "ends": 16,
    "span": 16,
    "products": 2,
    "hidden": 16,
    "factors": 4,
    "spans_per_word": 2.0,
    "antecedents": 10,
}


def named(document: Document, name: str) -> Document:
    return document.with_text(id=name)


def training_data(**changes: Any) -> TrainingData:
    texts = [named(story(), f"story {number}") for number in range(3)]
    return TrainingData(**({"train": [Annotated(texts)], "dev": [Annotated([story()])]} | changes))


def settings(**changes: Any) -> Settings:
    plain: dict[str, Any] = {
        "encoder_layers": 0, "epochs": 4, "measures": 4, "patience": 9, "words": 50, "crop": 0.3,
        "sizes": SIZES | {"dropout": 0.1},
    }  # fmt: skip
    return Settings(**(plain | changes))


def weights(folder: Path, name: str = "checkpoint") -> dict[str, Any]:
    from safetensors.numpy import load_file

    read: dict[str, Any] = load_file(folder / f"{name}.safetensors")
    return read


def stop_after(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Press ctrl-C in the middle of a step."""
    loss = Trainer.loss
    count = 0

    def watched(self: Trainer, *given: Any) -> Any:
        nonlocal count
        count += 1
        if count == steps:
            os.kill(os.getpid(), signal.SIGINT)
        return loss(self, *given)

    monkeypatch.setattr(Trainer, "loss", watched)
