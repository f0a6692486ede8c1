"""What a name is taken for, by the whole text; tables are word, tag, lemma, head, relation and entity."""

from __future__ import annotations

import pytest

from camp_texts import by_hand
from referee.resolvers.camp.detection import find_spans
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.name_types import NameTypes
from referee.resolvers.camp.parse_view import Parse

ALONE = "Lane NNP lane 2 nsubj ({label})\nran VBD run 0 ROOT"
FULL = "Ann NNP ann 2 compound (PERSON*\nLane NNP lane 3 nsubj *)\nran VBD run 0 ROOT"
SAID = "Paris NNP paris 2 nsubj ({label})\nsaid VBD say 0 ROOT"
IN = "We PRP we 2 nsubj\nlive VBP live 0 ROOT\nin IN in 2 prep\nParis NNP paris 3 pobj ({label})"


def label(word: str, *sentences: str) -> str:
    parse = Parse(by_hand("\n\n".join(sentences)))
    return NameTypes(parse, lexicon()).label(parse, parse.words.index(word))


@pytest.mark.parametrize(
    ("alone", "full", "expected"), [(1, 1, "PERSON"), (3, 1, "GPE"), (3, 2, "PERSON"), (5, 2, "GPE")]
)
def test_names_of_several_words_count_twice(alone: int, full: int, expected: str) -> None:
    assert label("Lane", *[ALONE.format(label="GPE")] * alone, *[FULL] * full) == expected


def test_the_first_name_of_a_person_is_a_person_where_it_is_alone() -> None:
    ann = "Ann NNP ann 2 nsubj (GPE)\nran VBD run 0 ROOT"
    assert label("Ann", FULL, ann) == "PERSON"
    assert label("Ann", FULL, ann, ann, ann) == "GPE"
    assert label("Ann", ann, FULL.replace("PERSON", "ORG")) == "GPE"
    assert label("Ann", ann, FULL.replace("Ann NNP", "Ann JJ")) == "GPE"


FELL = "Paris NNP paris 2 nsubj (GPE)\nfell VBD fall 0 ROOT"


@pytest.mark.parametrize(
    ("said", "places", "others", "expected"),
    [(1, 1, 0, "PERSON"), (1, 2, 0, "GPE"), (2, 2, 0, "PERSON"), (0, 0, 2, "GPE"), (1, 0, 3, "PERSON")],
)
def test_a_first_name_that_speaks_more_often_than_anything_is_in_it_is_a_person(
    said: int, places: int, others: int, expected: str
) -> None:
    sentences = [SAID.format(label="GPE")] * said + [IN.format(label="GPE")] * places + [FELL] * others
    assert label("Paris", *sentences, SAID.format(label="PERSON")) == expected


def test_what_is_no_name_keeps_its_label() -> None:
    assert label("Lane", ALONE.format(label="DATE"), FULL, FULL) == "DATE"
    assert label("lane", "The DT the 2 det\nlane NN lane 3 nsubj\nended VBD end 0 ROOT", FULL) == ""


def test_the_mark_of_a_possessor_belongs_to_it_whatever_it_depends_on() -> None:
    for head in (1, 3):
        table = f"Ann NNP ann 3 poss (PERSON)\n's POS 's {head} case\n"
        table += "house NN house 4 nsubj\nfell VBD fall 0 ROOT"
        text = by_hand(table)
        for guidelines, owner in (("ontonotes", "Ann 's"), ("litbank", "Ann")):
            found = find_spans(Parse(text), lexicon(), guidelines_named(guidelines))
            assert {text.spelled([span]) for span in found} == {owner, "Ann 's house"}
