"""Types of entities: where they come from, and which of several an entity has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from corpora import corpus
from referee import formats, write
from referee.exceptions import FormatError, ProtocolError
from referee.language.entity_types import TypesElsewhere, TypeSurvey, annotated_types, types_from, voted_types
from referee.model import Cluster, Document, DocumentCorpus, Mention, Zero

WORDS = ("Ann", "and", "she", "saw", "it")
LITBANK = "{}/en_litbank-corefud-dev.conllu.gz"
TAGS = ("NNP", "CC", "PRP", "VBD", "PRP")


def typed(*types: str | None, tags: tuple[str, ...] | None = TAGS) -> Document:
    """Make one entity of the words Ann, she and it."""
    mentions = tuple(
        replace(Mention.at(word, word + 1), type=kind) for word, kind in zip((0, 2, 4), types, strict=True)
    )
    layers = {"pos": tags} if tags else {}
    return Document.of("d", WORDS, [(0, 5)], [Cluster("1", mentions)], layers)


@pytest.mark.parametrize(
    ("types", "voted"),
    [
        (("person", "animal", "animal"), "person"),  # pronouns do not vote
        ((None, "animal", "person"), "animal"),  # unless they are alone; a tie goes to the first
        ((None, "person", None), "person"),
        ((None, None, None), "untyped"),
    ],
)
def test_names_and_nouns_vote(types: tuple[str | None, ...], voted: str) -> None:
    assert voted_types(typed(*types)) == {"1": voted}


def test_without_parts_of_speech_all_vote() -> None:
    assert voted_types(typed("person", "animal", "animal", tags=None)) == {"1": "animal"}


def test_a_zero_does_not_vote() -> None:
    zero, man = replace(Mention.at(2, 3), type="animal"), replace(Mention.at(0, 1), type="person")
    again = replace(Mention.at(3, 4), type="animal")
    clusters = [Cluster("1", (zero, again, man))]
    document = Document.of(
        "d", ("man", "came", "_", "_"), [(0, 2)], clusters, {"pos": ("NN", "VBD", "_", "_")}
    )
    document = document.with_text(zeros=(Zero(1), Zero(2)))
    assert voted_types(document) == {"1": "person"}


def test_a_mention_without_a_type_has_that_of_its_cluster() -> None:
    ann, she = replace(Mention.at(0, 1), type="child"), Mention.at(2, 3)
    document = Document.of("d", WORDS, [(0, 5)], [Cluster("1", (ann, she), type="person")])
    assert annotated_types(document, [ann, she, Mention.at(0, 2)]) == ["child", "person", None]


def test_a_mention_with_a_gap_is_found_when_gaps_are_filled() -> None:
    apart = Mention(((0, 1), (2, 3)), type="person")
    document = Document.of("d", WORDS, [(0, 5)], [Cluster("1", (apart,))])
    assert annotated_types(document, [apart, Mention.at(0, 3)]) == ["person", "person"]
    inside = replace(Mention.at(0, 3), type="group")
    both = Document.of("d", WORDS, [(0, 5)], [Cluster("1", (apart,)), Cluster("2", (inside,))])
    assert annotated_types(both, [Mention.at(0, 3)]) == ["group"]  # the span itself comes first


def test_types_of_another_file_are_found_by_span(tmp_path: Path) -> None:
    write(DocumentCorpus([typed("person", "person", None)]), str(tmp_path / "typed.jsonl"))
    types_of = types_from(tmp_path / "typed.jsonl")
    bare = typed(None, None, None)
    mentions = [Mention.at(0, 1), Mention.at(0, 2)]
    assert types_of(bare, mentions) == ["person", None]
    with pytest.raises(FormatError, match=r"typed\.jsonl: no document 'e', whose types are needed"):
        types_of(bare.with_text(id="e"), mentions)
    with pytest.raises(FormatError, match="has 'Ann' where the key has 'Bo'"):
        types_from(tmp_path / "typed.jsonl")(bare.with_text(words=("Bo", *WORDS[1:])), mentions)
    with pytest.raises(FormatError, match="has 5 words, but the key has 4"):
        types_from(tmp_path / "typed.jsonl")(bare.with_text(words=WORDS[1:]), mentions)


def test_named_entities_are_those_of_the_head() -> None:
    types_of = types_from("entity")
    words, tags, heads = ("mayor", "of", "Bonn"), ("NN", "IN", "NNP"), ("-", "2", "0")
    layers = {"pos": tags, "head": heads, "entity": ("*", "*", "(GPE)")}
    document = Document.of("d", words, [(0, 3)], [], layers)
    assert types_of(document, [Mention.at(0, 3), Mention.at(2, 3)]) == [None, "GPE"]
    bare = document.with_text(layers={"pos": tags})
    with pytest.raises(ProtocolError, match=r"document d has no layer 'entity'.*give nlp=spacy"):
        types_of(bare, [Mention.at(0, 1)])
    assert types_of(bare, []) == []


def test_types_are_counted_in_real_files() -> None:
    """GUM and LitBank give every entity a type, few have several; OntoGUM has none, but GUM its texts."""
    gum = formats.read(str(corpus("gum") / "dev"))[:8]
    survey = TypeSurvey.of(gum, annotated_types)
    assert survey.entities == survey.typed > 500
    assert survey.mixed < survey.entities / 50
    litbank = TypeSurvey.of(formats.read(LITBANK.format(corpus("corefud")))[:5], annotated_types)
    assert litbank.entities == litbank.typed > 200
    onto = formats.read(str(corpus("ontogum") / "dev" / "conll"))[:8]
    assert TypeSurvey.of(onto, annotated_types).typed == 0
    survey = TypeSurvey.of(onto, TypesElsewhere(gum))
    assert survey.typed > 0.95 * survey.entities
