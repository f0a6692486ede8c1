"""Speakers of plays in other languages: each is one entity, whatever links have joined."""

from __future__ import annotations

import pytest

from referee.model import Cluster, Document, Mention
from referee.resolvers.people.plays import with_turns

# Who speaks, and what; words in brackets are mentions, and all of them were found as one entity.
SCENES = {
    "I and labels": (
        ["anna [ANNA .] Hier bin [ich] .", "otto [OTTO .] Und [ich] ?"],
        [["ANNA .", "ich"], ["OTTO .", "ich"]],
    ),
    "a name is its label's": (
        ["anna [ANNA .] Wo ist [Otto] ?", "otto [OTTO .] Hier , [Anna] ."],
        [["ANNA .", "Anna"], ["Otto", "OTTO ."]],
    ),
    "others follow whom they are near, but not who speaks": (
        ["anna [ANNA .] [Otto] sucht [seinen] Hut .", "otto [OTTO .] [Anna] , [sie] hat [ihn] ."],
        [["ANNA .", "Anna", "sie", "ihn"], ["Otto", "seinen", "OTTO ."]],
    ),
    "nobody is you to himself": (
        ["anna [ANNA .] [Ich] gehe .", "otto [OTTO .] [Ich] bleibe .", "anna [Du] bleibst ?"],
        [["ANNA .", "Ich"], ["OTTO .", "Ich", "Du"]],
    ),
    "stage directions speak not": (
        ["_stage [Der Vorhang] fällt .", "anna [ANNA .] [Ich] gehe ."],
        [["Der Vorhang", "ANNA .", "Ich"]],
    ),
    "a pronoun is no label": (
        ["anna [ANNA .] [Ich] gehe .", "otto [Er] .", "anna [Ich] nicht ."],
        [["ANNA .", "Ich", "Er", "Ich"]],
    ),
}


def scene(turns: list[str]) -> tuple[Document, list[str]]:
    words, speakers, mentions, begun = list[str](), list[str](), list[Mention](), 0
    for turn in turns:
        who, *said = turn.split()
        for word in said:
            begun = len(words) if word.startswith("[") else begun
            words.append(word.strip("[]"))
            speakers.append(who)
            if word.endswith("]"):
                mentions.append(Mention.at(begun, len(words)))
    return Document.of("d", words, [(0, len(words))], [Cluster("0", tuple(mentions))]), speakers


@pytest.mark.parametrize("name", SCENES)
def test_speakers_are_entities(name: str) -> None:
    turns, expected = SCENES[name]
    document, speakers = scene(turns)
    clusters = with_turns(document, speakers, "de")
    found = [[" ".join(document.words[m.start : m.end]) for m in cluster] for cluster in clusters]
    assert sorted(found) == sorted(expected)


def test_a_mention_that_was_moved_has_the_score_of_a_rule_and_the_first_of_an_entity_none() -> None:
    document, speakers = scene(SCENES["I and labels"][0])
    (cluster,) = document.clusters
    scored = [Mention(m.spans, link_score=0.5 if n else None) for n, m in enumerate(cluster.mentions)]
    clusters = with_turns(Document(document.text, (Cluster("0", tuple(scored)),)), speakers, "de")
    # As many mentions are surely Otto's as Anna's, so the entity stays that of the later name.
    assert [[m.link_score for m in cluster] for cluster in clusters] == [[None, 0.9], [None, 0.5]]


def test_labels_may_be_known_from_the_layout() -> None:
    document, speakers = scene(["anna [Anna] [ich] gehe", "otto [Otto] [ich] auch"])
    split = with_turns(document, speakers, "de", {0: "anna", 3: "otto"})
    assert [[m.start for m in cluster] for cluster in split] == [[0, 1], [3, 4]]
