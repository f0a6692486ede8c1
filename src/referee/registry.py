"""Finds what a package offers, so that a new entry is one new file and no list has to be kept."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def entries(package: str, name: str) -> dict[str, Any]:
    """Join the dictionaries of this name that the modules of a package have, in the modules' order.

    >>> entries("referee.formats.conll", "FORMATS")["conll"].label
    'CoNLL'
    """
    joined: dict[str, Any] = {}
    for module in sorted(found.name for found in iter_modules(import_module(package).__path__)):
        offered = getattr(import_module(f"{package}.{module}"), name, {})
        if repeated := joined.keys() & offered.keys():
            raise ValueError(f"{package}.{module}: {name} has {min(repeated)}, which another module has")
        joined |= offered
    return joined
