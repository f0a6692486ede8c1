"""Trees as node objects, searched the slow way: an oracle for the arrays, and random trees to ask it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import strategies as st

ACCEPTABLE = {"NP": {"NP", "NML", "QP", "NX"}, "VP": {"VP"}}
NO_WORDS = {"DT", "CC", ",", ".", ":", "``", "''", '"', "-LRB-", "-RRB-", "(", ")", "HYPH", "NFP"}
WORDS = {",": ",", ".": ".", "-LRB-": "-LRB-", "-NONE-": "*T*-1", "DT": "the", "CC": "and", "POS": "'s"}
LABELS = ("NP", "NP-SBJ", "VP", "PP", "NML", "QP", "NX", "S", "ADJP", "NP=2", "PRN", "")
TAGS = ("NN", "NNS", "DT", "CC", ",", "-LRB-", "VB", "IN", "PRP$", "POS", "CD", "-NONE-")


@dataclass
class Node:
    """A phrase, or a word with its tag as label."""

    label: str
    children: list[Node] = field(default_factory=list)
    word: str | None = None
    start: int = 0
    end: int = 0

    @property
    def base(self) -> str:
        """The label without function tags."""
        return self.label if self.label.startswith("-") else re.split("[-=]", self.label)[0]

    def number(self, start: int) -> int:
        """Count tokens through the tree; traces count none."""
        self.start = self.end = start
        if self.word is not None:
            self.end += self.label != "-NONE-"
        for child in self.children:
            self.end = child.number(self.end)
        return self.end

    def phrases(self) -> Iterator[Node]:
        """List the phrases that hold tokens, outer ones first."""
        if self.word is None and self.start < self.end:
            yield self
        for child in self.children:
            yield from child.phrases()

    def tokens(self) -> Iterator[Node]:
        """List the words."""
        if self.word is not None and self.label != "-NONE-":
            yield self
        for child in self.children:
            yield from child.tokens()

    def penn(self, indent: str) -> str:
        """Spell the tree in brackets."""
        if self.word is not None:
            return f"({self.label} {self.word})"
        return f"({self.label}" + "".join(indent + child.penn(indent) for child in self.children) + ")"

    def bits(self) -> list[str]:
        """Spell the tree as the cells of a parse column."""
        if self.word is not None:
            return ["*"]
        cells = [cell for child in self.children if child.start < child.end for cell in child.bits()]
        return [f"({self.label}{cells[0]}", *cells[1:-1], f"{cells[-1]})"] if len(cells) > 1 else [
            f"({self.label}{cells[0]})"
        ]  # fmt: skip


def naive_pieces(node: Node, start: int, end: int) -> list[Node]:
    """Cut out of a tree what is inside a span: whole phrases, and words of phrases that reach out of it."""
    if node.end <= start or end <= node.start or node.start == node.end:
        return []
    if start <= node.start and node.end <= end:
        return [node]
    return [piece for child in node.children for piece in naive_pieces(child, start, end)]


def naive_root(trees: list[Node], start: int, end: int) -> Node | None:
    """Find the highest NP or VP with a span, else the highest phrase."""
    chain = [node for tree in trees for node in tree.phrases() if (node.start, node.end) == (start, end)]
    return next((node for node in chain if node.base in ACCEPTABLE), chain[0] if chain else None)


def naive_depth(trees: list[Node], piece: Node, start: int, end: int) -> int:
    """Count from a piece of a span up to the smallest phrase that covers the span; 1 if none does."""
    around = [
        node
        for tree in trees
        for node in tree.phrases()
        if node is not piece and any(inner is piece for inner in node.phrases())
    ]
    covering = [node for node in around if node.start <= start and end <= node.end]
    return len(around) - len(covering) + 1 if covering else 1


def naive_mina(trees: list[Node], start: int, end: int) -> tuple[int, ...]:
    """Write Algorithm 1 down as it is printed, with a queue; pieces of a cut phrase enter at their depth."""
    whole = tuple(range(start, end))
    if end - start == 1:
        return whole
    root = naive_root(trees, start, end)
    if root is not None:
        kind, queue = root.base, deque([(root, 0)])
    else:
        pieces = [piece for tree in trees for piece in naive_pieces(tree, start, end) if piece.word is None]
        labels = {piece.base for piece in pieces}
        kind = "NP" if "NP" in labels else "VP" if "VP" in labels else ""
        queue = deque((piece, naive_depth(trees, piece, start, end)) for piece in pieces)
    tags = ACCEPTABLE.get(kind, set())
    terminals: list[tuple[int, list[int]]] = []  # depth and tokens
    while queue:
        node, depth = queue.popleft()
        if node.base not in tags:
            continue
        words = [child for child in node.children if child.word is not None and child.start < child.end]
        if any(word.label not in NO_WORDS for word in words):
            terminals.append((depth, [word.start for word in words]))
        queue += [(child, depth + 1) for child in node.children if child.word is None]
    smallest = min((depth for depth, _ in terminals), default=0)
    return tuple(sorted(token for depth, node in terminals if depth == smallest for token in node)) or whole


def _leaf(tag: str) -> Node:
    return Node(tag, word=WORDS.get(tag, tag.lower().strip("$") + "x"))


leaves = st.sampled_from(TAGS).map(_leaf)
phrases = st.recursive(
    st.builds(Node, st.sampled_from(LABELS), st.lists(leaves, min_size=1, max_size=4)),
    lambda inner: st.builds(
        Node, st.sampled_from(LABELS), st.lists(st.one_of(inner, leaves), min_size=1, max_size=4)
    ),
    max_leaves=12,
)


@st.composite
def forests(draw: st.DrawFn) -> list[Node]:
    """Draw a document of some trees, numbered through."""
    trees = draw(st.lists(phrases, min_size=1, max_size=3))
    end = 0
    for tree in trees:
        end = tree.number(end)
    return trees


@st.composite
def forests_and_spans(draw: st.DrawFn) -> tuple[list[Node], list[tuple[int, int]]]:
    """Draw a document and some of its spans, phrases among them."""
    trees = draw(forests().filter(lambda trees: trees[-1].end > 0))
    length = trees[-1].end
    start = st.integers(0, length - 1)
    anywhere = start.flatmap(lambda first: st.tuples(st.just(first), st.integers(first + 1, length)))
    known = st.sampled_from([(node.start, node.end) for tree in trees for node in tree.phrases()])
    return trees, draw(st.lists(st.one_of(anywhere, known), min_size=1, max_size=12))


def penn_text(trees: list[Node], indent: str = " ") -> bytes:
    """Spell a document in brackets, a blank line between trees."""
    return "\n\n".join(tree.penn(indent) for tree in trees).encode()
