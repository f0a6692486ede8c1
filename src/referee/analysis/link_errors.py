"""Wrong links: those missing from the response, and spurious ones (Martschat & Strube 2014).

recall errors     links of a spanning tree of each key entity that the response does not have
precision errors  the same with the sides swapped; or, where a system says which antecedent it chose for
                  which anaphor, those of its choices that the key does not have

A spanning tree chooses the antecedent for the missing link of an anaphor (§3 of the paper). It is a
function of an entity, its mentions in order, and gives for each but the first the index of an earlier one.
Only the first mention of each part asks for its antecedent: those after it have one. Any such function can be
passed in; `distance` and `accessibility` are the paper's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.analysis.entities import Entities, Partition
from referee.arrays import BoolArray, IntArray
from referee.display import number_of
from referee.exceptions import RefereeError, SettingError
from referee.language.mention_types import DEMONSTRATIVE, NAME, NOUN, PRONOUN, Described
from referee.model import Mention

RECALL, PRECISION = "recall", "precision"
SIDES = (RECALL, PRECISION)
ANTECEDENTS = "antecedents"  # where precision errors come from, if not from a tree

Decisions = Mapping[tuple[str, Mention], Mention]  # (document, anaphor) → the antecedent that a system chose


@dataclass(frozen=True, slots=True)
class LinkError:
    """A link that is missing from a system's response (recall) or wrong in it (precision)."""

    side: str
    system: str
    anaphor: Described
    antecedent: Described
    entity: int
    """The cluster that the link is in, counted from 0 in its document: the key's for recall errors."""
    cause: str = field(default="", compare=False)
    """What is wrong with it, one of its study's `causes`; empty until `link_causes` has looked."""
    label: str = field(default="", compare=False)
    """The kind of bridging, where the corpus names it."""
    alone: bool = field(default=False, compare=False)
    """Whether it has no antecedent but itself: an expression that refers to nothing."""

    @property
    def document(self) -> str:
        """The document of the anaphor; that of the antecedent may be another if units hold several."""
        return self.anaphor.document_id

    @property
    def types(self) -> tuple[str, str]:
        """The types of anaphor and antecedent, in this order as in the paper."""
        return self.anaphor.type, self.antecedent.type

    @property
    def link(self) -> tuple[Described, Described]:
        """What makes the errors of two systems the same one."""
        return self.anaphor, self.antecedent


@dataclass(frozen=True, slots=True)
class ChosenLinks:
    """Links of one side in columns: anaphors and antecedents, and whether the other side lacks them."""

    anaphor: IntArray
    antecedent: IntArray
    wrong: BoolArray

    @property
    def size(self) -> int:
        """The number of links."""
        return self.anaphor.size


def tree_links(entities: Entities, described: Sequence[Described], tree: Tree) -> ChosenLinks:
    """Span each entity as if the other side had none of its links: the most errors that can be made."""
    chosen: list[int] = []
    for start, end in entities.edges():
        if end - start > 1:
            chosen += [start + index for index in antecedents(tree, described[start:end])]
    anaphor = np.flatnonzero(~entities.first)
    return ChosenLinks(anaphor, np.array(chosen, np.int64), np.ones(anaphor.size, np.bool_))


def missing_links(most: ChosenLinks, partition: Partition) -> ChosenLinks:
    """Choose the links of a tree that the other side does not have: those of rows that open a part."""
    wrong = partition.opens[most.anaphor]
    return ChosenLinks(most.anaphor[wrong], most.antecedent[wrong], most.wrong[wrong])


def spanning_links(
    entities: Entities, partition: Partition, described: Sequence[Described], tree: Tree
) -> ChosenLinks:
    """Span each entity, with links inside the parts, which the other side has too, and between them."""
    missing = missing_links(tree_links(entities, described, tree), partition)
    anaphors, chosen = list[int](), list[int]()
    for rows in partition.parts(entities):
        anaphors += rows[1:]
        chosen += [rows[index] for index in antecedents(tree, [described[row] for row in rows])]
    anaphor, antecedent = np.array(anaphors, np.int64), np.array(chosen, np.int64)
    return ChosenLinks(
        np.append(missing.anaphor, anaphor),
        np.append(missing.antecedent, antecedent),
        np.append(missing.wrong, np.zeros(anaphor.size, np.bool_)),
    )


def decided_links(
    entities: Entities, partition: Partition, described: Sequence[Described], decisions: Decisions
) -> tuple[ChosenLinks, int]:
    """Take a system's own antecedents; also count the decisions that its entities do not bear out."""
    rows: dict[tuple[str, Mention], list[int]] = {}
    for row, each in enumerate(described):
        rows.setdefault((each.document_id, each.mention), []).append(row)
    pairs = []
    for (document, anaphor), antecedent in decisions.items():
        here, there = rows.get((document, anaphor), ()), rows.get((document, antecedent), ())
        together = ((a, b) for a in here for b in there if entities.cluster[a] == entities.cluster[b])
        pairs += [pair] if (pair := next(together, None)) else []
    columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    other = partition.other
    wrong = (other[columns[0]] < 0) | (other[columns[0]] != other[columns[1]])
    return ChosenLinks(columns[0], columns[1], wrong), len(decisions) - len(pairs)


def link_errors(
    links: ChosenLinks, entities: Entities, described: Sequence[Described], side: str, system: str
) -> Iterator[LinkError]:
    """Make a value of each wrong link."""
    anaphors, others = links.anaphor[links.wrong], links.antecedent[links.wrong]
    entity = entities.entity[anaphors]
    for anaphor, antecedent, number in zip(anaphors.tolist(), others.tolist(), entity.tolist(), strict=True):
        yield LinkError(side, system, described[anaphor], described[antecedent], number)


Tree = Callable[[Sequence[Described]], Sequence[int]]


def distance(entity: Sequence[Described]) -> list[int]:
    """Choose the closest mention before."""
    return list(range(len(entity) - 1))


def accessibility(entity: Sequence[Described]) -> list[int]:
    """Choose the closest mention for pronouns; for others the closest name, or else noun, or else mention."""
    antecedents = []
    name = noun = -1
    for index, mention in enumerate(entity):
        if index:
            described = name if name >= 0 else noun if noun >= 0 else index - 1
            antecedents.append(index - 1 if mention.type in (PRONOUN, DEMONSTRATIVE) else described)
        if mention.type == NAME:
            name = index
        elif mention.type == NOUN:
            noun = index
    return antecedents


TREES: dict[str, Tree] = {"accessibility": accessibility, "distance": distance}


def named_tree(tree: Tree | str) -> tuple[Tree, str]:
    """Find a tree by its name, or name one that is given."""
    if not isinstance(tree, str):
        return tree, _name(tree)
    if tree not in TREES:
        raise SettingError(f"no tree '{tree}'; choose from {', '.join(TREES)}, or pass a function")
    return TREES[tree], tree


def antecedents(tree: Tree, entity: Sequence[Described]) -> Sequence[int]:
    """Call a tree, and check that it returns earlier mentions. Two mentions have only one tree."""
    if len(entity) == 2:
        return (0,)
    try:
        chosen = tree(entity)
    except Exception as error:
        raise RefereeError(
            f"the tree '{_name(tree)}' of an entity of {number_of(len(entity), 'mention')} "
            f"('{entity[0].text}', … in "
            f"document {entity[0].document_id}): {type(error).__name__}: {error}"
        ) from error
    if len(chosen) != len(entity) - 1:
        raise RefereeError(
            f"the tree '{_name(tree)}' gave {len(chosen)} antecedents for an entity of {len(entity)} "
            "mentions; it must give one for each mention but the first"
        )
    for index, antecedent in enumerate(chosen, start=1):
        if antecedent < 0 or antecedent >= index:
            raise RefereeError(
                f"the tree '{_name(tree)}' gave mention {index} the antecedent {antecedent}; "
                f"it must be one of 0 … {index - 1}"
            )
    return chosen


def _name(tree: Tree) -> str:
    return getattr(tree, "__name__", "given")
