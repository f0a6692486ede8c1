"""A text with bridging and an expression that refers to nothing, as a key and as a system have it."""

from __future__ import annotations

from dataclasses import replace

from referee import Cluster, Document, Mention
from referee.model import Relation
from referee.model.mentions import BRIDGING

WORDS = [
    *[
        "The",
        "car",
        "stopped",
        ".",
        "The",
        "engine",
        "was",
        "hot",
        ".",
        "It",
        "rained",
        "on",
        "the",
        "door",
        ".",
    ]
]
CAR, ENGINE, IT, DOOR = (Mention.at(0, 2), Mention.at(4, 6), Mention.at(9, 10), Mention.at(12, 14))


def text(*links: tuple[Mention, Mention], empty: tuple[Mention, ...] = ()) -> Document:
    """Make a text in which each mention is an entity, or refers to nothing, with bridging between some."""
    entities = {m: str(i) for i, m in enumerate((CAR, ENGINE, IT, DOOR)) if m not in empty}
    clusters = [Cluster(name, (replace(mention, type="thing"),)) for mention, name in entities.items()]
    made = Document.of("story", WORDS, [(0, 4), (4, 9), (9, 15)], clusters)
    relations = tuple(
        Relation(BRIDGING, entities[a], (entities[b],), "part", a.spans, (b.spans,)) for a, b in links
    )
    non_referring = tuple(Cluster(f"{i}-Pseudo", (mention,)) for i, mention in enumerate(empty))
    return replace(made, relations=relations, non_referring=non_referring)


KEY = text((ENGINE, CAR), (DOOR, CAR), empty=(IT,))
RESPONSE = text((ENGINE, DOOR), (IT, CAR))
