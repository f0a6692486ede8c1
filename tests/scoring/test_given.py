"""Clusters in the forms that people have them in: all are read alike, or refused in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import referee
from referee import Cluster, Document, Mention, RefereeError
from referee.scoring.given import is_batch, listed

SAMPLE = Path(referee.__file__).parent / "sample"

Spans = list[list[tuple[int, int]]]
KEY: Spans = [[(0, 2), (5, 6), (9, 12)], [(3, 4), (7, 8)]]
RESPONSE: Spans = [[(0, 2), (5, 6)], [(3, 4), (7, 8), (9, 12)]]
EXPECTED = referee.score(KEY, RESPONSE)


class Doc:
    """What spaCy's documents look like from outside."""

    def __init__(self, groups: dict[str, list[Any]] | None = None, attached: object = None) -> None:
        self.spans = groups or {}
        self._ = SimpleNamespace() if attached is None else SimpleNamespace(coref_clusters=attached)


class Span:
    """What spaCy's spans look like: those of two documents are never equal."""

    def __init__(self, doc: object, start: int, end: int) -> None:
        self.doc, self.start, self.end = doc, start, end


def spacy_document(clusters: Spans) -> Doc:
    doc = Doc()
    doc.spans |= {
        f"coref_clusters_{number}": [Span(doc, *mention) for mention in cluster]
        for number, cluster in enumerate(clusters, 1)
    }
    return doc


def spacy_extension(clusters: Spans) -> Doc:
    return Doc(attached=[[Span(None, *mention) for mention in cluster] for cluster in clusters])


def document(clusters: Spans) -> Document:
    made = tuple(
        Cluster(str(i), tuple(Mention.at(*mention) for mention in cluster))
        for i, cluster in enumerate(clusters)
    )
    return Document.of("d", ("w",) * 20, ((0, 20),), made)


def generators(clusters: Spans) -> Iterator[Iterator[tuple[int, int]]]:
    return ((mention for mention in cluster) for cluster in clusters)


FORMS: dict[str, Callable[[Spans], Any]] = {
    "tuples": lambda clusters: tuple(map(tuple, clusters)),
    "lists": lambda clusters: [[list(mention) for mention in cluster] for cluster in clusters],
    "iterator": lambda clusters: map(list, clusters),
    "generators": generators,
    "sets": lambda clusters: map(set, clusters),
    "frozensets": lambda clusters: [frozenset(cluster) for cluster in clusters],
    "mapping": lambda clusters: {f"entity {i}": cluster for i, cluster in enumerate(clusters)},
    "arrays": lambda clusters: [np.array(cluster) for cluster in clusters],
    "rows": lambda clusters: [[np.array(mention) for mention in cluster] for cluster in clusters],
    "numpy numbers": lambda clusters: [[tuple(np.array(m)) for m in cluster] for cluster in clusters],
    "mentions": lambda clusters: [[Mention.at(*mention) for mention in cluster] for cluster in clusters],
    "clusters": lambda clusters: list(document(clusters).clusters),
    "spans": lambda clusters: [[Span(object(), *mention) for mention in cluster] for cluster in clusters],
    "spacy": spacy_document,
    "spacy extension": spacy_extension,
}
DOCUMENT: dict[str, Callable[[Spans], Any]] = {"document": document}


@pytest.mark.parametrize("key_form", FORMS)
@pytest.mark.parametrize("response_form", ["tuples", "lists", "generators", "spacy", "arrays"])
def test_all_forms_score_alike(key_form: str, response_form: str) -> None:
    result = referee.score(FORMS[key_form](KEY), FORMS[response_form](RESPONSE))
    assert result == EXPECTED


@pytest.mark.parametrize("form", FORMS | DOCUMENT)
def test_all_forms_can_be_given_to_a_scorer(form: str) -> None:
    scorer = referee.Scorer()
    scorer.update((FORMS | DOCUMENT)[form](KEY), RESPONSE)
    assert scorer.compute() == EXPECTED


# Tuples and frozensets are hashable, so that they are mentions wherever mentions can be.
@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"tuples", "frozensets"}))
def test_a_batch_is_scored_document_by_document(form: str) -> None:
    pairs: list[tuple[Spans, Spans]] = [(KEY, RESPONSE), ([[(1, 2), (3, 4)]], []), (KEY, KEY)]
    scorer = referee.Scorer()
    for key, response in pairs:
        scorer.update(key, response)
    keys, responses = ([FORMS[form](side) for side in sides] for sides in zip(*pairs, strict=True))
    assert referee.score(keys, responses) == scorer.compute()


def test_other_names_of_key_and_response() -> None:
    assert referee.score(references=KEY, predictions=RESPONSE) == EXPECTED
    assert referee.score(predictions=[KEY, RESPONSE], references=[KEY, KEY]).units == ["1", "2"]
    with pytest.raises(RefereeError, match="give the key, by position or as references="):
        referee.score(predictions=KEY)
    with pytest.raises(RefereeError, match="the response by position or as predictions=, not both"):
        referee.score(KEY, RESPONSE, predictions=RESPONSE)


@pytest.mark.parametrize(
    ("given", "batch"),
    [
        ([["a", "b"], ["c"]], False),
        ([[["a", "b"], ["c"]]], True),
        ([[[0, 1], [3, 5]]], False),  # a list of two numbers is a span
        ([[[0, 1], [3, 5, 7]]], True),
        ([[[[0, 1], [3, 5]]]], True),
        ([[(0, 1), (3, 5)]], False),
        ([[((0, 1), (3, 5))]], False),  # a discontinuous mention
        ([], False),
        ([[], []], False),
        ([[], [["a"]]], True),
    ],
)
def test_what_a_cluster_holds_tells_a_batch(given: Any, batch: bool) -> None:
    assert is_batch(listed(given)) == batch


def test_iterators_of_documents_are_read() -> None:
    documents = [document(KEY), document(RESPONSE)]
    assert referee.score(iter(documents[:1]), iter(documents[:1])).conll == 1


def test_parts_of_a_mention_may_be_lists() -> None:
    parts = Mention(((0, 1), (3, 4)))
    scorer = referee.Scorer()
    scorer.update([[parts, Mention.at(7, 8)]], [[[[0, 1], [3, 4]], [7, 8]]])
    assert scorer.compute().conll == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("abc", "not a string: 'abc'"),
        (["abc", "d"], "key of 1, cluster 1: .* but a string: 'abc'"),
        ([1, 2], "cluster 1: .* but a int: 1"),
        (7, "not a int: 7"),
        ([[{"start": 1}]], "a dict: .* is not a mention, since it is not hashable"),
        ([[["a"], {1}]], "a set: .* is not a mention"),
        ([[document(KEY)]], "this is a Document, not a mention; call update for each document"),
        ([[iter("ab")]], "is not a mention; call update for each document"),
        ([Mention.at(0, 1)], "but a Mention"),
        ([document(KEY)], "but a Document"),
        ([[document(KEY).clusters[0]]], "this is a Cluster, not a mention"),
        (referee.DocumentCorpus([document(KEY)]), "call referee.score with corpora"),
        (Doc({"sc": [Span(None, 0, 1)]}), "span groups sc, and none has a name like coref_clusters_1"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(given: Any, said: str) -> None:
    with pytest.raises(RefereeError, match=said):
        referee.Scorer().update(given, KEY)


def test_batches_of_unlike_length_are_refused() -> None:
    with pytest.raises(RefereeError, match="a batch of 2 documents, the response of 1"):
        referee.score([KEY, KEY], [KEY])
    with pytest.raises(RefereeError, match="both be one document, or both a batch"):
        referee.score([KEY, KEY], spacy_document(KEY))


@pytest.mark.parametrize(
    ("key", "response", "said"),
    [
        ([], KEY, "THE KEY HAS NO MENTION"),
        (KEY, [[]], "THE RESPONSE HAS NO MENTION"),
        (KEY, [["a", "b"]], "NO MENTION IN COMMON WITH key (2 in the response, 5 in the key)"),
    ],
)
def test_a_score_of_nothing_is_no_silent_zero(key: Any, response: Any, said: str) -> None:
    (notice,) = referee.score(key, response).notices
    assert said in notice
    assert referee.score([key, KEY], [response, KEY]).notices == []


def test_a_mapping_of_documents_is_a_batch_that_is_paired_by_name() -> None:
    key = {"one": [[(0, 2), (5, 6)], [(1, 2), (3, 4)]], "two": [[(0, 1), (7, 8)]]}
    response = {"two": [[(0, 1), (7, 8)]], "one": [[(0, 2), (5, 6)]]}
    assert referee.score(key, dict(reversed(key.items()))).conll == 1
    listed = referee.score([key["one"], key["two"]], [response["one"], response["two"]])
    assert referee.score(key, response).conll == listed.conll
    assert referee.score(key, {"one": [], "two": []}).conll == 0
    assert (
        referee.score(key["one"], {"a": key["one"][0], "b": key["one"][1]}).conll == 1
    )  # clusters have names
    with pytest.raises(RefereeError, match="document 'two' is on one side only"):
        referee.score(key, {"one": []})
    with pytest.raises(RefereeError, match="a mapping of documents"):
        referee.Scorer().update(key, key)


def test_a_mapping_may_have_documents_of_referee() -> None:
    names = ("one", "two")
    ann = Cluster("1", (Mention.at(0, 1), Mention.at(2, 3)))
    key = {name: Document.of(name, ["Ann", "and", "she"], [(0, 3)], [ann]) for name in names}
    assert referee.score(key, dict(reversed(key.items()))).conll == 1
    assert referee.score(key, {**key, "two": []}).conll < 1
    with pytest.raises(RefereeError, match="document 'two' is on one side only"):
        referee.score(key, {"one": key["one"]})


def test_documents_of_files_pair_by_their_names_whatever_their_order(tmp_path: Path) -> None:
    """A folder's documents are called after its files, and come in the order of these."""
    key = referee.read(SAMPLE / "key.conll")
    referee.write(key, tmp_path / "brat", "brat")
    assert [*referee.read(tmp_path / "brat").ids] == [*reversed(key.ids)]
    expected = referee.score(key, SAMPLE / "beta.conll").conll
    assert referee.score(tmp_path / "brat", SAMPLE / "beta.conll").conll == expected
