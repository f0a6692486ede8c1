"""English words: the classes of pronouns are whole, and the page's script has the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import referee
from referee.language import english

SCRIPT = Path(referee.__file__).parent / "page" / "script" / "entities.js"


def test_a_pronoun_has_one_person_number_and_gender() -> None:
    assert sum(map(len, english.PRONOUN_CLASSES)) == len(english.PERSONAL) == 32
    assert english.PERSONAL - english.THIRD == english.FIRST_SINGULAR | english.FIRST_PLURAL | english.SECOND


def test_forms_are_told_by_their_column() -> None:
    assert {"i", "we", "you", "he", "she", "it", "they"} == english.SUBJECTS
    assert {"me", "us", "him", "her", "them"} == english.OBJECTS - english.SUBJECTS
    assert {"my", "our", "your", "his", "her", "its", "their"} == english.POSSESSIVE_DETERMINERS
    assert {"mine", "ours", "yours", "hers", "theirs"} == english.POSSESSIVES - english.POSSESSIVE_DETERMINERS
    assert {word for word in english.PERSONAL if word.endswith(("self", "selves"))} == english.REFLEXIVES


def test_determiners_are_articles_and_what_stands_in_their_position() -> None:
    assert {"the", "an", "those", "its", "whose", "every"} <= english.DETERMINERS
    assert english.DETERMINERS.isdisjoint({"which", "mine", "of"})


def test_the_page_knows_the_same_pronouns() -> None:
    """A browser cannot read Python, so the script of the page has a copy."""
    literal = re.search(r"const PRONOUNS = new Set\((.*?)\);", SCRIPT.read_text("utf-8"), re.DOTALL)
    assert literal is not None
    words = {word for string in re.findall(r'"([^"]*)"', literal[1]) for word in string.split()}
    more = {"one", "oneself", "what", "there", "here"}
    assert words == english.PERSONAL | english.RELATIVES | english.DEMONSTRATIVES | more
