"""CONLL-UA: identity with minimum spans, gaps and zeros; what beside it is kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee import formats, score
from referee.exceptions import FormatError
from referee.formats.conllua.reading import ConlluaCorpus, ParsedConllua, parse_conllua
from referee.formats.conllua.writing import write
from referee.formats.recognition import is_conllua
from referee.matching.protocol import Protocol
from referee.model import Cluster, ClusterLayer, Document, Mention, Relation, Text, Zero, joined_spans
from referee.model.mentions import BRIDGING, DEIXIS, SPLIT_ANTECEDENT

COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)
SPECIMEN = (
    f"# global.columns = {COLUMNS}\n# newdoc id = d\n"
    "# sent_id = d-1\n# text = Ann met the tall man in a hat .\n"
    "1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\t(EntityID=1|MarkableID=m1|Min=1|SemType=dn|ElementOf=9)\t_\t(EntityID=1-DD|MarkableID=dd1|Min=2\t_\t_\n"
    "2\tmet\tmeet\tVERB\tVBD\t_\t0\troot\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t_\t(EntityID=2|MarkableID=m2|Min=4,5|ElementOf=9@(EntityID=2|MarkableID=m3\t_\t_\t_\t_\n"
    "4\ttall\ttall\tADJ\tJJ\t_\t5\tamod\t_\t_\t_\t_\t_\t_\t_\n"
    "5\tman\tman\tNOUN\tNN\t_\t2\tobj\t_\t_\t)\t_\t_\tlink\t_\n"
    "6\tin\tin\tADP\tIN\t_\t8\tcase\t_\t_\t_\t_\t_\t_\t_\n"
    "7\ta\ta\tDET\tDT\t_\t8\tdet\t_\t_\t(EntityID=3|MarkableID=m4|Min=8\t(MarkableID=m4|Rel=poss|MentionAnchor=m1|EntityAnchor=1)\t_\t_\t_\n"
    "8\that\that\tNOUN\tNN\t_\t5\tnmod\t_\t_\t))\t_\t_\t_\t_\n"
    "9\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\t_\t_\t)\t_\t_\n\n"
    "# sent_id = d-2\n# text = It rained , and went\n"
    "10\tIt\tit\tPRON\tPRP\t_\t11\texpl\t_\t_\t(EntityID=5-Pseudo|MarkableID=m5)\t_\t_\t_\t_\n"
    "11\trained\train\tVERB\tVBD\t_\t0\troot\t_\t_\t_\t_\t_\t_\t_\n"
    "11.1\t_\t_\tPRON\t_\t_\t_\t_\t12:nsubj\t_\t(EntityID=9|MarkableID=m6)\t_\t_\t_\t_\n"
    "12\twent\tgo\tVERB\tVBD\t_\t11\tconj\t_\t_\t_\t_\t_\t_\t_\n\n"
)  # fmt: skip


def parsed(text: str, header: str = COLUMNS) -> ParsedConllua:
    return parse_conllua("d", header, text)


def written(*documents: Document) -> str:
    file = StringIO()
    write(documents, file)
    return file.getvalue()


def short(*cells: str) -> str:
    """Rows of the columns ID, FORM, IDENTITY, numbered from 1."""
    return "".join(f"{number}\tw{number}\t{cell}\n" for number, cell in enumerate(cells, start=1))


def identity(*cells: str) -> dict[str, list[tuple[tuple[int, int], ...]]]:
    document = parsed(short(*cells), "ID FORM IDENTITY").document
    return {cluster.id: [mention.spans for mention in cluster.mentions] for cluster in document.clusters}


def test_a_specimen(tmp_path: Path) -> None:
    (tmp_path / "a.conllua").write_text(SPECIMEN, encoding="utf-8")
    corpus = formats.read(tmp_path)
    assert isinstance(corpus, ConlluaCorpus)
    (document,) = corpus
    assert document.id == "d"
    assert document.sentences == ((0, 9), (9, 12))
    assert document.words == (
        "Ann",
        *["met", "the", "tall", "man", "in", "a", "hat", ".", "It", "rained", "went"],
        "_",
    )
    assert document.text.zeros == (Zero(11, 1, 1, ((11, "nsubj"),)),)
    assert {cluster.id: cluster.mentions for cluster in document.clusters} == {
        "1": (Mention.at(0, 1),), "2": (Mention.at(2, 8), Mention.at(2, 5)), "3": (Mention.at(6, 8),),
        "9": (Mention.at(12, 13),),
    }  # fmt: skip
    assert [m.minimum for cluster in document.clusters for m in cluster.mentions] == [
        ((0, 1),), ((3, 5),), None, ((7, 8),), None,
    ]  # fmt: skip
    assert document.relations == (
        Relation(SPLIT_ANTECEDENT, "9", ("1", "2")),
        Relation(BRIDGING, "3", ("1",), "poss", ((6, 8),), (((0, 1),),)),
    )
    assert document.layers["head"][:3] == ("1", "-", "4")
    assert document.layers["pos"][:2] == ("NNP", "VBD")
    assert corpus.flaws(0) == []
    assert corpus.location(0, 12).endswith("a.conllua:19")
    assert written(document) == SPECIMEN


def test_through_json_and_back(tmp_path: Path) -> None:
    (tmp_path / "a.CONLLUA").write_text(SPECIMEN, encoding="utf-8")
    formats.write(formats.read(tmp_path / "a.CONLLUA"), tmp_path / "b.jsonl")
    formats.write(formats.read(tmp_path / "b.jsonl"), tmp_path / "c.conllua")
    assert (tmp_path / "c.conllua").read_text(encoding="utf-8") == SPECIMEN


def test_brackets() -> None:
    assert identity("(EntityID=1|MarkableID=a", ")(EntityID=2|MarkableID=b)") == {
        "1": [((0, 2),)],
        "2": [((1, 2),)],
    }
    assert identity("(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b))") == {
        "1": [((0, 2),)],
        "2": [((1, 2),)],
    }
    assert identity("(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b", "a)", "b)") == {
        "1": [((0, 3),)], "2": [((1, 4),)],
    }  # fmt: skip
    assert identity("(EntityID=1|MarkableID=a)", "_", "(EntityID=1|MarkableID=a", ")") == {
        "1": [((0, 1), (2, 4))]
    }
    assert identity("(EntityId=1)", "(EntityId=1)") == {"1": [((0, 1),), ((1, 2),)]}


def test_white_space_may_part_columns_and_rows_of_a_scene_are_no_words() -> None:
    text = "0  _  VSE1\n\n1    a  (EntityID=1|MarkableID=m1)\n2-3  _  _\n2  b \t _\n"
    document = parsed(text, "ID FORM IDENTITY").document
    assert document.words == ("a", "b")
    assert document.sentences == ((0, 2),)
    assert document.clusters == (Cluster("1", (Mention.at(0, 1),)),)


def test_words_may_be_numbered_from_0() -> None:
    text = "0\tAnn\t(EntityID=1)\n1\tleft\t_\n\n0\tShe\t(EntityID=1)\n1\tslept\t_\n"
    document = parsed(text, "ID FORM IDENTITY").document
    assert document.words == ("Ann", "left", "She", "slept")
    assert document.sentences == ((0, 2), (2, 4))
    assert document.clusters == (Cluster("1", (Mention.at(0, 1), Mention.at(2, 3))),)


FLAWS = {
    "never opened": (short("_", ")"), 1, "is closed but never opened", True),
    "name never opened": (short("_", "b)"), 1, "markable b is closed but never", True),
    "no entity": (short("(MarkableID=a)"), 0, "has no EntityID", True),
    "two entities": (
        short("(EntityID=1|MarkableID=a)", "(EntityID=2|MarkableID=a)"),
        1,
        "entity 1 and to 2",
        True,
    ),
    "opened again": (
        short("(EntityID=1|MarkableID=a", "(EntityID=1|MarkableID=a", "))"),
        1,
        "opened again",
        True,
    ),
    "few columns": ("1\ta\n", 0, "the line has 2 columns, but IDENTITY is column 3", True),
    "no number": ("x\ta\t_\n", 0, "does not begin with a word's number", True),
    "zero": (
        "1\ta\t_\n1.1\t_\t(EntityID=1\n2\tb\t)\n",
        1,
        "a zero begins or ends a markable of several",
        True,
    ),
    "never closed": (short("(EntityID=1|MarkableID=a"), 0, "markable a is opened but never closed", False),
    "minimum outside": (short("(EntityID=1|Min=2)", "_"), 0, "Min=2 is not inside", False),
    "minimum beyond": (short("(EntityID=1|Min=1,99)"), 0, "Min=1,99 is not inside", False),
    "no minimum": (short("(EntityID=1|Min=x)"), 0, "Min=x is not inside", False),
    "huge minimum": (short(f"(EntityID=1|Min={'9' * 5000})"), 0, "is not inside", False),
    "no bracket": (short("x"), 0, "'x' is not a markable", False),
}


@pytest.mark.parametrize("case", FLAWS)
def test_flaws(tmp_path: Path, case: str) -> None:
    text, line, message, fatal = FLAWS[case]
    (tmp_path / "a.conllua").write_text(f"# global.columns = ID FORM IDENTITY\n{text}", encoding="utf-8")
    corpus = formats.read(tmp_path / "a.conllua")
    assert [number for number, what in corpus.flaws(0) if message in what] == [line + 2]
    where = rf"a\.conllua:{line + 2}: "
    if fatal:
        with pytest.raises(FormatError, match=where):
            corpus.chains([0])
    else:
        assert [message in notice for notice in corpus.chains([0]).notices] == [True]
    with pytest.raises(FormatError, match=where):
        formats.read(tmp_path / "a.conllua", strict=True).chains([0])


def test_bridging_of_nothing_is_left_out() -> None:
    text = "1\ta\t(EntityID=1|MarkableID=a)\t(MarkableID=a|MentionAnchor=z)\n"
    flaws = parsed(text, "ID FORM IDENTITY BRIDGING").flaws
    assert [flaw.what for flaw in flaws] == [
        "'MarkableID=a|MentionAnchor=z' does not connect markables; it is left out"
    ]


def test_it_is_recognised_by_its_columns() -> None:
    assert is_conllua(SPECIMEN.encode())
    assert not is_conllua(SPECIMEN.replace("IDENTITY", "COREF").encode())
    assert not is_conllua(b'{"layout": ["' + SPECIMEN[:200].replace("\n", "\\n").encode() + b'"]}')


def test_minimum_spans_decide(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllua", tmp_path / "response.conllua"
    key.write_text(SPECIMEN, encoding="utf-8")
    shorter = SPECIMEN.replace("EntityID=3|MarkableID=m4|Min=8", "_").replace("(_\t", "_\t")
    shorter = shorter.replace(
        "hat\tNOUN\tNN\t_\t5\tnmod\t_\t_\t))", "hat\tNOUN\tNN\t_\t5\tnmod\t_\t_\t(EntityID=3))"
    )
    response.write_text(shorter, encoding="utf-8")
    exact, least = (score(key, response, protocol=Protocol(match=match)) for match in ("exact", "min"))
    assert exact.mentions.recall == 0.8
    assert least.mentions.recall == 1


def plain(words: int, *clusters: Cluster, **fields: object) -> Document:
    text = Text("d", tuple(f"w{i}" for i in range(words)), ((0, words),))
    return Document(replace(text, **fields), clusters)  # type: ignore[arg-type]


def cells(text: str) -> list[str]:
    return [line.split("\t")[10] for line in text.split("\n") if line[:1].isdigit()]


def test_a_document_from_elsewhere() -> None:
    mentions = (Mention(((0, 3),), minimum=((1, 3),)), Mention(((1, 2), (3, 4))))
    document = plain(4, Cluster("a|b", mentions), Cluster("c", (Mention.at(1, 2),)))
    relations = (Relation(BRIDGING, "c", ("a|b",), "part"), Relation(SPLIT_ANTECEDENT, "x", ("c",)))
    text = written(replace(document, relations=relations))
    assert text.startswith(
        f"# global.columns = {COLUMNS}\n# newdoc id = d\n# sent_id = d-1\n# text = w0 w1 w2 w3\n"
    )
    assert cells(text) == [
        "(EntityID=a_b|MarkableID=markable_1|Min=2,3",
        "(EntityID=a_b|MarkableID=markable_2)(EntityID=c|MarkableID=markable_3|ElementOf=x)",
        ")",
        "(EntityID=a_b|MarkableID=markable_2)",
    ]
    assert "\t(MarkableID=markable_3|Rel=part|MentionAnchor=markable_1|EntityAnchor=a_b)\t" in text


def test_bridging_is_written_at_the_mentions_that_it_names() -> None:
    clusters = (
        Cluster("1", (Mention.at(0, 1), Mention.at(1, 2))),
        Cluster("2", (Mention.at(2, 3), Mention.at(3, 4))),
    )
    relation = Relation(BRIDGING, "2", ("1",), "part", ((3, 4),), (((1, 2),),))
    text = written(replace(plain(4, *clusters), relations=(relation,)))
    assert "(MarkableID=markable_4|Rel=part|MentionAnchor=markable_2|EntityAnchor=1)" in text.split("\n")[7]
    assert parsed(text, COLUMNS).document.relations == (relation,)


def test_markables_that_cross_close_by_name() -> None:
    crossing = plain(4, Cluster("1", (Mention.at(0, 3),)), Cluster("2", (Mention.at(1, 4),)))
    assert cells(written(crossing))[2:] == ["markable_1)", "markable_2)"]
    touching = plain(4, Cluster("1", (Mention.at(0, 3),)), Cluster("2", (Mention.at(2, 4),)))
    assert cells(written(touching))[2:] == [")(EntityID=2|MarkableID=markable_2", ")"]


def test_what_cannot_be_held() -> None:
    with_zero = plain(2, Cluster("1", (Mention(((0, 1), (2, 3))),)), zeros=(Zero(1),))
    with_zero = with_zero.with_text(words=("a", "b", "_"))
    nobody = replace(plain(1), relations=(Relation(SPLIT_ANTECEDENT, "1", ("2",)),))
    for document in (with_zero, nobody):
        with pytest.raises(
            FormatError, match=r"document d: .* which CONLL-UA cannot hold; write jsonlines instead"
        ):
            written(document)


def test_a_response_over_the_keys_lines() -> None:
    key = parsed(SPECIMEN).document
    text = written(
        replace(key, clusters=(Cluster("1", (Mention.at(1, 3), Mention.at(12, 13))),), relations=())
    )
    assert cells(text)[:3] == ["_", "(EntityID=1|MarkableID=markable_1", ")"]
    assert "(EntityID=1-DD|MarkableID=dd1|Min=2\t" in text
    assert text.count("\n") == SPECIMEN.count("\n")
    blanks = "# global.columns = ID FORM IDENTITY\n1   a  (EntityID=1|MarkableID=m1)\n2   b  _\n"
    read = parse_conllua("d", "ID FORM IDENTITY", blanks).document
    moved = written(replace(read, clusters=(Cluster("1", (Mention.at(1, 2),)),)))
    assert moved.split("\n")[1:3] == ["1   a  _", "2   b  (EntityID=1|MarkableID=markable_1)"]


def test_documents_of_one_file_have_the_same_columns(tmp_path: Path) -> None:
    one, two = parsed(SPECIMEN).document, plain(1).with_text(id="e")
    assert written(one, two).count("global.columns") == 1
    assert [d.id for d in (one, two)] == ["d", "e"]
    narrow = parsed("1\ta\t_\n", "ID FORM IDENTITY").document.with_text(id="n")
    with pytest.raises(FormatError, match="write them to separate files"):
        formats.write([one, narrow], tmp_path / "a.conllua")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    edges = [0, *sorted(draw(st.sets(st.integers(1, 8), min_size=1, max_size=3)))]
    length = edges[-1]
    text = Text("d", tuple(f"w{i}" for i in range(length)), tuple(pairwise(edges)))
    zero_at = draw(st.none() | st.integers(0, edges[1]))
    if zero_at is not None:
        text = replace(text, words=(*text.words, "_"), zeros=(Zero(zero_at),))
    names = draw(st.lists(st.sampled_from("abc"), unique=True, max_size=3))
    return Document(
        text, tuple(Cluster(n, tuple(draw(st.lists(mentions(text), min_size=1, max_size=3)))) for n in names)
    )


@st.composite
def mentions(draw: st.DrawFn, text: Text) -> Mention:
    if bool(text.zeros) and draw(st.booleans()):
        return Mention.at(text.length, text.length + 1)
    words = draw(st.sets(st.integers(0, text.length - 1), min_size=1, max_size=4))
    spans = joined_spans([(word, word + 1) for word in words])
    return Mention(spans, minimum=draw(st.none() | st.just((spans[0],))))


@settings(max_examples=200, deadline=None)
@given(documents())
def test_what_is_written_is_read_again(document: Document) -> None:
    try:
        text = written(document)
    except FormatError:
        assume(False)
    again = parse_conllua("d", COLUMNS, text)
    assert not again.flaws
    assert again.document.text == replace(document.text, layers=again.document.layers)
    told = [
        {c.id: Counter((m.spans, m.minimum) for m in c.mentions) for c in d.clusters}
        for d in (document, again.document)
    ]
    assert told[0] == told[1]
    assert written(again.document) == text


def test_a_minimum_span_of_several_parts_is_left_out() -> None:
    parts = plain(3, Cluster("1", (Mention(((0, 3),), minimum=((0, 1), (2, 3))), Mention.at(1, 2))))
    text = written(parts)
    assert "Min=" not in text
    assert parsed(text).document.clusters == parts.clusters


def test_expressions_that_refer_to_nothing_are_beside_the_clusters() -> None:
    text = written(replace(plain(3, Cluster("1", (Mention.at(0, 1),))), non_referring=(EMPTY, OTHER)))
    assert cells(text) == [
        "(EntityID=1|MarkableID=markable_1)",
        "(EntityID=1-Pseudo|MarkableID=markable_2)",
        "(EntityID=7_Pseudo|MarkableID=markable_3)",
    ]
    again = parsed(text).document
    assert [cluster.id for cluster in again.non_referring] == ["1-Pseudo", "7_Pseudo"]
    assert [cluster.id for cluster in again.clusters] == ["1"]


EMPTY, OTHER = Cluster("1-Pseudo", (Mention.at(1, 2),)), Cluster("7_Pseudo", (Mention.at(2, 3),))


def test_names_of_entities_that_refer_to_nothing_say_so() -> None:
    """A cluster that ends like one is written without that ending, and the other way round."""
    misnamed = plain(3, Cluster("a-Pseudo", (Mention.at(0, 1),)))
    again = parsed(written(replace(misnamed, non_referring=(Cluster("a", (Mention.at(1, 2),)),)))).document
    assert [cluster.id for cluster in again.clusters] == ["a"]
    assert [cluster.id for cluster in again.non_referring] == ["a-Pseudo"]


def test_discourse_deixis_is_a_layer_with_sets() -> None:
    both = Cluster("3", (Mention.at(2, 3),))
    events = (Cluster("1", (Mention.at(0, 2),)), Cluster("2", (Mention.at(1, 2),)), both)
    layer = ClusterLayer(DEIXIS, events, (Relation(SPLIT_ANTECEDENT, "3", ("1", "2")),))
    again = parsed(written(replace(plain(3), cluster_layers=(layer,)))).document
    assert again.cluster_layers == (layer,)
    assert again.of_layer(DEIXIS).clusters == events
    assert again.clusters == ()


def test_a_set_that_contains_itself_is_a_flaw() -> None:
    circle = (Relation(SPLIT_ANTECEDENT, "1", ("2",)), Relation(SPLIT_ANTECEDENT, "2", ("1",)))
    clusters = (Cluster("1", (Mention.at(0, 1),)), Cluster("2", (Mention.at(1, 2),)))
    flaws = parsed(written(replace(plain(2, *clusters), relations=circle))).flaws
    assert ["this set contains itself" in flaw.what and not flaw.fatal for flaw in flaws] == [True]


def test_the_first_version_reads_every_row_and_last_parts() -> None:
    rows = [
        "1\ta\t(EntityID=1|MarkableID=m1|Min=1)", "1.1\t_\t(EntityID=1|MarkableID=m2)",
        "2\tb\t(EntityID=1|MarkableID=m1|Min=9)",
    ]  # fmt: skip
    text = "\n".join([*rows, "", ""])
    read = parse_conllua("d", "ID FORM IDENTITY", text, first_version=True)
    assert read.document.words == ("a", "_", "b")
    assert [mention.spans for mention in read.document.clusters[0].mentions] == [((2, 3),), ((1, 2),)]
    assert read.minimums == {0: ((8, 9),)}
