"""JSON with the faults of language models: what is read, and which repairs are named."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

import pytest

from referee.formats.marked.loose_json import (
    COMMAS,
    COMMENTS,
    INNER,
    MORE,
    NAMES,
    NO_COMMAS,
    PYTHON,
    SINGLE,
    TWICE,
    decode,
)


@pytest.mark.parametrize(
    ("raw", "value", "repairs"),
    [
        ('{"a": [1, "b"]}', {"a": [1, "b"]}, ()),
        ('["a", // one\n "b"] # two', ["a", "b"], (COMMENTS,)),
        ('["a" /* x, ] */, "b"]', ["a", "b"], (COMMENTS,)),
        ('["http://a", "b # c", "/* d */",]', ["http://a", "b # c", "/* d */"], (COMMAS,)),
        ("['Mary\\'s dog', 'it']", ["Mary's dog", "it"], (SINGLE,)),
        ("['Mary's dog', 'it']", ["Mary's dog", "it"], (SINGLE, INNER)),
        ("['say \"x\"']", ['say "x"'], (SINGLE,)),
        ('["the "old" dog", "it"]', ['the "old" dog', "it"], (INNER,)),
        ("{a: None, 'b': (1, 2,)}", {"a": None, "b": [1, 2]}, (NAMES, PYTHON, SINGLE)),
        ('[["a"] ["b"]]', [["a"], ["b"]], (NO_COMMAS,)),
        ('["a",\n"b"\n"c"]', ["a", "b", "c"], (NO_COMMAS,)),
        ('["a", "b", ...]', ["a", "b"], (MORE, COMMAS)),
        ('{"1": ["a"], "1": ["b"]}', {"1": ["a", "b"]}, (TWICE,)),
    ],
)
def test_values_are_read_and_repairs_named(raw: str, value: Any, repairs: tuple[str, ...]) -> None:
    read = decode(raw, 0)
    assert read is not None
    assert (read.value, read.repairs, read.rest) == (value, repairs, None)


@pytest.mark.parametrize(
    ("raw", "value", "rest"),
    [
        ('[["a", "b"], ["c', [["a", "b"]], ', ["c'),
        ("[['a', 'b'], ['c', 'd", [["a", "b"], ["c"]], ", 'd"),
        ('[["a"], [Bob, "he"]]', [["a"]], ', [Bob, "he"]]'),
    ],
)
def test_what_breaks_off_is_read_up_to_its_last_whole_item(raw: str, value: Any, rest: str) -> None:
    read = decode(raw, 0)
    assert read is not None
    assert (read.value, read.rest) == (value, rest)


@pytest.mark.parametrize("raw", ["{{x|1}}", "[Ann: 1]", "[x] y", "[1}", "{", "[", ""])
def test_what_is_not_json_is_not_read(raw: str) -> None:
    assert decode(raw, 0) is None


@pytest.mark.parametrize(
    "signs", ["[", "[1,", "[{'a':[1,", '["', "['", "[/*", "[//\n", '["a" ', "{a:", "[()"]
)
def test_hostile_signs_take_linear_time(signs: str) -> None:
    before = perf_counter()
    decode(signs * 100_000, 0)
    assert perf_counter() - before < 30


def test_strict_json_is_read_as_it_is() -> None:
    value = {"a": ["it's", 'x "y"', "\n", "// no", {"b": [None, True, 1.5e3]}]}
    read = decode(json.dumps(value), 0)
    assert read is not None
    assert (read.value, read.repairs) == (value, ())
