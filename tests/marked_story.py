"""A running text whose mentions are marked: `[Tom/T]` is a mention of the entity T."""

from __future__ import annotations

import re

from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw


def story(marked: str) -> Document:
    """Cut a text, and make clusters of what is marked in it."""
    plain, marks = "", []
    for piece in re.split(r"(\[[^\]]+\])", marked):
        words, _, entity = piece.strip("[]").rpartition("/") if piece.startswith("[") else (piece, "", "")
        marks += [(len(plain), len(plain) + len(words), entity)] if entity else []
        plain += words
    text = cut_raw(Text("d", (), (), running=plain))
    starts, ends = ([place[side] for place in text.characters] for side in (0, 1))
    clusters: dict[str, list[Mention]] = {}
    for start, end, entity in marks:
        clusters.setdefault(entity, []).append(Mention.at(starts.index(start), ends.index(end) + 1))
    return Document(text, tuple(Cluster(name, tuple(mentions)) for name, mentions in clusters.items()))
