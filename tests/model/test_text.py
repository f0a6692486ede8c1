"""Texts, documents and mentions: what they refuse, and what they tell."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Document, FormatError, Mention
from referee.model import Text, Zero, cut_text, joined_spans, word_edges
from referee.model.layers import heads_from_sentences, heads_in_sentences

SPANISH = Text(
    "d", ("Llegó", "tarde", ".", "ella"), ((0, 3),), zeros=(Zero(before=0, governors=((0, "nsubj"),)),)
)


def test_a_zero_shifts_no_written_word() -> None:
    assert SPANISH.length == 3
    assert SPANISH.words[: SPANISH.length] == ("Llegó", "tarde", ".")
    assert SPANISH.spelled([(3, 4)]) == "ella"


def test_identity_is_the_spans_alone() -> None:
    plain, rich = Mention.at(2, 5), Mention(((2, 5),), minimum=((3, 4),), head=3, type="person", score=0.5)
    assert plain == rich
    assert hash(plain) == hash(rich)
    assert len({plain, rich}) == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"spans": ()}, "at least one span"),
        ({"spans": ((2, 2),)}, "non-empty"),
        ({"spans": ((4, 6), (0, 1))}, "sorted"),
        ({"spans": ((0, 2), (2, 3))}, "must not touch"),
        ({"spans": ((0, 2),), "minimum": ((1, 3),)}, "not inside the mention"),
        ({"spans": ((0, 2), (5, 6)), "head": 3}, "the head 3 is not inside"),
    ],
)
def test_mentions_that_cannot_be_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Mention(**fields)  # type: ignore[arg-type]


def test_a_running_text_is_spelled_as_it_was_written() -> None:
    document = cut_text("d", "Anna's  dog,\nold.", [Cluster("0", (Mention.at(0, 6), Mention.at(8, 11)))])
    assert document.words == ("Anna", "'", "s", "dog", ",", "old", ".")
    assert [document.text.spelled(mention.spans) for mention in document.mentions] == ["Anna's", "dog"]
    assert document.text.spelled([(0, 1), (5, 6)]) == "Anna old"


def test_minimum_spans_cut_words_too() -> None:
    mention = Mention(((0, 10),), minimum=((4, 7),))
    document = cut_text("d", "post-warish", [Cluster("0", (mention,))])
    assert document.words == ("post", "-", "wa", "ris", "h") or document.mentions[0].minimum is not None
    (found,) = document.mentions
    assert document.text.spelled(found.minimum or ()) == "-wa"


def test_white_space_alone_is_no_mention() -> None:
    with pytest.raises(FormatError, match=r"file:7: the mention at characters .* white space alone"):
        cut_text("d", "a   b", [Cluster("0", (Mention.at(1, 3),))], "file:7")


def test_a_repeated_mention_is_listed_once_with_its_minimum() -> None:
    least = Mention(((0, 3),), minimum=((1, 2),))
    clusters = (Cluster("0", (Mention.at(5, 6), Mention.at(0, 3))), Cluster("1", (least,)))
    document = Document.of("d", "abcdef", [(0, 6)], clusters)
    assert [(mention.spans, mention.minimum) for mention in document.mentions] == [
        (((0, 3),), ((1, 2),)),
        (((5, 6),), None),
    ]


def test_a_text_changes_and_its_annotation_stays() -> None:
    document = Document.of("d", "ab", [(0, 2)], [Cluster("0", (Mention.at(0, 1),))])
    renamed = document.with_text(id="e")
    assert (renamed.id, renamed.words, renamed.clusters) == ("e", document.words, document.clusters)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=5))
def test_joined_spans_cover_the_same_words_and_never_touch(spans: list[tuple[int, int]]) -> None:
    given_spans = [(start, start + length) for start, length in spans]
    joined = joined_spans(given_spans)

    def covered(some: object) -> set[int]:
        return {word for start, end in some for word in range(start, end)}  # type: ignore[attr-defined]

    assert covered(joined) == covered(given_spans)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(joined))


@given(st.lists(st.text("ab \n", max_size=3), max_size=6))
def test_word_edges_count_what_is_not_white_space(words: list[str]) -> None:
    edges = word_edges(Text("d", tuple(words), ())).tolist()
    assert edges == [len("".join("".join(words[:i]).split())) for i in range(len(words) + 1)]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_heads_are_numbered_through_the_document_and_back(lengths: list[int], data: st.DataObject) -> None:
    edges = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    sentences = list(itertools.pairwise(edges))
    heads = [
        str(data.draw(st.integers(0, end - start))) for start, end in sentences for _ in range(end - start)
    ]
    through = list(heads_from_sentences(heads, sentences, "f"))
    assert list(heads_in_sentences(through, sentences)) == heads
    for (start, end), governor in ((s, through[w]) for s in sentences for w in range(*s)):
        assert governor == "-" or start <= int(governor) < end


@pytest.mark.parametrize("head", ["3", "-1", "x", "", "²"])
def test_a_head_outside_its_sentence_is_refused(head: str) -> None:
    with pytest.raises(FormatError, match=r"f\.jsonl:2: word 1 of a sentence of 2 words has the head"):
        list(heads_from_sentences([head, "0"], [(0, 2)], "f.jsonl:2"))


def test_a_running_text_without_a_word_is_an_empty_document() -> None:
    for running in ("", " \n\t "):
        document = cut_text("d", running)
        assert (document.words, document.sentences) == ((), ())


def test_words_that_are_not_written_are_read_where_they_belong() -> None:
    text = Text(
        "d", ("va", "bien", "él", "_"), ((0, 1), (1, 2)), running="va. bien", characters=((0, 2), (4, 8)),
        zeros=(Zero(1, 1, 0), Zero(1, 1, 1)),
    )  # fmt: skip
    assert text.reading_order() == [0, 2, 3, 1]
    assert text.spelled([(0, 1), (2, 3)]) == "va él"
    assert text.spelled([(1, 4)]) == "bien él _"
