"""The metrics: short pure functions of a contingency table.

A metric *counts*: one row per unit, columns of numerators and denominators. Rows add up, so a corpus is
the sum of its units, and resampling units is a matrix product. A *scale* turns counts into recall,
precision and F1, in that order, for one row or for many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, Numbers, pairs
from referee.metrics.assignment import best_alignment
from referee.metrics.contingency import Contingency

Scale = Callable[[FloatArray], FloatArray]  # counts → recall, precision and F1


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric's name in tables, how it counts, and how its counts become scores."""

    label: str
    count: Callable[[Contingency], FloatArray]
    columns: tuple[str, ...]
    scale: Scale
    before_dropping: bool = False  # counted with the singletons that the other metrics are spared
    other_scales: Mapping[str, Scale] = field(default_factory=dict)  # under other ways of counting, by name

    def scale_under(self, counting: str) -> Scale:
        """Say how counts become scores under a way of counting."""
        return self.other_scales.get(counting, self.scale)


def mentions(t: Contingency) -> FloatArray:
    """Mention detection: distinct mentions that key and response share, whatever their clusters.

    R = |M_K ∩ M_R| / |M_K|, and P = |M_K ∩ M_R| / |M_R|, where M_K and M_R are the mentions of each side.

    A side without mentions scores 0 (0/0 = 0), and a repeated mention counts once.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> mentions(t).tolist()  # 6 of 7, and 6 of 8
    [[6.0, 7.0, 6.0, 8.0]]
    """
    common = t.per_cell(t.owned)
    return counts(common, t.key_mentions, common, t.response_mentions)


def muc(t: Contingency) -> FloatArray:
    """MUC (Vilain et al. 1995): links in common, out of each cluster's spanning tree.

    R = Σᵢ (|Kᵢ| − |p(Kᵢ)|) / Σᵢ (|Kᵢ| − 1), where p(Kᵢ) is the partition of Kᵢ by the response, a missing
    mention being a part of its own. P is the same with key and response exchanged.

    Singletons have no links: they neither help nor hurt, and a unit of singletons scores 0.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> muc(t).tolist()  # (3 − 2) + (4 − 3) links of 2 + 3
    [[2.0, 5.0, 2.0, 5.0]]
    """
    common = t.per_cell(np.maximum(t.owned - 1, 0))
    return counts(common, t.per_key(t.key_sizes - 1), common, t.per_response(t.response_sizes - 1))


def b_cubed(t: Contingency) -> FloatArray:
    """B³ (Bagga & Baldwin 1998): the share of its cluster that each mention finds, averaged over mentions.

    R = Σᵢⱼ |Kᵢ ∩ Rⱼ|² / |Kᵢ|, divided by Σᵢ |Kᵢ|. P is the same with key and response exchanged.

    A twinless mention finds nothing; a right singleton scores in full, so that singletons flatter a system.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> b_cubed(t).round(3).tolist()  # 4/3 + 1/3 + 1/4 + 4/4 of 7
    [[2.917, 7.0, 4.0, 8.0]]
    """
    credit = t.owned * t.distinct
    return counts(
        t.per_cell(credit / t.key_sizes[t.k]),
        t.per_key(t.key_sizes),
        t.per_cell(credit / t.response_sizes[t.r]),
        t.per_response(t.response_sizes),
    )


def b_cubed_entities(t: Contingency) -> FloatArray:
    """B³ with equal weight to each cluster (Baldwin et al. 1998), for retrieval and web search.

    R = Σᵢⱼ |Kᵢ ∩ Rⱼ|² / |Kᵢ|², divided by the number of key clusters. P likewise.

    A large cluster weighs as much as a singleton.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> b_cubed_entities(t).round(3).tolist()  # 5/9 + 5/16 of 2
    [[0.868, 2.0, 1.75, 3.0]]
    """
    credit = t.owned * t.distinct
    return counts(
        t.per_cell(credit / t.key_sizes[t.k] ** 2),
        t.per_key(np.ones_like(t.key_sizes)),
        t.per_cell(credit / t.response_sizes[t.r] ** 2),
        t.per_response(np.ones_like(t.response_sizes)),
    )


def ceaf_m(t: Contingency) -> FloatArray:
    """CEAF with φ₃ (Luo 2005): mentions in common under the best one-to-one alignment of clusters.

    R = Σ φ₃(Kᵢ, R_g(i)) / Σᵢ |Kᵢ| with φ₃ = |Kᵢ ∩ Rⱼ| and g the alignment that makes the sum largest; P
    divides by Σⱼ |Rⱼ|.

    A cluster that is not aligned counts for nothing, however right. With repeated mentions in the key, scores
    above 1 are possible, as in the reference scorer.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> ceaf_m(t).tolist()  # {a b c} and {a b}, {d e f g} and {f g h i}
    [[4.0, 7.0, 4.0, 8.0]]
    """
    common = t.per_cell(t.n * best_alignment(t.k, t.r, t.n))
    return counts(common, t.per_key(t.key_sizes), common, t.per_response(t.response_sizes))


def ceaf_e(t: Contingency) -> FloatArray:
    """CEAF with φ₄ (Luo 2005): Dice overlap under the best one-to-one alignment of clusters.

    R = Σ φ₄(Kᵢ, R_g(i)) / N_K with φ₄ = 2 |Kᵢ ∩ Rⱼ| / (|Kᵢ| + |Rⱼ|), N_K the number of key clusters and g the
    alignment that makes the sum largest; P divides by the number of response clusters.

    A cluster that is not aligned counts for nothing, however right; wrong singletons cost much precision.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> ceaf_e(t).tolist()  # 4/5 + 4/8, of 2 and of 3 clusters
    [[1.3, 2.0, 1.3, 3.0]]
    """
    dice = 2 * t.n / (t.key_sizes[t.k] + t.response_sizes[t.r])
    common = t.per_cell(dice * best_alignment(t.k, t.r, dice))
    return counts(
        common, t.per_key(np.ones_like(t.key_sizes)), common, t.per_response(np.ones_like(t.response_sizes))
    )


def links(t: Contingency) -> FloatArray:
    """Pairwise coreference links: BLANC's first half.

    R = |C_K ∩ C_R| / |C_K|, where C_K and C_R are the pairs of mentions in one cluster; P divides by |C_R|.

    Singletons have no links, and a cluster of n mentions n (n − 1) / 2: large clusters decide.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> links(t).tolist()
    [[2.0, 9.0, 2.0, 8.0]]
    """
    both, key, response = t.links.both_together, t.links.key_together, t.links.response_together
    return counts(both, key, both, response)


def blanc(t: Contingency) -> FloatArray:
    """BLANC (Recasens & Hovy 2011; Luo et al. 2014): links together and links apart, both judged.

    R = (|C_K ∩ C_R| / |C_K| + |N_K ∩ N_R| / |N_K|) / 2, where C are the pairs of mentions in one cluster
    (`links`) and N those in two; P divides by |C_R| and |N_R|, and F1 is the mean of both kinds' F1. The
    columns are the four counts of each kind.

    A kind that the key has none of is left out, whatever the response has, as in the reference scorer. So a
    key of one mention scores 0, and BLANC is not symmetric.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> blanc(t).tolist()
    [[2.0, 9.0, 2.0, 8.0, 8.0, 12.0, 8.0, 20.0]]
    """
    apart = t.links.both_apart
    return np.hstack([links(t), counts(apart, t.links.key_apart, apart, t.links.response_apart)])


def lea(t: Contingency) -> FloatArray:
    """LEA (Moosavi & Strube 2016): the share of its links that each cluster finds, weighted by its size.

    R = Σᵢ |Kᵢ| · (Σⱼ link(Kᵢ ∩ Rⱼ) / link(Kᵢ)) / Σᵢ |Kᵢ| with link(X) = |X| (|X| − 1) / 2; P likewise.

    A cluster of one mention has one link, to itself, and finds it in a cluster of one mention alone.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> lea(t).round(3).tolist()  # 3 · 1/3 + 4 · 1/6 of 7
    [[1.667, 7.0, 2.667, 8.0]]
    """
    found = pairs(t.owned)
    found[(t.key_sizes[t.k] == 1) & (t.response_sizes[t.r] == 1)] = 1

    def resolved(sizes: IntArray, cluster: IntArray) -> FloatArray:
        possible = np.maximum(pairs(sizes), 1)
        return t.per_cell(sizes[cluster] * found / possible[cluster])

    return counts(
        resolved(t.key_sizes, t.k),
        t.per_key(t.key_sizes),
        resolved(t.response_sizes, t.r),
        t.per_response(t.response_sizes),
    )


def counts(*columns: Numbers) -> FloatArray:
    """Put columns of counts side by side."""
    return np.column_stack(columns).astype(np.float64)


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide, with 0/0 = 0; only this function knows that convention."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator != 0)


def _f1(recall: FloatArray, precision: FloatArray) -> FloatArray:
    return _ratio(2 * precision * recall, precision + recall)


def ratios(rows: FloatArray) -> FloatArray:
    """Recall, precision and F1 of rows of four counts."""
    recall = _ratio(rows[..., 0], rows[..., 1])
    precision = _ratio(rows[..., 2], rows[..., 3])
    return np.stack([recall, precision, _f1(recall, precision)], axis=-1)


def mean_of_links(rows: FloatArray) -> FloatArray:
    """BLANC's recall, precision and F1: the mean over both kinds of link.

    The reference scorer leaves out a kind that the *key* has none of, whatever the response has.
    """
    return _mean_of_kinds(rows, rows[..., 1:2] > 0, rows[..., 5:6] > 0)


def mean_of_either(rows: FloatArray) -> FloatArray:
    """BLANC's recall, precision and F1 as the scorers of CorefUD and Universal Anaphora have them.

    They leave out a kind of link only if neither key nor response has any.

    >>> one_entity_of_four_in_two_halves = np.array([2.0, 6, 2, 2, 0, 0, 0, 4])
    >>> mean_of_either(one_entity_of_four_in_two_halves).round(4).tolist()
    [0.1667, 0.5, 0.25]
    """
    has = (rows[..., [1, 5]] > 0) | (rows[..., [3, 7]] > 0)
    return _mean_of_kinds(rows, has[..., :1], has[..., 1:])


def _mean_of_kinds(rows: FloatArray, has_together: BoolArray, has_apart: BoolArray) -> FloatArray:
    together, apart = ratios(rows[..., :4]), ratios(rows[..., 4:])
    kinds = has_together.astype(np.float64) + has_apart
    return _ratio(together * has_together + apart * has_apart, np.broadcast_to(kinds, together.shape))


RECALL_PRECISION = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
BOTH_KINDS = tuple(f"{kind}_{column}" for kind in ("together", "apart") for column in RECALL_PRECISION)

COREFUD = ("crac", "corefud")  # ways of counting that are those of CorefUD
UA, UA_2021 = "ua", "ua-2021"  # those of Universal Anaphora's scorer, version 2 and version 1

METRICS: dict[str, Metric] = {
    "mentions": Metric("Mentions", mentions, RECALL_PRECISION, ratios),
    "muc": Metric("MUC", muc, RECALL_PRECISION, ratios),
    "b_cubed": Metric("B³", b_cubed, RECALL_PRECISION, ratios),
    "ceaf_m": Metric("CEAFm", ceaf_m, RECALL_PRECISION, ratios),
    "ceaf_e": Metric("CEAFe", ceaf_e, RECALL_PRECISION, ratios),
    "blanc": Metric(
        "BLANC",
        blanc,
        BOTH_KINDS,
        mean_of_links,
        other_scales=dict.fromkeys((*COREFUD, UA, UA_2021), mean_of_either),
    ),
    "lea": Metric("LEA", lea, RECALL_PRECISION, ratios),
    "links": Metric("Links", links, RECALL_PRECISION, ratios),
    "b_cubed_entities": Metric("B³ entities", b_cubed_entities, RECALL_PRECISION, ratios),
    "detection": Metric("Mention detection", mentions, RECALL_PRECISION, ratios, before_dropping=True),
}

DEFAULT_METRICS = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
CROSSDOC_METRICS = ("detection", "muc", "b_cubed", "ceaf_e", "lea")  # as in Cattan et al. 2021
CONLL = "conll"  # the CoNLL average is a measure like the metrics, made of three of them
CONLL_METRICS = ("muc", "b_cubed", "ceaf_e")
