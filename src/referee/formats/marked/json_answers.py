"""Clusters that a model wrote as JSON, with the text or without it, among whatever prose.

* Clusters are under `clusters`, `predicted_clusters`, `clusters_token_offsets`, `clusters_text_mentions` or
  another usual name: a list of lists, a list of objects with `mentions`, or an object of lists by id; or they
  are the value itself.
* A mention is a string; or [start, end]; or an object with `text`, or `start` and `end`. Strings are looked
  for in the text from left to right. Offsets count words, the last one included, if there are any (`tokens`,
  `sentences`) or no text at all: those of the key then. Beside a `text` they count characters, the end
  excluded (`clusters_char_offsets`: included).
* A list of such objects, each with its words or its name, is several documents.

JSON that breaks off half way, as where a model may write no more, is read as far as it goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from referee.formats.marked.atoms import StringFinder, atoms_of
from referee.formats.marked.markings import (
    CUT_OFF,
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
FENCE = re.compile(r"^[ \t]*```[\w-]*[ \t]*$", re.MULTILINE)
START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
ATTEMPTS = 8  # places at which a value may begin
SIGNS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{},]')
_decoder = json.JSONDecoder()


class JsonAnswer(NamedTuple):
    """One document's answer, and its name if it has one."""

    name: str | None
    fields: Any
    position: int
    rest: str | None = None  # where the answer breaks off, what comes after its last whole item


def json_answers(raw: str) -> list[JsonAnswer]:
    """Find the answers that a text holds; none if there is no JSON with clusters in it."""
    for position in _starts(raw):
        value, rest = _decoded(raw, position)
        answers = [
            JsonAnswer(_name_of(fields), fields, position)
            for fields in (value if _is_many(value) else [value])
            if next(_clusters_of(fields), None) is not None
        ]
        if answers:
            return [*answers[:-1], answers[-1]._replace(rest=rest)]
    return []


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


def _decoded(raw: str, position: int) -> tuple[Any, str | None]:
    """Read a value, and say what is left out where it breaks off."""
    try:
        return _decoder.raw_decode(raw, position)[0], None
    except (ValueError, RecursionError):
        pass
    try:
        completed, rest = _completed(raw, position)
        return json.loads(completed), rest
    except (ValueError, RecursionError):
        return None, None


def _completed(raw: str, position: int) -> tuple[str, str | None]:
    """Close what a value that breaks off has left open, after its last whole item; drop commas at an end."""
    opened: list[str] = []
    pieces: list[str] = []
    whole = (0, "")  # how many pieces are whole, and what closes the value then
    done = position
    for match in SIGNS.finditer(raw, position):
        pieces += [raw[done : match.start()], match[0]]
        done, sign = match.end(), match[0]
        if sign in "[{":
            opened.append("]" if sign == "[" else "}")
        elif sign in "]}":
            if not opened or opened.pop() != sign:
                break
            if len(pieces) > 3 and pieces[-3] == "," and not pieces[-2].strip():
                pieces[-3] = ""
            whole = len(pieces), "".join(reversed(opened))
        elif sign == "," and opened and opened[-1] == "]":
            whole = len(pieces) - 1, "".join(reversed(opened))
        if not opened:
            break
    rest = "".join(pieces[whole[0] :]) + raw[done:] if opened else None
    return "".join(pieces[: whole[0]]) + whole[1], rest


def _is_many(value: Any) -> bool:
    """Whether a value is a list of documents."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and any(name in item for name in CLUSTERS) for item in value)
    )


def _name_of(fields: Any) -> str | None:
    given = [fields[name] for name in NAMES if name in fields] if isinstance(fields, dict) else []
    return str(given[0]) if given and isinstance(given[0], str | int) else None


def _clusters_of(fields: Any) -> Iterator[tuple[str, Any]]:
    """List the clusters, each with its id."""
    _, value = _field_of_clusters(fields)
    if isinstance(value, dict):
        yield from ((str(id_), mentions) for id_, mentions in value.items() if isinstance(mentions, list))
    for number, item in enumerate(value if isinstance(value, list) else (), 1):
        if isinstance(item, list):
            yield str(number), item
        elif isinstance(item, dict) and isinstance(item.get("mentions"), list):
            yield str(item.get("id", item.get("name", number))), item["mentions"]


def _field_of_clusters(fields: Any) -> tuple[str, Any]:
    """Choose the field that has clusters; offsets before strings, which may be ambiguous."""
    if not isinstance(fields, dict):
        return "", fields
    for name in CLUSTERS:
        if fields.get(name):
            return name, fields[name]
    others = {
        id_: mentions
        for id_, mentions in fields.items()
        if id_ not in {"text", "tokens", "sentences", *NAMES}
    }
    return "", others if all(map(_is_strings, others.values())) else {}


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def scan_json(answer: JsonAnswer) -> Marking:
    """Read the clusters of one answer."""
    fields: Mapping[str, Any] = answer.fields if isinstance(answer.fields, dict) else {}
    name, _ = _field_of_clusters(answer.fields)
    wanted: list[Wanted] = []
    faults: list[BrokenTag] = []
    for id_, mentions in _clusters_of(answer.fields):
        for mention in mentions:
            target = _target(mention)
            if target is None:
                faults.append(BrokenTag(NO_MENTION, abridged(str(mention)), answer.position))
            else:
                wanted.append(Wanted(id_, target, answer.position))
    if answer.rest is not None:
        faults.append(BrokenTag(CUT_OFF, abridged(answer.rest), answer.position))
    tokens = _tokens(fields)
    if tokens is not None:
        return _in_tokens(tokens, wanted, faults)
    if isinstance(fields.get("text"), str):
        return _in_text(fields["text"], wanted, faults, included=name == CHARACTER_OFFSETS)
    return Marking("", faults=faults, wanted=wanted, has_text=False)


def _target(mention: Any) -> str | Span | None:
    """Read a mention: a string, or offsets."""
    if isinstance(mention, dict):
        words = mention.get("text", mention.get("mention"))
        mention = words if isinstance(words, str) else [mention.get("start"), mention.get("end")]
    if isinstance(mention, str):
        return mention
    if isinstance(mention, list) and len(mention) == 2 and all(type(part) is int for part in mention):
        return mention[0], mention[1]
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
        if isinstance(each.target, str):
            span = finder.find(each.id, each.target)
            if span is None:
                faults.append(BrokenTag(NOT_FOUND, abridged(each.target), each.position))
            else:
                marks.append(Mark(atoms[span[0]].start, atoms[span[1] - 1].end, each.id, each.position))
            continue
        start, end = each.target[0], each.target[1] + included
        if 0 <= start < end <= len(text):
            marks.append(Mark(start, end, each.id, each.position))
        else:
            faults.append(BrokenTag(OUTSIDE_TEXT, f"{list(each.target)}", each.position))
    return without_empty(Marking(text, marks, faults))
