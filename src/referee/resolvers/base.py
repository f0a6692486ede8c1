"""What a resolver is, and which there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, overload

from referee.exceptions import ProtocolError, did_you_mean
from referee.model import Document, Text
from referee.registry import entries
from referee.resolvers.resolved import Resolved


class Resolver(ABC):
    """Makes clusters of texts. A text with `running` and no words is raw: the resolver cuts it itself."""

    @abstractmethod
    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Give each text its clusters, in order; words and sentences that a text has are kept."""

    def respond_to(self, document: Document) -> Document:
        """Resolve an annotated document: its text, of which its own clusters tell nothing."""
        return next(iter(self.resolve([document.text])))

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
    """A resolver by name: what it does, how it is made of settings and of which, and whether it can run."""

    label: str
    make: Callable[..., Resolver]
    settings: tuple[str, ...]
    is_ready: Callable[[], bool] = lambda: True  # whether it is preferred where nobody has chosen


@cache
def resolvers() -> dict[str, ResolverEntry]:
    """List the resolvers that modules of this package offer in a dictionary `RESOLVERS`."""
    return entries("referee.resolvers", "RESOLVERS")


def resolver_named(name: str, **settings: Any) -> Resolver:
    """Make the resolver of this name."""
    known = resolvers()
    if name not in known:
        raise ProtocolError(
            f"there is no resolver '{name}'; there are {', '.join(known)}{did_you_mean(name, known)}"
        )
    for setting in settings:
        if setting not in known[name].settings:
            raise ProtocolError(_foreign(setting, name, known))
    return known[name].make(**settings)


def _foreign(setting: str, name: str, known: Mapping[str, ResolverEntry]) -> str:
    """Say whose setting this is."""
    owners = [other for other, entry in known.items() if setting in entry.settings]
    if owners:
        return f"{setting}= is a setting of the resolver {' and '.join(owners)}, not of {name}"
    hint = did_you_mean(setting, known[name].settings)
    return f"the resolver {name} has no setting {setting}=; there are {', '.join(known[name].settings)}{hint}"


PREFERRED = ("neural", "camp")  # the better one first; the last always runs, or says what is missing


def default_resolver(settings: Iterable[str] = ()) -> str:
    """Choose the best resolver that is ready to run and has these settings."""
    known, wanted = resolvers(), set(settings)
    fitting = [name for name in PREFERRED if wanted <= set(known[name].settings)] or PREFERRED[-1:]
    return next((name for name in fitting if known[name].is_ready()), fitting[-1])
