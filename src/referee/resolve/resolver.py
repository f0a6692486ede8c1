"""What a resolver is, and which there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, overload

from referee.exceptions import ProtocolError, did_you_mean
from referee.model import Document, Text
from referee.registry import entries
from referee.resolve.resolved import Resolved


class Resolver(ABC):
    """Makes clusters of texts. A text with `running` and no words is raw: the resolver cuts it itself."""

    @abstractmethod
    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Give each text its clusters, in order; words and sentences that a text has are kept."""

    @overload
    def predict(self, texts: str, is_split_into_words: bool = False) -> Resolved: ...
    @overload
    def predict(
        self, texts: Sequence[str] | Sequence[Sequence[str]], is_split_into_words: bool = False
    ) -> Resolved | list[Resolved]: ...
    def predict(
        self, texts: str | Sequence[str] | Sequence[Sequence[str]], is_split_into_words: bool = False
    ) -> Resolved | list[Resolved]:
        """Resolve one text or several, as fastcoref does: a string gives one result, a list gives a list.

        With `is_split_into_words` a text is a list of words, and several are a list of such lists.
        """
        single = isinstance(texts, str) or (is_split_into_words and isinstance(texts[0], str))
        given = [texts] if single else texts
        made = [_text(str(number), text) for number, text in enumerate(given)]  # type: ignore[arg-type]
        results = [Resolved(document) for document in self.resolve(made)]
        return results[0] if single else results


def _text(id_: str, given: str | Sequence[str]) -> Text:
    return raw_text(id_, given) if isinstance(given, str) else Text(id_, tuple(given), ((0, len(given)),))


def raw_text(id_: str, running: str) -> Text:
    """Make a text that has not been cut into words yet."""
    return Text(id_, (), (), running=running)


@dataclass(frozen=True, slots=True)
class ResolverEntry:
    """A resolver by name: what it does, and how it is made of settings."""

    label: str
    make: Callable[..., Resolver]


@cache
def resolvers() -> dict[str, ResolverEntry]:
    """List the resolvers that modules of this package offer in a dictionary `RESOLVERS`."""
    return entries("referee.resolve", "RESOLVERS")


def resolver_named(name: str, **settings: Any) -> Resolver:
    """Make the resolver of this name."""
    known = resolvers()
    if name not in known:
        raise ProtocolError(
            f"there is no resolver '{name}'; there are {', '.join(known)}{did_you_mean(name, known)}"
        )
    return known[name].make(**settings)
