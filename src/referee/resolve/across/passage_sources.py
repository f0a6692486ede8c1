"""What encoders see of passages: lower states of a model, or pieces for a reader that is a whole encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.model import Text
from referee.resolve.across.passages import CutText, LowerStates
from referee.resolve.across.reader_material import PassageInput
from referee.resolve.neural.running import Model
from referee.resolve.neural.surface import describe_words
from referee.resolve.neural.windows import piece_kinds, windows
from referee.resolve.neural.word_pieces import WordPieces


class StateSource:
    """The lower states of a model, as the reader will have them when it answers."""

    def __init__(self, model: Model, texts: Sequence[Text]) -> None:
        """Take a model whose encoder gives them."""
        self.model, self.texts = model, texts
        self.lower = LowerStates(model, texts)

    def cut(self, text: Text) -> list[tuple[int, int]]:
        """Cut a text into passages: the first word of each, and the one after its last."""
        if not text.length:
            return []
        cut = CutText.of(self.model, text)
        words = np.searchsorted(cut.ends[:, 0], cut.passages(text))
        return [(start, end) for start, end in words.tolist()]

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Read the passages of a text."""
        ends = self.lower.read(number)[2]
        inputs = []
        for start, end in passages:
            begin, after = int(ends[start, 0]), int(ends[end - 1, 1]) + 1
            inputs.append(PassageInput(self.lower.of(number, begin, after), ends[start:end] - begin + 1))
        return inputs


class PieceSource:
    """The pieces of passages, each by itself: for a reader with a whole encoder."""

    def __init__(self, tokenizer: WordPieces, texts: Sequence[Text]) -> None:
        """Take an encoder's tokenizer."""
        self.tokenizer, self.texts = tokenizer, texts

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Cut the passages of a text into pieces."""
        text, inputs = self.texts[number], list[PassageInput]()
        begins = [start for start, _ in text.stretches]
        for start, end in passages:
            words = text.words[start:end]
            pieces, ends = self.tokenizer.cut(words)
            cut = windows(pieces, self.tokenizer.marks, width=pieces.size)
            sentences = np.searchsorted(begins, np.arange(start, end), side="right")
            kinds = piece_kinds(describe_words(words, sentences), ends, cut)
            inputs.append(PassageInput(np.stack([cut.rows[0], kinds[0]], 1), ends + 1))
        return inputs
