"""Zeros among written words: where they are placed, what is counted there, and how it comes back."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corpora import corpus
from referee import formats
from referee.language.word_classes import PRONOUNS
from referee.model import Cluster, Document, Mention, Text
from referee.model.text import Zero
from referee.resolvers.neural.features import describe_words
from referee.resolvers.neural.zeros import zeros_placed, zeros_put_back

WORDS = ("Vino", ".", "Comió", "pan", ".")


def document(*zeros: Zero, clusters: tuple[Cluster, ...] = ()) -> Document:
    words = (*WORDS, *("DROP" for _ in zeros))
    text = Text("d", words, ((0, 2), (2, 5)), {"speaker": tuple("abcde") + ("z",) * len(zeros)}, zeros=zeros)
    return Document(text, clusters)


def test_a_document_without_zeros_is_as_it_was() -> None:
    given_ = document()
    assert zeros_placed(given_) is given_
    assert zeros_put_back(given_.clusters, given_) == given_.clusters


def test_a_zero_at_a_border_is_in_the_sentence_that_it_names() -> None:
    placed = zeros_placed(document(Zero(2, 1, 0), Zero(2, 1, 1), Zero(5, 1, 1)))
    assert placed.words == ("Vino", ".", "_", "_", "Comió", "pan", ".", "_")
    assert placed.sentences == ((0, 3), (3, 8))
    assert placed.layers["speaker"] == ("a", "b", "z", "z", "c", "d", "e", "z")


def test_a_zero_before_all_words_begins_the_first_sentence() -> None:
    placed = zeros_placed(document(Zero(0), Zero(3, 1, 1)))
    assert placed.words == ("_", "Vino", ".", "Comió", "_", "pan", ".")
    assert placed.sentences == ((0, 3), (3, 7))


def test_a_mention_of_written_words_has_the_zeros_between_them_only() -> None:
    found = (Cluster("1", (Mention.at(2, 4), Mention.at(5, 6), Mention.at(6, 7))),)
    given_ = document(Zero(3, 1, 1), Zero(4, 1, 1), clusters=found)
    placed = zeros_placed(given_)
    assert [mention.spans for mention in placed.mentions] == [((2, 5),), ((3, 4),), ((5, 6),)]
    back = zeros_put_back(placed.clusters, given_)
    assert [mention.spans for mention in back[0].mentions] == [((2, 4),), ((5, 6),), ((6, 7),)]


def test_scores_stay() -> None:
    given_ = document(Zero(3, 1, 1))
    found = (Cluster("1", (Mention(((3, 4),), score=0.5, link_score=0.25),)),)
    mention = zeros_put_back(found, given_)[0].mentions[0]
    assert (mention.spans, mention.score, mention.link_score) == (((5, 6),), 0.5, 0.25)


zeros = st.lists(st.tuples(st.integers(0, 5), st.integers(1, 2), st.integers(0, 1)), unique=True, max_size=6)


@given(zeros, st.lists(st.tuples(st.integers(0, 10), st.integers(1, 4)), max_size=5))
def test_there_and_back_again(places: list[tuple[int, int, int]], spans: list[tuple[int, int]]) -> None:
    given_ = document(
        *(Zero(*place) for place in sorted(places, key=lambda each: (each[0], each[2], each[1])))
    )
    length = given_.text.length
    inside = [
        Mention.at(a, min(a + n, length) if a < length else a + 1) for a, n in spans if a < len(given_.words)
    ]
    given_ = replace(given_, clusters=(Cluster("1", tuple(inside)),) if inside else ())
    placed = zeros_placed(given_)
    assert sorted(placed.words) == sorted([*WORDS, *("_" for _ in places)])
    assert zeros_put_back(placed.clusters, given_) == given_.clusters
    assert [word for start, end in placed.sentences for word in placed.words[start:end] if word != "_"] == [
        *WORDS
    ]
    assert all(
        end == start for (_, end), (start, _) in zip(placed.sentences, placed.sentences[1:], strict=False)
    )


def test_a_placed_zero_is_an_open_pronoun() -> None:
    described = describe_words(["Jött", "_"], np.zeros(2, np.int64), language="hu")
    assert described.pronoun.tolist() == [0, len(PRONOUNS)]


def test_all_mentions_of_korkor_come_back() -> None:
    for each in formats.read(corpus("languages/hu_korkor/dev.jsonl")):
        placed = zeros_placed(each)
        assert not placed.text.zeros
        assert len(placed.mentions) == len(each.mentions)
        assert placed.text.sentences[-1][1] == len(placed.words) == len(each.words)
        back = zeros_put_back(placed.clusters, each)
        assert [c.mentions for c in back] == [c.mentions for c in each.clusters]
