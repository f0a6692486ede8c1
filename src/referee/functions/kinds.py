"""What the functions that take scores apart by kinds of mentions share: the key's layers and types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import fspath
from typing import NamedTuple

from referee.comparing.stratified_scores import Strata, stratified_metrics, stratify, with_known_types
from referee.exceptions import SettingError
from referee.language.entity_types import TypesOf, types_from
from referee.language.strata import STRATIFICATIONS
from referee.model import Corpus, DocumentCorpus
from referee.scoring.task import PathName, Task


class Stratified(NamedTuple):
    """What kinds are called, each system's scores by kind, and what should be known about the kinds."""

    title: str
    strata: Sequence[Strata]
    notices: Sequence[str]


def kind_metrics(by: str, wanted: Sequence[str]) -> tuple[str, ...]:
    """List the metrics to count: those that are wanted, or else the usual ones of the kinds."""
    return stratified_metrics(wanted or STRATIFICATIONS[by].metrics)


def types_for(task: Task, types: PathName | None) -> TypesOf:
    """Say where types come from; refuse to look for types where they are of no use or are not found."""
    found = types_from(types)
    if types is not None:
        _check_scope(task, f"types='{fspath(types)}'")
        with_known_types(STRATIFICATIONS["entity-type"], task.key, found)
    return found


def _check_scope(task: Task, wanted: str) -> None:
    if task.protocol.scope != "document":
        raise SettingError(f"{wanted} needs documents as units, but the scope is {task.protocol.scope}")


@dataclass(frozen=True)
class KindSources:
    """Where layers and types of the key come from; each is read once for all systems and all kinds."""

    layers: PathName | None = None
    nlp: str | None = None
    types: PathName | None = None
    _texts: dict[Corpus, DocumentCorpus] = field(default_factory=dict)

    def stratified(self, task: Task, name: str, metrics: Sequence[str] = ()) -> Stratified:
        """Score each kind of mention by itself."""
        _check_scope(task, f"by='{name}'")
        by, texts = STRATIFICATIONS[name], self._key(task)
        if not by.typed:
            return Stratified(by.title, stratify(task, by, texts, metrics=metrics), ())
        by, said = with_known_types(by, texts, self._types)
        return Stratified(by.title, stratify(task, by, texts, self._types, metrics), said)

    @cached_property
    def _types(self) -> TypesOf:
        return types_from(self.types)

    def _key(self, task: Task) -> DocumentCorpus:
        """Read the key with its layers, unless that was done."""
        key = task.key
        if key not in self._texts:
            self._texts[key] = DocumentCorpus(task.with_layers(self.layers, self.nlp).key, key.name)
        return self._texts[key]
