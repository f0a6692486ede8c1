"""Compares any number of responses with a key, link by link: what tables and reports are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee import formats
from referee.errors.describing import describe_all
from referee.errors.entities import MutualPartition
from referee.errors.link_errors import (
    ANTECEDENTS,
    PRECISION,
    RECALL,
    SIDES,
    ChosenLinks,
    Decisions,
    LinkError,
    decided_links,
    link_errors,
    missing_links,
    spanning_links,
    tree_links,
)
from referee.errors.merged_mentions import MergedMentions
from referee.errors.shared_errors import Systems, sort_by_systems
from referee.errors.spanning_trees import Tree, named_tree
from referee.exceptions import RefereeError
from referee.language.head_words import NOTHING, TAGS, head_source
from referee.language.mention_types import TYPES, UNTYPED, Category, Described
from referee.matching.aligned import Aligned, Batch, Repeats
from referee.matching.matcher import PathName
from referee.matching.protocol import Protocol
from referee.matching.units import Groups
from referee.model import Corpus, Document
from referee.scoring.engines import engine_for


@dataclass(frozen=True, slots=True)
class SystemErrors:
    """What one system gets wrong."""

    name: str
    comparison: MutualPartition
    mentions: Sequence[Described]  # row of the response's entities → mention
    recall: Sequence[LinkError]
    precision: Sequence[LinkError]
    decisions: Mapping[tuple[str, str], int]  # types → links that the system made, right or wrong
    precision_from: str  # the tree's name, or "antecedents"

    def errors(self, side: str) -> Sequence[LinkError]:
        """Take the recall or the precision errors."""
        return self.recall if side == RECALL else self.precision


@dataclass(frozen=True, eq=False)
class Study:
    """The errors of some systems against one key."""

    documents: Sequence[Document]  # the key's, with their layers
    units: Sequence[str]
    mentions: Sequence[Described]  # row of the key's entities → mention
    maximum: Sequence[LinkError]  # the recall errors of a system that puts every mention by itself
    systems: Sequence[SystemErrors]
    tree: str
    protocol: Protocol
    notices: Sequence[str] = field(default=())

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
        found = {kind for types in self.possible for kind in types}
        found.update(kind for s in self.systems for error in s.precision for kind in error.types)
        return [kind for kind in TYPES if kind in found] + sorted(found.difference(TYPES))

    @cached_property
    def rows(self) -> Mapping[Described, int]:
        """Where each key mention is in the key's entities; of repeated ones, the one that can be matched."""
        owners = self.systems[0].comparison.key.owner.tolist()
        return {m: row for row, (m, owner) in enumerate(zip(self.mentions, owners, strict=True)) if owner}

    @cached_property
    def merged(self) -> Mapping[str, MergedMentions]:
        """System → its mentions and the key's in one list, which transformations change."""
        return {s.name: MergedMentions.of(s.comparison, self.mentions, s.mentions) for s in self.systems}

    def where(self, wanted: Callable[[LinkError], bool]) -> Study:
        """Keep some errors only, among those that are possible too."""
        systems = [
            replace(
                system,
                recall=[error for error in system.recall if wanted(error)],
                precision=[error for error in system.precision if wanted(error)],
                decisions={},  # which of them the condition would keep is not known
            )
            for system in self.systems
        ]
        return replace(self, systems=systems, maximum=[error for error in self.maximum if wanted(error)])

    @property
    def typed(self) -> bool:
        """Whether any mention has a type."""
        return any(mention.type != UNTYPED for mention in self.mentions)


def analyse(
    key: Corpus | PathName,
    responses: Sequence[Corpus | PathName],
    *,
    names: Sequence[str] | None = None,
    protocol: Protocol | None = None,
    tree: Tree | str = "accessibility",
    precision_tree: Tree | str | None = None,
    decisions: Sequence[Decisions | None] | None = None,
    category: Category | None = None,
    parses: PathName | None = None,
    groups: Groups | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Find the errors of each response against a key, all of them corpora or paths.

    `progress` is told of every document that was read.

    `tree` chooses links for recall errors, `precision_tree` (the same unless given) for precision errors of
    systems without `decisions`. `category` replaces the type of each mention. `parses` are Penn trees, for
    matchings that need them; `groups` the documents of one unit, if the protocol's scope is "group".
    """
    protocol, (choose, tree_name) = protocol or Protocol(), named_tree(tree)
    opened = [formats.opened(given, role="response", strict=protocol.strict) for given in responses]
    aligned = align_all(
        formats.opened(key, strict=protocol.strict), opened, protocol, parses=parses, groups=groups
    )
    documents, batches = _read(aligned, jobs, progress)
    comparisons = [
        MutualPartition.of(
            (batch.key, batch.response), batch.sides, drop_singletons=protocol.singletons == "drop"
        )
        for batch in batches
    ]
    sides = [comparisons[0].key, *(comparison.response for comparison in comparisons)]
    mentions, *described = describe_all(documents, sides, category)
    most = tree_links(sides[0], mentions, choose)
    systems = [
        _system(name, comparison, mentions, shown, most, named_tree(precision_tree or tree), own)
        for name, comparison, shown, own in zip(
            names or [response.name for response in opened],
            comparisons,
            described,
            decisions or [None] * len(opened),
            strict=True,
        )
    ]
    notices = [notice for each in zip(aligned, batches, comparisons, strict=True) for notice in _said(*each)]
    notices += [notice for _, more in systems for notice in more] + _notices(documents)
    return Study(
        documents=documents,
        units=aligned[0].labels,
        mentions=mentions,
        maximum=tuple(link_errors(most, sides[0], mentions, RECALL, "maximum")),
        systems=[system for system, _ in systems],
        tree=tree_name,
        protocol=protocol,
        notices=tuple(dict.fromkeys(notices)),
    )


def align_all(
    key: Corpus,
    responses: Sequence[Corpus],
    protocol: Protocol,
    *,
    parses: PathName | None = None,
    groups: Groups | None = None,
) -> list[Aligned]:
    """Bring each response together with the key; all with the same documents of it."""
    if not responses:
        raise RefereeError("no response to analyse")
    aligned = [Aligned.of(key, response, protocol, parses=parses, groups=groups) for response in responses]
    documents = [[k for unit in each.units for k, _ in unit.pairs] for each in aligned]
    if any(numbers != documents[0] for numbers in documents):
        raise RefereeError("the responses are paired with different documents of the key; analyse them apart")
    return aligned


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads a batch of the key's documents with their layers, and the mentions of all systems in them."""

    aligned: Sequence[Aligned]

    def __call__(self, batch: range) -> tuple[list[Document], list[Batch]]:
        read = [each.read(batch) for each in self.aligned]
        return [self.aligned[0].key.document(k) for k, _ in read[0].pairs], read


def _read(
    aligned: Sequence[Aligned], jobs: int, progress: Callable[[int], None] | None
) -> tuple[list[Document], list[Batch]]:
    """Read the key's documents and the batches of each system, in several processes if told so."""
    documents: list[Document] = []
    batches: list[list[Batch]] = []
    for some, read in engine_for(jobs).map(_Reading(aligned), list(aligned[0].batches())):
        documents += some
        batches.append(read)
        if progress:
            progress(len(some))
    return documents, [Batch.joined(system) for system in zip(*batches, strict=True)]


def _said(aligned: Aligned, batch: Batch, comparison: MutualPartition) -> list[str]:
    """Say what bringing a response together with the key took."""
    repeats = aligned.judge_repeats(Repeats(*comparison.repeats))
    return [*aligned.notices, *batch.notices, *repeats, *aligned.judge_unread(batch.unread)]


def _system(
    name: str,
    comparison: MutualPartition,
    mentions: Sequence[Described],
    shown: Sequence[Described],
    most: ChosenLinks,
    tree: tuple[Tree, str],
    decisions: Decisions | None,
) -> tuple[SystemErrors, list[str]]:
    """Find the errors of one system, and what is to be said about its decisions."""
    missing = missing_links(most, comparison.recall)
    source, notices = tree[1], list[str]()
    if decisions is None:
        links = spanning_links(comparison.response, comparison.precision, shown, tree[0])
    else:
        links, astray = decided_links(comparison.response, comparison.precision, shown, decisions)
        source = ANTECEDENTS
        if astray:
            notices.append(
                f"{name}: {astray} of {len(decisions)} antecedent decisions left out: their mentions are not "
                "in one cluster of the response, or in no document of the key"
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
    """Say what is missing for types, and what was put in its place."""
    sources = Counter(head_source(document) for document in documents)
    reasons = {
        "have no parts of speech: their mentions are untyped; give layers= or nlp=": sources[NOTHING],
        "have no trees: heads are told from tags alone": sources[TAGS],
    }
    return [f"{count} of {len(documents)} documents {said}" for said, count in reasons.items() if count]
