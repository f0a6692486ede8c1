"""Tuning: what a link must score, which spans are candidates, and what scores are worth, chosen on dev.

It needs no torch: the encoder runs once over dev, and everything after it again for each setting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import ProtocolError
from referee.model import Document
from referee.resolvers.neural import FOUND, GOLD
from referee.resolvers.neural.calibration import Reliability, reliability
from referee.resolvers.neural.cutting import sentence_numbers, speakers_of, words_of
from referee.resolvers.neural.models import add_facts, guidelines_of
from referee.resolvers.neural.neural import ends_of, visible_mentions
from referee.resolvers.neural.running import Linked, Model
from referee.resolvers.precision import PrecisionCurve
from referee.scoring.scorer import Scorer

THRESHOLDS = tuple(step / 4 for step in range(-12, 13))
MENTION_THRESHOLDS = (-7.0, -5.0, -4.0, -3.0, -2.0, -1.0)
SPANS_PER_WORD = (0.2, 0.25, 0.3, 0.4)
COARSE = THRESHOLDS[::2]
TRIALS = len(THRESHOLDS) + len(COARSE) + len(MENTION_THRESHOLDS) + len(SPANS_PER_WORD)
# For a precision that is asked for: MUC precision goes from 57 to 98 on OntoGUM dev.
PRECISION_THRESHOLDS = tuple(map(float, range(-6, 11)))
TOLERANCE = 0.0005  # of CoNLL that may be lost for fewer candidates: they cost time
NEARER = 0.002  # of CoNLL that may be lost for a threshold nearer to that of all texts: dev is small
MIN_SCORES = 20  # scores to calibrate by


Clusters = list[list[tuple[int, int]]]


Curves = Mapping[str, Mapping[str, PrecisionCurve]]  # guidelines → mentions, predicted or gold → curve


class DevText(NamedTuple):
    """A document with its key, and the number of the guidelines that it follows."""

    document: Document
    guideline: int = 0


class Knobs(NamedTuple):
    """What a link and a candidate must score, and how many candidates there are for each word."""

    threshold: float
    mention_threshold: float
    spans_per_word: float


class Point(NamedTuple):
    """Scores on dev with some knobs: recall and precision are means over MUC, B³ and CEAF-e.

    `by_guideline` is the CoNLL score of the texts of each guideline by itself.
    """

    knobs: Knobs
    recall: float
    precision: float
    conll: float
    by_guideline: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was chosen: the knobs, the curve of what a link must score, and how reliable scores are.

    `thresholds` are what a link must score by each guidelines, if there are several. `precision` are the
    curves by which a precision that is asked for becomes a threshold.
    """

    before: Point
    chosen: Point
    curve: tuple[Point, ...]
    reliabilities: Mapping[str, Reliability]
    precision: Curves
    thresholds: Mapping[str, float]

    def facts(self) -> dict[str, Any]:
        """Give what is written into the model."""
        scalings = {kind: known.scaling._asdict() for kind, known in self.reliabilities.items()}
        facts = {**self.chosen.knobs._asdict(), "calibration": scalings, **curve_facts(self.precision)}
        return facts | {"thresholds": dict(self.thresholds)}


def curve_facts(curves: Curves) -> dict[str, Any]:
    """Give precision curves as they are written into the model."""
    stored = {
        guidelines: {mentions: curve.stored() for mentions, curve in by_mentions.items()}
        for guidelines, by_mentions in curves.items()
    }
    return {"precision": stored}


class Remembering:
    """A session that computes nothing twice."""

    def __init__(self, session: Any) -> None:
        """Begin with nothing."""
        self.session = session
        self.known: dict[bytes, Any] = {}

    def run(self, outputs: Any, given: Mapping[str, Any]) -> Any:
        """Run, or remember what came out."""
        key = b"".join(array.tobytes() + bytes(str(array.shape), "ascii") for array in given.values())
        if key not in self.known:
            self.known[key] = self.session.run(outputs, given)
        return self.known[key]


class Tuner:
    """A model and the texts that it is tuned on."""

    def __init__(self, folder: Path, texts: Sequence[DevText], threads: int = 0) -> None:
        """Open the model."""
        self.folder = folder
        self.texts = [text for text in texts if text.document.text.length]
        if not any(key_of(text.document) for text in self.texts):
            raise ProtocolError("there are no two mentions of one entity to tune on; give dev=… with a key")
        self.model = Model(folder, threads)
        self.model.session = Remembering(self.model.session)

    @property
    def knobs(self) -> Knobs:
        """Those that the model has now."""
        about = self.model.about
        return Knobs(about.get("threshold", 0.0), about["mention_threshold"], about["spans_per_word"])

    def resolve(self, knobs: Knobs) -> list[Linked]:
        """Resolve all texts with some knobs."""
        self._take(knobs)
        return [self._linked(text, knobs.threshold) for text in self.texts]

    def _take(self, knobs: Knobs) -> None:
        self.model.about["mention_threshold"] = knobs.mention_threshold
        self.model.head.spans_per_word = knobs.spans_per_word

    def _linked(self, text: DevText, threshold: float, mentions: str = FOUND) -> Linked:
        document = text.document
        words = words_of(document.text)
        known = sentence_numbers(document.text), speakers_of(document.text)
        given = ends_of(visible_mentions(document)) if mentions == GOLD else None
        return self.model.resolve(words, *known, guideline=text.guideline, threshold=threshold, given=given)

    def point(self, knobs: Knobs) -> Point:
        """Score some knobs."""
        scorer, own = Scorer(), {text.guideline: Scorer() for text in self.texts}
        for text, linked in zip(self.texts, self.resolve(knobs), strict=True):
            for each in (scorer, own[text.guideline]):
                each.update(key_of(text.document), linked_spans(linked))
        result = scorer.compute()
        three = (result.muc, result.b_cubed, result.ceaf_e)
        recall, precision = (
            sum(getattr(score, name) for score in three) / 3 for name in ("recall", "precision")
        )
        by_guideline = {number: each.compute().conll for number, each in sorted(own.items())}
        return Point(knobs, recall, precision, result.conll, by_guideline)

    def tune(self, advance: Callable[[int], None] = lambda _: None) -> Tuned:
        """Choose one knob after the other, and fit the calibration to what then comes out."""

        def points(several: Iterable[Knobs]) -> list[Point]:
            scored = []
            for knobs in several:
                scored.append(self.point(knobs))
                advance(1)
            return scored

        before = self.point(self.knobs)
        best = max(points(before.knobs._replace(threshold=threshold) for threshold in COARSE), key=_conll)
        for name, choices in (
            ("mention_threshold", MENTION_THRESHOLDS[::-1]),
            ("spans_per_word", SPANS_PER_WORD),
        ):
            tried = points(best.knobs._replace(**{name: choice}) for choice in choices)
            enough = max(max(tried, key=_conll).conll, best.conll) - TOLERANCE
            best = next((point for point in tried if point.conll >= enough), best)
        curve = tuple(points(best.knobs._replace(threshold=threshold) for threshold in THRESHOLDS))
        best = max((*curve, best), key=_conll)
        reliabilities, precision = self.reliabilities(best.knobs), self.precision_curves(best.knobs)
        return Tuned(before, best, curve, reliabilities, precision, self.thresholds(curve, best))

    def thresholds(self, curve: Sequence[Point], common: Point) -> dict[str, float]:
        """Choose what a link must score by each guidelines, if there are texts of several.

        Of those that are nearly as good as the best, the one nearest to that of all texts is taken.
        """
        names, numbers = guidelines_of(self.model.about), sorted({text.guideline for text in self.texts})
        if len(numbers) == 1:
            return {}

        def chosen(number: int) -> float:
            enough = max(point.by_guideline[number] for point in curve) - NEARER
            good = (point.knobs.threshold for point in curve if point.by_guideline[number] >= enough)
            return min(good, key=lambda threshold: abs(threshold - common.knobs.threshold))

        return {names[number]: chosen(number) for number in numbers}

    def precision_curves(self, knobs: Knobs) -> Curves:
        """Measure how precise links are by threshold, for each guidelines that have texts."""
        self._take(knobs)
        names = guidelines_of(self.model.about)
        numbers = sorted({text.guideline for text in self.texts})
        return {
            names[number]: {mentions: self._precision_curve(number, mentions) for mentions in (FOUND, GOLD)}
            for number in numbers
        }

    def _precision_curve(self, guideline: int, mentions: str) -> PrecisionCurve:
        texts = [text for text in self.texts if text.guideline == guideline]
        if mentions == GOLD:
            texts = [text for text in texts if visible_mentions(text.document)]
        precision: list[float] = []
        for threshold in PRECISION_THRESHOLDS:
            scorer = Scorer()
            for text in texts:
                linked = self._linked(text, threshold, mentions)
                scorer.update(key_of(text.document), linked_spans(linked))
            muc = scorer.compute().muc
            if precision and not muc.precision:
                break  # nothing is linked any more, and nothing will be by higher thresholds
            precision.append(100 * muc.precision)
        return PrecisionCurve(PRECISION_THRESHOLDS[: len(precision)], tuple(precision))

    def reliabilities(self, knobs: Knobs) -> dict[str, Reliability]:
        """Compare scores of links and mentions with the key."""
        seen: dict[str, list[tuple[float, int, int]]] = {}
        for number, (text, linked) in enumerate(zip(self.texts, self.resolve(knobs), strict=True)):
            for kind, score, right in judged_scores(linked, key_of(text.document)):
                seen.setdefault(kind, []).append((score, right, number))
        known = {}
        for kind, rows in seen.items():
            scores = np.array([score for score, _, _ in rows])
            truth, documents = np.array([row[1:] for row in rows], np.int64).T
            if len(rows) >= MIN_SCORES and 0 < truth.sum() < truth.size:
                known[kind] = reliability(scores, truth, documents)
        return known

    def save(self, facts: Mapping[str, Any]) -> None:
        """Write what was chosen or measured into the model's facts."""
        add_facts(self.folder, facts)


def _conll(point: Point) -> tuple[float, float]:
    """Compare points by CoNLL; of equal ones the threshold nearest to what was learnt is the better."""
    return point.conll, -abs(point.knobs.threshold)


def key_of(document: Document) -> Clusters:
    """Give the clusters of two mentions and more, first and last word."""
    clusters = [
        [(mention.start, mention.end - 1) for mention in dict.fromkeys(cluster.mentions)]
        for cluster in document.clusters
    ]
    return [cluster for cluster in clusters if len(cluster) > 1]


def linked_spans(linked: Linked) -> Clusters:
    """Give the clusters of a response in the same form."""
    clusters: dict[int, list[tuple[int, int]]] = {}
    for start, end, cluster in zip(*(column.tolist() for column in linked[:3]), strict=True):
        clusters.setdefault(cluster, []).append((start, end))
    return list(clusters.values())


def judged_scores(linked: Linked, key: Clusters) -> Iterable[tuple[str, float, int]]:
    """Say of each link and mention what it scores and whether it is right.

    A link is right if an earlier mention of its cluster is of the same entity in the key.
    """
    entity = {span: number for number, cluster in enumerate(key) for span in cluster}
    columns = linked._asdict()
    mentions = columns.get("mention")
    before: dict[int, set[int | None]] = {}
    rows: tuple[IntArray, ...] = (linked.start, linked.end, linked.cluster)
    for index, (start, end, cluster) in enumerate(zip(*(row.tolist() for row in rows), strict=True)):
        named = entity.get((start, end))
        earlier = before.setdefault(cluster, set())
        if earlier:
            yield "link", float(linked.score[index]), int(named is not None and named in earlier)
        if mentions is not None:
            yield "mention", float(mentions[index]), int(named is not None)
        earlier.add(named)
