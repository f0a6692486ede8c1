"""Puts the mentions of key and response into one list for transformations, wrong spans paired.

A missing mention of the key and an extra one of the response that differ in their boundaries only are one
mention. They are if they have the same head in the same document, and no third has it. Where heads are not
known, they are if they begin together, or else if they end together.

The tool of Kummerfeld & Klein (2013) has other rules (`as_the_tool`): articles, possessive marks and
punctuation at the edges do not count, and it reads Collins' table of heads in another way (`tool_heads`).
Phrases are searched from the other end than in `head_rules`, there is no rule for coordination, and a child
counts by the tag of its head word as well as by its label. So the head of an apposition or a coordination of
names is in its last part. A mention that is not a constituent has its last word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from referee.analysis.entities import Entities, MutualPartition
from referee.analysis.transformation_rules import REFEREE, TransformationRules
from referee.arrays import BoolArray, IntArray, look_up, outer_join, pair_equal
from referee.language.head_rules import LEFT, OTHER_PHRASES
from referee.language.heads import read_trees
from referee.language.mention_types import Described
from referee.language.trees.phrase_trees import spelled
from referee.model import Document, Span

NOUN_PHRASES = ("NP", "NML")
NOUN_SEARCHES = (  # whether from the left, and which kinds of child
    (False, "NN NNP NNPS NNS NX POS JJR"),
    (True, "NP NML"),
    (False, "$ ADJP PRN"),
    (False, "CD"),
    (False, "JJ JJS RB QP"),
)
SEARCHES = {
    **{label: (side != LEFT, kinds.split()) for label, (side, kinds) in OTHER_PHRASES.items()},
    "WHNP": (False, ["WDT", "WP", "WP$", "WHADJP", "WHPP", "WHNP"]),
    **dict.fromkeys(("NX", "X"), (False, OTHER_PHRASES["NAC"][1].split())),
}


class _Child(NamedTuple):
    """A word or a phrase inside another: where it begins, its head, its label and its head's tag."""

    start: int
    head: int
    label: str
    tag: str


def tool_heads(mentions: Iterable[Described]) -> dict[Described, int]:
    """Find the heads of mentions; in documents without trees those that they have."""
    heads: dict[Described, int] = {}
    trees: dict[str, Mapping[Span, int]] = {}
    for each in mentions:
        document, end = each.document, each.mention.end
        if document is None or not {"parse", "pos"} <= document.layers.keys():
            heads |= {} if each.head is None else {each: each.head}
            continue
        if document.id not in trees:
            trees[document.id] = constituent_heads(document)
        heads[each] = trees[document.id].get((each.mention.start, end), end - 1)
    return heads


def constituent_heads(document: Document) -> dict[Span, int]:
    """Find the head of each constituent, the lowest of those with the same words."""
    trees, tags = read_trees(document), document.layers["pos"]
    inside: list[list[_Child]] = [[] for _ in range(trees.label.size)]
    for token, holder in enumerate(trees.holder.tolist()):
        if holder >= 0:
            inside[holder].append(_Child(token, token, tags[token], tags[token]))
    heads: dict[Span, int] = {}
    for phrase in reversed(range(trees.label.size)):  # what is inside comes before what is around it
        label, start, parent = spelled(trees.label[phrase]), int(trees.start[phrase]), trees.parent[phrase]
        head = _head(label, sorted(inside[phrase]))
        heads.setdefault((start, int(trees.end[phrase])), head.head)
        if parent >= 0:
            inside[parent].append(_Child(start, head.head, label, head.tag))
    return heads


def _head(label: str, children: Sequence[_Child]) -> _Child:
    """Choose the child that a phrase has its head from."""
    if label in NOUN_PHRASES:
        searches = [(from_left, set(kinds.split())) for from_left, kinds in NOUN_SEARCHES]
        from_left = False
    else:
        from_left, kinds = SEARCHES.get(label, (False, []))
        searches = [(from_left, {kind}) for kind in kinds]
    for direction, wanted in searches:
        for child in children if direction else reversed(children):
            if child.tag in wanted or child.label in wanted:
                return child
    return children[0] if from_left else children[-1]


Sides = tuple[Sequence[Described], Sequence[Described]]  # the missing mentions, and the extra ones
Pairs = tuple[IntArray, IntArray]  # positions among these
Values = list[list[int]]  # of both sides: what two mentions must have in common; NONE pairs with nothing
NONE = -1


def pair_spans(missing: Sequence[Described], extra: Sequence[Described], *, as_the_tool: bool) -> Pairs:
    """Pair mentions in rounds; what a round has paired is not there for the next."""
    sides = missing, extra
    documents = _document_numbers(sides)
    free = [np.ones(len(side), np.bool_) for side in sides]
    pairs: list[Pairs] = []
    for values, once in _tool_rounds(sides) if as_the_tool else _rounds(sides):
        width = max(max(some, default=0) for some in values) + 1
        ours, theirs = (
            np.where(left & (value != NONE), document * width + value, NONE)
            for left, document, value in zip(free, documents, map(_column, values), strict=True)
        )
        pairs.append(pair_equal(ours, theirs, once=once))
        free[0][pairs[-1][0]] = free[1][pairs[-1][1]] = False
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])


def _column(values: Sequence[int]) -> IntArray:
    return np.array(values, np.int64)


def _document_numbers(sides: Sides) -> list[IntArray]:
    """Number the documents that mentions are in, alike on both sides."""
    known: dict[str, int] = {}
    return [_column([known.setdefault(m.document_id, len(known)) for m in side]) for side in sides]


def _rounds(sides: Sides) -> Iterator[tuple[Values, bool]]:
    """Give each round's values, and whether they must occur once."""
    yield [[NONE if m.head is None else m.head for m in side] for side in sides], True
    if any(m.head is None for side in sides for m in side):
        yield [[m.mention.start if m.head is None else NONE for m in side] for side in sides], True
        yield [[m.mention.end if m.head is None else NONE for m in side] for side in sides], True


def _tool_rounds(sides: Sides) -> Iterator[tuple[Values, bool]]:
    spans = [list(map(trimmed, side)) for side in sides]
    width = max((end for side in spans for _, end in side), default=0) + 1
    yield [[start * width + end for start, end in side] for side in spans], False
    heads = tool_heads([mention for side in sides for mention in side])
    yield [[heads.get(m, NONE) for m in side] for side in sides], True


def trimmed(mention: Described) -> Span:
    """Remove 'the', 's and single characters that are not letters from the edges; one word stays."""
    words = mention.document.words if mention.document else ()
    start, end = mention.mention.start, mention.mention.end
    while words and start < end - 1 and (words[start] == "the" or _is_mark(words[start])):
        start += 1
    while words and start < end - 1 and (words[end - 1] == "'s" or _is_mark(words[end - 1])):
        end -= 1
    return start, end


def _is_mark(word: str) -> bool:
    return len(word) == 1 and word not in ascii_letters


@dataclass(frozen=True, slots=True)
class MergedMentions:
    """The mentions of both sides; two that differ by a span error are one."""

    key_row: IntArray  # mention → its row in the key's entities, −1 if it has none
    response_row: IntArray
    key: IntArray  # mention → its key entity, −1 if it has none
    response: IntArray
    unit: IntArray
    moved: BoolArray  # mention → whether its span is wrong

    @classmethod
    def of(
        cls,
        comparison: MutualPartition,
        key: Sequence[Described],
        response: Sequence[Described],
        rules: TransformationRules = REFEREE,
    ) -> MergedMentions:
        """Put the mentions of two sides together, and pair the wrong spans."""
        keys, responses = comparison.key, comparison.response
        key_rows, response_rows = _rows(keys), _rows(responses, in_several=rules.drop_singletons)
        in_key, in_response = outer_join(keys.number[key_rows], responses.number[response_rows])
        key_row, response_row = look_up(key_rows, in_key), look_up(response_rows, in_response)

        missing, extra = np.flatnonzero(response_row < 0), np.flatnonzero(key_row < 0)
        ours, theirs = pair_spans(
            [key[row] for row in key_row[missing].tolist()],
            [response[row] for row in response_row[extra].tolist()],
            as_the_tool=rules.spans_of_constituents,
        )
        moved, single = np.zeros(key_row.size, np.bool_), np.ones(key_row.size, np.bool_)
        response_row[missing[ours]] = response_row[extra[theirs]]
        moved[missing[ours]], single[extra[theirs]] = True, False
        return cls._of_rows(comparison, key_row[single], response_row[single], moved[single])

    @classmethod
    def _of_rows(
        cls, comparison: MutualPartition, key_row: IntArray, response_row: IntArray, moved: BoolArray
    ) -> MergedMentions:
        keys, responses = comparison.key, comparison.response
        return cls(
            key_row=key_row,
            response_row=response_row,
            key=look_up(keys.cluster, key_row),
            response=look_up(responses.cluster, response_row),
            unit=np.maximum(look_up(keys.unit, key_row), look_up(responses.unit, response_row)),
            moved=moved,
        )


def _rows(side: Entities, *, in_several: bool = False) -> IntArray:
    """List the occurrences that can be matched, optionally only those in entities of several mentions."""
    wanted = side.owner
    if in_several:
        size = np.bincount(side.cluster[side.owner], minlength=int(side.cluster.max(initial=-1)) + 1)
        wanted = wanted & (size[side.cluster] > 1)
    return np.flatnonzero(wanted)
