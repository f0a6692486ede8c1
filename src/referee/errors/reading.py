"""Reads what an analysis is given: a key with its layers, responses, and what the systems are called."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath

from referee import formats
from referee.exceptions import RefereeError
from referee.language.added_layers import layered
from referee.matching.protocol import Protocol
from referee.model import Corpus

PathName = str | PathLike[str]
Given = PathName | Corpus


def read_key(given: Given, protocol: Protocol, layers: PathName | None, nlp: str | None) -> Corpus:
    """Open a key, and fill in the layers that it lacks."""
    key = formats.opened(given, strict=protocol.strict, ids=protocol.ids)
    return layered(key, None if layers is None else fspath(layers), nlp)


def read_responses(given: Given | Sequence[Given], protocol: Protocol) -> list[Corpus]:
    """Open one response or several."""
    return [
        formats.opened(each, role="response", strict=protocol.strict, ids=protocol.ids)
        for each in response_list(given)
    ]


def response_list(given: Given | Sequence[Given]) -> list[Given]:
    """Make a list of one or several responses."""
    if isinstance(given, str | PathLike | Corpus):
        return [given]
    if not given:
        raise RefereeError("no response: give responses= at least one path or corpus")
    return list(given)
