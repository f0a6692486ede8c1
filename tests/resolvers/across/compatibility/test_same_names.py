"""Clusters of one name are joined, unless it is ambiguous."""

from __future__ import annotations

import numpy as np
import pytest

from alike_stories import links_across, news_texts
from referee import link
from referee.model import DocumentCorpus
from referee.resolvers.across.compatibility.names import NamedMention, NamedWords
from referee.resolvers.across.compatibility.same_names import joins_by_name
from referee.resolvers.neural.models import installed_models


def named(sentence: str, mention: str) -> NamedMention | None:
    """Give the name of a mention in a sentence."""
    words, wanted = sentence.split(), mention.split()
    start = next(at for at in range(len(words)) if words[at : at + len(wanted)] == wanted)
    return NamedWords(words, [(0, len(words))]).with_place(start, start + len(wanted))


def joined(*mentions: tuple[str, str], label: list[int] | None = None) -> list[tuple[int, int]]:
    """Join mentions, each a cluster of its own unless said otherwise."""
    clusters = np.arange(len(mentions)) if label is None else np.array(label)
    return [(a, b) for a, b, _ in joins_by_name(clusters, [named(*each) for each in mentions])]


def test_full_names_and_names_of_one_word_are_joined() -> None:
    assert joined(
        ("she met Karen Holt", "Karen Holt"), ("a plant in Turin", "Turin"),
        ("then Karen Holt left", "Karen Holt"), ("the port of Turin", "Turin"),
    ) == [(0, 2), (1, 3)]  # fmt: skip


def test_a_surname_stands_for_the_full_name_of_its_text_or_the_only_one() -> None:
    karen, martin = ("when Karen Holt spoke Holt smiled", "Holt"), ("he saw Martin Holt", "Martin Holt")
    alone, full = ("then Holt left", "Holt"), ("he saw Karen Holt", "Karen Holt")
    assert joined(karen, full, martin) == [(0, 1)]
    assert joined(full, alone) == [(0, 1)]
    assert joined(full, martin, alone) == []
    assert joined(("he saw Mary Ann", "Mary Ann"), ("then Mary left", "Mary")) == []


def test_countries_have_forms_and_acronyms_one_name() -> None:
    assert joined(
        ("in the United States now", "the United States"), ("the US army", "US"),
        ("to the U.S. again", "U.S."),
    ) == [(0, 1), (0, 2)]  # fmt: skip
    board = ("the World Fisheries Council met", "World Fisheries Council")
    assert joined(board, ("of the WFC today", "the WFC")) == [(0, 1)]
    other = ("the Western Football Club lost", "Western Football Club")
    assert joined(board, other, ("of the WFC today", "the WFC")) == []
    assert joined(("they told us", "us"), ("the US army", "US")) == []


def test_the_first_word_of_an_organisation_stands_for_it_if_some_text_has_both() -> None:
    both, alone = ("as Tavell Group said Tavell grew", "Tavell"), ("then Tavell shrank", "Tavell")
    full, foods = ("he left Tavell Group", "Tavell Group"), ("as Tavell Foods said Tavell fell", "Tavell")
    assert joined(full, both, alone) == [(0, 1), (0, 2)]
    assert joined(full, alone) == []
    assert joined(full, both, foods, alone) == [(0, 1)]


def test_what_a_comma_adds_keeps_places_apart() -> None:
    ohio, illinois = "a plant in Springfield , Ohio", "mills in Springfield , Illinois"
    ours, theirs = (ohio, "Springfield , Ohio"), (illinois, "Springfield , Illinois")
    alone = ("trains to Springfield today", "Springfield")
    assert joined(ours, theirs, alone, ours) == [(0, 3)]
    assert joined(ours, alone) == [(0, 1)]


def test_most_names_of_a_cluster_decide() -> None:
    turin, oslo = ("a plant in Turin", "Turin"), ("the port of Oslo", "Oslo")
    assert joined(turin, turin, oslo, turin, label=[0, 0, 0, 1]) == [(0, 3)]
    assert joined(turin, oslo, turin, label=[0, 0, 1]) == []


@pytest.mark.skipif("link-en" not in installed_models(), reason="needs the model that links: make models")
def test_news_about_other_events_mention_the_same_people_and_places() -> None:
    """Without names 67 % of the links were found, and 84 % of those found were right."""
    texts = news_texts()
    response = link(
        DocumentCorpus(texts, "news", cross_document=True),
        model="link-en",
        kind="entities",
        mentions="gold",
        threads=1,
    )
    wanted, found = links_across(texts), links_across(response)
    assert len(wanted & found) >= 0.87 * len(wanted)
    assert len(wanted & found) >= 0.89 * len(found)
