"""How alike documents are: names tell events of one sort apart, and neighbours tell what alike means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpora import corpus
from referee import formats
from referee.arrays import FloatArray, IntArray
from referee.resolve.across.likeness import (
    LEAST_LEVEL,
    NEIGHBOURS,
    Likeness,
    named_terms,
    neighbour_level,
    weighted_rows,
)
from referee.resolve.across.mention_table import every_word
from referee.resolve.across.neighbours import RowPairs, all_pairs

ARREST = (
    "police arrested the driver of a car after a chase on the road and a judge set bail for drunken driving"
)
STORM = "a storm flooded streets near the coast while winds tore roofs off houses and rain filled rivers"


def texts(*told: str) -> list[list[str]]:
    return [text.split() for text in told]


def groups(*told: str) -> list[int]:
    return [int(group) for group in Likeness.of(texts(*told)).group]


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


def test_a_level_is_the_average_of_the_nearest_and_never_too_low() -> None:
    size = NEIGHBOURS + 4
    pairs = all_pairs(size)
    cosines = 1 / (1.0 + pairs.first + pairs.second)
    table = np.zeros((size, size))
    table[pairs.first, pairs.second] = table[pairs.second, pairs.first] = cosines
    nearest = np.sort(table, 1)[:, -NEIGHBOURS:].sum(1) / NEIGHBOURS
    assert np.allclose(neighbour_level(pairs, cosines, size), np.maximum(nearest, LEAST_LEVEL))


def test_documents_that_share_nothing_have_the_least_level() -> None:
    none = RowPairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert neighbour_level(none, np.zeros(0), 3).tolist() == [LEAST_LEVEL] * 3


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
    assert right_pairs(Likeness.of(every_word(dev)).group, dev.ids) > 0.95  # by n-grams alone: 0.87
