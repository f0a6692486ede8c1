"""The rules of each language: its abbreviations, its quotation marks, how its words are joined."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.language.languages import check_language

DATA = Path(__file__).parent.parent / "data" / "cutting"
_LISTS = ("abbreviations", "closing", "elided", "clitics", "whole", "months", "clipped", "quoting")
ENDS = frozenset((".", "!", "?", "…", "..."))


@dataclass(frozen=True, slots=True)
class CuttingRules:
    """How words and sentences are written in a language; `data/cutting/rules.toml` says what each list is."""

    abbreviations: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    elided: tuple[str, ...] = ()
    clitics: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    clipped: tuple[str, ...] = ()
    quoting: tuple[str, ...] = ()
    opens: frozenset[str] = frozenset()
    closes: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()
    ends: frozenset[str] = ENDS
    ordinals: bool = False
    apostrophes: bool = False


@cache
def rules_of(language: str) -> CuttingRules:
    """Read the rules of a language by its code.

    >>> "usw" in rules_of("de").abbreviations, sorted(rules_of("fr").closes)
    (True, ['»', '’', '”'])
    """
    check_language(language)
    return CuttingRules(**{name: _value(name, given) for name, given in _tables()[language].items()})


def _value(name: str, given: str | bool) -> Any:
    if isinstance(given, bool):
        return given
    return tuple(given.split()) if name in _LISTS else frozenset(given)


@cache
def _tables() -> Mapping[str, Mapping[str, str | bool]]:
    return tomllib.loads((DATA / "rules.toml").read_text("utf-8"))
