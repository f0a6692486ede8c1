"""Predicts topics from the texts alone, and scores them against the gold ones.

As in Cattan et al. (2021, §4.2): documents are TF-IDF vectors of uni-, bi- and trigrams, merged by
average-link agglomerative clustering until their cosine similarity falls below a threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referee.exceptions import MissingExtra, RefereeError, SettingError
from referee.matching.units import unit_labels
from referee.metrics.contingency import Contingency
from referee.metrics.standard import b_cubed, ratios
from referee.model import Corpus

SIMILARITY = 0.15  # best V-measure against the subtopics of ECB+ train (0.958; 49 found, 50 there)
NGRAMS = (1, 3)
IN_DOCUMENTS = 2  # an n-gram of one document only makes no two alike
MOST_DOCUMENTS = 20_000  # their similarities fill 3 GiB


@dataclass(frozen=True, slots=True)
class TopicFit:
    """How predicted groups fit gold ones."""

    level: str
    gold: int  # groups
    homogeneity: float
    completeness: float
    v_measure: float
    b_cubed: tuple[float, float, float]  # recall, precision, F1
    majority: Mapping[str, str]  # predicted group → the gold group that most of its documents are of


def predict_topics(corpus: Corpus, similarity: float = SIMILARITY) -> dict[str, str]:
    """Group documents by their words: document → a number, the largest group first."""
    try:
        from sklearn.cluster import AgglomerativeClustering
    except ImportError as error:
        raise MissingExtra("scikit-learn", "crossdoc") from error
    if not 0 <= similarity <= 1:
        raise SettingError(f"a similarity lies between 0 and 1: {similarity}")
    if len(corpus) < 2:
        return dict.fromkeys(corpus.ids, "1")
    clustering = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=1 - similarity
    )
    labels = clustering.fit_predict(_distances(corpus)).tolist()
    largest_first = [label for label, _ in Counter(labels).most_common()]
    names = {label: str(number) for number, label in enumerate(largest_first, start=1)}
    return {id_: names[label] for id_, label in zip(corpus.ids, labels, strict=True)}


def _distances(corpus: Corpus) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """One minus the cosine of each pair of documents."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if len(corpus) > MOST_DOCUMENTS:
        raise RefereeError(f"{corpus.name}: more than {MOST_DOCUMENTS:,} documents; group them part by part")
    texts = [" ".join(corpus.all_words(number)) for number in range(len(corpus))]
    try:
        vectors = TfidfVectorizer(
            ngram_range=NGRAMS, stop_words="english", min_df=IN_DOCUMENTS
        ).fit_transform(texts)
    except ValueError:  # no n-gram is shared, so no document is like another
        return np.ones((len(texts), len(texts))) - np.eye(len(texts))
    cosines: np.ndarray[tuple[int, int], np.dtype[np.float64]] = (vectors @ vectors.T).toarray()
    return np.clip(1 - cosines, 0, 1)


def topic_fit(corpus: Corpus, predicted: Mapping[str, str], level: str) -> TopicFit:
    """Compare predicted groups with the corpus's topics or subtopics: V-measure and B³."""
    from sklearn.metrics import homogeneity_completeness_v_measure

    gold = unit_labels(corpus, level)
    groups = [predicted[id_] for id_ in corpus.ids]
    homogeneity, completeness, v_measure = homogeneity_completeness_v_measure(gold, groups)
    table = Contingency.from_labels(_numbers(gold), _numbers(groups))
    recall, precision, f1 = ratios(b_cubed(table)[0]).tolist()
    pairs = Counter(zip(groups, gold, strict=True))
    majority: dict[str, str] = {}
    for (group, label), _ in pairs.most_common():
        majority.setdefault(group, label)
    return TopicFit(
        level, len(set(gold)), float(homogeneity), float(completeness), float(v_measure),
        (recall, precision, f1), majority,
    )  # fmt: skip


def _numbers(labels: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.unique(np.array(labels), return_inverse=True)[1].astype(np.int64)
