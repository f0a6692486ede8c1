"""A text is encoded window by window and read section by section; the vectors of its words show neither."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from referee.arrays import IntArray
from referee.resolvers.neural import encoder
from referee.resolvers.neural.features import describe_words
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.running import Model
from referee.resolvers.neural.subwords import sections, windows

WORDS = [f"word{index}" for index in range(120)]
SENTENCES = np.arange(120) // 7


def read(section: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Floats, list[int]]:
    """The vectors of the words, and the first piece of each window that was encoded."""
    encoded = []

    def encode(row: IntArray, kinds: IntArray) -> Floats:
        encoded.append(int(row[1]))
        return np.stack([row, kinds], 1).astype(np.float32)

    model = Model.__new__(Model)
    model.special_tokens = (1, 2, 0)
    model.encode = encode  # type: ignore[method-assign]
    monkeypatch.setattr(encoder, "sections", partial(sections, most=section))
    monkeypatch.setattr(encoder, "windows", partial(windows, width=30, overlap=8))
    pieces = np.arange(10, 250)
    ends = np.stack([np.arange(0, 240, 2), np.arange(1, 240, 2)], 1)  # each word has two pieces
    vectors = list(model.states(describe_words(WORDS, SENTENCES), pieces, ends))
    assert [own.start for own, _ in vectors[1:]] == [own.stop for own, _ in vectors[:-1]]
    return np.concatenate([states for _, states in vectors]), encoded


@pytest.mark.parametrize("section", [5, 14, 50])
def test_sections_do_not_change_what_is_read(section: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, once = read(1000, monkeypatch)
    parts, encoded = read(section, monkeypatch)
    assert whole[:, 0].tolist() == [10.5 + 2 * word for word in range(120)]
    assert parts.tolist() == whole.tolist()
    assert encoded == once
    assert len(set(encoded)) == len(encoded) > 8
