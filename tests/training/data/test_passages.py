"""Material of a reader: which passages are paired, which mentions of theirs, and where those are."""

from __future__ import annotations

import numpy as np

from referee.model import Cluster, Document, DocumentCorpus, Mention, Text
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import describe_mentions
from referee.resolvers.across.similarity import CorpusSimilarity
from referee.training.data.passages import PassagePairs, annotated_texts, passage_pairs, with_inputs
from three_topics import ThreeTopics
from told_by_context import HashedStates

LINES = {
    "1": ("storm", "The storm hit Nashville . Rain fell for days ."),
    "2": ("storm", "A storm hit Nashville . Schools were closed ."),
    "3": ("storm", "Rain fell on Memphis . Schools were open ."),
    "4": ("fire", "The storm hit Nashville . Rain fell for days ."),
}
KEY: dict[str, list[tuple[str, int, int]]] = {
    "1": [("event hit", 2, 3), ("entity city", 3, 4), ("event rain", 5, 7), ("entity days", 3, 9)],
    "2": [("event hit", 2, 3), ("entity city", 3, 4)],
    "3": [("event rain", 0, 2), ("entity other", 3, 4)],
    "4": [("event hit", 2, 3)],
}


def key() -> DocumentCorpus:
    documents = []
    for id_, (topic, line) in LINES.items():
        words = line.split()
        clusters = [Cluster(name, (Mention.at(start, end),)) for name, start, end in KEY[id_]]
        document = Document.of(id_, tuple(words), ((0, 5), (5, len(words))), (), topic=topic)
        documents.append(Document(document.text, tuple(clusters)))
    return ThreeTopics(documents, "made", cross_document=True)


def by_sentence(text: Text) -> list[tuple[int, int]]:
    return list(text.stretches)


def made(near: int = 9) -> PassagePairs:
    known, told = annotated_texts(key())
    return passage_pairs(known, told, by_sentence, near)


def words_of(pairs: PassagePairs, mention: int) -> str:
    located = pairs.mentions.located
    text = list(LINES.values())[located.document[mention]][1].split()
    return " ".join(text[located.start[mention] : located.end[mention]])


def test_all_passages_of_a_topic_are_paired_and_none_of_two_topics() -> None:
    pairs = made()
    assert len(pairs.passages) == 8
    listed = [*zip(pairs.near.first.tolist(), pairs.near.second.tolist(), strict=True)]
    storms = [(a, b) for a in range(6) for b in range(a, 6)]
    assert listed == sorted([*storms, (6, 6), (6, 7), (7, 7)])


def test_few_neighbours_are_the_most_alike() -> None:
    pairs = made(near=1)
    listed = {*zip(pairs.near.first.tolist(), pairs.near.second.tolist(), strict=True)}
    assert {(a, a) for a in range(8)} <= listed
    assert {(0, 2), (3, 5)} <= listed  # the storm that hit Nashville, and schools
    assert (0, 5) not in listed
    assert (2, 3) not in listed  # of one text, without a word in common


def test_a_mention_of_two_passages_is_in_none() -> None:
    pairs = made()
    assert sorted(words_of(pairs, number) for number in range(pairs.home.size)) == sorted(
        ["hit", "Nashville", "Rain fell", "hit", "Nashville", "Rain fell", "Memphis", "hit"]
    )
    for number, home in enumerate(pairs.home.tolist()):
        passage = pairs.passages[home]
        assert passage.text == pairs.mentions.located.document[number]
        assert passage.start <= pairs.mentions.located.start[number] < passage.end


def test_mentions_of_one_kind_are_compared_and_known_to_be_the_same_or_not() -> None:
    pairs = made()
    kind, meant = pairs.mentions.kind, pairs.mentions.meant
    assert (kind[pairs.pairs.first] == kind[pairs.pairs.second]).all()
    assert (pairs.pairs.first < pairs.pairs.second).all()
    count = 0
    for number, (a, b) in enumerate(zip(*pairs.near, strict=True)):
        own = slice(pairs.edges[number], pairs.edges[number + 1])
        homes = {*zip(pairs.home[pairs.pairs.first[own]], pairs.home[pairs.pairs.second[own]], strict=True)}
        assert homes <= {(a, b)}
        count += pairs.edges[number + 1] - pairs.edges[number]
    assert count == pairs.pairs.size == 6 + 3  # of four events and of three entities of one topic
    assert pairs.same.tolist() == (meant[pairs.pairs.first] == meant[pairs.pairs.second]).tolist()
    assert pairs.same.sum() == 3


def test_features_are_those_of_the_heads() -> None:
    pairs = made()
    corpus = key()
    texts = [document.text for document in corpus]
    described = describe_mentions(
        texts, CorpusSimilarity.of([text.words for text in texts]), pairs.mentions.located
    )
    wanted = described.features(RowPairs(*pairs.pairs))
    np.testing.assert_array_equal(pairs.features, wanted.astype(np.float16))


def test_ends_are_counted_from_the_mark_before_a_passage() -> None:
    pairs = made()
    material = with_inputs(pairs, HashedStates([document.text for document in key()]))
    for number, home in enumerate(pairs.home.tolist()):
        first, last = material.ends[number]
        assert first == pairs.mentions.located.start[number] - pairs.passages[home].start + 1
        assert last - first + 1 == len(words_of(pairs, number).split())
        assert material.inside[home][first : last + 1, pairs.mentions.kind[number]].all()
    assert sum(int(part.sum()) for part in material.inside) == 8 + 2  # two mentions have two words
