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
    """What a resolver chose for a text: guidelines, and why; a model, for a language.

    What is empty was given, or there was nothing to choose. `doubt` says in words why a text may be in
    another language than the one that it is read in.
    """

    guidelines: str = ""
    reason: str = ""
    model: str = ""
    language: str = ""
    doubt: str = ""

    def __str__(self) -> str:
        """Say it in a line."""
        guided = f"guidelines of {self.guidelines}, because it is {self.reason}" if self.guidelines else ""
        return "; ".join(filter(None, (self.language_in_words, self.doubt, guided)))

    @property
    def language_in_words(self) -> str:
        """Say which model reads which language.

        >>> Choice(model="multi", language="German").language_in_words
        'German, read by the model multi'
        """
        return f"{self.language}, read by the model {self.model}" if self.model else ""

    def facts(self) -> dict[str, str]:
        """Give what was chosen by name."""
        return {name: value for name, value in self._asdict().items() if value}


def choices_in_words(choices: Mapping[str, Choice]) -> list[str]:
    """Say what was chosen for texts: for one with the reason, for several how often."""
    if len(choices) == 1:
        return [str(choice) for choice in choices.values()]
    said = []
    languages = Counter(filter(None, (choice.language_in_words for choice in choices.values())))
    doubts = Counter(filter(None, (choice.doubt for choice in choices.values())))
    if languages:
        listed = "; ".join(f"{count} in {language}" for language, count in languages.most_common())
        said.append(f"of {len(choices)} texts {listed}")
    said += [f"{count} of {len(choices)} texts: {doubt}" for doubt, count in doubts.most_common()]
    counts = Counter(choice.guidelines for choice in choices.values() if choice.guidelines)
    listed = ", ".join(f"of {name} for {count}" for name, count in counts.most_common())
    return [*said, f"guidelines {listed} of {len(choices)} texts, by genre and length"] if counts else said


def warned(resolver: Resolver) -> Resolver:
    """Warn of what the user of a resolver should know; the command line prints it as notices."""
    for notice in resolver.notices:
        warnings.warn(notice, SettingWarning, stacklevel=3)
    return resolver
