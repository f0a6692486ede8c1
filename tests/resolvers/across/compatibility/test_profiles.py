"""Columns of pairs, and what is added to their scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from referee.arrays import IntArray
from referee.exceptions import FormatError
from referee.language.cutting.texts import cut_raw
from referee.model import Text
from referee.resolvers.across.compatibility.adjusting import (
    FILE,
    INPUTS,
    OTHER_ROOT,
    Adjuster,
    worth_adjusting,
)
from referee.resolvers.across.compatibility.profiles import COLUMNS, NamedTexts, StatedFacts, stated_facts
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.pair_features import FEATURES, Located
from referee.resolvers.across.similarity import CorpusSimilarity

TEXTS = (
    "The club Valmera sold Daniel Okoro for 65 million euros on Tuesday.",
    "The club Torrente sold Luca Marchetti for 30 million euros on Thursday.",
    "On Tuesday night Okoro left Valmera, and a fee of 65 million euros was paid.",
)
MENTIONS = (
    (0, "Daniel Okoro"), (1, "Luca Marchetti"), (2, "Okoro"), (0, "65 million euros"),
    (1, "30 million euros"),
    (2, "65 million euros"), (0, "Tuesday"), (1, "Thursday"), (2, "Tuesday night"), (2, "a fee"),
)  # fmt: skip


def facts() -> StatedFacts:
    texts = [cut_raw(Text(str(number), (), (), running=text)) for number, text in enumerate(TEXTS)]
    document, start, end = list[int](), list[int](), list[int]()
    for number, mention in MENTIONS:
        words, wanted = texts[number].words, tuple(mention.split())
        at = next(at for at in range(len(words)) if words[at : at + len(wanted)] == wanted)
        document.append(number)
        start.append(at)
        end.append(at + len(wanted))
    located = Located(*(np.array(column, np.int64) for column in (document, start, end)))
    every = [text.words for text in texts]
    similarity = CorpusSimilarity.of(every)
    return stated_facts(
        NamedTexts(texts, every, similarity.proper), similarity, located, np.ones(len(MENTIONS), np.int64)
    )


def columns(*pairs: tuple[int, int]) -> dict[str, list[float]]:
    chosen = RowPairs(*(np.array(side, np.int64) for side in zip(*pairs, strict=True)))
    rows = facts().columns(chosen, np.zeros((chosen.size, len(FEATURES)), np.float32))
    return {name: [round(value, 3) for value in rows[:, at].tolist()] for at, name in enumerate(COLUMNS)}


def test_names_numbers_and_days_of_pairs() -> None:
    names = columns((0, 1), (0, 2), (0, 9), (1, 9), (3, 9))
    assert names["name apart"] == [1, 0, 0, 0, 0]
    assert names["name part"] == [0, 1, 0, 0, 0]
    assert names["name one_present"] == [0, 0, 1, 0, 0]
    assert names["name one_absent"] == [0, 0, 0, 1, 0]
    assert names["name none"] == [0, 0, 0, 0, 1]
    stated = columns((3, 4), (3, 5), (6, 7), (6, 8))
    assert stated["number other"] == [1, 0, 0, 0]
    assert stated["number equal"] == [0, 1, 0, 0]
    assert stated["day other"] == [0, 0, 1, 0]
    assert stated["day equal"] == [0, 0, 0, 1]


def test_sentences_and_documents_of_pairs() -> None:
    known = columns((0, 1), (0, 2))
    assert known["document names shared"] == [0, 1]
    assert known["sentence names shared"] == [0, 1]
    assert known["other document has names"] == [0, 0.667]
    assert known["either document has names"] == [0, 1]
    assert known["sentence number other"] == [1, 0]
    assert known["sentence number equal"] == [0, 1]
    assert known["sentence day other"] == [1, 0]


def test_columns_are_the_same_in_both_directions() -> None:
    known, pairs = facts(), all_pairs(len(MENTIONS))
    features = np.random.default_rng(1).random((pairs.size, len(FEATURES)), np.float32)
    assert (
        known.columns(pairs, features).tobytes() == known.columns(RowPairs(*pairs[::-1]), features).tobytes()
    )


def weights(seed: int = 1, columns: int = len(INPUTS)) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {
        "hidden.weight": random.normal(size=(3, columns)).astype(np.float32),
        "hidden.bias": random.normal(size=3).astype(np.float32),
        "out.weight": random.normal(size=3).astype(np.float32),
        "out.bias": np.ones(1, np.float32),
    }


def test_only_pairs_that_may_be_the_same_are_adjusted() -> None:
    pairs = all_pairs(len(MENTIONS))
    features = np.zeros((pairs.size, len(FEATURES)), np.float32)
    odds = np.linspace(-8, 8, pairs.size)
    features[0, [FEATURES.index("same_head"), FEATURES.index("capitals")]] = 1
    rows: IntArray = worth_adjusting(features, odds)
    assert 0 in rows
    assert 1 not in rows
    adjuster = Adjuster(weights())
    first = adjuster.adjusted(facts(), pairs, features, odds, read=False)
    assert np.flatnonzero(first != odds).tolist() == rows.tolist()
    assert (first != adjuster.adjusted(facts(), pairs, features, odds, read=True)).any()


def test_two_events_of_one_text_with_other_heads_are_less_likely_one() -> None:
    pairs = RowPairs(np.array([0, 0, 0]), np.array([1, 2, 3]))
    features = np.zeros((3, len(FEATURES)), np.float32)
    features[1:, FEATURES.index("same_document")] = 1
    features[2, FEATURES.index("same_head")] = 1
    odds, adjuster = np.full(3, -9.0), Adjuster(weights())
    events = replace(facts(), kind=np.zeros(len(MENTIONS), np.int64))
    assert adjuster.adjusted(events, pairs, features, odds, read=False).tolist() == [-9, -9 - OTHER_ROOT, -9]
    assert adjuster.adjusted(facts(), pairs, features, odds, read=False).tolist() == [-9, -9, -9]


def test_a_model_has_the_file_or_not_and_its_columns_must_be_those_of_this_version(tmp_path: Path) -> None:
    assert Adjuster.of(tmp_path) is None
    save_file(weights(), tmp_path / FILE)
    assert isinstance(Adjuster.of(tmp_path), Adjuster)
    save_file(weights(columns=5), tmp_path / FILE)
    with pytest.raises(FormatError, match="was trained with other columns"):
        Adjuster.of(tmp_path)
