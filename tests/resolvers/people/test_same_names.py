"""One name is one person over a whole text, in other languages than English."""

from __future__ import annotations

import pytest

from referee.language.word_classes import classes_of
from referee.model import Cluster, Document, Mention
from referee.resolvers.people.same_names import NameFinder, with_same_names

# Mentions by the entity that they were found in, in the order of the text, and how many entities are left.
TEXTS = {
    "one name": ("fr", [["Paul", "Paul", "Paul", "il"], ["Paul", "Paul", "lui"]], 1),
    "a full name and its parts": ("nl", [["Anna Berg", "Anna", "Berg"], ["Berg", "Berg"]], 1),
    "two first names of one surname": ("nl", [["Anna Berg", "Anna", "Anna"], ["Piet Berg", "Piet"]], 2),
    "a surname of two": ("nl", [["Anna Berg", "Anna", "Anna"], ["Berg", "Berg"], ["Piet Berg"]], 3),
    "titles": ("nl", [["meneer Bos", "Bos", "Bos"], ["mevrouw Bos", "mevrouw Bos"]], 2),
    "titles of one gender": ("nl", [["meneer Bos", "Bos", "Bos"], ["heer Bos", "Bos"]], 1),
    "he is not she": ("fr", [["Camille", "Camille", "Camille", "il"], ["Camille", "Camille", "elle"]], 2),
    "too rare": ("fr", [["Paul", "Paul"], ["Paul", "Paul"]], 2),
    "once again is not enough": ("fr", [["Paul", "Paul", "Paul"], ["Paul", "lui"]], 2),
    "in many entities": ("fr", [["Paul"] * 3, ["Paul"] * 2, ["Paul"] * 2], 3),
    "with another name": ("fr", [["Paul", "Paul", "Paul"], ["Paul", "Paul", "Jean"]], 2),
    "of which another name is the first": ("fr", [["Jean"] * 4 + ["Paul"] * 3, ["Paul", "Paul"]], 2),
    "behind an article": ("nl", [["Griek", "Griek", "Griek"], ["een Griek", "een Griek"]], 2),
    "nouns of German": ("de", [["der Wald", "der Wald", "der Wald"], ["dem Wald", "Wald"]], 2),
}


def document_of(entities: list[list[str]]) -> Document:
    words, clusters = ["x"], list[Cluster]()
    for number, entity in enumerate(entities):
        mentions = []
        for spelled in entity:
            mentions.append(Mention.at(len(words), len(words) + len(spelled.split())))
            words += [*spelled.split(), ","]
        clusters.append(Cluster(str(number), tuple(mentions)))
    return Document.of("d", words, [(0, len(words))], clusters)


@pytest.mark.parametrize("name", TEXTS)
def test_entities_of_one_name_are_one(name: str) -> None:
    language, entities, left = TEXTS[name]
    found = with_same_names(document_of(entities), language)
    assert len(found) == left
    assert sum(map(len, found)) == sum(map(len, entities))
    assert all(cluster == sorted(cluster) and cluster[0].link_score is None for cluster in found)


def test_a_name_is_a_capital_that_is_hardly_ever_small() -> None:
    words = ["Rose", "Rose", "rose", "rose", "Anna", "Elle", "Le", "Paul"]
    finder = NameFinder(words, classes_of("fr"))
    assert [word for at, word in enumerate(words) if finder.is_name(at)] == ["Anna", "Paul"]
