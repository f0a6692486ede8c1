"""Says what is wrong with Penn trees one by one, and keeps the words of those that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from referee.encoding import encoded
from referee.language.trees.phrase_trees import UNREAD, TreeError, escape

TREE_START = re.compile(rb"^(?=\()", re.MULTILINE)
PENN_TOKEN = re.compile(rb"\([^\s()]*|\)|[^\s()]+")
LEAF = re.compile(rb"\(([^\s()]+)\s+([^\s()]+)\s*\)")


def mend(texts: Sequence[bytes]) -> tuple[list[bytes], list[TreeError]]:
    """Say what is wrong with each malformed tree; put a new bracket around its words."""
    mended: list[bytes] = []
    bad: list[TreeError] = []
    for document, text in enumerate(texts):
        trees = list[bytes]()
        for start, tree in split_trees(text):
            if reason := _flaw_of_penn(tree):
                line = text.count(b"\n", 0, start) + 1
                bad.append(TreeError(reason, document=document, sentence=len(trees), line=line))
                leaves = b" ".join(match[0] for match in LEAF.finditer(tree)) or b"(-NONE- *)"
                tree = b"(%b %b)" % (encoded(UNREAD), leaves)
            trees.append(tree.strip() + b"\n")
        mended.append(b"".join(trees))
    return mended, bad


def hide_trees(text: bytes, words: Mapping[int, Sequence[str]]) -> bytes:
    """Put bare words instead of some trees, given by their number."""
    trees = [tree.strip() for _, tree in split_trees(text)]
    for number, hidden in words.items():
        leaves = " ".join(f"(X {word})" for word in map(escape, hidden)) or "(-NONE- *)"
        trees[number] = encoded(f"({UNREAD} {leaves})")
    return b"\n".join(trees)


def split_trees(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut a text where trees start: in the first column, or on a line after a tree that is well formed."""
    edges = [0, *(tree.start() for tree in TREE_START.finditer(text)), len(text)]
    for start, end in pairwise(sorted(set(edges))):
        piece = text[start:end]
        if not piece.strip():
            continue
        cuts = [0] if _flaw_of_penn(piece) else [*_outermost(piece)]
        for first, last in pairwise([*cuts, len(piece)]):
            yield start + first, piece[first:last]


def _outermost(piece: bytes) -> Iterator[int]:
    """Find the brackets that are in no other."""
    depth = 0
    for bracket in re.finditer(rb"[()]", piece):
        if bracket[0] == b"(":
            if not depth:
                yield bracket.start()
            depth += 1
        else:
            depth -= 1


def _flaw_of_penn(tree: bytes) -> str | None:
    """Say what is wrong with a tree, if anything is."""
    stack: list[tuple[bytes, list[bytes], list[bytes]]] = []  # label, words, phrases
    for match in PENN_TOKEN.finditer(tree):
        token = match[0]
        if token.startswith(b"("):
            if stack:
                stack[-1][2].append(token)
            stack.append((token[1:], [], []))
        elif not stack:
            return f"{quote(token)} is outside of all brackets"
        elif token != b")":
            stack[-1][1].append(token)
        elif reason := _flaw_of_bracket(*stack.pop()):
            return reason
    return f"{len(stack)} of its brackets never close" if stack else None


def _flaw_of_bracket(label: bytes, words: list[bytes], phrases: list[bytes]) -> str | None:
    """Say what is wrong with what a bracket holds: phrases, or a tag and one word."""
    if words and (phrases or not label):
        return f"{quote(words[0])} has no part of speech"
    if not phrases and len(words) != 1:
        return f"the bracket {quote(b'(' + label)} holds {len(words) or 'no'} words"
    return None


def quote(text: bytes) -> str:
    """Put text in quotes."""
    return f'"{text.decode(errors="replace")}"'
