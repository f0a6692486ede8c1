"""What kind of thing an entity is: a person, a place, an event, …

Types come from one source: those that the key itself gives to its mentions, those of another annotation of
the same words, or the labels of the named entities in the text. The mentions of an entity vote; pronouns and
demonstratives only if nothing else has a type, because they show least what they refer to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import NamedTuple

from referee import formats
from referee.exceptions import FormatError, ProtocolError
from referee.language.added_layers import compare_words
from referee.language.heads import NOTHING, head_source
from referee.language.mention_types import NAME, NOUN, UNTYPED, VERB, describe
from referee.model import Cluster, Corpus, Document, Mention
from referee.model.layers import ENTITY, POS

TypesOf = Callable[[Document, Sequence[Mention]], Sequence[str | None]]  # a document of the key, any mentions
VOTERS = (NAME, NOUN, VERB)


def annotated_types(document: Document, mentions: Sequence[Mention]) -> list[str | None]:
    """Give mentions the types that the document gives to the same spans, with or without their gaps.

    >>> ann = Mention(((0, 1),), type="person")
    >>> document = Document.of("d", ["Ann", "slept"], [(0, 2)], [Cluster("1", (ann,))])
    >>> annotated_types(document, [Mention.at(0, 1), Mention.at(0, 2)])
    ['person', None]
    """
    return _looked_up(_known_types(document), mentions)


def _known_types(document: Document) -> dict[Mention, str]:
    """List the types of a document's mentions; those with gaps also as they are without, if that is free."""
    known: dict[Mention, str] = {}
    filled: dict[Mention, str] = {}
    for cluster in document.clusters:
        for mention in cluster.mentions:
            if kind := mention.type or cluster.type:
                known.setdefault(mention, kind)
                filled.setdefault(Mention.at(mention.start, mention.end), kind)
    return filled | known


def _looked_up(known: Mapping[Mention, str], mentions: Sequence[Mention]) -> list[str | None]:
    return [known.get(mention) for mention in mentions]


def named_types(document: Document, mentions: Sequence[Mention]) -> list[str | None]:
    """Give mentions the label of the named entity that their head is in."""
    for layer in (ENTITY, POS):
        if mentions and layer not in document.layers:
            raise ProtocolError(
                f"document {document.id} has no layer '{layer}', which types='{ENTITY}' needs; give nlp=spacy"
            )
    return [each.entity_type or None for each in describe(document, mentions)]


class TypesElsewhere:
    """Types that another annotation of the same words gives to the same spans."""

    def __init__(self, corpus: Corpus) -> None:
        """Look for documents by their names; each is read once."""
        self._corpus = corpus
        self._numbers = {name: number for number, name in enumerate(corpus.ids)}
        self._known: dict[str, dict[Mention, str]] = {}

    def __call__(self, document: Document, mentions: Sequence[Mention]) -> list[str | None]:
        """Look up mentions of a document."""
        if document.id not in self._known:
            self._known[document.id] = self._read(document)
        return _looked_up(self._known[document.id], mentions)

    def _read(self, document: Document) -> dict[Mention, str]:
        number = self._numbers.get(document.id)
        if number is None:
            raise FormatError(f"{self._corpus.name}: no document '{document.id}', whose types are needed")
        typed = self._corpus.document(number)
        compare_words(document, typed.words[: typed.text.length], self._corpus.name)
        return _known_types(typed)


def types_from(types: str | PathLike[str] | None) -> TypesOf:
    """Say where types come from: the key itself, the layer `entity`, or a file or folder with types."""
    if types is None:
        return annotated_types
    return named_types if types == ENTITY else TypesElsewhere(formats.read(fspath(types)))


def voted_types(document: Document) -> dict[str, str]:
    """Give each cluster, by its id, the type that most of its mentions have; a tie goes to the first of them.

    >>> ann, she = Mention(((0, 1),), type="person"), Mention(((2, 3),), type="animal")
    >>> words, tags = ("Ann", "thought", "she", "slept"), ("NNP", "VBD", "PRP", "VBD")
    >>> document = Document.of("d", words, [(0, 4)], [Cluster("1", (ann, she))], {"pos": tags})
    >>> voted_types(document)
    {'1': 'person'}
    """
    silent = _silent(document)
    return {cluster.id: _most_frequent(cluster, silent) for cluster in document.clusters}


def _silent(document: Document) -> set[Mention]:
    """Find the pronouns, demonstratives and zeros; without parts of speech they are not known."""
    if head_source(document) == NOTHING:
        return set()
    mentions = [mention for cluster in document.clusters for mention in cluster.mentions]
    return {each.mention for each in describe(document, mentions) if each.type not in VOTERS}


def _most_frequent(cluster: Cluster, silent: Collection[Mention]) -> str:
    typed = [(mention, mention.type) for mention in sorted(cluster.mentions) if mention.type]
    votes = [kind for mention, kind in typed if mention not in silent] or [kind for _, kind in typed]
    return Counter(votes).most_common(1)[0][0] if votes else UNTYPED


class TypeSurvey(NamedTuple):
    """How many entities have a type, and how many have mentions of several types."""

    entities: int
    typed: int
    mixed: int

    @classmethod
    def of(cls, documents: Iterable[Document], types_of: TypesOf) -> TypeSurvey:
        """Look at the mentions of all entities."""
        entities = typed = mixed = 0
        for document in documents:
            mentions = [mention for cluster in document.clusters for mention in cluster.mentions]
            types = iter(types_of(document, mentions))
            for cluster in document.clusters:
                found = {next(types) for _ in cluster.mentions} - {None}
                entities, typed, mixed = entities + 1, typed + bool(found), mixed + (len(found) > 1)
        return cls(entities, typed, mixed)

    def notices(self, key: str) -> list[str]:
        """Say what was decided, and what is not known."""
        return [
            f"{key}: {what}: {count} of {self.entities}"
            for what, count in (
                ("entities whose mentions have several types, of which the most frequent counts", self.mixed),
                (f"entities without a type, called '{UNTYPED}'", self.entities - self.typed),
            )
            if count
        ]
