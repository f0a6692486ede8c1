"""Minimum spans of mentions: MINA and heads (Moosavi et al., 2019), for all mentions at once.

MINA walks a mention's parse tree breadth first (Algorithm 1). What the paper leaves open is settled thus:

* The root is the phrase that has just the mention's words; of several around each other, the highest NP
  or VP. Under an NP the acceptable phrases are NP, NML, QP and NX, under a VP they are VPs. Under any other
  root nothing is acceptable.
* A terminal node is what the paper's trees show under a phrase: the words that stand in it directly,
  whether or not another phrase stands between them. "a deutsche mark based currency board where …" has the
  minimum span "a currency board" (section 8), though a phrase parts its determiner from its noun.
* A terminal node is acceptable if it has a word that is neither determiner (DT) nor conjunction (CC).
  Punctuation is not a word: otherwise the comma of an apposition, one level above its parts, would be its
  minimum span (Figure 5).
* A mention that is not a phrase gets a dummy root X (Figure 7, footnote 8). Its children are the pieces of
  the tree in the span: the highest phrases that do not reach out of it, and the words of phrases that do. X
  takes the tags of an NP if one of its children is an NP, else those of a VP if one is a VP. X itself is
  not acceptable, and so its own words are not: "Pierce College sheltered" has the minimum span "Pierce
  College" (Example 4).
* All acceptable terminal nodes at the smallest depth make up the minimum span. If there are none, the
  mention keeps its maximum span. A mention of one word is its own minimum span.

A head is one word, found from the same root by the rules in `referee.language.head_rules`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.language.head_rules import DUMMY_ROOT, head_children
from referee.language.phrase_trees import PUNCTUATION, Bools, Codes, Trees, code, ragged, spelled

NP, VP = code("NP"), code("VP")
Kinds = npt.NDArray[np.int8]
NEITHER, NOMINAL, VERBAL = np.int8(0), np.int8(1), np.int8(2)
ACCEPTABLE = {NOMINAL: ("NP", "NML", "QP", "NX"), VERBAL: ("VP",)}
NO_WORDS = ("DT", "CC", *PUNCTUATION)


@dataclass(frozen=True, slots=True)
class MinimumSpans:
    """The minimum spans of mentions, as rows of tokens in ascending order.

    Two mentions of one call have the same identity if and only if they have the same minimum span.
    """

    offsets: IntArray  # mention → place of its first token in `tokens`; and their number
    tokens: IntArray
    identity: IntArray
    root: IntArray  # mention → its phrase; −1 if it is one word or not a phrase
    depth: IntArray  # mention → depth of its minimum span under the root; −1 if it keeps its maximum span

    def __getitem__(self, mention: int) -> tuple[int, ...]:
        """List the tokens of a minimum span."""
        return tuple(self.tokens[self.offsets[mention] : self.offsets[mention + 1]].tolist())


def mina_span(trees: Trees, start: int, end: int) -> tuple[int, ...]:
    """Find the minimum span of one mention."""
    return mina_spans(trees, np.array([start]), np.array([end]))[0]


def head_token(trees: Trees, start: int, end: int) -> int:
    """Find the head word of one mention."""
    return int(head_tokens(trees, np.array([start]), np.array([end]))[0])


def mina_spans(trees: Trees, starts: IntArray, ends: IntArray) -> MinimumSpans:
    """Find the minimum spans of mentions, given as half-open spans of the trees' tokens (Algorithm 1)."""
    root, depth = np.full((2, starts.size), -1)
    long = np.flatnonzero(ends - starts > 1)
    root[long] = _roots(trees, starts[long], ends[long])
    row, phrase, depth[long] = _terminals(trees, root[long], starts[long], ends[long])
    whole = np.flatnonzero(depth < 0)
    mention = np.append(long[row], whole)
    order = np.argsort(mention, kind="stable")
    begin = np.append(trees.start[phrase], starts[whole])[order]
    size = np.append(trees.end[phrase], ends[whole])[order] - begin
    holder = np.repeat(np.append(phrase, np.full(whole.size, -1))[order], size)
    tokens = ragged(begin, begin + size)
    kept = (holder < 0) | (trees.holder[tokens] == holder)
    lengths = np.bincount(np.repeat(mention[order], size)[kept], minlength=starts.size)
    offsets, tokens = np.append(0, np.cumsum(lengths)), tokens[kept]
    return MinimumSpans(offsets, tokens, _identities(offsets, tokens, trees.holder.size), root, depth)


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
        return "whole: the tree cannot be read"
    if root >= 0:
        name = spelled(np.uint64(label))
        return f"{name} terminal at depth {depth}" if depth >= 0 else f"whole: nothing acceptable in {name}"
    found = f"terminal at depth {depth}" if depth >= 0 else "whole: nothing acceptable"
    return f"not a constituent: X over {pieces} pieces, {found}"


def _roots(trees: Trees, starts: IntArray, ends: IntArray) -> IntArray:
    """Find each mention's phrase: the highest NP or VP with its span, else the highest phrase, else −1."""
    scale = trees.holder.size + 1
    wanted = starts * scale - ends
    key = np.append(
        trees.start * scale - trees.end, np.iinfo(np.int64).max
    )  # ascends, as phrases are numbered
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


def _terminals(
    trees: Trees, root: IntArray, starts: IntArray, ends: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Search all mentions breadth first, one level at a time.

    Returns the acceptable terminal nodes at the smallest depth, as pairs of mention and phrase, and that
    depth for each mention, or −1.
    """
    kind, has_words = _kinds(trees), _has_words(trees)
    accepted, row, phrase = _first_level(trees, kind, root, starts, ends)
    depth = np.full(root.size, -1)
    found_rows, found_phrases = [row[:0]], [phrase[:0]]
    level = 0
    while row.size:
        terminal = has_words[phrase]
        found_rows.append(row[terminal])
        found_phrases.append(phrase[terminal])
        depth[row[terminal]] = level
        deeper = depth[row] < 0
        parent, phrase = _phrases_in(trees, phrase[deeper])
        row = row[deeper][parent]
        fits = kind[phrase] == accepted[row]
        row, phrase = row[fits], phrase[fits]
        level += 1
    depth[(root < 0) & (depth >= 0)] += 1  # X is above them
    return np.concatenate(found_rows), np.concatenate(found_phrases), depth


def _first_level(
    trees: Trees, kind: Kinds, root: IntArray, starts: IntArray, ends: IntArray
) -> tuple[Kinds, IntArray, IntArray]:
    """Say which kind each mention accepts, and where its search begins: at its root, or below X."""
    cut = np.flatnonzero(root < 0)
    piece_row, piece = _pieces(trees, starts[cut], ends[cut])
    row, phrase = np.append(np.flatnonzero(root >= 0), cut[piece_row]), np.append(root[root >= 0], piece)
    accepted = np.full(root.size, NEITHER)
    for label, accepts in ((VP, VERBAL), (NP, NOMINAL)):  # an NP beside a VP decides
        accepted[row[trees.label[phrase] == label]] = accepts
    fits = (kind[phrase] == accepted[row]) & (accepted[row] != NEITHER)
    return accepted, row[fits], phrase[fits]


def _kinds(trees: Trees) -> Kinds:
    """Say of each phrase whether a noun phrase or a verb phrase accepts it."""
    kind = np.full(trees.label.size, NEITHER)
    for name, labels in ACCEPTABLE.items():
        kind[_is_one_of(trees.label, labels)] = name
    return kind


def _has_words(trees: Trees) -> Bools:
    """Say of each phrase whether it directly holds a word other than determiners and conjunctions."""
    has = np.zeros(trees.label.size + 1, np.bool_)  # one place more, for words in no phrase
    has[trees.holder[~_is_one_of(trees.tag, NO_WORDS)]] = True
    return has[:-1]


def _is_one_of(codes: Codes, labels: tuple[str, ...]) -> Bools:
    found = np.zeros(codes.size, np.bool_)
    for label in labels:
        found |= codes == code(label)
    return found


def _phrases_in(trees: Trees, phrase: IntArray) -> tuple[IntArray, IntArray]:
    """List the phrases directly in others: for each its place among those others, and the phrase."""
    first, count = trees.first_child[phrase], trees.children[phrase]
    return np.repeat(np.arange(phrase.size), count), trees.breadth_first[ragged(first, first + count)]


def _pieces(trees: Trees, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """List the highest phrases inside each span: for each its span, and the phrase."""
    low, high = np.searchsorted(trees.start, starts), np.searchsorted(trees.start, ends)
    row, phrase = np.repeat(np.arange(starts.size), high - low), ragged(low, high)
    highest = (trees.end[phrase] <= ends[row]) & ~_is_inside(
        trees, trees.parent[phrase], starts[row], ends[row]
    )
    return row[highest], phrase[highest]


def _is_inside(trees: Trees, phrase: IntArray, start: IntArray, end: IntArray) -> Bools:
    return (np.append(trees.start, -1)[phrase] >= start) & (np.append(trees.end, -1)[phrase] <= end)


def _pieces_and_words(trees: Trees, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """List the children of the dummy root of each span, as nodes from left to right."""
    row, piece = _pieces(trees, starts, ends)
    of, token = np.repeat(np.arange(starts.size), ends - starts), ragged(starts, ends)
    loose = ~_is_inside(trees, trees.holder[token], starts[of], ends[of])
    return _in_order(trees, row, piece, of[loose], token[loose])


def _children(trees: Trees, phrase: IntArray) -> tuple[IntArray, IntArray]:
    """List the children of phrases, as nodes from left to right."""
    row, inner = _phrases_in(trees, phrase)
    start, end = trees.start[phrase], trees.end[phrase]
    of, token = np.repeat(np.arange(phrase.size), end - start), ragged(start, end)
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


def _identities(offsets: IntArray, tokens: IntArray, scale: int) -> IntArray:
    """Number minimum spans: by first and last token, or from −1 downwards if they have gaps."""
    first, last = tokens[offsets[:-1]], tokens[offsets[1:] - 1]
    identity = first * scale + last
    numbers: dict[bytes, int] = {}
    for mention in np.flatnonzero(last - first >= np.diff(offsets)).tolist():
        row = tokens[offsets[mention] : offsets[mention + 1]].tobytes()
        identity[mention] = numbers.setdefault(row, -1 - len(numbers))
    return identity
