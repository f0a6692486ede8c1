"""The order of mentions and entities, which ties in scores depend on, by its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Document, Mention
from referee.matching.corefud.ranked_mentions import RankedMentions, rank_mentions, text_sorted
from referee.matching.text_order import TextOrder
from referee.model import Chains, joined_spans

LENGTH = 7
words = st.sets(st.integers(0, LENGTH - 1), min_size=1, max_size=4)
clusters = st.lists(st.lists(words, min_size=1, max_size=3), max_size=4)
corpora = st.lists(clusters, min_size=1, max_size=3)
Words = tuple[int, ...]


def ranked(corpus: list[list[list[set[int]]]], *, drop: bool) -> tuple[list[Document], RankedMentions]:
    documents = []
    for number, entities in enumerate(corpus):
        made = [
            Cluster(
                str(20 - 3 * n),
                tuple(Mention(joined_spans([(w, w + 1) for w in sorted(some)])) for some in each),
            )
            for n, each in enumerate(entities)
        ]
        documents.append(Document.of(f"d{number}", ("w",) * LENGTH, ((0, LENGTH),), made))
    chains = Chains.of(documents)
    orders = TextOrder.pair((chains.lengths, chains.lengths), ([()] * len(corpus),) * 2, decimal=False)
    ids = [[cluster.id for cluster in document.clusters] for document in documents]
    key, _ = rank_mentions(
        (chains, chains),
        (chains.start, chains.start),
        orders,
        (ids.__getitem__,) * 2,
        with_heads=True,
        drop=drop,
    )
    return documents, key


def covered(mention: Mention) -> Words:
    return tuple(word for span in mention.spans for word in range(*span))


def told(mentions: RankedMentions) -> list[tuple[int, int, Words]]:
    """List document, entity and words of each mention; words count from the beginning of their document."""
    rows = range(mentions.row.size)
    found = [mentions.words.of(np.array([row])).words.tolist() for row in rows]
    return [
        (document, entity, tuple(found[row]))
        for row, document, entity in zip(
            rows, mentions.document.tolist(), mentions.cluster.tolist(), strict=True
        )
    ]


@given(corpora, st.booleans())
def test_entities_come_by_their_first_mentions_and_then_by_their_ids(
    corpus: list[list[list[set[int]]]], drop: bool
) -> None:
    """Of mentions that begin together the longer goes first, then the one that ends first."""
    documents, found = ranked(corpus, drop=drop)
    known = sorted({(n, w) for n, d in enumerate(documents) for m in d.mentions for w in covered(m)})

    def place(number: int, own: Words) -> Any:
        return own[0], -len(own), own[-1], [known.index((number, word)) for word in own]

    expected = []
    for number, document in enumerate(documents):
        entities = [
            (
                sorted(
                    {covered(mention): None for mention in cluster.mentions},
                    key=lambda own: place(number, own)[:3],
                ),
                cluster.id,
            )
            for cluster in document.clusters
        ]
        entities.sort(key=lambda each: (place(number, each[0][0])[:3], each[1]))
        expected += [
            [(number, place(number, own)[3]) for own in some] for some, _ in entities if len(some) > drop
        ]
    listed: dict[int, list[tuple[int, list[int]]]] = {}
    for document_number, entity, own in told(found):
        listed.setdefault(entity, []).append((document_number, [*own]))
    assert [*listed] == [*range(len(listed))]
    assert [*listed.values()] == expected


@given(corpora, st.randoms())
def test_mentions_are_sorted_by_their_place_and_then_by_their_words(
    corpus: list[list[list[set[int]]]], chance: Any
) -> None:
    _, found = ranked(corpus, drop=False)
    chosen = list(range(found.row.size))
    chance.shuffle(chosen)
    own = {number: each for number, (_, _, each) in enumerate(told(found))}
    ordered = text_sorted(found, np.array(chosen, np.int64)).tolist()

    def order(number: int) -> Any:
        each = own[number]
        return found.document[number], each[0], each[-1], len(each), each, found.head[number]

    assert sorted(ordered) == sorted(chosen)
    assert [*map(order, ordered)] == sorted(map(order, chosen))
