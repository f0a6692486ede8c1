"""Reading and writing CoNLL in all the shapes found in the wild."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import corpus
from referee import Cluster, Document, FormatError, Mention, formats
from referee.exceptions import LossWarning
from referee.formats.conll import brackets
from referee.formats.conll import reading as conll
from referee.formats.conll import writing as conll_writing
from referee.formats.conll.reading import ConllCorpus


def read(tmp_path: Path, content: str | bytes, *, strict: bool = False) -> ConllCorpus:
    path = tmp_path / "file.conll"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = formats.read(path, strict=strict)
    assert isinstance(found, ConllCorpus)
    return found


def spans(document: Document) -> dict[str, list[tuple[int, int]]]:
    return {cluster.id: [mention.spans[0] for mention in cluster.mentions] for cluster in document.clusters}


def cells(*column: str) -> dict[str, list[tuple[int, int]]]:
    """Read a coreference column."""
    block = "".join(f"w\t{cell}\n" for cell in column)
    scan = brackets.scan([block.encode()])
    assert not scan.flaws
    return spans(Document.of("d", ("w",) * len(column), (), conll._clusters(scan)))


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["(1", "1)"], {"1": [(0, 2)]}),
        (["(1)"], {"1": [(0, 1)]}),
        (["(1|(2", "2)|1)"], {"1": [(0, 2)], "2": [(0, 2)]}),
        (["(1(2)", "(3", "3)1)"], {"2": [(0, 1)], "1": [(0, 3)], "3": [(1, 3)]}),
        (["(3(4", "3)4)"], {"3": [(0, 2)], "4": [(0, 2)]}),
        (["(1", "(3", "(1(2)3)", "1)", "1)"], {"1": [(0, 5), (2, 4)], "3": [(1, 3)], "2": [(2, 3)]}),
        (["(person-3", "person-3)"], {"person-3": [(0, 2)]}),
        (["(é12", "é12)"], {"é12": [(0, 2)]}),
        (["(7", "(7", "7)", "7)"], {"7": [(0, 4), (1, 3)]}),
        (["(1", "(2", "1)", "2)"], {"1": [(0, 3)], "2": [(1, 4)]}),
        (["(0", "0)|(0", "0)"], {"0": [(0, 3), (1, 2)]}),
        (["(007)", "(7)"], {"007": [(0, 1)], "7": [(1, 2)]}),
        (["(99999999999999999999)", "(1)"], {"99999999999999999999": [(0, 1)], "1": [(1, 2)]}),
        (["(4294967296)", "(4294967297)"], {"4294967296": [(0, 1)], "4294967297": [(1, 2)]}),
        (["(5|(3)", "5)"], {"3": [(0, 1)], "5": [(0, 2)]}),
        (["-", "_", "*"], {}),
    ],
)
def test_cells(column: list[str], expected: dict[str, list[tuple[int, int]]]) -> None:
    assert cells(*column) == expected


@pytest.mark.parametrize("separator", ["\t", "  ", " \t ", "          "])
@pytest.mark.parametrize("before", [[], ["0"], ["doc", "0", "3"]])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_columns(tmp_path: Path, separator: str, before: list[str], newline: str) -> None:
    rows = [separator.join([*before, "word", cell]) for cell in ("(1", "-", "1)")]
    found = read(tmp_path, newline.join(["#begin document (x); part 000", *rows, "#end document", ""]))
    assert spans(found.document(0)) == {"1": [(0, 3)]}
    assert found.document(0).words == ("word",) * 3
    assert found.ids == ["(x); part 000"]


@pytest.mark.parametrize(
    ("begin", "names"),
    [
        ("#begin document (a/b); part 001", ["(a/b); part 001"]),
        ("# begin document x", ["x"]),
        ("# begin document ", ["file"]),
        ("#begin document", ["file"]),
        ("#begin document \t name with blanks  ", ["name with blanks"]),
    ],
)
def test_begin_lines(tmp_path: Path, begin: str, names: list[str]) -> None:
    assert read(tmp_path, f"{begin}\nw\t(1)\n#end document\n").ids == names


def test_documents_without_names_are_numbered(tmp_path: Path) -> None:
    text = "# begin document \nw\t(1)\n# end document\n"
    assert read(tmp_path, text * 3).ids == ["file", "file#2", "file#3"]


def test_a_document_ends_at_its_end_line_the_next_begin_line_or_the_end_of_the_file(tmp_path: Path) -> None:
    found = read(
        tmp_path, "#begin document a\nw\t(1)\n#begin document b\nw\t-\nw\t(2)\n#end document\nx\t(3)\n"
    )
    assert [spans(document) for document in found] == [{"1": [(0, 1)]}, {"2": [(1, 2)]}]
    found = read(tmp_path, "#begin document a\nw\t-\nw\t(1)")
    assert [spans(document) for document in found] == [{"1": [(1, 2)]}]


def test_a_file_without_begin_lines_is_one_document(tmp_path: Path) -> None:
    found = read(tmp_path, "he\t(1)\nsaw\t-\n\nhim\t(2)\n")
    assert found.ids == ["file"]
    assert found.document(0).words == ("he", "saw", "him")
    assert found.document(0).sentences == ((0, 2), (2, 3))


def test_comments_are_not_tokens_but_a_hash_may_be(tmp_path: Path) -> None:
    text = "#begin document d\n# sent_id = 1\n0 he (1)\n#comment (7)\n1 # -\n2 him (1)\n#end document\n"
    assert read(tmp_path, text).document(0).words == ("he", "#", "him")
    text = "#begin document d\nhe\t(1)\n# said\n#\t-\nhim\t(1)\n#end document\n"
    document = read(tmp_path, text).document(0)
    assert document.words == ("he", "#", "him")
    assert spans(document) == {"1": [(0, 1), (2, 3)]}


def test_an_empty_last_column(tmp_path: Path) -> None:
    """LitBank leaves the cell empty; a word that looks like a mention is then not one."""
    rows = ["d\t0\tword\t(1)", "d\t0\t(2)\t", "d\t0\t3)\t", "d\t0\tword\t(1)"]
    assert spans(read(tmp_path, "#begin document d\n" + "\n".join(rows)).document(0)) == {
        "1": [(0, 1), (3, 4)]
    }


def test_white_space_after_the_last_column(tmp_path: Path) -> None:
    """The reference scorer drops it, and so its own test files have it."""
    rows = ["d\tword\t(1)\t", "d\tword\t-\t\t", "d\tword\t(1)"]
    assert spans(read(tmp_path, "#begin document d\n" + "\n".join(rows)).document(0)) == {
        "1": [(0, 1), (2, 3)]
    }


def test_a_long_cell(tmp_path: Path) -> None:
    names = [f"cluster-with-a-long-name-{number}" for number in range(40)]
    cell = "|".join(f"({name})" for name in names)
    assert spans(read(tmp_path, f"#begin document d\nhe\t{cell}\nhim {cell}\n").document(0)) == {
        name: [(0, 1), (1, 2)] for name in names
    }


def test_an_empty_word_is_a_word(tmp_path: Path) -> None:
    assert read(tmp_path, "0\the\t(1)\n1\t\t_\n2\thim\t(1)\n").document(0).words == ("he", "", "him")


def test_a_word_alone_on_its_line_has_no_cell(tmp_path: Path) -> None:
    found = read(tmp_path, "#begin document d\nhe (1)\n(\n12)\nhim (1)\n#end document\n")
    assert spans(found.document(0)) == {"1": [(0, 1), (3, 4)]}


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz"])
def test_packed_files(tmp_path: Path, ending: str) -> None:
    text = b"he\t(1)\nhim\t(1)\n"
    packed = {".gz": gzip.compress(text), ".bz2": bz2.compress(text), ".xz": lzma.compress(text)}
    path = tmp_path / f"story.conll{ending}"
    path.write_bytes(packed[ending])
    found = formats.read(path)
    assert found.ids == ["story"]
    assert spans(found.document(0)) == {"1": [(0, 1), (1, 2)]}
    path.write_bytes(path.read_bytes()[:-6])
    with pytest.raises(FormatError, match="damaged"):
        formats.read(path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"#begin document d\nhe\t(1)\n")))
    assert formats.read("-").ids == ["d"]


def test_odd_bytes_survive(tmp_path: Path) -> None:
    content = b"#begin document caf\xe9\n0\tna\xefve\xff\t(1)\n1\tx\t(1)\n\n#end document\n"
    found = read(tmp_path, content)
    formats.write(found, tmp_path / "again.conll")
    assert (tmp_path / "again.conll").read_bytes() == content


def test_folders_are_corpora(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.conll").write_text("he\t(1)\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a corpus", encoding="utf-8")
    assert formats.read(tmp_path).ids == ["a", "b"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="no file that ends in"):
        formats.read(tmp_path / "empty")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a\t(1", "b\t-"], r"file.conll:2: cluster 1 is opened but never closed"),
        (["a\t-", "", "b\t12)"], r"file.conll:4: cluster 12 is closed but never opened"),
    ],
)
def test_unbalanced_brackets(tmp_path: Path, rows: list[str], message: str) -> None:
    found = read(tmp_path, "\n".join(["#begin document d", *rows, "#end document"]))
    with pytest.raises(FormatError, match=message):
        found.chains([0])
    with pytest.raises(FormatError, match=message):
        found.document(0)


def test_an_open_mention_at_the_end_of_a_file_without_end_line(tmp_path: Path) -> None:
    """The reference scorer drops it in silence; so does the conll protocol, with a notice."""
    text = "#begin document d\na\t(1\nb\t(2)\n"
    chains = read(tmp_path, text).chains([0])
    assert chains.start.tolist() == [1]
    assert "cluster 1 is opened but never closed" in chains.notices[0]
    with pytest.raises(FormatError, match="strict input refuses"):
        read(tmp_path, text, strict=True).chains([0])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("#begin document a\nw\t-\n", ["2"]),  # cut off between two lines
        ("#begin document a\nw\t-\n#begin document b\nw\t-\n", []),  # no document has one: so is the file
        ("#begin document a\nw\t-\n#end document\n#begin document b\nw\t-\n", ["5"]),
        ("#begin document a\nw\t-\n#begin document b\nw\t-\n#end document\n", ["2"]),
        ("w\t-\n", []),
        ("#begin document a\nw\t-\n#end document\n", []),
    ],
)
def test_a_document_without_end_line_is_named(tmp_path: Path, content: str, said: list[str]) -> None:
    notices = read(tmp_path, content).notices
    assert [notice.removeprefix(f"{tmp_path / 'file.conll'}:").split(":")[0] for notice in notices] == said
    assert all(conll.NO_END in notice for notice in notices)


def test_text_in_a_cell_is_passed_over_or_refused(tmp_path: Path) -> None:
    text = "#begin document d\na\tNN(1)\nb\t(1)|x\n#end document\n"
    chains = read(tmp_path, text).chains([0])
    assert chains.start.tolist() == [0, 1]
    assert [notice.split(": ")[0][-1] for notice in chains.notices] == ["2", "3"]
    with pytest.raises(FormatError, match="'NN\\(1\\)' is not a coreference annotation"):
        read(tmp_path, text, strict=True).chains([0])


@pytest.mark.parametrize(
    "content",
    [
        b"Once upon a time\nthere was a file.\n",
        b"word\tNN\nother\tVB\n",
        b"<xml>\n",
        b"\x89PNG\r\n\x1a\n\0\0\0",
        b"key,value\n1,2\n",
    ],
)
def test_another_format_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(FormatError, match=r"file\.conll:1: not .*JSON lines or .*CoNLL"):
        read(tmp_path, content)


def test_corefud_is_refused_by_name(tmp_path: Path) -> None:
    row = "\t".join(["1", "he", *["_"] * 7, "Entity=(e1-person-1-)"])
    found = read(tmp_path, f"#begin document d\n{row}\n")
    with pytest.raises(FormatError, match="looks like CorefUD"):
        found.chains([0])


def test_conllu_is_no_conll(tmp_path: Path) -> None:
    """Most of its rows end in `_`: it must not pass for CoNLL with hardly a mention."""
    rows = ["# newdoc id = d", "# sent_id = 1", "# text = he", "\t".join(["1", "he", *["_"] * 8])]
    path = tmp_path / "file.conll"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (notice,) = formats.read(path).notices
    assert notice.endswith("file.conll: CoNLL-U without coreference: no word has Entity=")


def test_a_missing_file() -> None:
    with pytest.raises(FormatError, match=r"nowhere.conll: No such file"):
        formats.read("nowhere.conll")


def test_conll_2012_layers() -> None:
    sample = formats.read(Path(formats.__file__).parents[1] / "sample" / "key.conll").document(0)
    assert set(sample.layers) == {"row", "part", "pos", "parse", "lemma", "speaker", "entity"}
    assert sample.words[:2] == ("The", "head")
    assert sample.layers["pos"][:2] == ("DT", "NN")


def test_writing_keeps_every_other_column(tmp_path: Path) -> None:
    path = Path(formats.__file__).parents[1] / "sample" / "alpha.conll"
    documents = list(formats.read(path))
    formats.write(documents, tmp_path / "again.conll")
    assert list(formats.read(tmp_path / "again.conll")) == documents
    old, new = (p.read_text(encoding="utf-8").splitlines() for p in (path, tmp_path / "again.conll"))
    assert [line.split()[:-1] for line in old] == [line.split()[:-1] for line in new]


def test_what_conll_cannot_hold_is_refused(tmp_path: Path) -> None:
    parted = Cluster("1", (Mention(((0, 1), (2, 3))),))
    path = tmp_path / "out.conll"
    path.write_text("as it was", encoding="utf-8")
    with pytest.raises(FormatError, match="several spans"):
        formats.write([Document.of("d", tuple("abcd"), ((0, 4),), (parted,))], path)
    assert path.read_text(encoding="utf-8") == "as it was"


def test_mentions_that_cross_are_left_out_and_counted(tmp_path: Path) -> None:
    crossing = Cluster("1", (Mention.at(0, 3), Mention.at(1, 4)))
    path = tmp_path / "out.conll"
    with pytest.warns(LossWarning, match=r"mentions that cross another of their cluster \(1\)"):
        formats.write([Document.of("d", tuple("abcd"), ((0, 4),), (crossing,))], path)
    assert formats.read(path)[0].mentions == [Mention.at(0, 3)]


@st.composite
def documents(draw: st.DrawFn) -> Document:
    length = draw(st.integers(1, 8))
    clusters = []
    for number in range(draw(st.integers(0, 4))):
        starts = draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=4, unique=True))
        mentions = tuple(Mention.at(s, draw(st.integers(s + 1, length))) for s in sorted(starts))
        if not any(a.start < b.start < a.end <= b.end for a in mentions for b in mentions):
            clusters.append(Cluster(str(number), mentions))
    return Document.of("d", ("w",) * length, ((0, length),), tuple(clusters))


@given(documents())
def test_what_is_written_is_read_again(document: Document) -> None:
    out = io.StringIO()
    conll_writing.write([document], out)
    block = out.getvalue().split("\n", 1)[1].rsplit("#end", 1)[0]
    scan = brackets.scan([block.encode()])
    found = {c.id: c.mentions for c in conll._clusters(scan)}
    assert found == {c.id: c.mentions for c in document.clusters}


@given(st.lists(st.text("(12)|_-* \t\n#ab", max_size=40), max_size=3))
def test_the_scanner_never_crashes_and_blocks_do_not_mix(texts: list[str]) -> None:
    blocks = [text.encode() for text in texts]
    together = brackets.scan(blocks)
    apart = [brackets.scan([block]) for block in blocks]
    assert together.chains.lengths.tolist() == [int(scan.chains.lengths[0]) for scan in apart]
    rows = sorted(zip(together.chains.document, together.chains.start, together.chains.end, strict=True))
    alone = sorted(
        (i, s, e)
        for i, scan in enumerate(apart)
        for s, e in zip(scan.chains.start, scan.chains.end, strict=True)
    )
    assert rows == alone
    assert sorted(flaw.text for flaw in together.flaws) == sorted(
        f.text for scan in apart for f in scan.flaws
    )


def test_ontogum_and_litbank_are_read() -> None:
    ontogum = formats.read(*(corpus("ontogum") / part / "conll" for part in ("train", "dev")))
    assert len(ontogum) == 207
    assert not ontogum.chains(range(207)).notices
    litbank = formats.read(corpus("litbank"))
    assert len(litbank) == 80
    assert litbank.chains(range(80)).start.size == 23150


def test_a_broken_copy_of_a_real_file_is_refused(tmp_path: Path) -> None:
    original = (corpus("ontogum") / "dev" / "conll" / "GUM_bio_byron.conll").read_text(encoding="utf-8")
    lines = original.splitlines()
    openings = [i for i, line in enumerate(lines) if line.split("\t")[-1].startswith("(") and ")" not in line]
    broken = random.Random(0).choice(openings)
    lines[broken] = lines[broken].rsplit("\t", 1)[0] + "\t_"
    with pytest.raises(FormatError, match=r"file.conll:\d+: cluster \S+ is closed but never opened"):
        read(tmp_path, "\n".join(lines)).chains([0])
