"""What a resolver is, and which there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Protocol, overload

from referee.exceptions import RefereeError, SettingError, did_you_mean
from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.registry import Registry, entries
from referee.resolvers.notices import Choice
from referee.resolvers.resolved import Resolved


class Resolver(ABC):
    """Makes clusters of texts. A text with `running` and no words is raw: the resolver cuts it itself.

    A resolver that is `across_documents` makes clusters that reach across texts, so it is given all of them
    in one call, and a cluster's id means the same in all documents that come back. Any other resolves texts
    one by one, so that its work can be divided.
    """

    across_documents: ClassVar[bool] = False
    takes_engines: ClassVar[bool] = False  # whether `respond_to_corpus` has the parameter `engine`
    tells_joins: ClassVar[bool] = False  # whether what that returns has `joins`

    @property
    def notices(self) -> list[str]:
        """What its user should know before the work, such as a precision that it cannot reach."""
        return []

    def choice_for(self, text: Text) -> Choice | None:
        """Say what it chooses by itself for a text, and why, if it chooses anything."""
        return None

    @abstractmethod
    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Give each text its clusters, in order; words and sentences that a text has stay as they are."""

    def respond_to(self, document: Document) -> Document:
        """Resolve an annotated document: its text, whose annotated clusters it does not look at."""
        return next(iter(self.resolve([document.text])))

    def respond_to_corpus(
        self, corpus: Corpus, progress: Callable[[int], None] | None = None
    ) -> DocumentCorpus:
        """Resolve the documents of a corpus; `progress` is called for each that is done."""
        documents = []
        for document in corpus:
            documents.append(self.respond_to(document))
            if progress:
                progress(1)
        return DocumentCorpus(documents, "resolved", cross_document=self.across_documents)

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
    """Make a text that has not been cut into words yet.

    Args:
        id_: Its name.
        running: The text.

    Returns:
        A text that resolvers take.

    Raises:
        TypeError: If the text is not a string.

    Examples:
        >>> raw_text("d", "Ann slept.").running
        'Ann slept.'
    """
    return Text(id_, (), (), running=running)


PATHS = {"FILE": "file", "FOLDER": "folder", "PATH": "file or folder"}  # what a setting's word stands for
_EXPECTED = {
    bool: "True or False", int: "a whole number", float: "a number", str: "a string",
    Path: "the path of a file", tuple: "a list of names", dict: "a file, or a dictionary",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a resolver, declared once: Python, the command line and the documentation read it here.

    `type` is bool, int, float, str, Path (a file), tuple (names; a string of them has commas) or dict (a
    dictionary, a file that has one, or one of the choices).
    """

    name: str
    type: type
    help: str
    default: Any = None
    otherwise: str = ""  # what holds where it is not given, if the default does not say so
    choices: tuple[str, ...] = ()
    bounds: tuple[float, float] = (-inf, inf)  # of a number, both included
    value: str = ""  # what is given, in a word for the command line: NAME, or one of PATHS
    excludes: tuple[str, ...] = ()  # settings that cannot be given with it
    choices_with: Callable[[Mapping[str, Any]], tuple[str, ...]] | None = None  # where other settings decide
    local: bool = False  # whether it is about the machine that resolves: a service's callers may not give it

    def __post_init__(self) -> None:
        """Refuse what no face could show."""
        if self.type not in _EXPECTED:
            raise TypeError(f"the setting {self.name} has the type {self.type}; there are {[*_EXPECTED]}")

    def accepts(self, value: object) -> bool:
        """Whether a value is of the type, and within choices and bounds."""
        if value is None:
            return self.default is None
        if self.type is tuple:
            several = isinstance(value, Sequence) and all(isinstance(name, str) for name in value)
            return isinstance(value, str) or several
        if self.type in (int, float):
            number = isinstance(value, Integral if self.type is int else Real) and not isinstance(value, bool)
            return number and self.bounds[0] <= value <= self.bounds[1]  # type: ignore[operator]
        if self.type in (Path, dict):
            return isinstance(value, (str, PathLike) if self.type is Path else (str, PathLike, Mapping))
        return isinstance(value, self.type) and (not self.choices or value in self.choices)

    @property
    def expected(self) -> str:
        """Say which values there are.

        >>> Setting("precision", float, "How often links should be right.", 80.0, bounds=(0, 100)).expected
        'a number from 0 to 100'
        """
        if self.choices:
            others = f", {_EXPECTED[dict]}" if self.type is dict else ""
            return f"one of {', '.join(self.choices)}{others}"
        if self.choices_with:
            return "a name that its model knows"
        lowest, highest = self.bounds
        if self.type is Path:
            return f"the path of a {PATHS.get(self.value, 'file')}"
        limits = "" if lowest == -inf else f" from {lowest:g}" + f" to {highest:g}" * (highest < inf)
        return f"{_EXPECTED[self.type]}{limits}"

    @property
    def default_in_words(self) -> str:
        """Say what holds where it is not given; nothing for a switch or a list that is empty."""
        said = "" if self.default is None or self.default in (False, ()) else f"{self.default}"
        return self.otherwise or said.removesuffix(".0")


# Settings of several resolvers, which differ in their choices, bounds and defaults.
GUIDELINES = Setting("guidelines", str, "The annotation guidelines that say what is a mention.", value="NAME")
PRECISION = Setting(
    "precision", float,
    "How often links should be right, in percent: a higher value gives fewer links. It was measured on "
    "development texts.",
    bounds=(0, 100), value="PERCENT", excludes=("threshold",),
)  # fmt: skip
THRESHOLD = Setting(
    "threshold", float,
    "What a link must score, for experts: log odds (neural), or how often such links are right, from 0 to 1 "
    "(camp, across).",
    value="NUMBER",
)  # fmt: skip


def names_in(given: Sequence[str] | str) -> tuple[str, ...]:
    """List names that are given one by one, or in a string with commas.

    >>> names_in("names, quotes"), names_in(["names", "quotes"])
    (('names', 'quotes'), ('names', 'quotes'))
    """
    several = [given] if isinstance(given, str) else given
    return tuple(name.strip() for names in several for name in names.split(",") if name.strip())


@dataclass(frozen=True, slots=True)
class ResolverEntry:
    """A resolver by name: what it does, how it is made of settings and of which, and whether it can run."""

    label: str
    make: Callable[..., Resolver]
    settings: tuple[Setting, ...] = ()
    is_ready: Callable[[], bool] = lambda: True  # whether it is preferred if no resolver was chosen
    across_documents: bool = False  # as the resolver itself says

    def __post_init__(self) -> None:
        """Refuse settings that are not declared."""
        if others := [setting for setting in self.settings if not isinstance(setting, Setting)]:
            raise TypeError(f"{others[0]!r} is not a Setting")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its settings."""
        return tuple(setting.name for setting in self.settings)


@cache
def resolvers() -> Registry[ResolverEntry]:
    """List the resolvers that modules of this package offer in a dictionary `RESOLVERS`, and what installed
    packages add by entry points.
    """
    return Registry("referee.resolvers", entries("referee.resolvers", "RESOLVERS"), ResolverEntry)


def resolvers_within() -> list[str]:
    """Name the resolvers that work within each document."""
    return [name for name, entry in resolvers().items() if not entry.across_documents]


def resolvers_that_link() -> list[str]:
    """Name the resolvers that link mentions across documents."""
    return [name for name, entry in resolvers().items() if entry.across_documents]


LINKER = "across"  # unless another one is chosen


def resolver_within(name: str, /, **settings: Any) -> Resolver:
    """Make the resolver of this name; it must be one that works within each document."""
    if _entry(name).across_documents:
        raise SettingError(f"resolver='{name}' links mentions across documents: call referee.link()")
    return resolver_named(name, **settings)


def linking_resolver(name: str, /, **settings: Any) -> Resolver:
    """Make the resolver of this name; it must be one that links mentions across documents."""
    if not _entry(name).across_documents:
        raise SettingError(f"resolver='{name}' works within each document: call referee.resolve()")
    return resolver_named(name, **settings)


def _entry(name: str) -> ResolverEntry:
    known = resolvers()
    if name not in known:
        raise SettingError(
            f"there is no resolver '{name}'; there are {', '.join(known)}{did_you_mean(name, known)}"
        )
    return known[name]


def resolver_named(name: str, /, **settings: Any) -> Resolver:
    """Make a resolver, to be called often.

    Args:
        name: `neural`, `camp`, `across`, or what installed packages add.
        **settings: Those that the resolver declares.

    Returns:
        A resolver, whose method `predict` takes a text or several.

    Raises:
        SettingError: If there is no such resolver or setting, or a value that it does not take.

    Examples:
        >>> resolver_named("camp").across_documents
        False
    """
    entry = _entry(name)
    check_settings(name, settings, resolvers())
    return entry.make(**settings)


class HasSettings(Protocol):
    """What declares settings: a resolver, or the training of one."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is declared."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the settings."""


@dataclass(frozen=True, slots=True)
class DeclaredSettings:
    """The settings that a resolver has for other work than resolving, such as training."""

    label: str
    settings: tuple[Setting, ...]
    needed: tuple[str, ...] = ()  # settings that must be given

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the settings."""
        return tuple(setting.name for setting in self.settings)


def with_defaults(declared: HasSettings, given: Mapping[str, Any]) -> dict[str, Any]:
    """Add what holds where a setting is not given."""
    return {setting.name: given.get(setting.name, setting.default) for setting in declared.settings}


def check_settings(name: str, settings: Mapping[str, Any], known: Mapping[str, HasSettings]) -> None:
    """Refuse settings that the resolver of this name does not declare, and values that they do not take."""
    declared = {setting.name: setting for setting in known[name].settings}
    for setting, value in settings.items():
        if setting not in declared:
            raise SettingError(_foreign(setting, name, known))
        _check(declared[setting], value, name, settings, known)


def _check(
    setting: Setting,
    value: object,
    resolver: str,
    settings: Mapping[str, Any],
    known: Mapping[str, HasSettings],
) -> None:
    """Refuse a value that the setting does not take, and settings that exclude each other."""
    if other := next((other for other in setting.excludes if other in settings), None):
        raise SettingError(f"{setting.name}= and {other}= exclude each other: give one of them")
    if setting.choices_with and isinstance(value, str):
        setting = replace(setting, choices=setting.choices_with(settings))
    if not setting.accepts(value):
        hint = _hint(setting, value, known) if isinstance(value, str) else ""
        expected = f"{setting.expected} for the resolver {resolver}{hint}"
        raise SettingError(f"{setting.name}={value!r} must be {expected}")


def _hint(setting: Setting, value: str, known: Mapping[str, HasSettings]) -> str:
    """Name the resolver that takes a value, or ask whether another value was meant."""
    for name, entry in known.items():
        if any(other.name == setting.name and value in other.choices for other in entry.settings):
            return f"; resolver='{name}' takes it"
    return did_you_mean(value, setting.choices)


def _foreign(setting: str, name: str, known: Mapping[str, HasSettings]) -> str:
    """Say whose setting this is."""
    owners = [other for other, entry in known.items() if setting in entry.names]
    if owners:
        return f"{setting}= is a setting of the resolver {' and '.join(owners)}, not of {name}"
    there = ", ".join(known[name].names) or "none"
    hint = did_you_mean(setting, known[name].names)
    return f"the resolver {name} has no setting {setting}=; there are {there}{hint}"


PREFERRED = ("neural", "camp")  # the better one first
NONE_READY = (
    "no resolver is installed: pip install 'referee-coref[resolve]' referee-coref-en brings the network, "
    "which finds more, and pip install 'referee-coref[nlp]' the rules"
)


def default_resolver(settings: Iterable[str] = ()) -> str:
    """Choose the best resolver that is ready to run and has these settings."""
    known, wanted = resolvers(), list(settings)
    fitting = [name for name in PREFERRED if set(wanted) <= set(known[name].names)]
    if not fitting:
        raise SettingError(_unfitting(wanted, known))
    ready = [name for name in fitting if known[name].is_ready()]
    if not ready and len(fitting) > 1:
        raise RefereeError(NONE_READY)
    return ready[0] if ready else fitting[0]  # which says what it lacks


def _unfitting(wanted: Sequence[str], known: Mapping[str, ResolverEntry]) -> str:
    """Say why no resolver is chosen for these settings."""
    owners = {name: [other for other in known if name in known[other].names] for name in wanted}
    for name, having in owners.items():
        if not having:
            every = {setting for entry in known.values() for setting in entry.names}
            return f"no resolver has a setting {name}={did_you_mean(name, every)}"
    for other in known:
        if set(wanted) <= set(known[other].names):
            first = next(name for name in wanted if not {*owners[name]} & {*PREFERRED})
            across = known[other].across_documents
            how = "call referee.link()" if across else f"choose it, resolver='{other}'"
            return f"{first}= is a setting of the resolver {other}: {how}"
    listed = ", ".join(f"{name}= ({' or '.join(having)})" for name, having in owners.items())
    return f"no resolver has all of {listed}"
