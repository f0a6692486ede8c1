"""The rules on texts parsed by hand: they need no spaCy, and no parser's mistakes can hide theirs."""

from __future__ import annotations

import pickle

import pytest

from camp_texts import by_hand, discourse_by_rules, spelled
from referee.exceptions import ProtocolError
from referee.model import Text
from referee.resolvers.base import resolver_named
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.detection import find_spans
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.parse_view import Parse
from referee.resolvers.camp.pipeline import discourse_of, run_components

TWO_SENTENCES = """
Clara    NNP  Clara   2 nsubj (PERSON)
opened   VBD  open    0 ROOT
the      DT   the     4 det
letter   NN   letter  2 dobj
.        .    .       2 punct

She      PRP  she     2 nsubj
read     VBD  read    0 ROOT
it       PRP  it      2 dobj
.        .    .       2 punct
"""

POSSESSOR = """
Clara    NNP  Clara   3 poss (PERSON)
's       POS  's      1 case
house    NN   house   4 nsubj
burned   VBD  burn    0 ROOT
,        ,    ,       4 punct
which    WDT  which   7 nsubj
hurt     VBD  hurt    4 advcl
"""


def spans(table: str, guidelines: str = "ontonotes") -> set[str]:
    text = by_hand(table)
    found = find_spans(Parse(text), lexicon(), guidelines_named(guidelines))
    return {text.spelled([span]) for span in found}


def test_pronouns_find_their_antecedents() -> None:
    assert spelled(discourse_by_rules(by_hand(TWO_SENTENCES))) == [["Clara", "She"], ["the letter", "it"]]


def test_every_link_says_why() -> None:
    discourse = discourse_by_rules(by_hand(TWO_SENTENCES))
    assert [(link.component, link.rule) for link in discourse.links] == [("pronouns", "salience")] * 2
    assert all(0 < link.score <= 1 and "%" in link.reason for link in discourse.links)


def test_the_marker_of_a_possessor_is_a_matter_of_guidelines() -> None:
    assert "Clara 's" in spans(POSSESSOR)
    assert "Clara" in spans(POSSESSOR, "litbank")


def test_a_phrase_is_a_noun_with_all_below_it() -> None:
    assert spans(TWO_SENTENCES) == {"Clara", "the letter", "She", "it"}


def test_punctuation_is_no_part_of_a_phrase() -> None:
    table = "``  ``  ``  2 punct\nroses NNS rose 0 ROOT\n''  ''  ''  2 punct\n,  ,  ,  2 punct"
    assert spans(table) == {"roses"}


def test_what_belongs_to_a_clause_is_no_part_of_a_phrase() -> None:
    table = "Oh UH oh 2 intj\nClara NNP Clara 0 ROOT (PERSON)\n! . ! 2 punct"
    assert spans(table) == {"Clara"}


def test_several_nouns_are_one_phrase_and_each_its_own() -> None:
    table = """
    Clara NNP Clara 4 nsubj (PERSON)
    and   CC  and   1 cc
    Peter NNP Peter 1 conj (PERSON)
    left  VBD leave 0 ROOT
    """
    assert spans(table) == {"Clara and Peter", "Clara", "Peter"}


def test_a_name_before_a_noun_is_a_mention() -> None:
    table = "Leeds NNP Leeds 2 compound (GPE)\npolice NNS police 0 ROOT"
    assert spans(table) == {"Leeds police", "Leeds"}


def test_a_name_before_a_noun_that_nobody_labelled_is_one_if_it_stands_alone_elsewhere() -> None:
    alone = "Zorby NNP Zorby 0 ROOT"
    before = "Zorby NNP Zorby 2 compound\npolice NNS police 0 ROOT"
    assert spans(before) == {"Zorby police"}
    assert spans(f"{alone}\n\n{before}") == {"Zorby police", "Zorby"}


def test_a_cautious_setting_links_less() -> None:
    text = by_hand(TWO_SENTENCES)
    counts = []
    for boldness in (boldness_for(recall=True), boldness_for(89)):
        discourse = discourse_of(text, lexicon(), guidelines_named("ontonotes"), boldness)
        run_components(discourse, ["pronouns"])
        counts.append((len(discourse.links), len(discourse.near_misses)))
    assert counts[0][0] > counts[1][0]
    assert counts[1][1] > 0


def test_a_pronoun_is_judged_by_its_own_probability_however_cautious_the_rules_are() -> None:
    boldness = boldness_for(recall=True)._replace(threshold=0.99)
    text = by_hand(TWO_SENTENCES)
    discourse = discourse_of(text, lexicon(), guidelines_named("ontonotes"), boldness)
    run_components(discourse, ["pronouns"])
    assert len(discourse.links) == 2


def test_a_text_without_layers_is_refused() -> None:
    with pytest.raises(ProtocolError, match="made: rules need the layers pos, lemma, head, deprel"):
        Parse(Text("made", ("a",), ((0, 1),)))


def test_zeros_are_no_words() -> None:
    text = by_hand(TWO_SENTENCES)
    assert Parse(text).words == list(text.words)


def test_a_resolver_travels_to_another_process_as_its_settings() -> None:
    """What is heavy, the parser and the lists, is loaded where it is used."""
    resolver = resolver_named("camp", precision=85, skip=["genre"], guidelines="litbank")
    packed = pickle.dumps(resolver)
    assert len(packed) < 1000
    assert pickle.loads(packed) == resolver


def test_an_adverb_before_a_whole_phrase_is_no_part_of_it() -> None:
    assert spans("just RB just 3 advmod\nthe DT the 3 det\nlamp NN lamp 0 ROOT") == {"the lamp"}
    assert spans("about RB about 2 advmod\ntwo CD two 3 nummod\nlamps NNS lamp 0 ROOT") == {"about two lamps"}


def test_a_call_is_no_part_of_whom_it_calls() -> None:
    table = "Hello UH hello 3 compound\n, , , 3 punct\nClara NNP Clara 0 ROOT (PERSON)\n! . ! 3 punct"
    assert spans(table) == {"Clara"}


def test_a_time_behind_a_noun_is_no_part_of_it() -> None:
    assert "someone" in spans("someone NN someone 0 ROOT\none CD one 3 nummod\nday NN day 1 npadvmod")


def test_a_name_goes_on_behind_a_comma_or_not_by_the_guidelines() -> None:
    table = """
    Clara NNP Clara 0 ROOT (PERSON)
    ,     ,   ,     1 punct
    of    IN  of    1 prep
    Leeds NNP Leeds 3 pobj (GPE)
    """
    assert spans(table) == {"Clara , of Leeds", "Leeds"}
    assert spans(table, "litbank") == {"Clara", "Leeds"}
