"""Wrong links: which are missing from the response, and which are too many (Martschat & Strube 2014).

recall errors     links of a spanning tree of each key entity that the response does not have
precision errors  the same with the sides swapped; or, where a system says which antecedent it chose for
                  which anaphor, those of its choices that the key does not have
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.arrays import BoolArray, IntArray
from referee.errors.entities import Entities, Partition
from referee.errors.spanning_trees import Tree, antecedents
from referee.language.mention_types import Described
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
    """What is wrong with it, one of `step_classes.CAUSES`; empty until `link_causes` has looked."""

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
