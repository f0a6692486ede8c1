"""A store of texts: `open_store`, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from referee.display import Rows, number_of
from referee.exceptions import SettingError
from referee.formats.failures import Failures
from referee.formats.writing import write
from referee.model import Corpus, DocumentCorpus
from referee.resolvers.across.explaining import ExplainedJoin, MentionKey
from referee.resolvers.across.graph.graph import LinkGraph
from referee.resolvers.across.graph.writing import graph_form
from referee.resolvers.across.store import files
from referee.resolvers.across.store.contents import Contents, entity_id
from referee.resolvers.across.store.decisions import (
    MERGE,
    RENAME,
    SPLIT,
    Decision,
    read_decisions,
    write_decisions,
)
from referee.resolvers.across.store.growing import Addition, Given, opened_growth
from referee.resolvers.base import LINKER, linking_resolver
from referee.resolvers.resolved import Recurring, recurring

SHOWN = 10  # entities of one name
SETTINGS = ("model", "kind", "precision", "threshold", "threads")  # of the linker that a store takes


@dataclass(repr=False)
class Store(Rows):
    """Texts on disk with who and what they mention; texts can be added, and people can decide.

    An entity's id (`e17`) stays when texts are added: it is that of its mention that was stored first.

    Examples:
        >>> import referee
        >>> referee.open_store("not/there/yet/").texts  # doctest: +SKIP
        []
    """

    path: Path
    settings: dict[str, Any]

    _output = "store:store_output"

    def __post_init__(self) -> None:
        """See that it can be read."""
        files.read_manifest(self.path)

    @cached_property
    def contents(self) -> Contents:
        """What is on the disk."""
        return Contents.read(self.path, files.read_manifest(self.path) or files.Manifest())

    def _refresh(self) -> None:
        self.__dict__.pop("contents", None)
        self.__dict__.pop("_things", None)

    @property
    def texts(self) -> list[str]:
        """The names of its texts."""
        return list(self.contents.numbers)

    def documents(self, *, singletons: bool = False) -> DocumentCorpus:
        """Give its texts with their entities, whose ids mean the same in all.

        Args:
            singletons: Whether to include what is mentioned once.

        Returns:
            A corpus that `referee.write` writes and `referee.score` scores.
        """
        return self.contents.documents(singletons=singletons)

    @cached_property
    def _things(self) -> list[Recurring]:
        return recurring(list(self.documents(singletons=True)), minimum=1, names=self.contents.names)

    def entities(self, minimum: int = 2) -> list[Recurring]:
        """List who and what is mentioned in at least so many texts, the most widespread first."""
        return [thing for thing in self._things if len(thing.documents) >= minimum]

    def graph(self, *, singletons: bool = False) -> LinkGraph:
        """Give who did what to whom, where and when."""
        return LinkGraph.of(list(self.documents(singletons=singletons)), self.contents.names)

    def export(self, path: str | PathLike[str], to: str | None = None, *, singletons: bool = False) -> None:
        """Write a graph, or the texts with their clusters.

        Args:
            path: The file: .graphml, .csv, .jsonld, .entities.jsonl, or any format that holds clusters across
                documents.
            to: The format, if the ending does not say.
            singletons: Whether to include what is mentioned once.
        """
        form = graph_form(path, to)
        if form:
            self.graph(singletons=singletons).write(path, form)
        else:
            write(self.documents(singletons=singletons), path, to, cross_document=True)

    def entity(self, name: str) -> Recurring:
        """Find the one entity of this id or name; what it is called goes before what a mention says.

        Args:
            name: An id, such as `e17`, or a name.

        Returns:
            Its id, name and mentions; `documents` has them by text.

        Raises:
            SettingError: If there is none, or several; the message lists the ids of these.
        """
        found = self._found(name)
        if not found:
            raise SettingError(f"{self.path}: nothing is called '{name}'")
        if len(found) > 1:
            listed = ", ".join(
                f"{thing.id} ({thing.name}, in {number_of(len(thing.documents), 'text')})"
                for thing in found[:SHOWN]
            )
            more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
            raise SettingError(f"{self.path}: '{name}' is ambiguous: {listed}{more}; give an id")
        return found[0]

    def _found(self, name: str) -> list[Recurring]:
        small = " ".join(name.split()).casefold()
        by_id = [thing for thing in self._things if thing.id == name]
        called = [thing for thing in self._things if thing.name.casefold() == small]
        return by_id or called or [thing for thing in self._things if small in _said(thing)]

    def add(
        self,
        texts: Sequence[Given] | Corpus,
        *,
        update: bool = False,
        strict: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Addition:
        """Add texts; what is there is not read again.

        A text whose words are there already is not added twice. One that has the name of another is refused,
        unless it is to `update` it; a `FailureWarning` names those that were not added. Every batch of 250
        texts is kept when it is done, so a run that was killed can be repeated: it goes on where it ended.

        Args:
            texts: Strings, texts or documents, whose clusters are not looked at; or a corpus.
            update: Whether a text of a known name replaces the old one.
            strict: Whether the first text that fails ends the work.
            progress: Is called with numbers of steps, three for each text that is added.

        Returns:
            What was added, replaced, there already, joined and refused.
        """
        with files.changing(self.path):
            self._refresh()
            failures = Failures(strict)
            added = opened_growth(self.path, self.settings, failures, progress).add(texts, update=update)
            self._refresh()
        failures.warn()
        return added

    def joins(self, addition: int | None = None) -> list[ExplainedJoin]:
        """List what was joined to what, and why; all, or those of one addition, counted from 1."""
        return self.contents.explained(addition)

    @property
    def decisions(self) -> list[Decision]:
        """What people decided, in order."""
        return list(self.contents.decisions)

    def merge(self, *names: str) -> Recurring:
        """Say that entities are one; it holds when texts are added, too.

        Args:
            *names: Ids or names of two entities or more.

        Returns:
            The one entity.
        """
        found = {thing.id: thing for thing in map(self.entity, names)}
        if len(found) < 2:
            raise SettingError("a merge needs two different entities")
        keys = tuple(key for thing in found.values() for key in self._keys(thing))
        self._decide(Decision(MERGE, keys))
        return self._of(keys[0])

    def split(self, name: str, mentions: Iterable[MentionKey | tuple[str, int, int]]) -> Recurring:
        """Take mentions out of an entity; they become one of their own, and stay apart from it.

        Args:
            name: The id or name of the entity.
            mentions: Its mentions that are something else: text, first word, and the one after the last.

        Returns:
            The new entity.
        """
        thing = self.entity(name)
        every = self._keys(thing)
        taken = tuple(dict.fromkeys(MentionKey(*mention) for mention in mentions))
        if foreign := [key for key in taken if key not in every]:
            raise SettingError(f"{thing.id} ({thing.name}) has no mention {list(foreign[0])}")
        left = tuple(key for key in every if key not in taken)
        if not taken or not left:
            raise SettingError(
                f"a split of {thing.id} ({thing.name}) must take some mentions and leave others"
            )
        self._decide(Decision(SPLIT, taken, left))
        return self._of(taken[0])

    def rename(self, name: str, to: str) -> Recurring:
        """Give an entity a name, which stays."""
        thing = self.entity(name)
        if not to.strip():
            raise SettingError("an entity's name cannot be empty")
        keys = self._keys(thing)
        self._decide(Decision(RENAME, keys[:1], name=" ".join(to.split())))
        return self._of(keys[0])

    def undo(self, join: int | None = None) -> Decision:
        """Take back the last decision; or a join by its number, which separates what it put together.

        Args:
            join: The number of a join, as `joins` lists them.

        Returns:
            The decision that was taken back, or the split that undoes the join.
        """
        if join is not None:
            split = self._split_of(join)
            self._decide(split)
            return split
        if not self.contents.decisions:
            raise SettingError(f"{self.path}: nothing was decided; join= undoes what the model joined")
        last = self.contents.decisions[-1]
        self._save(lambda decisions: decisions[:-1])
        return last

    def apply(self, path: str | PathLike[str]) -> list[str]:
        """Add the decisions of a file, as a page or another store has them.

        Returns:
            Notices, if decisions name mentions that the store does not have.
        """
        given = tuple(read_decisions(Path(path)))
        self._save(lambda decisions: (*decisions, *given))
        unknown = sum(not all(key in self.contents.known for key in decision.keys) for decision in given)
        said = f"{number_of(unknown, 'decision')} of {path}: mentions are not in the store (yet)"
        return [said] if unknown else []

    def _split_of(self, join: int) -> Decision:
        """Separate what a join put together, with all that is in the entity now."""
        contents = self.contents
        if not 1 <= join <= contents.joins.size:
            raise SettingError(f"{self.path}: joins are numbered from 1 to {contents.joins.size}, not {join}")
        first, second = (int(contents.joins[name][join - 1]) for name in ("first", "second"))
        if contents.label[first] != contents.label[second]:
            raise SettingError(f"join {join} does not hold any more: its mentions were separated")
        label = contents.label_without(first, second)
        sides: dict[bool, list[MentionKey]] = {True: [], False: []}
        for key, row in contents.known.items():
            if contents.label[row] == contents.label[first]:
                sides[bool(label[row] == label[second])].append(key)
        if not all(sides.values()):
            raise SettingError(
                f"join {join} is of texts that were replaced: one side has no mentions any more"
            )
        return Decision(
            SPLIT, tuple(sides[True]), tuple(sides[False]), remarks=(("note", f"undoes join {join}"),)
        )

    def _keys(self, thing: Recurring) -> tuple[MentionKey, ...]:
        """List all mentions of an entity, nested ones too."""
        label = int(thing.id[1:]) - 1
        return tuple(key for key, row in self.contents.known.items() if self.contents.label[row] == label)

    def _of(self, key: MentionKey) -> Recurring:
        return self.entity(entity_id(int(self.contents.label[self.contents.known[key]])))

    def _decide(self, decision: Decision) -> None:
        self._save(lambda decisions: (*decisions, decision))

    def _save(self, change: Callable[[tuple[Decision, ...]], Sequence[Decision]]) -> None:
        """Change the decisions as they are on the disk now."""
        with files.changing(self.path):
            self._refresh()
            write_decisions(change(self.contents.decisions), self.path / files.DECISIONS)
            self._refresh()


def _said(thing: Recurring) -> set[str]:
    return {" ".join(document.text.spelled(m.spans).split()).casefold() for document, m in thing.mentions}


def open_store(path: str | PathLike[str], **settings: Any) -> Store:
    """Open a store of texts whose entities and events span all of them, or a folder that becomes one.

    Args:
        path: Its folder. Nothing is written before texts are added.
        **settings: Those of `link` that a store takes: model, kind, precision, threshold, threads. A store
            keeps to what it was made with.

    Returns:
        The store.

    Raises:
        FormatError: If the folder has other files, or a store of an unknown version, or one that is damaged.
        SettingError: If a setting is not one of these.

    Examples:
        >>> import referee
        >>> store = referee.open_store("store/")  # doctest: +SKIP
        >>> store.add(["Ann Lee won.", "Ann Lee lost."]).added  # doctest: +SKIP
        ('0', '1')
        >>> list(store.entity("Ann Lee").documents)  # doctest: +SKIP
        ['0', '1']
    """
    if foreign := [name for name in settings if name not in SETTINGS]:
        raise SettingError(
            f"a store links all of its texts with each other: {foreign[0]}= does nothing with it"
        )
    linker: Any = linking_resolver(LINKER, **settings)
    made = {"model": linker.model, "kind": linker.kind, "threads": linker.threads}
    return Store(Path(path), made | {"threshold": linker.merge_threshold()})
