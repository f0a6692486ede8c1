"""Mentions of a response whose offsets lie outside the document: named, and left out.

A language model that counts badly loses the mention, not the whole answer. A document none of whose mentions
lies within it stays as it is, for the reader to refuse: its offsets count something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import Any

from referee.formats.jsonlines.fields import Fields, cluster_field, has_words
from referee.formats.jsonlines.writing import BESIDE


def outside(fields: Fields, *, predicted: bool) -> list[Any]:
    """List the mentions that `without_outside` leaves out."""
    field, within = _within(fields, predicted=predicted)
    return [
        mention
        for cluster, inside in zip(fields[field] if within else (), within, strict=True)
        for mention, is_inside in zip(cluster, inside, strict=True)
        if not is_inside
    ]


def without_outside(fields: Fields, *, predicted: bool) -> Fields:
    """Take mentions outside the document out of a line, with what is said beside them."""
    field, within = _within(fields, predicted=predicted)
    if not within:
        return fields
    beside = [name for name in BESIDE if field == "clusters" and isinstance(fields.get(name), list)]
    return fields | {name: list(_chosen(fields[name], within)) for name in (field, *beside)}


def _chosen(rows: list[Any], within: list[list[bool]]) -> Iterator[Any]:
    for number, row in enumerate(rows):
        inside = within[number] if number < len(within) else []
        yield list(compress(row, inside)) if isinstance(row, list) and len(row) == len(inside) else row


def _within(fields: Fields, *, predicted: bool) -> tuple[str, list[list[bool]]]:
    """Say of each mention whether it is in the document; nothing if all or none are."""
    field = cluster_field(fields, predicted=predicted)
    clusters, length = fields.get(field), _length(fields)
    if length is None or not isinstance(clusters, list) or not all(isinstance(one, list) for one in clusters):
        return field, []
    included = int(has_words(fields))
    if _all_inside(clusters, length, included):
        return field, []
    within = [[_is_inside(mention, length, included) for mention in cluster] for cluster in clusters]
    inside = [is_inside for row in within for is_inside in row]
    return field, [] if all(inside) or not any(inside) else within


def _all_inside(clusters: list[list[Any]], length: int, included: int) -> bool:
    """Whether every mention is a pair inside the document: true of nearly all lines, and seen quickly."""
    try:
        return all(0 <= start < end + included <= length for some in clusters for start, end in some)
    except (TypeError, ValueError):
        return False


def _length(fields: Fields) -> int | None:
    """Count what offsets count; None if the line is ill-formed."""
    if not has_words(fields):
        return len(fields["text"]) if isinstance(fields.get("text"), str) else None
    sentences = fields.get("sentences", [fields.get("tokens")])
    if not isinstance(sentences, list) or not all(isinstance(sentence, list) for sentence in sentences):
        return None
    zeros = fields.get("zeros", [])
    return sum(map(len, sentences)) + (len(zeros) if isinstance(zeros, list) else 0)


def _is_inside(mention: object, length: int, included: int) -> bool:
    """Whether offsets are in the document; what is not a mention at all is for the reader to refuse."""
    pairs = mention if isinstance(mention, list) and mention and isinstance(mention[0], list) else [mention]
    return all(
        not (isinstance(pair, list) and len(pair) == 2 and all(type(offset) is int for offset in pair))
        or 0 <= pair[0] < pair[1] + included <= length
        for pair in pairs
    )
