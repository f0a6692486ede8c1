"""CoNLL-U with entities: what is read, by the rules of the official CorefUD scorer."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from made_conllu import conllu, opened_conllu
from referee import formats
from referee.exceptions import FormatError
from referee.formats.conllu.reading import ConlluCorpus
from referee.formats.conllu.scan import scan_conllu
from referee.formats.recognition import is_conllu
from referee.model import NO_WORD, Chains, Document, Mention, Relation, Zero
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT


def read(folder: Path, text: str, **options: str) -> Document:
    """Read a document of one line in both ways, and see that they agree."""
    corpus = opened_conllu(folder, conllu(text, **options))
    assert scan_conllu(corpus.block(0), corpus.header(0)) is not None
    document = corpus.document(0)
    assert_same(corpus.chains([0]), Chains.of([document]))
    assert corpus.zeros(0) == document.text.zeros
    return document


def assert_same(ours: Chains, theirs: Chains) -> None:
    for column in ("document", "start", "end", "cluster", "cluster_document", "lengths", "head"):
        np.testing.assert_array_equal(getattr(ours, column), getattr(theirs, column), column)
    assert ours.parts.by_row() == theirs.parts.by_row()
    assert ours.minimums.by_row() == theirs.minimums.by_row()


def spans(document: Document) -> dict[str, list[tuple[tuple[int, int], ...]]]:
    return {cluster.id: [mention.spans for mention in cluster.mentions] for cluster in document.clusters}


def heads(document: Document) -> list[int | None]:
    return [mention.head for cluster in document.clusters for mention in cluster.mentions]


def test_words_sentences_and_layers(tmp_path: Path) -> None:
    document = read(tmp_path, "Ann saw{(e1--1)} | Bo")
    assert (document.id, document.words, document.sentences) == ("d", ("Ann", "saw", "Bo"), ((0, 2), (2, 3)))
    assert document.layers["head"] == ("-", "0", "-")
    assert document.layers["deprel"] == ("root", "dep", "root")
    assert document.layers["pos"] == document.layers["upos"] == ("X", "X", "X")
    assert "lemma" not in document.layers
    assert "deps" not in document.layers


def test_speakers_are_read(tmp_path: Path) -> None:
    text = conllu("Ann saw | Bo | left").replace("# sent_id = d-1", "# speaker = Ann Lee\n# sent_id = d-1")
    assert "# speaker" in text
    document = opened_conllu(tmp_path, text).document(0)
    assert document.layers["speaker"] == ("Ann Lee", "Ann Lee", "-", "-")
    assert "speaker" not in read(tmp_path, "Ann").layers


def test_tags_are_those_of_the_treebank_where_they_are_penn(tmp_path: Path) -> None:
    penn = conllu("Ann ran").replace("X\t_", "X\tNNP")
    assert opened_conllu(tmp_path, penn).document(0).layers["pos"] == ("NNP", "NNP")
    eagles = penn.replace("NNP", "np0000")
    assert opened_conllu(tmp_path, eagles).document(0).layers["pos"] == ("X", "X")


def test_nested_crossing_and_equal_spans(tmp_path: Path) -> None:
    document = read(tmp_path, "a{(x--2(y--1(z--1)} b{x)(v--1} c{y)} d{v)(x--1(x--2} e{x)x)}")
    assert spans(document) == {
        "x": [((0, 2),), ((3, 5),), ((3, 5),)], "y": [((0, 3),)], "z": [((0, 1),)], "v": [((1, 4),)],
    }  # fmt: skip


def test_a_closing_takes_the_latest_opening_of_its_entity(tmp_path: Path) -> None:
    document = read(tmp_path, "a{(x--1} b{(x--1} c{x)} d{x)}")
    assert spans(document) == {"x": [((0, 4),), ((1, 3),)]}


def test_heads_types_and_minimum_spans(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a{(x-person-2--2,4} b c d{x)(x-organization)(y--7)}", header="eid-etype-head-other-minspan"
    )
    (x, y) = document.clusters
    assert [mention.head for mention in (*x.mentions, *y.mentions)] == [1, None, 3]
    assert [mention.type for mention in (*x.mentions, *y.mentions)] == ["person", "organization", None]
    assert (x.type, y.type) == ("person", None)
    assert x.mentions[0].minimum == ((1, 2), (3, 4))


def test_no_head_or_zero_is_none(tmp_path: Path) -> None:
    assert heads(read(tmp_path, "a{(x} b{x)(y--0} c{y)(x)}")) == [None, None, None]


def test_fields_that_are_missing_or_too_many(tmp_path: Path) -> None:
    document = read(tmp_path, "a{(x-person-1-k:v-surplus-more)} b{(x)}")
    assert spans(document) == {"x": [((0, 1),), ((1, 2),)]}


def test_the_id_may_come_anywhere_and_be_called_otherwise(tmp_path: Path) -> None:
    document = read(tmp_path, "a{(person-1-new} b{1)}", header="entity-GRP-infstat")
    assert spans(document) == {"1": [((0, 2),)]}
    assert document.clusters[0].type == "person"


def test_discontinuous_mentions(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        "a{(x[1/2]--3} b{x[1/2])} c{(x--1)} d{(x[2/2]--3)} "
        "e{(x[1/3]} f{x[1/3])} g h{(x[2/3])} i j{(x[3/3]--4)}",
    )
    assert spans(document) == {"x": [((0, 2), (3, 4)), ((2, 3),), ((4, 6), (7, 8), (9, 10))]}
    assert heads(document) == [3, 2, 9]


def test_parts_side_by_side_are_one_span(tmp_path: Path) -> None:
    assert spans(read(tmp_path, "a{(x[1/2]--1)} b{(x[2/2]--1)}")) == {"x": [((0, 2),)]}


def test_zeros(tmp_path: Path) -> None:
    document = read(tmp_path, "*2:nsubj{(x--1)} a *1:obj|0.1:dep b | c *0:root *1:nsubj{(x--1)}")
    assert document.words == ("a", "b", "c", "_", "_", "_", "_")
    assert document.text.zeros == (
        Zero(0, 1, 0, ((1, "nsubj"),)),
        Zero(1, 1, 0, ((0, "obj"), (3, "dep"))),
        Zero(3, 1, 1, ((NO_WORD, "root"),)),
        Zero(3, 2, 1, ((2, "nsubj"),)),
    )
    assert spans(document) == {"x": [((3, 4),), ((6, 7),)]}
    assert document.sentences == ((0, 2), (2, 3))
    assert document.text.reading_order() == [3, 0, 4, 1, 2, 5, 6]


def test_a_mention_has_the_zeros_inside(tmp_path: Path) -> None:
    document = read(tmp_path, "a{(x--3} * b{x)} c d{(y--2} *{y)} | *{(z--2} e{z)}")
    assert spans(document) == {"x": [((0, 2), (5, 6))], "y": [((3, 4), (6, 7))], "z": [((4, 5), (7, 8))]}
    assert heads(document) == [1, 6, 4]


def test_heads_count_words_in_the_order_of_the_text(tmp_path: Path) -> None:
    """The numbers of these words have no gap, and yet they are in another order."""
    document = read(tmp_path, "a b{(x--3} * c{(y--2} *{y)x)}")
    assert spans(document) == {"x": [((1, 5),)], "y": [((2, 3), (4, 5))]}
    assert heads(document)[0] == 2


def test_relations(tmp_path: Path) -> None:
    text = conllu("a{(x)} b{(y)} c{(z)} d{(w)}")
    text = text.replace("Entity=(y)", "Bridge=x<y:part|Entity=(y)").replace(
        "Entity=(z)", "Entity=(z)|SplitAnte=x<z,y<z"
    )
    corpus = opened_conllu(tmp_path, text.replace("Entity=(w)", "Entity=(w)|Bridge=x<w,y<w"))
    assert corpus.document(0).relations == (
        Relation(BRIDGING, "y", ("x",), "part", ((1, 2),)),
        Relation(SPLIT_ANTECEDENT, "z", ("x", "y")),
        Relation(BRIDGING, "w", ("x",), anaphor_spans=((3, 4),)),
        Relation(BRIDGING, "w", ("y",), anaphor_spans=((3, 4),)),
    )
    assert corpus.flaws(0) == []


def test_the_running_text_has_the_blanks_of_the_file(tmp_path: Path) -> None:
    text = conllu("Vi a{(x} el gato{x)} .").replace("x)\n", "x)|SpaceAfter=No\n")
    text = text.replace("2\ta", "2-3\tal" + "\t_" * 8 + "\n2\ta")
    document = opened_conllu(tmp_path, text).document(0)
    assert document.words == ("Vi", "a", "el", "gato", ".")
    assert document.text.running == "Vi al gato."
    assert document.text.characters == ((0, 2), (3, 5), (3, 5), (6, 10), (10, 11))
    assert document.text.spelled(document.mentions[0].spans) == "al gato"


def test_documents_and_their_names(tmp_path: Path) -> None:
    text = conllu("a{(x)}", None) + conllu("b{(x)}", "two words").replace("# newdoc", "# first = y\n# newdoc")
    text += conllu("c{(x)}").replace("# newdoc id = d", "# newdoc") + conllu("d").replace(
        "# newdoc", "#newdoc"
    ).replace("d-1", "d-2")
    corpus = opened_conllu(tmp_path, text)
    assert corpus.ids == ["file", "two words", "3"]
    assert [document.words for document in corpus] == [("a",), ("b",), ("c", "d")]
    assert "".join(document.layout[1] for document in corpus) == text
    assert [corpus.location(number) for number in range(3)] == [
        f"{tmp_path}/file.conllu:{n}" for n in (1, 5, 11)
    ]
    assert corpus.location(2, 1) == f"{tmp_path}/file.conllu:19"


def test_comments_alone_before_the_first_document_belong_to_it(tmp_path: Path) -> None:
    text = "# made by hand\n\n" + conllu("a")
    (document,) = opened_conllu(tmp_path, text)
    assert document.layout[1] == text


def test_documents_of_one_name_are_one(tmp_path: Path) -> None:
    text = conllu("a{(x)}") + conllu("b", "e") + conllu("c{(x)}").replace("d-1", "d-2")
    corpus = opened_conllu(tmp_path, text)
    assert corpus.ids == ["d", "e"]
    assert spans(corpus.document(0)) == {"x": [((0, 1),), ((1, 2),)]}
    assert corpus.notices == [f"{tmp_path}/file.conllu: document d occurs twice; both are read as one"]
    assert corpus.location(0, 1).endswith("file.conllu:14")
    with pytest.raises(FormatError, match=r"file.conllu: document d occurs twice; .*strict"):
        opened_conllu(tmp_path, text, strict=True)


def test_an_entity_in_two_documents_is_one_in_each(tmp_path: Path) -> None:
    text = conllu("a{(x)} b{(x)}") + conllu("c{(y)} d{(x)}", "e") + conllu("f{(x)}", "f")
    corpus = opened_conllu(tmp_path, text)
    chains = corpus.chains([0, None, 1])
    assert chains.notices == ("corpus: entity x is in d and in e, and is one entity in each",)
    assert corpus.chains([2]).notices == ()
    assert [corpus.flaws(number) for number in range(3)] == [
        [],
        [(11, "entity x is in d too, and is one entity in each")],
        [(16, "entity x is in d too, and is one entity in each")],
    ]
    grouped = opened_conllu(tmp_path, text.replace("eid-", "GRP-"))
    assert grouped.chains([0, 1]).notices == ()
    assert grouped.flaws(1) == []
    assert chains.cluster.tolist() == [0, 0, 1, 2]
    assert chains.document.tolist() == [0, 0, 2, 2]
    assert chains.lengths.tolist() == [2, -1, 2]
    assert chains.entity is None


def test_the_last_header_holds_for_all(tmp_path: Path) -> None:
    text = conllu("a{(1-x)}", header="etype-eid") + conllu("b{(y-2)}", "e")
    corpus = opened_conllu(tmp_path, text)
    assert [cluster.id for document in corpus for cluster in document.clusters] == ["1", "y"]
    assert corpus.notices == [
        f"{tmp_path}/file.conllu: has several headers; the last one applies to all: eid-etype-head-other"
    ]


def test_a_long_file_is_indexed_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(conllu("a{(x)} b | c", f"d{number}") for number in range(9))
    whole = opened_conllu(tmp_path, text)
    documents, locations = list(whole), [whole.location(number) for number in range(9)]
    for size in (3, 40, 100):
        monkeypatch.setattr("referee.formats.conllu.reading.CHUNK", size)
        corpus = opened_conllu(tmp_path, text)
        assert corpus.ids == whole.ids == [f"d{number}" for number in range(9)]
        assert list(corpus) == documents
        assert [corpus.location(number) for number in range(9)] == locations


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: text.rstrip("\n")])
def test_line_ends(tmp_path: Path, change: object) -> None:
    text = conllu("a{(x--2} b{x)} | *1:dep c{(x)}") + conllu("e", "e")
    plain = [*opened_conllu(tmp_path, text)]
    corpus = opened_conllu(tmp_path, change(text))  # type: ignore[operator]
    assert [*corpus] == plain
    assert "".join(document.layout[1] for document in corpus) == change(text)  # type: ignore[operator]
    assert corpus.chains([0]).end.tolist() == [2, 3]


def test_a_treebank_without_entities_says_so(tmp_path: Path) -> None:
    corpus = opened_conllu(tmp_path, conllu("a b", header=""))
    assert corpus.notices == [f"{tmp_path}/file.conllu: CoNLL-U without coreference: no word has Entity="]
    assert corpus.chains([0]).start.size == 0
    assert corpus.document(0).clusters == ()


def test_odd_bytes_are_kept(tmp_path: Path) -> None:
    text = conllu("a{(x\udce9)}")
    corpus = opened_conllu(tmp_path, text)
    assert corpus.document(0).layout[1] == text
    assert corpus.document(0).clusters[0].id == "x\udce9"


def test_it_travels_to_another_process(tmp_path: Path) -> None:
    corpus = opened_conllu(tmp_path, conllu("a{(x)}"))
    corpus.document(0)
    assert pickle.loads(pickle.dumps(corpus)).document(0) == corpus.document(0)


def test_recognised_by_its_rows(tmp_path: Path) -> None:
    assert is_conllu(conllu("a").encode())
    assert not is_conllu(b"#begin document d\n" + conllu("a").encode())
    assert not is_conllu(conllu("a").replace("\t_", "", 1).encode())
    (tmp_path / "a.conllu").write_text(conllu("a{(x)}"), encoding="utf-8")
    assert isinstance(formats.read(tmp_path), ConlluCorpus)
    (tmp_path / "a.conll").write_text("#begin document d\na\t(1)\n#end document\n", encoding="utf-8")
    assert not isinstance(formats.read(tmp_path), ConlluCorpus), "beside other files it has their trees"


def test_mentions_are_in_the_order_of_their_openings(tmp_path: Path) -> None:
    document = read(tmp_path, "a{(x)} *1:dep{(x)} b{(x)}")
    assert list(document.clusters[0].mentions) == [
        Mention.at(0, 1),
        Mention.at(2, 3),
        Mention.at(1, 2),
    ]
