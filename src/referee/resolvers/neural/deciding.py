"""From scores of antecedents to clusters, span by span in the order of the text."""

from __future__ import annotations

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, offsets_of, spread
from referee.resolvers.neural.features import SpanFeatures, WordFeatures

REACH = (
    500  # earlier spans that a span is compared with: bounds time; 250 and 1,000 give the same on OntoGUM dev
)
FEW = 8  # entities that are remembered for each word; texts of OntoGUM are too short to choose it by


class Decisions:
    """The clusters so far. A long text is decided part by part."""

    def __init__(self, threshold: float = 0.0, *, by_entity: bool = True) -> None:
        """Begin with none. `threshold` is what a link must score: more of it links less.

        A span's antecedents are alternatives, so an entity is as likely as its mentions together, which is
        what the network was taught: any of them is right. Otherwise the best single antecedent is chosen.
        """
        self.threshold, self.by_entity = float(np.exp(threshold)), by_entity
        self.clusters = np.zeros(0, np.int64)
        self.scores = np.zeros(0)  # of each span's best antecedent
        self.count = 0

    def decide(self, scores: FloatArray, candidates: IntArray) -> None:
        """Decide for the next spans; candidates are numbers of spans of the whole text.

        >>> entities = Decisions()
        >>> entities.decide(np.array([[-9, -9], [2, -9], [1, 1.5]]), np.array([[0, 0], [0, 0], [0, 1]]))
        >>> entities.clusters.tolist()
        [0, 0, 0]
        """
        begin = self.clusters.size
        self.clusters = np.r_[self.clusters, np.full(len(scores), -1)]
        self.scores = np.r_[self.scores, scores.max(1)]
        weights = np.exp(np.minimum(scores, 50.0))
        hopeful = weights.sum(1) if self.by_entity else weights.max(1, initial=0.0)
        for row in np.flatnonzero(hopeful > self.threshold).tolist():
            antecedent, weight = self._best(weights[row], candidates[row])
            if weight > self.threshold:
                self._link(begin + row, antecedent)

    def _best(self, weights: FloatArray, candidates: IntArray) -> tuple[int, float]:
        """Choose the best antecedent of the best entity, and say how much that entity weighs."""
        if not self.by_entity:
            best = int(weights.argmax())
            return int(candidates[best]), float(weights[best])
        cluster = self.clusters[candidates]
        groups = np.where(cluster < 0, -1 - candidates, cluster)  # a span without an entity is one by itself
        _, inverse = np.unique(groups, return_inverse=True)
        sums = np.bincount(inverse, weights)
        group = int(sums.argmax())
        best = int(np.where(inverse == group, weights, -1.0).argmax())
        return int(candidates[best]), float(sums[group])

    def _link(self, span: int, antecedent: int) -> None:
        if self.clusters[antecedent] < 0:
            self.clusters[antecedent] = self.count
            self.count += 1
        self.clusters[span] = self.clusters[antecedent]


class Memory:
    """Entities that are out of reach: for each word the last spans that had it in their core.

    A name is found again after any number of pages, and at the same cost: only the entities that were last
    called by one of the words at hand are compared, and of those only the last few. Pronouns have no words:
    an entity is not taken up by one after thousands of words.
    """

    def __init__(self, words: WordFeatures, spans: SpanFeatures, likely: BoolArray) -> None:
        """Begin with nothing. Spans that are `likely` mentions are remembered, linked or not."""
        self.likely = likely.tolist()
        core_end = np.minimum(spans.last + 1, words.until[spans.core])
        span, index = spread(spans.core, np.where(spans.pronoun > 0, spans.core, core_end))
        content = words.light[index] == 0
        self.forms = words.form[index[content]].tolist()
        self.begins = offsets_of(span[content], len(spans.core)).tolist()
        self.by_form: dict[int, dict[int, int]] = {}
        self.entered = 0

    def enter(self, clusters: IntArray, before: int) -> None:
        """Remember the spans up to one, with the clusters that they are in."""
        for span in range(self.entered, before):
            cluster = int(clusters[span])
            if cluster < 0 and not self.likely[span]:
                continue
            entity = cluster if cluster >= 0 else -1 - span
            for form in self.forms[self.begins[span] : self.begins[span + 1]]:
                entities = self.by_form.setdefault(form, {})
                entities.pop(entity, None)
                entities[entity] = span
                if len(entities) > FEW:
                    del entities[next(iter(entities))]
        self.entered = max(self.entered, before)

    def recall(self, part: slice) -> IntArray:
        """Name the remembered spans that share a word with some spans at hand."""
        forms = set(self.forms[self.begins[part.start] : self.begins[part.stop]])
        spans = {span for form in forms for span in self.by_form.get(form, {}).values()}
        return np.array(sorted(spans), np.int64)
