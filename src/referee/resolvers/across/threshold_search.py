"""Tries how many spans a model keeps (λ, per word) and when clusters stop merging (τ), on a development part.

Pairs are scored once, for the most spans that are tried; fewer spans are a part of them, and each threshold
is only another clustering. Scored as Cattan et al. (2021) do: by topic, singletons left out. The precision of
links by τ is kept too: by that curve a precision that is asked for becomes a τ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import BoolArray, FloatArray, Grouped, IntArray
from referee.exceptions import ProtocolError
from referee.matching.protocol import Protocol
from referee.matching.units import unit_labels
from referee.model import Corpus
from referee.resolvers.across.constants import MOST
from referee.resolvers.across.linkage import average_linkage
from referee.resolvers.across.mention_table import MentionTable, every_word
from referee.resolvers.across.mentions import AcrossScorer, ComparedMentions
from referee.resolvers.across.model import AcrossModel
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.resolver import AcrossResolver, group_numbers
from referee.resolvers.across.workers import one_blas_thread
from referee.resolvers.neural.models import ACROSS, facts_in, save_facts
from referee.resolvers.precision import PrecisionCurve
from referee.scoring.evaluate import evaluate
from referee.scoring.task import Task

THRESHOLDS = (*(round(0.05 * step, 2) for step in range(1, 20)), 0.98)
SPANS_PER_WORD = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
ROWS = (256, 384, 512)  # subwords that a reader sees together
MOST_PAIRS = 2**26  # of a topic


class Trial(NamedTuple):
    """A choice of λ and τ, and what it scores; λ is None where all mentions that are found or given stay."""

    spans_per_word: float | None
    threshold: float
    conll: float
    precision: float  # of links, by MUC


class _Topic(NamedTuple):
    rows: IntArray
    pairs: RowPairs  # of rows
    scores: FloatArray


def tried(
    resolver: AcrossResolver,
    key: Corpus,
    *,
    given: bool = False,
    spans_per_word: Sequence[float | None] = SPANS_PER_WORD,
    thresholds: Sequence[float] = THRESHOLDS,
    progress: Callable[[int], None] | None = None,
) -> list[Trial]:
    """Score each choice of λ and τ on a key with topics; the best is `best_trial`."""
    key = key.of_kind(resolver.kind)
    labels = unit_labels(key, "topic")
    with one_blas_thread():
        studied = resolver.scorer.study(list(key), every_word(key))
        table = MentionTable.of(studied, resolver.kind, given=given, progress=progress)
        compared = studied.compare(table.arrays)
        topics = list(_scored(resolver, table, compared, dict(zip(key.ids, labels, strict=True))))
    protocol = Protocol(scope="topic", singletons="drop", gaps="fill", kind=resolver.kind)
    trials = []
    for share in (None,) if given else spans_per_word:
        chosen = np.ones(table.size, np.bool_) if share is None else _surest(table, topics, share)
        for threshold in thresholds:
            label = _labels(table.size, topics, chosen, threshold)
            response = table.clustered(label, label >= 0 if given else table.linked(label))
            (result,) = evaluate(Task.of(key, response, protocol=protocol))
            trials.append(Trial(share, threshold, result.conll, result.muc.precision))
    return trials


def has_reader(scorer: AcrossScorer) -> bool:
    """Say whether a model reads passages together."""
    return isinstance(scorer, AcrossModel) and scorer.reader is not None


def best_rows(resolver: AcrossResolver, key: Corpus, **how: Any) -> tuple[int, list[Trial]]:
    """Try how many subwords the reader of a model sees together: the best number, and its trials.

    Of numbers that come to the same, the smallest is the fastest.
    """
    model = resolver.scorer
    if not isinstance(model, AcrossModel) or model.reader is None:
        raise ProtocolError("the model has no reader whose rows could be tried")
    trials = {most: tried(replace(resolver, scorer=model.with_rows(most)), key, **how) for most in ROWS}
    most = max(ROWS, key=lambda each: (best_trial(trials[each]).conll, -each))
    return most, trials[most]


def best_trial(trials: Sequence[Trial]) -> Trial:
    """Choose the trial with the highest score; of equal ones the fewest spans, and the highest threshold."""
    return max(trials, key=lambda trial: (trial.conll, -(trial.spans_per_word or 0), trial.threshold))


def save_trials(
    folder: Path, kind: str, mentions: str, trials: Sequence[Trial], rows: int | None = None
) -> None:
    """Write what was best for a kind into a model's settings; with given mentions, λ stays as it was."""
    best = best_trial(trials)
    settings = facts_in(folder, ACROSS)
    chosen = {"threshold": best.threshold} | (
        {} if best.spans_per_word is None else {"spans_per_word": best.spans_per_word}
    )
    settings[kind] = {**settings.get(kind, {}), **chosen}
    if rows is not None:
        settings["reader"] = {**settings.get("reader", {}), MOST: rows}
    save_facts(folder, settings, ACROSS)
    of_best = [trial for trial in trials if trial.spans_per_word == best.spans_per_word]
    save_precision(folder, kind, mentions, of_best)


def save_precision(folder: Path, kind: str, mentions: str, trials: Sequence[Trial]) -> None:
    """Write the precision of links by τ into a model's settings; the trials have one λ."""
    settings = facts_in(folder, ACROSS)
    curve = PrecisionCurve(
        tuple(trial.threshold for trial in trials), tuple(100 * trial.precision for trial in trials)
    )
    own = settings.get(kind, {})
    settings[kind] = {**own, "precision": {**own.get("precision", {}), mentions: curve.stored()}}
    save_facts(folder, settings, ACROSS)


def _scored(
    resolver: AcrossResolver, table: MentionTable, compared: ComparedMentions, groups: dict[str, str]
) -> Iterator[_Topic]:
    """Score all pairs of each topic."""
    parts = Grouped.of(group_numbers(table.documents, groups)[table.arrays.document])
    for number in range(parts.sizes.size):
        rows = parts[number]
        if rows.size**2 > 2 * MOST_PAIRS:
            raise ProtocolError(f"a topic has {rows.size:,} mentions, too many to compare all; divide it")
        pairs = all_pairs(rows.size)
        scores = resolver.probabilities(compared, RowPairs(rows[pairs.first], rows[pairs.second]))
        yield _Topic(rows, pairs, scores)


def _surest(table: MentionTable, topics: Sequence[_Topic], share: float) -> BoolArray:
    """Choose the mentions that are surest in each topic: so many for each word."""
    chosen = np.zeros(table.size, np.bool_)
    for topic in topics:
        documents = np.unique(table.arrays.document[topic.rows]).tolist()
        count = round(share * sum(table.documents[number].text.length for number in documents))
        chosen[topic.rows[np.argsort(-table.arrays.score[topic.rows], kind="stable")[:count]]] = True
    return chosen


def _labels(size: int, topics: Sequence[_Topic], chosen: BoolArray, threshold: float) -> IntArray:
    """Cluster the chosen mentions of each topic; the others are in none."""
    label = np.full(size, -1)
    before = 0
    for rows, pairs, scores in topics:
        inside = chosen[rows]
        place = np.cumsum(inside) - 1
        both = inside[pairs.first] & inside[pairs.second]
        local = RowPairs(place[pairs.first[both]], place[pairs.second[both]])
        clusters = average_linkage(local, scores[both], int(inside.sum()), threshold)
        label[rows[inside]] = before + clusters
        before += clusters.size
    return label


def with_best(resolver: AcrossResolver, trials: Sequence[Trial]) -> AcrossResolver:
    """Take the best threshold for a resolver."""
    return replace(resolver, threshold=best_trial(trials).threshold)
