"""A reader of random weights, exported and run, computes what plain numpy does."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import erf

from referee.resolvers.across.neighbours import all_pairs
from referee.resolvers.across.pair_features import FEATURES
from referee.resolvers.across.reader import Reader, ReadRow, marked_row
from referee.training.export.reader import write_reader
from toy_reader import FIRST, HEADS, LAYERS, WIDTH, toy_weights


def gelu(x: Any) -> Any:
    return x * 0.5 * (1 + erf(x / np.sqrt(2)))


def plainly_read(w: dict[str, Any], row: ReadRow) -> Any:
    """Attention over all pieces; between passages a number is added."""
    states = row.lower.astype(np.float64) + w["mark.weight"][row.marks]
    others = row.passages[:, None] != row.passages[None, :]
    for number in range(FIRST, FIRST + LAYERS):
        own = {
            name.split(".", 3)[3]: part
            for name, part in w.items()
            if name.startswith(f"enc.layers.{number}.")
        }

        def linear(name: str, x: Any, own: Any = own) -> Any:
            return x @ own[f"{name}.weight"].T + own[f"{name}.bias"]

        def normed(name: str, x: Any, own: Any = own) -> Any:
            x = x - x.mean(1, keepdims=True)
            return (
                x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-12) * own[f"{name}.weight"]
                + own[f"{name}.bias"]
            )

        query, key, value = (
            part.reshape(len(states), HEADS, -1).transpose(1, 0, 2)
            for part in np.split(linear("mix", states), 3, axis=1)
        )
        logits = query @ key.transpose(0, 2, 1) / np.sqrt(WIDTH // HEADS)
        odds = np.exp(logits + others * w["apart"][number][:, None, None])
        attended = (odds / odds.sum(2, keepdims=True)) @ value
        states = normed(
            "norm_out", states + linear("out", attended.transpose(1, 0, 2).reshape(len(states), -1))
        )
        states = normed("norm_down", states + linear("down", gelu(linear("up", states))))
    return states


def plain_odds(w: dict[str, Any], states: Any, one: Any, other: Any, features: Any) -> float:
    """Compare two mentions (kind, first and last piece)."""
    a, b = (
        gelu(
            w["g.first.weight"] @ states[first] + w["g.first.bias"] + w["g.last.weight"] @ states[last]
            + np.mean([w["g.mean.weight"] @ states[piece] for piece in range(first, last + 1)], 0)
        )
        for _, first, last in (one, other)
    )  # fmt: skip
    z = w["kind.weight"][one[0]] + w["w.0.weight"] @ (a + b) + w["w.1.weight"] @ np.abs(a - b)
    z = z + w["w.2.weight"] @ (a * b) + w["f.weight"] @ ((features - w["mean"]) / w["std"]) + w["f.bias"]
    hidden = np.maximum(w["o.2.weight"] @ np.maximum(z, 0) + w["o.2.bias"], 0)
    return float((w["o.5.weight"] @ hidden + w["o.5.bias"])[0])


def row(seed: int, *sizes: int) -> ReadRow:
    random = np.random.default_rng(seed)
    return ReadRow(
        random.normal(size=(sum(sizes), WIDTH)).astype(np.float32),
        random.integers(0, 3, sum(sizes)),
        np.repeat(np.arange(len(sizes)), sizes),
    )


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Reader]:
    folder: Path = tmp_path_factory.mktemp("reader")
    for int8 in (False, True):
        write_reader(toy_weights(), HEADS, folder / str(int8), int8=int8)
    return {int8: Reader(folder / str(int8)) for int8 in (False, True)}


def whole(reader: Reader, given: ReadRow) -> Any:
    """Read a row, all of it a mention."""
    return reader.states(given, np.array([0]), np.array([len(given.marks) - 1])).states


def test_a_row_is_read_as_plain_numpy_reads_it(readers: dict[bool, Reader]) -> None:
    for given in (row(1, 7, 5, 9), row(2, 4)):
        wanted = plainly_read(toy_weights(), given)
        assert np.abs(whole(readers[False], given) - wanted).max() < 1e-4
        off = np.abs(whole(readers[True], given) - wanted)
        assert 1e-4 < off.mean() < 0.1


def test_only_the_subwords_of_mentions_have_states(readers: dict[bool, Reader]) -> None:
    given, first, last = row(1, 7, 5, 9), np.array([3, 14, 2]), np.array([4, 14, 3])
    for reader in readers.values():
        every, some = whole(reader, given), reader.states(given, first, last)
        assert np.allclose(some.states, every[[2, 3, 4, 14]], atol=1e-5)
        assert (some.first.tolist(), some.last.tolist()) == ([1, 3, 0], [2, 3, 1])


class OfVersionEight:
    """A session of an earlier reader, which is not told what is wanted."""

    def __init__(self, states: Any) -> None:
        self.states = states

    def run(self, _results: None, given: dict[str, Any]) -> Any:
        assert {*given} == {"lower", "marks", "passages"}
        return [self.states[None]]


def test_a_reader_of_an_earlier_version_gives_all_states(readers: dict[bool, Reader]) -> None:
    given, first, last = row(1, 7, 5, 9), np.array([3, 14, 2]), np.array([4, 14, 3])
    reader = copy(readers[False])
    reader.session, reader.chooses = OfVersionEight(whole(reader, given)), False
    now, then = readers[False].states(given, first, last), reader.states(given, first, last)
    assert then.states.shape == (21, WIDTH)
    assert np.allclose(reader.pairs.vectors(*now), reader.pairs.vectors(*then), atol=1e-5)


def test_other_passages_are_seen_and_kept_apart(readers: dict[bool, Reader]) -> None:
    given = row(1, 7, 5)
    alone = whole(readers[False], ReadRow(given.lower[:7], given.marks[:7], given.passages[:7]))
    together = whole(readers[False], given)
    as_one = whole(readers[False], given._replace(passages=np.zeros(12, np.int64)))
    assert np.abs(alone - together[:7]).max() > 0.01
    assert np.abs(as_one - together).max() > 0.01


def test_pairs_are_compared_as_plain_numpy_does(readers: dict[bool, Reader]) -> None:
    random = np.random.default_rng(4)
    states = random.normal(size=(12, WIDTH)).astype(np.float32)
    spans = np.array([[0, 1, 1], [0, 3, 6], [0, 11, 11]])
    pairs, features = all_pairs(3), random.normal(size=(3, len(FEATURES))).astype(np.float32)
    for kind in (0, 1):
        spans[:, 0] = kind
        scorer = readers[False].pairs
        odds = scorer.odds(scorer.vectors(states, spans[:, 1], spans[:, 2]), spans[:, 0], features, pairs)
        wanted = [
            plain_odds(toy_weights(), states.astype(float), spans[i], spans[j], told)
            for i, j, told in zip(*pairs, features, strict=True)
        ]
        assert np.allclose(odds, wanted, atol=1e-4)


def test_an_event_is_seen_where_an_entity_is_too() -> None:
    lower = [np.ones((4, 2), np.float16), np.zeros((3, 2), np.float16)]
    made = marked_row(lower, np.array([[0, 2, 2], [1, 1, 2], [1, 5, 5]]))
    assert made.marks.tolist() == [0, 2, 1, 0, 0, 2, 0]
    assert made.passages.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert made.lower[:, 0].tolist() == [1, 1, 1, 1, 0, 0, 0]
    assert made.lower.dtype == np.float32


def test_what_the_reader_does_not_use_is_not_needed(tmp_path: Path, readers: dict[bool, Reader]) -> None:
    weights = toy_weights()
    del weights["side.weight"]
    write_reader(
        {name: part.astype(np.float16) for name, part in weights.items()}, HEADS, tmp_path, int8=True
    )
    assert np.abs(whole(Reader(tmp_path), row(1, 5)) - whole(readers[True], row(1, 5))).max() < 0.1
