"""Names in one piece of memory behave as a list of them."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.model import Names

texts = st.lists(st.text(st.characters()), max_size=9)


@given(texts, st.slices(9))
def test_names_are_a_list(names: list[str], part: slice) -> None:
    kept = Names(names)
    assert list(kept) == names
    assert kept == names
    assert kept[part] == names[part]
    assert [kept[i - len(names)] for i in range(len(names))] == names
    assert pickle.loads(pickle.dumps(kept)) == kept
    assert hash(Names(names)) == hash(kept)
    assert repr(kept) == repr(names)


@given(texts, texts)
def test_other_names_differ(one: list[str], other: list[str]) -> None:
    assert (Names(one) == Names(other)) == (one == other)
    assert (Names(one) == other) == (one == other)


def test_there_is_no_name_beyond_the_last() -> None:
    with pytest.raises(IndexError):
        Names(["a"])[1]
