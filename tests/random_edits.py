"""Random documents and random edits of them, for properties of corrections."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.corrections.state import State
from referee.model import Cluster, Document, Mention, Relation, Span, Text, Zero
from referee.model.mentions import BRIDGING

WORDS = 30
ZEROS = (Zero(3, sentence=0), Zero(12, ordinal=2, sentence=1))
NAMES = ("", "Ann", "1", "the  old man", "<b>x</b>", "שלום")


def random_spans(rng: Random, length: int) -> tuple[Span, ...]:
    """Draw a mention: of one span mostly, of two sometimes; nested and crossing ones occur."""
    spans: list[Span] = []
    start = rng.randrange(length)
    spans.append((start, min(start + rng.randrange(1, 4), length)))
    if rng.random() < 0.2 and spans[0][1] + 2 < length:
        start = rng.randrange(spans[0][1] + 1, length)
        spans.append((start, min(start + 2, length)))
    return tuple(spans)


def random_document(seed: int, id_: str = "d") -> Document:
    """Draw a document with two zeros, and what mentions, clusters and relations can have."""
    rng = Random(seed)
    text = Text(
        id_, (*(f"w{n}" for n in range(WORDS)), "_", "_"), ((0, 10), (10, WORDS)), zeros=ZEROS,
        layers={"pos": tuple("NN" for _ in range(WORDS + 2))},
    )  # fmt: skip
    clusters = []
    for number in range(rng.randrange(6)):
        spans = {random_spans(rng, WORDS + 2) for _ in range(rng.randrange(1, 5))}
        mentions = [
            Mention(
                some, head=some[0][0] if rng.random() < 0.5 else None, minimum=(some[0],),
                type=rng.choice([None, "person"]), score=0.5, link_score=rng.choice([None, rng.random()]),
            )
            for some in sorted(spans)
        ]  # fmt: skip
        clusters.append(Cluster(str(number + 3), tuple(mentions), rng.choice([None, "place"])))
    ids = [cluster.id for cluster in clusters]
    relations = [Relation(BRIDGING, ids[0], (ids[1],))] if len(ids) > 1 else []
    return Document(text, tuple(clusters), tuple(relations))


def random_edit(rng: Random, state: State, suggestions: list[str] | None = None) -> dict[str, Any]:
    """Draw an edit, which may be one that cannot be done."""
    mentions, entities = [*state.mentions, "m999"], [*state.entities, "e999"]
    mention, entity = rng.choice(mentions), rng.choice(entities)
    spans = [list(span) for span in random_spans(rng, WORDS + 2)]
    several = [id_ for id_ in state.members_of(entity) if rng.random() < 0.5]
    edits: list[dict[str, Any]] = [
        {"op": "move", "mention": mention, "entity": entity},
        {"op": "detach", "mention": mention},
        {"op": "add", "spans": spans, "entity": rng.choice([None, entity])},
        {"op": "delete", "mention": mention},
        {"op": "respan", "mention": mention, "spans": spans},
        {"op": "merge", "entity": entity, "into": rng.choice(entities)},
        {"op": "split", "entity": entity, "mentions": several},
        {"op": "delete_entity", "entity": entity},
        {"op": "rename", "entity": entity, "name": rng.choice(NAMES)},
        {"op": "type", "entity": entity, "type": rng.choice([None, "person", "place"])},
        {"op": "singleton", "entity": entity, "value": rng.random() < 0.5},
        {"op": "confirm", "mention": mention, "value": rng.random() < 0.5},
    ]
    edits += [{"op": op, "suggestion": rng.choice(suggestions)} for op in ("accept", "refuse") if suggestions]
    return rng.choice(edits)
