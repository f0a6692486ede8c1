"""What a resolver found in a text, as programs take it: offsets in words and characters, names, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from referee import formats
from referee.exceptions import ProtocolError
from referee.model import Cluster, Corpus, Document, Mention, Span, Text, cut_text, in_characters
from referee.resolvers.replacing import naming_rank, replaced_text, representative

JSON_LINES = "jsonlines"  # the format in which texts are written by their characters


class ResolvedMention(NamedTuple):
    """A mention: its text, its words and, of running text, its characters; ends are excluded.

    `score` says how sure the resolver is that it is a mention, `link_score` that it is linked rightly to an
    earlier one; each where the resolver knows.
    """

    text: str
    words: Span
    characters: Span | None
    score: float | None
    link_score: float | None


class ResolvedEntity(NamedTuple):
    """An entity: its id, the name that says best what it is, and its mentions."""

    id: str
    name: str
    mentions: tuple[ResolvedMention, ...]


@dataclass(frozen=True)
class Resolved:
    """A text with its clusters."""

    document: Document

    @property
    def text(self) -> str:
        """The text as it was given; given words have a blank between them."""
        text = self.document.text
        return " ".join(text.words) if text.running is None else text.running

    @property
    def entities(self) -> list[ResolvedEntity]:
        """The entities in order, with names, offsets and scores."""
        return [
            ResolvedEntity(
                cluster.id,
                self.document.text.spelled(representative(self.document.text, cluster).spans),
                tuple(map(self._mention, cluster.mentions)),
            )
            for cluster in self.document.clusters
        ]

    @property
    def resolved_text(self) -> str:
        """The text with names instead of pronouns."""
        return replaced_text(self.document)

    def get_clusters(self, as_strings: bool = True) -> list[list[Any]]:
        """List clusters as fastcoref does: as strings, or as pairs of characters with the end excluded."""
        return [
            [
                mention.text if as_strings else mention.characters or mention.words
                for mention in entity.mentions
            ]
            for entity in self.entities
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give all of it in plain values; ends are excluded in words and in characters."""
        return {
            "id": self.document.id,
            "tokens": list(self.document.words),
            "clusters_token_offsets": self._by_mention(lambda mention: mention.words),
            "clusters_char_offsets": self._by_mention(lambda mention: mention.characters),
            "clusters_token_text": self._by_mention(lambda mention: mention.text),
            "names": [entity.name for entity in self.entities],
            "scores": self._by_mention(lambda mention: mention.score),
            "link_scores": self._by_mention(lambda mention: mention.link_score),
        }

    def _by_mention(self, value: Any) -> list[list[Any]]:
        return [[value(mention) for mention in entity.mentions] for entity in self.entities]

    def _mention(self, mention: Mention) -> ResolvedMention:
        text = self.document.text
        whole = (mention.start, mention.end)
        characters = None if text.running is None else in_characters(text, [whole])[0]
        spelled = text.spelled(mention.spans)
        return ResolvedMention(spelled, whole, characters, mention.score, mention.link_score)

    def __repr__(self) -> str:
        """Show the beginning of the text, and the clusters."""
        text = self.text
        shown = text if len(text) <= 50 else f"{text[:50]}…"
        return f"<Resolved {shown!r}: {self.get_clusters()}>"


Located = tuple[Document, Mention]


class Recurring(NamedTuple):
    """An entity or event, and where it is mentioned."""

    id: str
    name: str
    mentions: tuple[Located, ...]

    @property
    def documents(self) -> dict[str, list[Mention]]:
        """Its mentions by document, in order."""
        by_document: dict[str, list[Mention]] = {}
        for document, mention in self.mentions:
            by_document.setdefault(document.id, []).append(mention)
        return by_document

    def __repr__(self) -> str:
        """Show its name and how often each document mentions it."""
        counts = {name: len(mentions) for name, mentions in self.documents.items()}
        return f"<Recurring {self.name!r}: {counts}>"


def recurring(documents: Sequence[Document], minimum: int = 2) -> list[Recurring]:
    """List what is mentioned in at least so many documents, the most widespread first."""
    located: dict[str, list[Located]] = {}
    for document in documents:
        for cluster in document.clusters:
            located.setdefault(cluster.id, []).extend((document, mention) for mention in cluster.mentions)
    things = [
        Recurring(id_, _name(mentions), tuple(mentions))
        for id_, mentions in located.items()
        if len({document.id for document, _ in mentions}) >= minimum
    ]
    return sorted(things, key=lambda thing: (-len(thing.documents), -len(thing.mentions)))


def _name(mentions: Sequence[Located]) -> str:
    """Take the mention that names it best, and of equally good ones the most frequent."""
    said = [" ".join(document.text.spelled(mention.spans).split()) for document, mention in mentions]
    often = Counter(words.lower() for words in said)
    ranks = [
        (naming_rank(document.text, mention), -often[words.lower()], index)
        for index, ((document, mention), words) in enumerate(zip(mentions, said, strict=True))
    ]
    return said[min(ranks)[-1]]


class ResolvedTexts(list[Resolved]):
    """Texts with their clusters; if these are `linked` across texts, also who and what is in several."""

    def __init__(self, resolved: Iterable[Resolved], *, linked: bool = False) -> None:
        """Say whether an id means the same in all texts."""
        super().__init__(resolved)
        self.linked = linked

    def recurring(self, minimum: int = 2) -> list[Recurring]:
        """List what is mentioned in at least so many texts, the most widespread first."""
        if not self.linked:
            raise ProtocolError("each text was resolved by itself; resolver='across' links them")
        return recurring([resolved.document for resolved in self], minimum)


def named_clusters(document: Document) -> list[tuple[str, Cluster]]:
    """List clusters, each with the name that says best what it is."""
    return [
        (document.text.spelled(representative(document.text, cluster).spans), cluster)
        for cluster in document.clusters
    ]


def in_running_text(document: Document) -> Document:
    """Give clusters in the characters of a running text, as JSON lines with `text` have them."""
    text = document.text
    clusters = [
        replace(
            cluster,
            mentions=tuple(
                replace(mention, spans=tuple(in_characters(text, mention.spans)), minimum=None, head=None)
                for mention in cluster.mentions
            ),
        )
        for cluster in document.clusters
    ]
    return cut_text(text.id, text.running or "", clusters)


def scores_told(mention: Mention) -> str:
    """Say how sure the resolver was of a mention and of its link, as far as it said.

    >>> scores_told(Mention.at(0, 1)), scores_told(Mention(((0, 1),), score=0.914, link_score=0.5))
    ('', 'mention 0.91, link 0.50')
    """
    scores = {"mention": mention.score, "link": mention.link_score}
    return ", ".join(f"{name} {score:.2f}" for name, score in scores.items() if score is not None)


def without_scores(document: Document) -> Document:
    """Leave out how sure the resolver was."""
    clusters = tuple(
        replace(cluster, mentions=tuple(replace(m, score=None, link_score=None) for m in cluster.mentions))
        for cluster in document.clusters
    )
    return replace(document, clusters=clusters)


def plain_texts(texts: list[Text] | Corpus) -> Iterator[Text]:
    """Give the texts alone, without clusters that a corpus has."""
    return (document.text for document in texts) if isinstance(texts, Corpus) else iter(texts)


def save_resolved(documents: Iterable[Document], path: str, form: str, *, raw: bool) -> None:
    """Write documents; JSON lines of texts that were `raw` count characters."""
    written = map(in_running_text, documents) if raw and form == JSON_LINES else documents
    formats.write(written, path, form)


def words_with_gaps(text: Text) -> Iterator[tuple[str, str]]:
    """Yield the words, and what is written before each: as in the running text, or sentence by sentence."""
    if text.running is None:
        starts = {start for start, _ in text.sentences}
        for word in range(text.length):
            yield "\n" if word in starts and word else " " if word else "", text.words[word]
        return
    position = 0
    for start, end in text.characters:
        yield text.running[position:start], text.running[start:end]
        position = end
