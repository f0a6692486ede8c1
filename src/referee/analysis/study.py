"""Compares any number of responses with a key, link by link: what tables and reports are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
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
from referee.analysis.shared_errors import Systems, sort_by_systems
from referee.analysis.span_pairing import MergedMentions
from referee.analysis.transformation_rules import REFEREE, TransformationRules, named_classes
from referee.display import Rows, number_of
from referee.exceptions import RefereeError, did_you_mean
from referee.language.heads import NOTHING, TAGS, head_source
from referee.language.mention_types import TYPES, UNTYPED, Category, Described
from referee.matching.aligned import Aligned
from referee.matching.batch import Batch, Repeats
from referee.matching.protocol import DATA, Protocol, signature_of
from referee.model import Document
from referee.scoring.engines import Engine
from referee.scoring.evaluate import Progress, ignore_progress, name_of_groups, nothing_in_common
from referee.scoring.fingerprints import short_hash
from referee.scoring.task import Task

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
    precision_from: str  # the tree's name, or "antecedents"

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
    spanning_tree: str
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
    aligned = _align_all(task)
    documents, batches = _read(aligned, task.engine, progress)
    comparisons = [_compared(batch, task.protocol) for batch in batches]
    notices = [notice for each in zip(aligned, batches, comparisons, strict=True) for notice in _said(*each)]
    errors = _find(
        documents,
        comparisons,
        task.systems,
        chosen,
        named_tree(precision_spanning_tree or spanning_tree),
        antecedents,
        mention_type,
    )
    return Study(
        documents=documents,
        units=aligned[0].labels,
        mentions=errors.mentions,
        maximum=errors.maximum,
        systems=errors.systems,
        spanning_tree=chosen[1],
        protocol=task.protocol,
        notices=tuple(dict.fromkeys([*notices, *errors.notices, *_notices(documents)])),
        classes=classes,
        trees=short_hash(batches[0].trees) if batches[0].trees else "",
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
    comparisons: Sequence[MutualPartition],
    names: Sequence[str],
    spanning_tree: tuple[Tree, str],
    precision_spanning_tree: tuple[Tree, str],
    antecedents: Sequence[Decisions | None] | None,
    mention_type: Category | None,
) -> _Errors:
    """Describe the mentions, span the entities, and find the errors of each system."""
    key = comparisons[0].key
    sides = [key, *(comparison.response for comparison in comparisons)]
    mentions, *described = describe_all(documents, sides, mention_type)
    most = tree_links(key, mentions, spanning_tree[0])
    chosen = antecedents or [None] * len(comparisons)
    systems = [
        _system(name, comparison, mentions, shown, most, precision_spanning_tree, decided)
        for name, comparison, shown, decided in zip(names, comparisons, described, chosen, strict=True)
    ]
    maximum = tuple(link_errors(most, key, mentions, RECALL, "maximum"))
    notices = [notice for _, more in systems for notice in more]
    return _Errors(mentions, maximum, [system for system, _ in systems], notices)


def _align_all(task: Task) -> list[Aligned]:
    """Bring each response together with the key; all with the same documents of it."""
    aligned = list(task.aligned())
    documents = [[k for unit in each.units for k, _ in unit.pairs] for each in aligned]
    if any(each != documents[0] for each in documents):
        raise RefereeError(
            "the responses are paired with different documents of the key; analyse each by itself"
        )
    return aligned


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads a batch of the key's documents with their layers, and the mentions of all systems in them."""

    aligned: Sequence[Aligned]

    def __call__(self, batch: range) -> tuple[list[Document], list[Batch]]:
        read: list[Batch] = [each.read(batch) for each in self.aligned]
        return [self.aligned[0].key.document(k) for k, _ in read[0].pairs], read


def _read(
    aligned: Sequence[Aligned], engine: Engine, progress: Progress
) -> tuple[list[Document], list[Batch]]:
    """Read the key's documents and the batches of each system, with the task's engine."""
    documents: list[Document] = []
    batches: list[list[Batch]] = []
    for some, read in engine.map(_Reading(aligned), list(aligned[0].batches())):
        documents += some
        batches.append(read)
        progress(len(some))
    return documents, [Batch.joined(system) for system in zip(*batches, strict=True)]


def _compared(batch: Batch, protocol: Protocol) -> MutualPartition:
    sides = (batch.key, batch.response)
    return MutualPartition.of(sides, batch.sides, drop_singletons=protocol.singletons == "drop")


def _said(aligned: Aligned, batch: Batch, comparison: MutualPartition) -> list[str]:
    """Say what bringing a response together with the key took."""
    repeats = aligned.judge_repeats(Repeats(*comparison.repeats))
    empty = nothing_in_common(
        aligned.key.name,
        aligned.response.name,
        key_mentions=int(comparison.key.owner.sum()),
        response_mentions=int(comparison.response.owner.sum()),
        common=int((comparison.recall.present & comparison.key.owner).sum()),
    )
    return [*empty, *aligned.said, *batch.notices, *repeats, *aligned.judge_unread(batch.unread)]


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
