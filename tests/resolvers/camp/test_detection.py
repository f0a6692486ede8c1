"""Spans of markables, and what is corrected in a parse before: on texts parsed by hand."""

from __future__ import annotations

import pytest

from camp_texts import by_hand
from referee.resolvers.camp.detection import find_spans, mend_names, mend_tags
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.parse_view import Parse


def found(table: str, guidelines: str = "ontonotes") -> set[tuple[int, int]]:
    return set(find_spans(Parse(by_hand(table)), lexicon(), guidelines_named(guidelines)))


def mended(table: str) -> Parse:
    parse = Parse(by_hand(table))
    mend_tags(parse)
    mend_names(parse, lexicon())
    return parse


TORN = "Clara NNP Clara 3 nsubj (PERSON*\nHolt NNP Holt 3 nsubj *)\nleft VBD leave 0 ROOT"


def test_the_words_of_a_name_hang_on_the_last_one() -> None:
    parse = mended(TORN)
    assert (parse.heads, parse.relations[0]) == ([1, 2, 2], "compound")
    assert parse.children == [[], [0], [1]]


@pytest.mark.parametrize(
    ("table", "heads"),
    [
        ("Dr. NNP Dr. 3 nsubj\nMoss NNP Moss 3 nsubj\nleft VBD leave 0 ROOT", [1, 2, 2]),  # a title
        ("Clara NNP Clara 3 nsubj\nMoss NNP Moss 3 nsubj\nleft VBD leave 0 ROOT", [1, 2, 2]),  # a first name
        ("Zorby NNP Zorby 3 nsubj\nMoss NNP Moss 3 nsubj\nleft VBD leave 0 ROOT", [2, 2, 2]),  # who knows
        ("clara NNP clara 3 nsubj\nMoss NNP Moss 3 nsubj\nleft VBD leave 0 ROOT", [2, 2, 2]),  # no capital
        ("Clara NNP Clara 3 nsubj\nmoss NN moss 3 nsubj\nleft VBD leave 0 ROOT", [2, 2, 2]),  # not a name
        ("Clara NNP Clara 0 ROOT\n\nMoss NNP Moss 0 ROOT", [0, 1]),  # another sentence
        ("Clara NNP Clara 0 ROOT\nMoss NNP Moss 1 flat", [0, 0]),  # one phrase already
        ("Clara NNP Clara 2 flat\nMoss NNP Moss 0 ROOT", [1, 1]),
        ("Clara NNP Clara 3 compound\nMoss NNP Moss 3 compound\nInc NNP Inc 0 ROOT", [2, 2, 2]),
        ("Clara NNP Clara 3 nmod\nMoss NNP Moss 3 nmod\nInc NNP Inc 0 ROOT", [2, 2, 2]),
        ("Clara NNP Clara 0 ROOT\nMoss NNP Moss 3 nsubj\nleft VBD leave 1 acl", [0, 2, 0]),  # it is above
        ("Clara NNP Clara 3 nsubj\nMoss NNP Moss 0 ROOT\nleft VBD leave 2 acl", [2, 1, 1]),
        ("Clara NNP Clara 0 ROOT\nMoss NNP Moss 0 ROOT", [1, 1]),  # a sentence with two roots
    ],
)
def test_only_names_that_the_tree_has_torn_are_joined(table: str, heads: list[int]) -> None:
    assert mended(table).heads == heads


def test_taggers_do_not_know_handles_and_the_s_of_lets() -> None:
    parse = mended("Let VB let 0 ROOT\n's POS 's 1 case\n@clara IN @clara 1 advmod\n#1 CD #1 1 dobj")
    assert parse.tags == ["VB", "PRP", "NNP", "CD"]
    assert parse.relations == ["ROOT", "case", "npadvmod", "dobj"]
    assert mended("'s POS 's 2 case\nlet VB let 0 ROOT").tags[0] == "POS"


@pytest.mark.parametrize(
    ("table", "spans"),
    [
        ("Two CD two 2 nsubj\nleft VBD leave 0 ROOT", {(0, 1)}),
        ("two CD two 2 nummod\ncats NNS cat 0 ROOT", {(0, 2)}),
        ("Two CD two 2 dep\nleft VBD leave 0 ROOT", set()),
        ("mine NN mine 2 nsubj\nwon VBD win 0 ROOT", {(0, 1)}),  # of coal
        ("I NN i 2 nsubj\nwon VBD win 0 ROOT", {(0, 1)}),
        ("that IN that 2 mark\nwon VBD win 0 ROOT", set()),
        ("that DT that 2 nsubj\nwon VBD win 0 ROOT", {(0, 1)}),
        ("that DT that 2 det\ncat NN cat 0 ROOT", {(0, 2)}),
        ("each PRP each 2 nsubj\nwon VBD win 0 ROOT", set()),  # what a tagger takes for a pronoun
        (
            "cats NNS cat 0 ROOT\n( -LRB- ( 3 punct\nold JJ old 1 amod\n) -RRB- ) 3 punct\n, , , 1 punct",
            {(0, 4)},
        ),
        ("cats NNS cat 0 ROOT\nold JJ old 1 amod\n) -RRB- ) 2 punct", {(0, 2)}),
    ],
)
def test_what_may_be_a_mention(table: str, spans: set[tuple[int, int]]) -> None:
    assert found(table) == spans


MODIFIER = "Zorby NNP Zorby 2 compound\npolice NNS police 0 ROOT"


def test_a_name_known_from_elsewhere_is_found_before_a_noun() -> None:
    assert found(f"{MODIFIER}\n\nZorby NNP Zorby 0 ROOT") == {(0, 1), (0, 2), (2, 3)}
    last = "Zorby NNP Zorby 0 ROOT\n\npolice NNS police 0 ROOT\nZorby NNP Zorby 1 compound"
    assert (2, 3) in found(last)  # the text ends with it
    assert found(f"{MODIFIER}\n\nZorby NN zorby 0 ROOT") == {(0, 2), (2, 3)}  # as a noun it is not a name
    long = "\n".join(f"{word} NNP {word} 5 compound" for word in ("Za", "Zb", "Zc", "Zd"))
    alone = long.replace("5 compound", "4 compound").replace("Zd 4 compound", "Zd 0 ROOT")
    assert (0, 4) in found(f"{long}\npolice NNS police 0 ROOT\n\n{alone}")


@pytest.mark.parametrize(
    "table",
    [
        "Zorby NNP Zorby 3 compound\nTimes NNP Times 3 compound\npolice NNS police 0 ROOT",  # it goes on
        "New NNP New 3 compound\nZorby NNP Zorby 3 compound\npolice NNS police 0 ROOT",  # it began before
        "Old JJ old 3 compound (ORG*\nZorby NNP Zorby 3 compound *)\npolice NNS police 0 ROOT",
    ],
)
def test_a_part_of_another_name_is_not_found_before_a_noun(table: str) -> None:
    assert not {(0, 1), (1, 2)} & found(f"{table}\n\nZorby NNP Zorby 0 ROOT")


@pytest.mark.parametrize(
    ("first", "start"),
    [("Career", 1), ("President", 0), ("Painter", 0), ("Mr.", 0), ("the", 0)],
)
def test_a_heading_is_not_part_of_a_name(first: str, start: int) -> None:
    tag = "DT" if first == "the" else "NNP"
    table = f"{first} {tag} {first} 2 compound\nZorby NNP Zorby 3 nsubj (PERSON)\nleft VBD leave 0 ROOT"
    assert (start, 2) in found(table)


def owls(tags: str, relation: str = "nsubj") -> Parse:
    """Make sentences of "There Owl sat", with these tags of Owl; the last has this relation."""
    each = [f"There EX there 3 expl\nOwl {tag} owl 3 nsubj\nsat VBD sit 0 ROOT" for tag in tags.split()]
    return mended(
        "\n\n".join(each).removesuffix("nsubj\nsat VBD sit 0 ROOT") + f"{relation}\nsat VBD sit 0 ROOT"
    )


def test_a_usual_name_is_one_wherever_it_has_a_capital() -> None:
    assert owls("NNP NNP NNP JJ").tags[10] == "NNP"
    assert owls("NNP NNP JJ").tags[7] == "JJ"  # too rare
    assert owls("NNP NNP NNP JJ JJ JJ JJ JJ JJ JJ JJ JJ JJ").tags[10] == "JJ"  # hardly ever a name
    assert owls("NNP NNP NNP JJ", "amod").tags[10] == "JJ"  # Owl feathers
    assert owls("NNP NNP NNP NN").tags[10] == "NN"  # may head a phrase as it is
    alone = (
        "Owl NNP owl 2 nsubj\nsaw VBD see 0 ROOT\nOwl NNP owl 2 dobj\nOwl NNP owl 2 dobj\nOwl JJ owl 2 nsubj"
    )
    assert mended(alone).tags[4] == "JJ"  # the first word of a text has a capital anyway
