"""What a resolver tells its user: what it cannot do, and what it chose by itself."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from referee.exceptions import SettingWarning

if TYPE_CHECKING:
    from referee.resolvers.base import Resolver


class Choice(NamedTuple):
    """What a resolver chose for a text: the guidelines, and why."""

    guidelines: str
    reason: str

    def __str__(self) -> str:
        """Say it in a line."""
        return f"guidelines of {self.guidelines}, because it is {self.reason}"


def choices_in_words(choices: Mapping[str, Choice]) -> list[str]:
    """Say what was chosen for texts: for one with the reason, for several how often."""
    if len(choices) == 1:
        return [str(choice) for choice in choices.values()]
    counts = Counter(choice.guidelines for choice in choices.values())
    listed = ", ".join(f"of {name} for {count}" for name, count in counts.most_common())
    return [f"guidelines {listed} of {len(choices)} texts, by genre and length"] if choices else []


def warned(resolver: Resolver) -> Resolver:
    """Warn of what the user of a resolver should know; the command line prints it as notices."""
    for notice in resolver.notices:
        warnings.warn(notice, SettingWarning, stacklevel=3)
    return resolver
