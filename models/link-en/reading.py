"""Readers of several passages: three that teach, and the one that the model gets.

Teachers (MPNet, all twelve layers) learn to read two passages at a time, each near pair of passages of a
topic: they are readers like any other, with nothing below them and blocks of two. They then judge pairs of
near passages that nobody annotated, with the mentions that the model's heads find there. The reader itself
begins as a copy of the four upper layers of the model's encoder and learns in blocks, from what the teachers
say in each step, from the annotation in every eighth: that is little text, and soon learned by heart. A fifth
of the subwords is left out in each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from referee.arrays import FloatArray
from referee.model import Text
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.models import ENCODER
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.across.reader import ReaderSettings, near_odds, train_reader
from referee.training.data.passages import (
    PassagePairs,
    ReaderMaterial,
    SubwordSource,
    with_inputs,
)
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.export.reader import LOWER
from referee.training.export.weights import read_graph_layers
from referee.training.networks.reader import ReaderNetwork, ReaderSizes, ReaderStart, load_reader, save_reader

NEAR = 5  # passages that each is paired with where nobody annotated
TEACHER: dict[str, Any] = {
    "two": True, "steps": 1800, "subwords": 3100, "rate": 3e-5, "decay": 0.9, "average": 0.99,
    "rounded": False,
}  # fmt: skip  # about 32 pairs in a step: eight times all 7,200 pairs
TEACHERS = [
    TEACHER | {"seed": 1},
    TEACHER | {"seed": 2},
    TEACHER | {"seed": 5, "decay": 0.85},
]
PUPIL: dict[str, Any] = {
    "steps": 9500, "subwords": 600, "taught": 4200, "annotated_every": 8, "lengths": (96, 160, 256, 384),
    "sizes": ReaderSizes(subword_dropout=0.2),
}  # fmt: skip
TINY = {"steps": 2, "subwords": 200, "taught": 200}


def planned(plan: dict[str, Any], *, tiny: bool) -> ReaderSettings:
    """Make settings of a plan."""
    return ReaderSettings(**(plan | (TINY if tiny else {})))


def teach(
    mpnet: Path, number: int, gold: PassagePairs, texts: list[Text], path: Path, device: str, *, tiny: bool
) -> None:
    """Train one teacher."""
    encoder = read_encoder_folder(mpnet, 1 if tiny else 0)
    sees = SubwordTokenizer(encoder.tokenizer, str(mpnet))
    start = ReaderStart(encoder.shape, encoder.weights, lower=0)
    settings = planned(TEACHERS[number - 1], tiny=tiny)
    lesson = with_inputs(gold, SubwordSource(sees, texts))
    save_reader(train_reader(start, lesson, settings, device=device, report=print), path)


def judged(mpnet: Path, teacher: Path, untold: PassagePairs, texts: list[Text], device: str) -> FloatArray:
    """Let a teacher say of pairs that nobody annotated how likely they are the same: log odds."""
    tokenizer = SubwordTokenizer(read_encoder_folder(mpnet, 1).tokenizer, str(mpnet))
    unread = with_inputs(untold, SubwordSource(tokenizer, texts))
    return near_odds(load_reader(teacher, device), unread)


def learn(
    model: Encoder, folder: Path, lesson: ReaderMaterial, taught: ReaderMaterial, device: str,
    *, seed: int, tiny: bool,
) -> ReaderNetwork:  # fmt: skip
    """Train the reader that the model gets."""
    layers = read_graph_layers(folder / ENCODER)
    start = ReaderStart(layers.shape, layers.weights, model.about[LOWER])
    settings = planned(PUPIL | {"seed": seed}, tiny=tiny)
    return train_reader(start, lesson, settings, taught, device, print)


def with_targets(material: ReaderMaterial, odds: Sequence[npt.NDArray[np.float32]]) -> ReaderMaterial:
    """Take the average of what teachers say for what is known of pairs."""
    same = expit(np.mean(odds, 0)).astype(np.float32)
    return material._replace(pairs=replace(material.pairs, same=same))
