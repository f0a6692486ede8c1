"""XML is read with its lines, and without what an attack would use."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import FormatError
from referee.formats.io.opening import SeekableFile
from referee.formats.io.xml import Element, parse


def parsed(path: Path, xml: str, *, largest: int = 2**20, typed: bool = True) -> Element:
    path.write_text(xml, encoding="utf-8")
    return parse(SeekableFile(str(path)), largest, typed=typed)


def test_elements_have_attributes_text_children_and_lines(tmp_path: Path) -> None:
    root = parsed(tmp_path / "a.xml", "<a>\n<b k='v'>one<c/>two</b>\n<d><c>x</c></d><b/></a>")
    first, second = root.within("b")
    assert (root.tag, first.get("k"), first.get("x"), first.text, first.line) == ("a", "v", "", "one", 2)
    assert second.text == ""
    assert [inner.text for inner in root.within("*", "c")] == ["", "x"]


@pytest.mark.parametrize("encoding", ["UTF-1", "EUC-JP", "rot13", "x y"])
def test_encodings_that_are_not_read_are_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(FormatError, match=r"a.xml:1: (declares an encoding|not well-formed)"):
        parsed(tmp_path / "a.xml", f'<?xml version="1.0" encoding="{encoding}"?><a>e</a>')


def test_an_encoding_that_is_read_is_the_one_declared(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes('<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\xe9</a>'.encode("latin-1"))
    assert parse(SeekableFile(str(path))).text == "caf\xe9"


def test_files_that_are_too_large_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a.xml: more than 0 MiB"):
        parsed(tmp_path / "a.xml", "<a>" + "x" * 50 + "</a>", largest=50)


def test_a_document_type_is_refused_where_no_corpus_has_one(tmp_path: Path) -> None:
    xml = "\n<!DOCTYPE a SYSTEM 'a.dtd'><a/>"
    assert parsed(tmp_path / "a.xml", xml).tag == "a"
    with pytest.raises(FormatError, match=r"a.xml:2: declares a document type, 'a'"):
        parsed(tmp_path / "a.xml", xml, typed=False)


def test_long_texts_and_deep_nesting_cost_no_more_than_their_length(tmp_path: Path) -> None:
    deep = parsed(tmp_path / "a.xml", "<a>" * 100_000 + "</a>" * 100_000)
    assert len(list(deep.within("a", "a"))) == 1
    assert len(parsed(tmp_path / "b.xml", f"<a>{'x&#10;' * 500_000}</a>", largest=2**23).text) == 10**6


def test_entities_do_not_blow_up(tmp_path: Path) -> None:
    layers = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    attack = f'<!DOCTYPE words [<!ENTITY e0 "ha">{layers}]><words><word id="word_1">&e11;</word></words>'
    with pytest.raises(FormatError, match=r"attack.xml:1: declares or uses an entity"):
        parsed(tmp_path / "attack.xml", attack)


def test_entities_that_nobody_declares_are_refused(tmp_path: Path) -> None:
    words = '<!DOCTYPE words SYSTEM "words.dtd"><words><word id="w">a&nbsp;b</word></words>'
    with pytest.raises(FormatError, match="declares or uses an entity"):
        parsed(tmp_path / "words.xml", words)


def test_external_entities_are_not_read(tmp_path: Path) -> None:
    attack = (
        '<!DOCTYPE words [<!ENTITY e SYSTEM "file:///etc/hostname">]><words><word id="w">&e;</word></words>'
    )
    with pytest.raises(FormatError, match="declares or uses an entity"):
        parsed(tmp_path / "attack.xml", attack)
