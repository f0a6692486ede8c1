"""referee.topics: predicted topics, scored against the gold ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee import formats
from referee.crossdoc.predicted_topics import SIMILARITY, TopicFit, predict_topics, topic_fit
from referee.exceptions import ProtocolError, need_package
from referee.model import Corpus


class Topics(dict[str, str]):
    """Document → the topic that was predicted for it. `score` and `link` take it as a scope.

    Attributes:
        fits: How well topics and subtopics were found, where the corpus knows them.

    Examples:
        >>> import referee
        >>> referee.Topics({"a": "1", "b": "1"})["b"]
        '1'
    """

    def __init__(
        self, predicted: dict[str, str], fits: Sequence[TopicFit] = (), notices: Sequence[str] = ()
    ) -> None:
        """Keep topics, how well they were found, and what should be known about how the texts were read."""
        super().__init__(predicted)
        self.fits, self.notices = list(fits), list(notices)


def topics(corpus: Any, *, similarity: float = SIMILARITY) -> Topics:
    """Group documents by their words: TF-IDF of 1- to 3-grams, average-link, cosine.

    Args:
        corpus: A path, a corpus, documents, or what else `read` takes.
        similarity: Stop merging when no two groups are as alike as this.

    Returns:
        The topic of each document; `fits` says how well they were found, where the corpus knows its topics.

    Raises:
        MissingExtra: If scikit-learn is not installed.
        ProtocolError: If the corpus has no documents.

    Examples:
        >>> import referee
        >>> texts = {"a": "rain wind rain storm", "b": "rain wind storm", "c": "goal match goal cup"}
        >>> made = [referee.Document.of(id_, text.split(), [(0, 3)], []) for id_, text in texts.items()]
        >>> found = referee.topics(referee.DocumentCorpus(made, "news"))
        >>> found["a"] == found["b"] != found["c"]
        True
    """
    need_package("sklearn", "crossdoc", "scikit-learn")
    read = corpus if isinstance(corpus, Corpus) else formats.read(corpus)  # whose annotation is not used
    levels = _levels(read)
    predicted = predict_topics(read, similarity)
    return Topics(predicted, [topic_fit(read, predicted, level) for level in levels], read.notices)


def _levels(corpus: Corpus) -> list[str]:
    """Name the gold groupings that a corpus has."""
    known = [corpus.topic_of(number) for number in range(len(corpus))]
    if not known:
        raise ProtocolError(f"{corpus.name}: no documents")
    levels = ["topic"] * all(topic.topic is not None for topic in known)
    return levels + ["subtopic"] * all(topic.subtopic is not None for topic in known)
