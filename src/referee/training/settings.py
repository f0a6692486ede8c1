"""What one training run is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Settings:
    """One training run."""

    name: str = "base"
    data: str = "lab/data.npz"
    more: list[str] = field(default_factory=list)  # files of unlabelled documents
    encoder: list[str] = field(default_factory=lambda: ["lab/e5.npz"])
    layers: int = 7
    seed: int = 1
    head_seed: int = 1  # runs that are to be averaged begin with the same head
    epochs: int = 20
    seconds: float = 480.0  # 0 for any number: a run that is to be resumed counts steps alone
    rate: float = 1e-4
    head_rate: float = 5e-4
    table_rate: float = (
        5e-3  # of what the head knows by looking: one number moves by a rate's worth at a step
    )
    decay: float = 0.8  # of the rate, from layer to layer downwards
    warmup: float = 0.06
    words: int = 1500
    longest: int = 0  # words that are shown of a document at most; 0 for all
    average: float = 0.99  # the mean reaches back 1 / (1 - average) steps, which must be few of all
    encoder_dropout: float = 0.1
    gap: int = 4  # paragraphs of GAP beside the documents of each batch
    masculine: int = 1  # how often a paragraph of GAP about men counts
    unlabelled: list[str] = field(default_factory=list)
    speakers: float = 0.5
    ruled: float = 0.25
    other_guideline: float = 0.0  # how often unlabelled documents are shown under LitBank's guidelines
    crossed: float = 0.0  # how often labelled ones are shown under the other guidelines, without their labels
    sizes: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, Any] = field(default_factory=dict)
    teachers: list[str] = field(default_factory=list)
    near: float = 0.0  # how much word vectors are drawn to the teachers'
    measures: int = 3
    patience: int = (
        0  # measures without a better score after which a run ends; 0 for none, and the last is kept
    )
    crop: float = 0.0  # how often only a part of a document is shown
    swaps: str = ""  # the file of words and names that are exchanged
    swapped: float = 0.0  # how often
    start: str = ""  # the network to begin with, instead of an encoder and a new head
    rounded: bool = False  # learn with the encoder in eight bits, as it will run
    limit: int = 0  # documents of each corpus: for a rehearsal
