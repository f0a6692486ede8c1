"""How alike documents are: names tell events of one sort apart, and neighbours tell what alike means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from corpora import corpus
from referee import formats
from referee.arrays import FloatArray, IntArray
from referee.resolvers.across.constants import MIN_DOCUMENTS, MIN_LEVEL, NEIGHBOURS, USUAL_LEVEL
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.similarity import (
    CorpusSimilarity,
    compared_rows,
    counted_rows,
    listed_terms,
    named_terms,
    neighbour_level,
    weighted_rows,
)

ARREST = (
    "police arrested the driver of a car after a chase on the road and a judge set bail for drunken driving"
)
STORM = "a storm flooded streets near the coast while winds tore roofs off houses and rain filled rivers"


def texts(*told: str) -> list[list[str]]:
    return [text.split() for text in told]


def groups(*told: str) -> list[int]:
    return [int(group) for group in CorpusSimilarity.of(texts(*told)).group]


def test_the_same_sort_of_event_with_other_names_is_another_group() -> None:
    found = groups(
        *(f"{ARREST} , said Ann Lee of Oslo in 2009" for _ in range(NEIGHBOURS)),
        *(f"{ARREST} , said Bob Roy of Turin in 2013" for _ in range(NEIGHBOURS)),
        *(f"{STORM} , said Kim Poe of Quito" for _ in range(NEIGHBOURS)),
    )
    assert found == [0] * NEIGHBOURS + [1] * NEIGHBOURS + [2] * NEIGHBOURS


def test_a_text_like_no_other_has_a_group_of_its_own() -> None:
    assert groups(f"{ARREST} Ann Lee", f"{ARREST} Ann Lee", "nothing of this kind") == [0, 0, 1]
    assert groups("one word", "another thing") == [0, 1]


def test_names_are_capitals_within_a_sentence_and_numbers() -> None:
    (told,) = texts("Two men met . Ann saw Bob Lee at 9pm : Then I left the BBC")
    assert named_terms(told) == ["bob", "lee", "9pm", "bbc"]
    assert named_terms([]) == []


def test_how_often_a_word_is_said_does_not_change_a_group() -> None:
    once = [f"{ARREST} Ann Lee", f"{ARREST} Ann Lee", f"{STORM} Kim Poe", f"{STORM} Kim Poe"]
    often = [once[0] + " road" * 30, *once[1:]]
    assert groups(*once) == groups(*often) == [0, 0, 1, 1]


def test_two_texts_of_two_events_of_one_sort_are_two_groups() -> None:
    ann = "Ann Lee of Oslo was stopped by officer Kim Poe near Bergen in 2009 and left a cell next morning"
    bob = "Bob Roy of Turin was seen by sergeant Eva Sim at a party in 2013 before witnesses called for help"
    assert groups(f"{ARREST} . {ann}", f"{ARREST} . {ann}") == [0, 0]
    assert groups(f"chased and arrested . {ann}", f"chased and arrested . {bob}") == [0, 1]
    assert groups(*[f"chased and arrested . {ann}"] * 2, *[f"chased and arrested . {bob}"] * 2) == [
        0,
        0,
        1,
        1,
    ]


@pytest.mark.parametrize("size", [2, 3, 7, NEIGHBOURS + 4, 2 * NEIGHBOURS + 3])
def test_a_level_is_the_average_of_the_nearest_half_and_one_more(size: int) -> None:
    pairs = all_pairs(size)
    cosines = 1 / (1.0 + pairs.first + pairs.second)
    table = np.zeros((size, size))
    table[pairs.first, pairs.second] = table[pairs.second, pairs.first] = cosines
    near = min(NEIGHBOURS, size // 2)
    nearest = np.sort(table, 1)[:, -near:].sum(1)
    level = np.maximum((nearest + USUAL_LEVEL) / (near + 1), MIN_LEVEL)
    assert np.allclose(neighbour_level(pairs, cosines, size), level)
    assert (level == MIN_LEVEL).any() == (size > NEIGHBOURS)


def test_documents_that_share_nothing_still_have_a_level() -> None:
    none = RowPairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert neighbour_level(none, np.zeros(0), 3).tolist() == [USUAL_LEVEL / 2] * 3
    assert neighbour_level(none, np.zeros(0), 1).tolist() == [USUAL_LEVEL / 2]
    assert neighbour_level(none, np.zeros(0), 0).size == 0
    assert neighbour_level(none, np.zeros(0), 20).tolist() == [MIN_LEVEL] * 20


def test_a_phrase_that_two_of_many_share_makes_them_no_group() -> None:
    """Were they compared with their neighbours alone, they would be: those share nothing."""
    number = iter(range(10_000))
    others = [" ".join(f"word{next(number)}" for _ in range(40)) for _ in range(20)]
    both = [f"{text} my thoughts go out to those hurt" for text in others[:2]]
    assert groups(*both, *others[2:]) == list(range(20))


def test_words_of_one_text_make_it_less_alike_but_have_no_column() -> None:
    listed = listed_terms([["a", "b", "a"], ["a", "c"], ["a", "d", "e"]], {})
    rows = compared_rows(counted_rows(*listed))
    assert rows.shape == (3, 1)
    often, once = np.log((1 + MIN_DOCUMENTS) / 4) + 1, np.log((1 + MIN_DOCUMENTS) / 2) + 1
    wanted = [often / np.hypot(often, once), often / np.hypot(often, once * np.sqrt(2))]
    assert np.allclose(rows.toarray()[:, 0], [wanted[0], wanted[0], wanted[1]])


def test_two_texts_are_compared_by_all_their_words_and_three_by_shared_ones() -> None:
    two = CorpusSimilarity.of(texts("fire storm", "fire flood"))
    assert two.roots.shape[1] == 3
    assert 0 < (two.roots @ two.roots.T).toarray()[0, 1] < 0.5
    three = CorpusSimilarity.of(texts("fire storm", "fire flood", "fire rain"))
    assert np.allclose((three.roots @ three.roots.T).toarray(), 1)


def test_rarity_is_told_as_of_a_hundred_documents_at_least() -> None:
    few = CorpusSimilarity.of(texts("fire storm", "fire flood"))
    assert np.isclose(few.rarity("fir"), np.log((MIN_DOCUMENTS + 1) / 2))
    many = CorpusSimilarity.of(texts(*["fire"] * (MIN_DOCUMENTS + 9), "storm"))
    assert np.isclose(many.rarity("storm"), np.log(MIN_DOCUMENTS + 11))


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    rows = weighted_rows([["a", "b"], ["a", "b"], ["a", "c"], ["a", "c"], ["a", "c"]], 2).toarray()
    assert rows[0, 1] > rows[2, 2] > rows[0, 0] > 0
    assert np.allclose((rows**2).sum(1), 1)


def right_pairs(group: IntArray, names: Sequence[str]) -> float:
    """Tell how many pairs of a topic are rightly put together or apart: the average of all topics."""
    topic = np.array([name.partition("_")[0] for name in names])
    second = np.array(["plus" in name for name in names])  # each topic has two events, in files of two names
    found: list[FloatArray] = []
    for name in np.unique(topic):
        own = np.flatnonzero(topic == name)
        one, other = np.triu_indices(own.size, 1)
        one, other = own[one], own[other]
        found.append(np.mean((group[one] == group[other]) == (second[one] == second[other])))
    return float(np.mean(found))


def test_subtopics_of_ecbplus_are_mostly_found() -> None:
    dev = formats.read(corpus("ecbplus") / "dev")
    words = every_word(dev)
    assert right_pairs(CorpusSimilarity.of(words).group, dev.ids) > 0.97  # by n-grams and one threshold: 0.87
    alone = [right_pairs_of_few(words, dev.ids, size) for size in (4, 10)]
    assert alone[0] > 0.8  # 0.33 by shared terms and neighbours alone
    assert alone[1] > 0.85


def right_pairs_of_few(words: Sequence[Sequence[str]], names: Sequence[str], size: int) -> float:
    """Take the first documents of both events of each topic, as if there were no others."""
    shares = []
    for topic in {name.partition("_")[0]: None for name in names}:
        own = [row for row, name in enumerate(names) if name.partition("_")[0] == topic]
        both = [[row for row in own if ("plus" in names[row]) == plus][: size // 2] for plus in (False, True)]
        drawn = [row for rows in both for row in rows]
        group = CorpusSimilarity.of([words[row] for row in drawn]).group
        shares.append(right_pairs(group, [names[row] for row in drawn]))
    return float(np.mean(shares))
