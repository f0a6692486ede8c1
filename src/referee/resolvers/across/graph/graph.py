"""Linked documents as a graph: a node for each entity and event, an edge for each role of an entity."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

from referee.exceptions import SettingError
from referee.model import Document, Mention, Span, in_characters
from referee.resolvers.across import EVENT
from referee.resolvers.across.graph.roles import BESIDE, ROLES, WHO, WHOM, roles
from referee.resolvers.resolved import Recurring, recurring

THING = "thing"  # the kind of what a resolver gave none
UNPLAIN = "characters that are not text"
_NOT_TEXT = (*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
_REPLACED = dict.fromkeys(_NOT_TEXT, "\ufffd")  # which XML cannot hold; half characters, no file


class Source(NamedTuple):
    """Where something is mentioned: the text, and the words and characters there, ends excluded."""

    text: str
    words: Span
    characters: Span | None  # of running text
    said: str
    sentence: str
    score: float | None

    def to_dict(self) -> dict[str, Any]:
        """Give it in plain values."""
        characters = None if self.characters is None else list(self.characters)
        return {
            "text": self.text, "words": list(self.words), "characters": characters, "said": self.said,
            "score": self.score,
        }  # fmt: skip


class Node(NamedTuple):
    """An entity or event: its name, the other names from the most frequent on, and where it is mentioned.

    The name of an event says who did what, as far as its sentences do.
    """

    id: str
    kind: str
    name: str
    names: tuple[str, ...]
    sources: tuple[Source, ...]

    @property
    def texts(self) -> list[str]:
        """The texts that mention it."""
        return list(dict.fromkeys(source.text for source in self.sources))

    def to_dict(self) -> dict[str, Any]:
        """Give it in plain values."""
        return {
            "id": self.id, "kind": self.kind, "name": self.name, "names": list(self.names),
            "mentions": [source.to_dict() for source in self.sources],
        }  # fmt: skip


class Edge(NamedTuple):
    """The role of an entity in an event, and the pairs of mentions that tell of it."""

    event: str
    role: str
    entity: str
    sources: tuple[tuple[str, Span, Span], ...]  # text, words of the event, words of the entity

    def to_dict(self) -> dict[str, Any]:
        """Give it in plain values."""
        told = [
            {"text": text, "event": list(event), "entity": list(entity)}
            for text, event, entity in self.sources
        ]
        return {"event": self.event, "role": self.role, "entity": self.entity, "sources": told}


@dataclass(frozen=True)
class LinkGraph:
    """Who did what to whom, where and when: nodes, edges, and the texts that they come from."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    texts: tuple[str, ...]
    replaced: int = 0  # characters that no text has, such as halves of others

    @classmethod
    def of(cls, documents: Sequence[Document], names: Mapping[str, str] = {}) -> LinkGraph:
        """Make the graph of documents that share clusters; `names` are those that people gave to some."""
        plain = _Plain()
        things = recurring(documents, minimum=1, names=names)
        kinds = {cluster.id: cluster.type or THING for document in documents for cluster in document.clusters}
        edges = list(_edges(documents, kinds))
        nodes = [_node(thing, kinds[thing.id], plain) for thing in things]
        nodes = [
            node if node.id in names else told
            for node, told in zip(nodes, _with_telling_names(nodes, edges), strict=True)
        ]
        return cls(tuple(nodes), tuple(edges), tuple(document.id for document in documents), plain.replaced)

    def write(self, path: str | PathLike[str], form: str | None = None) -> list[str]:
        """Write it: .graphml, .csv (three files), .jsonld or .entities.jsonl.

        Args:
            path: The file to write; `-` is standard output.
            form: graphml, csv, jsonld or entities, if the ending does not say.

        Returns:
            The files that were written.
        """
        from referee.resolvers.across.graph.writing import graph_form, write_graph

        chosen = graph_form(path, form)
        if chosen is None:
            raise SettingError(f"{path}: the ending says no format of graphs; give form=")
        return write_graph(self, path, chosen)

    @property
    def notices(self) -> list[str]:
        """What its user should know."""
        notices = [f"{self.replaced:,} {UNPLAIN} are replaced by \ufffd"] if self.replaced else []
        if self.nodes and not any(node.kind == EVENT for node in self.nodes):
            notices += ["no events were linked, so nobody has a role in any; kind='all' finds both"]
        return notices

    def roles_of(self, event: str) -> dict[str, list[str]]:
        """Name the entities of each role in an event, those with most sources first."""
        found: dict[str, list[str]] = {}
        for edge in sorted(self.edges, key=lambda edge: (ROLES.index(edge.role), -len(edge.sources))):
            if edge.event == event:
                found.setdefault(edge.role, []).append(edge.entity)
        return found


class _Plain:
    """Replaces what no file may hold, and counts it."""

    def __init__(self) -> None:
        self.replaced = 0

    def __call__(self, words: str) -> str:
        clean = words.translate(_REPLACED)
        self.replaced += sum(one != other for one, other in zip(words, clean, strict=True))
        return " ".join(clean.split())


def _node(thing: Recurring, kind: str, plain: _Plain) -> Node:
    sources = tuple(_source(document, mention, plain) for document, mention in thing.mentions)
    often = Counter(source.said for source in sources)
    return Node(thing.id, kind, plain(thing.name), tuple(name for name, _ in often.most_common()), sources)


def _source(document: Document, mention: Mention, plain: _Plain) -> Source:
    text, words = document.text, (mention.start, mention.end)
    characters = None if text.running is None else in_characters(text, [words])[0]
    sentence = plain(text.spelled([_sentence(document, mention.start)]))
    return Source(document.id, words, characters, plain(text.spelled(mention.spans)), sentence, mention.score)


def _sentence(document: Document, word: int) -> Span:
    stretches = document.text.stretches
    return next((span for span in stretches if span[0] <= word < span[1]), (0, document.text.length))


def _edges(documents: Iterable[Document], kinds: dict[str, str]) -> Iterator[Edge]:
    """Collect roles from all sentences; who has a role in an event is not only beside it elsewhere."""
    told: dict[tuple[str, str, str], list[tuple[str, Span, Span]]] = defaultdict(list)
    for document in documents:
        for event, role, entity, events_words, words in _told(document, kinds):
            told[event, role, entity].append((document.id, events_words, words))
    closer = {(event, entity) for event, role, entity in told if role != BESIDE}
    for (event, role, entity), sources in told.items():
        if role != BESIDE or (event, entity) not in closer:
            yield Edge(event, role, entity, tuple(sources))


def _told(document: Document, kinds: dict[str, str]) -> Iterator[tuple[str, str, str, Span, Span]]:
    events: dict[Span, list[tuple[Span, str]]] = defaultdict(list)  # sentence → spans and ids
    entities: dict[Span, dict[Span, str]] = defaultdict(dict)
    stretches = iter(document.text.stretches)
    sentence = next(stretches, (0, 0))
    located = sorted((m.start, m.end, cluster.id) for cluster in document.clusters for m in cluster.mentions)
    for start, end, id_ in located:
        while start >= sentence[1] and (following := next(stretches, None)):
            sentence = following
        if kinds[id_] == EVENT:
            events[sentence].append(((start, end), id_))
        else:
            entities[sentence][start, end] = id_
    for (begin, stop), some in events.items():
        words = document.words[begin:stop]
        spans = {(start - begin, end - begin): id_ for (start, end), id_ in entities[begin, stop].items()}
        for (start, end), event in some:
            for role, (first, last) in roles(words, (start - begin, end - begin), spans):
                place = (first + begin, last + begin)
                yield event, role, spans[first, last], (start, end), place


def _with_telling_names(nodes: Sequence[Node], edges: Iterable[Edge]) -> list[Node]:
    """Name events by who did what to whom: the entities with most sources in these roles."""
    names = {node.id: node.name for node in nodes}
    best: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        known = best.get((edge.event, edge.role))
        if edge.role in (WHO, WHOM) and (known is None or len(edge.sources) > len(known.sources)):
            best[edge.event, edge.role] = edge
    named = []
    for node in nodes:
        who, whom = (best.get((node.id, role)) for role in (WHO, WHOM))
        said = [names[who.entity]] if who else []
        said += [node.name, *([names[whom.entity]] if whom else [])]
        named.append(node._replace(name=" ".join(said)) if node.kind == EVENT else node)
    return named
