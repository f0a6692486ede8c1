"""Lists as data: they are read, extended, and mistakes in a user's file are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.exceptions import FormatError, ProtocolError
from referee.resolvers.camp import GUIDELINE_NAMES
from referee.resolvers.camp.camp import Camp, boldness_for, knob
from referee.resolvers.camp.lexicon import guidelines_named, known_guidelines, lexicon


def test_nouns_and_names_are_sorted() -> None:
    words = lexicon()
    assert (words.nouns["teacher"], words.nouns["spoon"]) == ("persons", "things")
    assert (words.first_names["clara"], words.first_names["peter"]) == ("feminine", "masculine")


def test_a_user_adds_words_and_changes_numbers(tmp_path: Path) -> None:
    own = tmp_path / "my.toml"
    own.write_text(
        '[words]\nmasculine_titles = "tio"\n[windows]\npronoun = 2\n[person]\nname = 0.5\n', "utf-8"
    )
    words = lexicon(str(own))
    assert {"tio", "mr."} <= words["masculine_titles"]
    assert words.windows["pronoun"] == 2
    assert words.salience["person"]["name"] == 0.5
    assert lexicon().windows["pronoun"] != 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[words", "not TOML"),
        ("[wrods]\na = 'b'", r"no table \[wrods\]"),
        ("[words]\ntitels = 'b'", "has no 'titels'; did you mean titles"),
        ("[words]\ntitles = 3", "must be words in one string"),
        ("[windows]\npronoun = 'far'", "must be a number"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    own = tmp_path / "my.toml"
    own.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=message):
        lexicon(str(own))


def test_unknown_guidelines_are_refused() -> None:
    with pytest.raises(ProtocolError, match="did you mean litbank"):
        guidelines_named("litbnk")


def test_the_knob_is_in_order() -> None:
    rows = knob()
    assert [row["precision"] for row in rows] == sorted(row["precision"] for row in rows)
    assert [row["recall"] for row in rows] == sorted((row["recall"] for row in rows), reverse=True)


def test_the_boldest_setting_that_reaches_a_precision_is_taken() -> None:
    assert boldness_for(84) == (0.7, 0.0)
    assert boldness_for(99) == boldness_for(88)
    assert boldness_for(recall=True).threshold == 0
    assert boldness_for(100) == boldness_for(88.8) == (0.82, 2.0)
    assert boldness_for(0) == boldness_for(76) == (0.0, -1.0)
    for precision in (100.5, -0.5):
        with pytest.raises(ProtocolError, match=f"precision={precision} must be between"):
            boldness_for(precision)


def test_a_threshold_says_how_often_a_rule_must_be_right() -> None:
    assert boldness_for(threshold=0.6) == (0.6, 0.0)


def test_a_precision_beyond_what_was_measured_is_reported() -> None:
    assert Camp().notices == Camp(precision=88).notices == Camp(recall=True).notices == []
    assert Camp(precision=95).notices == [
        "precision=95 is more than was measured: the strictest setting is taken, 88.8 % on development texts"
    ]
    assert "precision=50 is less than was measured: the boldest setting" in Camp(precision=50).notices[0]


def test_the_guidelines_that_are_declared_are_those_of_the_file() -> None:
    assert tuple(known_guidelines()) == GUIDELINE_NAMES


def test_a_rule_is_judged_by_distance_where_that_was_measured() -> None:
    """Near is up to one sentence between, far is four or more; a rule without figures gets the usual one."""
    known = lexicon()
    near, midway, far = (known.measured("same string", apart) for apart in (1, 2, 4))
    assert near > midway > far
    assert known.measured("same string", 3) == midway
    assert known.measured("same I", 0) == known.measured("same I", 40) == known.precision["same I"]
    assert known.measured("headline", 1) == known.precision["other rules"] == 0.6


def test_countries_have_several_names() -> None:
    known = lexicon().countries
    assert known["america"] == known["u.s."] == "united states"
    assert "france" not in known
