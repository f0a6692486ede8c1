"""Chooses examples for a prompt from an annotated corpus, never from the texts that are asked about."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from referee.exceptions import FormatError
from referee.formats.losses import CrossingError
from referee.formats.marked.manifest import digest_of
from referee.llm.instructions import answer_for, renumbered
from referee.matching.pairing import plain_name
from referee.model import Cluster, Corpus, Document, Window, window_spans

LONGEST = 200  # words of an example: its first sentences, so that several cost little
FEWEST = 2  # entities of an example


def chosen_examples(corpus: Corpus, count: int, asked: Corpus, notation: str, *, seed: int) -> list[Document]:
    """Take the beginnings of some documents, drawn by a seed; none has the name or words of one asked about.

    Raises:
        FormatError: If too few documents are left.
    """
    documents = list(corpus)
    # A corpus without clusters of one mention has examples without any, though they are excerpts.
    alone = any(len(cluster.mentions) == 1 for document in documents for cluster in document.clusters)
    fewest = 1 if alone else 2
    known = {plain_name(id_) for id_ in asked.ids} | {digest_of(each.words) for each in asked}
    order = list(range(len(documents)))
    random.Random(seed).shuffle(order)
    found: list[Document] = []
    for document in _excerpts([documents[number] for number in order], known, fewest, notation):
        found.append(document)
        if len(found) == count:
            return found
    raise FormatError(
        f"{corpus.name}: only {len(found)} of its documents can be examples, not {count}: the others are "
        "asked about, or begin with too few entities; give another corpus, or fewer shots="
    )


def _excerpts(
    documents: list[Document], known: Collection[str], fewest: int, notation: str
) -> Iterator[Document]:
    for document in documents:
        if plain_name(document.id) in known or digest_of(document.words) in known or not document.text.length:
            continue
        excerpt = Window.of(document, *window_spans(document.text, LONGEST)[0]).document
        clusters = [Cluster(c.id, c.mentions) for c in excerpt.clusters if len(c.mentions) >= fewest]
        example = Document(excerpt.text, renumbered(clusters))
        if len(clusters) >= FEWEST and _is_writable(example, notation):
            yield example


def _is_writable(document: Document, notation: str) -> bool:
    """Whether no mention crosses another that the notation cannot hold."""
    try:
        answer_for(document, notation)
    except CrossingError:
        return False
    return True
