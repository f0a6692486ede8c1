"""Mentions, clusters, documents and corpora: frozen values, and their integer form.

Offsets are half-open, count from 0 and run through the whole document; only a format knows others. A
mention's identity is its spans alone. Layers (part of speech, parse, speaker, …) are columns beside the
tokens; scoring reads none of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.exceptions import FormatError

Span = tuple[int, int]  # [start, end)
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """One or more spans of tokens; more than one if the mention is discontinuous.

    `minimum` is what annotators marked as the least that a system must find (MIN), where a corpus has it.
    """

    spans: tuple[Span, ...]
    minimum: tuple[Span, ...] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Refuse spans that are empty, unsorted or touching: identity depends on their being canonical."""
        if not self.spans:
            raise FormatError("a mention needs at least one span")
        previous = -1
        for start, end in self.spans:
            if not previous < start < end:
                raise FormatError(f"mention spans must be non-empty, sorted and apart: {self.spans}")
            previous = end
        for start, end in self.minimum or ():
            if not any(first <= start < end <= last for first, last in self.spans):
                raise FormatError(f"the minimum span {self.minimum} is not inside the mention {self.spans}")

    @classmethod
    def at(cls, start: int, end: int) -> Mention:
        """Make a mention of the tokens start … end − 1."""
        return cls(((start, end),))

    @property
    def start(self) -> int:
        """The first token."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """One past the last token."""
        return self.spans[-1][1]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Mentions of one entity. A mention that stands twice is kept twice: a protocol decides what it means."""

    id: str
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its clusters.

    `offsets` says what spans count: tokens, or the characters of `text` for formats that have no tokens.
    """

    id: str
    tokens: tuple[str, ...]
    sentences: tuple[Span, ...]
    clusters: tuple[Cluster, ...]
    layers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    text: str | None = None
    topic: str | None = None  # where the document belongs in a cross-document corpus
    subtopic: str | None = None

    @property
    def offsets(self) -> str:
        """What spans count: "tokens" or "characters"."""
        return "tokens" if self.text is None else "characters"

    @property
    def length(self) -> int:
        """The number of tokens or characters."""
        return len(self.tokens) if self.text is None else len(self.text)


@dataclass(frozen=True, slots=True)
class Chains:
    """The mentions of some documents in columns, one row per occurrence: all that scoring needs.

    Clusters are numbered document by document, in the order in which a reader first meets them; a cluster
    that spans documents has a number in each, and `entity` tells that they are one.
    """

    document: IntArray  # row → document, as asked for
    start: IntArray
    end: IntArray
    cluster: IntArray
    cluster_document: IntArray  # cluster → document
    lengths: IntArray  # document → tokens (or characters), to see that key and response fit
    parts: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)  # row → spans, if more than one
    notices: tuple[str, ...] = ()  # what was passed over while reading
    minimums: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)  # row → annotated MIN, if any
    entity: IntArray | None = None  # cluster → entity, if clusters span documents; in order of first sight

    @classmethod
    def of(cls, documents: Iterable[Document | None], *, cross_document: bool = False) -> Chains:
        """Flatten documents; None is a missing one, which has no mentions.

        `cross_document` says that a cluster's id means the same in all documents.
        """
        rows: list[tuple[int, int, int, int]] = []
        cluster_document: list[int] = []
        lengths: list[int] = []
        parts: dict[int, tuple[Span, ...]] = {}
        minimums: dict[int, tuple[Span, ...]] = {}
        entities: dict[str, int] = {}
        entity: list[int] = []
        for number, document in enumerate(documents):
            lengths.append(-1 if document is None else document.length)
            for cluster in document.clusters if document else ():
                for mention in cluster.mentions:
                    if len(mention.spans) > 1:
                        parts[len(rows)] = mention.spans
                    if mention.minimum:
                        minimums[len(rows)] = mention.minimum
                    rows.append((number, mention.start, mention.end, len(cluster_document)))
                cluster_document.append(number)
                entity.append(entities.setdefault(cluster.id, len(entities)))
        columns = np.array(rows, np.int64).reshape(-1, 4)
        return cls(
            columns[:, 0],
            columns[:, 1],
            columns[:, 2],
            columns[:, 3],
            np.array(cluster_document, np.int64),
            np.array(lengths, np.int64),
            parts,
            entity=np.array(entity, np.int64) if cross_document else None,
            minimums=minimums,
        )


class Place(NamedTuple):
    """A document's topic and subtopic."""

    topic: str | None
    subtopic: str | None


class Corpus(ABC):
    """Documents in order, read when asked for."""

    name: str
    ids: Sequence[str]
    offsets: str = "tokens"
    named: bool = True  # whether ids come from the documents themselves, not from their file's name
    reference_names: bool = False  # whether the reference scorer reads these names, and so decides by them
    cross_document: bool = False  # whether a cluster's id means the same in all documents
    kinds: Sequence[str] = ("all",)  # the kinds of mention that `only` can choose from

    @abstractmethod
    def document(self, number: int) -> Document:
        """Read one document with all its layers."""

    @abstractmethod
    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read only the mentions of these documents; None is a missing one."""

    @abstractmethod
    def weight(self, number: int) -> int:
        """Say about how many bytes a document has, to cut work into equal parts."""

    def place(self, number: int) -> Place:
        """Say which topic and subtopic a document belongs to, if the corpus has any."""
        del number
        return Place(None, None)

    def only(self, mentions: str) -> Corpus:
        """Keep the "events" or the "entities"; a corpus that does not tell them apart stays as it is."""
        del mentions
        return self

    def words(self, number: int) -> Sequence[str]:
        """Give a document's whole text, for what looks at more than the annotated sentences."""
        document = self.document(number)
        return document.tokens if document.text is None else document.text.split()

    def location(self, number: int, token: int | None = None) -> str:
        """Say where a document, or one of its tokens, stands."""
        return f"{self.name}: {self.ids[number]}" + ("" if token is None else f", token {token}")

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document, by line, as far as it can be read nevertheless."""
        del number
        return []

    notices: Sequence[str] = ()  # what a careful user should know about how this corpus was read

    def __len__(self) -> int:
        """Count the documents."""
        return len(self.ids)

    def __repr__(self) -> str:
        """Say what is in it."""
        return f"<{type(self).__name__} {self.name}: {len(self)} document{'s' * (len(self) != 1)}>"

    def __iter__(self) -> Iterator[Document]:
        """Read all documents in order."""
        return (self.document(number) for number in range(len(self.ids)))


class DocumentCorpus(Corpus):
    """Documents that are in memory already."""

    def __init__(
        self, documents: Iterable[Document], name: str = "documents", *, cross_document: bool = False
    ) -> None:
        """Keep the documents; they all count tokens, or all characters.

        `cross_document` says that a cluster's id means the same in all documents.
        """
        self.documents = tuple(documents)
        self.name = name
        self.cross_document = cross_document
        self.ids = [document.id for document in self.documents]
        kinds = {document.offsets for document in self.documents} or {"tokens"}
        if len(kinds) > 1:
            raise FormatError(f"{name}: some documents count tokens, others characters; score them apart")
        self.offsets = kinds.pop()

    def __eq__(self, other: object) -> bool:
        """Whether both hold equal documents under one name."""
        return isinstance(other, DocumentCorpus) and vars(self) == vars(other)

    def __hash__(self) -> int:
        """Equal corpora have one hash."""
        return hash((self.name, *self.ids))

    def document(self, number: int) -> Document:
        """Return a document."""
        return self.documents[number]

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Flatten the documents asked for."""
        return Chains.of(
            (None if number is None else self.documents[number] for number in numbers),
            cross_document=self.cross_document,
        )

    def place(self, number: int) -> Place:
        """Return a document's topic and subtopic."""
        return Place(self.documents[number].topic, self.documents[number].subtopic)

    def weight(self, number: int) -> int:
        """Estimate ten bytes a token."""
        return 10 * self.documents[number].length
