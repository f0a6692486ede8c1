"""What is known of the spans of a short text."""

from __future__ import annotations

import numpy as np

from referee.resolvers.neural.entities import Facts, span_facts
from referee.resolvers.neural.features import describe_spans, describe_words


def facts(text: str, *spans: tuple[int, int], speakers: tuple[str, ...] = ()) -> Facts:
    """Collect it; spans are first and last word."""
    words = text.split()
    described = describe_words(words, np.zeros(len(words), np.int64), speakers)
    start, end = np.array(spans).T
    sums = np.r_[0, described.form.cumsum()]
    return span_facts(words, described, describe_spans(np, described, sums, start, end))
