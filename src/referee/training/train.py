"""Trains a resolver from corpora in files, by settings that are declared in `settings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import torch

from referee import formats
from referee.display import number_of
from referee.exceptions import FormatError, SettingError
from referee.formats.corpora.gap import GapCorpus
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.neural.guided_corpora import FIRST, Notify, documents_at, guided_corpus, ignore
from referee.resolvers.neural.models import model_named
from referee.training.across.heads import HeadSettings
from referee.training.across.model import train_across
from referee.training.across.reader import ReaderSettings
from referee.training.settings import training_settings
from referee.training.trainer import Settings
from referee.training.within import Annotated, TrainingData, by_name, train_model

VOTING = 3  # heads, from as many seeds, where no reader looks again
SIZES = {"span": 384, "hidden": 256, "products": 16, "factors": 64}
CROP = 0.3  # how often only a part of a document is shown
# What `Settings` calls the settings that are declared
FIELDS = {
    "encoder_layers": "encoder_layers", "epochs": "epochs", "patience": "patience", "learning_rate": "rate",
    "batch_words": "words", "max_words": "longest", "seed": "seed", "int8": "rounded",
}  # fmt: skip

Report = Callable[[str], None]


def train_resolver(
    corpora: Sequence[str],
    dev: Sequence[str],
    output: str | PathLike[str],
    resolver: str = "neural",
    *,
    report: Report = ignore,
    notify: Notify = ignore,
    **settings: Any,
) -> None:
    """Train a resolver on corpora, measure it on `dev`, and write the best model into a folder.

    `settings` are those that `training.settings` declares for the resolver. A corpus may be NAME=PATH, with
    the name of the guidelines that it follows. `report` is given lines about the training, and `notify` what
    the readers of corpora noticed.
    """
    chosen = training_settings(resolver, settings)
    chosen["device"] = chosen["device"] or ("cuda" if torch.cuda.is_available() else "cpu")
    trained = _train_neural if resolver == "neural" else _train_across
    trained(corpora, dev, Path(output), chosen, report, notify)


def _train_neural(
    corpora: Sequence[str], dev: Sequence[str], out: Path, chosen: Mapping[str, Any], report: Report,
    notify: Notify,
) -> None:  # fmt: skip
    """Train a network that resolves within documents."""
    names = [FIRST]
    train, measured = (
        [Annotated(*guided_corpus(path, names, new=True, notify=notify)) for path in paths]
        for paths in (corpora, dev)
    )
    data = TrainingData(
        train,
        measured,
        by_name(documents_at(chosen["entities"], notify)) if chosen["entities"] else {},
        _gap(chosen["gap"]) if chosen["gap"] else None,
        teachers=[Path(folder) for folder in chosen["teacher"]],
        vocabulary=chosen["vocabulary"],
        guidelines=names if len(names) > 1 else [FIRST, "litbank"],
        language=chosen["language"] or "",
    )
    known = {field: chosen[name] for name, field in FIELDS.items()}
    trainer = train_model(
        data, encoder_at(chosen["encoder"]), out,
        Settings(measures=chosen["epochs"], sizes=SIZES, crop=CROP, **known),
        device=chosen["device"], resume=chosen["resume"], report=lambda facts: report(progress_line(facts)),
    )  # fmt: skip
    if trainer.stopping:
        report(f"stopped at step {trainer.state.step}; resume=True goes on")
    elif (out / "encoder.onnx").exists():
        report(f"{out}: dev {trainer.state.best:.2f}; next: call referee.tune()")


def encoder_at(encoder: str | PathLike[str] | None) -> Path:
    """Find an encoder: a folder, or the model of this name, or without either the one that is installed."""
    given = fspath(encoder) if encoder else None
    return Path(given) if given and Path(given).is_dir() else model_named(given).folder


def _gap(path: str | PathLike[str]) -> GapCorpus:
    gap = formats.read(path)
    if not isinstance(gap, GapCorpus):
        raise FormatError(f"{path}: not GAP's texts, gap-development.tsv")
    return gap


def progress_line(facts: Mapping[str, Any]) -> str:
    """Report in a line how the training goes."""
    if facts["event"] == "ready":
        begun = "going on" if facts["step"] else "from the beginning"
        return f"{number_of(facts['train'], 'document')}; {begun}"
    dev = [f"{corpus} {values[0]:.2f}" for corpus, values in facts.items() if isinstance(values, list)]
    best = "  best so far" if facts["best"] else ""
    return (
        f"{facts['at']:7.0f} s  step {facts['step']} of {facts['steps']}  loss {facts['loss']:.3f}  "
        f"dev {', '.join(dev)}{best}"
    )


def _train_across(
    corpora: Sequence[str], dev: Sequence[str], out: Path, chosen: Mapping[str, Any], report: Report,
    notify: Notify,
) -> None:  # fmt: skip
    """Train on one corpus with topics, tune on another, and report what was chosen."""
    if len(corpora) != 1 or len(dev) != 1:
        raise SettingError("resolver='across' is trained on one corpus, and tuned on one dev=")
    train, tuned_on = formats.read(corpora[0]), formats.read(dev[0])
    notify([*train.notices, *tuned_on.notices])
    seed, with_reader = chosen["seed"], not chosen["no_reader"]
    seeds = tuple(range(seed, seed + (1 if with_reader else VOTING)))
    encoder = encoder_at(chosen["encoder"])
    kinds = MENTION_KINDS if chosen["kind"] == "all" else (chosen["kind"],)
    model = train_across(
        train, tuned_on, encoder, out,
        HeadSettings(epochs=chosen["epochs"], seeds=seeds, way=chosen["way"]), report,
        reading=ReaderSettings(seed=seed) if with_reader else None, device=chosen["device"], kinds=kinds,
    )  # fmt: skip
    if with_reader and model.reader is None:
        report(f"{encoder}: its encoder gives no lower states, so there is no reader")
    for kind in kinds:
        settings = model.settings[kind]
        report(f"{out}: {kind}: λ {settings['spans_per_word']}, τ {settings['threshold']}")
