"""Windows cover a text, and each piece is read where it is, with as much context as any window gives it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.resolvers.neural.features import describe_words
from referee.resolvers.neural.subwords import subword_kinds, window_starts, windows

MARKS = (1, 2, 0)


@given(st.integers(1, 400), st.integers(8, 60), st.integers(0, 7))
def test_every_piece_is_read_from_a_window_that_has_it(count: int, width: int, overlap: int) -> None:
    pieces = np.arange(10, 10 + count)
    cut = windows(pieces, MARKS, width, overlap)
    assert (cut.rows.ravel()[cut.read] == pieces).all()
    assert (cut.rows[:, 0] == 1).all()
    assert (cut.rows[:, -1] == 2).all()
    assert cut.rows.shape[1] <= width + 2


@given(st.integers(61, 400), st.integers(8, 60), st.integers(0, 7))
def test_neighbours_share_at_least_the_overlap(count: int, width: int, overlap: int) -> None:
    starts = window_starts(count, width, overlap)
    assert (np.diff(starts) <= width - overlap).all()
    assert starts[0] == 0
    assert starts[-1] + width == count


@given(st.integers(100, 400))
def test_a_piece_is_read_where_its_context_is_widest(count: int) -> None:
    cut = windows(np.arange(count), MARKS, 50, 20)
    own = cut.read // 52

    def context(piece: int, window: int) -> int:
        column = piece - int(cut.starts[window])
        return min(column, 49 - column) if 0 <= column < 50 else -1

    inner = [piece for piece in range(count) if 25 <= piece < count - 25]
    for piece in inner:
        best = max(context(piece, window) for window in range(len(cut.rows)))
        assert context(piece, int(own[piece])) >= best - 1  # an even overlap has two middles


def test_a_piece_has_its_words_kind() -> None:
    words = describe_words(["Ada", "saw", "Babbage"], np.zeros(3, np.int64), guideline=1)
    ends = np.array([[0, 0], [1, 1], [2, 4]])
    cut = windows(np.arange(10, 15), MARKS, 4, 2)
    kinds = subword_kinds(words, ends, cut)
    assert kinds.tolist() == [[3, 5, 3, 4, 4, 3], [3, 3, 4, 4, 4, 3]]
