"""The Python face: texts, words, documents and corpora in; offsets, names and scores out."""

from __future__ import annotations

import json
from functools import partial

import pytest

import referee
from referee.exceptions import FormatError, ProtocolError
from referee.model import Document, DocumentCorpus
from referee.resolvers.base import resolver_named, resolvers
from referee.resolvers.resolved import Resolved

pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")

resolve_by_rules = partial(referee.resolve, resolver="camp")  # whatever else is installed
STORY = "Clara Holt  opened the door.\n\nShe smiled. 😀 Peter saw her dog."


def test_offsets_are_those_of_the_text_as_it_was_given() -> None:
    result = resolve_by_rules(STORY)
    assert isinstance(result, Resolved)
    for entity in result.entities:
        for mention in entity.mentions:
            assert mention.characters
            assert STORY[slice(*mention.characters)] == mention.text
    assert result.get_clusters() == [["Clara Holt", "She", "her"]]
    assert result.get_clusters(as_strings=False) == [[(0, 10), (30, 33), (54, 57)]]
    assert result.entities[0].name == "Clara Holt"


def test_names_stand_in_the_stead_of_pronouns() -> None:
    expected = "Clara Holt  opened the door.\n\nClara Holt smiled. 😀 Peter saw Clara Holt's dog."
    assert resolve_by_rules(STORY).resolved_text == expected


def test_a_string_gives_one_result_and_a_list_a_list() -> None:
    assert isinstance(resolve_by_rules("Clara left."), Resolved)
    results = referee.resolve(["Clara left.", ""], resolver="camp")
    assert [result.get_clusters() for result in results] == [[], []]


def test_predict_is_called_as_in_fastcoref() -> None:
    camp = resolver_named("camp")
    assert camp.predict("Clara smiled because she won.").get_clusters() == [["Clara", "she"]]
    words = ["Clara", "smiled", "because", "she", "won", "."]
    one = camp.predict(words, is_split_into_words=True)
    assert isinstance(one, Resolved)
    assert one.get_clusters(as_strings=False) == [[(0, 1), (3, 4)]]
    several = camp.predict([words, words], is_split_into_words=True)
    assert isinstance(several, list)
    assert len(several) == 2


def test_a_corpus_keeps_its_words_and_sentences() -> None:
    words = ("Clara", "smiled", ".", "She", "won", ".")
    document = Document.of("d", words, [(0, 3), (3, 6)], [])
    response = resolve_by_rules(DocumentCorpus([document]))
    assert isinstance(response, DocumentCorpus)
    assert response.documents[0].text == document.text
    assert [m.spans for m in response.documents[0].mentions] == [((0, 1),), ((3, 4),)]


def test_everything_can_be_told_in_plain_values() -> None:
    told = json.loads(json.dumps(resolve_by_rules(STORY).to_dict()))
    assert told["clusters_char_offsets"] == [[[0, 10], [30, 33], [54, 57]]]
    assert told["names"] == ["Clara Holt"]
    scores = told["link_scores"][0]
    assert scores[0] is None
    assert all(0 < score <= 1 for score in scores[1:])


@pytest.mark.parametrize("text", ["", " \n ", "Hi", "😀", "...", "\u200b", "a" * 5000, "She " * 50])
def test_odd_texts_are_no_error(text: str) -> None:
    resolve_by_rules(text)


def test_another_language_is_refused() -> None:
    german = "Der alte Mann ging langsam durch den Garten und sah die Blumen seiner Frau an. " * 5
    with pytest.raises(FormatError, match="does not look like English"):
        resolve_by_rules(german)


def test_a_text_full_of_names_is_english() -> None:
    names = "Holt, Finch, Pell, Moss, Dent, Carrow, Leeds, Ames and Kent scored in the first half. " * 5
    resolve_by_rules(names)


def test_unknown_resolvers_and_components_are_named() -> None:
    with pytest.raises(ProtocolError, match=r"there is no resolver 'cmap'.*did you mean camp"):
        referee.resolve("Clara", resolver="cmap")
    with pytest.raises(ProtocolError, match=r"there is no component 'nams'.*did you mean names"):
        resolve_by_rules("Clara", only=["nams"])
    assert "camp" in resolvers()


def test_a_layer_that_a_text_lacks_is_named() -> None:
    with pytest.raises(FormatError, match="d: has no layer 'speaker'"):
        resolve_by_rules(Document.of("d", ["Hi"], [(0, 1)], []), corpus_layers=["speaker"])


def test_speakers_are_used_where_they_are_trusted() -> None:
    words = ["I", "am", "late", ".", "I", "am", "early", ".", "I", "am", "sorry", "."]
    speakers = ("Clara",) * 4 + ("Peter",) * 4 + ("Clara",) * 4
    document = Document.of("d", words, [(0, 4), (4, 8), (8, 12)], [], {"speaker": speakers})
    assert len(resolve_by_rules(document).get_clusters()[0]) == 3
    assert len(resolve_by_rules(document, corpus_layers=["speaker"]).get_clusters()[0]) == 2


def test_long_texts_are_parsed_in_parts() -> None:
    text = "Clara opened the old door. She smiled at Peter. " * 1200
    result = resolve_by_rules(text)
    last = max(mention.characters[1] for e in result.entities for mention in e.mentions if mention.characters)
    assert last > len(text) - 20
