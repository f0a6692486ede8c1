"""The file of decisions: what is written is read, and each fault is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.exceptions import FormatError
from referee.resolvers.across.explaining import MentionKey
from referee.resolvers.across.store.decisions import (
    LARGEST_FILE,
    Decision,
    read_decision,
    read_decisions,
    write_decisions,
)

HEAD = '{"referee": "decisions", "version": 1}'
KEYS = st.builds(
    lambda text, start, width: MentionKey(text, start, start + width),
    st.text("ab/é☃", max_size=5),
    st.integers(0, 99),
    st.integers(1, 9),
)
NAMES = st.text("ab é☃", min_size=1).map(lambda name: " ".join(name.split())).filter(bool)
DECISIONS = st.one_of(
    st.lists(KEYS, min_size=2, unique=True).map(lambda keys: Decision("merge", tuple(keys))),
    st.lists(KEYS, min_size=2, unique=True).map(lambda keys: Decision("split", (keys[0],), tuple(keys[1:]))),
    st.builds(
        lambda key, name, who: Decision("rename", (key,), name=name, remarks=(("who", who),)),
        KEYS,
        NAMES,
        NAMES,
    ),
)


@given(st.lists(DECISIONS, max_size=5))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, decisions: list[Decision]) -> None:
    path = tmp_path_factory.mktemp("d") / "decisions.jsonl"
    write_decisions(decisions, path)
    assert read_decisions(path) == decisions


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[", ":2: not JSON"),
        ("[" * 100_000, ":2: not JSON"),
        ("[1]", ":2: not a JSON object"),
        ('{"decision": "merg"}', "merge, split, rename, not 'merg'; did you mean merge?"),
        ('{"decision": ["merge"]}', "'decision' must be one of"),
        ('{"decision": "merge"}', "a merge needs 'mentions'"),
        ('{"decision": "merge", "mentions": [["d", 0, 1]]}', "a merge needs two mentions or more"),
        ('{"decision": "merge", "mentions": [["d", 0, 1], ["d", 0, 1]]}', "two mentions or more"),
        ('{"decision": "merge", "mentions": [], "x": 1}', "a merge has no 'x'"),
        ('{"decision": "merge", "mentions": []}', "'mentions' must be a list of mentions"),
        ('{"decision": "merge", "mentions": [["d", 1, 1], ["d", 2, 3]]}', "has ['d', 1, 1], not"),
        ('{"decision": "merge", "mentions": [["d", -1, 1], ["d", 2, 3]]}', "has ['d', -1, 1], not"),
        ('{"decision": "merge", "mentions": [["d", false, true], ["d", 2, 3]]}', "has ['d', False"),
        ('{"decision": "merge", "mentions": [[1, 0, 1], ["d", 2, 3]]}', "has [1, 0, 1], not"),
        ('{"decision": "split", "mentions": [["d", 0, 1]], "from": [["d", 0, 1]]}', "and in 'from'"),
        ('{"decision": "rename", "mentions": [["d", 0, 1]], "name": " "}', "'name' must be a text"),
        ('{"decision": "rename", "mentions": [["d", 0, 1]], "name": "a", "who": 1}', "'who' must be a text"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text(f"{HEAD}\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError) as error:
        read_decisions(path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty; a file of decisions begins with"),
        (b'{"decision": "merge"}', ":1: not a file of decisions"),
        (b'{"referee": "decisions", "version": 2}', "version 2 of the file; this Referee reads 1"),
        (b"caf\xe9", ":1: not UTF-8"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said.replace("?", ".")):
        read_decisions(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(FormatError, match="split it into several files"):
        read_decisions(path)
    with pytest.raises(FormatError, match="No such file"):
        read_decisions(tmp_path / "none")


def test_names_are_written_in_one_line() -> None:
    line = json.loads('{"decision": "rename", "mentions": [["d", 0, 1]], "name": " Tim \\n Cook "}')
    assert read_decision(line, "f:2").name == "Tim Cook"
