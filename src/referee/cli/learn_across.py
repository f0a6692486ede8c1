"""What `referee train --across` does: heads across documents for the encoder of a model's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from referee import formats
from referee.cli.terminal import mention_done, tell
from referee.resolve.across.corpus_resolver import MENTION_KINDS
from referee.resolve.neural.installed import model_named

VOTING = 3  # heads, from as many seeds, where no reader looks again


def learn_across(corpora: Sequence[str], given: Mapping[str, Any]) -> None:
    """Train on one corpus with topics, tune on another, and say what was chosen."""
    if len(corpora) != 1 or len(given["dev"]) != 1:
        raise click.UsageError("across documents give one CORPUS and one --dev")
    from referee.resolve.across.across_training import train_across
    from referee.resolve.across.head_learning import HeadSettings
    from referee.resolve.across.reader_learning import ReaderSettings

    train, dev = formats.read(corpora[0]), formats.read(given["dev"][0])
    tell([*train.notices, *dev.notices])
    voting = VOTING if given["no_reader"] else 1
    seeds = tuple(range(given["seed"], given["seed"] + voting))
    settings = HeadSettings(epochs=given["epochs"], seeds=seeds, way=given["way"])
    reading = None if given["no_reader"] else ReaderSettings(seed=given["seed"])
    out = Path(given["output"])
    encoder = Path(given["encoder"]) if given["encoder"] else model_named(None).folder
    kinds = MENTION_KINDS if given["kind"] == "all" else (given["kind"],)
    model = train_across(
        train, dev, encoder, out, settings, mention_done,
        reading=reading, device=given["device"], kinds=kinds,
    )  # fmt: skip
    if reading and model.reader is None:
        mention_done(f"{encoder}: its encoder gives no lower states, so there is no reader")
    for kind in kinds:
        chosen = model.settings[kind]
        mention_done(f"{out}: {kind}: λ {chosen['kept']}, τ {chosen['threshold']}")
