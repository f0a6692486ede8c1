"""A response is fitted to the key's words by its sentences, or by the numbers of its tokens."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, Protocol, score
from referee.matching.fitting import _moved, fit

SENTENCES = ["The storm hit Cuba .", "It rained .", "Hundreds fled the storm ."]


def document(sentences: list[str], mentions: list[tuple[int, int]], first: int | None = 1) -> Document:
    """Make a document; `first` is the number that its first token has, None for no numbers."""
    words = " ".join(sentences).split()
    edges = [0]
    for sentence in sentences:
        edges.append(edges[-1] + len(sentence.split()))
    layers = {} if first is None else {"token": tuple(str(first + i) for i in range(len(words)))}
    spans = list(itertools.pairwise(edges))
    cluster = Cluster("c", tuple(Mention.at(*mention) for mention in mentions))
    return Document.of("d", words, spans, [cluster], layers, topic="1")


def corpora(key: Document, response: Document) -> tuple[DocumentCorpus, DocumentCorpus]:
    return (
        DocumentCorpus([key], "key", cross_document=True),
        DocumentCorpus([response], "response", cross_document=True),
    )


@pytest.mark.parametrize("first", [0, 1, 100, None])
def test_the_same_words_fit_whatever_their_numbers(first: int | None) -> None:
    key = document(SENTENCES, [(0, 2), (10, 12)], first=5)
    response = document(SENTENCES, [(0, 2), (10, 12)], first=first)
    result = score(*corpora(key, response), protocol=Protocol(scope="topic"))
    assert result.conll == 1
    assert not result.notices


@pytest.mark.parametrize("first", [0, 1, None])
def test_sentences_are_found_by_their_words_before_their_numbers(first: int | None) -> None:
    key = document(SENTENCES[1:], [(0, 1), (5, 7)])
    response = document(SENTENCES, [(5, 6), (10, 12), (0, 2)], first=first)
    result = score(*corpora(key, response), protocol=Protocol(scope="topic"))
    assert result.conll == 1
    assert "1 mention outside the key's sentences left out" in result.notices[0]


def test_a_sentence_that_occurs_twice_is_taken_in_order() -> None:
    key = document(["Yes .", "No .", "Yes ."], [(0, 1), (4, 5)], first=None)
    response = document(["Yes .", "Maybe .", "No .", "Yes ."], [(0, 1), (6, 7)], first=None)
    assert score(*corpora(key, response), protocol=Protocol(scope="topic")).conll == 1


def test_a_gap_that_the_key_does_not_have_is_none() -> None:
    key = document([SENTENCES[0], SENTENCES[2]], [(0, 1)], first=None)
    over = Mention(((4, 5), (8, 9)))  # the last word of the first sentence, the first of the third
    response = document(SENTENCES, [(0, 1)], first=None)
    clusters = (Cluster("c", (over,)),)
    fitted, _ = fit(*corpora(key, Document(response.text, clusters)), [(0, 0)])
    assert fitted.document(0).clusters[0].mentions == (Mention.at(4, 6),)


def test_numbers_help_where_words_are_spelled_otherwise() -> None:
    key = document(["( It rained ) .", "Hundreds fled ."], [(1, 2), (5, 6)], first=7)
    response = document(["So .", "-LRB- It rained -RRB- .", "Hundreds fled ."], [(3, 4), (7, 8)], first=5)
    assert score(*corpora(key, response), protocol=Protocol(scope="topic")).conll == 1


def test_another_text_is_refused() -> None:
    key, response = corpora(document(SENTENCES, [(0, 1)]), document(["Wir gingen heim"], [(0, 1)]))
    with pytest.raises(
        FormatError, match=r"document d: the response has no word in common .*'Wir gingen heim'"
    ):
        fit(key, response, [(0, 0)])


def test_words_that_differ_here_and_there_are_told() -> None:
    key = document(SENTENCES, [(0, 2)], first=None)
    response = document([sentence.replace("storm", "gale") for sentence in SENTENCES], [(0, 2)], first=None)
    result = score(*corpora(key, response), protocol=Protocol(scope="topic"))
    assert "response: 1 document with different words from the key (first d)" in result.notices


def test_of_many_documents_with_other_words_one_is_named() -> None:
    keys, responses = [], []
    for id_ in ("d", "e", "f"):
        keys.append(document(SENTENCES, [(0, 2)], first=None).with_text(id=id_))
        responses.append(document(["The gale hit Cuba ."], [(0, 2)], first=None).with_text(id=id_))
    sides = [
        DocumentCorpus(side, name, cross_document=True) for side, name in ((keys, "k"), (responses, "r"))
    ]
    _, notices = fit(sides[0], sides[1], [(0, 0), (1, 1), (2, 2)])
    assert notices == ["r: 3 documents with different words from the key (first d)"]


@pytest.mark.parametrize("seed", range(20))
def test_each_word_finds_itself_among_sentences_that_the_key_lacks(seed: int) -> None:
    chance = Random(seed)
    said = [" ".join(f"w{chance.randrange(10**9)}" for _ in range(chance.randint(1, 5))) for _ in range(9)]
    there = [sentence for sentence in said if chance.random() < 0.6] or said[:1]
    key = document(there, [], first=None)
    words = " ".join(said).split()
    each = [Cluster(word, (Mention.at(at, at + 1),)) for at, word in enumerate(words)]
    fitted, _ = fit(*corpora(key, Document(document(said, [], first=None).text, tuple(each))), [(0, 0)])
    found = {cluster.id: key.words[cluster.mentions[0].start] for cluster in fitted.document(0).clusters}
    assert found == {word: word for word in " ".join(there).split()}


@pytest.mark.parametrize(
    ("spans", "moved"),
    [
        ([(0, 2)], [(0, 2)]),
        ([(2, 3)], None),
        ([(1, 4)], None),  # a word within is not the key's
        ([(3, 5)], [(3, 5)]),
        ([(4, 6)], None),  # the key has them elsewhere
        ([(3, 5), (6, 8)], [(3, 5), (7, 9)]),
    ],
)
def test_a_span_is_moved_if_all_its_words_are_together(
    spans: list[tuple[int, int]], moved: list[tuple[int, int]] | None
) -> None:
    expected = None if moved is None else Mention(tuple(moved))
    assert _moved(Mention(tuple(spans)), [0, 1, -1, 3, 4, 6, 7, 8]) == expected
