"""Who is called by name: I know, Clara, that you are tired."""

from __future__ import annotations

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable

SET_OFF_BEFORE = frozenset((",", ".", "!", "?", ";", "—", "--"))
SET_OFF_BEHIND = SET_OFF_BEFORE | {":"}
CALLING = frozenset(("npadvmod", "intj", "vocative"))  # spaCy's parsers have no relation for vocatives


def is_vocative(discourse: Discourse, markable: Markable) -> bool:
    """Whether a phrase addresses a person: a person without an article, set off on both sides."""
    if markable.relation not in CALLING or markable.coordinated or markable.determiner is not None:
        return False
    return _is_person(markable) and _is_set_off(discourse, markable)


def _is_person(markable: Markable) -> bool:
    if markable.kind is Kind.NAME:
        return markable.label in ("PERSON", "") or bool(markable.titles)
    return markable.kind is Kind.NOMINAL and markable.properties.animacy.value == "animate"


def _is_set_off(discourse: Discourse, markable: Markable) -> bool:
    """Whether marks stand before and behind; the edge of a quotation is one, but a comma must be there."""
    parse = discourse.parse
    before = parse.words[markable.start - 1] if markable.start else ""
    behind = parse.words[markable.end] if markable.end < len(parse.words) else ""
    quoted = discourse.quoted[markable.head]
    edges = (
        before in SET_OFF_BEFORE or (quoted and not discourse.quoted[markable.start - 1]),
        behind in SET_OFF_BEHIND or (quoted and behind != "" and not discourse.quoted[markable.end]),
    )
    return all(edges) and "," in (before, behind)
