"""What other libraries have in memory becomes a corpus and is scored; all else is refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, RefereeError

WORDS = ["Ann", "saw", "Bo", ".", "She", "waved", "."]
TEXT = "Ann saw Bo. She waved."
STARTS = [0, 4, 8, 10, 12, 16, 21]
CLUSTERS = {frozenset({((0, 1),), ((4, 5),)})}


class Token:
    """What spaCy's tokens look like from outside."""

    def __init__(self, i: int, *, parsed: bool = True) -> None:
        self.i, self.text, self.idx = i, WORDS[i], STARTS[i]
        self.is_sent_start = i in (0, 4) if parsed else None
        self.tag_, self.pos_, self.lemma_ = ("T" if parsed else ""), "", ("L" if parsed and i != 3 else "")
        self.dep_ = "dep" if parsed else ""
        self.head = self if i == 1 or not parsed else Token(1)


class Doc:
    """What spaCy's documents look like from outside."""

    def __init__(self, groups: Any = None, *, parsed: bool = True, **attached: Any) -> None:
        self.spans = groups or {}
        self._ = SimpleNamespace(**attached)
        self.text, self.has_unknown_spaces = TEXT, False
        self.user_data: dict[str, str] = {}
        self._parsed = parsed

    def __iter__(self) -> Iterator[Token]:
        return (Token(i, parsed=self._parsed) for i in range(len(WORDS)))


def span(start: int, end: int, label: str = "") -> Any:
    return SimpleNamespace(start=start, end=end, label_=label, doc=None)


def fastcoref(text: Any, clusters: Any) -> Any:
    return SimpleNamespace(text=text, get_clusters=lambda as_strings: clusters if not as_strings else 0 / 0)


def stanza(start: int = 0, end: int = 1) -> Any:
    sentences = [
        SimpleNamespace(words=[SimpleNamespace(text=word) for word in part])
        for part in (WORDS[:4], WORDS[4:])
    ]
    mentions = [SimpleNamespace(sentence=s, start_word=start, end_word=end) for s in (0, 1)]
    return SimpleNamespace(sentences=sentences, coref=[SimpleNamespace(index=7, mentions=mentions)])


TOKENS = [{"id": number % 4 + 1, "text": word} for number, word in enumerate(WORDS)]
OBJECTS: dict[str, Any] = {
    "document": Document.of(
        "", WORDS, ((0, 4), (4, 7)), [Cluster("1", (Mention.at(0, 1), Mention.at(4, 5)))]
    ),
    "spaCy span groups": Doc({"coref_clusters_1": [span(0, 1), span(4, 5)], "sc": [span(1, 2)]}),
    "spaCy with fastcoref": Doc(coref_clusters=[[(0, 3), (12, 15)]]),
    "spaCy with crosslingual": Doc(coref_clusters=[[[0, 0], [4, 4]]], cluster_heads={}),
    "spaCy with neuralcoref": Doc(coref_clusters=[SimpleNamespace(i=0, mentions=[span(0, 1), span(4, 5)])]),
    "spaCy with lists of spans": Doc(coref_clusters=[[span(0, 1), span(4, 5)]]),
    "spaCy with coreferee": Doc(
        coref_chains=[[SimpleNamespace(token_indexes=[0]), SimpleNamespace(token_indexes=[4])]]
    ),
    "fastcoref": fastcoref(TEXT, [[(0, 3), (12, 15)]]),
    "fastcoref on tokens": fastcoref(WORDS, [[(0, 1), (4, 5)]]),
    "stanza": stanza(),
    "maverick": {
        "tokens": WORDS,
        "clusters_token_offsets": [((0, 0), (4, 4))],
        "clusters_char_offsets": None,
        "clusters_token_text": [["Ann", "She"]],
    },
    "allennlp": {"document": WORDS, "clusters": [[[0, 0], [4, 4]]], "top_spans": [[0, 0]]},
    "e2e": {"sentences": [WORDS[:4], WORDS[4:]], "clusters": [[[0, 0], [4, 4]]]},
    "e2e arrays": {"tokens": np.array(WORDS), "clusters": [np.array([[0, 0], [4, 4]])]},
    "fastcoref line": {"text": TEXT, "clusters": [[[0, 3], [12, 15]]]},
    "indiscrim": {
        "sentences": [{"id": 1, "tokens": TOKENS[:4]}, {"id": 2, "tokens": TOKENS[4:]}],
        "coref_chains": [[[0, 0, 0], [1, 0, 0]]],
    },
    "ontonotes": {
        "document_id": "nw/x",
        "sentences": [
            {"part_id": 0, "words": WORDS[:4], "coref_spans": [[3, 0, 0]]},
            {"part_id": 0, "words": WORDS[4:], "coref_spans": [[3, 0, 0]]},
        ],
    },
    "corenlp": {
        "sentences": [{"tokens": [{"word": word} for word in part]} for part in (WORDS[:4], WORDS[4:])],
        "corefs": {"5": [{"sentNum": s, "startIndex": 1, "endIndex": 2, "headIndex": 1} for s in (1, 2)]},
    },
}


def told(document: Document) -> set[frozenset[Any]]:
    return {frozenset(mention.spans for mention in cluster.mentions) for cluster in document.clusters}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_read(name: str) -> None:
    (document,) = referee.read(OBJECTS[name])
    assert list(document.words) == WORDS
    assert told(document) == CLUSTERS


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_are_scored_against_each_other_and_against_a_corpus(name: str) -> None:
    key = DocumentCorpus([OBJECTS["document"].with_text(id="nw/x_0")])
    for response in (OBJECTS[name], [OBJECTS[name]], iter([OBJECTS[name]])):
        result = referee.score(key, response)
        assert (result.conll, result.muc.counts["recall_denominator"]) == (1, 1)
    other = OBJECTS["e2e"] if name != "ontonotes" else OBJECTS["e2e"] | {"doc_key": "nw/x_0"}
    assert referee.score(OBJECTS[name], other).conll == 1


def test_several_objects_are_one_corpus_and_keep_their_names() -> None:
    corpus = referee.read(
        OBJECTS["spaCy span groups"], OBJECTS["maverick"] | {"doc_id": "m"}, OBJECTS["ontonotes"]
    )
    assert corpus.ids == ["1", "m", "(nw/x); part 000"]
    assert corpus.named
    assert not referee.read([OBJECTS["stanza"], OBJECTS["stanza"]]).named


def test_what_is_beside_the_words_is_kept() -> None:
    (document,) = referee.read(OBJECTS["spaCy span groups"])
    assert document.sentences == ((0, 4), (4, 7))
    assert document.text.running == TEXT
    assert document.text.characters[4] == (12, 15)
    assert document.layers["pos"] == ("T",) * 7
    assert document.layers["lemma"] == ("L", "L", "L", "_", "L", "L", "L")
    assert document.layers["head"] == ("1", "-", *("1",) * 5)
    (bare,) = referee.read(Doc({"coref_clusters_e": [span(0, 1, "PER")]}, parsed=False))
    assert (bare.layers, bare.sentences) == ({}, ((0, 7),))
    assert (bare.clusters[0].id, bare.clusters[0].mentions[0].type) == ("e", "PER")


def test_characters_inside_a_token_cut_it() -> None:
    (document,) = referee.read(Doc(coref_clusters=[[(0, 2), (12, 15)]]))
    assert document.words[:3] == ("An", "n", "saw")
    assert told(document) == {frozenset({((0, 1),), ((5, 6),)})}
    assert document.text.cut


def test_a_mention_of_coreferee_may_have_several_heads() -> None:
    chain = [SimpleNamespace(token_indexes=[2, 0]), SimpleNamespace(token_indexes=[4])]
    (document,) = referee.read(Doc(coref_chains=[chain]))
    assert told(document) == {frozenset({((0, 1), (2, 3)), ((4, 5),)})}


def test_parts_of_ontonotes_are_documents_of_their_own() -> None:
    row = {
        "document_id": "nw/x",
        "sentences": [
            {
                "part_id": 0,
                "words": ["a", "b"],
                "coref_spans": [[1, 0, 1]],
                "pos_tags": ["DT", "NN"],
                "speaker": "A",
            },
            {"part_id": 1, "words": ["c"], "coref_spans": [[1, 0, 0]], "pos_tags": [3], "speaker": "B"},
        ],
    }
    first, second = referee.read(row)
    assert (first.id, second.id) == ("(nw/x); part 000", "(nw/x); part 001")
    assert (told(first), told(second)) == ({frozenset({((0, 2),)})}, {frozenset({((0, 1),)})})
    assert first.layers == {"pos": ("DT", "NN"), "speaker": ("A", "A")}
    assert second.layers == {"speaker": ("B",)}  # a tag that is a number says nothing


def test_layers_and_zeros_of_coref_data() -> None:
    tokens = [
        {"id": 1.0, "text": "a", "xpos": "X", "upos": "U", "lemma": "l", "head": 0},
        {"id": 1.1, "text": "pro", "xpos": "Z", "head": None},
        {"id": 2.0, "text": "b", "upos": "U", "head": 1},
    ]
    sentences = [{"tokens": [tokens[0]], "speaker": "S"}, {"tokens": tokens, "speaker": None}]
    row = {"id": 9, "sentences": sentences, "coref_chains": [[[1, 0, 2], [1, 1, 1]], [[0, 0, 0]], []]}
    (document,) = referee.read(row)
    assert (document.id, document.words) == ("9", ("a", "a", "b", "pro"))
    assert document.layers["pos"] == ("X", "X", "U", "Z")
    assert document.layers["speaker"] == ("S", "_", "_", "_")
    assert "head" not in document.layers
    (zero,) = document.text.zeros
    assert (zero.before, zero.ordinal, zero.sentence) == (2, 1, 1)
    assert told(document) == {frozenset({((1, 4),), ((3, 4),)}), frozenset({((0, 1),)})}
    written = {"sentences": [{"tokens": [tokens[0], tokens[2]]}] * 2, "coref_chains": []}
    assert referee.read(written).document(0).layers["head"] == ("-", "0", "-", "2")


def test_heads_of_corenlp() -> None:
    (document,) = referee.read(OBJECTS["corenlp"])
    assert [mention.head for mention in document.mentions] == [0, 4]
    assert document.clusters[0].id == "5"


def test_a_data_set_is_iterated_and_its_splits_are_not() -> None:
    class Dataset(list[Any]):
        column_names = ("sentences", "coref_chains")

    rows = Dataset([OBJECTS["indiscrim"], OBJECTS["indiscrim"]])
    assert len(referee.read(rows)) == 2
    with pytest.raises(FormatError, match=r"several splits \(train, test\); choose one"):
        referee.read({"train": rows, "test": rows})


def test_a_response_has_its_predicted_clusters() -> None:
    line = OBJECTS["e2e"] | {"predicted_clusters": [[[0, 0], [2, 2]]]}
    assert told(referee.read(line, role="response").document(0)) == {frozenset({((0, 1),), ((2, 3),)})}
    assert told(referee.read(line).document(0)) == CLUSTERS


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (7, "key: cannot read a int; expected one of: a Document; spaCy's Doc; fastcoref's"),
        ([OBJECTS["e2e"], {"a": 1}], "key, item 2: cannot read a dict with a; expected one of"),
        ({"sentences": [["a"]]}, "key: cannot read a dict with sentences; expected"),
        (OBJECTS["e2e"] | {"clusters": [[[0, 7]]]}, "item 1: the mention .* lies outside the document"),
        (OBJECTS["maverick"] | {"clusters_token_offsets": 1}, "has no list of clusters_token_offsets"),
        (Doc({"sc": [span(0, 1)]}), "item 1: the spaCy document has the span groups sc, and none"),
        (Doc({"coref_clusters_1": [span(0, 8)]}), "item 1: the mention .* the text, which has 7 words"),
        (Doc({"coref_clusters_1": [span(-1, 1)]}), r"item 1: the span \[-1, 1\] is not one of its tokens"),
        (Doc(coref_clusters=[[(0, 99)]]), "the mention at characters 0-99 lies outside the text of 22"),
        (fastcoref(TEXT, [[(0, 3), None]]), "item 1: cluster 1 has a mention that fastcoref could not place"),
        (fastcoref(TEXT, [[(0, 99)]]), "item 1: a mention ends at character 99 of 22"),
        (fastcoref(WORDS, [[(0, 9)]]), "item 1: .* lies outside the text, which has 7 words"),
        (stanza(0, 5), "item 1: words 0-5 are not in sentence 0"),
        (OBJECTS["indiscrim"] | {"coref_chains": [[[0, 0, 4]]]}, "lie outside sentence 0, which has 4"),
        (OBJECTS["indiscrim"] | {"coref_chains": [[[2, 0, 0]]]}, "outside sentence 2, which does not exist"),
        (OBJECTS["indiscrim"] | {"coref_chains": [[7]]}, "item 1: not a row of coref-data .*: TypeError"),
        (OBJECTS["corenlp"] | {"corefs": {"1": [{"sentNum": 1}]}}, "item 1: not CoreNLP's JSON .*: KeyError"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_the_item(given: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        referee.read(given)


def test_paths_and_objects_do_not_mix() -> None:
    with pytest.raises(FormatError, match="give either paths or objects, not both"):
        referee.read("key.conll", OBJECTS["e2e"])
    with pytest.raises(RefereeError, match="must be of one kind"):
        referee.score(OBJECTS["e2e"], [[(0, 1), (4, 5)]])


def test_spacy_is_scored_against_bare_clusters_too() -> None:
    assert referee.score(OBJECTS["spaCy span groups"], [[(0, 1), (4, 5)]]).conll == 1
    assert referee.score([[(0, 1), (4, 5)]], OBJECTS["spaCy with fastcoref"]).conll == 1


def test_objects_without_names_pair_by_order_and_only_if_there_are_as_many() -> None:
    key = DocumentCorpus([OBJECTS["document"].with_text(id=id_) for id_ in ("x", "y")])
    assert referee.score(key, [OBJECTS["stanza"]] * 2).units == ["x", "y"]
    assert referee.score([OBJECTS["stanza"]] * 2, key).units == ["x", "y"]
    with pytest.raises(FormatError, match="name their documents differently"):
        referee.score(key, [OBJECTS["stanza"]])
