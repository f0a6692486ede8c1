"""Values as JSON and back: what the service and its Python client send each other, equal to the bit.

A value is written without its types, which are those that its class declares: a frozen dataclass is an
object of the fields that differ from their defaults, a named tuple and any other sequence a list. Reading
follows the declared types and refuses all else, so that a made-up document is as good as one that was read.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from math import isfinite
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from referee.exceptions import FormatError

LARGEST = 2**53  # beyond it JSON's numbers are not exact everywhere
NUMBERS = ("float64", "int64", "bool")  # what arrays hold
# Classes that annotations name which are imported for type checkers alone.
NAMED = {
    "Plan": "referee.comparing.verdicts", "Level": "referee.crossdoc.levels",
    "Estimate": "referee.tables.intervals",
}  # fmt: skip


def packed(value: Any) -> Any:
    """Make a value that JSON can hold.

    >>> from referee.model import Mention
    >>> packed(Mention.at(0, 2)), packed([1.5, float("inf"), None])
    ({'spans': [[0, 2]]}, [1.5, 'inf', None])
    """
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, np.generic):
        return packed(value.item())
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "shape": [*value.shape], "values": packed(value.ravel().tolist())}
    if dataclasses.is_dataclass(value):
        return {
            field.name: packed(given)
            for field in dataclasses.fields(value)
            if field.init and not _is_default(field, given := getattr(value, field.name))
        }
    if isinstance(value, Mapping):
        return {name: packed(part) for name, part in value.items()}
    return [packed(part) for part in value]


def _is_default(field: dataclasses.Field[Any], given: Any) -> bool:
    make = field.default_factory
    default = field.default if make is dataclasses.MISSING else make()
    return default is not dataclasses.MISSING and type(given) is type(default) and bool(given == default)


def unpacked(hint: Any, value: Any, where: str = "value") -> Any:
    """Make a value of a declared type again.

    >>> from referee.model import Mention
    >>> unpacked(Mention, {"spans": [[0, 2]]}).spans
    ((0, 2),)
    >>> unpacked(Mention, {"spans": [[0, "2"]]})
    Traceback (most recent call last):
    referee.exceptions.FormatError: value.spans[0][1]: must be a whole number
    """
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin in (Union, types.UnionType):
        return _one_of(parts, value, where)
    if hint in _PLAIN:
        return _plain(hint, value, where)
    if hint is np.ndarray or origin is np.ndarray:
        return _array(value, where)
    if origin is tuple and parts[-1:] != (...,):
        return _fixed(parts, value, where)
    if origin in (tuple, list, Sequence):
        read = [unpacked(parts[0], part, f"{where}[{n}]") for n, part in enumerate(_list(value, where))]
        return tuple(read) if origin is tuple else read
    if origin in (dict, Mapping):
        return {name: unpacked(parts[1], part, f"{where}.{name}") for name, part in _object(value, where)}
    if dataclasses.is_dataclass(hint):
        return _made(hint, dict(_object(value, where)), where)
    if isinstance(hint, type) and issubclass(hint, tuple):
        return hint(*_fixed(tuple(declared(hint).values()), value, where))
    raise TypeError(f"{where}: values of the type {hint} are not sent")


_PLAIN = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def _plain(hint: Any, value: Any, where: str) -> Any:
    if hint is float:
        if isinstance(value, str) and value in ("nan", "inf", "-inf"):
            return float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST**16:
            return value
    elif isinstance(value, hint) and not (hint is int and (isinstance(value, bool) or abs(value) > LARGEST)):
        return value
    raise FormatError(f"{where}: must be {_PLAIN[hint]}")


def _one_of(hints: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in hints:
        return None
    others = [hint for hint in hints if hint is not type(None)]
    for hint in others[:-1]:
        try:
            return unpacked(hint, value, where)
        except FormatError:
            continue
    return unpacked(others[-1], value, where)


def _fixed(hints: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    given = _list(value, where)
    if len(given) != len(hints):
        raise FormatError(f"{where}: must be a list of {len(hints)}")
    return tuple(
        unpacked(hint, part, f"{where}[{n}]") for n, (hint, part) in enumerate(zip(hints, given, strict=True))
    )


def _array(value: Any, where: str) -> Any:
    given = dict(_object(value, where))
    if given.get("dtype") not in NUMBERS:
        raise FormatError(f"{where}: must be an array of {', '.join(NUMBERS)}")
    shape = unpacked(tuple[int, ...], given.get("shape"), where)
    values = unpacked(list[float | bool], given.get("values"), where)
    try:
        return np.array(values, given["dtype"]).reshape(shape)
    except (ValueError, OverflowError) as error:
        raise FormatError(f"{where}: {error}") from error


def _made(kind: Any, given: dict[str, Any], where: str) -> Any:
    hints = declared(kind)
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    if unknown := given.keys() - fields.keys():
        raise FormatError(f"{where}: {kind.__name__} has no {min(unknown)}; it has {', '.join(fields)}")
    missing = dataclasses.MISSING
    lacking = [
        name
        for name, field in fields.items()
        if name not in given and field.default is missing and field.default_factory is missing
    ]
    if lacking:
        raise FormatError(f"{where}: must have {lacking[0]}")
    read = {name: unpacked(hints[name], part, f"{where}.{name}") for name, part in given.items()}
    try:
        return kind(**read)
    except FormatError as error:
        raise FormatError(f"{where}: {error}") from error


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise FormatError(f"{where}: must be a list")
    return value


def _object(value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise FormatError(f"{where}: must be an object")
    return value.items()


@cache
def declared(kind: Any) -> dict[str, Any]:
    """List the fields of a class and their types."""
    named = (
        {name: _imported(module, name) for name, module in NAMED.items()} if kind.__name__ == "Scores" else {}
    )
    hints = get_type_hints(kind, localns=named)
    names = getattr(kind, "_fields", None) or [field.name for field in dataclasses.fields(kind)]
    return {name: hints[name] for name in names}


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(module), name)
