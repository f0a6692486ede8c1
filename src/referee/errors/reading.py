"""Reads what an analysis is given: a key with its layers, responses, and what the systems are called."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath

from referee import formats
from referee.exceptions import RefereeError
from referee.formats.opening import STDIN, stem
from referee.language.layers import layered
from referee.matching.protocol import Protocol
from referee.model import Corpus

PathName = str | PathLike[str]
Given = PathName | Corpus


def read_key(given: Given, protocol: Protocol, layers: PathName | None, nlp: str | None) -> Corpus:
    """Open a key, and fill in the layers that it lacks."""
    key = formats.opened(given, strict=protocol.strict)
    return layered(key, None if layers is None else fspath(layers), nlp)


def read_responses(given: Given | Sequence[Given], protocol: Protocol) -> list[Corpus]:
    """Open one response or several."""
    return [formats.opened(each, role="response", strict=protocol.strict) for each in listed(given)]


def listed(given: Given | Sequence[Given]) -> list[Given]:
    """Make a list of one or several responses."""
    if isinstance(given, str | PathLike | Corpus):
        return [given]
    if not given:
        raise RefereeError("no response to analyse")
    return list(given)


def system_names(given: Given | Sequence[Given]) -> list[str]:
    """Call systems after their files, in full where that is not enough; at last by number."""
    full = [each.name if isinstance(each, Corpus) else fspath(each) for each in listed(given)]
    short = ["stdin" if name == STDIN else stem(name) for name in full]
    for names in (short, full):
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({number})" for number, name in enumerate(full, start=1)]
