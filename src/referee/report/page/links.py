"""The errors that a report draws: links between two mentions, missed by a system or wrongly made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.model import Document, Mention

SIDES = ("recall", "precision")
UNTYPED = "untyped"


@dataclass(frozen=True, slots=True)
class LinkError:
    """A link of the key that the response lacks (recall), or one of the response that the key lacks."""

    side: str
    anaphor: Mention
    antecedent: Mention
    kind: str


def link_errors(key: Document, response: Document | None) -> Iterator[LinkError]:
    """Find the errors of one document."""
    sides = ((key, response), (response, key))
    for side, (whole, other) in zip(SIDES, sides, strict=True):
        if whole is None:
            continue
        homes = {m: c for c, cluster in enumerate(other.clusters if other else ()) for m in cluster.mentions}
        for cluster in whole.clusters:
            mentions = sorted(set(cluster.mentions))
            seen: set[int] = set()
            for i, mention in enumerate(mentions):
                home = homes.get(mention)
                if i and (home is None or home not in seen):
                    yield LinkError(side, mention, mentions[i - 1], _kind(side, mention, mentions[i - 1], homes))
                if home is not None:
                    seen.add(home)


def _kind(side: str, a: Mention, b: Mention, homes: dict[Mention, int]) -> str:
    missing = [m for m in (a, b) if m not in homes]
    if not missing:
        return "divided entity" if side == "recall" else "conflated entities"
    if any(m.start < o.end and o.start < m.end for m in missing for o in homes):
        return "span error"
    return "missing mention" if side == "recall" else "extra mention"


def mention_type(document: Document, mention: Mention) -> str:
    """Say what a mention is."""
    pos = document.layers.get("pos")
    if not pos:
        return UNTYPED
    tag = pos[mention.end - 1]
    for start, name in (("NNP", "name"), ("PRP", "pronoun"), ("DT", "demonstrative"), ("VB", "verb")):
        if tag.startswith(start):
            return name
    return "noun"
