"""Labels of mentions as scikit-learn has them, scored by coreference metrics."""

from __future__ import annotations

import numpy as np
import pytest

import referee
from referee.adaptors.sklearn import label_score, label_scorer
from referee.exceptions import ProtocolError, RefereeError
from referee.metrics.standard import METRICS

KEY, RESPONSE = ["a", "a", "a", "b", "b", "b", "b"], [0, 0, 1, 1, -1, 2, 2]


def clusters(labels: list[str] | list[int]) -> list[list[int]]:
    known = sorted({label for label in labels if label != -1}, key=str)
    return [[number for number, label in enumerate(labels) if label == name] for name in known]


@pytest.mark.parametrize("metric", [*METRICS, "conll"])
def test_labels_score_as_clusters(metric: str) -> None:
    result = referee.score(clusters(KEY), clusters(RESPONSE), metric=list(METRICS))
    if metric == "conll":
        assert label_score(KEY, RESPONSE) == result.conll
        return
    for number in ("recall", "precision", "f1"):
        assert label_score(KEY, RESPONSE, metric=metric, number=number) == getattr(result[metric], number)


def test_what_cannot_be_scored_is_said() -> None:
    with pytest.raises(RefereeError, match="7 labels of the key, 1 of the response"):
        label_score(KEY, [1])
    with pytest.raises(ProtocolError, match=r"not 'b_cubd'; did you mean b_cubed\?"):
        label_score(KEY, RESPONSE, metric="b_cubd")
    with pytest.raises(ProtocolError, match="conll has an f1 alone, not 'recall'"):
        label_score(KEY, RESPONSE, number="recall")
    with pytest.raises(RefereeError, match="2 dimensions"):
        label_score([[1, 2]], [[1, 2]])


def test_with_scikit_learn() -> None:
    pytest.importorskip("sklearn")
    from sklearn.cluster import AgglomerativeClustering, KMeans
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import GridSearchCV

    spread = np.random.default_rng(1)
    samples = np.concatenate([centre + spread.normal(0, 0.1, (20, 2)) for centre in (0, 5, 10)])
    labels = np.repeat(["ann", "bo", "cy"], 20)
    kmeans = KMeans(3, n_init=3, random_state=1).fit(samples)
    assert make_scorer(label_score, metric="b_cubed")(kmeans, samples, labels) == 1
    everything = [(np.arange(60), np.arange(60))]
    search = GridSearchCV(
        AgglomerativeClustering(), {"n_clusters": [2, 3, 5]}, scoring=label_scorer("lea"), cv=everything
    ).fit(samples, labels)
    assert (search.best_params_, search.best_score_) == ({"n_clusters": 3}, 1)
