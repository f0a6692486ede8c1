"""Fits a response to the key's tokens where both carry the numbers that their corpus gives to tokens.

Some systems write all sentences of a document, not only the curated ones that the key has. Positions then
differ, but cross-document CoNLL numbers its tokens, so the same ones can be found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention

NUMBERS = "token"  # the layer


def fit(key: Corpus, response: Corpus, pairs: Sequence[tuple[int, int | None]]) -> tuple[Corpus, list[str]]:
    """Move the response's mentions to the key's tokens; those on other tokens are left out and counted."""
    if not (key.cross_document and isinstance(key, DocumentCorpus) and isinstance(response, DocumentCorpus)):
        return response, []
    fitted = list(response.documents)
    outside: Counter[str] = Counter()
    for k, r in pairs:
        if r is not None and _differ(key.documents[k], fitted[r]):
            fitted[r], missed = _fitted(key.documents[k], fitted[r])
            outside[fitted[r].id] += missed
    if not outside:
        return response, []
    moved = DocumentCorpus(fitted, response.name, cross_document=response.cross_document)
    moved.notices = response.notices
    first = next((id_ for id_, count in outside.items() if count), "none")
    return moved, [
        f"{response.name}: {len(outside)} documents have other tokens than the key's and were fitted by the "
        f"tokens' numbers; {outside.total()} mentions outside the key's sentences left out (first in {first})"
    ]


def _differ(key: Document, response: Document) -> bool:
    mine, theirs = key.layers.get(NUMBERS), response.layers.get(NUMBERS)
    return mine is not None and theirs is not None and mine != theirs


def _fitted(key: Document, response: Document) -> tuple[Document, int]:
    """Put a response's mentions on the key's tokens; also count those that do not fit."""
    place = {number: position for position, number in enumerate(key.layers[NUMBERS])}
    position = [place.get(number, -1) for number in response.layers[NUMBERS]]
    clusters = []
    missed = 0
    for cluster in response.clusters:
        moved = [_moved(mention, position) for mention in cluster.mentions]
        kept = tuple(mention for mention in moved if mention)
        missed += len(moved) - len(kept)
        clusters += [Cluster(cluster.id, kept)] * bool(kept)
    return replace(
        response, tokens=key.tokens, sentences=key.sentences, layers=key.layers, clusters=tuple(clusters)
    ), missed


def _moved(mention: Mention, position: Sequence[int]) -> Mention | None:
    spans = []
    for start, end in mention.spans:
        first, last = position[start], position[end - 1]
        if first < 0 or last - first != end - 1 - start or min(position[start:end]) < 0:
            return None
        spans.append((first, last + 1))
    return Mention(tuple(spans))
