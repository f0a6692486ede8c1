"""Resolves many texts, in this process or in several: the same documents in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.exceptions import MissingExtra, ProtocolError, RefereeError
from referee.model import Corpus, Document, Text
from referee.resolvers.base import Resolver
from referee.resolvers.raw_texts import RawTexts
from referee.scoring.engines import Jobs, Processes, engine_for


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
    if isinstance(
        engine, Processes
    ):  # which begin anew: the threads of a model that is open here cannot fork
        engine = replace(engine, start="spawn")
    for documents in engine.map(Resolving(resolver, texts), batches):
        yield from documents
