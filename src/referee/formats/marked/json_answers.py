"""Clusters that a model wrote as JSON, with the text or without it, among whatever prose.

* Clusters are under `clusters`, `predicted_clusters`, `clusters_token_offsets`, `clusters_text_mentions` or
  another usual name: a list of lists, a list of objects with `mentions`, a list of mentions that each name
  their cluster (`{"mention": "her", "cluster": 1}`), or an object of lists by id; or they are the value
  itself.
* A mention is a string; or [start, end]; or an object with `text`, or `start` and `end`. Strings are looked
  for in the text from left to right, unless they are where offsets beside them say. Offsets count words,
  the last one included, if there are any (`tokens`, `sentences`) or no text at all: those of the key then.
  Beside a `text` they count characters, the end excluded (`clusters_char_offsets`: included).
* A list of such objects, each with its words or its name, is several documents. So are objects one after the
  other, unless each is a cluster.

`loose_json` says which faults of the JSON are repaired. JSON that breaks off half way, as where a model may
write no more, is read as far as it goes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from referee.formats.marked.atoms import StringFinder, atoms_of
from referee.formats.marked.lists import REPAIR, listed_entities
from referee.formats.marked.loose_json import LooseValue, decode
from referee.formats.marked.markings import (
    CUT_OFF,
    NO_ID,
    NO_MENTION,
    NOT_FOUND,
    OUTSIDE_TEXT,
    BrokenTag,
    Mark,
    Marking,
    Wanted,
    abridged,
    marking_of_tokens,
    without_empty,
)
from referee.model import Span

TOKEN_OFFSETS, CHARACTER_OFFSETS = "clusters_token_offsets", "clusters_char_offsets"
CLUSTERS = (
    TOKEN_OFFSETS, CHARACTER_OFFSETS, "predicted_clusters", "clusters", "clusters_text_mentions",
    "clusters_token_text", "coreference_clusters", "coreference_chains", "coreferences", "coreference",
    "coref", "chains", "entities",
)  # fmt: skip
NAMES = ("doc_id", "doc_key", "document", "id")
MEMBERS = ("mentions", "members", "spans", "references")  # of a cluster
WORDS = ("text", "mention", "span", "string", "phrase")  # of a mention
OFFSETS = (("start", "end"), ("begin", "end"), ("start_char", "end_char"), ("start_token", "end_token"))
CLUSTER_IDS = ("cluster_id", "cluster", "entity_id", "chain_id", "chain", "coref_id", "entity")
IDS = ("id", *CLUSTER_IDS, "name")
FENCE = re.compile(r"^[ \t]*```[\w-]*[ \t]*$", re.MULTILINE)
START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
NEXT = re.compile(r"[\s,;]*(?=\{)")  # comes between two objects
ATTEMPTS = 8  # places at which a value may begin


class JsonAnswer(NamedTuple):
    """One document's answer, and its name if it has one."""

    name: str | None
    fields: Any
    position: int
    end: int
    rest: str | None = None  # where the answer breaks off, what comes after its last whole item
    repairs: tuple[str, ...] = ()


def json_answers(raw: str) -> list[JsonAnswer]:
    """Find the answers that a text holds; none if there is no JSON with clusters in it."""
    for position in _starts(raw):
        values = list(_values(raw, position))
        if answers := _answers(values):
            if len(values) > 1 and all(_is_cluster(value.value) for value, _ in values):
                fields, end = [value.value for value, _ in values], values[-1][0].end
                answers = [answers[0]._replace(name=None, fields=fields, end=end)]
            repairs = dict.fromkeys(chain.from_iterable(value.repairs for value, _ in values))
            return [
                *(answer._replace(repairs=tuple(repairs)) for answer in answers[:-1]),
                answers[-1]._replace(rest=values[-1][0].rest, repairs=tuple(repairs)),
            ]
    return []


def listed_answers(raw: str) -> list[JsonAnswer]:
    """Find the answer of a text that lists entities in prose; none if it does not."""
    found = listed_entities(raw)
    return [JsonAnswer(None, found.entities, found.start, found.end, repairs=(REPAIR,))] if found else []


def _values(raw: str, position: int) -> Iterator[tuple[LooseValue, int]]:
    """Read a value, and the objects that follow it."""
    value = decode(raw, position)
    while value is not None:
        yield value, position
        after = NEXT.match(raw, value.end) if isinstance(value.value, dict) else None
        if not after:
            return
        position = after.end()
        value = decode(raw, position)


def _answers(values: Sequence[tuple[LooseValue, int]]) -> list[JsonAnswer]:
    """List the documents of some values, if any has clusters; others that have names may be without."""
    listed = [
        (fields, at, value.end)
        for value, at in values
        for fields in (value.value if _is_many(value.value) else [value.value])
    ]
    full = [next(_clusters_of(fields), None) is not None for fields, _, _ in listed]
    return [
        JsonAnswer(_name_of(fields), fields, at, end)
        for (fields, at, end), has_clusters in zip(listed, full, strict=True)
        if has_clusters or (any(full) and _is_many([fields]) and _name_of(fields) is not None)
    ]


def _starts(raw: str) -> Iterator[int]:
    """List where a value may begin: after a fence first, then where a line does, then anywhere."""
    listed: list[int] = []
    for fence in FENCE.finditer(raw):
        after = START.match(raw, fence.end() + 1)
        listed += [after.end() - 1] if after else []
    starts = START.finditer(raw)
    listed += [match.end() - 1 for match, _ in zip(starts, range(ATTEMPTS), strict=False)]
    listed += [position for sign in "{[" if (position := raw.find(sign)) >= 0]
    yield from list(dict.fromkeys(listed))[: 2 * ATTEMPTS]


def _is_many(value: Any) -> bool:
    """Whether a value is a list of documents."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(item, dict) and any(isinstance(item.get(name), list | dict) for name in CLUSTERS)
            for item in value
        )
    )


def _name_of(fields: Any) -> str | None:
    given = [fields[name] for name in NAMES if name in fields] if isinstance(fields, dict) else []
    return str(given[0]) if given and isinstance(given[0], str | int) else None


def _clusters_of(fields: Any) -> Iterator[tuple[str | None, Sequence[Any]]]:
    """List the clusters, each with its id; that of mentions without a cluster is None."""
    _, value = _field_of_clusters(fields)
    if isinstance(value, dict):
        yield from ((str(id_), mentions) for id_, mentions in value.items() if isinstance(mentions, list))
        return
    items = value if isinstance(value, list) else []
    ids = _ids(items)
    for number, item in enumerate(items, 1):
        if isinstance(item, list):
            yield str(number), item
        elif _is_cluster(item):
            yield ids[number - 1] if ids else str(number), _members(item) or []
        elif _is_row(item):
            id_ = next((item[name] for name in CLUSTER_IDS if item.get(name) is not None), None)
            yield None if id_ is None else str(id_), [item]


def _ids(items: Sequence[Any]) -> list[str]:
    """Read the ids of clusters that are objects; none unless each has its own."""
    ids = [next((str(item[name]) for name in IDS if name in item), "") for item in items if _is_cluster(item)]
    explicit = all("id" in item or "cluster_id" in item for item in items if _is_cluster(item))
    unique = explicit or max(Counter(ids).values(), default=0) == 1  # a name may be a type
    return ids if len(ids) == len(items) and all(ids) and unique else []


def _members(item: Mapping[str, Any]) -> list[Any] | None:
    return next((item[name] for name in MEMBERS if isinstance(item.get(name), list)), None)


def _is_cluster(item: Any) -> bool:
    """Whether a value is an object with mentions."""
    return isinstance(item, dict) and _members(item) is not None


def _is_row(item: Any) -> bool:
    """Whether a value is a mention that names its cluster."""
    return isinstance(item, dict) and any(name in item for name in CLUSTER_IDS) and _target(item) is not None


def _field_of_clusters(fields: Any) -> tuple[str, Any]:
    """Choose the field that has clusters; offsets before strings, which may be ambiguous."""
    if not isinstance(fields, dict):
        return "", fields
    for name in CLUSTERS:
        if isinstance(fields.get(name), list | dict) and fields[name]:
            return name, fields[name]
    if members := _members(fields):
        return "", members if all(map(_is_row, members)) else [fields]
    others = {
        id_: mentions
        for id_, mentions in fields.items()
        if id_ not in {"text", "tokens", "sentences", *NAMES}
    }
    return "", others if all(map(_is_mentions, others.values())) else {}


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _is_mentions(value: Any) -> bool:
    """Whether a value is a list of strings, or of objects with strings."""
    return isinstance(value, list) and bool(value) and all(isinstance(_target(item), str) for item in value)


def scan_json(answer: JsonAnswer) -> Marking:
    """Read the clusters of one answer."""
    fields: Mapping[str, Any] = answer.fields if isinstance(answer.fields, dict) else {}
    name, _ = _field_of_clusters(answer.fields)
    wanted: list[Wanted] = []
    faults: list[BrokenTag] = []
    for id_, mentions in _clusters_of(answer.fields):
        for mention in mentions:
            target = _target(mention)
            if target is None or id_ is None:
                reason = NO_MENTION if target is None else NO_ID
                faults.append(BrokenTag(reason, abridged(str(mention)), answer.position))
            else:
                wanted.append(Wanted(id_, target, answer.position, _offsets(mention)))
    if answer.rest is not None:
        faults.append(BrokenTag(CUT_OFF, abridged(answer.rest), answer.position))
    return replace(_marking(fields, name, wanted, faults), repairs=answer.repairs)


def _marking(fields: Mapping[str, Any], name: str, wanted: list[Wanted], faults: list[BrokenTag]) -> Marking:
    """Find mentions in the answer's own words or text, if it has any."""
    tokens = _tokens(fields)
    if tokens is not None:
        return _in_tokens(tokens, wanted, faults)
    if isinstance(fields.get("text"), str) and not _is_row(fields):
        return _in_text(fields["text"], wanted, faults, included=name == CHARACTER_OFFSETS)
    return Marking("", faults=faults, wanted=wanted, has_text=False)


def _target(mention: Any) -> str | Span | None:
    """Read a mention: a string, or offsets."""
    if isinstance(mention, dict):
        words = next((mention[name] for name in WORDS if name in mention), None)
        return words if isinstance(words, str) else _span(words) or _offsets(mention)
    return mention if isinstance(mention, str) else _span(mention)


def _offsets(mention: Any) -> Span | None:
    """Read the offsets that are fields of a mention."""
    if not isinstance(mention, dict):
        return None
    given = (_span([mention.get(start), mention.get(end)]) for start, end in OFFSETS)
    return next((span for span in given if span), None)


def _span(value: Any) -> Span | None:
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        return value[0], value[1]
    return None


def _tokens(fields: Mapping[str, Any]) -> Sequence[str] | None:
    """Read a document's words, in one list or by sentences."""
    tokens = fields.get("tokens", fields.get("sentences"))
    if isinstance(tokens, list) and tokens and all(isinstance(sentence, list) for sentence in tokens):
        tokens = [token for sentence in tokens for token in sentence]
    return tokens if _is_strings(tokens) else None


def _in_tokens(tokens: Sequence[str], wanted: Sequence[Wanted], faults: list[BrokenTag]) -> Marking:
    """Find mentions among words."""
    spans = []
    by_string = []
    for each in wanted:
        if isinstance(each.target, str):
            by_string.append(each)
        elif 0 <= each.target[0] <= each.target[1] < len(tokens):
            spans.append((each.id, (each.target[0], each.target[1] + 1), each.position))
        else:
            faults.append(BrokenTag(OUTSIDE_TEXT, f"{list(each.target)}", each.position))
    marking = marking_of_tokens(tokens, spans, faults)
    found = _in_text(marking.text, by_string, faults, included=False)
    return replace(marking, marks=[*marking.marks, *found.marks], faults=found.faults)


def _in_text(text: str, wanted: Sequence[Wanted], faults: list[BrokenTag], *, included: bool) -> Marking:
    """Find mentions in a running text; whether offsets include the last character differs."""
    atoms = atoms_of(text)
    finder = StringFinder(atom.folded for atom in atoms)
    marks = []
    for each in wanted:
        span = _span_in(text, each, included=included)
        if span is None:
            atom_span = finder.find(each.id, str(each.target))
            span = (atoms[atom_span[0]].start, atoms[atom_span[1] - 1].end) if atom_span else None
        if span is None:
            faults.append(BrokenTag(NOT_FOUND, abridged(str(each.target)), each.position))
        elif 0 <= span[0] < span[1] <= len(text):
            marks.append(Mark(*span, each.id, each.position))
        else:
            faults.append(BrokenTag(OUTSIDE_TEXT, f"{list(each.target)}", each.position))
    return without_empty(Marking(text, marks, faults))


def _span_in(text: str, wanted: Wanted, *, included: bool) -> Span | None:
    """Say where a mention's offsets are; None if it is a string that is not where they say."""
    if isinstance(wanted.target, tuple):
        return wanted.target[0], wanted.target[1] + included
    start, end = wanted.offsets or (0, 0)
    return (start, end) if 0 <= start < end and text[start:end] == wanted.target else None
