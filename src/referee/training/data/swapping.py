"""The same story of other people: first names are exchanged, and sometimes he and she.

What is learnt from names and pronouns is then the same for both genders, and no name is memorised (Zhao
et al. 2018). Only words that are one subword are exchanged, so that nothing else of a document moves.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from referee.arrays import IntArray
from referee.encoding import encoded
from referee.language.word_classes import HE, SHE
from referee.resolvers.neural.features import WordFeatures
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.data.examples import Example


@dataclass(frozen=True, slots=True)
class Swaps:
    """Words in pairs and names of both genders, each as its form and its subword."""

    pairs: IntArray  # feminine form and subword, masculine form and subword
    feminine: IntArray  # names: form, subword
    masculine: IntArray
    her: IntArray  # the forms and subwords of her, his and him

    @classmethod
    def of(cls, names: Mapping[str, Sequence[str]], cutter: SubwordTokenizer) -> Swaps:
        """Make the table of names of both genders and pairs of words, as far as each is one subword.

        `names` are "feminine", "masculine" and "pairs", the last each a feminine and a masculine word.
        """

        def known(word: str) -> tuple[int, int]:
            return zlib.crc32(encoded(word)), int(cutter.cut([word])[0][0])

        def table(words: Sequence[str], width: int) -> IntArray:
            rows = [
                [number for word in row.split() for number in known(word)]
                for row in words
                if all(cutter.cut([word])[0].size == 1 for word in row.split())
            ]
            return np.array(rows, np.int64).reshape(-1, width)

        # Of pairs with the same word the first counts: she is he, and her becomes his before him.
        pairs = table(list(names["pairs"])[::-1], 4)
        people = table(names["feminine"], 2), table(names["masculine"], 2)
        return cls(pairs, *people, np.array([known(word) for word in ("her", "his", "him")], np.int64))

    def swap(self, example: Example, random: Random) -> Example:
        """Give the people of a document other names, and one time in two the other gender."""
        words = example.columns[0]
        known = np.isin(words.form, np.r_[self.feminine[:, 0], self.masculine[:, 0]]) & (words.capital > 0)
        # In GAP a name that keeps its gender would speak against its pronoun.
        turned = random.random() < 0.5 and (not example.gap or bool(known.any()))
        names = self._renamed(words, random, turned=turned)
        others = self._turned() if turned else {}
        single = example.ends[:, 0] == example.ends[:, 1]
        changed = np.isin(words.form, list(others)) | (np.isin(words.form, list(names)) & (words.capital > 0))
        form, subwords = words.form.copy(), example.subwords.copy()
        for index in np.flatnonzero(changed & single).tolist():
            form[index], subwords[example.ends[index, 0]] = self._chosen(others | names, words, index)
        changes = {"form": form, "pronoun": _other(words.pronoun) if turned else words.pronoun}
        columns = tuple(variant._replace(**changes) for variant in example.columns)
        return replace(example, columns=columns, subwords=subwords, renamed=True)

    def _renamed(self, words: WordFeatures, random: Random, *, turned: bool) -> dict[int, tuple[int, int]]:
        """Choose what each name becomes: no two become the same."""
        named = set(words.form[words.capital > 0].tolist())
        new: dict[int, tuple[int, int]] = {}
        for gender, other in ((self.feminine, self.masculine), (self.masculine, self.feminine)):
            present = gender[np.isin(gender[:, 0], list(named))].tolist()
            pool = [pair for pair in (other if turned else gender).tolist() if pair[0] not in named]
            for (form, _), pair in zip(
                present, random.sample(pool, min(len(pool), len(present))), strict=False
            ):
                new[form] = (pair[0], pair[1])
        return new

    def _turned(self) -> dict[int, tuple[int, int]]:
        new = {}
        for her_form, her_piece, his_form, his_piece in self.pairs.tolist():
            new[her_form], new[his_form] = (his_form, his_piece), (her_form, her_piece)
        return new

    def _chosen(self, new: dict[int, tuple[int, int]], words: WordFeatures, index: int) -> tuple[int, int]:
        """Choose what a word becomes: her becomes him where no noun can follow."""
        (her, _), (his, his_piece), (him, him_piece) = self.her.tolist()
        if words.form[index] != her:
            return new[int(words.form[index])]
        following = min(index + 1, len(words.form) - 1)
        alone = words.until[index] == following or words.light[following] or words.pronoun[following]
        return (him, him_piece) if alone else (his, his_piece)


def _other(pronoun: IntArray) -> IntArray:
    return np.where(pronoun == HE, SHE, np.where(pronoun == SHE, HE, pronoun))
