"""MMAX2 as in ARRAU: words, markables, minimum spans, and XML that must not be trusted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee import FormatError, Mention, read
from referee.formats.corpora.mmax2 import spans_of

DATA = Path(__file__).parents[2] / "data" / "arrau"
COREF = "markables/ferry_coref_level.xml"


def test_words_sentences_clusters_and_minimum_spans() -> None:
    (document,) = read(DATA)
    assert document.id == "ferry"
    assert document.words[:5] == ("The", "old", "ferry", "to", "Ellery")
    assert document.sentences == ((0, 7), (7, 13))
    clusters = {cluster.id: cluster.mentions for cluster in document.clusters}
    assert clusters == {
        "set_1": (Mention.at(0, 5), Mention.at(10, 11)),
        "markable_2": (Mention.at(4, 5),),
        "set_2": (Mention(((0, 3), (5, 6))),),
    }
    assert clusters["set_1"][0].minimum == ((2, 3),)  # min_ids
    assert clusters["set_2"][0].minimum == ((1, 3),)  # min_words, looked for
    assert clusters["set_1"][1].minimum is None


def test_what_refers_to_nothing_is_no_mention_and_said() -> None:
    (notice,) = read(DATA).notices
    assert notice.endswith("ferry_coref_level.xml:6: markables that refer to nothing are not mentions")


def test_a_words_file_leads_to_its_levels_wherever_they_are(tmp_path: Path) -> None:
    for file in (*DATA.glob("Basedata/*"), *DATA.glob("markables/*")):
        shutil.copy(file, tmp_path)
    (document,) = read(tmp_path / "ferry_words.xml")
    assert len(document.clusters) == 3
    (tmp_path / "ferry_coref_level.xml").unlink()
    with pytest.raises(FormatError, match=r"there is no ferry_coref_level.xml in markables or Markables"):
        read(tmp_path / "ferry_words.xml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "word_1..word_5",
            "word_1..word_99",
            r"coref_level.xml:4: the span '.*' names 'word_99', which is not a",
        ),
        ("word_1..word_5", "word_5..word_1", r"coref_level.xml:4: the span '.*' ends before it begins"),
        ("</markables>", "", "coref_level.xml:10: not well-formed XML: no element found"),
        ('SYSTEM "markables.dtd"', '[<!ENTITY a "b">]', "declares or uses an entity"),
    ],
)
def test_broken_files_are_refused_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    path = tmp_path / COREF
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('min_ids="word_3"', 'min_ids="word_9"', "min_ids that are not inside the markable"),
        ('min_words="OLD ferry"', 'min_words="new ferry"', "min_words 'new ferry' are not in the markable"),
    ],
)
def test_a_minimum_elsewhere_is_left_out_and_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    path = tmp_path / COREF
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert any(said in notice for notice in read(tmp_path).notices)


def test_spans_that_touch_are_one() -> None:
    place = {f"word_{n}": n for n in range(9)}
    assert spans_of("word_1..word_2,word_3,word_6", place, "here") == ((1, 4), (6, 7))
    assert spans_of("word_6,word_1", place, "here") == ((1, 2), (6, 7))


def test_another_attribute_has_the_sets(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    path = tmp_path / COREF
    text = path.read_text(encoding="utf-8").replace("coref_set=", "coref_class=")
    path.write_text(text.replace('reference="non_referring"', 'type="pleonastic"'), encoding="utf-8")
    assert read(tmp_path).document(0) == read(DATA).document(0)
    path.write_text(path.read_text(encoding="utf-8").replace("coref_class=", "group="), encoding="utf-8")
    assert any("no markable has coref_set or coref_class" in notice for notice in read(tmp_path).notices)


def test_the_scheme_names_level_and_attribute(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / COREF).read_text(encoding="utf-8").replace("coref_set=", "chain=")
    (tmp_path / COREF).unlink()
    (tmp_path / "markables/ferry_anaphora_level.xml").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"there is no ferry_coref_level\.xml in markables"):
        read(tmp_path)
    (tmp_path / "common_paths.xml").write_text(
        '<common_paths><scheme_path>Schemes/</scheme_path><annotations><level name="sentence"/>'
        '<level name="anaphora" schemefile="anaphora_scheme.xml">$_anaphora_level.xml</level>'
        "</annotations></common_paths>",
        encoding="utf-8",
    )
    (tmp_path / "Schemes").mkdir()
    (tmp_path / "Schemes/anaphora_scheme.xml").write_text(
        '<annotationscheme><attribute id="1" name="mention" type="nominal_list"/>'
        '<attribute id="2" name="Chain" type="markable_set"/></annotationscheme>',
        encoding="utf-8",
    )
    assert read(tmp_path).document(0) == read(DATA).document(0)
