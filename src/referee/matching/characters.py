"""Compares key and response that have different words by their characters that are not white space.

Equal mentions are then recognised by their characters. Everything after that needs one text, the key's,
so the response's mentions are also given in the key's words that cover them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from referee.arrays import IntArray
from referee.model import UNKNOWN, Chains, Corpus, RowSpans, Span, joined_spans, word_edges

Edges = Sequence[IntArray]  # document → characters before each of its words, and in all
Move = Callable[[int, int, int], Span]  # document, start, end → where that is


def edges_of(corpus: Corpus, numbers: Sequence[int | None]) -> list[IntArray]:
    """Count the characters of some documents, word by word; a missing one has none."""
    nothing = np.zeros(1, np.int64)
    return [nothing if number is None else word_edges(corpus.document(number).text) for number in numbers]


def chains_in_characters(chains: Chains, edges: Edges) -> Chains:
    """Tell mentions in characters. A span is never shorter than one, even if its words are empty."""

    def moved(document: int, start: int, end: int) -> tuple[int, int]:
        first, last = edges[document][start], edges[document][end]
        return int(first), max(int(last), int(first) + 1)

    written = chains.lengths.tolist()  # zeros come after these
    totals = np.array([ends[length] for ends, length in zip(edges, written, strict=True)], np.int64)
    lengths = np.where(chains.lengths == UNKNOWN, UNKNOWN, totals)
    return replace(_moved(chains, moved), lengths=lengths)


def in_words(chains: Chains, edges: Edges) -> Chains:
    """Tell mentions, given in characters, in the words that cover them."""

    def moved(document: int, start: int, end: int) -> tuple[int, int]:
        first = int(np.searchsorted(edges[document], start, side="right")) - 1
        last = int(np.searchsorted(edges[document], end - 1, side="right"))
        words = edges[document].size - 1
        first = min(max(first, 0), max(words - 1, 0))
        return first, max(min(last, words), first + 1)

    return replace(_moved(chains, moved), minimums=RowSpans.of({}))


def _moved(chains: Chains, move: Move) -> Chains:
    """Move every span of every mention; spans of one mention that then touch become one."""
    documents = chains.document.tolist()
    several = chains.parts.by_row()
    spans = [
        joined_spans([move(document, *span) for span in several.get(row, (whole,))])
        for row, (document, whole) in enumerate(
            zip(documents, zip(chains.start.tolist(), chains.end.tolist(), strict=True), strict=True)
        )
    ]
    minimums = {
        row: joined_spans([move(documents[row], *span) for span in some])
        for row, some in chains.minimums.by_row().items()
    }
    return replace(
        chains,
        start=np.array([some[0][0] for some in spans], np.int64),
        end=np.array([some[-1][1] for some in spans], np.int64),
        parts=RowSpans.of({row: some for row, some in enumerate(spans) if len(some) > 1}),
        minimums=RowSpans.of(minimums),
        head=None,
    )
