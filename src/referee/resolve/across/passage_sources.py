"""What encoders see of passages: lower states of a model, or pieces for a reader that is a whole encoder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.model import Text
from referee.resolve.across.reader_material import PassageInput
from referee.resolve.neural.surface import Columns, describe_words
from referee.resolve.neural.windows import piece_kinds, windows
from referee.resolve.neural.word_pieces import WordPieces


class PieceSource:
    """The pieces of passages, each by itself: for a reader with a whole encoder."""

    def __init__(self, tokenizer: WordPieces, texts: Sequence[Text]) -> None:
        """Take an encoder's tokenizer."""
        self.tokenizer, self.texts = tokenizer, texts

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Cut passages into pieces."""
        inputs, text = [], self.texts[number]
        described = described_text(text)
        for start, end in passages:
            pieces, ends = self.tokenizer.cut(text.words[start:end])
            cut = windows(pieces, self.tokenizer.marks, width=pieces.size)
            own = Columns(*(column[start:end] for column in described))
            rows = np.stack([cut.rows[0], piece_kinds(own, ends, cut)[0]], 1)
            inputs.append(PassageInput(rows, ends + 1))
        return inputs


def described_text(text: Text) -> Columns:
    """Describe the written words of a text."""
    lengths = [end - start for start, end in text.stretches]
    return describe_words(text.words[: text.length], np.repeat(np.arange(len(lengths)), lengths))
