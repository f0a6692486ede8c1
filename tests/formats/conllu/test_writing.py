"""CoNLL-U as it is written: what changed, and documents that came from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from made_conllu import HEADER, conllu, opened_conllu
from referee import formats
from referee.exceptions import FormatError
from referee.formats.conllu.heads import HeadFinder
from referee.formats.conllu.writing import write
from referee.model import Cluster, Document, Mention, Relation, Text, Zero
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT


def written(*documents: Document) -> str:
    file = StringIO()
    write(documents, file)
    return file.getvalue()


def entities(text: str) -> list[str]:
    """List what the rows say of entities, without the name of the attribute."""
    misc = [line.split("\t")[9] for line in text.split("\n") if line[:1].isdigit()]
    return [cell.removeprefix("Entity=") for cell in misc]


def plain(words: str, *clusters: Cluster, **fields: object) -> Document:
    """Make a document that came from elsewhere; bars part sentences."""
    sentences, start = [], 0
    for sentence in words.split(" | "):
        sentences.append((start, start + len(sentence.split())))
        start = sentences[-1][1]
    text = Text("d", tuple(words.replace("|", "").split()), tuple(sentences))
    return Document(replace(text, **fields), clusters)  # type: ignore[arg-type]


def at(*spans: tuple[int, int], **fields: object) -> Mention:
    return Mention(spans, **fields)  # type: ignore[arg-type]


def test_a_document_from_elsewhere() -> None:
    layers = {"pos": ("PRP", "VBD", "DT", "NN", "."), "lemma": ("-", "see", "the", "cat", ".")}
    cat = Cluster("cat", (at((2, 4)),), "animal")
    document = plain("He saw the cat .", Cluster("0", (at((0, 1)),)), cat, layers=layers)
    assert written(document) == (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "# sent_id = d-s1\n# text = He saw the cat .\n"
        "1\tHe\t_\t_\tPRP\t_\t_\t_\t_\tEntity=(0--1)\n"
        "2\tsaw\tsee\t_\tVBD\t_\t_\t_\t_\t_\n"
        "3\tthe\tthe\t_\tDT\t_\t_\t_\t_\tEntity=(cat-animal-2\n"
        "4\tcat\tcat\t_\tNN\t_\t_\t_\t_\tEntity=cat)\n"
        "5\t.\t.\t_\t.\t_\t_\t_\t_\t_\n\n"
    )  # fmt: skip


def test_trees_universal_tags_blanks_and_speakers() -> None:
    layers = {
        "pos": ("PRON", "VERB", "PUNCT"), "head": ("1", "-", "1"), "speaker": ("Ann", "Ann", "-"),
        "feats": ("Case=Nom", "_", "_"),
    }  # fmt: skip
    document = plain("He ran .", layers=layers, running="He ran.", characters=((0, 2), (3, 6), (6, 7)))
    assert written(document).split("\n")[2:-1] == [
        "# speaker = Ann",
        "# text = He ran.",
        "1\tHe\t_\tPRON\t_\tCase=Nom\t2\tdep\t_\t_",
        "2\tran\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No",
        "3\t.\t_\tPUNCT\t_\t_\t2\tdep\t_\t_",
        "",
    ]


def test_zeros_are_among_the_words() -> None:
    zeros = (Zero(0, 1, 0, ((1, "nsubj"), (4, "dep"))), Zero(2, 2, 0, ((-1, "root"),)), Zero(2, 1, 1))
    document = plain("a b | c", Cluster("x", (at((3, 4)), at((0, 1), (3, 4)), at((5, 6)))), zeros=zeros)
    document = document.with_text(words=(*document.words, "_", "_", "_"))
    rows = [line.split("\t") for line in written(document).split("\n") if line[:1].isdigit()]
    assert [(row[0], row[8], row[9]) for row in rows] == [
        ("0.1", "2:nsubj|2.2:dep", "Entity=(x--2(x--1)"), ("1", "_", "Entity=x)"), ("2", "_", "_"),
        ("2.2", "0:root", "_"), ("0.1", "_", "Entity=(x--1)"), ("1", "_", "_"),
    ]  # fmt: skip


def test_the_order_of_brackets_is_corefuds() -> None:
    a, b, c, d = (Cluster(name, mentions) for name, mentions in {
        "a": (at((0, 3)), at((2, 3))), "b": (at((0, 2)), at((2, 4))),
        "c": (at((0, 2)), at((3, 4)), at((2, 3))), "d": (at((0, 1)), at((3, 4))),
    }.items())  # fmt: skip
    assert entities(written(plain("p q r s", d, c, b, a))) == [
        "(a--3(b--2(c--2(d--1)", "c)b)", "a)(b--2(a--1)(c--1)", "(d--1)(c--1)b)",
    ]  # fmt: skip


def test_parts_of_a_mention_repeat_all_fields() -> None:
    gap = at((0, 2), (3, 4), head=3, type="person")
    assert entities(written(plain("a b c d", Cluster("x", (gap,))))) == [
        "(x[1/2]-person-3", "x[1/2])", "_", "(x[2/2]-person-3)",
    ]  # fmt: skip


def test_a_zero_left_out_parts_a_mention() -> None:
    document = plain("a b", Cluster("x", (at((0, 2)),)), zeros=(Zero(1, 1, 0),))
    document = document.with_text(words=("a", "b", "_"))
    assert entities(written(document)) == ["(x[1/2]--2)", "_", "(x[2/2]--2)"]


def test_minimum_spans_have_a_field_or_are_among_others() -> None:
    least = Cluster("x", (at((0, 3), minimum=((0, 1), (2, 3)), head=0),))
    assert entities(written(plain("a b c", least)))[0] == "(x--1--1,3"
    assert "# global.Entity = eid-etype-head-other-minspan\n" in written(plain("a b c", least))
    both = written(plain("a"), replace(plain("a b c", least), text=replace(plain("a b c").text, id="e")))
    assert entities(both)[1] == "(x--1-minspan:1%2C3"


def test_relations_are_said_at_the_first_mention() -> None:
    document = plain("a b c", *(Cluster(name, (at((i, i + 1)),)) for i, name in enumerate("xyz")))
    relations = (
        Relation(BRIDGING, "y", ("x",), "part"), Relation(BRIDGING, "y", ("z",)),
        Relation(SPLIT_ANTECEDENT, "z", ("x", "y")),
    )  # fmt: skip
    assert entities(written(replace(document, relations=relations))) == [
        "(x--1)", "Bridge=x<y:part,z<y|Entity=(y--1)", "(z--1)|SplitAnte=x<z,y<z",
    ]  # fmt: skip
    with pytest.raises(FormatError, match="a relation of w, which has no mention"):
        written(replace(document, relations=(Relation(BRIDGING, "w", ("x",)),)))


def test_names_are_made_fit_and_differ_between_documents() -> None:
    clusters = (Cluster("a-b", (at((0, 1)),)), Cluster("a_b", (at((1, 2)),)), Cluster("", (at((2, 3)),)))
    one = plain("p q r", *clusters)
    two = replace(one, text=replace(one.text, id="e"))
    assert entities(written(one, two)) == [
        "(a_b--1)", "(a_b_2--1)", "(e--1)", "(a_b_3--1)", "(a_b_4--1)", "(e_2--1)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        ("a b c d", [at((0, 3)), at((1, 4))]),
        ("a b | c", [at((0, 3))]),
        ("a b c d", [at((0, 1), (2, 3)), at((1, 2), (3, 4))]),
    ],
    ids=["crossing", "over a sentence", "gaps that cross"],
)
def test_what_cannot_be_held(words: str, mentions: list[Mention]) -> None:
    with pytest.raises(FormatError, match=r"document d: .* CoNLL-U cannot hold; write jsonlines instead"):
        written(plain(words, Cluster("x", tuple(mentions))))


TEXT = conllu("a{(x-person-2-k:v} b{x)} c{(y--1)} | *1:nsubj{(x-person-1)} d e{(y--1)}")
TEXT = TEXT.replace("Entity=(y--1)\n", "Bridge=x<y|Entity=(y--1)|SpaceAfter=No\n").replace("\tc\t_", "\tc\tC")


def test_nothing_changed(tmp_path: Path) -> None:
    document = opened_conllu(tmp_path, TEXT).document(0)
    assert written(document) == TEXT
    shuffled = replace(document, clusters=document.clusters[::-1], relations=document.relations[::-1])
    assert written(shuffled) == TEXT


def test_only_what_changed_is_written_anew(tmp_path: Path) -> None:
    document = opened_conllu(tmp_path, TEXT).document(0)
    x, y = document.clusters
    moved = replace(document, clusters=(replace(x, mentions=x.mentions[:1]), y))
    assert written(moved) == TEXT.replace("Entity=(x-person-1)", "_")
    other = replace(document, clusters=(Cluster("n", x.mentions), y))
    expected = TEXT.replace("(x-person-2-k:v", "(n-person-2").replace("=x)", "=n)").replace("(x-", "(n-")
    assert written(other) == expected, "another entity has not the old one's attributes"
    without = replace(document, clusters=(x,), relations=())
    assert written(without) == TEXT.replace("Bridge=x<y|Entity=(y--1)|", "")
    headed = replace(x.mentions[0], head=0, type=None)
    assert "Entity=(x--1-k:v\n" in written(replace(document, clusters=(replace(x, mentions=(headed,)), y)))


def test_a_new_mention_goes_in_alphabetical_order(tmp_path: Path) -> None:
    text = conllu("a{_} b{_}").replace("\t_\n", "\tAlpha=1|SpaceAfter=No|entitled\n")
    document = opened_conllu(tmp_path, text).document(0)
    lines = written(replace(document, clusters=(Cluster("x", (at((0, 2)),)),))).split("\n")
    assert lines[3].endswith("\tAlpha=1|Entity=(x--1|SpaceAfter=No|entitled")
    assert lines[4].endswith("\tAlpha=1|Entity=x)|SpaceAfter=No|entitled")


def test_layers_that_changed(tmp_path: Path) -> None:
    document = opened_conllu(tmp_path, TEXT).document(0)
    layers = {**document.layers, "lemma": tuple("abcdef"), "head": ("1", "-", "1", "-", "3", "-")}
    text = written(document.with_text(layers=layers))
    rows = [line.split("\t") for line in text.split("\n") if line[:1].isdigit()]
    assert [(row[2], row[6]) for row in rows] == [
        ("a", "2"), ("b", "0"), ("c", "2"), ("f", "_"), ("d", "0"), ("e", "1"),
    ]  # fmt: skip


def test_other_words_get_rows_of_their_own(tmp_path: Path) -> None:
    document = opened_conllu(tmp_path, TEXT).document(0)
    changed = document.with_text(words=("A", *document.words[1:]))
    assert "1\tA\t" in written(changed)
    assert "# sent_id = d-s1\n" in written(changed)


def test_names_and_headers_of_documents(tmp_path: Path) -> None:
    text = conllu("a{(x)}", "one") + conllu("b{(y)}", "two", header="") + conllu("c{(z)}", "3", header="")
    text = text.replace("# newdoc id = 3", "# newdoc")
    one, two, three = opened_conllu(tmp_path, text)
    assert written(one, two, three) == text
    assert written(two) == conllu("b{(y)}", "two"), "a document alone needs the header of its file"
    assert "# newdoc id = 3\n" in written(three), "its number has changed"
    assert written(one.with_text(id="new")) == conllu("a{(x)}", "one").replace(
        "newdoc id = one", "newdoc id = new"
    )
    alone = opened_conllu(tmp_path, conllu("a{(x)}", None)).document(0)
    assert written(alone) == conllu("a{(x)}", None)
    assert written(alone, one).startswith("# newdoc id = file\n")
    assert written(alone.with_text(id="d"), one) == "# newdoc id = d\n" + conllu("a{(x)}", None) + conllu(
        "a{(x)}", "one"
    )


def test_a_blank_line_comes_between_documents(tmp_path: Path) -> None:
    first, second = conllu("a{(x)}").rstrip("\n"), conllu("b{(y)}", "e")
    (document,) = opened_conllu(tmp_path, first)
    (other,) = opened_conllu(tmp_path, second)
    assert written(document) == first
    assert written(document, other) == first + "\n\n" + second


def test_documents_with_other_fields_are_told_in_those_of_the_first(tmp_path: Path) -> None:
    (one,) = opened_conllu(tmp_path, conllu("a{(x)}"))
    (gum,) = opened_conllu(tmp_path, conllu("b{(1-person-new-2} c{1)}", "e", "GRP-etype-infstat-minspan"))
    both = written(one, gum)
    assert entities(both) == ["(x)", "(1-person-1-infstat:new,minspan:2", "1)"]
    again = [*opened_conllu(tmp_path, both)]
    assert again[1].clusters[0].mentions[0].minimum == ((1, 2),)
    with pytest.raises(FormatError, match="no field for it; write the documents to separate files"):
        written(gum, opened_conllu(tmp_path, conllu("a{(x--1-k:v)}")).document(0))


HEADS = {  # governors, a mention's words, its head
    "a treelet": (("1", "-", "1", "2"), range(4), 1),
    "a gap above": (("3", "3", "3", "-"), [0, 2], 0),
    "one above the others": (("1", "4", "1", "4", "-"), [0, 1, 3], 1),
    "the first of several": (("2", "2", "-"), [0, 1], 0),
    "a circle": (("1", "0", "-"), [0, 1], 0),
}


@pytest.mark.parametrize("case", HEADS)
def test_heads_by_the_tree(case: str) -> None:
    governors, words, head = HEADS[case]
    text = plain(" ".join("abcde"[: len(governors)]), layers={"head": governors}).text
    assert HeadFinder(text).head(words) == head


def test_heads_by_enhanced_dependencies_and_without_a_tree() -> None:
    layers = {"head": ("2", "2", "-"), "deps": ("3:dep", "1:dep|3:dep", "0:root")}
    assert HeadFinder(plain("a b c", layers=layers).text).head([0, 1]) == 0
    layers = {"head": ("2", "2", "-"), "deps": ("2:dep", "3:dep", "0:root")}
    assert HeadFinder(plain("a b c", layers=layers).text).head([0, 1]) == 1
    tagged = plain("the king of Spain", layers={"pos": ("DT", "NN", "IN", "NNP")}).text
    assert HeadFinder(tagged).head(range(4)) == 1
    assert HeadFinder(plain("the king of Spain").text).head(range(4)) == 3


def test_clusters_of_several_documents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="conllu only holds clusters within a document; write corpus-conll"):
        formats.write([plain("a")], tmp_path / "a.conllu", cross_document=True)


def test_packed_files_are_read(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    assert written(*formats.read(path)) == TEXT
    assert HEADER in formats.read(tmp_path).document(0).layout[0]
