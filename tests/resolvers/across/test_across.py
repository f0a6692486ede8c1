"""The resolver across documents, as Python calls it: an entity has the same id in all texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import referee
from referee.exceptions import ProtocolError, SettingError
from referee.model import Cluster, Document, DocumentCorpus, Mention
from referee.resolvers import part_files, resolving
from referee.resolvers.across import across
from referee.resolvers.across.across import Across
from referee.resolvers.base import resolver_named, resolvers, resolvers_that_link, resolvers_within
from referee.resolvers.neural.models import ACROSS, save_facts
from surface_scorer import SurfaceScorer
from toy_model import write_toy

MONDAY = "Philadelphia fired coach Maurice Cheeks."
TUESDAY = "Cheeks was fired by  Philadelphia."
WEATHER = "Heavy rain flooded Nashville."
NEWS = [MONDAY, TUESDAY, WEATHER]


@pytest.fixture(autouse=True)
def _scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "opened_scorer", lambda *_: SurfaceScorer())


def test_texts_share_the_ids_of_their_entities() -> None:
    monday, tuesday, weather = results = referee.link(NEWS, scope="corpus")
    named = [{entity.name: entity.id for entity in result.entities} for result in results]
    assert named[0]["Philadelphia"] == named[1]["Philadelphia"]
    assert named[0]["Cheeks"] == named[1]["Cheeks"] != named[0]["Philadelphia"]
    assert weather.entities == []
    (mention,) = next(entity.mentions for entity in tuesday.entities if entity.name == "Philadelphia")
    assert mention.characters
    assert TUESDAY[slice(*mention.characters)] == "Philadelphia"
    assert monday.text == MONDAY


def test_who_occurs_in_several_texts_is_listed() -> None:
    results = referee.link(NEWS, scope="corpus")
    listed = {thing.name: list(thing.documents) for thing in results.recurring()}
    assert listed["Philadelphia"] == listed["Cheeks"] == ["0", "1"]
    assert "Nashville" not in listed
    assert results.recurring(3) == []
    assert all(len(repr(thing)) < 100 and thing.name in repr(thing) for thing in results.recurring())


def test_texts_that_were_resolved_one_by_one_have_nothing_in_common() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    with pytest.raises(ProtocolError, match=r"resolved by itself: referee\.link\(\) links them"):
        referee.resolve(NEWS, resolver="camp").recurring()


def document(id_: str, words: str, *clusters: tuple[str, int]) -> Document:
    made = [Cluster(name, (Mention.at(word, word + 1),)) for name, word in clusters]
    return Document.of(id_, words.split(), [(0, len(words.split()))], made)


def test_a_corpus_gives_a_corpus_across_documents() -> None:
    key = DocumentCorpus([document("a", "Oslo won ."), document("b", "Oslo lost .")], "news")
    response = referee.link(key, scope="corpus")
    assert response.cross_document
    assert response.name == "news by across"
    assert [list(map(str, (c.id for c in each.clusters))) for each in response] == [["1"], ["1"]]


def test_given_mentions_are_linked_and_no_others() -> None:
    key = [document("a", "Oslo beat Bergen .", ("x", 0)), document("b", "Oslo beat Bergen .", ("y", 0))]
    linked = referee.link(key, mentions="gold", scope="corpus")
    assert [result.get_clusters() for result in linked] == [[["Oslo"]], [["Oslo"]]]
    with pytest.raises(ProtocolError, match="texts: has no mentions to be linked; mentions='predicted'"):
        referee.link(NEWS, mentions="gold")


def test_found_mentions_that_are_linked_to_nothing_are_kept_if_asked_for() -> None:
    dropped = referee.link([MONDAY, WEATHER])
    kept = referee.link([MONDAY, WEATHER], singletons="keep")
    assert [len(result.entities) for result in dropped] == [0, 0]
    assert {"Philadelphia", "Cheeks"} <= {entity.name for entity in kept[0].entities}
    assert "Nashville" in {entity.name for entity in kept[1].entities}
    with pytest.raises(SettingError, match="keeps all mentions, so singletons='keep' adds nothing"):
        referee.link([document("a", "Oslo won .", ("x", 0))], mentions="gold", singletons="keep")


def test_texts_of_all_topics_may_share_entities_by_default() -> None:
    far = referee.link([MONDAY, "Snow fell in Philadelphia and closed all schools of the county."])
    assert [thing.name for thing in far.recurring()] == ["Philadelphia"]


def test_a_precision_becomes_the_threshold_that_had_it(tmp_path: Path) -> None:
    curve = {"threshold": [0.2, 0.9], "precision": [60.0, 80.0]}
    save_facts(tmp_path, {"all": {"precision": {"predicted": curve}}}, ACROSS)
    write_toy(tmp_path)
    made = resolver_named("across", model=str(tmp_path), precision=70, scope="corpus")
    assert isinstance(made, Across)
    assert made.merge_threshold() == pytest.approx(0.55)
    assert made.notices == []
    assert "precision=50 is less than was measured" in replace(made, precision=50).notices[0]
    documents = DocumentCorpus([document("a", "Oslo won ."), document("b", "Oslo lost .")], "news")
    linked = [document.clusters for document in made.respond_to_corpus(documents)]
    assert linked == [
        each.clusters for each in Across(threshold=0.55, scope="corpus").respond_to_corpus(documents)
    ]
    with pytest.raises(SettingError, match="not measured for kind='events' and mentions='predicted'"):
        replace(made, kind="events").respond_to_corpus(documents)


def test_groups_are_walls() -> None:
    key = [document("a", "Oslo won ."), document("b", "Oslo lost ."), document("c", "Oslo slept .")]
    results = referee.link(key, scope={"a": "x", "b": "y", "c": "x"})
    assert [result.get_clusters() for result in results] == [[["Oslo"]], [], [["Oslo"]]]
    with pytest.raises(
        SettingError, match="scope='nowhere' is neither one of document, block, subtopic, topic, corpus, pred"
    ):
        referee.link(key, scope="nowhere")


def test_one_text_and_texts_of_the_protocol() -> None:
    with pytest.raises(SettingError, match=r"to be linked are several: give a list of them"):
        referee.link("Oslo. Oslo won.")
    assert referee.link(["Oslo. Oslo won."])[0].get_clusters() == [["Oslo", "Oslo"]]
    chosen = resolver_named("across", scope="corpus")
    assert chosen.across_documents
    made = [document(id_, "Oslo won .").text for id_ in "ab"]
    assert [len(each.clusters) for each in chosen.resolve(made)] == [1, 1]


def test_documents_of_one_name_are_refused() -> None:
    with pytest.raises(ProtocolError, match="several documents are called 'a'"):
        referee.link([document("a", "Oslo won .")] * 2)


def test_work_that_divides_texts_refuses_it() -> None:
    with pytest.raises(ProtocolError, match=r"call referee\.link\(\)"):
        part_files.recipe_for("across", {}, "jsonlines")
    with pytest.raises(ProtocolError, match="made of all texts at once"):
        next(resolving.resolve_all(resolver_named("across"), []))


def test_each_function_takes_its_resolvers() -> None:
    assert [name for name in resolvers() if resolver_named(name).across_documents] == resolvers_that_link()
    assert {*resolvers_within(), *resolvers_that_link()} == {*resolvers()}
    with pytest.raises(SettingError, match=r"resolver='across' links mentions across documents: call refer"):
        referee.resolve(NEWS, resolver="across")
    with pytest.raises(
        SettingError, match=r"resolver='camp' works within each document: call referee\.resol"
    ):
        referee.link(NEWS, resolver="camp")
