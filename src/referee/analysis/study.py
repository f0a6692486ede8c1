"""Compares any number of responses with a key, link by link: what tables and reports are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from referee.analysis.alignment import Alignment
from referee.analysis.common import Systems, sort_by_systems
from referee.analysis.entities import Comparison, Entities
from referee.analysis.links import (
    PRECISION,
    RECALL,
    SIDES,
    Decisions,
    LinkError,
    Links,
    decided_links,
    link_errors,
    spanning_links,
    tree_links,
)
from referee.analysis.mention_types import UNTYPED, Category, Described, describe, head_source
from referee.analysis.trees import TREES, Tree
from referee.errors import RefereeError
from referee.evaluate import pair
from referee.formats.characters import InCharacters
from referee.match import MATCHINGS, memberships
from referee.model import Chains, Corpus, Document, IntArray, Mention, Span
from referee.protocol import Protocol


@dataclass(frozen=True, slots=True)
class SystemErrors:
    """What one system gets wrong."""

    name: str
    comparison: Comparison
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
    def alignments(self) -> Mapping[str, Alignment]:
        """System → its mentions and the key's in one list, which transformations change."""
        return {s.name: Alignment.of(s.comparison, self.mentions, s.mentions) for s in self.systems}

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
    key: Corpus,
    responses: Sequence[Corpus],
    *,
    names: Sequence[str] | None = None,
    protocol: Protocol | None = None,
    tree: Tree | str = "accessibility",
    precision_tree: Tree | str | None = None,
    decisions: Sequence[Decisions | None] | None = None,
    category: Category | None = None,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Find the errors of each response against a key. `progress` is told of every document that was read.

    `tree` chooses links for recall errors, `precision_tree` (the same unless given) for precision errors of
    systems without `decisions`. `category` replaces the type of each mention.
    """
    if not responses:
        raise RefereeError("no response to analyse")
    protocol = protocol or Protocol()
    names = names or [response.name for response in responses]
    sides = [_matched(key, response, protocol) for response in responses]
    if any(side.numbers != sides[0].numbers for side in sides):
        raise RefereeError("the responses are paired with different documents of the key; analyse them apart")
    documents = []
    for number in sides[0].numbers:
        documents.append(sides[0].key.document(number))
        if progress:
            progress(1)
    entities = [sides[0].comparison.key, *(side.comparison.response for side in sides)]
    mentions, *described = _describe_all(documents, entities, category)
    recall_tree, recall_name = _tree(tree)
    other_tree, other_name = _tree(precision_tree or tree)
    most = tree_links(sides[0].comparison.key, mentions, recall_tree)
    systems, notices = [], [notice for side in sides for notice in side.notices]
    for number, (name, side) in enumerate(zip(names, sides, strict=True)):
        chosen = decisions[number] if decisions else None
        shown = described[number]
        links, source = _precision_links(side, shown, other_tree, other_name, chosen, notices)
        recall = spanning_links(most, side.comparison.recall)
        systems.append(
            SystemErrors(
                name,
                side.comparison,
                shown,
                tuple(link_errors(recall, side.comparison.key, mentions, RECALL, name)),
                tuple(link_errors(links, side.comparison.response, shown, PRECISION, name)),
                _by_types(links, shown),
                source,
            )
        )
    maximum = tuple(link_errors(most, sides[0].comparison.key, mentions, RECALL, "maximum"))
    notices += _notices(documents)
    return Study(
        documents,
        [document.id for document in documents],
        mentions,
        maximum,
        systems,
        recall_name,
        protocol,
        tuple(dict.fromkeys(notices)),
    )


@dataclass(frozen=True, slots=True)
class _Matched:
    key: Corpus
    numbers: Sequence[int]  # the key documents, in order
    comparison: Comparison
    notices: Sequence[str]


def _matched(key: Corpus, response: Corpus, protocol: Protocol) -> _Matched:
    if key.offsets != response.offsets:
        key, response = InCharacters(key), InCharacters(response)
    pairs, notices = pair(key, response, strict=protocol.strict)
    numbers = [k for k, _ in pairs]
    chains = key.chains(numbers), response.chains([r for _, r in pairs])
    sides = memberships(*chains, MATCHINGS[protocol.match](*chains))
    comparison = Comparison.of(chains, sides, drop_singletons=protocol.singletons == "drop")
    return _Matched(key, numbers, comparison, [*notices, *_differences(chains, key, numbers, response)])


def _differences(
    chains: tuple[Chains, Chains], key: Corpus, numbers: Sequence[int], response: Corpus
) -> list[str]:
    lengths = chains[0].lengths, chains[1].lengths
    differ = np.flatnonzero((lengths[0] != lengths[1]) & (lengths[0] >= 0) & (lengths[1] >= 0)).tolist()
    return [
        f"document {key.ids[numbers[i]]}: {lengths[0][i]} {key.offsets} in the key, {lengths[1][i]} in the "
        f"response ({response.name}): positions may not correspond"
        for i in differ
    ]


def _describe_all(
    documents: Sequence[Document], sides: Sequence[Entities], category: Category | None
) -> list[list[Described]]:
    """Describe the mentions of all sides, each mention once, with the key's layers."""
    codes, first = _distinct(sides)
    edges = np.cumsum([0, *(side.size for side in sides)])
    wanted: list[list[tuple[int, Mention]]] = [[] for _ in documents]
    for place, row in enumerate(first.tolist()):
        number = int(np.searchsorted(edges, row, side="right")) - 1
        side, row = sides[number], row - int(edges[number])
        spans = side.parts.get(row) or ((int(side.start[row]), int(side.end[row])),)
        wanted[side.document[row]].append((place, Mention(spans)))
    known: list[Described | None] = [None] * first.size
    for document, places in zip(documents, wanted, strict=True):
        inside = [mention for _, mention in places if mention.end <= document.length]
        found = iter(describe(document, inside, category))
        for place, mention in places:
            fits = mention.end <= document.length
            known[place] = next(found) if fits else Described(document.id, mention)
    return [
        [described for code in codes[start:end].tolist() if (described := known[code])]
        for start, end in pairwise(edges.tolist())
    ]


def _distinct(sides: Sequence[Entities]) -> tuple[IntArray, IntArray]:
    """Number the distinct mentions of all sides; also say where each is first, with all sides in a row."""
    document, start, end = (
        np.concatenate([getattr(side, column) for side in sides]) for column in ("document", "start", "end")
    )
    spans: dict[tuple[Span, ...], int] = {}
    past, before = int(end.max(initial=0)) + 1, 0
    for side in sides:
        for row, found in side.parts.items():  # an end past every other tells them from plain mentions
            end[before + row] = past + spans.setdefault(found, len(spans))
        before += side.size
    code = np.unique(start * (int(end.max(initial=0)) + 1) + end, return_inverse=True)[1]
    code = document * (int(code.max(initial=0)) + 1) + code
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    return number, first


def _precision_links(
    side: _Matched,
    shown: Sequence[Described],
    tree: Tree,
    name: str,
    decisions: Decisions | None,
    notices: list[str],
) -> tuple[Links, str]:
    comparison = side.comparison
    if decisions is None:
        links = tree_links(comparison.response, shown, tree)
        return spanning_links(links, comparison.precision), name
    ids = [side.key.ids[number] for number in side.numbers]
    links, astray = decided_links(comparison.response, comparison.precision, ids, decisions)
    if astray:
        notices.append(
            f"{astray} of {len(decisions)} antecedent decisions join mentions that are not in one cluster of "
            "the response, and are left out"
        )
    return links, "antecedents"


def _by_types(links: Links, shown: Sequence[Described]) -> Mapping[tuple[str, str], int]:
    pairs = zip(links.anaphor.tolist(), links.antecedent.tolist(), strict=True)
    return Counter((shown[anaphor].type, shown[antecedent].type) for anaphor, antecedent in pairs)


def _tree(tree: Tree | str) -> tuple[Tree, str]:
    if not isinstance(tree, str):
        return tree, getattr(tree, "__name__", "given")
    if tree not in TREES:
        raise RefereeError(f"no tree '{tree}'; choose from {', '.join(TREES)}, or pass a function")
    return TREES[tree], tree


def _notices(documents: Sequence[Document]) -> list[str]:
    sources = Counter(head_source(document) for document in documents)
    said = []
    if sources["nothing"]:
        said.append(
            f"{sources['nothing']} of {len(documents)} documents have no parts of speech: their mentions are "
            "untyped; give --layers or --nlp"
        )
    if sources["tags"]:
        said.append(
            f"{sources['tags']} of {len(documents)} documents have no trees: heads are told from tags alone"
        )
    return said
