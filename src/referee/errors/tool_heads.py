"""Head words as the tool of Kummerfeld & Klein (2013) finds them, for its rules alone.

It reads Collins' table in its own way: phrases are searched from the other end than in `head_rules`, there is
no rule for coordination, and a child counts by the tag of its head word as well as by its label. So the head
of an apposition or a coordination of names is in its last part. A mention that is no constituent has its last
word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.language.head_rules import LEFT, OTHER_PHRASES
from referee.language.head_words import read_trees
from referee.language.mention_types import Described
from referee.language.phrase_trees import spelled
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
        if children[-1].tag == "POS":
            return children[-1]
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
