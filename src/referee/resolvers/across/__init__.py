"""Coreference across documents: candidate pairs by nearest neighbours, a scorer, average linkage."""

from typing import Any

from referee.resolvers.base import Resolver, ResolverEntry, Setting
from referee.resolvers.neural import MENTIONS, MODEL, THREADS


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.across.across import Across

    return Across(**settings)


MENTION_KINDS = ("events", "entities", "all")
TOPICS = GOLD, PREDICTED, WHOLE = ("gold", "predicted", "corpus")
SETTINGS = (
    MODEL,
    Setting("kind", str, "What is linked.", "all", choices=MENTION_KINDS),
    MENTIONS,
    Setting(
        "topics", dict,
        "Which documents may share clusters: those of a topic of the corpus (gold), of topics predicted from "
        "their words, all of the corpus, or groups {document: group}.",
        PREDICTED, choices=TOPICS, value="gold|predicted|corpus|FILE",
    ),
    THREADS,
)  # fmt: skip
RESOLVERS = {"across": ResolverEntry("clusters that reach across documents", _make, SETTINGS)}
