"""Corpora: documents in order, read when asked for, and views of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, overload

from referee.display import Rows, number_of
from referee.encoding import encoded
from referee.exceptions import did_you_mean
from referee.model.anaphora import Anaphora
from referee.model.chains import Chains
from referee.model.text import Document, Zero


class Topic(NamedTuple):
    """A document's topic and subtopic."""

    topic: str | None
    subtopic: str | None


def digest_of_words(words: bytes) -> bytes:
    """Sum up the words of a text, each with a tab after it."""
    return blake2b(words, digest_size=16).digest()


class Corpus(Rows, ABC):
    """Documents in order, read when asked for.

    `corpus[0]` and `corpus["name"]` are documents, `corpus[:10]` is a corpus of the first ten, `len`, `in`
    and `for` work as with a list. Its rows, in `to_frame` and `to_polars`, are the mentions of all documents.

    Examples:
        >>> import referee
        >>> corpus = referee.DocumentCorpus([referee.Document.of("d", ["Ann"], [(0, 1)], [])], "mine")
        >>> len(corpus), corpus["d"].words
        (1, ('Ann',))
    """

    _output = "documents:corpus_output"
    name: str
    ids: Sequence[str]
    is_copy: bool = False  # whether its texts are a model's copies, to be aligned to the key's
    cut: bool = False  # whether its words were cut by us: running texts are compared by their characters
    named: bool = True  # whether ids come from the documents themselves, not from their file's name
    reference_names: bool = False  # whether the reference scorer reads these names, and so decides by them
    cross_document: bool = False  # whether a cluster's id means the same in all documents
    kinds: Sequence[str] = ("all",)  # the kinds of mention that `of_kind` can choose from
    has_deixis: bool = False  # whether its format has a place for discourse deixis, used or not
    notices: Sequence[str] = ()  # what a careful user should know about how this corpus was read
    about: Sequence[str] = ()  # those of the notices that find no fault: what the format is, and leaves out
    empty_files: Sequence[str] = ()  # files that hold no document
    usual_protocol: str = "conll"  # the name of the protocol that such a key is usually scored by

    @abstractmethod
    def document(self, number: int) -> Document:
        """Read one document with all its layers."""

    def salvage(self, number: int) -> Document:
        """Read what can be read of a document, whatever `flaws` it has."""
        return self.document(number)

    @abstractmethod
    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read only the mentions of these documents; None is a missing one."""

    def anaphora(self, numbers: Sequence[int | None], *, bridging: bool = True) -> Anaphora:
        """Read the mentions of these documents with what goes beyond identity; it may leave out bridging."""
        del bridging  # what is read whole is cheap to take
        documents = (None if number is None else self.document(number) for number in numbers)
        return Anaphora.of(documents, cross_document=self.cross_document)

    def read_as(self, counting: str) -> Corpus:
        """Read the same files as a way of counting asks for; most have one reading."""
        del counting
        return self

    @abstractmethod
    def weight(self, number: int) -> int:
        """Say about how many bytes a document has, to cut work into equal parts."""

    def note(self, notices: Iterable[str]) -> None:
        """Add what reading a document brought to the notices, each once.

        A corpus that is read piece by piece has a list of them, which its views share.
        """
        if given := dict.fromkeys(notices):
            known = set(self.notices)
            self.notices = self.notices if isinstance(self.notices, list) else list(self.notices)
            self.notices += [notice for notice in given if notice not in known]

    def topic_of(self, number: int) -> Topic:
        """Say which topic and subtopic a document belongs to, if the corpus has any."""
        del number
        return Topic(None, None)

    def block_of(self, number: int) -> str | None:
        """Name the block of documents that a document is in, where a file has such blocks."""
        del number
        return None

    def of_kind(self, kind: str) -> Corpus:
        """Keep the "events" or the "entities"; a corpus that does not distinguish them stays as it is."""
        del kind
        return self

    def words(self, number: int) -> Sequence[str]:
        """Give a document's words, where nothing else of it is needed."""
        return self.document(number).words

    def all_words(self, number: int) -> Sequence[str]:
        """Give a document's whole text, for what looks at more than the annotated sentences."""
        return self.document(number).words

    def text_digest(self, number: int) -> bytes:
        """Sum up the words of a document that are written, to see whether two texts are the same."""
        text = self.document(number).text
        return digest_of_words(encoded("".join(f"{word}\t" for word in text.words[: text.length])))

    def zeros(self, number: int) -> tuple[Zero, ...]:
        """Give the words of a document that are not written, for what needs no other of its words."""
        return self.document(number).text.zeros

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document, or one of its words, is."""
        return f"{self.name}: {self.ids[number]}" + ("" if word is None else f", word {word}")

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document, by line, as far as it can be read nevertheless."""
        del number
        return []

    def __len__(self) -> int:
        """Count the documents."""
        return len(self.ids)

    def __iter__(self) -> Iterator[Document]:
        """Read all documents in order."""
        return (self.document(number) for number in range(len(self.ids)))

    @overload
    def __getitem__(self, chosen: int | str) -> Document: ...

    @overload
    def __getitem__(self, chosen: slice) -> Corpus: ...

    def __getitem__(self, chosen: int | str | slice) -> Document | Corpus:
        """Take a document by its number or name, or a slice as a corpus.

        Raises:
            IndexError: There are not so many documents.
            KeyError: No document has this name.
        """
        if isinstance(chosen, slice):
            return self._chosen(range(len(self))[chosen])
        if isinstance(chosen, str):
            if chosen not in self.ids:
                raise KeyError(f"{self.name} has no document '{chosen}'{did_you_mean(chosen, self.ids)}")
            return self.document(self.ids.index(chosen))
        if not -len(self) <= chosen < len(self):
            raise IndexError(
                f"{self.name} has {number_of(len(self), 'document')}, numbered from 0: none is {chosen}"
            )
        return self.document(range(len(self))[chosen])

    def __contains__(self, document: object) -> bool:
        """Whether a document, or one of this name, is here."""
        if isinstance(document, Document):
            return document.id in self.ids and self[document.id] == document
        return document in self.ids

    def _chosen(self, numbers: Sequence[int]) -> Corpus:
        return SelectedDocuments(self, numbers, [self.ids[number] for number in numbers])


class DocumentCorpus(Corpus):
    """Documents that are in memory already.

    Examples:
        >>> import referee
        >>> referee.DocumentCorpus([referee.Document.of("d", ["Ann"], [(0, 1)], [])], "mine").ids
        ['d']
    """

    def __init__(
        self, documents: Iterable[Document], name: str = "documents", *, cross_document: bool = False
    ) -> None:
        """Keep the documents.

        `cross_document` says that a cluster's id means the same in all documents.
        """
        self.documents = tuple(documents)
        self.name = name
        self.cross_document = cross_document
        self.ids = [document.id for document in self.documents]
        self.cut = any(document.text.cut for document in self.documents)

    def __eq__(self, other: object) -> bool:
        """Whether both hold equal documents under one name."""
        return isinstance(other, DocumentCorpus) and vars(self) == vars(other)

    def __hash__(self) -> int:
        """Equal corpora have one hash."""
        return hash((self.name, *self.ids))

    def _chosen(self, numbers: Sequence[int]) -> DocumentCorpus:
        documents = [self.documents[number] for number in numbers]
        return DocumentCorpus(documents, self.name, cross_document=self.cross_document)

    def document(self, number: int) -> Document:
        """Return a document."""
        return self.documents[number]

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Flatten the documents asked for."""
        return Chains.of(
            (None if number is None else self.documents[number] for number in numbers),
            cross_document=self.cross_document,
        )

    def topic_of(self, number: int) -> Topic:
        """Return a document's topic and subtopic."""
        return Topic(self.documents[number].text.topic, self.documents[number].text.subtopic)

    def weight(self, number: int) -> int:
        """Estimate ten bytes per word."""
        return 10 * self.documents[number].text.length


class CorpusView(Corpus):
    """Another corpus seen differently: whatever a view does not change, it asks of the corpus itself.

    Every member of `Corpus` is here, which a test keeps, so that none is forgotten.
    """

    def __init__(self, corpus: Corpus) -> None:
        """Look at a corpus."""
        self.corpus = corpus
        self.name, self.ids, self.named, self.cut = corpus.name, corpus.ids, corpus.named, corpus.cut
        self.reference_names, self.cross_document = corpus.reference_names, corpus.cross_document
        self.kinds, self.notices, self.empty_files = corpus.kinds, corpus.notices, corpus.empty_files
        self.usual_protocol, self.about = corpus.usual_protocol, corpus.about
        self.is_copy, self.has_deixis = corpus.is_copy, corpus.has_deixis

    def document(self, number: int) -> Document:
        """Read a document."""
        return self.corpus.document(number)

    def salvage(self, number: int) -> Document:
        """Read what can be read of a document."""
        return self.corpus.salvage(number)

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read mentions."""
        return self.corpus.chains(numbers)

    def anaphora(self, numbers: Sequence[int | None], *, bridging: bool = True) -> Anaphora:
        """Read mentions with what goes beyond identity."""
        return self.corpus.anaphora(numbers, bridging=bridging)

    def read_as(self, counting: str) -> Corpus:
        """Read the corpus in another way, and look at it in the same one."""
        read = self.corpus.read_as(counting)
        return self if read is self.corpus else self.over(read)

    def weight(self, number: int) -> int:
        """Weigh a document."""
        return self.corpus.weight(number)

    def note(self, notices: Iterable[str]) -> None:
        """Add to the notices of the corpus, which are those of the view too."""
        self.corpus.note(notices)

    def topic_of(self, number: int) -> Topic:
        """Say which topic a document belongs to."""
        return self.corpus.topic_of(number)

    def block_of(self, number: int) -> str | None:
        """Name the block that a document is in."""
        return self.corpus.block_of(number)

    def of_kind(self, kind: str) -> Corpus:
        """Keep events or entities, and look at them in the same way."""
        chosen = self.corpus.of_kind(kind)
        return self if chosen is self.corpus else self.over(chosen)

    def over(self, corpus: Corpus) -> Corpus:
        """Look at another corpus in the same way; a view that has settings passes them on."""
        return type(self)(corpus)

    def words(self, number: int) -> Sequence[str]:
        """Give a document's words."""
        return self.corpus.words(number)

    def all_words(self, number: int) -> Sequence[str]:
        """Give a document's whole text."""
        return self.corpus.all_words(number)

    def text_digest(self, number: int) -> bytes:
        """Sum up the words of a document that are written."""
        return self.corpus.text_digest(number)

    def zeros(self, number: int) -> tuple[Zero, ...]:
        """Give the words of a document that are not written."""
        return self.corpus.zeros(number)

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document is."""
        return self.corpus.location(number, word)

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document."""
        return self.corpus.flaws(number)


class SelectedDocuments(CorpusView):
    """Some documents of a corpus, in an order and under names of their own."""

    def __init__(self, corpus: Corpus, numbers: Sequence[int], ids: Sequence[str]) -> None:
        """Choose documents by their numbers, and name them."""
        super().__init__(corpus)
        self.numbers, self.ids = numbers, ids

    def document(self, number: int) -> Document:
        """Read a document."""
        return self.corpus.document(self.numbers[number])

    def salvage(self, number: int) -> Document:
        """Read what can be read of a document."""
        return self.corpus.salvage(self.numbers[number])

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Read mentions."""
        return self.corpus.chains([None if number is None else self.numbers[number] for number in numbers])

    def anaphora(self, numbers: Sequence[int | None], *, bridging: bool = True) -> Anaphora:
        """Read mentions with what goes beyond identity."""
        chosen = [None if number is None else self.numbers[number] for number in numbers]
        return self.corpus.anaphora(chosen, bridging=bridging)

    def weight(self, number: int) -> int:
        """Weigh a document."""
        return self.corpus.weight(self.numbers[number])

    def topic_of(self, number: int) -> Topic:
        """Say which topic a document belongs to."""
        return self.corpus.topic_of(self.numbers[number])

    def block_of(self, number: int) -> str | None:
        """Name the block that a document is in."""
        return self.corpus.block_of(self.numbers[number])

    def over(self, corpus: Corpus) -> Corpus:
        """Choose the same documents of another corpus."""
        return SelectedDocuments(corpus, self.numbers, self.ids)

    def words(self, number: int) -> Sequence[str]:
        """Give a document's words."""
        return self.corpus.words(self.numbers[number])

    def all_words(self, number: int) -> Sequence[str]:
        """Give a document's whole text."""
        return self.corpus.all_words(self.numbers[number])

    def text_digest(self, number: int) -> bytes:
        """Sum up the words of a document that are written."""
        return self.corpus.text_digest(self.numbers[number])

    def zeros(self, number: int) -> tuple[Zero, ...]:
        """Give the words of a document that are not written."""
        return self.corpus.zeros(self.numbers[number])

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document is."""
        return self.corpus.location(self.numbers[number], word)

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List what is wrong with a document."""
        return self.corpus.flaws(self.numbers[number])
