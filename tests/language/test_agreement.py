"""Verbs agree with one subject, or it is said that their form is not certain."""

from __future__ import annotations

import pytest

from referee.language.agreement import is_past_or_modal, singular_verb


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("are", "is"), ("were", "was"), ("have", "has"), ("do", "does"), ("’re", "is"), ("'ve", "has"),
        ("walk", "walks"), ("play", "plays"), ("try", "tries"), ("pass", "passes"), ("fix", "fixes"),
        ("wish", "wishes"), ("go", "goes"), ("need", "need"), ("feed", "feeds"),
        ("walked", "walked"), ("went", "went"), ("can", "can"), ("'ll", "'ll"),
        ("put", None), ("read", None), ("running", None), ("early", None), ("walks", None), ("50", None),
    ],
)  # fmt: skip
def test_forms_of_verbs(verb: str, form: str | None) -> None:
    assert singular_verb(verb) == form
    assert is_past_or_modal(verb) == (form == verb)
