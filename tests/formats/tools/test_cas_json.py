"""UIMA CAS JSON: lists and objects of feature structures, views, chains that are no chains."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee import Document, FormatError, read, write
from referee.model import Relation, cut_text
from tool_specimens import CAS, CAS_OBJECT, STORY, STRUCTURES, cas, link, put


def one(folder: Path, content: str) -> Document:
    (document,) = read(put(folder, "a.json", content))
    return document


def spelled(document: Document) -> list[list[str]]:
    return [[document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters]


def with_link(number: int, **changes: Any) -> str:
    """Write the specimen with one feature structure changed."""
    return cas([structure | (changes if structure["%ID"] == number else {}) for structure in STRUCTURES])


def test_a_list_and_an_object_say_the_same(tmp_path: Path) -> None:
    listed, mapped = one(tmp_path, CAS), one(tmp_path, CAS_OBJECT)
    assert listed.clusters == mapped.clusters
    assert [cluster.id for cluster in listed.clusters] == ["3", "6", "8"]
    write([mapped], tmp_path / "b.cas.json")
    assert (tmp_path / "b.cas.json").read_text(encoding="utf-8") == CAS_OBJECT


def test_links_outside_of_chains_and_without_text(tmp_path: Path) -> None:
    loose = [link(20, 7, 11, **{"@next": 21}), link(21, 40, 45), link(22, 3, 4), link(23, 6, 6)]
    corpus = read(put(tmp_path, "a.json", cas(STRUCTURES + loose)))
    assert ["lost", "liked"] in spelled(corpus.document(0))
    assert len(corpus.document(0).clusters) == 4
    (notice,) = corpus.notices
    assert notice.endswith("a link without text is skipped: lines 104, 111")


def test_spans_that_are_called_coreference_and_not_read_are_noted(tmp_path: Path) -> None:
    span = {"%ID": 40, "%TYPE": "webanno.custom.CorefSpan", "@sofa": 1, "begin": 7, "end": 11, "id": "7"}
    corpus = read(put(tmp_path, "a.json", cas([*STRUCTURES, span])))
    (notice,) = corpus.notices
    assert "the span layer 'CorefSpan' is called after coreference, but is not read" in notice
    assert notice not in corpus.about


def test_the_text_is_that_of_the_links(tmp_path: Path) -> None:
    other = {"%ID": 30, "%TYPE": "uima.cas.Sofa", "sofaID": "other", "sofaString": "another text"}
    assert one(tmp_path, cas([other, *STRUCTURES])).text.running == STORY
    moved = [other, link(31, 0, 7) | {"@sofa": 30}]
    assert spelled(one(tmp_path, cas(moved))) == [["another"]]
    with pytest.raises(FormatError, match=r"a\.json:1: chains in several views of the text"):
        one(tmp_path, cas([*moved, *STRUCTURES]))
    empty = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Ann"}
    assert one(tmp_path, cas([other, empty])).text.running == "Ann"


def test_what_is_written_has_types_views_and_one_structure_a_line(tmp_path: Path) -> None:
    write([cut_text("d", "\U0001f60a Ann", one(tmp_path, CAS).clusters[:0])], tmp_path / "b.cas.json")
    written = json.loads((tmp_path / "b.cas.json").read_text(encoding="utf-8"))
    assert written["%FEATURE_STRUCTURES"][1]["end"] == 6
    document = one(tmp_path, CAS)
    write([Document(document.text, document.clusters)], tmp_path / "b.cas.json")
    written = json.loads((tmp_path / "b.cas.json").read_text(encoding="utf-8"))
    assert sorted(name.rsplit(".", 1)[1] for name in written["%TYPES"]) == [
        "CoreferenceChain",
        "CoreferenceLink",
    ]
    structures = written["%FEATURE_STRUCTURES"]
    assert [structure["%ID"] for structure in structures] == list(range(1, 12))
    assert structures[2] == structures[2] | {"@first": 4}
    assert [(s["begin"], s["end"], s.get("@next")) for s in structures[3:6]] == [
        (0, 3, 5), (12, 15, 6), (46, 49, None),
    ]  # fmt: skip
    assert written["%VIEWS"]["_InitialView"] == {"%SOFA": 1, "%MEMBERS": list(range(2, 12))}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            with_link(5, **{"@next": 3}),
            r"\d+: feature structure 3: a link that is in two chains, or twice in one",
        ),
        (with_link(5, **{"@next": 5}), r"\d+: feature structure 5: a link that is in two chains"),
        (with_link(7, **{"@next": 5}), r"\d+: feature structure 5: a link that is in two chains"),
        (with_link(10, **{"@first": 4}), r"\d+: feature structure 4: a link that is in two chains"),
        (
            with_link(8, **{"@next": 8}).replace('"@first": 8', '"@first": null'),
            r"\d+: feature structure 8: .*back",
        ),
        (
            with_link(9, **{"@first": 77}),
            r"\d+: feature structure 9: @first refers to 77, which does not exist",
        ),
        (with_link(9, **{"@first": [3]}), r"\d+: feature structure 9: @first refers to \[3\]"),
        (
            with_link(7, end=99),
            r"\d+: feature structure 7: begin and end are not inside the text of 61 units",
        ),
        (with_link(7, end=10**40), r"\d+: feature structure 7: begin and end are not inside"),
        (with_link(7, end="9"), r"\d+: feature structure 7: begin and end are not inside"),
        (with_link(7, begin=59, end=57), r"\d+: feature structure 7: the span 58-56 is empty"),
        (
            with_link(7, begin=5),
            r"\d+: feature structure 7: 5 is in the middle of a character; offsets count",
        ),
        (with_link(7, referenceType=7), r"\d+: feature structure 7: referenceType is not a string"),
        (with_link(2, **{"%ID": 3}), "1: two feature structures have the %ID 3"),
        (with_link(1, sofaString=None), "1: has no text"),
        (cas([3]), "1: a feature structure is not an object: 3"),
        (cas({"3": 4}), "1: a feature structure is not an object: 4"),
        (cas(7), "1: expected a UIMA CAS with a list or object of %FEATURE_STRUCTURES"),
        (CAS[:-20], r"\d+: not JSON"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"a\.json:{message}") as raised:
        one(tmp_path, content)
    if named := re.search(r"json:(\d+): feature structure (\d+)", str(raised.value)):
        assert content.split("\n")[int(named[1]) - 1].strip() == f'"%ID": {named[2]},'


REFERENT, COREF = "webanno.custom.Referent", "webanno.custom.Coref"


def span(id_: int, start: int, end: int, entity: str) -> dict[str, Any]:
    return {"%ID": id_, "%TYPE": REFERENT, "@sofa": 1, "begin": start, "end": end, "entity": entity}


def relation(id_: int, source: int, target: int, value: str, kind: str = COREF) -> dict[str, Any]:
    return {"%ID": id_, "%TYPE": kind, "@sofa": 1, "@Governor": source, "@Dependent": target, "type": value}


def test_a_layer_of_relations_is_coreference(tmp_path: Path) -> None:
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Ann took her hat ."}
    spans = [
        span(2, 0, 3, "person"),
        span(3, 9, 12, "person"),
        span(4, 9, 16, "object"),
        span(5, 4, 8, "event"),
    ]
    links = [relation(6, 3, 2, "ana"), relation(7, 4, 3, "bridge")]
    document = one(tmp_path, cas([sofa, *spans, *links]))
    assert spelled(document) == [["Ann", "her"], ["took"], ["her hat"]]
    assert [c.mentions[0].type for c in document.clusters] == ["person", "event", "object"]
    assert document.relations == (Relation("bridging", "4", ("2",), "bridge", ((2, 4),), (((2, 3),),)),)
    others = [
        relation(8, 3, 2, "part", "webanno.custom.Whole"),
        relation(9, 3, 2, "same", "webanno.custom.Whole"),
    ]
    corpus = read(put(tmp_path, "b.json", cas([sofa, *spans, *others])))
    assert spelled(corpus[0]) == [["Ann", "her"], ["took"], ["her hat"]]
    assert corpus.notices[0].endswith("the relation 'part' does not mean coreference: kept but not read")


def test_declared_ends_are_mentions_without_any_relation(tmp_path: Path) -> None:
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Ann took her hat ."}
    content = json.dumps(
        {
            "%TYPES": {COREF: {"%NAME": COREF, "Governor": {"%NAME": "Governor", "%RANGE": REFERENT}}},
            "%FEATURE_STRUCTURES": [sofa, span(2, 0, 3, "person")],
        }
    )
    assert spelled(one(tmp_path, content)) == [["Ann"]]
