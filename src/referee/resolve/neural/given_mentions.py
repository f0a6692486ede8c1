"""Mentions that are given: only to be linked."""

from __future__ import annotations

import numpy as np

from referee.arrays import IntArray
from referee.resolve.neural.forward import LONGEST, Floats, Kept, NumpyHead, gelu

LEAST_GIVEN = -1.0  # by this links of OntoGUM's and LitBank's own mentions both get better
Ends = tuple[IntArray, IntArray]  # the first and the last word of each mention, in the order of the text


def ends_within(given: Ends, own: slice) -> Ends:
    """Take the mentions that begin in a section of a text, counted from its first word; they end with it.

    >>> start, end = ends_within((np.array([1, 4, 6]), np.array([2, 9, 6])), slice(4, 8))
    >>> start.tolist(), end.tolist()
    ([0, 2], [3, 2])
    """
    start, end = given
    here = (start >= own.start) & (start < own.stop)
    return start[here] - own.start, np.minimum(end[here], own.stop - 1) - own.start


def given_spans(head: NumpyHead, states: Floats, start: IntArray, end: IntArray) -> Kept:
    """Score given spans as `NumpyHead.spans` scores all; a longer one counts as one of LONGEST words.

    None scores less than LEAST_GIVEN: that it is a mention is known, though not that it is linked.
    """
    first, last = gelu(head.linear("first", states[start])), gelu(head.linear("last", states[end]))
    size = first.shape[1]
    score = ((first @ head.w["ends.weight"][:size].T) * last).sum(1) / np.float32(size**0.5)
    score += head.linear("first_score", first)[:, 0] + head.linear("last_score", last)[:, 0]
    score += head.w["length.weight"][np.minimum(end - start, LONGEST - 1), 0]
    return Kept(start, end, np.maximum(score, np.float32(LEAST_GIVEN)))
