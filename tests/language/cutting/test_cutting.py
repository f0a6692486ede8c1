"""Running text of each language is cut into words and sentences, whose characters are those of the text."""

from __future__ import annotations

import importlib.util
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.exceptions import MissingExtra, SettingError
from referee.language.cutting import segmenters
from referee.language.cutting.rules import rules_of
from referee.language.cutting.segmenters import SEGMENTERS
from referee.language.cutting.texts import cut_raw
from referee.language.cutting.words import UNSEEN, cut_words
from referee.language.languages import LANGUAGES
from referee.model import Text

UNINSTALLED = {"ja": "sudachipy", "th": "pythainlp"}
CASES = {
    "de": [
        ("„Geh weg!“ sagte Dr. Müller.", ["„ Geh weg ! “ sagte Dr. Müller ."]),
        ("»Ja?« fragte sie. »Nein!« Er ging.", ["» Ja ? « fragte sie .", "» Nein ! «", "Er ging ."]),
        ("«Ja?» fragte sie. «Nein!» Er ging.", ["« Ja ? » fragte sie .", "« Nein ! »", "Er ging ."]),
        ("Am 3. Mai, z. B. und u. a. im 19. Jahrhundert.",
         ["Am 3. Mai , z. B. und u. a. im 19. Jahrhundert ."]),
        ("Brot usw. Er aß. Friedrich II. kam.", ["Brot usw.", "Er aß .", "Friedrich II. kam ."]),
        ("Er hat's. Im Kriegs- und U-Boot.", ["Er hat ' s .", "Im Kriegs- und U-Boot ."]),
    ],
    "nb": [
        ("«Hva?» spurte Carl I. Hagen.", ["« Hva ? » spurte Carl I. Hagen ."]),
        ("Fr.p.-formannen kom 17. mai. Det var 3. Han gikk.",
         ["Fr.p.-formannen kom 17. mai .", "Det var 3 .", "Han gikk ."]),
        ("Epler, pærer osv. Han spiste bl.a. dem på Dagbladet.no.",
         ["Epler , pærer osv.", "Han spiste bl.a. dem på Dagbladet.no ."]),
        ("Tros- og 1800-tallet, pc'en.", ["Tros- og 1800-tallet , pc'en ."]),
    ],
    "nn": [("Ho er eldre enn eg. Kva t.d. 2. mai?", ["Ho er eldre enn eg .", "Kva t.d. 2. mai ?"])],
    "nl": [
        ("„Heb 'k 't gezegd?” vroeg-ie.", ["„ Heb 'k 't gezegd ? ” vroeg -ie ."]),
        ("Z'n collega's uit 's-Gravenhage enz. Mevr. De Vries kwam.",
         ["Z'n collega's uit 's-Gravenhage enz.", "Mevr. De Vries kwam ."]),
    ],
    "hu": [
        ("„Igen” – mondta II. Rákóczi 2012. május 14-én.",
         ["„ Igen ” – mondta II. Rákóczi 2012. május 14-én ."]),
        ("Az EU-s tag stb. Aztán elment.", ["Az EU-s tag stb.", "Aztán elment ."]),
    ],
    "fr": [
        ("« Viens ! » dit-elle. M. Dupont vint.", ["« Viens ! » dit - elle .", "M. Dupont vint ."]),
        ("L’homme qu'il aime a-t-il aujourd'hui peut-être faim ?",
         ["L’ homme qu' il aime a -t- il aujourd'hui peut-être faim ?"]),
        ("Chez lui-même, Aix-en-Provence.", ["Chez lui-même , Aix-en-Provence ."]),
    ],
    "ja": [
        ("「行く。」と彼は言った。雨だ！", ["「 行く 。 」 と 彼 は 言っ た 。", "雨 だ ！"]),
        ("題\n彼は 学生だ", ["題", "彼 は 学生 だ"]),
    ],
    "th": [("แม่และพ่อ 12,000 บาท!\nเขาไป", ["แม่ และ พ่อ 12,000 บาท !", "เขา ไป"])],
}  # fmt: skip


def known(language: str) -> bool:
    return language not in UNINSTALLED or importlib.util.find_spec(UNINSTALLED[language]) is not None


def cut(text: str, language: str) -> Text:
    return cut_raw(Text("d", (), (), running=text), language)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [(language, *case) for language, cases in CASES.items() for case in cases],
)
def test_words_and_sentences(language: str, text: str, expected: list[str]) -> None:
    if not known(language):
        pytest.skip("its segmenter is not installed")
    made = cut(text, language)
    assert [" ".join(made.words[start:end]) for start, end in made.sentences] == expected


@pytest.mark.parametrize("language", [language for language in LANGUAGES if known(language)])
@given(
    text=st.text(
        st.sampled_from("aÉz.A'’-«»„“\"!? \n\r\t1,ก เ๑า。「」日本ひらカ\u3000\u200b\u0301😀@#"), max_size=40
    )
)
def test_every_visible_character_is_in_one_word(language: str, text: str) -> None:
    made = cut(text, language)
    edges = [edge for span in made.characters for edge in span]
    assert edges == sorted(edges)
    assert [text[start:end] for start, end in made.characters] == list(made.words)
    unseen = UNSEEN.encode().decode("unicode_escape")
    outside = text
    for start, end in reversed(made.characters):
        assert text[start:end].strip() == text[start:end] != ""
        outside = outside[:start] + outside[end:]
    assert not [sign for sign in outside if not sign.isspace() and sign not in unseen]
    assert [word for start, end in made.sentences for word in range(start, end)] == list(range(made.length))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if known(language)])
@pytest.mark.parametrize(
    "piece", ["-", "a-", "a'", "z. ", "a.", "1.", "'", "qu'", "-t-", "ก", "日", "。", "a.no"]
)
def test_no_text_takes_longer_than_its_length(language: str, piece: str) -> None:
    started = time.monotonic()
    cut_words(piece * (40_000 // len(piece)), language)
    assert time.monotonic() - started < 3


def test_a_segmenter_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    for language, package in (("ja", "SudachiPy"), ("th", "PyThaiNLP")):
        with pytest.raises(MissingExtra, match=f"{package} is not installed"):
            cut_words("日本", language)


def test_a_segmenter_that_changes_the_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEGMENTERS, "th", lambda text: segmenters._spans(text, lambda part: [part.upper()]))
    with pytest.raises(Exception, match="the segmenter changed the text"):
        cut_words("ab", "th")


def test_an_unknown_language_is_refused_with_those_known() -> None:
    with pytest.raises(SettingError, match=r"there are de \(German\)"):
        cut_words("a", "xx")


def test_each_language_has_rules() -> None:
    for language in LANGUAGES:
        assert rules_of(language).closes
