"""The list of formats: whole, in an order in which each recognises its files, and loaded piece by piece."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import formats
from referee.formats.catalogue import OURS, WRITABLE
from referee.formats.format import Format, Later
from referee.formats.io.opening import SeekableFile

CONLL = b"#begin document (a); part 000\na 0 0 He (1)\n\n#end document\n"
CONLLU = b"# newdoc id = a\n# sent_id = 1\n1\tHe\the\tPRON\t_\t_\t0\troot\t_\tEntity=(e1)\n\n"
# What a file of each format begins with; some look like formats that come later in the list.
HEADS = {
    "conllua": b"# global.columns = ID FORM IDENTITY\n" + CONLLU,
    "korkor": b"# global.columns = ID FORM COREFHEAD COREFTYPE\n1\tHe\t_\tprs\n",
    "litbank": b"MENTION\tT0\t0\t0\t0\t1\tAnn Lee\tPER\tPROP\nCOREF\tT0\tAnn-0\n",
    "conllu-plus": b"# global.columns = ID FORM\n" + CONLLU,
    "old-line-ends": CONLL.replace(b"\n", b"\r"),
    "conllu": CONLLU,
    "brat": b"T1\tName 0 2\tHe\n",
    "sacr": b'#textid: a\n\n{M1:type="person" He} saw [him](#1).\n',
    "knowtator": b'<?xml version="1.0"?>\n<knowtator-project>\n    <document id="1">',
    "webanno": b"#FORMAT=WebAnno TSV 3.3\n",
    "cas-json": b'{"%TYPES": {}, "sentences": [["He"]]}',
    "label-studio": b'[{"data": {"text": "He"}, "annotations": []}]',
    "corpus-conll": b"#begin document x\na\tb\td\t0\t0\tHe\tTrue\t(1)\n\n",
    "doccano": b'{"text": "He", "entities": [{"start_offset": 0}]}',
    "prodigy": b'{"text": "He", "spans": [{"token_start": 0}]}',
    "mentions-json": b"[]",
    "mentions-documents": b'{"d": [[0, 0, "He", true]]}',
    "wec": b'[{"coref_chain": 1, "mention_context": ["He"]}]',
    "gvc": b"#begin document (a);\na.DCT 2016 DCT -\n",
    "token-tables": b"doc-id,event,sentence-idx,token-idx-from,token-idx-to\n",
    "emory": b'{"episodes": [{"scenes": [{"utterances": [{"tokens": [], "character_entities": []}]}]}]}',
    "parquet": b"PAR1",
    "crossdoc-jsonlines": b'{"doc_ids": ["a"], "sentences": [["He"]], "clusters": []}',
    "gap": b"ID\tText\tPronoun\tPronoun-offset\tA\n",
    "gap-decisions": b"development-1\tTRUE\tFALSE\n",
    "indiscrim": b'{"sentences": [{"tokens": []}], "coref_chains": []}',
    "marked-text": b"[He](#1) saw [him](#2).\n",
    "jsonlines": b'{"sentences": [["He"]], "clusters": [[[0, 0]]]}',
    "conll": CONLL,
    "ecbplus": b'<?xml version="1.0"?>\n<Document doc_name="1_1ecb.xml">',
    "mmax2": b'<?xml version="1.0"?>\n<words>',
    "muc": b"<DOC>\n<DOCID> 1 </DOCID>",
}


def recognised(path: Path, head: bytes) -> str | None:
    path.write_bytes(head)
    return formats.recognise(SeekableFile(str(path)))


@pytest.mark.parametrize("name", HEADS)
def test_each_format_recognises_its_files(name: str, tmp_path: Path) -> None:
    assert recognised(tmp_path / "file", HEADS[name]) == name
    assert recognised(tmp_path / "file", b"\xef\xbb\xbf" + HEADS[name]) == name


def test_the_heads_are_those_of_all_formats() -> None:
    written_only = {name for name, form in OURS.items() if form.part_of}
    assert {*HEADS, *written_only, "docbin"} == OURS.keys()


@given(st.sampled_from(list(HEADS.values())), st.sampled_from(list(HEADS.values())), st.data())
def test_no_recogniser_fails_whatever_the_bytes(one: bytes, other: bytes, data: st.DataObject) -> None:
    cut, end = data.draw(st.integers(0, len(one))), data.draw(st.integers(0, len(other)))
    mixed = one[:cut] + data.draw(st.binary(max_size=4)) + other[:end] + one[cut:]
    for form in OURS.values():
        assert form.looks_like(mixed) in (True, False)


@pytest.mark.parametrize("name", OURS)
def test_formats_are_whole(name: str) -> None:
    form = OURS[name]
    assert form.label
    assert not form.counterpart or OURS[form.counterpart].across
    assert form.write is None or form.contents is None
    assert (name in WRITABLE) == form.is_written
    for field in Format.__slots__:
        if isinstance(function := getattr(form, field), Later):
            module, _, attribute = function.place.partition(":")
            assert callable(getattr(import_module(f"referee.formats.{module}"), attribute))


@pytest.mark.parametrize(
    ("name", "rooms"),
    [("conll", {"conll"}), ("jsonlines", {"jsonlines"}), ("conllu", {"conllu", "conll"})],
)
def test_a_file_is_read_without_the_readers_of_other_formats(
    name: str, rooms: set[str], tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(HEADS[name])
    code = "import sys; from referee import formats; formats.read(sys.argv[1]); print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    loaded = [module.split(".") for module in shown.stdout.split() if module.startswith("referee.formats.")]
    assert {parts[2] for parts in loaded if len(parts) > 3} - {"io"} == rooms
