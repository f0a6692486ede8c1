"""Minimum spans of mentions: MINA and heads (Moosavi et al., 2019), for all mentions at once.

MINA walks a mention's parse tree breadth first (Algorithm 1). What the paper leaves open is settled thus:

* The root is the phrase that has just the mention's words; of several around each other, the highest NP
  or VP. Under an NP the acceptable phrases are NP, NML, QP and NX, under a VP they are VPs. Under any other
  root nothing is acceptable.
* A terminal node is what the paper's trees show under a phrase: the words that are in it directly,
  whether or not another phrase lies between them. "a deutsche mark based currency board where …" has the
  minimum span "a currency board" (section 8), though a phrase parts its determiner from its noun.
* A terminal node is acceptable if it has a word that is neither determiner (DT) nor conjunction (CC).
  Punctuation is not a word: otherwise the comma of an apposition, one level above its parts, would be its
  minimum span (Figure 5).
* A mention that is not a phrase gets a dummy root X (Figure 7, footnote 8). Below it are the pieces of the
  tree in the span: the highest phrases that do not reach out of it, and the words of phrases that do. X
  takes the tags of an NP if one of the pieces is an NP, else those of a VP if one is a VP. X itself is
  not acceptable, and so its words are not: "Pierce College sheltered" has the minimum span "Pierce
  College" (Example 4).
* X takes the place of the smallest phrase that covers the mention, and a piece keeps its depth under that
  phrase: the "shortest distance to root" of the paper is one in the tree of the key. Of "teams of police
  officers", cut out of "teams of police officers in Oslo", "teams" is at depth 1 and "police officers" at
  depth 3, so that the minimum span is that of the whole phrase, "teams". That an attachment error does not
  count is what minimum spans are for (section 1); the authors' code reads it so too. No phrase
  covers a mention over several sentences: its pieces are all at depth 1.
* All acceptable terminal nodes at the smallest depth make up the minimum span. If there are none, the
  mention keeps its maximum span. A mention of one word is its own minimum span.

A head is one word, found from the same root by the rules in `referee.language.head_rules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.arrays import BoolArray, IntArray, least_of, number_of_row, offsets_of, spread
from referee.language.head_rules import DUMMY_ROOT, head_children
from referee.language.trees.phrase_trees import PUNCTUATION, Codes, Trees, code, spelled

NP, VP = code("NP"), code("VP")
Kinds = npt.NDArray[np.int8]
NEITHER, NOMINAL, VERBAL = np.int8(0), np.int8(1), np.int8(2)
NOTHING = np.int8(-1)  # what a mention accepts whose root is neither an NP nor a VP
ACCEPTABLE = {NOMINAL: ("NP", "NML", "QP", "NX"), VERBAL: ("VP",)}
UNREAD = "whole: the tree cannot be read"  # why a mention has its whole span
NO_WORDS = ("DT", "CC", *PUNCTUATION)


@dataclass(frozen=True, slots=True)
class TokenRows:
    """The tokens that some mentions are reduced to, in ascending order.

    Two mentions of one call have the same identity if and only if they are the same once reduced.
    """

    offsets: IntArray  # mention → index of its first token in `tokens`; and their number
    tokens: IntArray
    identity: IntArray

    def __getitem__(self, mention: int) -> tuple[int, ...]:
        """List the tokens of a mention."""
        return tuple(self.tokens[self.offsets[mention] : self.offsets[mention + 1]].tolist())


@dataclass(frozen=True, slots=True)
class MinimumSpans(TokenRows):
    """The minimum spans of mentions, and where they are in the trees."""

    root: IntArray  # mention → its phrase; −1 if it is one word or not a phrase
    depth: IntArray  # mention → depth of its minimum span under the root; −1 if it keeps its maximum span


def mina_spans(trees: Trees, starts: IntArray, ends: IntArray) -> MinimumSpans:
    """Find the minimum spans of mentions, given as half-open spans of the trees' tokens (Algorithm 1)."""
    root, depth = np.full((2, starts.size), -1)
    long = np.flatnonzero(ends - starts > 1)
    root[long] = _roots(trees, starts[long], ends[long])
    terminals = _terminals(trees, root[long], starts[long], ends[long])
    depth[long[terminals.row]] = terminals.depth
    whole = np.flatnonzero(depth < 0)
    mention, tokens = _words_of(trees, terminals)
    whole_mention, whole_tokens = spread(starts[whole], ends[whole])
    mention = np.append(long[mention], whole[whole_mention])
    tokens = np.append(tokens, whole_tokens)[np.argsort(mention, kind="stable")]
    offsets = offsets_of(mention, starts.size)
    return MinimumSpans(offsets, tokens, number_of_row(offsets, tokens), root, depth)


def head_tokens(trees: Trees, starts: IntArray, ends: IntArray) -> IntArray:
    """Find the head words of mentions, given as half-open spans of the trees' tokens."""
    node = starts.copy()  # a token, or after the tokens a phrase
    long = np.flatnonzero(ends - starts > 1)
    root = _roots(trees, starts[long], ends[long])
    node[long] = trees.holder.size + root
    cut = long[root < 0]
    row, child = _pieces_and_words(trees, starts[cut], ends[cut])
    node[cut] = _choose_heads(trees, np.full(cut.size, code(DUMMY_ROOT)), row, child)
    while (open_ := np.flatnonzero(node >= trees.holder.size)).size:
        phrase = node[open_] - trees.holder.size
        row, child = _children(trees, phrase)
        node[open_] = _choose_heads(trees, trees.label[phrase], row, child)
    return node


def reasons(trees: Trees, starts: IntArray, ends: IntArray, spans: MinimumSpans) -> list[str]:
    """Say in a few words why each mention has its MINA span."""
    row, _ = _pieces_and_words(trees, starts, ends)
    pieces = np.bincount(row, minlength=starts.size)
    labels = np.append(trees.label, np.uint64(0))[spans.root]
    columns = (ends - starts, trees.unread()[starts], spans.root, labels, pieces, spans.depth)
    return [_reason(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _reason(length: int, unread: bool, root: int, label: int, pieces: int, depth: int) -> str:
    if length == 1:
        return "one word"
    if unread:
        return UNREAD
    if root >= 0:
        name = spelled(np.uint64(label))
        return f"{name} terminal at depth {depth}" if depth >= 0 else f"whole: nothing acceptable in {name}"
    outcome = f"terminal at depth {depth}" if depth >= 0 else "whole: nothing acceptable"
    return f"not a constituent: X over {pieces} pieces, {outcome}"


def _roots(trees: Trees, starts: IntArray, ends: IntArray) -> IntArray:
    """Find each mention's phrase: the highest NP or VP with its span, else the highest phrase, else −1."""
    scale = trees.holder.size + 1
    wanted = starts * scale - ends
    key = np.append(trees.start * scale - trees.end, np.iinfo(np.int64).max)  # ascends, as phrases do
    highest = np.searchsorted(key, wanted)
    is_root = np.append((trees.label == NP) | (trees.label == VP), False)
    root = highest.copy()
    search = np.flatnonzero((key[root] == wanted) & ~is_root[root])
    while search.size:  # down a chain of phrases with one child
        root[search] += 1
        ended = key[root[search]] != wanted[search]
        root[search[ended]] = highest[search[ended]]
        search = search[~ended & ~is_root[root[search]]]
    return np.where(key[highest] == wanted, root, -1)


class _Nodes(NamedTuple):
    """Phrases that the searches of some mentions come to."""

    row: IntArray  # which mention
    phrase: IntArray
    depth: IntArray  # under the mention's root

    def where(self, chosen: BoolArray) -> _Nodes:
        """Keep some."""
        return _Nodes(*(column[chosen] for column in self))

    def together(self, other: _Nodes) -> _Nodes:
        """Put others behind."""
        return _Nodes(*map(np.append, self, other))


def _terminals(trees: Trees, root: IntArray, starts: IntArray, ends: IntArray) -> _Nodes:
    """Find the acceptable terminal nodes of each mention at the smallest depth, from left to right."""
    kind, has_words = _kinds(trees), _has_words(trees)
    nodes = _tops(trees, root, starts, ends)
    accepted = _accepted(trees, nodes, root.size)
    terminals = nodes.where(np.zeros(nodes.row.size, np.bool_))
    while nodes.row.size:
        nodes = nodes.where(kind[nodes.phrase] == accepted[nodes.row])
        is_terminal = has_words[nodes.phrase]
        terminals = terminals.together(nodes.where(is_terminal))
        nodes = _below(trees, nodes.where(~is_terminal))  # below a terminal node all others are deeper
    smallest = least_of(terminals.row, terminals.depth, root.size, empty=-1)
    terminals = terminals.where(terminals.depth == smallest[terminals.row])
    return _Nodes(*(column[np.argsort(trees.start[terminals.phrase])] for column in terminals))


def _tops(trees: Trees, root: IntArray, starts: IntArray, ends: IntArray) -> _Nodes:
    """List where the search of each mention begins: its phrase, or the pieces below X."""
    phrasal, cut = np.flatnonzero(root >= 0), np.flatnonzero(root < 0)
    whole = _Nodes(phrasal, root[phrasal], np.zeros_like(phrasal))
    piece_row, piece = _pieces(trees, starts[cut], ends[cut])
    row = cut[piece_row]
    return whole.together(_Nodes(row, piece, _depths_under_cover(trees, piece, starts[row], ends[row])))


def _depths_under_cover(trees: Trees, phrase: IntArray, start: IntArray, end: IntArray) -> IntArray:
    """Count the steps from each phrase up to the smallest one that covers a span; if none does, it is 1."""
    first, last = np.append(trees.start, -1), np.append(trees.end, trees.holder.size)  # −1 covers all
    above, steps = phrase.copy(), np.zeros_like(phrase)
    climbing = np.arange(phrase.size)
    while climbing.size:
        above[climbing] = trees.parent[above[climbing]]
        steps[climbing] += 1
        covers = (first[above] <= start) & (end <= last[above])
        climbing = climbing[~covers[climbing]]
    return np.where(above < 0, 1, steps)


def _accepted(trees: Trees, tops: _Nodes, mentions: int) -> Kinds:
    """Say which kind of phrase each mention accepts; an NP beside a VP decides."""
    accepted = np.full(mentions, NOTHING)
    for label, kind in ((VP, VERBAL), (NP, NOMINAL)):
        accepted[tops.row[trees.label[tops.phrase] == label]] = kind
    return accepted


def _below(trees: Trees, nodes: _Nodes) -> _Nodes:
    """Go from phrases to those directly in them."""
    index, phrase = _phrases_in(trees, nodes.phrase)
    return _Nodes(nodes.row[index], phrase, nodes.depth[index] + 1)


def _words_of(trees: Trees, nodes: _Nodes) -> tuple[IntArray, IntArray]:
    """List the words that are in phrases directly: for each its mention, and the token."""
    index, token = spread(trees.start[nodes.phrase], trees.end[nodes.phrase])
    direct = trees.holder[token] == nodes.phrase[index]
    return nodes.row[index[direct]], token[direct]


def _kinds(trees: Trees) -> Kinds:
    """Say of each phrase whether a noun phrase or a verb phrase accepts it."""
    kind = np.full(trees.label.size, NEITHER)
    for name, labels in ACCEPTABLE.items():
        kind[_is_one_of(trees.label, labels)] = name
    return kind


def _has_words(trees: Trees) -> BoolArray:
    """Say of each phrase whether it directly holds a word other than determiners and conjunctions."""
    has = np.zeros(trees.label.size + 1, np.bool_)  # one more, for words in no phrase
    has[trees.holder[~_is_one_of(trees.tag, NO_WORDS)]] = True
    return has[:-1]


def _is_one_of(codes: Codes, labels: tuple[str, ...]) -> BoolArray:
    is_one = np.zeros(codes.size, np.bool_)
    for label in labels:
        is_one |= codes == code(label)
    return is_one


def _phrases_in(trees: Trees, phrase: IntArray) -> tuple[IntArray, IntArray]:
    """List the phrases directly in others: for each the index of the other, and the phrase."""
    first = trees.first_child[phrase]
    index, child = spread(first, first + trees.children[phrase])
    return index, trees.breadth_first[child]


def _pieces(trees: Trees, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """List the highest phrases inside each span: for each its span, and the phrase."""
    low, high = np.searchsorted(trees.start, starts), np.searchsorted(trees.start, ends)
    row, phrase = spread(low, high)
    start, end = starts[row], ends[row]
    highest = (trees.end[phrase] <= end) & ~_is_inside(trees, trees.parent[phrase], start, end)
    return row[highest], phrase[highest]


def _is_inside(trees: Trees, phrase: IntArray, start: IntArray, end: IntArray) -> BoolArray:
    return (np.append(trees.start, -1)[phrase] >= start) & (np.append(trees.end, -1)[phrase] <= end)


def _pieces_and_words(trees: Trees, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """List the children of the dummy root of each span, as nodes from left to right."""
    row, piece = _pieces(trees, starts, ends)
    of, token = spread(starts, ends)
    loose = ~_is_inside(trees, trees.holder[token], starts[of], ends[of])
    return _in_order(trees, row, piece, of[loose], token[loose])


def _children(trees: Trees, phrase: IntArray) -> tuple[IntArray, IntArray]:
    """List the children of phrases, as nodes from left to right."""
    row, inner = _phrases_in(trees, phrase)
    of, token = spread(trees.start[phrase], trees.end[phrase])
    direct = trees.holder[token] == phrase[of]
    return _in_order(trees, row, inner, of[direct], token[direct])


def _in_order(
    trees: Trees, row: IntArray, phrase: IntArray, of: IntArray, token: IntArray
) -> tuple[IntArray, IntArray]:
    """Merge phrases and words: a node is a token, or the number of tokens and a phrase."""
    rows, nodes = np.append(row, of), np.append(phrase + trees.holder.size, token)
    order = np.lexsort((np.append(trees.start[phrase], token), rows))
    return rows[order], nodes[order]


def _choose_heads(trees: Trees, label: Codes, row: IntArray, node: IntArray) -> IntArray:
    """Choose one child node for each label, given all children in order."""
    if not label.size:
        return node
    is_word = node < trees.holder.size
    child = np.append(trees.tag, trees.label)[node]
    first = np.searchsorted(row, np.arange(label.size))
    return node[head_children(label, first, child, is_word)]
