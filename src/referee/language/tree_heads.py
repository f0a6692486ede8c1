"""Heads of mentions in dependency trees, by the rule that gave CorefUD's mentions theirs.

The rule is that of udapi's `corefud.MoveHead`: the only word whose parent is outside the mention; of several
the one whose enhanced parents are outside, too; else the one above all others in the tree; else the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from referee.model import NO_WORD, Mention, Text
from referee.model.layers import HEAD, ROOT

DEPS = "deps"  # the layer: enhanced dependencies as CoNLL-U writes them


class TreeHeads:
    """Finds the heads of mentions of one text, which has the layer `head`."""

    def __init__(self, text: Text) -> None:
        """Read the governors."""
        self._text = text
        layer = text.layers[HEAD]
        self._governor = [NO_WORD if head == ROOT else int(head) for head in layer[: text.length]]
        self._governor += [NO_WORD] * len(text.zeros)

    def holds(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether the text has all words of a mention."""
        return spans[-1][1] <= len(self._governor)

    def head(self, spans: Iterable[tuple[int, int]]) -> int:
        """Find the head word of a mention."""
        numbers = [word for start, end in spans for word in range(start, end)]
        words = sorted(numbers, key=self._position) if numbers[-1] >= self._text.length else numbers
        inside = set(words)
        heads = [word for word in words if self._governor[word] not in inside]
        if len(words) == 1 or len(heads) == 1:
            return heads[0] if heads else words[0]
        return self._of_several(words, heads, inside)

    def _of_several(self, words: Sequence[int], heads: Sequence[int], inside: set[int]) -> int:
        parents = {word: self._enhanced[word] or [self._governor[word]] for word in heads}
        free = [word for word in heads if not inside.intersection(parents[word])]
        free = free or [word for word in heads if not inside.issuperset(parents[word])]
        if len(free) < 2:
            return free[0] if free else words[0]
        highest = self._highest(free)
        return highest if highest in free else free[0]

    def _highest(self, words: Sequence[int]) -> int:
        """Find the word above all others; for a zero, its first written governor is taken."""
        length = self._text.length
        written = [word for word in words if word < length]
        for zero in (word for word in words if word >= length):
            written += [parent for parent in self._enhanced[zero] if parent < length][:1]
        if NO_WORD in written:  # the root is above all, and no word of the mention
            return NO_WORD
        paths = [self._path(word) for word in dict.fromkeys(written)]
        common = set.intersection(*map(set, paths)) if paths else set()
        return next((word for word in paths[0] if word in common), NO_WORD) if paths else NO_WORD

    def _path(self, word: int) -> list[int]:
        """List a word and those above it."""
        path = [word]
        while self._governor[path[-1]] != NO_WORD and len(path) <= self._text.length:
            path.append(self._governor[path[-1]])
        return path

    def _position(self, word: int) -> tuple[int, int, int]:
        length = self._text.length
        if word < length:
            return word + 1, -1, 0
        zero = self._text.zeros[word - length]
        return zero.before, zero.sentence, zero.ordinal

    @cached_property
    def _enhanced(self) -> list[list[int]]:
        """The enhanced governors of each word; none where the layer says nothing."""
        text = self._text
        enhanced: list[list[int]] = [[] for _ in range(text.length)]
        enhanced += [[governor for governor, _ in zero.governors] for zero in text.zeros]
        layer = text.layers.get(DEPS, ())
        zeros = {(z.sentence, f"{z.before}.{z.ordinal}"): text.length + i for i, z in enumerate(text.zeros)}
        for sentence, (start, end) in enumerate(text.sentences):
            for word in range(start, end) if layer else ():
                for arc in layer[word].split("|") if layer[word] != "_" else ():
                    before, point, ordinal = arc.partition(":")[0].partition(".")
                    if point:
                        name = (sentence, f"{start + int(before)}.{ordinal}")
                        enhanced[word].append(zeros.get(name, NO_WORD))
                    else:
                        enhanced[word].append(start + int(before) - 1 if before != "0" else NO_WORD)
        return enhanced


def tree_head(text: Text, mention: Mention) -> int:
    """Find the head word of one mention.

    >>> tree = {"head": ("1", "-", "4", "4", "1")}
    >>> tree_head(Text("d", ("the", "dog", "of", "the", "man"), ((0, 5),), tree), Mention.at(0, 5))
    1
    """
    return TreeHeads(text).head(mention.spans)
