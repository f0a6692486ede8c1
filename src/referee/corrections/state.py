"""The annotation of one document while it is corrected: entities and mentions, each with an id that stays.

A state is a frozen value. A `Change` says what two states have of each id that differs, so that its inverse
is the same with both sides swapped, and any edit can be undone and done again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from referee.exceptions import FormatError
from referee.model import Cluster, Document, Mention, Relation, Span

NEW = "+"  # comes before the number in the ids of what was added


@dataclass(frozen=True, slots=True)
class Entity:
    """What is known of an entity beside its mentions.

    `cluster` is its id in the document that was read; `singleton` says that a person found it to be
    mentioned only once.
    """

    name: str = ""
    type: str | None = None
    singleton: bool = False
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A mention with its entity; `confirmed` if a person decided that it belongs there."""

    entity: str
    mention: Mention
    confirmed: bool = False


Versions = Mapping[str, tuple[Any, Any]]  # id → what it was, and what it is; None where it does not exist


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two states; `refused` are suggestions that are refused, or no longer."""

    mentions: Mapping[str, tuple[Placed | None, Placed | None]] = field(default_factory=dict)
    entities: Mapping[str, tuple[Entity | None, Entity | None]] = field(default_factory=dict)
    refused: Mapping[str, tuple[bool | None, bool | None]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything changes."""
        return bool(self.mentions or self.entities or self.refused)

    @property
    def inverse(self) -> Change:
        """The change back."""
        return Change(*(_swapped(getattr(self, each.name)) for each in fields(self)))


def _swapped(versions: Versions) -> dict[str, tuple[Any, Any]]:
    return {id_: (after, before) for id_, (before, after) in versions.items()}


@dataclass(frozen=True, slots=True)
class State:
    """Entities and mentions by their ids, and the suggestions that were refused.

    The order of the ids has no meaning: `to_document` sorts.
    """

    entities: Mapping[str, Entity]
    mentions: Mapping[str, Placed]
    refused: Mapping[str, bool] = field(default_factory=dict)

    def changed(self, change: Change) -> State:
        """Make a change; one that was made for another state is refused."""
        return State(
            _changed(self.entities, change.entities),
            _changed(self.mentions, change.mentions),
            _changed(self.refused, change.refused),
        )

    def members(self) -> dict[str, list[str]]:
        """List the mentions of each entity."""
        found: dict[str, list[str]] = {id_: [] for id_ in self.entities}
        for id_, placed in self.mentions.items():
            found[placed.entity].append(id_)
        return found

    def members_of(self, entity: str) -> list[str]:
        """List the mentions of one entity in the order of the text."""
        some = [id_ for id_, placed in self.mentions.items() if placed.entity == entity]
        return sorted(some, key=lambda id_: self.mentions[id_].mention.spans)

    def at(self, spans: Sequence[Span]) -> str | None:
        """Find the mention of these words."""
        wanted = tuple(spans)
        return next((id_ for id_, each in self.mentions.items() if each.mention.spans == wanted), None)


def _changed(values: Mapping[str, Any], versions: Versions) -> dict[str, Any]:
    made = dict(values)
    for id_, (before, after) in versions.items():
        if not same(made.get(id_), before):
            raise FormatError(f"the change of '{id_}' was made for another annotation")
        if after is None:
            del made[id_]
        else:
            made[id_] = after
    return made


def same(one: object, other: object) -> bool:
    """Whether two values are the same in all fields: mentions are equal if their spans are."""
    if one is other or not isinstance(one, Placed) or not isinstance(other, Placed):
        return one == other
    return one == other and facts_of(one.mention) == facts_of(other.mention)


def is_same(one: State, other: State) -> bool:
    """Whether two states have the same ids, with the same values in all fields."""
    return (
        one.entities == other.entities
        and one.refused == other.refused
        and one.mentions.keys() == other.mentions.keys()
        and all(same(placed, other.mentions[id_]) for id_, placed in one.mentions.items())
    )


def facts_of(mention: Mention) -> tuple[Any, ...]:
    """List all that is known of a mention."""
    return tuple(getattr(mention, each.name) for each in fields(mention))


def state_of(document: Document) -> State:
    """Take a document's annotation; entities and mentions are numbered in its order.

    >>> state = state_of(Document.of("d", ["Ann"], [(0, 1)], [Cluster("7", (Mention.at(0, 1),))]))
    >>> [*state.entities], state.mentions["m0"].entity
    (['e0'], 'e0')
    """
    entities: dict[str, Entity] = {}
    mentions: dict[str, Placed] = {}
    for number, cluster in enumerate(document.clusters):
        if cluster.mentions:
            entities[f"e{number}"] = Entity(type=cluster.type, cluster=cluster.id)
        for mention in cluster.mentions:
            mentions[f"m{len(mentions)}"] = Placed(f"e{number}", mention)
    return State(entities, mentions)


def rank(id_: str) -> tuple[int, ...]:
    """Say where an id comes in order: what was read, and then what was added, by the edit that did it.

    >>> sorted(["m+2.1", "m10", "m9"], key=rank)
    ['m9', 'm10', 'm+2.1']
    """
    if id_[1] != NEW:
        return 0, int(id_[1:])
    return 1, *map(int, id_[2:].split("."))


def to_document(state: State, base: Document, *, across: bool = False) -> Document:
    """Put an annotation into the document that it was read from.

    A cluster that is as it was read stays the very same; in others mentions are in the order of the text. An
    entity is called as a person named it, as it was read, or by a number that no other has; if clusters reach
    `across` documents, by one that no other document has either. Relations of clusters that are gone are
    left out.
    """
    names = cluster_names(state, base, across=across)
    members = state.members()
    clusters: list[Cluster] = []
    for id_ in sorted(state.entities, key=rank):
        entity = state.entities[id_]
        placed = [state.mentions[each].mention for each in sorted(members[id_], key=rank)]
        old = None if id_[1] == NEW else base.clusters[int(id_[1:])]
        if old is None or not _is_as_it_was(old, placed):
            made = Cluster(names[id_], tuple(sorted(placed)), entity.type)
        else:
            made = replace(old, id=names[id_], type=entity.type)
        clusters.append(made)
    renamed = {entity.cluster: names[id_] for id_, entity in state.entities.items() if entity.cluster}
    empty = {cluster.id: cluster.id for cluster in base.non_referring}
    relations = tuple(_renamed(base.relations, {**empty, **renamed}))
    return replace(base, clusters=tuple(clusters), relations=relations)


def _is_as_it_was(cluster: Cluster, mentions: Sequence[Mention]) -> bool:
    return len(cluster.mentions) == len(mentions) and all(
        one is other or facts_of(one) == facts_of(other)
        for one, other in zip(cluster.mentions, mentions, strict=True)
    )


def _renamed(relations: Iterable[Relation], names: Mapping[str, str]) -> Iterable[Relation]:
    """Keep relations between clusters that are there, under their present names."""
    for relation in relations:
        if {relation.anaphor, *relation.antecedents} <= names.keys():
            antecedents = tuple(names[each] for each in relation.antecedents)
            yield replace(relation, anaphor=names[relation.anaphor], antecedents=antecedents)


def cluster_names(state: State, base: Document, *, across: bool) -> dict[str, str]:
    """Name the cluster of each entity, no two alike.

    >>> base = Document.of("d", ["Ann"], [(0, 1)], [Cluster("7", (Mention.at(0, 1),))])
    >>> cluster_names(State({"e0": Entity(cluster="7"), "e+1": Entity()}, {}), base, across=False)
    {'e0': '7', 'e+1': '8'}
    """
    taken = {cluster.id for cluster in (*base.clusters, *base.non_referring)}
    numbers = [int(name) for name in taken if name.isascii() and name.isdigit() and len(name) < 10]
    following = max(numbers, default=0)
    names: dict[str, str] = {}
    for id_ in sorted(state.entities, key=rank):
        entity = state.entities[id_]
        wanted = entity.name or entity.cluster
        if wanted is None:
            following += 1
            wanted = f"{base.id}:{id_}" if across else str(following)
        if wanted != entity.cluster:
            wanted = _unlike(wanted, taken)
        taken.add(wanted)
        names[id_] = wanted
    return names


def _unlike(name: str, taken: set[str]) -> str:
    """Number a name that another cluster has."""
    made, count = name, 1
    while made in taken:
        count += 1
        made = f"{name} ({count})"
    return made
