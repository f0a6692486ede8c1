"""A model knows some languages: texts in others are refused, and each is cut and read by its own rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee
from referee.exceptions import FormatError, SettingError, SettingWarning
from referee.formats.failures import AllFailedError
from referee.model import Cluster, Document, DocumentCorpus, Mention, Text
from referee.resolvers.base import raw_text, resolver_named
from referee.resolvers.resolved import Resolved
from toy_model import write_toy

for library in ("onnxruntime", "py3langid", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")

GERMAN = "Der alte Mann ging mit Anna langsam durch den Garten, z. B. am 3. Mai, und sie sah die Blumen an."
ENGLISH = "Anna opened the door of the old house. She smiled at the people, and they left."


def resolved(text: Any, toy: Path, **settings: Any) -> Resolved:
    result = referee.resolve(text, resolver="neural", model=str(toy), **settings)
    assert isinstance(result, Resolved)
    return result


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy(tmp_path_factory.mktemp("toy"), language="English")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a model of two guidelines, each for a language."""
    folder = tmp_path_factory.mktemp("two")
    return write_toy(folder, guidelines=["ontonotes", "gerdracor"], languages={"gerdracor": "de"})


def test_a_text_in_another_language_is_refused_with_what_to_do(english: Path) -> None:
    with pytest.raises(
        FormatError, match=r"^0: this looks like German; the model knows English \(en\); .*'any'"
    ):
        resolved(GERMAN, english)
    assert resolved(ENGLISH, english).get_clusters() == [["Anna", "She"]]


def test_any_language_is_resolved_if_that_is_asked_for_and_said(english: Path) -> None:
    with pytest.warns(SettingWarning, match="language='any': the model knows English"):
        assert resolved(GERMAN, english, language="any").get_clusters() == []
    assert resolved(GERMAN, english, language="en").get_clusters() == []  # he who says so is believed


def test_a_corpus_in_another_language_is_refused_too(english: Path) -> None:
    words = tuple(GERMAN.split())
    document = Document(Text("d", words, ((0, len(words)),)), (Cluster("1", (Mention.at(0, 3),)),))
    with pytest.raises(AllFailedError, match="d: this looks like German"):
        referee.resolve(DocumentCorpus([document]), resolver="neural", model=str(english))


def test_languages_that_the_model_does_not_know_are_refused(english: Path) -> None:
    with pytest.raises(SettingError, match=r"language='de' must be one of en, any"):
        resolved(GERMAN, english, language="de")


def test_a_model_that_says_nothing_of_languages_refuses_no_text(tmp_path: Path) -> None:
    assert resolved(GERMAN, write_toy(tmp_path)).get_clusters() == []


def test_the_language_is_recognised_and_its_rules_are_taken(two: Path) -> None:
    cut = resolved(GERMAN, two).document
    assert "3." in cut.text.words  # a number with a dot is one word in German
    assert "3." not in resolved(GERMAN, two, language="en").document.text.words
    with pytest.warns(SettingWarning, match="knows English, German;"):
        assert resolved(GERMAN, two, language="any").document == cut


def test_guidelines_of_novels_are_for_english_alone(tmp_path: Path) -> None:
    toy = write_toy(tmp_path, guidelines=["litbank", "gerdracor"], languages={"gerdracor": "de"})
    german, english = (
        resolver_named("neural", model=str(toy)).choice_for(raw_text("d", text)) for text in (GERMAN, ENGLISH)
    )
    assert german is not None
    assert german.guidelines == ""
    assert english is not None
