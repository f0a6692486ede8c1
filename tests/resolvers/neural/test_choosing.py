"""What people ask for in plain words, and the guidelines that are chosen for them, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee
from referee.exceptions import SettingError
from referee.language.narration import NOVEL
from referee.model import Document, Text
from referee.resolvers.base import raw_text, resolver_named
from referee.resolvers.notices import Choice, choices_in_words
from toy_model import write_toy

for library in ("onnxruntime", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")

TALE = "“ Come , ” he cried . She had gone before he came to her . "
STORY = "Clara opened the door. She smiled. Peter left."


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_toy(tmp_path_factory.mktemp("toy"), guidelines=["ontonotes", "litbank"]))


def choice(text: Text, **settings: Any) -> Choice | None:
    return resolver_named("neural", **settings).choice_for(text)


def novel() -> str:
    return TALE * (NOVEL // len(TALE.split()) + 1)


def test_a_novel_gets_litbanks_guidelines_and_all_others_the_models_first(toy: str) -> None:
    long = choice(raw_text("d", novel()), model=toy)
    assert long is not None
    assert long.guidelines == "litbank"
    assert str(long).startswith("guidelines of litbank, because it is a long story: 1,9")
    short = choice(raw_text("d", TALE), model=toy)
    assert short is not None
    assert (short.guidelines, short.reason) == ("ontonotes", "a story of 16 words only")
    report = choice(raw_text("d", "The pump is 3 years old and has 2 valves. " * 300), model=toy)
    assert report is not None
    assert report.guidelines == "ontonotes"
    assert report.reason.startswith("not a story")


def test_guidelines_that_are_given_and_those_of_a_corpus_stay(toy: str, tmp_path: Path) -> None:
    words = tuple(novel().split())
    text = Text("d", words, ((0, len(words)),))
    assert choice(raw_text("d", novel()), model=toy, guidelines="ontonotes") is None
    assert choice(text, model=toy) is None
    found = choice(text, model=toy, find="recurring")
    assert found is not None
    assert found.guidelines == "litbank"
    other = str(write_toy(tmp_path, guidelines=["gum"]))
    assert choice(raw_text("d", novel()), model=other) is None


def test_the_guidelines_that_are_chosen_are_those_of_the_work(
    toy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.resolvers.neural.running import Model

    asked: list[int | None] = []
    resolve = Model.resolve

    def noted(self: Model, *arguments: Any, **how: Any) -> Any:
        asked.append(how.get("guideline"))
        return resolve(self, *arguments, **how)

    monkeypatch.setattr(Model, "resolve", noted)
    told = referee.resolve(novel(), resolver="neural", model=toy)
    assert told.choice is not None
    assert told.to_dict()["guidelines"] == "litbank"
    assert referee.resolve([TALE], resolver="neural", model=toy)[0].choice == choice(
        raw_text("0", TALE), model=toy
    )
    assert (
        "guidelines"
        not in referee.resolve(TALE, resolver="neural", model=toy, guidelines="litbank").to_dict()
    )
    referee.resolve(novel(), resolver="neural", model=toy)
    referee.resolve(TALE, resolver="neural", model=toy)
    referee.resolve(TALE, resolver="neural", model=toy, guidelines="litbank")
    assert asked[-3:] == [1, 0, 1]


@pytest.mark.parametrize(
    ("find", "found"),
    [
        ("everything", [["Clara", "She"], ["door"], ["Peter"]]),
        ("recurring", [["Clara", "She"]]),
        ("people", [["Clara", "She"], ["Peter"]]),
        (None, [["Clara", "She"]]),
    ],
)
def test_what_is_found(find: str | None, found: list[list[str]], toy: str) -> None:
    result = referee.resolve(STORY, resolver="neural", model=toy, find=find)
    assert sorted(result.get_clusters()) == sorted(found)
    assert isinstance(result.document, Document)


def test_find_and_singletons_exclude_each_other(toy: str) -> None:
    with pytest.raises(SettingError, match="find= and singletons= exclude each other"):
        resolver_named("neural", model=toy, find="people", singletons="keep")
    with pytest.raises(SettingError, match="find='persons' must be one of everything, recurring, people"):
        resolver_named("neural", model=toy, find="persons")


def test_choices_are_said_in_one_line() -> None:
    one, other = Choice("litbank", "a long story"), Choice("ontonotes", "not a story")
    assert choices_in_words({}) == []
    assert choices_in_words({"a": one}) == ["guidelines of litbank, because it is a long story"]
    assert choices_in_words({"a": other, "b": one, "c": other}) == [
        "guidelines of ontonotes for 2, of litbank for 1 of 3 texts, by genre and length"
    ]
