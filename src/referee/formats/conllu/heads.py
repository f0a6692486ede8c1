"""Finds the heads of mentions that have none, as those of CorefUD were found (udapi's `corefud.MoveHead`).

By a dependency tree it is the only word whose governor is outside of the mention; else, of several, the one
whose enhanced governors are outside, too; else the one above all others in the tree; else the first. Without
a tree it is the last noun before whatever follows a noun, by parts of speech; without these, the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from referee.formats.conllu.rows import DEPS, arcs
from referee.model import NO_WORD, Text
from referee.model.layers import HEAD, POS, governors_of, last_noun, top_words


class HeadFinder:
    """Knows the trees of a text."""

    def __init__(self, text: Text) -> None:
        """Take the layers that a text has."""
        self._governors = governors_of(text.id, text.layers.get(HEAD, ())[: text.length])
        self._text = text
        self._has_tree = any(governor != NO_WORD for governor in self._governors)
        self._names: dict[
            tuple[int, str], int
        ] = {}  # sentence and ID → word, when enhanced arcs are asked for
        self._sentence_of: list[int] = []

    @property
    def length(self) -> int:
        """How many written words the text has."""
        return self._text.length

    def head(self, words: Sequence[int]) -> int:
        """Find the head among the words of a mention, which are in the order of the text."""
        if len(words) == 1:
            return words[0]
        if self._has_tree:
            return self._by_tree(words)
        tags = self._text.layers.get(POS)
        return last_noun(words, tags) if tags else words[-1]

    def _governor(self, word: int) -> int:
        return self._governors[word] if word < len(self._governors) else NO_WORD

    def _by_tree(self, words: Sequence[int]) -> int:
        inside = set(words)
        tops = top_words(words, self._governors)
        if len(tops) == 1:
            return tops[0]
        above = {word: self._enhanced(word) for word in tops}
        free = [word for word in tops if inside.isdisjoint(above[word])]
        free = free or [word for word in tops if not inside.issuperset(above[word])]
        if len(free) == 1:
            return free[0]
        highest = self._common_ancestor([self._written(word) for word in free])
        return highest if highest in free else (free or words)[0]

    def _written(self, word: int) -> int | None:
        """Take a zero's first governor that is written, if it has one; the root is one, too."""
        if word < self._text.length:
            return word
        return next((governor for governor in self._enhanced(word) if governor < self._text.length), None)

    def _common_ancestor(self, words: Sequence[int | None]) -> int | None:
        """Find the lowest word that is above all of these, or is one of them."""
        paths = [self._path(word) for word in words if word is not None]
        if not paths:
            return None
        common = reduce(set.intersection, map(set, paths))
        return next((word for word in paths[0] if word in common), None)

    def _path(self, word: int) -> list[int]:
        """Go up from a word to the root; around a circle, once."""
        path: dict[int, None] = {}
        while word != NO_WORD and word not in path:
            path[word] = None
            word = self._governor(word)
        return list(path)

    def _enhanced(self, word: int) -> list[int]:
        """List the enhanced governors of a word; where it has none, the one in the tree."""
        if word >= self._text.length:
            return [governor for governor, _ in self._text.zeros[word - self._text.length].governors]
        deps = self._text.layers.get(DEPS)
        if not deps or deps[word] == "_":
            return [self._governor(word)]
        self._name_words()
        sentence = self._sentence_of[word]
        return [self._names.get((sentence, governor), NO_WORD) for governor, _ in arcs(deps[word])]

    def _name_words(self) -> None:
        if self._names:
            return
        text = self._text
        for sentence, (start, end) in enumerate(text.sentences):
            self._sentence_of += [sentence] * (end - start)
            self._names |= {(sentence, str(word - start + 1)): word for word in range(start, end)}
        for number, zero in enumerate(text.zeros):
            start = text.sentences[zero.sentence][0]
            self._names[zero.sentence, f"{zero.before - start}.{zero.ordinal}"] = text.length + number
