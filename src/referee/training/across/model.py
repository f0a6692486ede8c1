"""From a corpus with topics to a model across documents: heads for an encoder as it is, and a reader."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.model import Corpus
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across.constants import MOST, READING
from referee.resolvers.across.head import LINKED_KINDS, AcrossHead
from referee.resolvers.across.model import AcrossModel, word_states
from referee.resolvers.across.reader import PAIRS, READER, Reader
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.threshold_search import best_rows, best_trial, tried
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.models import ENCODER, FILES
from referee.training.across.heads import USUAL, HeadSettings, as_heads, save_heads, train_heads
from referee.training.across.reader import ReaderSettings, train_reader
from referee.training.constants import ACROSS_MENTION_THRESHOLD, ACROSS_THRESHOLD
from referee.training.data.passages import StateSource, annotated_texts, passage_pairs, with_inputs
from referee.training.data.topics import no_shared_topics, topic_materials
from referee.training.export.reader import LOWER, write_reader
from referee.training.export.weights import read_graph_layers
from referee.training.networks.reader import ReaderStart

SPANS_PER_WORD = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # λ that tuning tries
BEGUN = {
    "mention_threshold": ACROSS_MENTION_THRESHOLD,
    "spans_per_word": max(SPANS_PER_WORD),
    "threshold": ACROSS_THRESHOLD,
}  # before anything is tuned

Report = Callable[[str], None]


def train_across(
    train: Corpus,
    dev: Corpus,
    folder: Path,
    out: Path,
    settings: HeadSettings = USUAL,
    report: Report | None = None,
    *,
    reading: ReaderSettings | None = None,
    device: str = "cpu",
    kinds: Sequence[str] = MENTION_KINDS,
) -> AcrossModel:
    """Train heads for the encoder of a model within documents, tune λ and τ on dev, and save all in `out`.

    Heads learn events and entities together; `kinds` are those that are tuned. With
    settings for it a reader is trained, too, if the encoder gives lower states.
    """
    no_shared_topics(train, dev)
    model = Encoder(folder)
    topics = topic_materials(train, lambda text: word_states(model, text))
    networks = train_heads(topics, settings, report)
    out.mkdir(parents=True, exist_ok=True)
    reader = None
    for name in (READER, PAIRS):  # of an earlier training, which no longer fits
        (out / name).unlink(missing_ok=True)
    if reading is not None and LOWER in model.about:
        learn_to_read(train, model, folder, out, reading, device=device, report=report)
        reader = Reader(out)
    tuned = tune_across(model, as_heads(networks), dev, reader, kinds)
    for name in FILES:  # the head is for single texts, and what only links has none
        if out.resolve() != folder.resolve() and (folder / name).exists():
            shutil.copyfile(folder / name, out / name)
    save_heads(out, networks, tuned.settings)
    return tuned


def learn_to_read(
    train: Corpus,
    model: Encoder,
    folder: Path,
    out: Path,
    settings: ReaderSettings,
    *,
    device: str = "cpu",
    report: Report | None = None,
) -> None:
    """Train a reader that begins as a copy of the encoder's upper layers, and write it beside the model."""
    layers = read_graph_layers(folder / ENCODER)
    known, annotated = annotated_texts(train)
    source = StateSource(model, known.texts)
    material = with_inputs(passage_pairs(known, annotated, source.cut), source)
    start = ReaderStart(layers.shape, layers.weights, model.about[LOWER])
    settings = replace(settings, rounded=layers.int8)
    network = train_reader(start, material, settings, device=device, report=report)
    write_reader(network.as_arrays(), layers.shape.heads, out, int8=layers.int8)


def tune_across(
    model: Encoder,
    heads: Sequence[AcrossHead],
    dev: Corpus,
    reader: Reader | None = None,
    kinds: Sequence[str] = MENTION_KINDS,
) -> AcrossModel:
    """Choose how many spans are mentions and when merging stops, for some kinds, by found mentions.

    How many subwords the reader sees together is chosen before, for both kinds at once.
    """
    settings: dict[str, dict[str, Any]] = {kind: dict(BEGUN) for kind in MENTION_KINDS}
    if reader is not None:
        settings["reader"] = dict(READING)
        begun = AcrossResolver(AcrossModel.of(model, heads, settings, reader), "all")
        settings["reader"][MOST] = best_rows(begun, dev, spans_per_word=(2 * max(SPANS_PER_WORD),))[0]
    for kind in kinds:
        resolver = AcrossResolver(AcrossModel.of(model, heads, settings, reader), kind)
        shares = SPANS_PER_WORD if kind in LINKED_KINDS else (2 * max(SPANS_PER_WORD),)
        best = best_trial(tried(resolver, dev, spans_per_word=shares))
        settings[kind] |= {
            "spans_per_word": best.spans_per_word or max(SPANS_PER_WORD),
            "threshold": best.threshold,
        }
    return AcrossModel.of(model, heads, settings, reader)
