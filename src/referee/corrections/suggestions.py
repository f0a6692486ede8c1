"""What a system found and the annotation lacks: links, mentions and whole entities, one suggestion each.

A system's entity is read as a chain in the order of the text. A suggestion is about one of its mentions,
the anaphor, and the nearest one before it that the annotation has: its antecedent. Its id is made of the
system and of both, so that one that was refused is known again however the annotation changes meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from referee.corrections.state import State
from referee.model import Cluster, Mention, Span

LINK, MENTION, ENTITY = "link", "mention", "entity"  # kinds
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One link that a system made: of an anaphor to an antecedent.

    A `link` joins two mentions, a `mention` marks the anaphor and links it, an `entity` marks both, and the
    `others` of that entity with them. If `merges`, the system has all other mentions of the anaphor's entity
    in the same one, so that both entities become one; otherwise the anaphor alone moves.
    """

    id: str
    system: str
    kind: str
    spans: Spans
    antecedent: Spans
    confidence: float | None = None
    type: str | None = None
    merges: bool = False
    others: tuple[Spans, ...] = ()


def suggestion_id(system: str, anaphor: Spans, antecedent: Spans) -> str:
    """Name a suggestion, always alike."""
    told = json.dumps([system, anaphor, antecedent])
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def in_text_order(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Sort the mentions of clusters, each once."""
    once = ({mention.spans: mention for mention in cluster.mentions}.values() for cluster in clusters)
    return [
        replace(cluster, mentions=tuple(sorted(mentions)))
        for cluster, mentions in zip(clusters, once, strict=True)
    ]


def suggestions_of(state: State, clusters: Iterable[Cluster], system: str) -> list[Suggestion]:
    """List what a system suggests, without what was refused, in the order of the text.

    The mentions of its clusters are in that order already, as `in_text_order` puts them.
    """
    homes = {placed.mention.spans: placed.entity for placed in state.mentions.values()}
    members: dict[str, set[Spans]] = {}
    for spans, home in homes.items():
        members.setdefault(home, set()).add(spans)
    found = [
        suggestion
        for cluster in clusters
        for suggestion in _of_cluster(cluster, homes, members, system)
        if suggestion.id not in state.refused
    ]
    return sorted(found, key=lambda each: (each.spans, each.antecedent))


def _of_cluster(
    cluster: Cluster, homes: dict[Spans, str], members: dict[str, set[Spans]], system: str
) -> Iterator[Suggestion]:
    mentions = cluster.mentions
    inside = {mention.spans for mention in mentions}
    known = [mention for mention in mentions if mention.spans in homes]
    if not known:
        yield from _whole(mentions, cluster, system)
        return
    before: Mention | None = None
    for mention in mentions:
        home, to = homes.get(mention.spans), before or _first_other(known, mention)
        before = mention if home is not None else before
        if to is None or home == homes[to.spans]:
            continue
        kind = MENTION if home is None else LINK
        merges = home is not None and members[home] <= inside
        yield Suggestion(
            suggestion_id(system, mention.spans, to.spans), system, kind, mention.spans, to.spans,
            mention.link_score, mention.type or cluster.type, merges,
        )  # fmt: skip


def _first_other(known: Sequence[Mention], mention: Mention) -> Mention | None:
    """Take the first mention that the annotation has, for one that it lacks and that comes before all."""
    return known[0] if known[0].spans != mention.spans else None


def _whole(mentions: Sequence[Mention], cluster: Cluster, system: str) -> Iterator[Suggestion]:
    """Suggest an entity of which nothing is marked; one of a single mention has no link."""
    if len(mentions) < 2:
        return
    first, second, *rest = mentions
    scores = [mention.link_score for mention in (second, *rest) if mention.link_score is not None]
    yield Suggestion(
        suggestion_id(system, second.spans, first.spans), system, ENTITY, second.spans, first.spans,
        min(scores, default=None), cluster.type, False, tuple(mention.spans for mention in rest),
    )  # fmt: skip
