"""Fits a response to the key's words where it has other sentences beside them.

Some systems write all sentences of a document, not only the curated ones that the key has. The key's
sentences are found among the response's by their words, in order; where that fails, by the numbers that
cross-document CoNLL gives to its tokens.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from referee.display import number_of
from referee.exceptions import FormatError
from referee.matching.pairing import Pair
from referee.model import Corpus, Document, DocumentCorpus, Mention, joined_spans

NUMBERS = "token"  # the layer
OUTSIDE = -1  # the position of a word that the key does not have


def fit(key: Corpus, response: Corpus, pairs: Sequence[Pair]) -> tuple[Corpus, list[str]]:
    """Move the response's mentions to the key's words; those on other words are left out and counted."""
    if not (key.cross_document and isinstance(key, DocumentCorpus) and isinstance(response, DocumentCorpus)):
        return response, []
    documents = list(response.documents)
    outside: Counter[str] = Counter()  # document → mentions on words that the key does not have
    unlike: list[str] = []  # documents whose words are others, and stay where they are
    for k, r in pairs:
        if r is not None and documents[r].words != key.documents[k].words:
            positions = _positions(key.documents[k], documents[r])
            if positions is None:
                unlike.append(documents[r].id)
                continue
            documents[r], missed = _fitted(key.documents[k], documents[r], positions)
            outside[documents[r].id] += missed
    count = f"{response.name}: {number_of(len(unlike), 'document')}"
    notices = [f"{count} with different words from the key (first {id_})" for id_ in unlike[:1]]
    if not outside:
        return response, notices
    moved = DocumentCorpus(documents, response.name, cross_document=response.cross_document)
    moved.notices = response.notices
    first = next((id_ for id_, count in outside.items() if count), "none")
    return moved, [
        *notices,
        f"{response.name}: {number_of(len(outside), 'document')} with words that the key lacks, "
        f"fitted to it; {number_of(outside.total(), 'mention')} outside the key's sentences left out "
        f"(first in {first})",
    ]


def _positions(key: Document, response: Document) -> list[int] | None:
    """Say where each word of the response is in the key; None if that cannot be determined."""
    positions = _by_sentences(key, response)
    if positions is None and NUMBERS in key.layers and NUMBERS in response.layers:
        by_number = {number: position for position, number in enumerate(key.layers[NUMBERS])}
        positions = [by_number.get(number, OUTSIDE) for number in response.layers[NUMBERS]]
    fits = positions is not None and any(
        position != OUTSIDE and key.words[position] == word
        for position, word in zip(positions, response.words, strict=True)
    )
    if not fits and not set(key.words) & set(response.words):
        raise FormatError(
            f"document {response.id}: the response has no word in common with the key: it starts "
            f"'{' '.join(response.words[:5])}', the key '{' '.join(key.words[:5])}'; give the same text"
        )
    return positions if fits else None


def _by_sentences(key: Document, response: Document) -> list[int] | None:
    """Find the key's sentences among the response's, in order; None if one is missing."""
    starts: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for start, end in reversed(response.sentences):
        starts[response.words[start:end]].append(start)
    positions = [OUTSIDE] * len(response.words)
    after = 0
    for start, end in key.sentences:
        candidates = starts[key.words[start:end]]
        while candidates and candidates[-1] < after:
            candidates.pop()
        if not candidates:
            return None
        begin = candidates.pop()
        after = begin + end - start
        positions[begin:after] = range(start, end)
    return positions


def _fitted(key: Document, response: Document, positions: Sequence[int]) -> tuple[Document, int]:
    """Put a response's mentions on the key's words; also count those that do not fit."""
    clusters = []
    missed = 0
    for cluster in response.clusters:
        moved = [_moved(mention, positions) for mention in cluster.mentions]
        fitting = tuple(mention for mention in moved if mention)
        missed += len(moved) - len(fitting)
        clusters += [replace(cluster, mentions=fitting)] * bool(fitting)
    return Document(replace(key.text, id=response.id), tuple(clusters)), missed


def _moved(mention: Mention, positions: Sequence[int]) -> Mention | None:
    spans = []
    for start, end in mention.spans:
        first, last = positions[start], positions[end - 1]
        if min(positions[start:end]) == OUTSIDE or last - first != end - 1 - start:
            return None
        spans.append((first, last + 1))
    return Mention(joined_spans(spans))  # what lay between two of them, the key may not have
