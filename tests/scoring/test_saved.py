"""Results survive being saved, and what was damaged since is refused in words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.exceptions import FormatError, ProtocolError, RefereeError
from referee.matching.protocol import CHOICES, Protocol
from referee.metrics.catalogue import CATALOGUE
from referee.scoring.result import Result
from referee.scoring.saved import looks_saved, read_results
from referee.tables.rendering import as_json
from referee.tables.scores import score_output

HASHES = st.sampled_from(["", "0a1b2c", "ffffffffffff"])
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Results that no scoring would give, but that have the right shape."""
    units = draw(st.lists(WORDS, min_size=1, max_size=3, unique=True))
    names = draw(st.lists(st.sampled_from([*CATALOGUE]), min_size=1, max_size=2, unique=True))
    number = st.integers(0, 2**40) | st.floats(1e-9, 1e6)
    counts = {}
    for name in names:
        width = len(CATALOGUE[name].columns)
        row = st.lists(number, min_size=width, max_size=width)
        rows = draw(st.lists(row, min_size=len(units), max_size=len(units)))
        counts[name] = np.array(rows, np.float64)
    choices = {name: draw(st.sampled_from(allowed)) for name, allowed in CHOICES.items()}
    try:
        protocol = Protocol(**choices)
    except ProtocolError:
        protocol = Protocol()
    return Result(
        draw(WORDS), units, counts, protocol,
        draw(st.lists(WORDS, max_size=2)),
        key=draw(HASHES),
        lengths=draw(st.just(()) | st.lists(st.integers(0, 9), min_size=len(units), max_size=len(units))),
        version=draw(st.sampled_from(["0.1.0", "9.9"])),
        trees=draw(HASHES),
        groups=draw(HASHES),
    )  # fmt: skip


@given(results())
def test_a_result_survives_json(result: Result) -> None:
    again = Result.from_dict(json.loads(json.dumps(result.to_dict())))
    assert again == result
    assert hash(again) == hash(result)
    assert (again.signature, again.scores) == (result.signature, result.scores)


@given(results(), results())
def test_results_are_equal_if_they_are_written_alike(one: Result, other: Result) -> None:
    assert (one == other) == (one.to_dict() == other.to_dict())


def test_each_part_of_a_result_counts_in_a_comparison() -> None:
    base = referee.score([["a", "b"]], [["a", "b", "c"]])
    changed = [
        replace(base, system="x"), replace(base, units=["x"]), replace(base, notices=["x"]),
        replace(base, key="x"), replace(base, lengths=[3]), replace(base, version="x"),
        replace(base, trees="x"), replace(base, groups="x"), replace(base, protocol=Protocol(input="strict")),
        replace(base, counts={"muc": base.counts["muc"]}),
        replace(base, counts={**base.counts, "muc": base.counts["muc"] + 1}),
    ]  # fmt: skip
    assert base == replace(base)
    assert all(base != other for other in changed)
    assert base != "a string"


def test_units_of_one_name_are_not_saved() -> None:
    result = referee.score([["a", "b"]], [["a", "b", "c"]]).where([0, 0])
    with pytest.raises(RefereeError, match="several units are named '1'"):
        result.to_dict()
    assert result.to_dict(units=False)["conll"] == result.conll


DAMAGES: list[Any] = [
    None, True, 0, 1, -1, 2.5, 5e-324, 1e308, 10**400, float("nan"), float("inf"), "", "x", "9", [], [1],
    ["x"], [[]], {}, {"x": 1}, {"x": {}}, {"muc": [1, 2, 3, 4]},
]  # fmt: skip


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value inside a value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from paths_in(part, (*path, name))


def damaged(text: str, chance: random.Random) -> str:
    """Change a value, lose it, or call it by another name."""
    value = json.loads(text)
    path = chance.choice([path for path in paths_in(value) if path])
    holder = value
    for name in path[:-1]:
        holder = holder[name]
    kind = chance.random()
    if kind < 0.8:
        holder[path[-1]] = chance.choice(DAMAGES)
    elif kind < 0.9 and isinstance(holder, dict):
        holder["y"] = holder.pop(path[-1])
    else:
        del holder[path[-1]]
    return json.dumps(value)


def test_whatever_is_damaged_is_refused_or_compared(tmp_path: Path) -> None:
    scorer = referee.Scorer(metric=["muc", "blanc"])
    for name in "ab":
        scorer.update([["a", "b"], ["c"]], [["a", "b", "c"]], name=name)
    saved = replace(scorer.compute(), lengths=[3, 4], notices=["x"])
    text, chance = as_json(score_output("key", [saved])), random.Random(1)
    path, refused = tmp_path / "run.json", 0
    for _ in range(1500):
        path.write_text(damaged(text, chance), encoding="utf-8")
        said = ""
        try:
            (found,) = read_results([str(path)]).values()
            referee.compare(saved, *found, samples=9)
        except FormatError as error:
            said = str(error)
            refused += 1
        except ProtocolError as error:  # whole, but another result
            said = str(error)
        assert not said or any(words in said for words in (f"{path}: ", "cannot be compared", "in common"))
    assert refused > 500


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"units": {"a": None}}, "unit a must be an object, not None"),
        ({"units": {"a": {"muc": [1, 2, 3]}}}, "muc of unit a must be a list of 4 counts"),
        ({"units": {"a": {"muc": [1, 2, 3, "4"]}}}, "muc of unit a must be a count, not '4'"),
        ({"units": {}}, "it has no units or no metrics"),
        ({"protocol": {"match": "exact"}}, "its protocol has no version"),
        ({"protocol": {"match": "best", "version": "1"}}, "match must be exact or"),
        ({"lengths": {"b": 3}}, "units and lengths do not have the same names"),
        ({"columns": {"rouge": []}}, "metric 'rouge' is unknown"),
        ({"system": ["s"]}, r"system must be a string, not \['s'\]"),
    ],
)
def test_a_refusal_says_what_is_damaged(damage: dict[str, Any], said: str) -> None:
    scorer = referee.Scorer(metric=["muc"])
    scorer.update([["a", "b"]], [["a", "b"]], name="a")
    with pytest.raises(FormatError, match=said):
        Result.from_dict(scorer.compute().to_dict() | damage)
    with pytest.raises(FormatError, match="it must be an object"):
        Result.from_dict([1])  # type: ignore[arg-type]


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"schema": 1, "results": ' + "[" * 10**5, encoding="utf-8")
    with pytest.raises(FormatError, match="not JSON"):
        read_results([str(path)])


@pytest.mark.parametrize("text", ['{"schema":1,"results":[]}', '{\n "schema": 1}', '{ "schema" : 1}'])
def test_saved_results_are_known_however_they_are_laid_out(text: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    assert looks_saved(str(path))
