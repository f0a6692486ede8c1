"""Who says what: quotations by their marks, whole or broken, and speakers by verbs of speech."""

import pytest

from referee.resolvers.neural.speech import LONGEST_QUOTE, PAUSE, Speech, find_speech


def said(text: str) -> Speech:
    return find_speech(text.split())


def quoted(text: str) -> str:
    """List the words inside of quotations, without the marks."""
    words = text.split()
    quotes = find_speech(words).quote
    return " ".join(word for word, quote in zip(words, quotes, strict=True) if quote and word.isalpha())


def speakers(text: str) -> dict[int, str]:
    words = text.split()
    return {int(turn): words[index] for index, turn in enumerate(find_speech(words).says) if turn}


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('Tom said , " Go home . " She went .', "Go home"),
        ("Tom said , `` Go home . '' She went .", "Go home"),
        ("Tom said , “ Go home . ” She went .", "Go home"),
        ("‘ Go home , ’ said Tom . The dogs ’ bowl was empty .", "Go home"),
        # a mark that closes stands the wrong way round, as converters leave it at the end of a paragraph
        ("`` Go home . `` Then she went . `` Yes ? '' he said .", "Go home Yes"),
        # a new paragraph of one speech opens anew, and nothing closed the one before
        ("“ Go home . “ Go now . ” She went .", "Go home Go now"),
        # the first mark is missing: the others are not taken for one another
        ('Go home , " said Tom . " I will , " said Ann . " Good . "', "I will Good"),
    ],
)
def test_quotations_are_found_by_their_marks(text: str, inside: str) -> None:
    assert quoted(text) == inside


def test_a_quotation_that_is_never_closed_is_none() -> None:
    words = ["“", *["word"] * (LONGEST_QUOTE + 1), "“", "Yes", ",", "”"]
    assert find_speech(words).quote.nonzero()[0].tolist() == list(range(len(words) - 4, len(words)))


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ('" Go , " said Tom .', "Tom"),
        ('" Go , " said Mr. Holt angrily .', "Holt"),
        ('" Go , " said the old king to his son .', "king"),
        ('" Go , " he then answered .', "he"),
        ('" Go , " Ann Lee cried .', "Lee"),
        ('The old king quietly said , " Go . "', "king"),
        ('Ann asked : " Go ? "', "Ann"),
    ],
)
def test_a_verb_of_speech_shows_who_speaks(text: str, speaker: str) -> None:
    assert speakers(text) == {1: speaker}


def test_who_is_far_away_or_in_another_sentence_does_not_speak() -> None:
    assert speakers('" Go . " The door fell shut . Tom said nothing .') == {}


def test_what_goes_on_after_its_speaker_is_one_turn() -> None:
    turns = said('" I know , " said Tom , " you . " " Do you ? " said Ann .').turn.tolist()
    assert turns == [1] * 5 + [0] * 3 + [1] * 4 + [2] * 5 + [0] * 3


def test_who_is_named_behind_both_speaks_both() -> None:
    assert speakers('" Is it ? " said Tom . " It is , " said Ann .') == {1: "Tom", 2: "Ann"}


def test_after_a_long_pause_another_dialogue_begins() -> None:
    near = said('" Yes . " ' + "word " * (PAUSE - 4) + '" No . "').turn
    far = said('" Yes . " ' + "word " * PAUSE + '" No . "').turn
    assert near.max() == near[0] + 1
    assert far.max() > far[0] + 2


def test_turns_of_one_name_have_one_voice() -> None:
    voice = said('" I , " said Tom . " You ? " said Ann . " I , " said Tom .').voice.tolist()
    assert voice[1] == voice[17] > 0
    assert voice[9] not in (0, voice[1])
    assert said('" I , " he said .').voice.tolist()[1] == 0


def test_nothing_is_said_in_an_empty_text() -> None:
    assert [column.size for column in find_speech([])] == [0, 0, 0, 0]
