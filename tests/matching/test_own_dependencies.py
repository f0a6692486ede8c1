"""Heads by the key's own dependency trees, as CoNLL-U brings them along; zeros are no part of a tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from made_conllu import conllu
from referee import Protocol, score
from referee.exceptions import FailureWarning, FormatError, ProtocolError

# Every word depends on the first of its sentence.
KEY = conllu("a{(x--1} b c{x)} *1:dep{(x--1)} | d{(y--1)} e *1:dep{(y--1)}") + conllu(
    "f{(z--1} g{z)} h{(z--1)}", "e"
)
RESPONSE = conllu("a{(x--1} b{x)} c *1:dep{(x--1)} | d{(y--1} e{y)} *1:dep") + conllu(
    "f{(z--1)} g h{(z--1)}", "e"
)


def put(folder: Path, key: str = KEY, response: str = RESPONSE) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, text in zip(paths, (key, response), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_mentions_of_one_head_are_the_same(tmp_path: Path) -> None:
    key, response = put(tmp_path)
    exact, by_head = (score(key, response, protocol=Protocol(match=match)) for match in ("exact", "head"))
    assert exact.mentions.counts["recall_numerator"] == 2  # the zero of x, and h
    assert by_head.mentions.counts["recall_numerator"] == 5
    assert by_head.mentions.counts["recall_denominator"] == 6
    (tmp_path / "trees").mkdir()
    for name, text in zip("de", KEY.split("# newdoc id = e"), strict=True):
        (tmp_path / "trees" / f"{name}.conllu").write_text(text, encoding="utf-8")
    beside = score(key, response, protocol=Protocol(match="head"), parses=tmp_path / "trees")
    assert beside.mentions.counts == by_head.mentions.counts


def test_a_key_without_trees_says_so(tmp_path: Path) -> None:
    no_tree = KEY.split("# newdoc id = e")[1].replace("0\troot", "_\t_").replace("1\tdep", "_\t_")
    key, response = put(tmp_path, KEY.split("# newdoc id = e")[0] + "# newdoc id = e" + no_tree)
    with pytest.raises(ProtocolError, match="document e has no dependency tree, which match='head' needs"):
        score(key, response, protocol=Protocol(match="head"))


def test_a_circle_is_refused(tmp_path: Path) -> None:
    key, response = put(tmp_path, KEY.replace("1\ta\t_\tX\t_\t_\t0\troot", "1\ta\t_\tX\t_\t_\t2\tdep"))
    with pytest.raises(FormatError, match=r"document d: word \d depends on itself through other words"):
        score(key, response, protocol=Protocol(match="head"), strict=True)
    with pytest.warns(FailureWarning, match=r"depends on itself .* it is not scored"):
        assert score(key, response, protocol=Protocol(match="head")).units == ["e"]
