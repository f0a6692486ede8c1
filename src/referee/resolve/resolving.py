"""Resolves texts from Python: strings, documents or corpora, with any resolver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.resolve.resolved import Resolved
from referee.resolve.resolver import raw_text, resolver_named

Given = str | Text | Document


@overload
def resolve(texts: Given, resolver: str = "camp", **settings: Any) -> Resolved: ...
@overload
def resolve(texts: Sequence[Given], resolver: str = "camp", **settings: Any) -> list[Resolved]: ...
@overload
def resolve(texts: Corpus, resolver: str = "camp", **settings: Any) -> DocumentCorpus: ...
def resolve(
    texts: Given | Sequence[Given] | Corpus, resolver: str = "camp", **settings: Any
) -> Resolved | list[Resolved] | DocumentCorpus:
    """Find the coreference of one text, of several, or of a corpus, whose words and sentences are kept.

    A string is running text. `settings` are the resolver's own, for camp those of `camp.Camp`.
    """
    chosen = resolver_named(resolver, **settings)
    if isinstance(texts, Corpus):
        documents = chosen.resolve(document.text for document in texts)
        return DocumentCorpus(documents, f"{texts.name} by {resolver}")
    if isinstance(texts, str | Text | Document):
        return Resolved(next(iter(chosen.resolve(_as_texts([texts])))))
    return [Resolved(document) for document in chosen.resolve(_as_texts(texts))]


def _as_texts(given: Iterable[Given]) -> Iterable[Text]:
    for number, one in enumerate(given):
        if isinstance(one, str):
            yield raw_text(str(number), one)
        else:
            yield one.text if isinstance(one, Document) else one
