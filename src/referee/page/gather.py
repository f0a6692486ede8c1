"""Gathers a report: reads the corpora, scores them every way, finds the errors, and makes the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO, Any

from referee.analysis.link_errors import Decisions, Tree
from referee.analysis.study import study_of
from referee.comparing.verdicts import Plan
from referee.display import number_of
from referee.encoding import encoded
from referee.formats.io import saving
from referee.formats.io.opening import STDIN, stem
from referee.formats.marked.text import MarkedCorpus
from referee.language.entity_types import TypesOf, annotated_types
from referee.language.mention_types import Category
from referee.language.trees.parses import has_parses
from referee.matching.matchings import FROM_TREES
from referee.matching.protocol import COREFUD_MATCHINGS, RELATION_LAYERS, Protocol
from referee.matching.units import unit_labels
from referee.metrics.standard import DEFAULT_METRICS
from referee.page.data import report_data
from referee.page.entity_scores import entity_scores
from referee.page.render import render
from referee.scoring.evaluate import LAYER_METRICS, Bar, evaluate, no_bar
from referee.scoring.task import PathName, Task

LABELS = {"exact": "maximum spans", "mina": "minimum spans (MINA)", "head": "head spans"}
COREFUD_LABELS = {"exact": "exact spans", "head": "heads", "partial": "partial spans"}


@dataclass(frozen=True, eq=False)
class Report:
    """A report: its value, and the page that shows it."""

    data: Mapping[str, Any]

    @property
    def notices(self) -> Sequence[str]:
        """What is to be known about the input."""
        return list(self.data["notices"])

    @cached_property
    def html(self) -> str:
        """The page, whole: one file that loads nothing."""
        return render(self.data)

    def save(self, path: PathName) -> int:
        """Write the page; say how many bytes it has."""
        page = encoded(self.html)
        saving.save(path, self._write)
        return len(page)

    def _write(self, file: IO[str]) -> None:
        file.write(self.html)

    def __repr__(self) -> str:
        """Name what is reported on; the page is too long to be shown."""
        return f"<Report: {self.data['title']}, {number_of(len(self.data['documents']), 'document')}>"


def report_of(
    task: Task,
    *,
    spanning_tree: Tree | str = "accessibility",
    mention_type: Category | None = None,
    antecedents: Sequence[Decisions | None] | None = None,
    types_of: TypesOf = annotated_types,
    plan: Plan | None = None,
    title: str = "",
    progress: Bar = no_bar,
) -> Report:
    """Make the report of a task, whose key has its layers.

    The settings are those of `study_of`. `types_of` says where the types of
    entities come from, `plan` how intervals and tests are made; `progress` makes a
    bar for so many steps of something.
    """
    with progress(len(task.key), "reading") as advance:
        study = study_of(
            task,
            spanning_tree=spanning_tree,
            mention_type=mention_type,
            antecedents=antecedents,
            progress=advance,
        )
    ways = _ways(task)
    with progress(len(task.key) * len(task.responses) * len(ways), "scoring") as advance:
        metrics = LAYER_METRICS.get(task.protocol.layer, DEFAULT_METRICS)
        scores = {_label(way): evaluate(task.under(way), metrics, progress=advance) for way in ways}
    key = "stdin" if task.key.name == STDIN else stem(task.key.name)
    links = task.protocol.layer not in RELATION_LAYERS  # whose entities have types
    by_entity = entity_scores(task, types_of, plan or Plan()) if links else None
    data = report_data(
        study, scores, key=key, title=title, units=_units(task), plan=plan, entity_scores=by_entity
    )
    return Report(data)


def _ways(task: Task) -> list[Protocol]:
    """The task's protocol, and those that match in another way as far as the key allows it."""
    # A model's copy of the text is put on the key's words; others that were cut here have no trees.
    cut = [each for each in task.responses if each.cut and not isinstance(each, MarkedCorpus)]
    trees = (task.parses or has_parses(task.key)) and not (task.key.cut or cut)
    others = task.protocol.by_corefud or (trees and not task.protocol.by_ua)
    return [task.protocol, *(_other_ways(task.protocol) if others else ())]


def _label(protocol: Protocol) -> str:
    return (COREFUD_LABELS if protocol.by_corefud else LABELS).get(protocol.match, protocol.match)


def _other_ways(protocol: Protocol) -> list[Protocol]:
    """Vary the matching; trees that cannot be read are skipped, as the signature says."""
    if protocol.by_corefud:
        return [replace(protocol, match=match) for match in COREFUD_MATCHINGS if match != protocol.match]
    return [
        replace(protocol, match=match, bad_parses="skip" if match in FROM_TREES else "refuse")
        for match in LABELS
        if match != protocol.match
    ]


def _units(task: Task) -> dict[str, str] | None:
    """Name each document's unit, if it is more than the document."""
    scope = task.protocol.scope
    if scope == "document":
        return None
    return dict(zip(task.key.ids, unit_labels(task.key, scope, task.groups), strict=True))
