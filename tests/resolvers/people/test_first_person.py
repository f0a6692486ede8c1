"""Who says I in other languages: the narrator of a novel is one entity; no mention is lost by any rule."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from referee.model import Cluster, Document, Mention
from referee.resolvers.people.first_person import with_first_person, with_narrator
from referee.resolvers.people.layout import Layout

FILLED = 1990  # words without mentions, so that a text is long enough for a narrator


def told(*entities: str, filled: int = FILLED) -> list[list[int]]:
    """Make a text of sentences `a 0 0 1 …`: each number is an I of that entity, other words are as they are.

    Give the entities as the words at which their mentions begin, when the narrator is one.
    """
    words, sentences, clusters = list[str](), list[tuple[int, int]](), dict[int, list[Mention]]()
    for sentence in entities:
        begun = len(words)
        for word in sentence.split():
            if word[0].isdigit():
                clusters.setdefault(int(word[0]), []).append(Mention.at(len(words), len(words) + 1))
            words.append("je" if word.isdigit() else word.lstrip("0123456789"))
        sentences.append((begun, len(words)))
    sentences.append((len(words), len(words) + filled))
    words += ["mot"] * filled
    found = tuple(Cluster(str(n), tuple(clusters[n])) for n in sorted(clusters))
    document = Document.of("d", words, sentences, found)
    return [[mention.start for mention in cluster] for cluster in with_narrator(document, "fr")]


EIGHT = "0 0 0 0 0 0 0 0"


def test_the_narrator_of_a_long_text_is_one() -> None:
    assert told(EIGHT, "1 1 1 x") == [[*range(11)]]
    assert told("1 1 1 x", EIGHT) == [[0, 1, 2, *range(4, 12)]]  # in the text's order
    assert len(told(EIGHT, "1 1 1 x", filled=50)) == 2  # too short
    assert len(told("0 0 0 0 0 0", "1 1 1 1 1 x")) == 2  # neither of two has most
    assert [len(told(EIGHT, "1 1 1 x", filled=filled)) for filled in (1987, 1988)] == [2, 1]
    assert [len(told(EIGHT, "1 1 1 x", filled=filled)) for filled in (2188, 2189)] == [1, 2]  # I is too rare
    assert len(told("0 0 0 0 0 0", "1 1 1 1 x", filled=1989)) == 1  # six of ten


def test_what_is_said_by_others_is_not_the_narrators() -> None:
    assert len(told(EIGHT, "0 0 0", "« 1 1 » x")) == 2
    assert len(told(EIGHT, "0 0 0", '" 1 1 " x')) == 2
    assert len(told(EIGHT, "0 0 0", "— 1 1 x")) == 2
    assert len(told(EIGHT, "0 0 0", "« x » 1 1 x")) == 1
    # An entity of whose mentions few are the narrator's I is somebody else.
    assert len(told(EIGHT, "0 0 0", "1 x 1lui 1lui 1lui")) == 2
    assert len(told(EIGHT, "0 0 0", "1 x 1lui 1lui")) == 1


def test_a_text_that_is_said_from_beginning_to_end_has_no_narrator() -> None:
    words = ["«", *["je"] * 2100, "»"]
    clusters = [[Mention.at(n, n + 1) for n in range(first, last)] for first, last in ((1, 3), (3, 9))]
    document = Document.of("d", words, [(0, len(words))], [Cluster("0", tuple(c)) for c in clusters])
    assert with_narrator(document, "fr") == clusters


def test_links_of_the_narrator_have_scores_but_the_first() -> None:
    words = ["je"] * 12 + ["mot"] * 2000
    clusters = [[Mention.at(n, n + 1) for n in range(first, last)] for first, last in ((2, 12), (0, 2))]
    document = Document.of("d", words, [(0, 2012)], [Cluster("0", tuple(c)) for c in clusters])
    (narrator,) = with_narrator(document, "fr")
    assert [mention.link_score for mention in narrator] == [None, 0.9, *[None] * 10]


SAID = """
    ich du er sie Sie Ihnen mein deine seine Mutter Frau Anna Annas Otto ANNA . OTTO . : « » „ “ — ! ?
    sagte dit - il elle sa mère femme je tu vous Monsieur M . l' hij zij zijn haar moeder zei ő mondta _
    und et , ( Paul Berg 彼
"""


def drawn(random: Random) -> tuple[Document, list[str], Layout]:
    """Draw words, mentions in entities, speakers and labels."""
    length = random.choice([1, 5, 40, 200])
    words = random.choices(SAID.split(), k=length)
    spans = {
        (at, min(length, at + random.choice([1, 1, 2, 4]))) for at in random.choices(range(length), k=length)
    }
    clusters: dict[int, list[Mention]] = {}
    for span in sorted(spans):
        clusters.setdefault(random.randrange(5), []).append(Mention.at(*span))
    cuts = sorted({0, length, *random.choices(range(1, length + 1), k=length // 8)})
    found = [Cluster(str(number), tuple(mentions)) for number, mentions in clusters.items()]
    document = Document.of("d", words, [*pairwise(cuts)], found)
    speakers = random.choices(["", "ann", "bo", "_s"][: random.randrange(1, 5)], k=length)
    labels = sorted(
        (at, min(length, at + 2), random.choice(["ann", "zz"])) for at in random.choices(range(length), k=3)
    )
    layout = Layout(
        words, words, [False] * length, (), speakers, random.choice([labels, []]), {"ann": "bo"}, ()
    )
    return document, speakers, layout


@pytest.mark.parametrize("language", ["de", "fr", "nl", "hu", "ja", "th"])
def test_no_rule_loses_or_doubles_a_mention(language: str) -> None:
    for seed in range(60):
        document, speakers, layout = drawn(Random(seed))
        for add in (True, False):
            clusters = with_first_person(document, speakers, language, layout, add=add)
            spans = [mention.spans for cluster in clusters for mention in cluster]
            given = {mention.spans for mention in document.mentions}
            assert len(spans) == len(set(spans)), seed
            assert given <= set(spans) if add else given == set(spans), seed
            assert all(cluster and cluster[0].link_score is None for cluster in clusters), seed
