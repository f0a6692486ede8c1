"""Baselines, the heads they look at, and the topics they stay within."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from itertools import product

import pytest

from corpora import corpus as corpus_folder
from referee import (
    Cluster,
    Corpus,
    Document,
    DocumentCorpus,
    FormatError,
    Mention,
    MissingExtra,
    Protocol,
    RefereeError,
    formats,
    score,
)
from referee.crossdoc.predicted_topics import predict_topics, topic_fit
from referee.language.heads import head_lemma, lemmas_and_governors
from referee.matching.units import unit_labels
from referee.metrics.standard import CROSSDOC_METRICS
from referee.model import cut_text
from referee.resolvers.baselines import respond
from small_corpora import corpus

TEXTS = {
    "1_ecb_1": "earthquake strikes Aceh province overnight , earthquake kills six villagers",
    "1_ecb_2": "six villagers killed as earthquake strikes Aceh province",
    "2_ecb_3": "actress checks into rehab clinic in Malibu after relapse",
    "2_ecb_4": "Malibu rehab clinic admits actress after relapse",
}
LAYERS = {
    "lemma": ("the", "strong", "Quake", "kill", "people"),
    "head": ("2", "2", "3", "-", "3"),
}
NOUN, VERB, ALL = Mention.at(0, 3), Mention.at(3, 4), Mention.at(0, 5)


def texts() -> DocumentCorpus:
    """Documents in which every word is a mention of its own."""
    made = []
    for document in corpus({}, list(TEXTS)):
        words = tuple(TEXTS[document.id].split())
        clusters = tuple(Cluster(f"{document.id} {i}", (Mention.at(i, i + 1),)) for i in range(len(words)))
        text = replace(document.text, words=words, sentences=((0, len(words)),))
        made.append(Document(text, clusters))
    return DocumentCorpus(made, "texts", cross_document=True)


def parsed(**layers: tuple[str, ...]) -> Document:
    words = ("The", "strong", "quakes", "killed", "people")
    clusters = tuple(Cluster(str(i), (mention,)) for i, mention in enumerate((NOUN, VERB, ALL)))
    return Document.of("d", words, ((0, 5),), clusters, layers, topic="1")


def test_texts_on_one_topic_are_grouped() -> None:
    found = predict_topics(texts())
    assert found["1_ecb_1"] == found["1_ecb_2"] != found["2_ecb_3"] == found["2_ecb_4"]
    against = topic_fit(texts(), found, "topic")
    assert (against.gold, against.v_measure, against.b_cubed) == (2, 1.0, (1.0, 1.0, 1.0))
    assert {against.majority[group] for group in found.values()} == {"1", "2"}


def test_the_threshold_decides_how_many_topics_there_are() -> None:
    assert len(set(predict_topics(texts(), 1.0).values())) == 4
    assert len(set(predict_topics(texts(), 0.0).values())) in (1, 2)  # no word is shared between the two
    with pytest.raises(RefereeError, match="a similarity lies between 0 and 1"):
        predict_topics(texts(), 1.5)


def test_texts_that_share_nothing_are_topics_of_their_own() -> None:
    one, _, three, _ = texts().documents
    assert len(set(predict_topics(DocumentCorpus([one, three])).values())) == 2
    assert predict_topics(DocumentCorpus([one])) == {"1_ecb_1": "1"}


def test_agreement_is_homogeneous_but_not_complete_if_a_topic_falls_apart() -> None:
    found = {"1_ecb_1": "a", "1_ecb_2": "b", "2_ecb_3": "c", "2_ecb_4": "c"}
    against = topic_fit(texts(), found, "topic")
    assert against.homogeneity == pytest.approx(1)
    assert against.completeness == pytest.approx(2 / 3)  # H(gold) = 1 bit of the prediction's 1.5
    assert against.b_cubed == pytest.approx((3 / 4, 1, 6 / 7))


def test_the_head_is_the_word_whose_head_lies_outside() -> None:
    (lemmas, found), *_ = lemmas_and_governors([parsed(**LAYERS)])
    assert [head_lemma(mention, lemmas, found) for mention in (NOUN, VERB, ALL)] == ["quake", "kill", "kill"]


def test_without_heads_the_last_word_is_taken() -> None:
    (lemmas, found), *_ = lemmas_and_governors([parsed(lemma=LAYERS["lemma"])])
    assert [head_lemma(mention, lemmas, found) for mention in (NOUN, VERB, ALL)] == [
        "quake",
        "kill",
        "people",
    ]


def test_words_stand_in_for_lemmas_that_a_column_lacks() -> None:
    (lemmas, found), *_ = lemmas_and_governors([parsed(lemma=("-", "-", "-", "kill", "_"))])
    assert [head_lemma(mention, lemmas, found) for mention in (NOUN, VERB, ALL)] == [
        "quakes",
        "kill",
        "people",
    ]


def test_a_head_that_does_not_exist_is_refused() -> None:
    with pytest.raises(FormatError, match="document d: word 0 has the head '9'"):
        list(lemmas_and_governors([parsed(**(LAYERS | {"head": ("9", "2", "3", "-", "3")}))]))


def test_spacy_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtra, match=r"pip install 'referee-coref\[nlp\]'"):
        list(lemmas_and_governors([parsed()]))


def test_sklearn_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    with pytest.raises(MissingExtra, match=r"pip install 'referee-coref\[crossdoc\]'"):
        predict_topics(texts())


@pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="spaCy is not installed")
@pytest.mark.filterwarnings("ignore")
def test_spacy_finds_heads_and_lemmas() -> None:
    (lemmas, found), *_ = lemmas_and_governors([parsed()])
    assert [head_lemma(mention, lemmas, found) for mention in (NOUN, VERB, ALL)] == ["quake", "kill", "kill"]


@pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="spaCy is not installed")
@pytest.mark.filterwarnings("ignore")
def test_a_word_that_a_file_leaves_empty_is_parsed_too() -> None:
    """OntoGUM's transcripts have some, which spaCy refuses."""
    (lemmas, _), *_ = lemmas_and_governors(
        [parsed().with_text(words=("The", "strong", "quakes", "", "people"))]
    )
    assert len(lemmas) == 5
    assert [lemmas[2], lemmas[4]] == ["quake", "people"]


def clusters(response: Corpus) -> set[frozenset[tuple[str, str]]]:
    """A response's clusters as sets of documents and words."""
    found: dict[str, set[tuple[str, str]]] = {}
    for document in response:
        for cluster in document.clusters:
            words = {(document.id, document.words[mention.start]) for mention in cluster.mentions}
            found.setdefault(cluster.id, set()).update(words)
    return {frozenset(words) for words in found.values()}


def within(scope: str) -> dict[str, str]:
    return dict(zip(TEXTS, unit_labels(texts(), scope), strict=True))


def test_singletons_link_nothing_and_one_cluster_links_all() -> None:
    words = [(id_, word) for id_, text in TEXTS.items() for word in text.split()]
    alone = respond(texts(), "singletons", within("corpus"))
    assert sum(len(cluster.mentions) for document in alone for cluster in document.clusters) == len(words)
    assert len({cluster.id for document in alone for cluster in document.clusters}) == len(words)
    assert clusters(respond(texts(), "one-cluster", within("corpus"))) == {frozenset(words)}
    assert len(clusters(respond(texts(), "one-cluster", within("topic")))) == 2


def test_equal_words_are_linked_within_their_group_only() -> None:
    found = clusters(respond(texts(), "same-string", within("topic")))
    assert {("1_ecb_1", "earthquake"), ("1_ecb_2", "earthquake")} in found
    assert {("1_ecb_1", "kills")} in found
    apart = clusters(respond(texts(), "same-string", within("document")))
    assert {("1_ecb_1", "earthquake")} in apart


def test_equal_head_lemmas_are_linked() -> None:
    twice = DocumentCorpus([parsed(**LAYERS), parsed(**LAYERS).with_text(id="e")], cross_document=True)
    response = respond(twice, "head-lemma", {"d": "1", "e": "1"})
    ids = [{cluster.id: len(cluster.mentions) for cluster in document.clusters} for document in response]
    assert ids == [{"0": 1, "1": 2}, {"0": 1, "1": 2}]  # "quakes"; "killed" and the whole
    apart = respond(twice, "lemma-by-document", {"d": "d", "e": "e"})
    assert len({cluster.id for document in apart for cluster in document.clusters}) == 4


def test_baselines_link_running_texts_too() -> None:
    mentions = (Mention.at(0, 3), Mention.at(9, 12), Mention.at(4, 7))
    text = cut_text("d", "Ann saw, Ann left", [Cluster("0", mentions)])
    (linked,) = respond(DocumentCorpus([text]), "same-string", {"d": "d"})
    assert [len(cluster.mentions) for cluster in linked.clusters] == [2, 1]


@pytest.mark.parametrize("part", ["train", "dev"])
def test_singletons_score_nothing_on_ecbplus_once_singletons_are_out(part: str) -> None:
    key = formats.read(corpus_folder(f"ecbplus/{part}"))
    for kind, scope in product(("events", "entities"), ("topic", "corpus")):
        mentions = key.of_kind(kind)
        response = respond(mentions, "singletons", dict.fromkeys(key.ids, ""))
        protocol = Protocol(scope=scope, kind=kind, singletons="drop")
        without = score(mentions, response, protocol=protocol, metric=CROSSDOC_METRICS)
        linking = [without.scores[name] for name in CROSSDOC_METRICS[1:]]
        assert {value for s in linking for value in (s.recall, s.precision, s.f1)} == {0.0}
        assert without.detection.f1 == 1
        keeping = replace(protocol, singletons="keep")
        given = score(mentions, response, protocol=keeping, metric=CROSSDOC_METRICS)
        assert (given.b_cubed.precision, given.muc.f1) == (1.0, 0.0)
        assert given.b_cubed.f1 > 0.3  # free points


def test_topics_of_ecbplus_dev_are_nearly_its_subtopics() -> None:
    key = formats.read(corpus_folder("ecbplus/dev"))
    against = topic_fit(key, predict_topics(key), "subtopic")
    assert against.gold == 16
    assert against.v_measure > 0.95
