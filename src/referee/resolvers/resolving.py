"""Resolves texts with any resolver: what Python gives, or many texts, in this process or in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from referee.exceptions import MissingExtra, ProtocolError, RefereeError, SettingError
from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.resolvers.base import (
    LINKER,
    Resolver,
    default_resolver,
    linking_resolver,
    raw_text,
    resolver_within,
    warned,
)
from referee.resolvers.raw_texts import RawTexts
from referee.resolvers.resolved import Resolved, ResolvedTexts
from referee.scoring.engines import Jobs, Processes, engine_for

Given = str | Text | Document


@overload
def resolve(texts: Given, resolver: str | None = None, **settings: Any) -> Resolved: ...
@overload
def resolve(texts: Sequence[Given], resolver: str | None = None, **settings: Any) -> ResolvedTexts: ...
@overload
def resolve(texts: Corpus, resolver: str | None = None, **settings: Any) -> DocumentCorpus: ...
def resolve(
    texts: Given | Sequence[Given] | Corpus, resolver: str | None = None, **settings: Any
) -> Resolved | ResolvedTexts | DocumentCorpus:
    """Find the coreference of one text, of several, or of a corpus, whose words and sentences stay.

    Each text is resolved alone: `link` finds who and what occurs in several.

    Args:
        texts: A string, which is running text; a text or document; a list of these; or a corpus.
        resolver: `neural`, `camp`, or what installed packages add; otherwise the best that is installed.
        **settings: Those that the resolver declares.

    Returns:
        A `Resolved` for one text, a list of them for several, and a corpus for a corpus.

    Raises:
        SettingError: If there is no such resolver or setting, or the resolver links documents.
        MissingExtra: If the resolver needs a package that is not installed.

    Examples:
        >>> import referee
        >>> referee.resolve("Tom slept. He snored.", resolver="camp").clusters  # doctest: +SKIP
        [[(0, 1), (3, 4)]]
    """
    name = resolver or default_resolver(settings)
    chosen = warned(resolver_within(name, **settings))
    if isinstance(texts, Corpus):
        return _named(chosen.respond_to_corpus(texts), texts, name)
    if isinstance(texts, str | Text | Document):
        return Resolved(_resolved(chosen, texts, 0))
    return ResolvedTexts(Resolved(_resolved(chosen, text, number)) for number, text in enumerate(texts))


@overload
def link(texts: Sequence[Given], resolver: str = LINKER, **settings: Any) -> ResolvedTexts: ...
@overload
def link(texts: Corpus, resolver: str = LINKER, **settings: Any) -> DocumentCorpus: ...
def link(
    texts: Sequence[Given] | Corpus, resolver: str = LINKER, **settings: Any
) -> ResolvedTexts | DocumentCorpus:
    """Link mentions of the same thing across texts, or across the documents of a corpus.

    Args:
        texts: A list of strings, which are running texts, of texts or of documents; or a corpus.
        resolver: `across`, or what installed packages add.
        **settings: Those that the resolver declares.

    Returns:
        A list of `Resolved`, in which an entity has the same id in each text that mentions it; its method
            `recurring` lists who and what is in several. For a corpus, a corpus.

    Raises:
        SettingError: If there is no such resolver or setting, or there is one text alone.
        MissingExtra: If the resolver needs a package that is not installed.

    Examples:
        >>> import referee
        >>> texts = ["Ann Lee won.", "Ann Lee lost."]
        >>> [entity.name for entity in referee.link(texts).recurring()]  # doctest: +SKIP
        ['Ann Lee']
    """
    chosen = warned(linking_resolver(resolver, **settings))
    if isinstance(texts, Corpus):
        return _named(chosen.respond_to_corpus(texts), texts, resolver)
    if isinstance(texts, str | Text | Document):
        raise SettingError("texts= to be linked are several: give a list of them, or call referee.resolve()")
    corpus = DocumentCorpus([_document(text, number) for number, text in enumerate(texts)], "texts")
    return ResolvedTexts(map(Resolved, chosen.respond_to_corpus(corpus)), linked=True)


def _named(response: DocumentCorpus, corpus: Corpus, resolver: str) -> DocumentCorpus:
    name = f"{corpus.name} by {resolver}"
    return DocumentCorpus(response, name, cross_document=response.cross_document)


def _resolved(chosen: Resolver, given: Given, number: int) -> Document:
    if isinstance(given, Document):
        return chosen.respond_to(given)
    return next(iter(chosen.resolve([_text(given, number)])))


def _document(given: Given, number: int) -> Document:
    return given if isinstance(given, Document) else Document(_text(given, number), ())


def _text(given: str | Text, number: int) -> Text:
    return raw_text(str(number), given) if isinstance(given, str) else given


@dataclass(frozen=True, slots=True)
class Resolving:
    """What is done with a batch of texts; it travels to other processes, where the resolver is opened."""

    resolver: Resolver
    texts: Sequence[Text] | Corpus

    def __call__(self, batch: range) -> list[Document]:
        """Resolve some of the texts."""
        return [self._document(number) for number in batch]

    def _document(self, number: int) -> Document:
        given = self.texts.document(number) if isinstance(self.texts, Corpus) else self.texts[number]
        try:
            if isinstance(given, Document):
                return self.resolver.respond_to(given)
            return next(iter(self.resolver.resolve([given])))
        except (MissingExtra, ProtocolError):  # of the settings, not of this text
            raise
        except RefereeError as error:
            message = str(error).removeprefix(f"{given.id}: ")
            raise RefereeError(f"{self._location(number)}: {message}") from error
        except Exception as error:
            raise RefereeError(f"{self._location(number)}: {type(error).__name__}: {error}") from error

    def _location(self, number: int) -> str:
        if isinstance(self.texts, Corpus):
            return self.texts.location(number)
        return self.texts.files[number] if isinstance(self.texts, RawTexts) else self.texts[number].id


def resolve_all(resolver: Resolver, texts: Sequence[Text] | Corpus, jobs: Jobs = 1) -> Iterator[Document]:
    """Resolve texts one by one, in order; an error names the file."""
    if resolver.across_documents:
        raise ProtocolError("clusters across documents are made of all texts at once: respond_to_corpus")
    batches = [range(number, number + 1) for number in range(len(texts))]
    engine = engine_for(jobs)
    if isinstance(engine, Processes):  # started afresh: the threads of a model that is open here cannot fork
        engine = replace(engine, start="spawn")
    for documents in engine.map(Resolving(resolver, texts), batches):
        yield from documents
