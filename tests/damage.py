"""Damages files at random: reading them must work, or fail with an error that names the file."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from referee import FormatError, formats

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.just(10**30) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=5,
)


@st.composite
def edits(draw: st.DrawFn, text: str, put: str) -> str:
    """Replace a piece of a text by a few characters of some."""
    at = draw(st.integers(0, len(text) - 1))
    gone = draw(st.integers(0, 20))
    return text[:at] + draw(st.text(put, max_size=3)) + text[at + gone :]


def read_or_refuse(path: Path) -> None:
    """Read a file to the end, or be told which file is wrong; any other exception is a failure."""
    message = str(path)
    try:
        read = formats.read(path)
        for number, document in enumerate(read):
            assert read.chains([number]).lengths[0] == document.text.length
    except FormatError as error:
        message = str(error)
    assert path.parent.name in message
