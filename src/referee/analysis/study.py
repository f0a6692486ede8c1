"""Compares any number of responses with a key, link by link: what tables and reports are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import fspath
from typing import TYPE_CHECKING, NamedTuple

from referee import __version__
from referee.analysis.describing import describe_all
from referee.analysis.entities import MutualPartition
from referee.analysis.link_errors import (
    ANTECEDENTS,
    PRECISION,
    RECALL,
    SIDES,
    ChosenLinks,
    Decisions,
    LinkError,
    Tree,
    decided_links,
    link_errors,
    missing_links,
    named_tree,
    spanning_links,
    tree_links,
)
from referee.analysis.reading import SystemReading, align_all, read_systems
from referee.analysis.relation_links import LAYER_CAUSES, relation_errors
from referee.analysis.shared_errors import Systems, sort_by_systems
from referee.analysis.span_pairing import MergedMentions
from referee.analysis.transformation_rules import CAUSES, REFEREE, TransformationRules, named_classes
from referee.display import Rows, number_of
from referee.exceptions import RefereeError, did_you_mean
from referee.language.entity_types import types_from
from referee.language.heads import NOTHING, TAGS, head_source
from referee.language.mention_types import TYPES, UNTYPED, Category, Described
from referee.matching.protocol import DATA, Protocol, signature_of
from referee.model import Document
from referee.scoring.evaluate import Progress, ignore_progress, name_of_groups
from referee.scoring.fingerprints import short_hash
from referee.scoring.genres import read_genres
from referee.scoring.task import PathName, Task

if TYPE_CHECKING:
    from referee.analysis.sheets.sheet import Sheet


@dataclass(frozen=True, slots=True, repr=False)
class SystemErrors:
    """What one system gets wrong."""

    name: str
    comparison: MutualPartition
    mentions: Sequence[Described]  # row of the response's entities → mention
    recall: Sequence[LinkError]
    precision: Sequence[LinkError]
    decisions: Mapping[tuple[str, str], int]  # types → links that the system made, right or wrong
    precision_from: str  # the tree's name, or "antecedents"; empty for links that are annotated

    def __repr__(self) -> str:
        """Name the system, and count its errors."""
        return f"<SystemErrors {self.name}: {len(self.recall):,} recall, {len(self.precision):,} precision>"

    def errors(self, side: str) -> Sequence[LinkError]:
        """Take the recall or the precision errors."""
        return self.recall if side == RECALL else self.precision


@dataclass(frozen=True, slots=True)
class Selection:
    """Which errors a study has, if not all: see `selection.select`."""

    condition: str = ""
    made_by: tuple[str, ...] = ()  # systems that all make them
    not_made_by: tuple[str, ...] = ()  # systems of which none makes them
    fields: frozenset[str] = frozenset()  # that the condition asks for

    def __bool__(self) -> bool:
        """Whether anything is left out."""
        return bool(self.condition or self.made_by or self.not_made_by)

    @property
    def words(self) -> str:
        """What a caption says."""
        said = [f"Filter: {self.condition}."] if self.condition else []
        if self.made_by:
            said.append(f"Made by {' and '.join(self.made_by)}{'' if self.not_made_by else ' alone'}.")
        if self.not_made_by:
            said.append(f"Not made by {' or '.join(self.not_made_by)}.")
        return " ".join(said)


@dataclass(frozen=True, eq=False, repr=False)
class Study(Rows):
    """The errors of some systems against one key.

    Its rows, in `to_frame` and `to_polars`, are the errors of all systems, each with its class.
    """

    _output = "errors:study_output"

    documents: Sequence[Document]  # the key's, with their layers
    units: Sequence[str]
    mentions: Sequence[Described]  # row of the key's entities → mention
    maximum: Sequence[LinkError]  # the recall errors of a system that puts every mention by itself
    systems: Sequence[SystemErrors]
    spanning_tree: str  # empty for links that are annotated
    protocol: Protocol
    notices: Sequence[str] = field(default=())
    classes: TransformationRules = REFEREE
    selection: Selection = Selection()
    trees: str = ""  # a hash of the trees that mentions were matched by, if any
    groups: str = ""  # a hash of the groups of documents that are units, if they were given

    @property
    def signature(self) -> str:
        """The line that says what the errors depend on besides key and response, as that of a score does."""
        data = {name: getattr(self, name) for name in DATA if getattr(self, name)}
        return signature_of(self.protocol.choices | data | {"version": __version__})

    @property
    def causes(self) -> Sequence[str]:
        """What can be wrong with a link, in the usual order."""
        return LAYER_CAUSES.get(self.protocol.layer) or [*CAUSES.values()]

    @cached_property
    def shared(self) -> Mapping[str, Mapping[Systems, list[LinkError]]]:
        """The errors of each side by the systems that make them, and no others."""
        return {side: sort_by_systems(system.errors(side) for system in self.systems) for side in SIDES}

    @cached_property
    def possible(self) -> Mapping[tuple[str, str], int]:
        """How many recall errors there can be, by the types of anaphor and antecedent."""
        return Counter(error.types for error in self.maximum)

    @cached_property
    def types(self) -> Sequence[str]:
        """The types that occur in errors, the usual ones first."""
        occurring = {kind for types in self.possible for kind in types}
        occurring.update(kind for s in self.systems for error in s.precision for kind in error.types)
        return [kind for kind in TYPES if kind in occurring] + sorted(occurring.difference(TYPES))

    @cached_property
    def rows(self) -> Mapping[Described, int]:
        """Where each key mention is in the key's entities; of repeated ones, the one that can be matched."""
        owners = self.systems[0].comparison.key.owner.tolist()
        return {m: row for row, (m, owner) in enumerate(zip(self.mentions, owners, strict=True)) if owner}

    @cached_property
    def merged(self) -> Mapping[str, MergedMentions]:
        """System → its mentions and the key's in one list, which transformations change."""
        return {
            s.name: MergedMentions.of(s.comparison, self.mentions, s.mentions, self.classes)
            for s in self.systems
        }

    def select(
        self, filter: str | None = None, *, made_by: Sequence[str] = (), not_made_by: Sequence[str] = ()
    ) -> Study:
        """Keep some errors only.

        Args:
            filter: Keep the errors that fulfil a condition, `anaphor=noun and antecedent=name`.
            made_by: Keep the errors that these systems all make and, without `not_made_by`, no other.
            not_made_by: Keep the errors that none of these systems makes.

        Returns:
            A study of these errors, which says in `selection` what was chosen.

        Raises:
            RefereeError: If the filter cannot be read, or there is no such system.
        """
        from referee.analysis.selection import select  # which needs studies, as the modules below

        return select(self, filter, made_by=made_by, not_made_by=not_made_by)

    def list_errors(
        self, *, sort: Sequence[str] = (), draw: int | None = None, seed: int = 1, limit: int | None = None
    ) -> Sequence[LinkError]:
        """List the errors of all systems, each with its cause.

        Args:
            sort: What they are sorted by: `document`, `class`, `types`, `system`; one or several.
            draw: Take so many at random.
            seed: The same seed draws the same.
            limit: Take the first so many only.

        Returns:
            The errors, system by system unless they are sorted.

        Raises:
            RefereeError: If there is no such order.
        """
        from referee.analysis.listing import list_errors

        order = sort.split(",") if isinstance(sort, str) else sort
        return list_errors(self, sort=order, draw=draw, seed=seed, limit=limit)

    def table(self, *names: str) -> Sequence[Sheet]:
        """Count the errors in tables, those of `referee errors --table`.

        Args:
            *names: Which tables: `recall`, `precision`, `totals`, `pronouns`, `transformations`, `gains`, ….

        Returns:
            The tables as plain values, with a caption, columns and rows.

        Raises:
            RefereeError: If there is no such table.
        """
        from referee.analysis.sheets.catalogue import TABLES, make_sheets

        if unknown := [name for name in names if name not in TABLES]:
            near = did_you_mean(unknown[0], TABLES)
            raise RefereeError(f"no table '{unknown[0]}'; there are {', '.join(TABLES)}{near}")
        return make_sheets(self, names)[0]

    def breakdown(self, by: str, *, genres: PathName | None = None, types: PathName | None = None) -> Sheet:
        """Count the errors of each system by groups of their links, as `referee errors --by`.

        Args:
            by: By `distance`, `genre`, `label` (of bridging), `entity-type`, or `entity-span` within type.
            genres: A file with a document, a tab and its genre a line, if names do not show the genre.
            types: Where the types of entities come from: a file or folder that annotates the same texts,
                or `entity` for the named entities in a column of the key; otherwise from the key itself.

        Returns:
            A table as a plain value, with a caption, columns and rows.

        Raises:
            SettingError: If the errors cannot be counted by this.
        """
        from referee.analysis.sheets.breakdown import breakdown

        return breakdown(self, by, read_genres(fspath(genres)) if genres else None, types_from(types))

    @property
    def typed(self) -> bool:
        """Whether any mention has a type."""
        return any(mention.type != UNTYPED for mention in self.mentions)


def study_of(
    task: Task,
    *,
    spanning_tree: Tree | str = "accessibility",
    precision_spanning_tree: Tree | str | None = None,
    antecedents: Sequence[Decisions | None] | None = None,
    mention_type: Category | None = None,
    classes: TransformationRules | str = REFEREE,
    progress: Progress = ignore_progress,
) -> Study:
    """Find the errors of a task's systems, whose key has its layers.

    The settings are those of `referee.errors`. `progress` counts the documents that were read.
    """
    classes, chosen = named_classes(classes), named_tree(spanning_tree)
    aligned = align_all(task)
    documents, read = read_systems(task, aligned, progress)
    notices = [notice for system in read for notice in system.notices]
    if task.protocol.layer in LAYER_CAUSES:
        errors = _find_relations(documents, read, task, mention_type)
    else:
        trees = chosen, named_tree(precision_spanning_tree or spanning_tree)
        errors = _find(documents, read, task.systems, trees, antecedents, mention_type)
    return Study(
        documents=documents,
        units=aligned[0].labels,
        mentions=errors.mentions,
        maximum=errors.maximum,
        systems=errors.systems,
        spanning_tree="" if task.protocol.layer in LAYER_CAUSES else chosen[1],
        protocol=task.protocol,
        notices=tuple(dict.fromkeys([*notices, *errors.notices, *_notices(documents)])),
        classes=classes,
        trees=short_hash(read[0].trees) if read[0].trees else "",
        groups=name_of_groups(aligned[0]),
    )


class _Errors(NamedTuple):
    """What an analysis is about, once everything is read."""

    mentions: Sequence[Described]
    maximum: Sequence[LinkError]
    systems: Sequence[SystemErrors]
    notices: Sequence[str]


def _find(
    documents: Sequence[Document],
    read: Sequence[SystemReading],
    names: Sequence[str],
    trees: tuple[tuple[Tree, str], tuple[Tree, str]],
    antecedents: Sequence[Decisions | None] | None,
    mention_type: Category | None,
) -> _Errors:
    """Describe the mentions, span the entities, and find the errors of each system."""
    comparisons = [system.comparison for system in read]
    key = comparisons[0].key
    sides = [key, *(comparison.response for comparison in comparisons)]
    mentions, *described = describe_all(documents, sides, mention_type)
    most = tree_links(key, mentions, trees[0][0])
    chosen = antecedents or [None] * len(comparisons)
    systems = [
        _system(name, comparison, mentions, shown, most, trees[1], decided)
        for name, comparison, shown, decided in zip(names, comparisons, described, chosen, strict=True)
    ]
    maximum = tuple(link_errors(most, key, mentions, RECALL, "maximum"))
    notices = [notice for _, more in systems for notice in more]
    return _Errors(mentions, maximum, [system for system, _ in systems], notices)


def _find_relations(
    documents: Sequence[Document], read: Sequence[SystemReading], task: Task, mention_type: Category | None
) -> _Errors:
    """Find the errors of each system in a layer that has links and no clusters."""
    sides = [read[0].comparison.key, *(system.comparison.response for system in read)]
    mentions, *described = describe_all(documents, sides, mention_type)
    found = [
        relation_errors(documents, system.links, name, mention_type)
        for name, system in zip(task.systems, read, strict=True)
    ]
    systems = [
        SystemErrors(name, system.comparison, shown, errors.recall, errors.precision, errors.decisions, "")
        for name, system, shown, errors in zip(task.systems, read, described, found, strict=True)
    ]
    return _Errors(mentions, found[0].maximum, systems, ())


def _system(
    name: str,
    comparison: MutualPartition,
    mentions: Sequence[Described],
    shown: Sequence[Described],
    most: ChosenLinks,
    spanning_tree: tuple[Tree, str],
    decisions: Decisions | None,
) -> tuple[SystemErrors, list[str]]:
    """Find the errors of one system, and what is to be said about its decisions."""
    missing = missing_links(most, comparison.recall)
    source, notices = spanning_tree[1], list[str]()
    if decisions is None:
        links = spanning_links(comparison.response, comparison.precision, shown, spanning_tree[0])
    else:
        links, astray = decided_links(comparison.response, comparison.precision, shown, decisions)
        source = ANTECEDENTS
        if astray:
            notices.append(
                f"{name}: {astray} of {number_of(len(decisions), 'antecedent decision')} left out: their "
                "mentions are not in one cluster of the response, or the key does not have their document"
            )
    errors = SystemErrors(
        name=name,
        comparison=comparison,
        mentions=shown,
        recall=tuple(link_errors(missing, comparison.key, mentions, RECALL, name)),
        precision=tuple(link_errors(links, comparison.response, shown, PRECISION, name)),
        decisions=_by_types(links, shown),
        precision_from=source,
    )
    return errors, notices


def _by_types(links: ChosenLinks, shown: Sequence[Described]) -> Mapping[tuple[str, str], int]:
    pairs = zip(links.anaphor.tolist(), links.antecedent.tolist(), strict=True)
    return Counter((shown[anaphor].type, shown[antecedent].type) for anaphor, antecedent in pairs)


def _notices(documents: Sequence[Document]) -> list[str]:
    """Say what is missing for types, and what was taken instead."""
    sources = Counter(head_source(document) for document in documents)
    reasons = {
        "without parts of speech: their mentions are untyped; give layers= or nlp=": sources[NOTHING],
        "without trees: heads are guessed from tags": sources[TAGS],
    }
    return [
        f"{count} of {number_of(len(documents), 'document')} {said}"
        for said, count in reasons.items()
        if count
    ]
