"""Resolving across documents: groups are walls, given mentions stay, and neighbourhoods lose nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.cluster.hierarchy import DisjointSet

from referee.arrays import FloatArray
from referee.exceptions import ProtocolError
from referee.model import Cluster, Document, Mention
from referee.resolvers.across import resolver as corpus_resolver
from referee.resolvers.across.mentions import MentionArrays, SimilarDocuments, stacked
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.resolver import AcrossResolver
from surface_scorer import SurfaceScorer


class Known:
    """Each word is a mention and says its entity: a3 is a; the digits say how sure it is."""

    def __init__(self, strangers: tuple[str, str] | None = None) -> None:
        self.strangers = strangers
        self.scored = 0

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> KnownStudy:
        self.words = [list(own) for own in words]
        return KnownStudy(self, documents)

    def alike(self, documents: Sequence[Document]) -> SimilarDocuments:
        return SimilarDocuments.none()

    def threshold(self, kind: str) -> float:
        return 0.5


class KnownStudy:
    """Documents that it has seen."""

    workers = 1

    def __init__(self, scorer: Known, documents: Sequence[Document]) -> None:
        self.scorer, self.documents, self.alike = scorer, documents, scorer.alike(documents)

    def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
        document = self.documents[number]
        spans = [Mention.at(i, i + 1) for i in range(len(document.words))] if given is None else list(given)
        words = [document.words[mention.start] for mention in spans]
        vectors = [np.eye(26, dtype=np.float32)[ord(word[0]) - ord("a")] for word in words]
        return MentionArrays(
            np.array([mention.start for mention in spans], np.int64),
            np.array([mention.end - 1 for mention in spans], np.int64),
            np.array([float(word[1:] or 0) for word in words]),
            np.array(vectors, np.float32).reshape(-1, 26),
            np.full(len(spans), number),
            np.zeros(len(spans), np.int64),
            np.zeros((len(spans), 0), np.int64),
        )

    def compare(self, mentions: MentionArrays) -> KnownPairs:
        return KnownPairs(self.scorer, mentions)


class KnownPairs:
    """Mentions, two of which are the same if their letters are."""

    def __init__(self, scorer: Known, mentions: MentionArrays) -> None:
        self.scorer, self.mentions = scorer, mentions

    def scores(self, pairs: RowPairs) -> FloatArray:
        self.scorer.scored += pairs.size
        vector = self.mentions.vector
        return np.where(vector[pairs.first].argmax(1) == vector[pairs.second].argmax(1), 3.0, -3.0)


def made(id_: str, words: str, clusters: Sequence[Cluster] = ()) -> Document:
    own = tuple(words.split())
    return Document.of(id_, own, ((0, len(own)),), tuple(clusters))


def told(documents: Sequence[Document]) -> dict[str, list[tuple[str, int]]]:
    """Cluster → document and first word of its mentions."""
    found: dict[str, list[tuple[str, int]]] = {}
    for document in documents:
        for cluster in document.clusters:
            found.setdefault(cluster.id, []).extend((document.id, m.start) for m in cluster.mentions)
    return found


def test_clusters_reach_across_documents_and_what_is_alone_is_left_out() -> None:
    documents = [made("1", "a b x"), made("2", "b a y")]
    response = AcrossResolver(Known()).resolve(documents)
    assert told(response.documents) == {"1": [("1", 0), ("2", 1)], "2": [("1", 1), ("2", 0)]}
    assert response.cross_document


def test_no_cluster_crosses_the_groups() -> None:
    documents = [made("1", "a b"), made("2", "a b"), made("3", "a b")]
    response = AcrossResolver(Known()).resolve(documents, {"1": "x", "2": "y", "3": "x"})
    assert told(response.documents) == {"1": [("1", 0), ("3", 0)], "2": [("1", 1), ("3", 1)]}


def test_given_mentions_are_all_kept_with_their_gaps() -> None:
    split = Mention(((0, 1), (2, 3)))
    documents = [
        made("1", "a b c", [Cluster("k", (split,))]),
        made("2", "a z", [Cluster("j", (Mention.at(1, 2),))]),
    ]
    response = AcrossResolver(Known()).resolve(documents, given=True)
    assert [each.mentions for each in response.documents] == [[split], [Mention.at(1, 2)]]
    assert len(told(response.documents)) == 2


def test_of_nested_mentions_of_one_cluster_the_surest_stays() -> None:
    class NestedStudy(KnownStudy):
        def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
            vectors = np.zeros((3, 26), np.float32)
            vectors[:, 0] = 1
            scores = np.array([0.2, 0.9, 0.5])
            start, end, none = np.array([0, 1, 3]), np.array([2, 1, 3]), np.zeros((3, 0), np.int64)
            return MentionArrays(start, end, scores, vectors, np.full(3, number), np.zeros(3, np.int64), none)

    class Nested(Known):
        def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> KnownStudy:
            return NestedStudy(self, documents)

    response = AcrossResolver(Nested()).resolve([made("1", "a b c d"), made("2", "a b c d")])
    assert [[m.spans for m in each.mentions] for each in response.documents] == [[((1, 2),), ((3, 4),)]] * 2


def test_documents_without_mentions_come_back_without_clusters() -> None:
    response = AcrossResolver(Known()).resolve([made("1", ""), made("2", "")])
    assert told(response.documents) == {}
    assert len(response) == 2


class Alike(Known):
    """Says that documents are alike if their numbers are near."""

    def alike(self, documents: Sequence[Document]) -> SimilarDocuments:
        pairs = all_pairs(len(documents))
        return SimilarDocuments(pairs, 1.0 / (pairs.second - pairs.first))


@pytest.mark.parametrize("together", [8, 40, 100])
def test_a_large_group_is_resolved_by_neighbourhoods_as_by_all_pairs(together: int) -> None:
    """Of 30 documents, one, five or twelve are compared at once; what they made one is put together again."""
    documents = [made(str(number), " ".join("abcdefgh")) for number in range(30)]
    full, divided = Known(), Alike()
    wanted = AcrossResolver(full).resolve(documents)
    found = AcrossResolver(divided, together=together).resolve(documents)
    assert told(found.documents) == told(wanted.documents)
    assert len(told(found.documents)) == 8
    assert divided.scored < full.scored / 2


def test_documents_of_neighbourhoods_come_back_in_their_order() -> None:
    class Turned(Known):
        def alike(self, documents: Sequence[Document]) -> SimilarDocuments:
            return SimilarDocuments(RowPairs(np.array([0, 1]), np.array([3, 2])), np.ones(2))

    documents = [made(str(number), words) for number, words in enumerate(("a b", "c d", "d c", "b a"))]
    response = AcrossResolver(Turned(), together=4).resolve(documents)
    assert told(response.documents) == {
        "1": [("0", 0), ("3", 1)], "2": [("0", 1), ("3", 0)],
        "3": [("1", 0), ("2", 1)], "4": [("1", 1), ("2", 0)],
    }  # fmt: skip


def test_a_document_with_very_many_mentions_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [made("1", " ".join("abcdefgh" * 9)), made("2", "a h")]
    full, divided = Known(), Known()
    wanted = AcrossResolver(full).resolve(documents)
    monkeypatch.setattr(corpus_resolver, "COMPARED", 16)
    found = AcrossResolver(divided).resolve(documents)
    assert told(found.documents) == told(wanted.documents)
    assert len(told(found.documents)) == 8
    assert divided.scored < full.scored


def test_neighbourhoods_without_mentions_do_no_harm() -> None:
    documents = [made("1", "a b c"), made("2", ""), made("3", "c d e")]
    assert told(AcrossResolver(Known(), together=3).resolve(documents).documents) == {
        "1": [("1", 2), ("3", 0)]
    }
    nothing = AcrossResolver(Known(), together=1).resolve(
        [made("1", "a b", ()), made("2", "c d", ())], given=True
    )
    assert told(nothing.documents) == {}


def test_columns_of_documents_are_put_together_in_order_and_their_parts_let_go() -> None:
    studied = Known().study([made(words, words) for words in ("a1 b2", "", "c3")], [])
    parts = [studied.mentions(number, "all") for number in range(3)]
    every = stacked(parts)
    assert parts == []
    assert every.score.tolist() == [1, 2, 3]
    assert every.start.tolist() == [0, 1, 0]
    assert every.document.tolist() == [0, 0, 2]
    assert every.vector.argmax(1).tolist() == [0, 1, 2]
    assert every.vector.dtype == np.float32


def test_a_scorer_sees_all_words_before_the_mentions() -> None:
    known, documents = Known(), [made("1", "a b"), made("2", "a b")]
    AcrossResolver(known).resolve(documents)
    assert known.words == [["a", "b"], ["a", "b"]]
    AcrossResolver(known).resolve(documents, words=[["a", "b", "c"], ["d"]])
    assert known.words == [["a", "b", "c"], ["d"]]


def test_progress_hears_of_each_document_when_it_is_read_linked_and_joined() -> None:
    steps: list[int] = []
    documents = [made("1", "a1 b2"), made("2", "a3"), made("3", "c4")]
    AcrossResolver(Known(), "all").resolve(documents, {"1": "x", "2": "x", "3": "y"}, progress=steps.append)
    assert steps == [1, 1, 2, 2, 1, 1, 1]


def test_one_threshold_for_all_kinds_can_be_given() -> None:
    documents = [made("1", "a b"), made("2", "a b")]
    assert told(AcrossResolver(Known(), threshold=0.99).resolve(documents).documents) == {}


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(ProtocolError, match="there is no kind of mention 'verbs'; there are events"):
        AcrossResolver(Known(), "verbs")


def test_the_same_words_across_texts_are_linked_by_the_surface() -> None:
    documents = [
        made("1", "Philadelphia fired coach Maurice Cheeks"),
        made("2", "The firing of Cheeks surprised Philadelphia"),
    ]
    response = AcrossResolver(SurfaceScorer()).resolve(documents)
    said = [{each.words[m.start] for m in each.mentions} for each in response.documents]
    assert "Cheeks" in said[0] & said[1]
    assert "Philadelphia" in said[0] & said[1]


@pytest.mark.parametrize("together", [8, 100])
def test_what_was_joined_is_told_step_by_step(together: int) -> None:
    """Whoever follows the joins comes to the same clusters; each has the average that decided."""
    documents = [made(str(number), " ".join("abcdefgh")) for number in range(12)]
    resolver = AcrossResolver(Alike(), together=together)
    studied = Alike().study(documents, [document.words for document in documents])
    linked = resolver.linked_groups(studied, np.array([0, 0, 1, 1] * 3))
    followed = DisjointSet(range(linked.size))
    assert all(followed.merge(join.first, join.second) for join in linked.joins)
    label = linked.label
    assert all(
        followed.connected(one, other) == (label[one] == label[other])
        for one in range(linked.size)
        for other in range(linked.size)
    )
    assert len(linked.joins) == 96 - 16
    assert {round(join.average, 6) for join in linked.joins} == {round(1 / (1 + np.exp(-3)), 6)}


def test_documents_of_group_minus_one_are_left_out() -> None:
    documents = [made("1", "a b"), made("2", "a c"), made("3", "b a")]
    known = Known()
    linked = AcrossResolver(known).linked_groups(known.study(documents, []), np.array([0, -1, 0]))
    assert sorted({*linked.columns().document.tolist()}) == [0, 2]
    assert linked.label.tolist() == [0, 1, 1, 0]
