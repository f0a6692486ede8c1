"""Reads results back that `score --format json` has written."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from referee.exceptions import FormatError
from referee.formats.io.opening import SeekableFile, plain_bytes, read_text
from referee.scoring.result import Result

SAVED = re.compile(rb'\s*\{\s*"schema"\s*:')
HEAD = 2**12  # bytes that a result is recognised by
PathName = str | PathLike[str]
HOW_TO_SAVE = "make them with referee score and format=json"


def looks_saved(path: PathName) -> bool:
    """Whether a file is a saved result: one JSON object, with results in it."""
    if isinstance(path, SeekableFile):
        head = path.read(0, HEAD)
    else:
        head = (plain_bytes(fspath(path), 0, HEAD) or b"") if Path(path).is_file() else b""
    return SAVED.match(head) is not None


def read_results(paths: Sequence[PathName], scope: str | None = None) -> dict[str, list[Result]]:
    """Read results by matching, if all systems have the same ones; of the scope given, or the first one's."""
    chosen = _of_one_scope([(path, result) for file in paths for path, result in _read(file)], scope)
    matchings = list(dict.fromkeys(result.protocol.match for _, result in chosen))
    by_matching = {
        name: _named([(path, result) for path, result in chosen if result.protocol.match == name])
        for name in matchings
    }
    systems = [[result.system for result in results] for results in by_matching.values()]
    if systems.count(systems[0]) < len(systems):  # not the same ones: a comparison will say what differs
        return {matchings[0]: _named(chosen)}
    return by_matching


def _of_one_scope(read: Sequence[tuple[str, Result]], scope: str | None) -> list[tuple[str, Result]]:
    scope = scope or read[0][1].protocol.scope
    others = sorted({result.protocol.scope for _, result in read} - {scope})
    notice = f"results of scope {scope} are compared; scope={' or '.join(others)} for the others"
    chosen = [
        (path, replace(result, notices=[notice] * bool(others) + [*result.notices]))
        for path, result in read
        if result.protocol.scope == scope
    ]
    if not chosen:
        raise FormatError(f"no saved result has scope {scope}")
    return chosen


def _named(read: Sequence[tuple[str, Result]]) -> list[Result]:
    """Name systems of one name after their files."""
    names = [result.system for _, result in read]
    return [
        result if names.count(result.system) == 1 else replace(result, system=_distinct(path, result, names))
        for path, result in read
    ]


def _distinct(path: str, result: Result, names: Sequence[str]) -> str:
    stem = Path(path).stem
    return stem if stem not in names else f"{path}: {result.system}"


def _read(file: PathName) -> list[tuple[str, Result]]:
    path = fspath(file)
    try:
        value: Any = json.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: not JSON: {error}") from error
    if not isinstance(value, dict) or not isinstance(value.get("results"), list) or not value["results"]:
        raise FormatError(f"{path}: no saved results; {HOW_TO_SAVE}")
    try:
        return [(path, Result.from_dict(result)) for result in value["results"]]
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
