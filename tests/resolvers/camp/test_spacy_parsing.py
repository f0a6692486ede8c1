"""Universal Dependencies become the trees that the rules read."""

from __future__ import annotations

import time
from typing import Any

import pytest

import referee
from camp_texts import by_hand
from referee.exceptions import FormatError, ProtocolError
from referee.model import Document, Text
from referee.resolvers.base import raw_text
from referee.resolvers.camp.parse_view import Parse
from referee.resolvers.camp.spacy_parsing import (
    CHUNK,
    as_clear_trees,
    cut_by_spacy,
    parsed_text,
    refuse_other_languages,
)

# words, UD heads (from 1, 0 the root) and relations; and what the rules read
TREES = [
    ("she lives in Leeds", "2 0 4 2", "nsubj root case obl", "2 0 2 3", "nsubj ROOT prep pobj"),
    ("Clara 's dog barks", "3 1 4 0", "nmod:poss case nsubj root", "3 1 4 0", "poss case nsubj ROOT"),
    ("Clara is a painter", "4 4 4 0", "nsubj cop det root", "2 0 4 2", "nsubj ROOT det attr"),
    ("Nora Finch saw it", "3 1 0 3", "nsubj flat root obj", "2 3 0 3", "compound nsubj ROOT dobj"),
    ("Nora Finch", "0 1", "root flat", "2 0", "compound ROOT"),
    (
        "old Nora Ann Finch saw it",
        "2 5 2 2 0 5",
        "amod nsubj flat flat root obj",
        "4 4 4 5 0 5",
        "amod compound compound nsubj ROOT dobj",
    ),
    ("she is in Leeds", "4 4 4 0", "nsubj cop case root", "2 0 2 3", "nsubj ROOT prep pobj"),
    ("dogs were seen", "3 3 0", "nsubj:pass aux:pass root", "3 3 0", "nsubjpass auxpass ROOT"),
]


def counted(heads: str) -> list[int]:
    return [number if head == "0" else int(head) - 1 for number, head in enumerate(heads.split())]


@pytest.mark.parametrize(("words", "heads", "relations", "new", "named"), TREES, ids=lambda value: value[:20])
def test_content_words_no_longer_govern(words: str, heads: str, relations: str, new: str, named: str) -> None:
    made, names = as_clear_trees(counted(heads), relations.split())
    assert (made, names) == (counted(new), named.split()), words


def test_a_text_brings_its_own_trees() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    words = ["Clara", "smiled", ".", "She", "lives", "in", "Leeds", "."]
    layers = {
        "head": ("1", "-", "1", "4", "-", "6", "4", "4"),
        "deprel": ("nsubj", "root", "punct", "nsubj", "root", "case", "obl", "punct"),
    }
    document = Document.of("d", words, [(0, 3), (3, 8)], [], layers)
    result = referee.resolve(document, corpus_layers=["head", "deprel"])
    assert result.get_clusters() == [["Clara", "She"]]
    with pytest.raises(ProtocolError, match="a tree needs the layers head and deprel"):
        referee.resolve(document, corpus_layers=["head"])


def test_a_circle_is_cut() -> None:
    text = by_hand("a DT a 2 det\nb NN b 1 dobj\nc NN c 2 dobj")
    parse = Parse(text)
    assert parse.clause(2) in (0, 1, 2)
    assert sorted(parse.below(2)) == [2]


@pytest.mark.parametrize(
    ("running", "sentences"),
    [
        ("A cat. It sat.\n\nThe dog sat too.", [6, 5]),
        ("A cat.\nIt sat.", [6]),  # one line break ends nothing
        ("From: Ann\nTo: Ben Holt\nHello", [3, 5]),  # unless a label or a bullet follows
        ("Who:\n* Ann paints\n2) Ben", [2, 3, 3]),
        ("\n\nA cat.\n\n \n\nIt sat.\n\n", [3, 3]),
        ("", []),
    ],
)
def test_blank_lines_and_marked_lines_end_sentences(running: str, sentences: list[int]) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    text = cut_by_spacy(raw_text("d", running), spacy.blank("en"))
    assert [end - start for start, end in text.sentences] == sentences
    assert [running[start:end] for start, end in text.characters] == list(text.words)


def one_sentence(spacy: Any, lengths: list[int]) -> Any:
    """Make a pipeline that takes each document for one sentence, and notes how long it is."""

    def parser(doc: Any) -> Any:
        lengths.append(len(doc))
        for token in doc:
            token.is_sent_start = token.i == 0
        return doc

    nlp = spacy.blank("en")
    spacy.Language.component("referee_test_parts", func=parser)
    nlp.add_pipe("referee_test_parts")
    return nlp


def test_a_long_text_is_parsed_in_parts_that_end_with_sentences() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    lengths: list[int] = []
    nlp = one_sentence(spacy, lengths)
    words = (["the"] * 6 + ["."]) * (2 * CHUNK // 7)
    parsed = parsed_text(Text("d", tuple(words), ((0, len(words)),)), (), nlp)
    assert lengths == [CHUNK - CHUNK % 7, CHUNK - CHUNK % 7, len(words) - 2 * (CHUNK - CHUNK % 7)]
    assert [end - start for start, end in parsed.sentences] == lengths
    assert parsed.layers["head"][lengths[0]] == "-"
    assert {len(layer) for layer in parsed.layers.values()} == {len(words)}


def test_trees_of_a_corpus_are_turned_sentence_by_sentence_into_those_of_the_rules() -> None:
    """In Universal Dependencies a preposition depends on its noun; for the rules the noun on it."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    layers = {
        "head": ("1", "-", "3", "1", "5", "-", "7", "5"),
        "deprel": ("nsubj", "root", "case", "obl", "nsubj", "root", "case", "obl"),
    }
    words = ("she", "lives", "in", "Leeds", "he", "stays", "at", "home")
    text = Text("d", words, ((0, 4), (4, 8)), layers)
    parsed = parsed_text(text, ("head", "deprel"), one_sentence(spacy, []))
    assert parsed.layers["head"] == ("1", "-", "1", "2", "5", "-", "5", "6")
    assert parsed.layers["deprel"] == ("nsubj", "ROOT", "prep", "pobj") * 2


@pytest.mark.parametrize("head", ["1", "4"])
def test_a_tree_stays_in_its_sentence(head: str) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    layers = {"head": ("1", "-", head, "-"), "deprel": ("nsubj", "root", "nsubj", "root")}
    text = Text("d", ("she", "left", "he", "stayed"), ((0, 2), (2, 4)), layers)
    with pytest.raises(FormatError, match="d: the tree of words 2 to 4 leaves its sentence"):
        parsed_text(text, ("head", "deprel"), one_sentence(spacy, []))


def test_sentences_that_a_text_has_stay_and_blocks_of_running_text_do_not() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    nlp = one_sentence(spacy, [])
    given = Text("d", ("she", "left", "he", "stayed"), ((0, 2), (2, 4)))
    assert parsed_text(given, (), nlp).sentences == ((0, 2), (2, 4))
    assert parsed_text(raw_text("d", "She left.\n\nHe stayed."), (), nlp).sentences == ((0, 6),)


def test_another_language_is_refused() -> None:
    sentence = "Der Mann ging mit seinem Hund durch die Stadt , und er sah niemand ."
    german = tuple(sentence.split())
    refuse_other_languages(Text("d", german[:3], ((0, 3),)))
    refuse_other_languages(Text("d", ("Wort",) * 3 + ("the", "man", "left") * 9, ((0, 30),)))
    with pytest.raises(FormatError, match="d: this does not look like English, but like German"):
        refuse_other_languages(Text("d", german, ((0, len(german)),)))


@pytest.mark.parametrize("row", ['"', "'", "“", ")", "!"])
def test_a_long_row_of_marks_is_cut_at_each_without_waiting(row: str) -> None:
    """spaCy alone takes 20 seconds for 16,000 quotation marks, and four times as long for twice as many."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    running = f"She left. {row * 40_000} It's here."
    started = time.perf_counter()
    text = cut_by_spacy(raw_text("d", running), spacy.blank("en"))
    assert time.perf_counter() - started < 10
    assert text.words == ("She", "left", ".", *[row] * 40_000, "It", "'s", "here", ".")
    assert all(
        running[start:end] == word for word, (start, end) in zip(text.words, text.characters, strict=True)
    )
