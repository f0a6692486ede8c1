"""Of several installed models, the first that knows a text's language reads it, and it is said which."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.exceptions import FormatError, SettingError, SettingWarning
from referee.model import Cluster, Document, Mention, Text
from referee.model.text import Zero
from referee.resolvers.base import raw_text, resolver_named
from referee.resolvers.neural import models
from referee.resolvers.neural.models import InstalledModel
from referee.resolvers.notices import Choice, choices_in_words
from toy_model import write_toy

for library in ("onnxruntime", "py3langid", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")

GERMAN = "Der alte Mann ging mit Anna langsam durch den Garten, z. B. am 3. Mai, und sie sah die Blumen an."
ENGLISH = "Anna opened the door of the old house. She smiled at the people, and they left."
SPANISH = "El hombre viejo caminaba despacio por el jardín con Ana, y ella miraba las flores de la casa."
OF_TWO = {"gerdracor": "de", "korkor": "hu"}


@pytest.fixture(autouse=True)
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a model for English and one for two others."""
    known = {
        "en": write_toy(tmp_path / "en", language="English", guidelines=["ontonotes", "litbank"]),
        "multi": write_toy(tmp_path / "multi", guidelines=list(OF_TWO), languages=OF_TWO),
    }
    installed = {name: InstalledModel(name, "1.0", folder) for name, folder in known.items()}
    monkeypatch.setattr(models, "installed_models", lambda: installed)


def chosen(text: str, **settings: str) -> Choice:
    choice = resolver_named("neural", **settings).choice_for(raw_text("d", text))
    assert choice is not None
    return choice


def test_the_model_is_chosen_by_the_language_that_is_recognised_or_given() -> None:
    german, english = chosen(GERMAN), chosen(ENGLISH)
    assert (german.model, german.language, german.guidelines) == ("multi", "German", "")
    assert str(german) == "German, read by the model multi"
    assert (english.model, english.language, english.guidelines) == ("en", "English", "ontonotes")
    assert chosen(ENGLISH, language="hu").model == "multi"  # he who says so is believed
    assert chosen(GERMAN, model="multi").model == "multi"
    assert referee.resolve(GERMAN, "neural").to_dict()["language"] == "German"


def test_a_language_that_no_model_knows_is_refused_with_all_that_are_known() -> None:
    with pytest.raises(FormatError, match=r"looks like Spanish; the models know English \(en\), Ger"):
        referee.resolve(SPANISH, "neural")
    with pytest.warns(SettingWarning, match="the models know English, German, Hungarian"):
        assert referee.resolve(SPANISH, "neural", language="any").choice == Choice(
            model="multi", language="German", doubt="it looks like Spanish"
        )
    with pytest.raises(SettingError, match=r"language='es' must be one of en, de, hu, any"):
        referee.resolve(SPANISH, "neural", language="es")


def test_it_is_said_where_a_text_may_be_in_another_language() -> None:
    assert chosen(ENGLISH, language="hu").doubt == "it looks like English"
    unknown = str(chosen("Anna?", model="multi"))
    assert unknown.startswith("German, read by the model multi; it has too few letters")
    mixed = f"{ENGLISH} {ENGLISH} {GERMAN}"
    assert chosen(mixed).language == "English"
    assert "parts look like another language (German in 2 of 4" in str(chosen(mixed))
    assert not chosen(f"{ENGLISH} {ENGLISH}").doubt
    twice = Choice(model="multi", language="Dutch", doubt="it looks like Spanish")
    assert choices_in_words({"a": twice, "b": twice, "c": twice._replace(doubt="")}) == [
        "of 3 texts 3 in Dutch, read by the model multi",
        "2 of 3 texts: it looks like Spanish",
    ]


def test_guidelines_of_another_language_are_refused() -> None:
    with pytest.raises(SettingError, match=r"d: the model en, which knows English, has no .*'korkor'"):
        resolver_named("neural", guidelines="korkor").choice_for(raw_text("d", ENGLISH))


def test_the_command_says_which_model_read_what(tmp_path: Path) -> None:
    for name, text in (("a", GERMAN), ("b", ENGLISH)):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    given = ["resolve", str(tmp_path / "a.txt")]
    one = CliRunner().invoke(main, given)
    assert one.exit_code == 0
    assert "resolved by neural, a model for each language: en 1.0, multi 1.0" in one.stderr
    assert "German, read by the model multi" in one.stderr
    both = CliRunner().invoke(main, [*given, str(tmp_path / "b.txt")])
    assert "of 2 texts 1 in German, read by the model multi; 1 in English, read by" in both.stderr
    folder = CliRunner().invoke(main, [*given, "-o", f"{tmp_path / 'out'}/"])
    assert "a.txt: German, read by the model multi" in folder.stderr


def test_what_has_rules_for_english_alone_is_refused_for_other_languages(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(GERMAN, "utf-8")
    for option in (["--replace"], ["--pseudonyms", str(tmp_path / "t.json")], ["--characters"]):
        refused = CliRunner().invoke(main, ["resolve", str(tmp_path / "a.txt"), *option])
        assert refused.exit_code == 1, option
        assert "a: this looks like German" in refused.stderr
        assert "English texts alone" in refused.stderr
    people = CliRunner().invoke(main, ["resolve", str(tmp_path / "a.txt"), "--find", "people"])
    assert people.exit_code == 1
    assert "is for English texts alone; this one is in German" in people.stderr


def test_zeros_that_are_given_are_resolved_where_they_belong() -> None:
    words = ("Anna", "eljött", ".", "Peter", "látta", ".", "_", "_")
    text = Text("d", words, ((0, 3), (3, 6)), zeros=(Zero(1), Zero(5)))
    gold = (Cluster("1", (Mention.at(0, 1), Mention.at(6, 7))), Cluster("2", (Mention.at(3, 4),)))
    linked = resolver_named("neural", model="multi", language="hu", mentions="gold", singletons="keep")
    answer = linked.respond_to(Document(text, gold))
    assert {m.spans for m in answer.mentions} == {((0, 1),), ((3, 4),), ((6, 7),)}
    assert answer.text == text


def test_languages_of_several_texts_are_counted() -> None:
    one, other = Choice(model="multi", language="Dutch"), Choice("litbank", "long", "en", "English")
    assert choices_in_words({"a": one, "b": one, "c": other}) == [
        "of 3 texts 2 in Dutch, read by the model multi; 1 in English, read by the model en",
        "guidelines of litbank for 1 of 3 texts, by genre and length",
    ]


def test_the_component_of_spacy_takes_blank_pipelines_of_any_language() -> None:
    spacy = pytest.importorskip("spacy", reason="pip install 'referee-coref[nlp]'")
    found = {}
    for code, text in (("de", GERMAN), ("en", ENGLISH)):
        pipeline = spacy.blank(code)
        pipeline.add_pipe("referee", config={"resolver": "neural"})
        doc = pipeline(text)
        found[code] = doc._.coref_clusters, doc._.resolved_text
    assert found["de"] == ([], "")  # names are put for pronouns in English alone
    assert found["en"][0]
    assert found["en"][1].startswith("Anna opened the door of the old house. Anna smiled")


def test_texts_are_linked_by_the_first_model_that_can_or_refused_at_once(tmp_path: Path) -> None:
    texts = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in texts:
        path.write_text(ENGLISH, "utf-8")
    refused = CliRunner().invoke(main, ["link", *map(str, texts), "-o", str(tmp_path / "out.json")])
    assert refused.exit_code == 2
    assert "the model en has nothing for documents together" in refused.output
    with pytest.raises(
        SettingError, match=r"the model multi has nothing .*: pip install referee-coref-link-en"
    ):
        models.linking_model("multi")
    (tmp_path / "multi" / models.ACROSS).write_text("{}")
    assert models.linking_model().name == models.linking_model("multi").name == "multi"
