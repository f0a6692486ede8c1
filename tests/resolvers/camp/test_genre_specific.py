"""Rules that hold in one genre: where they link, and that they are silent elsewhere."""

from __future__ import annotations

import pytest

from camp_texts import by_hand, discourse_by_rules, links

MAIL = "From: Clara Holt\nTo: Peter Moss\nSubject: The boat\n\nI sold the boat yesterday. Can you come?"
ITEMS = "Who works here:\n\n* Clara Holt. She paints boats.\n\n* Peter Moss. He sells them."
RIGHT = [
    ("headline", "Mayor resigns\n\nThe mayor of Carrow left on Monday.", {"Mayor | The mayor of Carrow"}),
    (
        "headline",
        "Old mayor resigns\n\nThe old mayor of Carrow left on Monday.",
        {"Old mayor | The old mayor of Carrow"},
    ),
    ("slug", "CARROW-PORT\n\nThe port of Carrow was closed.", {"CARROW-PORT | The port of Carrow"}),
    ("byline", "A winter at sea\n\nBy Clara Holt\n\nI left Leeds in May.", {"Clara Holt | I"}),
    ("e-mail", MAIL, {"Clara Holt | I", "Peter Moss | you"}),
    ("list item", ITEMS, {"Clara Holt | She", "Peter Moss | He"}),
    ("handle", "Nora Finch caught a fish. We love @NoraFinch.", {"Nora Finch | @NoraFinch"}),
    ("handle", "Nora Finch caught a fish. We love #NoraFinch.", {"Nora Finch | # NoraFinch"}),
    ("handle", "Carrow is nice. We love #Carrow.", {"Carrow | Carrow"}),
    ("letter", "Dear Clara,\n\nI hope that you are well.\n\nPeter", {"Dear Clara | you", "I | Peter"}),
    (
        "speaker label",
        "CLARA: I am late.\n\nPETER: I am early.\n\nCLARA: My train stopped.",
        {"CLARA | CLARA", "CLARA | I", "PETER | I"},
    ),
]  # fmt: skip


def linked(text: str, rule: str) -> set[str]:
    """List what a rule links, the antecedent first."""
    return {
        " | ".join(" ".join(markable.words) for markable in (link.antecedent, link.anaphor))
        for link in links(text, "genre")
        if link.rule == rule
    }


@pytest.mark.parametrize(
    ("rule", "text", "pairs"), RIGHT, ids=[f"{rule}-{text[:30]}" for rule, text, _ in RIGHT]
)
def test_a_genre_has_its_rule(rule: str, text: str, pairs: set[str]) -> None:
    told = {pair.lower().replace("-", " - ") if rule == "slug" else pair.lower() for pair in pairs}
    assert linked(text, rule) == told


SILENT = [
    "The mayor resigns. The mayor of Carrow left on Monday.",  # a sentence is no headline
    "Mayor resigns after vote\n\nThe old harbour was closed.",
    "CARROW-HARBOUR\n\nThe harbour of Leeds was closed.",  # not all words of the slug
    "A winter at home\n\nBy Clara Holt and the sea\n\nI left Leeds in May.",  # no byline
    "From: Clara Holt\n\nI sold the boat yesterday. Can you come?",  # no mail without To:
    "From: the office\nTo: us\nSubject: The boat\n\nI sold the boat yesterday. Can you come?",  # no names
    "Who works here:\n\n* Clara Holt. She paints boats.",  # one item is no list
    "Who works here:\n\n* Mrs. Holt. He paints boats.\n\n* Mr. Moss. She sells them.",  # gender
    "Clara wrote: I am late. Peter wrote: I am early.",  # no lines of labels
    "CLARA: It is late.\n\nCLARA: It is early.\n\nCLARA: It stopped.",  # nobody else speaks
    "CLARA: It is late.\n\nPETER: He is early.\n\nNORA: She left.",  # nobody speaks again
    "CLARA: It is late.\n\nPETER: It is early.",
]


@pytest.mark.parametrize("text", SILENT, ids=lambda value: value[:30])
def test_what_is_not_of_the_genre_is_left_alone(text: str) -> None:
    assert links(text, "genre") == []


def test_a_slug_has_two_words_or_more() -> None:
    body = "The DT the 2 det\nport NN port 3 nsubj\nclosed VBD close 0 ROOT\n. . . 3 punct"
    for slug, rules in (("PORT", []), ("OLD-PORT", ["slug"])):
        adjective = "The DT the 3 det\nold JJ old 3 amod\nport NN port 4 nsubj\nclosed VBD close 0 ROOT"
        text = by_hand(f"{slug} NN {slug.lower()} 0 ROOT\n\n{adjective if rules else body}")
        assert [link.rule for link in discourse_by_rules(text, only=["genre"]).links] == rules


def test_who_signs_a_letter_is_in_its_last_line() -> None:
    greeting = "Dear UH dear 2 intj\nClara NNP Clara 0 ROOT (PERSON)\n, , , 2 punct"
    body = "I PRP I 2 nsubj\nhope VBP hope 0 ROOT"
    for last, signs in (
        ("Peter NNP Peter 0 ROOT (PERSON)", True),
        ("Yours PRP yours 3 dep\n, , , 3 punct\nPeter NNP Peter 0 ROOT (PERSON)\n. . . 3 punct", True),
        ("Peter NNP Peter 0 ROOT (PERSON)\n. . . 1 punct\n. . . 1 punct", False),  # it goes on
        ("\n".join(["so RB so 6 advmod"] * 5) + "\nPeter NNP Peter 0 ROOT (PERSON)", False),  # a sentence
    ):
        found = discourse_by_rules(by_hand(f"{greeting}\n\n{body}\n\n{last}"), only=["genre"]).links
        assert bool([link for link in found if link.reason == "who signs"]) is signs


@pytest.mark.parametrize(("gap", "links_found"), [("\n", 0), ("\n\n", 2)])
def test_a_dash_within_a_sentence_begins_no_item(gap: str, links_found: int) -> None:
    items = [
        f"- : - 3 punct\n{name} NNP {name} 3 nsubj (PERSON)\nleft VBD leave 3 dep\n{word} PRP {word} 3 dep"
        for name, word in (("Clara", "she"), ("Peter", "he"))
    ]
    text = by_hand(gap.join(["So RB so 3 dep", *items]))
    assert len(discourse_by_rules(text, only=["genre"]).links) == links_found
