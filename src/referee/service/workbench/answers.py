"""The answers of the workbench as plain values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from referee.corrections.state import Change, Placed, rank
from referee.corrections.suggestions import Suggestion
from referee.service.workbench.documents import OpenDocument
from referee.service.workbench.tokens import text_value


def mention_value(document: OpenDocument, id_: str, placed: Placed) -> dict[str, Any]:
    """Tell the page a mention."""
    mention, tokens = placed.mention, document.tokens
    return {
        "id": id_,
        "entity": placed.entity,
        "spans": tokens.to_tokens(mention.spans),
        "head": None if mention.head is None else tokens.token(mention.head),
        "type": mention.type,
        "confidence": mention.link_score,
        "confirmed": placed.confirmed,
    }


def entity_value(document: OpenDocument, id_: str, members: Iterable[str]) -> dict[str, Any]:
    """Tell the page an entity."""
    entity, some = document.state.entities[id_], list(members)
    return {
        "id": id_,
        "name": entity.name,
        "label": entity.name or document.label(some),
        "type": entity.type,
        "color": _number(document, id_),
        "singleton": entity.singleton,
        "size": len(some),
    }


def _number(document: OpenDocument, id_: str) -> int:
    """Number an entity, from 1: those that were read, and then each after the edit that made it."""
    added, number = rank(id_)[:2]
    return len(document.journal.before.clusters) * added + number + (1 - added)


def standing(document: OpenDocument) -> dict[str, Any]:
    """Tell the page where a document's history stands."""
    history = document.history
    return {
        "revision": history.revision,
        "undo": bool(history.past),
        "redo": bool(history.future),
        "done": history.done,
        "changed": len(history.past),
    }


class Fragments:
    """The JSON of a document in pieces, of which an edit makes few anew: a long text has many."""

    def __init__(self, document: OpenDocument) -> None:
        """Write nothing yet."""
        self._document = document
        self._text = _inner(text_value(document.journal.before, document.tokens))
        self._mentions: dict[str, str] = {}
        self._entities: dict[str, str] = {}

    def forget(self, change: Change) -> None:
        """Take it that these pieces are out of date."""
        for id_ in change.mentions:
            self._mentions.pop(id_, None)
        for id_ in touched(change):
            self._entities.pop(id_, None)

    def whole(self, score: dict[str, Any] | None) -> bytes:
        """Tell the page a whole document."""
        document, state = self._document, self._document.state
        for id_, placed in state.mentions.items():
            if id_ not in self._mentions:
                self._mentions[id_] = json.dumps(mention_value(document, id_, placed))
        if missing := [id_ for id_ in state.entities if id_ not in self._entities]:
            members = state.members()
            for id_ in missing:
                self._entities[id_] = json.dumps(entity_value(document, id_, members[id_]))
        entities = ",".join(map(self._entities.__getitem__, sorted(state.entities, key=rank)))
        mentions = ",".join(map(self._mentions.__getitem__, state.mentions))
        rest = {
            "index": document.index, "id": document.id, **standing(document), "score": score,
            "notices": [*document.notices, *document.journal.notices],
        }  # fmt: skip
        return (f'{{{_inner(rest)},{self._text},"entities":[{entities}],"mentions":[{mentions}]}}').encode(
            "ascii"
        )


def _inner(value: dict[str, Any]) -> str:
    """Write the members of an object, without its braces."""
    return json.dumps(value)[1:-1]


def touched(change: Change) -> set[str]:
    """List the entities that a change touches."""
    versions = (placed for both in change.mentions.values() for placed in both if placed is not None)
    return {*change.entities, *(placed.entity for placed in versions)}


def changes_value(document: OpenDocument, change: Change) -> dict[str, Any]:
    """Tell the page what an edit touched, as it is now."""
    state = document.state
    those = touched(change)
    there = sorted((id_ for id_ in those if id_ in state.entities), key=rank)
    members: dict[str, list[str]] = {id_: [] for id_ in there}
    for id_, placed in state.mentions.items():
        if placed.entity in members:
            members[placed.entity].append(id_)
    mentions = [id_ for id_ in change.mentions if id_ in state.mentions]
    return {
        "entities": [entity_value(document, id_, members[id_]) for id_ in there],
        "mentions": [mention_value(document, id_, state.mentions[id_]) for id_ in mentions],
        "removed_entities": sorted(those - {*there}),
        "removed_mentions": sorted({*change.mentions} - {*mentions}),
    }


def suggestion_value(document: OpenDocument, suggestion: Suggestion, at: dict[Any, str]) -> dict[str, Any]:
    """Tell the page a suggestion; `at` says which mention some words are."""
    mentions, to_tokens = document.state.mentions, document.tokens.to_tokens
    antecedent = at.get(suggestion.antecedent)
    return {
        "id": suggestion.id,
        "system": suggestion.system,
        "kind": suggestion.kind,
        "spans": to_tokens(suggestion.spans),
        "mention": at.get(suggestion.spans),
        "antecedent": {"spans": to_tokens(suggestion.antecedent), "mention": antecedent},
        "entity": None if antecedent is None else mentions[antecedent].entity,
        "merges": suggestion.merges,
        "confidence": suggestion.confidence,
    }


def suggestions_value(document: OpenDocument, limit: int) -> dict[str, Any]:
    """Tell the page the first suggestions, and how many there are."""
    at = {placed.mention.spans: id_ for id_, placed in document.state.mentions.items()}
    found = document.suggestions()
    shown = [suggestion_value(document, each, at) for each in found[:limit]]
    return {"revision": document.history.revision, "count": len(found), "suggestions": shown}


def doubtful_value(document: OpenDocument, limit: int) -> dict[str, Any]:
    """Tell the page the links that the resolver is least sure of."""
    found = document.doubtful()
    mentions = document.state.mentions
    shown = [
        {"mention": id_, "antecedent": other, "entity": mentions[id_].entity, "confidence": score}
        for score, id_, other in found[:limit]
    ]
    return {"revision": document.history.revision, "count": len(found), "doubtful": shown}
