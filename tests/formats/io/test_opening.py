"""Files are read however they come: with a byte order mark, packed, or through a pipe."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import referee
from referee import Document, FormatError, formats
from referee.analysis.antecedents import read_antecedents
from referee.formats.io import opening
from referee.formats.io.opening import SeekableFile, read_text
from referee.language.added_layers import ConlluLayers
from referee.language.trees.parse_files import ParseFiles
from referee.matching.units import read_groups
from referee.model import DocumentCorpus
from small_corpora import cat_xml

MARK = b"\xef\xbb\xbf"
DATA = Path(__file__).parents[2] / "data"
ROW = "t\tt_s\tx\t0\t{}\t{}\tTrue\t{}\n"
TEXTS = {
    "conll": "#begin document x\nhe\t(1)\nhim\t(1)\n#end document\n"
    "#begin document y\nwe\t(1)\n#end document\n",
    "without begin lines": "0\the\t(1)\n1\thim\t(1)\n",
    "crossdoc conll": "#begin document all\n" + ROW.format(0, "he", "(1)") + ROW.format(1, "him", "(1)"),
    "jsonlines": '{"doc_key": "x", "sentences": [["he", "him"]], "clusters": [[[0, 0], [1, 1]]]}\n',
    "crossdoc json": '{"doc_ids": ["x"], "tokens": [["he"]], "mentions": [["x", 0, 0, 1]]}\n',
    "ecbplus": cat_xml(["he ran"], [("HUMAN_PART_PER", [1])]),
    "muc": "<DOC><DOCNO> x </DOCNO><COREF ID='1'>he</COREF> and <COREF ID='2' REF='1'>him</COREF></DOC>",
}


def read_bytes(path: Path, content: bytes) -> list[Document]:
    path.write_bytes(content)
    return list(formats.read(path))


@pytest.mark.parametrize("kind", TEXTS)
def test_a_byte_order_mark_changes_nothing(tmp_path: Path, kind: str) -> None:
    plain = read_bytes(tmp_path / "1ecb.xml", TEXTS[kind].encode())
    assert plain
    assert any(document.clusters for document in plain)
    marked = read_bytes(tmp_path / "1ecb.xml", MARK + TEXTS[kind].encode())
    assert marked == plain
    packed = read_bytes(tmp_path / "1ecb.xml", gzip.compress(MARK + TEXTS[kind].encode()))
    assert packed == plain


def test_mmax2_with_byte_order_marks(tmp_path: Path) -> None:
    for path in (DATA / "arrau").rglob("*.xml"):
        copy = tmp_path / path.relative_to(DATA / "arrau")
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(MARK + path.read_bytes())
    assert list(formats.read(tmp_path)) == list(formats.read(DATA / "arrau"))


def test_files_that_were_joined_have_marks_inside(tmp_path: Path) -> None:
    """`cat a.conll b.conll`: the second document must not become part of the first."""
    documents = read_bytes(tmp_path / "a.conll", (MARK + TEXTS["conll"].encode()) * 2)
    assert [document.id for document in documents] == ["x", "y", "x", "y"]
    assert all(len(document.words) < 3 for document in documents)


def test_a_mark_does_not_shift_lines_or_survive_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes(MARK + b"#begin document d\na\t(1)\nb\t2)\n#end document\n")
    corpus = pickle.loads(pickle.dumps(formats.read(path)))
    with pytest.raises(FormatError, match=r"a.conll:3: cluster 2 is closed but never opened"):
        corpus.chains([0])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("kind", ["conll", "jsonlines", "muc"])
def test_other_encodings_are_named(tmp_path: Path, encoding: str, kind: str) -> None:
    with pytest.raises(FormatError, match=r"a.txt: the text is UTF-(16|32).*; save it as UTF-8"):
        read_bytes(tmp_path / "a.txt", TEXTS[kind].encode(encoding))


def test_small_files_beside_take_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(MARK + b"d\tnews\r\n")
    assert read_groups(str(path)) == {"d": "news"}
    path.write_bytes(MARK + b"d\t(0, 1)\t(2, 3)\n")
    assert {name for name, _ in read_antecedents(path)} == {"d"}
    path.write_bytes(MARK + b"# newdoc id = d\n1\ta\t_\tDET\tDT\t_\t0\t_\t_\t_\n")
    document = Document.of("d", ("a",), ((0, 1),), ())
    assert ConlluLayers(str(path))(document).layers["pos"] == ("DT",)
    path.write_bytes(MARK + b"(TOP (NP a))\n")
    (trees,) = ParseFiles(str(path), DocumentCorpus([document])).texts([0])
    assert trees.data.startswith(b"(TOP")
    path.write_bytes("d\tnews".encode("utf-16"))
    with pytest.raises(FormatError, match="UTF-16"):
        read_text(path)
    path.write_bytes(b"ok\nna\xefve\n")
    with pytest.raises(FormatError, match=r"a.txt:2: not UTF-8"):
        read_text(path)


def feed(path: Path, content: bytes) -> threading.Thread:
    os.mkfifo(path)
    thread = threading.Thread(target=path.write_bytes, args=(content,))
    thread.start()
    return thread


@pytest.mark.parametrize("packed", [False, True])
def test_pipes_are_read_once_and_can_be_searched(tmp_path: Path, packed: bool) -> None:
    """As in `referee score <(zcat key.gz) <(…)`."""
    content = MARK + TEXTS["conll"].encode() * 2000
    thread = feed(tmp_path / "pipe", gzip.compress(content) if packed else content)
    corpus = formats.read(tmp_path / "pipe")
    thread.join()
    assert len(corpus) == 4000
    assert corpus.document(3999).words == ("we",)
    assert referee.score(corpus, corpus).conll == 1


def test_standard_input_may_be_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(MARK + TEXTS["jsonlines"].encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert formats.read("-").ids == ["x"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed[:-9])))
    with pytest.raises(FormatError, match="damaged"):
        SeekableFile("-")


@pytest.mark.parametrize("name", ["a.v2_gold_conll", "a.v4_gold_conll", "a.gold_conll", "a.v4_auto_conll.gz"])
def test_folders_take_the_usual_endings_and_say_what_they_skip(tmp_path: Path, name: str) -> None:
    content = TEXTS["conll"].encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    for other in ("notes.txt", "b.conll.bak", ".hidden"):
        (tmp_path / other).write_text("…", encoding="utf-8")
    corpus = formats.read(tmp_path)
    assert corpus.ids == ["x", "y"]
    (notice,) = corpus.notices
    assert "skipped" in notice
    assert "notes.txt" in notice
    assert "b.conll.bak" in notice
    assert ".hidden" not in notice


def test_empty_files_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(TEXTS["conll"], encoding="utf-8")
    (tmp_path / "b.conll").write_text(" \n", encoding="utf-8")
    corpus = formats.read(tmp_path)
    assert (corpus.ids, corpus.empty_files) == (["x", "y"], [str(tmp_path / "b.conll")])
    assert "b.conll: empty" in corpus.notices[0]


def test_a_full_temporary_folder_is_not_a_damaged_file(tmp_path: Path) -> None:
    """The limit on the size of files stands for the end of the disk."""
    packed = tmp_path / "a.conll.gz"
    packed.write_bytes(gzip.compress(TEXTS["conll"].encode() * 2000))
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
        f"import referee; referee.read({str(packed)!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert "a.conll.gz: could not be copied to the temporary folder (" in last
    assert "File too large; make room there" in last


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress,
}  # fmt: skip


@pytest.mark.parametrize("packing", PACKERS)
def test_a_file_that_unpacks_to_far_more_than_its_size_is_refused(
    packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "LEAST_BOUND", 2**20)
    packs: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
    }
    pack = packs[packing]
    bomb = tmp_path / f"a.conll{packing}"
    bomb.write_bytes(pack(b"-\n" * 2**22))
    with pytest.raises(FormatError, match=f"a.conll{packing}: unpacks to more than 200 times its size"):
        SeekableFile(str(bomb))
    plain = tmp_path / f"b.conll{packing}"
    plain.write_bytes(pack(random.Random(1).randbytes(2**21)))  # more than the bound, but of an honest ratio
    assert len(SeekableFile(str(plain)).read()) == 2**21


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXTS["conll"].encode())))
    assert len(referee.read("-")) == 2
    with pytest.raises(referee.ProtocolError, match="standard input can be read only once: give '-' once"):
        referee.read("-")
