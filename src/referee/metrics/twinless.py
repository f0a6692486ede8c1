"""B³ and CEAF with manipulated mentions, as older papers report them.

A *twinless* mention (the word is Stoyanov et al.'s, 2009) is in the key or in the response, but not in both.
Pradhan et al. (2014, §2) show why these variants mislead; they are here so that old numbers can be compared,
and no protocol uses them unless asked to by name. All are functions of the same table: what they need to know
of twinless mentions is how many a cluster has.

* B³₀ (Stoyanov et al. 2009): twinless response mentions are discarded; twinless key mentions cost recall.
* B³all (Stoyanov et al. 2009): twinless mentions are kept, and each finds itself in its own cluster.
* Rahman & Ng (2009): twinless response mentions that are singletons are removed before B³ and CEAF.
* B³sys and CEAFsys (Cai & Strube 2010): key mentions that the response lacks are added to it as singletons,
  and its twinless singletons are removed; then, for recall, its other twinless mentions are discarded, and
  for precision they are added to the key as singletons.
"""

from __future__ import annotations

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, sums, totals
from referee.metrics.assignment import best_alignment
from referee.metrics.contingency import Contingency
from referee.metrics.standard import RECALL_PRECISION, Metric, ceaf_e, ceaf_m, counts, ratios


def b_cubed_0(t: Contingency) -> FloatArray:
    """B³₀ (Stoyanov et al. 2009): precision over matched mentions alone.

    R is that of B³. P = Σᵢⱼ |Kᵢ ∩ Rⱼ|² / |Rⱼ ∩ M_K|, divided by Σⱼ |Rⱼ ∩ M_K|, M_K being the key's mentions.

    Spurious mentions cost nothing.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> b_cubed_0(t).round(3).tolist()
    [[2.917, 7.0, 5.0, 6.0]]
    """
    matched = _matched_responses(t)
    return counts(
        t.per_cell(t.n**2 / t.key_sizes[t.k]),
        t.per_key(t.key_sizes),
        t.per_cell(t.n**2 / matched[t.r]),
        t.per_response(matched),
    )


def b_cubed_all(t: Contingency) -> FloatArray:
    """B³all (Stoyanov et al. 2009): a twinless mention gets the credit of a cluster that shares itself only.

    R = (Σᵢⱼ |Kᵢ ∩ Rⱼ|² / |Kᵢ| + Σᵢ tᵢ / |Kᵢ|) / Σᵢ |Kᵢ|, where Kᵢ has tᵢ twinless mentions; P likewise.

    A spurious singleton raises precision.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> b_cubed_all(t).round(3).tolist()
    [[3.167, 7.0, 4.5, 8.0]]
    """
    key_alone = t.key_sizes - _matched_keys(t)
    response_alone = t.response_sizes - _matched_responses(t)
    return counts(
        t.per_cell(t.n**2 / t.key_sizes[t.k]) + t.per_key(key_alone / t.key_sizes),
        t.per_key(t.key_sizes),
        t.per_cell(t.n**2 / t.response_sizes[t.r]) + t.per_response(response_alone / t.response_sizes),
        t.per_response(t.response_sizes),
    )


def b_cubed_rahman_ng(t: Contingency) -> FloatArray:
    """B³ without the response's twinless singletons (Rahman & Ng 2009).

    R is that of B³; P divides by Σⱼ |Rⱼ| less the twinless singletons, which earned nothing before either.

    Twinless mentions of larger clusters stay. Without twinless singletons it is B³ itself.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> b_cubed_rahman_ng(t).round(3).tolist()
    [[2.917, 7.0, 4.0, 8.0]]
    """
    return counts(
        t.per_cell(t.n**2 / t.key_sizes[t.k]),
        t.per_key(t.key_sizes),
        t.per_cell(t.n**2 / t.response_sizes[t.r]),
        t.per_response(t.response_sizes - _twinless_singletons(t)),
    )


def ceaf_m_rahman_ng(t: Contingency) -> FloatArray:
    """CEAFm without the response's twinless singletons (Rahman & Ng 2009).

    P divides by Σⱼ |Rⱼ| less the twinless singletons, which are aligned with nothing; all else is CEAFm's.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> ceaf_m_rahman_ng(t).tolist()
    [[4.0, 7.0, 4.0, 8.0]]
    """
    rows = ceaf_m(t)
    rows[:, 3] -= t.per_response(_twinless_singletons(t))
    return rows


def ceaf_e_rahman_ng(t: Contingency) -> FloatArray:
    """CEAFe without the response's twinless singletons (Rahman & Ng 2009).

    P divides by the number of response clusters less the twinless singletons; all else is CEAFe's.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> ceaf_e_rahman_ng(t).tolist()
    [[1.3, 2.0, 1.3, 3.0]]
    """
    rows = ceaf_e(t)
    rows[:, 3] -= t.per_response(_twinless_singletons(t))
    return rows


def b_cubed_sys(t: Contingency) -> FloatArray:
    """B³sys (Cai & Strube 2010): each side's missing mentions are singletons on the other.

    R is that of B³all. P = (Σᵢⱼ |Kᵢ ∩ Rⱼ|² / |Rⱼ| + Σⱼ tⱼ / |Rⱼ| + m) / (Σⱼ |Rⱼ| + m), where Rⱼ has tⱼ
    twinless mentions and m mentions of the key are missing; the response's twinless singletons are removed
    first.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> b_cubed_sys(t).round(3).tolist()
    [[3.167, 7.0, 5.5, 9.0]]
    """
    key_alone = t.key_sizes - _matched_keys(t)
    response_alone = _kept_twinless(t)
    return counts(
        t.per_cell(t.n**2 / t.key_sizes[t.k]) + t.per_key(key_alone / t.key_sizes),
        t.per_key(t.key_sizes),
        # A key mention that was added to the response is a cluster of its own there, and wholly right.
        t.per_cell(t.n**2 / t.response_sizes[t.r])
        + t.per_response(response_alone / t.response_sizes)
        + t.per_key(key_alone),
        t.per_response(_matched_responses(t) + response_alone) + t.per_key(key_alone),
    )


def ceaf_m_sys(t: Contingency) -> FloatArray:
    """CEAFsys with φ₃ (Cai & Strube 2010): the assignment may use the added singletons as well.

    For recall, missing key mentions are singletons of the response, and its twinless mentions are discarded;
    for precision these are singletons of the key. The denominators are the mentions of each side then.

    >>> t = Contingency.from_labels([0, 0, 0, 1, 1, 1, 1, -1, -1], [0, 0, 1, 1, -1, 2, 2, 2, 2])
    >>> ceaf_m_sys(t).tolist()
    [[4.0, 7.0, 4.0, 9.0]]
    """
    key_alone = t.key_sizes - _matched_keys(t)
    response_alone = _kept_twinless(t)
    recall = _aligned(t, key_alone, np.zeros_like(response_alone))
    precision = _aligned(t, key_alone, response_alone)
    responses = t.per_response(_matched_responses(t) + response_alone) + t.per_key(key_alone)
    return counts(recall, t.per_key(t.key_sizes), precision, responses)


def _aligned(t: Contingency, key_alone: IntArray, response_alone: IntArray) -> FloatArray:
    """Align the partitions with singletons added: one of each cluster's is enough, for the rest are alike."""
    added_to_response = np.flatnonzero(key_alone)
    added_to_key = np.flatnonzero(response_alone)
    k = np.concatenate([t.k, added_to_response, t.key_sizes.size + np.arange(added_to_key.size)])
    r = np.concatenate([t.r, t.response_sizes.size + np.arange(added_to_response.size), added_to_key])
    worth = np.concatenate([t.n, np.ones(added_to_response.size + added_to_key.size, np.int64)])
    unit = np.concatenate([t.key_unit[t.k], t.key_unit[added_to_response], t.response_unit[added_to_key]])
    return totals(unit, worth * best_alignment(k, r, worth), t.units)


def _matched_keys(t: Contingency) -> IntArray:
    return sums(t.k, t.n, t.key_sizes.size)


def _matched_responses(t: Contingency) -> IntArray:
    return sums(t.r, t.n, t.response_sizes.size)


def _twinless_singletons(t: Contingency) -> IntArray:
    alone: BoolArray = (t.response_sizes == 1) & (_matched_responses(t) == 0)
    return alone.astype(np.int64)


def _kept_twinless(t: Contingency) -> IntArray:
    """Count each response cluster's twinless mentions, those of singletons left out."""
    return t.response_sizes - _matched_responses(t) - _twinless_singletons(t)


TWINLESS: dict[str, Metric] = {
    "b_cubed_0": Metric("B³₀", b_cubed_0, RECALL_PRECISION, ratios),
    "b_cubed_all": Metric("B³all", b_cubed_all, RECALL_PRECISION, ratios),
    "b_cubed_rahman_ng": Metric("B³ R&N", b_cubed_rahman_ng, RECALL_PRECISION, ratios),
    "ceaf_m_rahman_ng": Metric("CEAFm R&N", ceaf_m_rahman_ng, RECALL_PRECISION, ratios),
    "ceaf_e_rahman_ng": Metric("CEAFe R&N", ceaf_e_rahman_ng, RECALL_PRECISION, ratios),
    "b_cubed_sys": Metric("B³sys", b_cubed_sys, RECALL_PRECISION, ratios),
    "ceaf_m_sys": Metric("CEAFsys", ceaf_m_sys, RECALL_PRECISION, ratios),
}
