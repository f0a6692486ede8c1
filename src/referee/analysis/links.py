"""Wrong links: which are missing from the response, and which are too many (Martschat & Strube 2014).

recall errors     links of a spanning tree of each key entity that the response does not have
precision errors  the same with the sides swapped; or, where a system says which antecedent it chose for
                  which anaphor, those of its choices that the key does not have
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from referee.analysis.entities import Entities, Partition
from referee.analysis.mention_types import Described
from referee.analysis.trees import Tree, antecedents
from referee.model import IntArray, Mention
from referee.table import BoolArray

RECALL, PRECISION = "recall", "precision"
SIDES = (RECALL, PRECISION)

Decisions = Mapping[tuple[str, Mention], Mention]  # (document, anaphor) → the antecedent that a system chose


@dataclass(frozen=True, slots=True)
class LinkError:
    """A link that is missing from a system's response (recall) or wrong in it (precision)."""

    side: str
    system: str
    anaphor: Described
    antecedent: Described
    entity: (
        int  # the cluster that the link is in, counted from 0 in its document: the key's for recall errors
    )

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
class Links:
    """Links of one side in columns: rows of anaphors and antecedents, and whether the other side has them."""

    anaphor: IntArray
    antecedent: IntArray
    wrong: BoolArray

    @property
    def size(self) -> int:
        """The number of links."""
        return self.anaphor.size


def tree_links(entities: Entities, described: Sequence[Described], tree: Tree) -> Links:
    """Span each entity as if the other side had none of its links: the most errors that can be made."""
    antecedent = np.full(entities.size, -1)
    for start, end in entities.edges():
        chosen = antecedents(tree, described[start:end])
        antecedent[start + 1 : end] = np.asarray(chosen, np.int64) + start
    anaphor = np.flatnonzero(~entities.first)
    return Links(anaphor, antecedent[anaphor], np.ones(anaphor.size, np.bool_))


def spanning_links(most: Links, partition: Partition) -> Links:
    """Span each entity, with the links that the other side has wherever there are any."""
    wrong = partition.opens[most.anaphor]
    antecedent = np.where(wrong, most.antecedent, partition.previous[most.anaphor])
    return Links(most.anaphor, antecedent, wrong)


def decided_links(
    entities: Entities, partition: Partition, ids: Sequence[str], decisions: Decisions
) -> tuple[Links, int]:
    """Take a system's own antecedents; also count the decisions that its entities do not bear out."""
    rows: dict[tuple[int, Mention], list[int]] = {}
    for row, (document, mention) in enumerate(zip(entities.document.tolist(), entities.mention, strict=True)):
        rows.setdefault((document, mention), []).append(row)
    numbers = {id_: number for number, id_ in enumerate(ids)}
    pairs = []
    for (id_, anaphor), antecedent in decisions.items():
        number = numbers.get(id_, -1)
        here, there = rows.get((number, anaphor), ()), rows.get((number, antecedent), ())
        together = ((a, b) for a in here for b in there if entities.cluster[a] == entities.cluster[b])
        pairs += [pair] if (pair := next(together, None)) else []
    columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    other = partition.other
    wrong = (other[columns[0]] < 0) | (other[columns[0]] != other[columns[1]])
    return Links(columns[0], columns[1], wrong), len(decisions) - len(pairs)


def link_errors(
    links: Links, entities: Entities, described: Sequence[Described], side: str, system: str
) -> Iterator[LinkError]:
    """Make a value of each wrong link."""
    anaphors, others = links.anaphor[links.wrong], links.antecedent[links.wrong]
    entity = entities.entity[anaphors]
    for anaphor, antecedent, number in zip(anaphors.tolist(), others.tolist(), entity.tolist(), strict=True):
        yield LinkError(side, system, described[anaphor], described[antecedent], number)
