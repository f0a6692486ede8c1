"""Words of closed classes in each language: what all tables must have, and how words are looked up."""

import numpy as np
import pytest

from referee.exceptions import SettingError
from referee.language.languages import LANGUAGES
from referee.language.word_classes import DETERMINERS, PRONOUNS, classes_of, languages
from referee.resolvers.neural.features import ALL_PRONOUN_CLASSES, describe_words

OPEN = PRONOUNS.index("open") + 1


def test_each_language_that_is_cut_has_a_table_and_the_other_way_round() -> None:
    assert languages() == sorted(LANGUAGES)


@pytest.mark.parametrize("language", languages())
def test_a_table_has_the_persons_and_classes_that_models_know(language: str) -> None:
    known = classes_of(language)
    assert {1, 2, 3} <= set(known.pronouns.values()) <= set(range(1, ALL_PRONOUN_CLASSES))
    assert set(known.determiners.values()) <= set(range(1, len(DETERMINERS) + 1))
    assert set(known.determiners) - set(classes_of("en").determiners) <= set(known.light)
    assert not known.masculine & known.feminine
    assert list(known.endings) == sorted(known.endings, key=len, reverse=True)


def test_only_english_has_no_word_of_the_last_class() -> None:
    without = [code for code in languages() if OPEN not in classes_of(code).pronouns.values()]
    assert without == ["en"]


def test_words_are_looked_up_as_they_are_written_first() -> None:
    words = describe_words(["Kommen", "Sie", ",", "sagte", "sie"], np.zeros(5, np.int64), language="de")
    assert words.pronoun.tolist() == [0, 3, 0, 0, OPEN]


def test_an_ending_makes_no_other_word_and_short_words_keep_theirs() -> None:
    forms = describe_words(["Königs", "König", "Er", "es"], np.zeros(4, np.int64), language="de").form
    assert forms[0] == forms[1] != forms[2] != forms[3]


def test_german_nouns_are_no_names_because_of_their_capital() -> None:
    text = ["Faust", "sah", "den", "Hund", "und", "ein", "Hund", "sah", "Faust"]
    words = describe_words(text, np.zeros(len(text), np.int64), language="de")
    assert [word for word, capital in zip(text, words.capital, strict=True) if capital] == ["Faust", "Faust"]
    norwegian = describe_words(["Hunden", "til", "Kari"], np.zeros(3, np.int64), language="nb")
    assert norwegian.capital.tolist() == [2, 0, 1]


def test_the_head_of_a_thai_phrase_is_its_first_word() -> None:
    words = describe_words(["นัก", "ชก", "มวยไทย"], np.zeros(3, np.int64), language="th")
    assert words.until.tolist() == [1, 2, 3]


def test_the_head_of_a_speakers_label_is_the_name() -> None:
    words = describe_words(["FAUST", ".", "Wer", "?"], np.zeros(4, np.int64), language="de")
    assert words.until.tolist()[0] == 1


def test_quotation_marks_are_those_of_the_language() -> None:
    text = ["„", "Ja", "“", "sagte", "er"]
    by_language = {
        code: describe_words(text, np.zeros(len(text), np.int64), language=code).quote.tolist()
        for code in ("de", "en")
    }
    assert by_language == {"de": [1, 1, 1, 0, 0], "en": [0, 0, 0, 0, 0]}


def test_a_language_without_a_table_is_refused() -> None:
    with pytest.raises(SettingError, match="no table of words for language='sv', only for de, en"):
        classes_of("sv")
