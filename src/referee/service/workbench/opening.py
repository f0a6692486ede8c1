"""Opens a corpus or texts for correction: with their journals, resolved where they have no clusters yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from referee.corrections.journal import Journal, journal_name, opened_journal
from referee.corrections.reading import read_journal
from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.failures import Failures, refuse_if_none_is_left
from referee.formats.reading import readable
from referee.language.cutting.texts import cut_raw
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention, Span, joined_spans, word_edges
from referee.resolvers.base import Resolver
from referee.resolvers.raw_texts import RawTexts, texts_of
from referee.resolvers.resolving import resolve_all
from referee.scoring.evaluate import Bar
from referee.service.workbench.documents import OpenDocument

ANNOTATION = "annotation"  # where clusters come from that were in the corpus


@dataclass(frozen=True)
class Opening:
    """How documents are opened: the folder of their journals, who corrects, and what resolves texts."""

    folder: Path
    who: str
    progress: Bar
    resolver: Resolver | None = None
    resolver_name: str = ""
    suggests: bool = False  # whether the resolver is a system too, where a corpus has clusters

    def documents(
        self, given: str | Corpus, failures: Failures
    ) -> tuple[list[OpenDocument], bool, list[str]]:
        """Open what a path stands for; also say whether clusters reach across documents, and notices."""
        texts, source = (
            (texts_of([given], failures), given) if isinstance(given, str) else (given, given.name)
        )
        read = self._given(texts, failures)
        refuse_if_none_is_left(len(read), failures.found)
        across = isinstance(texts, Corpus) and texts.cross_document
        notices = [notice for notice in texts.notices if notice not in getattr(texts, "about", ())]
        bare = not any(document.clusters for document in read)
        found = self._resolved(read, failures, again=self.suggests and not bare)
        if bare and self.resolver is None:
            notices.append(
                f"{source}: has no entities, and no resolver was used: mark them from the beginning"
            )
        opened: list[OpenDocument] = []
        for document in read:
            journal = self._journal(document, found.get(document.id) if bare else None, source)
            if journal is None:
                continue  # it could not be resolved, which is among the failures
            response = None if bare else found.get(document.id)
            systems = {} if response is None else {self.resolver_name: response.clusters}
            opened.append(OpenDocument(len(opened), journal, systems, across))
        refuse_if_none_is_left(len(opened), failures.found)
        return opened, across, notices

    def _given(self, texts: RawTexts | Corpus, failures: Failures) -> list[Document]:
        if isinstance(texts, RawTexts):
            raw = texts if self.resolver else map(cut_raw, texts)
            return [Document(text, ()) for text in raw]
        with self.progress(len(texts), "reading") as advance:
            given = []
            for _, document in readable(texts, failures):
                given.append(document)
                advance(1)
        if twice := [id_ for id_, times in Counter(each.id for each in given).items() if times > 1]:
            raise FormatError(f"{texts.name}: two documents are called '{twice[0]}'; give them other names")
        return given

    def _resolved(
        self, given: Sequence[Document], failures: Failures, *, again: bool
    ) -> Mapping[str, Document]:
        """Resolve what has no clusters and no journal yet, or all for suggestions."""
        if self.resolver is None:
            return {}
        wanted = [each for each in given if again or not (each.clusters or self._has_journal(each.id))]
        if not wanted:
            return {}
        made: dict[str, Document] = {}
        with self.progress(len(wanted), "resolving") as advance:
            for document in resolve_all(
                self.resolver, DocumentCorpus(wanted, "texts") if _cut(wanted) else [d.text for d in wanted],
                failures=failures,
            ):  # fmt: skip
                made[document.id] = document
                advance(1)
        return made

    def _journal(self, document: Document, resolved: Document | None, source: str) -> Journal | None:
        """Go on with a journal or begin one; what was resolved is on the disk from the beginning."""
        if resolved is None and not document.words and not self._has_journal(document.id):
            return None
        made_by = f"resolved by {self.resolver_name}" if resolved else ANNOTATION
        journal = opened_journal(
            self.folder, resolved or document, made_by=made_by, source=source, who=self.who
        )
        if resolved is not None:
            journal.make()
        return journal

    def _has_journal(self, id_: str) -> bool:
        """Whether a document has a journal, of which at least the first line is whole."""
        path = self.folder / journal_name(id_)
        return path.exists() and read_journal(path) is not None


def _cut(documents: Sequence[Document]) -> bool:
    return all(document.words for document in documents)


def in_words_of(document: Document, response: Document) -> tuple[tuple[Cluster, ...], str]:
    """Tell a system's clusters in the words of a document; also say what could not be told.

    Where both have other words, their characters without white space must be the same. A word that is not
    written is known by its place.
    """
    ours, theirs = document.text, response.text
    written = ours.words[: ours.length], theirs.words[: theirs.length]
    if written[0] == written[1] and ours.zeros == theirs.zeros:
        return response.clusters, ""
    places = _places(document, response)
    if places is None:
        return (), f"{response.id}: another text, so that nothing is suggested for it"
    clusters, lost = [], 0
    for cluster in response.clusters:
        moved = [_moved(mention, places) for mention in cluster.mentions]
        lost += moved.count(None)
        clusters.append(replace(cluster, mentions=tuple(mention for mention in moved if mention)))
    said = f"{response.id}: {number_of(lost, 'mention')} on words that the text lacks, left out"
    return tuple(cluster for cluster in clusters if cluster.mentions), said if lost else ""


def _places(document: Document, response: Document) -> list[Span | None] | None:
    """Say which of our words cover each of theirs; None if the texts are not the same."""
    ours, theirs = document.text, response.text
    here = {zero: ours.length + number for number, zero in enumerate(ours.zeros)}
    zeros = [here.get(zero) for zero in theirs.zeros]
    unwritten: list[Span | None] = [None if word is None else (word, word + 1) for word in zeros]
    if ours.words[: ours.length] == theirs.words[: theirs.length]:
        return [*((word, word + 1) for word in range(theirs.length)), *unwritten]
    letters = ["".join("".join(each.words[: each.length]).split()) for each in (ours, theirs)]
    if letters[0] != letters[1]:
        return None
    edges, starts = word_edges(ours).tolist(), word_edges(theirs).tolist()[: theirs.length + 1]
    covering: list[Span | None] = []
    first = 0
    for start, end in pairwise(starts):
        while first + 1 < ours.length and edges[first + 1] <= start:
            first += 1
        last = first + 1
        while last < ours.length and edges[last] < end:
            last += 1
        covering.append((first, last))
    return [*covering, *unwritten]


def _moved(mention: Mention, places: Sequence[Span | None]) -> Mention | None:
    spans = [places[word] for span in mention.spans for word in range(*span)]
    known = [span for span in spans if span is not None]
    if not known or len(known) < len(spans):
        return None
    return Mention(joined_spans(known), None, None, mention.type, mention.score, mention.link_score)
