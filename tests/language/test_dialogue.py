"""Turns and who says them, by the marks and verbs of speech of each language."""

from __future__ import annotations

import pytest

from referee.language.dialogue import told_in
from referee.model import Text
from referee.resolvers.neural.cutting import cut_raw

NAMED = [
    ("fr", "« Je pars », dit le vieux roi. Il sortit.", "Je", ["le", "vieux", "roi"]),
    ("fr", "– Je pars, murmura timidement Louise.", "Je", ["Louise"]),
    ("fr", "Alors Paul se leva et il cria : « Je pars ! »", "Je", ["il"]),
    ("fr", "Le vieux grogna : – Je pars.", "Je", ["Le", "vieux"]),
    ("de", "„Ich gehe“, sagte der alte Mann.", "Ich", ["der", "alte", "Mann"]),
    ("de", "Anna sagte: „Ich gehe.“", "Ich", ["Anna"]),
    ("nl", "“Ik ga”, zei Jan.", "Ik", ["Jan"]),
    ("nl", "- Ik ga, antwoordde hij.", "Ik", ["hij"]),
    ("hu", "– Én megyek – mondta Péter.", "Én", ["Péter"]),
]


@pytest.mark.parametrize(("language", "running", "spoken", "named"), NAMED)
def test_a_verb_of_speech_names_who_says_a_turn(
    language: str, running: str, spoken: str, named: list[str]
) -> None:
    """Behind the turn or before it; the words that name the speaker are not said."""
    text = cut_raw(Text("d", (), (), running=running), language)
    told = told_in(text, language)
    number = told.turn[text.words.index(spoken)]
    assert number > 0
    assert [word for word, says in zip(text.words, told.says, strict=True) if says == number] == named
    assert not told.turn[[text.words.index(word) for word in named]].any()


def test_a_title_between_marks_is_not_said() -> None:
    """It has no stop inside, and stands in a sentence."""
    text = cut_raw(Text("d", (), (), running="Il vit le « Nautilus » dans la mer."), "fr")
    assert not told_in(text, "fr").turn.any()


def test_a_speech_behind_a_dash_goes_on_with_you_and_ends_with_narration() -> None:
    """Where no paragraphs are known, sentences about I and you belong to it."""
    running = "– Tu viens ? Il fait beau. Je t'attends. Il ferma la porte. Le chien dormait."
    text = cut_raw(Text("d", (), (), running=running), "fr")
    turn = told_in(text, "fr").turn.tolist()
    said = [word for word, number in zip(text.words, turn, strict=True) if number]
    assert "attends" in said
    assert "porte" not in said
    assert "chien" not in said


def test_two_conversations_are_far_apart() -> None:
    """Neighbours in numbers are neighbours in a dialogue."""
    narration = "Il marchait dans la rue. " * 12
    text = cut_raw(Text("d", (), (), running=f"– Tu viens ? – Non. {narration}\n– Toi ?"), "fr")
    numbers = sorted(set(told_in(text, "fr").turn.tolist()) - {0})
    assert numbers[-1] - numbers[-2] > 2


@pytest.mark.parametrize(
    ("language", "running", "same"),
    [
        ("de", "„Ich gehe“, sagte Julia. „Ich bin müde.“", True),
        ("de", "„Ich gehe“, sagte Julia. „Ich bleibe“, rief Martin.", False),
        ("de", "„Ich gehe“, sagte Julia.\n„Ich bleibe.“", False),
        ("nl", "“Ga je?” vroeg Els. “Ik blijf.”", True),
        ("hu", "– Én megyek – mondta Péter. – Én maradok.", False),
    ],
)
def test_who_is_named_between_two_quotations_says_both(language: str, running: str, same: bool) -> None:
    """Unless somebody else is named for the second, or it begins a line, or has a dash."""
    text = cut_raw(Text("d", (), (), running=running), language)
    turn = told_in(text, language).turn.tolist()
    assert (len(set(turn) - {0}) == 1) is same


def test_one_pair_of_marks_may_hold_a_dialogue_whose_turns_begin_with_dashes() -> None:
    running = "« Qui es-tu ? dit Marthe.\n— Je suis Rémi.\n— Entre », dit la vieille."
    text = cut_raw(Text("d", (), (), running=running), "fr")
    told = told_in(text, "fr")
    by_turn: dict[int, list[str]] = {}
    for word, number in zip(text.words, told.turn.tolist(), strict=True):
        by_turn.setdefault(number, []).append(word)
    assert [len(by_turn) - 1, "es-tu" in " ".join(by_turn[1]) or "tu" in by_turn[1]] == [3, True]
    assert "Rémi" in by_turn[2]
    assert "Entre" in by_turn[3]
    assert [word for word, number in zip(text.words, told.says.tolist(), strict=True) if number == 3] == [
        "la",
        "vieille",
    ]
