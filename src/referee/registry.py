"""Things by name: those of this package, found where they are, and those that installed packages add.

A package adds a metric, a format or a resolver by an entry point, whose name is the name that users give:

    [project.entry-points."referee.metrics"]
    exact_clusters = "my_package:EXACT_CLUSTERS"

`Registry(group, ours, *kinds)` is a mapping of both: `Registry("referee.metrics", METRICS, Metric)` has what
METRICS has, and behind it each entry point of the group whose object is a `Metric`. Installed packages are
asked when a name is not among ours, or when all names are listed, and never before, since that takes longer
than scoring a document. One that fails is skipped: a `PluginWarning` reports it, and `SKIPPED` lists it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from referee.exceptions import PluginWarning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Thing = TypeVar("Thing")
SKIPPED: list[str] = []  # a message for each entry point that was skipped


class Registry(Mapping[str, Thing], Generic[Thing]):
    """What this package has by name, and behind it what installed packages add.

    >>> metrics = Registry("referee.examples", {"muc": 1.0}, float)
    >>> metrics["muc"], "b_cubed" in metrics, list(metrics)
    (1.0, False, ['muc'])
    """

    def __init__(self, group: str, ours: Mapping[str, Thing], *kinds: type) -> None:
        """Name the group of entry points, what this package has, and what an entry point may be."""
        self.group, self.ours, self._kinds = group, ours, kinds

    @cached_property
    def installed(self) -> dict[str, Thing]:
        """What installed packages add; what cannot be taken is reported once."""
        found: dict[str, Thing] = {}
        for entry in _entry_points(self.group):
            try:
                found[entry.name] = self._load(entry, found)
            except (Exception, SystemExit) as error:  # it may raise anything
                _skip(f"{_package_of(entry)}: {entry.name} of {self.group} is skipped: {_in_words(error)}")
        return found

    def _load(self, entry: EntryPoint, found: Mapping[str, Thing]) -> Thing:
        if entry.name in self.ours or entry.name in found:
            raise ValueError("there is one of this name already")
        thing: Thing = entry.load()
        if not isinstance(thing, self._kinds):
            expected = " or ".join(kind.__name__ for kind in self._kinds)
            raise TypeError(f"{entry.value} is a {type(thing).__name__}, not a {expected}")
        return thing

    def __getitem__(self, name: str) -> Thing:
        """Take what is ours first."""
        return self.ours[name] if name in self.ours else self.installed[name]

    def __contains__(self, name: object) -> bool:
        """Whether there is one of this name; ours is not loaded for that."""
        return name in self.ours or name in self.installed

    def __iter__(self) -> Iterator[str]:
        """List all names: ours, then those of installed packages, which are asked only then."""
        yield from self.ours
        yield from self.installed

    def __len__(self) -> int:
        """Count all."""
        return len(self.ours) + len(self.installed)


def _entry_points(group: str) -> list[EntryPoint]:
    """List the entry points of a group, in the order of names; one that is installed twice is there once."""
    from importlib.metadata import distributions  # takes long to load

    found: dict[tuple[str, str], EntryPoint] = {}
    for distribution in distributions():
        try:
            offered = distribution.entry_points.select(group=group)
        except Exception as error:  # its metadata may hold anything
            _skip(f"{distribution.name}: its entry points are skipped: {_in_words(error)}")
            continue
        for entry in offered:
            found.setdefault((entry.name, entry.value), entry)
    return [found[key] for key in sorted(found)]


def _package_of(entry: EntryPoint) -> str:
    return (entry.dist.name if entry.dist else "") or entry.module


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _skip(message: str) -> None:
    if message not in SKIPPED:
        SKIPPED.append(message)
        warnings.warn(message, PluginWarning, stacklevel=2)


def entries(package: str, name: str) -> dict[str, Any]:
    """Join the dictionaries of this name that the modules of a package have, in the modules' order.

    >>> "camp" in entries("referee.resolvers", "RESOLVERS")
    True
    """
    from pkgutil import iter_modules

    joined: dict[str, Any] = {}
    for module in sorted(found.name for found in iter_modules(import_module(package).__path__)):
        offered = getattr(import_module(f"{package}.{module}"), name, {})
        if repeated := joined.keys() & offered.keys():
            raise ValueError(f"{package}.{module}: {name} has {min(repeated)}, which another module has")
        joined |= offered
    return joined
