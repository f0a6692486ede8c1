"""Minimum spans as coval computes them, so that figures that were published with it can be checked.

coval is the code of Moosavi et al. (2019). It departs from the algorithm of the paper, and this module
follows it in that, rule by rule; `referee.language.minimum_spans` is what to use otherwise.

* It sees the brackets of the mention's words only. A phrase that closes after the mention is closed at
  its end; one that opened before it is not seen. What is not under one root gets a dummy root NP.
* A terminal is a *run* of words with no bracket between them. A run that a phrase follows is thrown away
  unless one of its words has only letters or only digits. A run before which nothing opened takes
  what follows as its children.
* A run is valid if one of its words has a letter or digit or is "%", and is not CC, DT or IN. It is taken
  whole.
* Under an NP or NML (labels count by two letters) NP, NM, QP and NX are accepted, under a VP only VP; under
  any other root what its children make of it, else as under an NP.
* Valid runs directly under the root are the minimum span. Otherwise each accepted child is searched by
  itself, breadth first, for its valid runs at the smallest depth. If there is no accepted child, the root is
  searched so, and the first NP or VP that the search meets says what is accepted.
* If nothing is valid, the minimum span is the mention, but its words are numbered from the mention's start.

Two minimum spans are equal if they are in one sentence and have the same runs, each as its spelling and a
position in the sentence: that of the run's last word, or of the first word of the phrase that follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.arrays import IntArray
from referee.language.minimum_spans import TokenRows
from referee.language.trees.phrase_trees import Trees, code, spelled

NOUN_PHRASES = ("NP", "NM")
NOMINAL_TAGS = ("NP", "NM", "QP", "NX")
VERBAL_TAGS = ("VP",)
NO_HEADS = np.array([code(tag) for tag in ("CC", "DT", "IN")])

Identity = tuple[int, frozenset[tuple[str, int]]]  # sentence; spelling and position of each run


@dataclass(slots=True)
class _Node:
    """A phrase, or a run of words whose label is their spelling."""

    label: str
    tokens: tuple[int, ...] = ()  # of a run
    position: int = -1  # of a run, in the sentence
    valid: bool = False  # whether a run may be a minimum span
    children: list[_Node] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """What of the label counts."""
        return self.label[:2]

    @property
    def is_run(self) -> bool:
        """Whether this is not a phrase."""
        return bool(self.tokens)


def coval_spans(trees: Trees, starts: IntArray, ends: IntArray) -> TokenRows:
    """Find the minimum spans of mentions as coval does, given as half-open spans of the trees' tokens."""
    forest = _Forest.of(trees)
    known: dict[object, int] = {}
    rows: list[tuple[int, ...]] = []
    identity = np.empty_like(starts)
    for mention, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        tokens, equal = forest.minimum_span(start, end)
        rows.append(tokens)
        identity[mention] = known.setdefault(equal, len(known))
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return TokenRows(offsets, np.array([token for row in rows for token in row], np.int64), identity)


@dataclass(frozen=True, slots=True)
class _Forest:
    """Trees, and the brackets before and after each token."""

    trees: Trees
    first_opening: list[int]  # token → the first phrase that opens before it; they are numbered in order
    closing: list[int]  # token → phrases that close after it
    sentence: list[int]  # token → sentence
    no_head: list[bool]  # token → whether its part of speech makes no valid run
    unread: list[bool]

    @classmethod
    def of(cls, trees: Trees) -> _Forest:
        """Count the brackets at each token."""
        tokens = np.arange(trees.holder.size)
        return cls(
            trees,
            np.searchsorted(trees.start, np.append(tokens, trees.holder.size)).tolist(),
            np.bincount(trees.end, minlength=trees.holder.size + 1)[1:].tolist(),
            (np.searchsorted(trees.sentences, tokens, side="right") - 1).tolist(),
            np.isin(trees.tag, NO_HEADS).tolist(),
            trees.unread().tolist(),
        )

    def minimum_span(self, start: int, end: int) -> tuple[tuple[int, ...], object]:
        """List the tokens of a minimum span, and what makes it equal to others."""
        whole = tuple(range(start, end))
        if self.unread[start] and end - start > 1:  # coval knows no such thing: the maximum span
            return whole, (start, end)
        runs = _minimum_runs(self._fragment(start, end))
        sentence = self.sentence[start]
        if not runs:
            words = frozenset((self.trees.words[token], token - start) for token in whole)
            return whole, (sentence, words)
        tokens = sorted({token for run in runs for token in run.tokens})
        return tuple(tokens), (sentence, frozenset((run.label, run.position) for run in runs))

    def _fragment(self, start: int, end: int) -> _Node:
        """Read the brackets of a mention's words, and what is between them."""
        builder = _Builder()
        pending: list[int] = []
        for token in range(start, end):
            opening = range(self.first_opening[token], self.first_opening[token + 1])
            if opening and pending:
                run = self._run(pending, token)
                if any(word.isalpha() or word.isdigit() for word in run.label.split()):
                    builder.add_run(run)
                pending = []
            for phrase in opening:
                builder.open(spelled(self.trees.label[phrase]))
            pending.append(token)
            if self.closing[token]:
                builder.add_run(self._run(pending, token))
                pending = []
            for _ in range(self.closing[token]):
                builder.close()
        if pending:
            builder.add_run(self._run(pending, end - 1))
        return builder.root()

    def _run(self, tokens: Sequence[int], at: int) -> _Node:
        words = [self.trees.words[token] for token in tokens]
        position = at - int(self.trees.sentences[self.sentence[tokens[0]]])
        valid = any(
            not self.no_head[token] and (word == "%" or any(c.isalpha() or c.isdigit() for c in word))
            for token, word in zip(tokens, words, strict=True)
        )
        return _Node(" ".join(words), tuple(tokens), position, valid)


class _Builder:
    """Puts nodes together as their brackets come; surplus closing brackets are ignored."""

    def __init__(self) -> None:
        self._open: list[_Node] = []
        self._roots: list[_Node] = []

    def open(self, label: str) -> None:
        """Begin a phrase."""
        node = _Node(label)
        if self._open:
            self._open[-1].children.append(node)
        self._open.append(node)

    def add_run(self, run: _Node) -> None:
        """Add words; where no phrase is open they are taken for one."""
        if self._open:
            self._open[-1].children.append(run)
        else:
            self._open.append(run)

    def close(self) -> None:
        """End a phrase."""
        if self._open:
            node = self._open.pop()
            if not self._open:
                self._roots.append(node)

    def root(self) -> _Node:
        """End what is still open; several roots get one above them."""
        self._roots += self._open[:1]
        return self._roots[0] if len(self._roots) == 1 else _Node("NP", children=self._roots)


def _minimum_runs(root: _Node) -> list[_Node]:
    """Find the runs of a minimum span; none if nothing is valid."""
    if root.is_run and root.valid:
        return [root]
    direct = [child for child in root.children if child.is_run and child.valid]
    if direct:
        return direct
    accepted = _accepted_below(root)
    tops = [child for child in root.children if child.children and child.tag in accepted]
    if tops:
        return [run for top in tops for run in _search(top, accepted)]
    return _search(root, None)


def _accepted_below(root: _Node) -> tuple[str, ...]:
    tags = [child.tag for child in root.children]
    if root.tag in VERBAL_TAGS:
        return VERBAL_TAGS
    if root.tag in NOUN_PHRASES or any(tag in tags for tag in NOUN_PHRASES):
        return NOMINAL_TAGS
    return VERBAL_TAGS if "VP" in tags else NOMINAL_TAGS


def _search(top: _Node, accepted: tuple[str, ...] | None) -> list[_Node]:
    """List the valid runs at the smallest depth; if nothing is accepted yet, the first phrase decides."""
    level = [top]
    is_top = True
    while level:
        below: list[_Node] = []
        runs: list[_Node] = []
        for node in level:
            if accepted is None:
                accepted = _accepted_by(node)
            if node.is_run and node.valid:
                runs.append(node)
            elif not node.is_run:
                below += _entered(node, accepted, is_top=is_top)
        if runs:
            return runs
        level, is_top = below, False
    return []


def _accepted_by(node: _Node) -> tuple[str, ...] | None:
    if node.tag in NOUN_PHRASES:
        return NOMINAL_TAGS
    return VERBAL_TAGS if node.tag in VERBAL_TAGS else None


def _entered(node: _Node, accepted: tuple[str, ...] | None, *, is_top: bool) -> Iterator[_Node]:
    """List the children that a search goes on with: words only under an accepted phrase."""
    is_accepted = accepted is not None and node.tag in accepted
    if is_top or accepted is None or is_accepted:
        yield from (child for child in node.children if is_accepted or not child.is_run)
