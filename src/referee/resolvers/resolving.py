"""Resolves texts from Python: strings, documents or corpora, with any resolver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.resolvers.base import Resolver, default_resolver, raw_text, resolver_named
from referee.resolvers.resolved import Resolved

Given = str | Text | Document


@overload
def resolve(texts: Given, resolver: str | None = None, **settings: Any) -> Resolved: ...
@overload
def resolve(texts: Sequence[Given], resolver: str | None = None, **settings: Any) -> list[Resolved]: ...
@overload
def resolve(texts: Corpus, resolver: str | None = None, **settings: Any) -> DocumentCorpus: ...
def resolve(
    texts: Given | Sequence[Given] | Corpus, resolver: str | None = None, **settings: Any
) -> Resolved | list[Resolved] | DocumentCorpus:
    """Find the coreference of one text, of several, or of a corpus, whose words and sentences are kept.

    A string is running text. `settings` are the resolver's own: for camp those of `camp.Camp`, for neural
    those of `neural.Neural`. Without `resolver` it is the best that is installed.
    """
    name = resolver or default_resolver(settings)
    chosen = resolver_named(name, **settings)
    if isinstance(texts, Corpus):
        return DocumentCorpus(map(chosen.respond_to, texts), f"{texts.name} by {name}")
    if isinstance(texts, str | Text | Document):
        return _resolved(chosen, texts, 0)
    return [_resolved(chosen, text, number) for number, text in enumerate(texts)]


def _resolved(chosen: Resolver, given: Given, number: int) -> Resolved:
    if isinstance(given, Document):
        return Resolved(chosen.respond_to(given))
    text = raw_text(str(number), given) if isinstance(given, str) else given
    return Resolved(next(iter(chosen.resolve([text]))))
