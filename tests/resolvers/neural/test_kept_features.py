"""What the networks are shown of our fifteen texts, and of some in other languages, stays as it was."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple
from zlib import crc32

import numpy as np
import pytest

import kept
from referee.arrays import FloatArray, IntArray
from referee.model import Text
from referee.resolvers.neural import features as surface
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.neural.deciding import Decisions, Memory
from referee.resolvers.neural.entities import NO_SCORE, Entity, Facts, span_facts
from referee.resolvers.neural.entity_decisions import EntityDecisions, described
from referee.resolvers.neural.features import SpanFeatures, WordFeatures
from stated_texts import TEXTS
from varied_running import RUNNING, Changes

WIDTHS = (0, 1, 2, 3, 4, 5, 7, 8, 14, 15)  # words behind the first of the spans that are looked at
OTHERS = {
    "de": "Die alte Königin Anna sprach mit dem König. „Ich gehe“, sagte sie zu Herrn Müller, „und er "
    "bleibt.“ Müller, der Bruder der Königin, schwieg. Seine Frau und die Kinder sahen ihn an; sie hatten "
    "12 Hunde.",
    "nl": "Koningin Anna sprak met de koning. „Ik ga”, zei ze tegen meneer De Vries. Haar broer en hij "
    "bleven; de kinderen van De Vries zagen hen om 12 uur.",
    "fr": "La reine Anne parla au roi. « Je pars », dit-elle à M. Dupont. Son frère et lui "
    "restèrent, et les enfants les virent.",
}


class Seen(NamedTuple):
    words: list[str]
    described: WordFeatures
    spans: SpanFeatures
    facts: Facts


@cache
def seen(name: str) -> Seen:
    return looked_at(name, OTHERS.get(name) or TEXTS[name])


def looked_at(name: str, running: str) -> Seen:
    language = name if name in OTHERS else "en"
    text = cut_raw(Text(name, (), (), running=running), language)
    words = list(text.words)[:180]
    sentence = np.zeros(text.length, np.int64)
    for number, (start, end) in enumerate(text.sentences):
        sentence[start:end] = number
    speakers = ["Ann", "", "Ben"]
    named = [speakers[number % 3] for number in sentence[:180]] if name == "interview" else []
    columns = surface.describe_words(words, sentence[:180], named, guideline=len(name) % 2, language=language)
    pairs = [
        (start, start + width)
        for start in range(len(words))
        for number, width in enumerate(WIDTHS)
        if (start * 7 + number * 3) % 8 == 0 and start + width < len(words)
    ]
    start, end = np.array(pairs).T
    spans = surface.describe_spans(np, columns, np.r_[0, columns.form.cumsum()], start, end)
    return Seen(words, columns, spans, span_facts(words, columns, spans, language))


NAMES = [*TEXTS, *OTHERS]


def test_words_and_spans() -> None:
    shown = {}
    for name in NAMES:
        words = {key: np.asarray(value) % 997 for key, value in seen(name).described._asdict().items()}
        spans = {key: np.asarray(value) % 997 for key, value in seen(name).spans._asdict().items()}
        shown[name] = [kept.columns(np.array([*table.values()]).T) for table in (words, spans)]
    kept.check("neural_words", shown)


def paired(looked_at: Seen) -> list[list[int]]:
    """Count the values of each feature of some pairs of spans."""
    _, words, spans, _ = looked_at
    content = surface.content_words(words, spans)
    theirs = np.arange(0, len(spans.start), 5)
    ours = np.arange(1, len(spans.start), 8)
    shared = surface.common_words(content, ours, theirs)
    blank = np.zeros((len(spans.start), surface.BUCKETS + 1), np.float32)
    bags = surface.fill_bags(np, words, spans, np.arange(max(WIDTHS) + 1), blank)
    assert (bags[ours] @ bags[theirs].T == shared).all()
    common = surface.Common(shared, content.sizes[ours], content.sizes[theirs])
    one, other = (SpanFeatures(*(column[rows] for column in spans)) for rows in (ours, theirs))
    distance = np.maximum(ours[:, None] - theirs, 0)
    found = surface.describe_pairs(np, one, other, common, distance)
    return [np.bincount(column.ravel() % 211).tolist() for column in found]


def test_pairs() -> None:
    kept.check("neural_pairs", {name: paired(seen(name)) for name in NAMES})


def summed(facts: Facts) -> list[list[list[float]]]:
    return [
        kept.columns(np.array(column))
        for field, column in facts._asdict().items()
        if field not in ("words", "form", "head")
    ]


def test_facts() -> None:
    shown = {}
    for name in NAMES:
        facts = seen(name).facts
        shown[name] = [*summed(facts), sorted({word for content in facts.words for word in content})]
    kept.check("neural_facts", shown)


def drawn(name: str, mentions: int, antecedents: int) -> tuple[FloatArray, IntArray]:
    """Scores for some spans of a text, and the earlier ones that they are with."""
    draw = np.random.default_rng(len(name))
    scores = draw.normal(-1.0, 2.5, (mentions, antecedents))
    candidates = np.array([draw.integers(0, max(1, row), antecedents) for row in range(mentions)])
    scores[candidates >= np.arange(mentions)[:, None]] = NO_SCORE
    scores[0] = NO_SCORE
    return scores, candidates


@pytest.mark.parametrize("by_entity", [True, False])
def test_decisions_by_pairs(by_entity: bool) -> None:
    shown = {}
    for name in NAMES[:6]:
        for threshold in (0.0, 1.5):
            decisions = Decisions(threshold, by_entity=by_entity)
            scores, candidates = drawn(name, 60, 5)
            decisions.decide(scores[:25], candidates[:25])
            decisions.decide(scores[25:], candidates[25:])
            shown[f"{name} {threshold}"] = [decisions.clusters, decisions.scores.sum()]
    kept.check(f"neural_decisions_{'entities' if by_entity else 'pairs'}", shown)


class Judging:
    """Scores an entity by some of what describes it, instead of a network."""

    def scores(self, fits: list[list[float]], alone: list[float]) -> FloatArray:
        table = np.array(fits)
        return np.round(table[:, 0] + table @ np.cos(np.arange(table.shape[1])) / 20 - sum(alone) / 30, 6)


def test_decisions_by_entities() -> None:
    shown = {}
    for name in NAMES:
        facts = seen(name).facts
        count = min(120, len(facts.start))
        scores, candidates = drawn(name, count, 9)
        decisions = EntityDecisions(Judging(), facts, 0.5)  # type: ignore[arg-type]
        for begin in range(0, count, 50):
            decisions.decide(scores[begin : begin + 50], candidates[begin : begin + 50])
        shown[name] = [decisions.clusters, kept.columns(decisions.scores)]
    kept.check("neural_entities", shown)


def fitted(name: str, facts: Facts) -> list[list[list[float]]]:
    scores, candidates = drawn(name, min(120, len(facts.start)), 6)
    decisions = EntityDecisions(Judging(), facts)  # type: ignore[arg-type]
    decisions.clusters = np.array([span % 7 if span % 3 else -1 for span in range(len(facts.start))])
    decisions.entities = [Entity(facts, one) for one in range(7)]
    first = min(60, len(scores) // 2)
    for span in range(7, first):
        if span % 3:
            decisions.entities[span % 7].add(facts, span)
    rows = [
        described(facts, span, decisions.options(candidates[span].tolist(), scores[span].tolist()))
        for span in range(first, len(scores))
    ]
    return [
        kept.columns([fit for fits, _ in rows for fit in fits]),
        kept.columns([alone for _, alone in rows]),
    ]


def test_how_well_mentions_fit_entities() -> None:
    kept.check("neural_fits", {name: fitted(name, seen(name).facts) for name in NAMES})


VARIANTS = 4


@pytest.mark.parametrize("name", RUNNING)
def test_a_text_with_changes_at_random(name: str) -> None:
    """What is known of spans, of pairs and of how they fit entities: the sums that show the order."""
    shown = []
    for number in range(VARIANTS):
        each = looked_at(name, Changes(f"{name} {number}").running(name))
        sums = [weighted for _, weighted in [*summed(each.facts), *fitted(name, each.facts)]]
        shown.append([crc32(repr(paired(each)).encode()), *sums])
    kept.check_one("neural_varied", name, shown)


def test_what_is_remembered_by_words() -> None:
    shown = {}
    for name in NAMES:
        _, words, spans, _ = seen(name)
        count = len(spans.start)
        memory = Memory(words, spans, np.arange(count) % 5 > 0)
        clusters = np.array([span % 4 if span % 3 else -1 for span in range(count)])
        found = []
        for begin in range(40, count, 40):
            memory.enter(clusters, begin - 20)
            found.append(memory.recall(slice(begin, min(begin + 40, count))).tolist())
        shown[name] = found
    kept.check("neural_memory", shown)
