"""What a pronoun is in its sentence, clause by clause: whose hat it is, and which verb agrees."""

from __future__ import annotations

import pytest

from referee.model import Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.replacing.grammar import is_possessive, verb_changes
from referee.resolvers.replacing.words import WordsOf


def words_of(running: str) -> WordsOf:
    return WordsOf(cut_raw(Text("d", (), (), running=running)))


def at(words: WordsOf, wanted: str) -> int:
    return words.lower.index(wanted)


@pytest.mark.parametrize(
    ("running", "owns"),
    [
        ("Tom liked her dog .", True),
        ("Tom liked her old brown dog .", True),
        ("Tom gave her my coat .", False),
        ("Tom gave her the coat .", False),
        ("Tom gave her this coat .", False),
        ("Tom is the man by her who sings .", False),
        ("Tom liked her .", False),
        ("Tom liked her", False),
        ("Tom greeted her warmly .", False),
        ("Tom greeted her and left .", False),
        ("Tom found her very kind .", None),
        ("Tom made her laugh .", None),
        ("Tom let her dog out .", None),
        ("Tom saw her dog .", None),
    ],
)
def test_whose(running: str, owns: bool | None) -> None:
    words = words_of(running)
    assert is_possessive(words, at(words, "her")) is owns


@pytest.mark.parametrize(
    ("pronoun", "owns"), [("his", True), ("its", True), ("their", True), ("him", False), ("they", False)]
)
def test_other_pronouns_need_no_sentence(pronoun: str, owns: bool) -> None:
    words = words_of(f"Tom saw {pronoun} dog .")
    assert is_possessive(words, at(words, pronoun)) is owns


@pytest.mark.parametrize(
    ("running", "changes"),
    [
        ("They walk home .", ["walks"]),
        ("They walk home", ["walks"]),
        ("They often walk home .", ["walks"]),
        ("They walked home .", []),
        ("They were late .", ["was"]),
        ("They can walk .", []),
        ("They walk and talk .", None),
        ("They walk or talk .", None),
        ("They walk and the dog runs .", ["walks"]),
        ("They walk and this helps .", ["walks"]),
        ("They walk and her dog runs .", ["walks"]),
        ("They walk and she runs .", ["walks"]),
        ("They walk but I run .", ["walks"]),
        ("They walk and", None),
        ("They walked and talked .", []),
        ("It was they", None),
        ("They of all people .", None),
        ("Where are they now ?", ["is"]),
        ("Are they here ?", ["Is"]),
        ("What did they say ?", []),
        ("We know , are they here ?", ["is"]),
        ("The men that are they say nothing .", ["says"]),
    ],
)
def test_which_verbs_agree(running: str, changes: list[str] | None) -> None:
    words = words_of(running)
    found = verb_changes(words, at(words, "they"), is_several=False)
    assert (None if found is None else [form.strip() for _, form in found]) == changes
    assert verb_changes(words, at(words, "they"), is_several=True) == []
