"""What a network says of pairs of mentions in documents that it has not seen, for the scorer of entities.

It can be written into a file: networks score documents on one machine, and another one learns from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from referee.arrays import FloatArray, IntArray
from referee.exceptions import FormatError
from referee.formats.io.saving import save_bytes
from referee.language.languages import ENGLISH
from referee.model import Document
from referee.resolvers.neural.cutting import words_of
from referee.resolvers.neural.entities import Facts, span_facts
from referee.resolvers.neural.features import IMPOSSIBLE, describe_spans
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training import constants
from referee.training.data.examples import Example, View, Vocabulary, collate, example_of
from referee.training.networks.resolver import Network, Scored

COLUMNS = ("start", "end", "scores", "candidates")
BEST = 16  # antecedents of a span that remain, where files are to be small


class ScoredPairs(NamedTuple):
    """The spans of a document that may be mentions, and the scores of their pairs, as a network gave them."""

    start: IntArray
    end: IntArray
    scores: FloatArray  # span × candidates; IMPOSSIBLE where there are fewer
    candidates: IntArray  # span × candidates → span


class ScoredDocument(NamedTuple):
    """Spans of a document, their clusters in the key, and what a network says of their pairs."""

    facts: Facts
    key: list[int]  # span → its cluster, 0 for none
    scores: FloatArray
    candidates: IntArray


@torch.no_grad()
def score_pairs(
    network: Network, document: Document, guideline: int, tokenizer: SubwordTokenizer, device: str = "cpu"
) -> ScoredPairs:
    """Ask a network about a document; spans that are likely mentions or have a likely pair remain."""
    network.eval()
    vocabulary = Vocabulary(np.arange(network.encoder.shape.pieces), tokenizer.special_tokens)
    cut = tokenizer.cut(document.words[: document.text.length])
    example = example_of(document, *cut, guideline=guideline)
    return pairs_of(network(collate([example], [View()], vocabulary, device).inputs))


def pairs_of(scored: Scored) -> ScoredPairs:
    """Take the spans that are likely mentions or have a likely pair, and their pairs."""
    given = scored.scores[:, 1:].double(), scored.candidates, scored.mention, *scored.spans[:2]
    scores, candidates, mention, start, end = (column.cpu().numpy() for column in given)
    possible = scores > constants.ENTITY_LOWEST
    used = (mention > 0) | possible.any(1)
    used[candidates[possible]] = True
    numbers = np.cumsum(used) - 1
    scores, candidates = np.where(possible, scores, IMPOSSIBLE), np.where(possible, numbers[candidates], 0)
    return ScoredPairs(start[used], end[used], scores[used], candidates[used])


def best_of(pairs: ScoredPairs, count: int = BEST) -> ScoredPairs:
    """Keep the best antecedents of each span."""
    order = np.argsort(-pairs.scores, axis=1, kind="stable")[:, :count]
    scores = np.take_along_axis(pairs.scores, order, 1)
    return ScoredPairs(pairs.start, pairs.end, scores, np.take_along_axis(pairs.candidates, order, 1))


def scored_document(pairs: ScoredPairs, document: Document, guideline: int) -> ScoredDocument:
    """Put the pairs beside what is known of their spans, and the key."""
    none = np.zeros(0, np.int64)
    example = example_of(document, none, none, guideline=guideline)
    return scored_example(pairs, words_of(document.text), example)


def scored_example(
    pairs: ScoredPairs, words: Sequence[str], example: Example, language: str = ENGLISH
) -> ScoredDocument:
    """Do the same for an example, whose words were described in a language."""
    described = example.columns[0]
    sums = np.r_[0, described.form.cumsum()]
    spans = describe_spans(np, described, sums, pairs.start, pairs.end)
    facts = span_facts(words, described, spans, language)
    clusters = {ends: number for number, cluster in enumerate(example.key, 1) for ends in cluster}
    key = [clusters.get(ends, 0) for ends in zip(facts.start, facts.end, strict=True)]
    return ScoredDocument(facts, key, pairs.scores, pairs.candidates)


def save_pairs(scored: Mapping[str, ScoredPairs], path: Path) -> None:
    """Write the pairs of documents, by the documents' names."""
    from safetensors.numpy import save

    kinds = np.int32, np.int32, np.float16, np.int32
    arrays = {
        f"{name}/{column}": np.ascontiguousarray(values.astype(kind))
        for name, pairs in scored.items()
        for column, values, kind in zip(COLUMNS, pairs, kinds, strict=True)
    }
    save_bytes(path, save(arrays))


def load_pairs(path: Path) -> Iterator[tuple[str, ScoredPairs]]:
    """Read the pairs of documents, and their names."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise FormatError(f"{path}: cannot be read as scores of pairs: {error}; score them anew") from error
    for name in dict.fromkeys(name.rpartition("/")[0] for name in arrays):
        start, end, scores, candidates = (arrays[f"{name}/{column}"] for column in COLUMNS)
        spans = start.astype(np.int64), end.astype(np.int64)
        yield name, ScoredPairs(*spans, scores.astype(np.float64), candidates.astype(np.int64))
