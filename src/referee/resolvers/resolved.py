"""What a resolver found in a text, as programs take it: offsets in words and characters, names, scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from referee import formats
from referee.display import Rows, shortened
from referee.exceptions import ProtocolError
from referee.formats.failures import Failure, Failures
from referee.formats.fitting import Fitting
from referee.formats.writing import write_fitted
from referee.model import (
    Cluster,
    Corpus,
    Document,
    DocumentCorpus,
    Mention,
    Span,
    Text,
    cut_text,
    in_characters,
)
from referee.resolvers.notices import Choice
from referee.resolvers.replacing.naming import naming_rank, pronouns_of, representative
from referee.resolvers.replacing.pronouns import Replaced, replace_pronouns
from referee.resolvers.replacing.pseudonyms import Pseudonymised, pseudonymise

if TYPE_CHECKING:
    from referee.resolvers.across.explaining import ExplainedJoin
    from referee.resolvers.across.graph.graph import LinkGraph
    from referee.resolvers.characters import Characters

SHOWN, SHOWN_CHARACTERS = 12, 50  # mentions or documents, and characters of a name, in a repr
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

    def __repr__(self) -> str:
        """Show its name and its first mentions."""
        said = ", ".join(repr(shortened(mention.text, SHOWN_CHARACTERS)) for mention in self.mentions[:SHOWN])
        more = f", … {len(self.mentions) - SHOWN} more" if len(self.mentions) > SHOWN else ""
        return f"<ResolvedEntity {self.id} {shortened(self.name, SHOWN_CHARACTERS)!r}: {said}{more}>"


@dataclass(frozen=True, repr=False)
class Resolved(Rows):
    """A text with its clusters: what `resolve` gives for one text.

    Its rows, in `to_frame` and `to_polars`, are its mentions.

    >>> from referee.model import Cluster, Document, Mention
    >>> pair = Cluster("0", (Mention.at(0, 2), Mention.at(4, 5)))
    >>> resolved = Resolved(Document.of("d", "Nora Finch slept ; she snored".split(), [(0, 6)], [pair]))
    >>> resolved.clusters, resolved.clusters_in_characters
    ([[(0, 2), (4, 5)]], [[(0, 10), (19, 22)]])
    """

    _output = "documents:resolved_output"

    document: Document
    failure: str = ""  # why the text could not be resolved; it has no clusters then
    choice: Choice | None = field(default=None, compare=False)  # by the resolver itself, and why

    @property
    def text(self) -> str:
        """The text as it was given; given words have a blank between them."""
        text = self.document.text
        return " ".join(text.words) if text.running is None else text.running

    @property
    def entities(self) -> list[ResolvedEntity]:
        """The entities in order, with names, offsets and scores."""
        return [
            ResolvedEntity(cluster.id, name, tuple(map(self._mention, cluster.mentions)))
            for name, cluster in named_clusters(self.document)
        ]

    @property
    def clusters(self) -> list[list[Span]]:
        """The clusters in words: pairs of the first word and the one after the last, counted from 0."""
        return [[(m.start, m.end) for m in cluster.mentions] for cluster in self.document.clusters]

    @property
    def clusters_in_characters(self) -> list[list[Span]]:
        """The clusters in characters of `text`: pairs of the first and the one after the last."""
        starts, ends = zip(*self._characters, strict=True) if self.document.words else ((), ())
        return [[(starts[first], ends[last - 1]) for first, last in cluster] for cluster in self.clusters]

    @property
    def _characters(self) -> Sequence[Span]:
        """Where each word is in `text`."""
        text = self.document.text
        if text.running is not None:
            return text.characters
        ends = list(accumulate(len(word) + 1 for word in text.words))
        return [(end - len(word) - 1, end - 1) for end, word in zip(ends, text.words, strict=True)]

    @property
    def resolved_text(self) -> str:
        """The text with names instead of pronouns."""
        return self.replaced.text

    @property
    def replaced(self) -> Replaced:
        """The same text, its changes, and the pronouns that were left, each with the reason."""
        return replace_pronouns(self.document)

    def pseudonymised(self, seed: int = 0) -> Pseudonymised:
        """The text with an invented name for every person; its `table` undoes it, by `referee.restore`."""
        return pseudonymise(self.document, seed)

    @property
    def characters(self) -> Characters:
        """The people of the text: names, pronouns, how often they are mentioned, what they say."""
        from referee.resolvers.characters import characters_of  # it needs lists of names

        return characters_of(self.document)

    def get_clusters(self, as_strings: bool = True) -> list[list[Any]]:
        """List clusters as fastcoref does, for programs that were written for it.

        Args:
            as_strings: Give the text of each mention, or else a pair of characters with the end excluded;
                of words that were given as such, a pair of words.
        """
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
            **(self.choice.facts() if self.choice else {}),
        }

    def _by_mention(self, value: Any) -> list[list[Any]]:
        return [[value(mention) for mention in entity.mentions] for entity in self.entities]

    def _mention(self, mention: Mention) -> ResolvedMention:
        text = self.document.text
        whole = (mention.start, mention.end)
        characters = None if text.running is None else in_characters(text, [whole])[0]
        spelled = text.spelled(mention.spans)
        return ResolvedMention(spelled, whole, characters, mention.score, mention.link_score)


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
        counts = [
            f"{shortened(name, SHOWN_CHARACTERS)!r}: {len(mentions)}"
            for name, mentions in self.documents.items()
        ]
        more = [f"… {len(counts) - SHOWN} more"] * (len(counts) > SHOWN)
        named = shortened(self.name, SHOWN_CHARACTERS)
        return f"<Recurring {named!r}: {{{', '.join([*counts[:SHOWN], *more])}}}>"


def recurring(
    documents: Sequence[Document], minimum: int = 2, names: Mapping[str, str] = {}
) -> list[Recurring]:
    """List what is mentioned in at least so many documents, the most widespread first.

    `names` are those that people gave to entities: id → name.
    """
    located: dict[str, list[Located]] = {}
    for document in documents:
        for cluster in document.clusters:
            located.setdefault(cluster.id, []).extend((document, mention) for mention in cluster.mentions)
    pronouns = {document.id: pronouns_of(document.text) for document in documents}  # once: it takes time
    things = [
        Recurring(id_, names.get(id_) or _name(mentions, pronouns), tuple(mentions))
        for id_, mentions in located.items()
        if len({document.id for document, _ in mentions}) >= minimum
    ]
    return sorted(things, key=lambda thing: (-len(thing.documents), -len(thing.mentions)))


def _name(mentions: Sequence[Located], pronouns: Mapping[str, Collection[str]]) -> str:
    """Take the mention that names it best, and of equally good ones the most frequent."""
    said = [" ".join(document.text.spelled(mention.spans).split()) for document, mention in mentions]
    often = Counter(words.lower() for words in said)
    ranks = [
        (naming_rank(document.text, mention, pronouns[document.id]), -often[words.lower()], index)
        for index, ((document, mention), words) in enumerate(zip(mentions, said, strict=True))
    ]
    return said[min(ranks)[-1]]


class Joining:
    """A result of linking: what was joined to what."""

    source: DocumentCorpus | None = None  # what the resolver gave

    @property
    def joins(self) -> list[ExplainedJoin]:
        """What was joined to what, step by step, how likely it is, and why."""
        joins: list[ExplainedJoin] | None = getattr(self.source, "joins", None)
        if joins is None:
            raise ProtocolError("nothing tells what was joined: call referee.link() with resolver='across'")
        return joins


class ResolvedTexts(Joining, Rows, list[Resolved]):
    """Texts with their clusters; if these are `linked` across texts, also who and what is in several.

    It is a list of `Resolved`; its rows, in `to_frame` and `to_polars`, are the mentions of all texts.
    """

    _output = "documents:resolved_texts_output"

    def __init__(self, resolved: Iterable[Resolved], *, linked: bool = False) -> None:
        """Say whether an id means the same in all texts."""
        super().__init__(resolved)
        self.linked = linked
        self.failures: tuple[Failure, ...] = ()  # of the texts that could not be resolved

    def recurring(self, minimum: int = 2) -> list[Recurring]:
        """List what is mentioned in at least so many texts, the most widespread first."""
        if not self.linked:
            raise ProtocolError("each text was resolved by itself: referee.link() links them")
        return recurring([resolved.document for resolved in self], minimum)

    @property
    def graph(self) -> LinkGraph:
        """Who did what to whom, where and when: a graph of entities and events, which can be written."""
        if not self.linked:
            raise ProtocolError("each text was resolved by itself: referee.link() links them")
        from referee.resolvers.across.graph.graph import LinkGraph  # which few need

        return LinkGraph.of([resolved.document for resolved in self])


class ResolvedCorpus(Joining, DocumentCorpus):
    """The documents of a corpus with the clusters that a resolver found; `failures` lists those it lacks."""

    failures: tuple[Failure, ...] = ()

    @property
    def graph(self) -> LinkGraph:
        """The graph of entities and events, as `ResolvedTexts` has it, if clusters span the documents."""
        if not self.cross_document:
            raise ProtocolError("each document was resolved by itself: referee.link() links them")
        from referee.resolvers.across.graph.graph import LinkGraph

        return LinkGraph.of(self.documents)


def named_clusters(document: Document) -> list[tuple[str, Cluster]]:
    """List clusters, each with the name that says best what it is."""
    text = document.text
    return [(text.spelled(representative(text, each).spans), each) for each in document.clusters]


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


def save_resolved(
    documents: Iterable[Document], path: str, form: str, failures: Failures, *, raw: bool
) -> Counter[str]:
    """Write documents, and count what the format cannot hold; JSON lines of `raw` texts count characters."""
    written = map(in_running_text, documents) if raw and form == JSON_LINES else documents
    return write_fitted(written, path, Fitting(formats.FORMATS[form], failures))


class MarkedWord(NamedTuple):
    """A word with what is written before it, the mentions that open at it, and those that close behind it.

    Entities are numbered from 1.
    """

    gap: str
    opened: list[tuple[int, Mention]]
    word: str
    closed: list[int]


def marked_words(document: Document) -> Iterator[MarkedWord]:
    """Go through a text with its mentions nested; one that crosses another is cut where the other ends."""
    begins: dict[int, list[tuple[int, int, Mention]]] = defaultdict(list)
    for number, cluster in enumerate(document.clusters, start=1):
        for mention in cluster.mentions:
            for start, end in mention.spans:
                begins[start].append((end, number, mention))
    open_ends: list[tuple[int, int]] = []
    for word, (gap, written) in enumerate(words_with_gaps(document.text)):
        opened = []
        for end, number, mention in sorted(begins[word], reverse=True):
            open_ends.append((min(end, open_ends[-1][0]) if open_ends else end, number))
            opened.append((number, mention))
        closed = []
        while open_ends and open_ends[-1][0] <= word + 1:
            closed.append(open_ends.pop()[1])
        yield MarkedWord(gap, opened, written, closed)


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
