"""Resolves texts from Python: strings, documents or corpora, with any resolver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.resolvers.base import Resolver, default_resolver, raw_text, resolver_named
from referee.resolvers.resolved import Resolved, ResolvedTexts

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

    A string is running text. `settings` are those that the resolver declares. Without `resolver` it is the
    best that is installed. With `resolver="across"` clusters reach across texts: an entity has the same id in
    each of them, and `recurring()` of the result lists who and what is in several.
    """
    name = resolver or default_resolver(settings)
    chosen = resolver_named(name, **settings)
    if isinstance(texts, Corpus):
        response = chosen.respond_to_corpus(texts)
        return DocumentCorpus(response, f"{texts.name} by {name}", cross_document=response.cross_document)
    if isinstance(texts, str | Text | Document):
        return Resolved(_resolved(chosen, texts, 0))
    if chosen.across_documents:
        corpus = DocumentCorpus([_document(text, number) for number, text in enumerate(texts)], "texts")
        return ResolvedTexts(map(Resolved, chosen.respond_to_corpus(corpus)), linked=True)
    return ResolvedTexts(Resolved(_resolved(chosen, text, number)) for number, text in enumerate(texts))


def _resolved(chosen: Resolver, given: Given, number: int) -> Document:
    if isinstance(given, Document):
        return chosen.respond_to(given)
    return next(iter(chosen.resolve([_text(given, number)])))


def _document(given: Given, number: int) -> Document:
    return given if isinstance(given, Document) else Document(_text(given, number), ())


def _text(given: str | Text, number: int) -> Text:
    return raw_text(str(number), given) if isinstance(given, str) else given
