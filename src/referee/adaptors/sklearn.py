"""Coreference metrics as scikit-learn's clustering metrics: labels in, a number out.

Where mentions are given, resolving them is clustering, and any metric scores labels. A number is what
scikit-learn's `make_scorer`, `GridSearchCV` and `cross_val_score` ask for; scikit-learn is not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import ProtocolError, RefereeError, did_you_mean
from referee.metrics.contingency import Contingency
from referee.metrics.standard import CONLL_METRICS, METRICS

CONLL = "conll"
NUMBERS = ("recall", "precision", "f1")


def label_score(
    labels_true: Sequence[Any] | IntArray,
    labels_pred: Sequence[Any] | IntArray,
    *,
    metric: str = CONLL,
    number: str = "f1",
) -> float:
    """Score a clustering of mentions, given the label of each in key and response.

    It is called as scikit-learn's `v_measure_score` is. The samples are the mentions of one document, or of
    one corpus whose clusters run across documents.

    Args:
        labels_true: The key's label of each mention: numbers or strings; equal labels are one cluster.
        labels_pred: The response's label of each mention, likewise. A negative number says that the side
            does not have the mention, as DBSCAN's −1 for noise does.
        metric: A metric of the contingency table, such as `b_cubed`, or `conll`, the CoNLL average.
        number: `recall`, `precision` or `f1`; the CoNLL average has an F1 alone.

    Returns:
        The score, between 0 and 1.

    Raises:
        RefereeError: The two have different lengths.
        ProtocolError: There is no such metric or number.

    Examples:
        >>> label_score(["ann", "ann", "bo"], [1, 1, 1], metric="muc")
        0.6666666666666666
        >>> round(label_score([0, 0, 1, 1], [0, 0, 1, -1]), 4)
        0.7564
    """
    key, response = _numbered(labels_true), _numbered(labels_pred)
    if len(key) != len(response):
        raise RefereeError(
            f"{len(key)} labels of the key, {len(response)} of the response: give equally many"
        )
    if metric != CONLL and metric not in METRICS:
        near = did_you_mean(metric, [CONLL, *METRICS])
        raise ProtocolError(f"labels are scored by {CONLL} or {', '.join(METRICS)}, not '{metric}'{near}")
    if number not in NUMBERS or (metric == CONLL and number != "f1"):
        has = "an f1 alone" if metric == CONLL else ", ".join(NUMBERS)
        raise ProtocolError(f"{metric} has {has}, not '{number}'")
    table = Contingency.from_labels(key, response)
    names = CONLL_METRICS if metric == CONLL else (metric,)
    scores = [METRICS[name].scale(METRICS[name].count(table)[0]) for name in names]
    return float(sum(score[NUMBERS.index(number)] for score in scores) / len(scores))


def label_scorer(metric: str = CONLL, number: str = "f1") -> Callable[[Any, Any, Any], float]:
    """Make a scorer for `GridSearchCV` and `cross_val_score`, as `make_scorer(label_score, …)` does.

    It clusters with `estimator.fit_predict`, which estimators without `predict` have too, such as
    `AgglomerativeClustering`: `make_scorer` alone does not work with them.

    Args:
        metric: As in `label_score`.
        number: As in `label_score`.

    Returns:
        A function of an estimator, samples and the key's labels.
    """

    def scorer(estimator: Any, samples: Any, labels: Any) -> float:
        return label_score(labels, estimator.fit_predict(samples), metric=metric, number=number)

    return scorer


def _numbered(labels: Sequence[Any] | IntArray) -> IntArray:
    """Number the clusters from 0; negative labels stay −1."""
    given = np.asarray(labels)
    if given.ndim != 1:
        raise RefereeError(f"labels are one for each mention, not an array of {given.ndim} dimensions")
    absent = given < 0 if np.issubdtype(given.dtype, np.number) else np.zeros(given.shape, np.bool_)
    numbers = np.unique(given, return_inverse=True)[1].astype(np.int64)
    return np.where(absent, -1, numbers)
