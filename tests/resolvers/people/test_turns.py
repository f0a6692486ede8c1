"""Speakers of plays, chats and letters in other languages are an entity each."""

from __future__ import annotations

import pytest

from referee.model import Cluster, Document, Mention
from referee.resolvers.people.speaker_names import names_of_speakers
from referee.resolvers.people.turns import with_turns

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
    "who speaks before and behind is you": (
        ["anna [ANNA .] [Ich] gehe .", "otto [OTTO .] Ich hasse [dich] .", "anna [Ich] gehe .", "eva Oh !"],
        [["ANNA .", "Ich", "dich", "Ich"], ["OTTO ."]],
    ),
    "names are their speaker's in each case": (
        [
            "lucie [Lucie .] [Ich] gehe .",
            "otto [Otto .] [Ich] sah [Lucien] , [Luciens] Hut und [die arme Lucie] .",
            "lucie [Lucie .] Ich suche [Ottos Hut] .",
            "otto [Otto .] Da !",
            "eva Oh !",
        ],
        [
            ["Lucie .", "Ich", "Lucien", "Luciens", "die arme Lucie", "Lucie ."],
            ["Otto .", "Ich", "Ottos Hut", "Otto ."],
        ],
    ),
    "of whom a speaker tells is another": (
        ["mees [Ich] sah [Daan] , als [er] ging .", "eva Oh !", "lotte [Er] ging ?"],
        [["Ich"], ["Daan", "er", "Er"]],
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


@pytest.mark.parametrize(("times", "moved"), [(4, True), (5, False)])
def test_a_label_counts_as_much_as_five_i(times: int, moved: bool) -> None:
    """Of equals the later name keeps the entity."""
    document, speakers = scene(["anna [ANNA .] geht .", *["otto [ich] ."] * times])
    _, (_, *others) = with_turns(document, speakers, "de")
    assert {mention.link_score for mention in others} == {0.9 if moved else None}


def test_labels_may_be_known_from_the_layout() -> None:
    document, speakers = scene(["anna [Anna] [ich] gehe", "otto [Otto] [ich] auch"])
    split = with_turns(document, speakers, "de", [(0, 1, "anna"), (3, 4, "otto")])
    assert [[m.start for m in cluster] for cluster in split] == [[0, 1], [3, 4]]


def test_who_is_greeted_is_you_and_sie_may_be_anybody_where_it_begins_a_sentence() -> None:
    words = ["Liebe", "Hanna", ",", "Sie", "kommt", ".", "Wie", "geht", "es", "Ihnen", "?", "Petra"]
    mentions = [Mention.at(*span) for span in ((3, 4), (9, 10))]
    document = Document.of("d", words, [(0, 12)], [Cluster("0", tuple(mentions))])
    speakers, labels = ["", "", *["Petra"] * 9, ""], [(1, 2, "Hanna"), (11, 12, "Petra")]
    split = with_turns(document, speakers, "de", labels, {"Petra": "Hanna"})
    assert [[m.start for m in cluster] for cluster in split] == [[1, 9], [3], [11]]
    kept = with_turns(document, speakers, "de", labels, {"Petra": "Hanna"}, add=False)
    assert [[m.start for m in cluster] for cluster in kept] == [[3, 9]]  # no mention of Hanna was given


def test_a_label_that_is_a_noun_or_owns_somebody_names_no_speaker_elsewhere() -> None:
    words = scene(["x Knecht . Anna . den Knecht der Anna , Annas Knecht und Anna . Knecht . Anna ."])[
        0
    ].words
    spans = [(0, 1), (2, 3), (4, 8), (6, 8), (9, 10), (9, 11), (12, 13), (14, 15), (16, 17)]
    mentions = [Mention.at(*span) for span in spans]
    labels = {mentions[0]: "k", mentions[1]: "a", mentions[7]: "k", mentions[8]: "a"}
    document = Document.of("d", words, [(0, len(words))], [Cluster("0", tuple(mentions))])
    named = names_of_speakers(document, mentions, labels, "de")
    # Her farmhand is him whom a label names; the farmhand of Anna is not a phrase that ends with his name.
    assert [(m.start, m.end, who) for m, who in named.items()] == [
        (6, 8, "a"),
        (9, 10, "a"),
        (9, 11, "k"),
        (12, 13, "a"),
    ]
