"""spaCy's DocBin: read without believing it, written so that spaCy reads it; skipped without spaCy."""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import referee
from referee import Cluster, Document, FormatError, Mention, MissingExtra, formats
from referee.cli import main as command_line
from referee.formats.io.opening import SeekableFile
from referee.formats.objects import docbin
from referee.formats.recognition import is_docbin
from referee.model import Text

WORDS = ("Ann", "saw", "DATE", ".", "She", "waved")  # one of them is a symbol of spaCy's own
CLUSTERS = (Cluster("e7", (Mention(((0, 1),), type="PER"), Mention(((4, 5),), type="PER")), "person"),
            Cluster("x", (Mention.at(2, 3),)))  # fmt: skip
TEXT = Text("story", WORDS, ((0, 4), (4, 6)), {"pos": tuple("ABCDEF"), "lemma": tuple("abcdef")})
DOCUMENT = Document(TEXT, CLUSTERS)


def test_without_spacy_it_is_recognised_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.spacy").write_bytes(zlib.compress(b"\x89\xa7version\xa30.1\xa5attrs\x90"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for work in (
        lambda: referee.read(tmp_path / "a.spacy"),
        lambda: referee.write([DOCUMENT], tmp_path / "b.spacy"),
    ):
        with pytest.raises(MissingExtra, match=r"spaCy is not installed: pip install 'referee-coref\[nlp\]'"):
            work()
    assert not (tmp_path / "b.spacy").exists()


@pytest.mark.parametrize(
    "head", [b"", b"x", b"\x78\x9c", b"\x78\x9cabc", zlib.compress(b"{}"), b"{}", b"\x78\x00"]
)
def test_other_bytes_are_not_taken_for_it(head: bytes) -> None:
    assert not is_docbin(head)


@pytest.fixture
def spacy() -> Any:
    return pytest.importorskip("spacy", reason="the extra nlp is not installed")


@pytest.mark.usefixtures("spacy")
def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.spacy"
    other = Document(Text("b", ("he", "ran"), ((0, 2),)), (Cluster("1", (Mention.at(0, 1),)),))
    referee.write([DOCUMENT, other], path)
    assert formats.recognise(SeekableFile(str(path))) == "docbin"
    corpus = referee.read(path)
    assert list(corpus) == [DOCUMENT, other]
    assert corpus.named
    (types,) = {mention.type for mention in corpus.document(0).clusters[0].mentions}
    assert (types, corpus.document(0).clusters[0].type) == ("PER", "person")


def test_spacy_itself_reads_what_is_written(tmp_path: Path, spacy: Any) -> None:
    referee.write([DOCUMENT], tmp_path / "a.spacy")
    docs = spacy.tokens.DocBin().from_disk(tmp_path / "a.spacy")
    (doc,) = docs.get_docs(spacy.blank("en").vocab)
    assert [token.text for token in doc] == list(WORDS)
    groups = {name: [(span.start, span.end) for span in group] for name, group in doc.spans.items()}
    assert groups == {"coref_clusters_e7": [(0, 1), (4, 5)], "coref_clusters_x": [(2, 3)]}
    assert [sentence.start for sentence in doc.sents] == [0, 4]
    assert [token.tag_ for token in doc] == list("ABCDEF")
    for one in (doc, docs, [doc]):
        (again,) = referee.read(one)
        assert again == DOCUMENT
    assert referee.score(DOCUMENT, doc).conll == 1


@pytest.mark.parametrize("attribute", ["coref_clusters", None])
def test_files_of_spacys_own_pipelines_are_read(tmp_path: Path, spacy: Any, attribute: str | None) -> None:
    doc = spacy.tokens.Doc(
        spacy.blank("en").vocab,
        words=["Ann", "slept", ".", "She", "snored"], spaces=[True, False, True, True, False],
        heads=[1, 1, 1, 4, 4], deps=["nsubj", "ROOT", "punct", "nsubj", "ROOT"], pos=["NOUN"] * 5,
    )  # fmt: skip
    if attribute:
        if not spacy.tokens.Doc.has_extension(attribute):
            spacy.tokens.Doc.set_extension(attribute, default=None)
        doc._.coref_clusters = [[(0, 3), (11, 14)]]
    else:
        doc.spans["coref_clusters_1"] = [doc[0:1], doc[3:4]]
    packed = spacy.tokens.DocBin(store_user_data=True, docs=[doc])
    packed.to_disk(tmp_path / "a.spacy")
    (document,) = referee.read(tmp_path / "a.spacy")
    assert document.text.running == "Ann slept. She snored"
    assert document.sentences == ((0, 3), (3, 5))
    assert document.layers == {"head": ("1", "-", "1", "4", "-"), "pos": ("NOUN",) * 5}
    assert document.mentions == [Mention.at(0, 1), Mention.at(3, 4)]
    assert document.id == "a"
    assert list(referee.read(packed)) == [document.with_text(id="1")]


@pytest.mark.usefixtures("spacy")
def test_ids_that_spacy_cannot_name_groups_after_are_numbers(tmp_path: Path) -> None:
    for ids in (("a b", "c"), ("c", "c")):
        clusters = tuple(Cluster(id_, (Mention.at(n, n + 1),)) for n, id_ in enumerate(ids))
        referee.write([Document(TEXT, clusters)], tmp_path / "a.spacy")
        assert [cluster.id for cluster in referee.read(tmp_path / "a.spacy").document(0).clusters] == [
            "1",
            "2",
        ]


@pytest.mark.usefixtures("spacy")
def test_commands_take_it_and_standard_output_gets_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.spacy"
    referee.write([DOCUMENT], path)
    for words in (
        ["score", path, path],
        ["validate", path],
        ["stats", path],
        ["convert", path, tmp_path / "b.jsonl"],
    ):
        result = CliRunner().invoke(command_line, list(map(str, words)))
        assert result.exit_code == 0, result.output
    assert list(referee.read(tmp_path / "b.jsonl")) == [DOCUMENT]
    out = CliRunner().invoke(command_line, ["convert", str(path), "-", "--to", "docbin"])
    assert is_docbin(out.stdout_bytes)
    with pytest.raises(FormatError, match="a DocBin is not text"):
        docbin.write([DOCUMENT], io.StringIO())


def test_words_that_spacy_refuses_are_named(tmp_path: Path, spacy: Any) -> None:
    assert spacy
    with pytest.raises(FormatError, match="document d: spaCy cannot hold it"):
        referee.write([Document.of("d", ["a", ""], [(0, 2)], [])], tmp_path / "a.spacy")


def change(name: str, value: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def changed(message: dict[str, Any]) -> None:
        message[name] = value(message[name])

    return changed


def with_span(start: int, end: int) -> Callable[[dict[str, Any]], None]:
    def changed(message: dict[str, Any]) -> None:
        import srsly

        span = docbin.SPAN.pack(0, 0, 0, start, end, 0, 0)
        group = srsly.msgpack_dumps({"name": "coref_clusters_1", "attrs": {}, "spans": [span]})
        message["span_groups"] = [srsly.msgpack_dumps({group: ["coref_clusters_1"]})]

    return changed


BROKEN: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "no tokens": (lambda message: message.pop("tokens"), "a.spacy: not a valid DocBin"),
    "few tokens": (change("tokens", lambda data: data[:-8]), "a.spacy: not a valid DocBin"),
    "a row less": (change("tokens", lambda data: data[: -8 * 13]), "do not fit each other"),
    "odd lengths": (change("lengths", lambda _: b"\xff\xff\xff\xff"), "do not fit each other"),
    "huge lengths": (change("lengths", lambda _: b"\xff\xff\xff\x7f"), "do not fit each other"),
    "no strings": (change("strings", lambda _: []), "a.spacy: not a valid DocBin"),
    "no attributes": (change("attrs", lambda _: []), "a.spacy: not a valid DocBin"),
    "odd groups": (change("span_groups", lambda _: [b"\xc1"]), "span groups: cannot be read as msgpack"),
    "short spans": (change("span_groups", lambda _: [b"\x91\xc4\x01\x80"]), "a.spacy: not a valid DocBin"),
    "odd user data": (change("user_data", lambda _: [b"\x07"]), "user data is not a mapping"),
    "a span outside": (with_span(0, 7), "document 1: a mention lies outside the document, which has 6"),
    "a span before": (with_span(-1, 1), r"a.spacy: document 1: the span \[-1, 1\] is not one of its tokens"),
    "an empty span": (with_span(2, 2), r"a.spacy: document 1: the span \[2, 2\]"),
    "a head outside": (
        change("tokens", lambda data: data[:64] + b"\x7f" + data[65:]), "token 0 has its head outside"
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_messages_are_refused(tmp_path: Path, spacy: Any, kind: str) -> None:
    import srsly

    assert spacy
    path = tmp_path / "a.spacy"
    referee.write([DOCUMENT], path)
    message = srsly.msgpack_loads(zlib.decompress(path.read_bytes()))
    changing, said = BROKEN[kind]
    changing(message)
    path.write_bytes(zlib.compress(srsly.msgpack_dumps(message)))
    with pytest.raises(FormatError, match=said):
        referee.read(path)


def test_damaged_and_swollen_files_are_refused(
    tmp_path: Path, spacy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert spacy
    path = tmp_path / "a.spacy"
    referee.write([DOCUMENT], path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(FormatError, match=r"a.spacy: the compressed file breaks off"):
        referee.read(path)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 0xFF]))
    with pytest.raises(
        FormatError, match=r"a.spacy: the compressed file is damaged: .* incorrect data check"
    ):
        referee.read(path)
    monkeypatch.setattr(docbin, "LARGEST", 2**20)
    path.write_bytes(zlib.compress(b"\x89\xa7version\xa30.1\xa5attrs\x90" + bytes(2**24)))
    assert path.stat().st_size < 2**15
    with pytest.raises(FormatError, match=r"a.spacy: unpacks to more than 1 MiB"):
        referee.read(path)


def test_nothing_is_unpickled(tmp_path: Path, spacy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An array of objects is the way in which msgpack with numpy could bring a pickle along."""
    import pickle

    import srsly

    assert spacy
    path = tmp_path / "a.spacy"
    referee.write([DOCUMENT], path)
    message = srsly.msgpack_loads(zlib.decompress(path.read_bytes()))
    message["cats"] = {
        b"nd": True,
        b"type": "|O",
        b"kind": b"O",
        b"shape": (1,),
        b"data": pickle.dumps([print]),
    }
    path.write_bytes(zlib.compress(srsly.msgpack_dumps(message)))

    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("unpickled")

    for name in ("loads", "load", "Unpickler"):
        monkeypatch.setattr(pickle, name, refused)
    with pytest.raises(FormatError, match=r"a.spacy: cannot be read as msgpack"):
        referee.read(path)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    words = draw(st.lists(st.text("abé😀-", min_size=1, max_size=3), min_size=1, max_size=8))
    gaps = draw(
        st.lists(st.sampled_from(["", " ", "  ", "\n"]), min_size=len(words) + 1, max_size=len(words) + 1)
    )
    running, characters = gaps[0], []
    for word, gap in zip(words, gaps[1:], strict=True):
        characters.append((len(running), len(running) + len(word)))
        running += word + gap
    edges = sorted(draw(st.sets(st.integers(1, len(words)))) | {0, len(words)})
    sentences = tuple(pairwise(edges))
    placed: dict[str, Any] = (
        {"running": running, "characters": tuple(characters)} if draw(st.booleans()) else {}
    )
    spans = st.tuples(st.integers(0, len(words)), st.integers(0, len(words))).filter(lambda s: s[0] < s[1])
    mentions = st.builds(
        lambda span, kind: Mention((span,), type=kind), spans, st.none() | st.sampled_from("AB")
    )
    clusters = draw(st.lists(st.lists(mentions, min_size=1, max_size=4), max_size=4))
    text = Text("d", tuple(words), sentences, **placed)
    return Document(text, tuple(Cluster(f"e{i}", tuple(some)) for i, some in enumerate(clusters)))


@given(document=documents())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@pytest.mark.usefixtures("spacy")
def test_any_document_comes_back(tmp_path: Path, document: Document) -> None:
    formats.write([document], tmp_path / "a.spacy")
    (again,) = formats.read(tmp_path / "a.spacy")
    assert again == document
    assert [m.type for c in again.clusters for m in c.mentions] == [
        m.type for c in document.clusters for m in c.mentions
    ]


def test_spacy_is_not_loaded_to_recognise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    assert is_docbin(zlib.compress(b"\x89\xa7version\xa30.1\xa5attrs\x90"))
