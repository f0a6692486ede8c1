"""Files that are one JSON value, or one list of them."""

from pathlib import Path

import pytest

from referee.exceptions import FormatError
from referee.formats.io import json_file
from referee.formats.io.json_file import json_items, json_object, json_value
from referee.formats.io.opening import SeekableFile


def file_of(tmp_path: Path, content: bytes) -> SeekableFile:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    return SeekableFile(str(path))


def test_items_come_with_their_lines(tmp_path: Path) -> None:
    file = file_of(tmp_path, b'\xef\xbb\xbf [\n {"a": 1},\n\n [2,\n 3], "x"\n]\n')
    assert [(where.rsplit(":", 1)[1], value) for where, value in json_items(file)] == [
        ("2", {"a": 1}), ("4", [2, 3]), ("5", "x"),
    ]  # fmt: skip
    assert json_value(file) == [{"a": 1}, [2, 3], "x"]
    assert list(json_items(file_of(tmp_path, b"[ ]"))) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1}', ":1: expected a JSON list"),
        (b"[1,\n 2\n 3]", ":3: the JSON list breaks off, or lacks a comma"),
        (b"[1,\n 2", ":2: the JSON list breaks off"),
        (b"[1,\n", ":2: not JSON: Expecting value"),
        (b"[1, 2]\n[3]", ":2: more than one JSON value"),
        (b'["a\xff"]', ":1: not UTF-8"),
        (b"[" * 100_000, ":1: JSON that cannot be read"),
        (b"[\n" + b"9" * 10_000 + b"]", ":2: JSON that cannot be read"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=r".*a\.json" + message):
        list(json_items(file_of(tmp_path, content)))


def test_a_value_alone(tmp_path: Path) -> None:
    assert json_value(file_of(tmp_path, b' {"a": [1]}\n')) == {"a": [1]}
    with pytest.raises(FormatError, match=r"a\.json:2: more than one JSON value"):
        json_value(file_of(tmp_path, b"{}\n{}"))


def test_a_value_that_would_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "LARGEST", 2**20)
    with pytest.raises(FormatError, match="more than 1 MiB would not fit into memory; write JSON lines"):
        json_value(file_of(tmp_path, b" " * (2**20 + 1)))
    assert json_value(file_of(tmp_path, b" " * (2**20 - 1) + b"1")) == 1


def test_what_describes_something_is_one_small_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.json"
    with pytest.raises(FormatError, match=r"model\.json: No such file or directory; copy it"):
        json_object(path, "copy it")
    path.write_text('{"width": 384}')
    assert json_object(path, "copy it") == {"width": 384}
    for text, wrong in (("[]", "not a JSON object"), ('\n{"a', "model.json:2: not JSON")):
        path.write_text(text)
        with pytest.raises(FormatError, match=wrong):
            json_object(path, "copy it")
    path.write_text('{"width": 384}')
    monkeypatch.setattr(json_file, "LARGEST_OBJECT", 5)
    with pytest.raises(FormatError, match="larger than 5 bytes"):
        json_object(path, "copy it")
