"""Coreference across documents: candidate pairs by nearest neighbours, a scorer, average linkage."""

from dataclasses import replace
from typing import Any

from referee.crossdoc.link_scopes import CORPUS, LINK_SCOPES
from referee.matching.protocol import CHOICES
from referee.resolvers.base import PRECISION, THRESHOLD, Resolver, ResolverEntry, Setting
from referee.resolvers.neural import MENTIONS, MODEL, SINGLETONS, THREADS


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.across.across import Across

    return Across(**settings)


EVENT, ENTITY = CLUSTER_TYPES = ("event", "entity")  # in the order of LINKED_KINDS
MENTION_KINDS = ("events", "entities", "all")
KIND = Setting("kind", str, "Which mentions are linked.", "all", choices=CHOICES["kind"])
SETTINGS = (
    replace(MODEL, otherwise="the first installed"),
    KIND,
    MENTIONS,
    replace(PRECISION, otherwise="where F1 was highest"),
    replace(THRESHOLD, otherwise="the model's", bounds=(0.01, 1)),
    Setting(
        "scope", dict,
        "Which documents may share clusters: each alone, those of a block, subtopic or topic of the corpus, "
        "all of the corpus, those of topics predicted from their words, or groups {document: group}.",
        CORPUS, choices=LINK_SCOPES, value=f"{'|'.join(LINK_SCOPES)}|FILE",
    ),
    SINGLETONS,
    THREADS,
)  # fmt: skip
RESOLVERS = {"across": ResolverEntry("clusters that span documents", _make, SETTINGS, across_documents=True)}
