"""The resolver `across`: all texts in, documents out whose clusters have the same ids in all of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike

from referee.crossdoc.link_scopes import CORPUS, link_groups
from referee.exceptions import MissingExtra, ProtocolError, SettingError
from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.resolvers.across.linked_corpus import LinkedCorpus
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import AcrossScorer
from referee.resolvers.across.model import opened_model
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.base import Resolver
from referee.resolvers.neural import DROP, FOUND, GOLD, KEEP
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.neural.models import ACROSS, can_run, facts_in, linking_model
from referee.resolvers.precision import PrecisionCurve
from referee.scoring.engines import HERE, Engine


@dataclass(frozen=True)
class Across(Resolver):
    """Coreference across documents.

    `model` is a folder or the name of an installed model; `kind` says what is linked. `precision` is how
    often links should be right, in percent, and `threshold` how likely two clusters must be the same on
    average (τ): more of either gives fewer links. With `mentions="gold"`
    the mentions that documents have are linked, and no others looked for; otherwise only those come back that
    are linked, or with `singletons="keep"` all that were found. `scope` says which documents may share
    clusters: each alone (`document`), those of a `block`, `subtopic` or `topic` of the corpus, all of the
    `corpus`, those of topics predicted from their words (`predicted`), of a file of groups, or of groups
    {document: group}. Documents are read in `threads`; by default as many as there are cores.
    """

    across_documents = True
    takes_engines = True
    tells_joins = True

    model: str | None = None
    kind: str = "all"
    mentions: str = FOUND
    precision: float | None = None
    threshold: float | None = None
    scope: str | PathLike[str] | Mapping[str, str] = CORPUS
    singletons: str = DROP
    threads: int = 0

    @property
    def notices(self) -> list[str]:
        """Say where the precision that is asked for is beyond what was measured."""
        return [] if self.precision is None else self._curve().notices(self.precision)

    def _curve(self) -> PrecisionCurve:
        """Take what was measured for the kind and the mentions, found or given."""
        measured = facts_in(linking_model(self.model).folder, ACROSS).get(self.kind, {}).get("precision", {})
        if self.mentions not in measured:
            raise SettingError(
                f"the model's precision was not measured for kind='{self.kind}' and "
                f"mentions='{self.mentions}'; `referee tune` measures it, or give threshold="
            )
        return PrecisionCurve.of(measured[self.mentions])

    def merge_threshold(self) -> float | None:
        """How likely mentions of two clusters must be the same on average; the model says it where None."""
        return self.threshold if self.precision is None else self._curve().threshold_for(self.precision)

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Resolve texts, all together."""
        corpus = DocumentCorpus([Document(text, ()) for text in texts], "texts")
        return iter(self.respond_to_corpus(corpus))

    def respond_to(self, document: Document) -> Document:
        """Resolve one document by itself."""
        return self.respond_to_corpus(DocumentCorpus([document], document.id)).documents[0]

    def respond_to_corpus(
        self, corpus: Corpus, progress: Callable[[int], None] | None = None, engine: Engine = HERE
    ) -> LinkedCorpus:
        """Resolve the documents of a corpus, all together, in the processes of an engine.

        `progress` is called for three steps of each document: when its mentions are found, when they are
        linked with those of its neighbourhood, and when neighbourhoods are joined.
        """
        corpus = _cut(corpus.of_kind(self.kind))
        if not len(corpus):
            raise ProtocolError(f"{corpus.name}: no documents")
        given = self.mentions == GOLD
        if given and not any(document.clusters for document in corpus):
            raise ProtocolError(
                f"{corpus.name}: has no mentions to be linked; mentions='predicted' finds them"
            )
        keeps = self.singletons == KEEP
        if given and keeps:
            raise SettingError("mentions='gold' keeps all mentions, so singletons='keep' adds nothing")
        groups = link_groups(corpus, self.scope)
        scorer = opened_scorer(self.model, self.threads)
        resolver = AcrossResolver(scorer, self.kind, self.merge_threshold(), singletons=keeps)
        return resolver.resolve(
            list(corpus), groups, given=given, words=every_word(corpus), progress=progress, engine=engine
        )


def _cut(corpus: Corpus) -> Corpus:
    """Cut running texts into words, and refuse documents of the same name."""
    repeated = [name for name, times in Counter(corpus.ids).items() if times > 1]
    if repeated:
        raise ProtocolError(f"{corpus.name}: several documents are called '{repeated[0]}'; rename them")
    if not isinstance(corpus, DocumentCorpus) or all(document.words for document in corpus):
        return corpus
    documents = (
        replace(document, text=cut_raw(document.text))
        if document.text.running and not document.words
        else document
        for document in corpus
    )
    return DocumentCorpus(documents, corpus.name, cross_document=True)


def opened_scorer(model: str | None, threads: int = 0) -> AcrossScorer:
    """Open a model across documents, by name or folder, or the one that is installed; once in a process."""
    folder = linking_model(model).folder
    if not can_run():
        raise MissingExtra("what the resolver across documents needs", "resolve")
    return opened_model(folder, threads, os.getpid())
