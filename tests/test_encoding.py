"""Bytes and text: any text can be written, and what is not UTF-8 is named with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import FormatError
from referee.encoding import decoded, encoded, is_unicode, lenient

ANY_TEXT = st.text(st.characters(codec=None) | st.characters(categories=["Cs"]), max_size=20)


@given(data=st.binary(max_size=30))
def test_bytes_go_out_as_they_came(data: bytes) -> None:
    assert encoded(lenient(data)) == data


@given(text=ANY_TEXT)
def test_any_text_can_be_written(text: str) -> None:
    assert is_unicode(text) == (encoded(text) == text.encode("utf-8", "replace"))


def test_what_is_not_utf8_is_named_with_its_line() -> None:
    assert decoded("né".encode(), "a.txt") == "né"
    with pytest.raises(FormatError, match=r"a\.txt:9: not UTF-8: .*; save it as UTF-8"):
        decoded(b"one\ntwo\n\xe9", "a.txt", 7)
