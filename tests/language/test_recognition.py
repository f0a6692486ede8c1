"""The language of a text is recognised, and English is not taken for another one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from corpora import corpus
from referee import formats
from referee.language.languages import LANGUAGES
from referee.language.recognition import FIRST, UNKNOWN, beginning_of, clearly_another, name_of, recognised
from referee.model import Text

pytest.importorskip("py3langid", reason="pip install 'referee-coref[resolve]'")
TEXTS = {
    "de": "Der Mann ging mit seinem Hund durch die Stadt, und er sah, dass die Leute nicht da waren.",
    "en": "The man walked his dog through the town, and he saw that the people were not there.",
    "fr": "L'homme se promenait avec son chien dans la ville, et il vit que les gens n'étaient pas là.",
    "hu": "A férfi a kutyájával sétált a városban, és látta, hogy az emberek nincsenek ott.",
    "ja": "男は犬を連れて町を歩いた。人々がいないことに気がついた。彼は家に帰った。",
    "nb": "Mannen gikk gjennom byen med hunden sin, og han så at folk ikke var der. Hva gjør de nå?",
    "nl": "De man liep met zijn hond door de stad, en hij zag dat de mensen er niet waren.",
    "nn": "Mannen gjekk gjennom byen med hunden sin, og han såg at folk ikkje var der. Kva gjer dei no?",
    "th": "ชายคนนั้นเดินเล่นกับสุนัขในเมือง และเขาเห็นว่าผู้คนไม่ได้อยู่ที่นั่น",
    "es": "El hombre paseaba con su perro por la ciudad, y vio que la gente no estaba allí.",
    "sv": "Mannen gick genom staden med sin hund, och han såg att människorna inte var där.",
    "da": "Manden gik gennem byen med sin hund, og han så, at folk ikke var der. Hvad gør de nu?",
    "ru": "Мужчина шёл по городу со своей собакой и увидел, что людей там нет.",
    "zh": "那个人带着狗在城里走，看见那里没有人。他回家了。",
}
DIALOGUE = "'' Hey . '' `` Yeah ? '' `` Gone ? '' `` Gone . '' Tom shrugged . `` Mary , Bill , Sue . '' " * 9
RECIPE = "2 cups flour , 1 teaspoon salt , 3 eggs , butter . Mix . Bake 20 minutes . Cool . Serve warm . " * 9
NAMES = "Alaska Gates Delta Frontier Hawaiian United JetBlue Spirit Terminal Avianca Sun Country Air " * 9


@pytest.mark.parametrize("code", TEXTS)
def test_languages_are_recognised(code: str) -> None:
    assert recognised(TEXTS[code]) == code
    assert bool(clearly_another(TEXTS[code], ["en"])) == (code != "en")
    assert clearly_another(TEXTS[code], [code, "en"]) == ""


@pytest.mark.parametrize(
    "text", ["", "Nein.", "12 34 == { } ( 100 % ) 200", "hsl ( 175 , 100 % , 80 % ) # T4 = hsl"]
)
def test_what_cannot_be_told_is_unknown(text: str) -> None:
    assert recognised(text) == UNKNOWN
    assert clearly_another(text, ["en"]) == ""


@pytest.mark.parametrize("text", [DIALOGUE, RECIPE, NAMES, "She met Mme Dubois at Le Bourget."])
def test_english_of_odd_kinds_is_not_clearly_another_language(text: str) -> None:
    assert clearly_another(text, ["en"]) == ""


def test_the_two_of_norway_are_told_apart_by_words_and_by_endings() -> None:
    same = "Konkurransen i kommunen var en av de store. "  # of both, as letters go
    assert recognised(same + "vanskeleg ordførarar mogleg dagane turistane") == "nn"
    assert recognised(same + "vanskelig ordførere mulig dagene turistene") == "nb"


def test_other_languages_have_names_or_codes() -> None:
    assert clearly_another(TEXTS["da"], ["en"]) == "Danish"
    assert name_of("eo") == "the language 'eo'"


def test_the_beginning_is_as_it_runs_or_words() -> None:
    assert beginning_of(Text("d", ("a", "b"), ((0, 2),))) == "a b"
    assert beginning_of(Text("d", (), (), running="x" * (FIRST + 9))) == "x" * FIRST


def passages(name: str, size: int, some: int) -> Iterator[str]:
    """Draw passages of words from a corpus."""
    draw = random.Random(size)
    documents = [document for document in formats.read(corpus(name)) if len(document.words) > size]
    for document in draw.sample(documents, min(some, len(documents))):
        start = draw.randrange(len(document.words) - size)
        yield " ".join(document.words[start : start + size])


@pytest.mark.parametrize("size", [40, 100, 400])
def test_no_passage_of_english_corpora_is_clearly_another_language(size: int) -> None:
    for name in ("ontogum/dev/conll", "litbank"):
        for passage in passages(name, size, 30):
            assert clearly_another(passage, ["en"]) == "", passage


@pytest.mark.parametrize("name", ["de_gerdracor", "hu_korkor", "nn_narc"])
def test_passages_of_twenty_words_are_recognised(name: str) -> None:
    code = name[:2]
    found = [recognised(passage) for passage in passages(f"languages/{name}/dev.jsonl", 20, 30)]
    assert sum(each == code for each in found) >= 0.96 * len(found), found
    assert set(found) <= {*LANGUAGES, UNKNOWN}
