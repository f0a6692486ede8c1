"""From a corpus with topics to a model across documents: heads for an encoder that stays as it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from referee.model import Corpus
from referee.resolve.across.across_head import LINKED_KINDS, AcrossHead
from referee.resolve.across.corpus_resolver import MENTION_KINDS, AcrossResolver
from referee.resolve.across.head_learning import USUAL, HeadSettings, as_heads, save_heads, train_heads
from referee.resolve.across.model import AcrossModel, word_states
from referee.resolve.across.threshold_search import best_trial, tried
from referee.resolve.across.topic_material import no_shared_topics, topic_materials
from referee.resolve.neural.installed import FILES
from referee.resolve.neural.running import Model

LEAST = 0.3  # the probability of a mention
KEPT = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
BEGUN = {"least": LEAST, "kept": max(KEPT), "threshold": 0.4}  # before anything is tuned


def train_across(
    train: Corpus,
    dev: Corpus,
    folder: Path,
    out: Path,
    settings: HeadSettings = USUAL,
    say: Callable[[str], None] | None = None,
) -> AcrossModel:
    """Train heads for the encoder of a model within documents, tune λ and τ on dev, and save all in `out`."""
    no_shared_topics(train, dev)
    model = Model(folder)
    topics = topic_materials(train, lambda text: word_states(model, text))
    networks = train_heads(topics, settings, say)
    tuned = tune_across(model, as_heads(networks), dev)
    out.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if out.resolve() != folder.resolve():
            shutil.copyfile(folder / name, out / name)
    save_heads(out, networks, tuned.settings)
    return tuned


def tune_across(model: Model, heads: list[AcrossHead], dev: Corpus) -> AcrossModel:
    """Choose how many mentions are kept and when merging stops, for each kind, by mentions that are found."""
    settings = {kind: dict(BEGUN) for kind in MENTION_KINDS}
    for kind in MENTION_KINDS:
        resolver = AcrossResolver(AcrossModel.of(model, heads, settings), kind)
        shares = KEPT if kind in LINKED_KINDS else (2 * max(KEPT),)  # of both kinds, what each has kept
        best = best_trial(tried(resolver, dev, kept=shares))
        settings[kind] |= {"kept": best.kept or max(KEPT), "threshold": best.threshold}
    return AcrossModel.of(model, heads, settings)
