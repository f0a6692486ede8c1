"""The lines of a journal: values as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from referee.corrections.history import History, Step
from referee.corrections.state import Change, Entity, Placed
from referee.exceptions import FormatError
from referee.formats.jsonlines.fields import document_of
from referee.formats.jsonlines.writing import write
from referee.model import Document, Mention, Span

Value = Mapping[str, Any]


def document_value(document: Document) -> dict[str, Any]:
    """Write a document as a line of JSON lines."""
    line = StringIO()
    write([document], line)
    value: dict[str, Any] = json.loads(line.getvalue())
    return value


def read_document(value: object, where: str) -> Document:
    """Read a document that is a line of JSON lines."""
    if not isinstance(value, dict):
        raise FormatError(f"{where}: has no document")
    return document_of(value, str(value.get("doc_key", "")), where, predicted=False)


def _mention_value(placed: Placed | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    mention = placed.mention
    facts = {
        "minimum": mention.minimum, "head": mention.head, "type": mention.type, "score": mention.score,
        "link_score": mention.link_score, "confirmed": placed.confirmed or None,
    }  # fmt: skip
    known = {name: fact for name, fact in facts.items() if fact is not None}
    return {"entity": placed.entity, "spans": mention.spans, **known}


def _read_mention(value: Value | None) -> Placed | None:
    if value is None:
        return None
    minimum = value.get("minimum")
    mention = Mention(
        _spans(value["spans"]), None if minimum is None else _spans(minimum), value.get("head"),
        value.get("type"), value.get("score"), value.get("link_score"),
    )  # fmt: skip
    return Placed(value["entity"], mention, bool(value.get("confirmed")))


def _spans(value: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end in value)


def _entity_value(entity: Entity | None) -> dict[str, Any] | None:
    if entity is None:
        return None
    return {
        "name": entity.name,
        "type": entity.type,
        "singleton": entity.singleton,
        "cluster": entity.cluster,
    }


def _read_entity(value: Value | None) -> Entity | None:
    return None if value is None else Entity(**value)


def step_value(step: Step) -> dict[str, Any]:
    """Write an edit with what it changed."""
    change = step.change
    value: dict[str, Any] = {"n": step.number, "at": step.at, "who": step.who, "client": step.client}
    value["edit"] = dict(step.edit)
    if change.mentions:
        value["mentions"] = {id_: list(map(_mention_value, both)) for id_, both in change.mentions.items()}
    if change.entities:
        value["entities"] = {id_: list(map(_entity_value, both)) for id_, both in change.entities.items()}
    if change.refused:
        value["refused"] = {id_: list(both) for id_, both in change.refused.items()}
    return value


def read_step(value: Value) -> Step:
    """Read an edit."""
    mentions = {id_: (_read_mention(a), _read_mention(b)) for id_, (a, b) in _pairs(value, "mentions")}
    entities = {id_: (_read_entity(a), _read_entity(b)) for id_, (a, b) in _pairs(value, "entities")}
    refused = {id_: (a, b) for id_, (a, b) in _pairs(value, "refused")}
    change = Change(mentions, entities, refused)
    told = (str(value.get(name, "")) for name in ("at", "who", "client"))
    return Step(value["n"], value["edit"], change, *told)


def _pairs(value: Value, name: str) -> Any:
    return value.get(name, {}).items()


def replayed(history: History, value: Value, where: str) -> History:
    """Do again what a line says."""
    try:
        number = value["n"]
        if not isinstance(number, int) or number <= history.revision:
            raise FormatError(f"the event {number!r} comes after {history.revision}")
        if "edit" in value:
            return history.after(read_step(value))
        if value.get("undo"):
            return history.undone(number)
        if value.get("redo"):
            return history.redone(number)
        return history.finished(number, done=bool(value["done"]))
    except (FormatError, KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise FormatError(
            f"{where}: damaged, the event cannot be replayed ({error}); the lines before it are whole: move "
            "the file away, and keep it"
        ) from error
