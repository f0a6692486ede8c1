"""Reads a file that is one JSON value, or one list of them, from untrusted sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.encoding import decoded
from referee.exceptions import FormatError
from referee.formats.io.opening import SeekableFile

LARGEST = 2**28  # bytes: as Python's objects a value takes about ten times its file
LARGEST_OBJECT = 20_000_000  # bytes of what describes something, as a model or its tokenizer
SPACE = re.compile(r"[ \t\r\n]*")
_decoder = json.JSONDecoder()


def json_value(file: SeekableFile) -> Any:
    """Read a file that is one value."""
    text = _text(file)
    value, end = _decoded(text, _after(text, 0), file.path, 1)
    _refuse_more(text, end, file.path)
    return value


def json_object(path: Path, hint: str) -> dict[str, Any]:
    """Read a file that describes something in one object; `hint` says what to do where there is none."""
    try:
        if path.stat().st_size > LARGEST_OBJECT:
            raise FormatError(f"{path}: larger than {LARGEST_OBJECT:,} bytes; this is not such a file")
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}; {hint}") from error
    value = json_value(SeekableFile(str(path)))
    if not isinstance(value, dict):
        raise FormatError(f"{path}: not a JSON object")
    return value


def json_items(file: SeekableFile) -> Iterator[tuple[str, Any]]:
    """Read the items of a file that is one list, each with where it is (FILE:LINE)."""
    text = _text(file)
    position = _after(text, 0)
    if text[position : position + 1] != "[":
        raise FormatError(f"{file.path}:1: expected a JSON list")
    position, line, counted = _after(text, position + 1), 1, 0
    while text[position : position + 1] != "]":
        line, counted = line + text.count("\n", counted, position), position
        value, position = _decoded(text, position, file.path, line)
        yield f"{file.path}:{line}", value
        position = _after(text, position)
        if text[position : position + 1] == ",":
            position = _after(text, position + 1)
        elif text[position : position + 1] != "]":
            raise FormatError(
                f"{file.path}:{_line(text, position)}: the JSON list breaks off, or lacks a comma"
            )
    _refuse_more(text, position + 1, file.path)


def _text(file: SeekableFile) -> str:
    data = file.read(0, LARGEST + 1)
    if len(data) > LARGEST:
        raise FormatError(
            f"{file.path}: one JSON value of more than {LARGEST >> 20} MiB would not fit into memory; write "
            "JSON lines, one document per line, which are read one by one"
        )
    return decoded(data, file.path)


def _decoded(text: str, start: int, path: str, line: int) -> tuple[Any, int]:
    try:
        return _decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise FormatError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, lists in lists in lists
        raise FormatError(f"{path}:{line}: JSON that cannot be read: {error}") from error


def _refuse_more(text: str, end: int, path: str) -> None:
    if (rest := _after(text, end)) < len(text):
        raise FormatError(f"{path}:{_line(text, rest)}: more than one JSON value")


def _after(text: str, position: int) -> int:
    return SPACE.match(text, position).end()  # type: ignore[union-attr]  # it matches nothing, too


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
