"""Describes the mentions of a key and of several responses, each distinct mention once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from referee.analysis.entities import Entities
from referee.arrays import IntArray
from referee.exceptions import RefereeError
from referee.language.mention_types import Category, Described, describe
from referee.model import Document, Mention, Span


def describe_all(
    documents: Sequence[Document], sides: Sequence[Entities], category: Category | None
) -> list[list[Described]]:
    """Describe the rows of all sides with the key's layers; the same mention is one object throughout."""
    category = category and guarded(category)
    number, first = _distinct(sides)
    rows, sizes = first.tolist(), [side.size for side in sides]
    columns = [_joined(sides, name)[first].tolist() for name in ("document", "start", "end")]
    parts = {sum(sizes[:i]) + row: spans for i, side in enumerate(sides) for row, spans in side.parts.items()}
    known: list[Described] = []
    wanted: list[list[Mention]] = [[] for _ in documents]
    for row, document, start, end in zip(rows, *columns, strict=True):
        wanted[document].append(Mention(parts.get(row) or ((start, end),)))
    for document, mentions in zip(documents, wanted, strict=True):
        known += describe(document, mentions, category)
    edges = np.cumsum([0, *sizes]).tolist()
    return [[known[index] for index in number[start:end].tolist()] for start, end in pairwise(edges)]


def guarded(category: Category) -> Category:
    """Say which function and which mention it was, if a user's own function fails."""

    def asked(mention: Described) -> str:
        try:
            kind = category(mention)
        except Exception as error:
            raise RefereeError(f"{_call(category, mention)}: {type(error).__name__}: {error}") from error
        if not isinstance(kind, str):
            raise RefereeError(f"{_call(category, mention)}: gave {kind!r}, which is not a word")
        return kind

    return asked


def _call(category: Category, mention: Described) -> str:
    name, (start, end) = getattr(category, "__name__", "given"), (mention.mention.start, mention.mention.end)
    text = " ".join(mention.text.split())
    return f"the category '{name}' of '{text}' (document {mention.document_id}, words {start}:{end})"


def _joined(sides: Sequence[Entities], column: str) -> IntArray:
    return np.concatenate([getattr(side, column) for side in sides])


def _distinct(sides: Sequence[Entities]) -> tuple[IntArray, IntArray]:
    """Number the distinct mentions by document; also say where each is first, with the sides in a row."""
    document, start, end = (_joined(sides, column) for column in ("document", "start", "end"))
    spans: dict[tuple[Span, ...], int] = {}
    past, before = int(end.max(initial=0)) + 1, 0
    for side in sides:
        for (
            row,
            several,
        ) in side.parts.items():  # an end past every other distinguishes them from plain mentions
            end[before + row] = past + spans.setdefault(several, len(spans))
        before += side.size
    code = np.unique(start * (int(end.max(initial=0)) + 1) + end, return_inverse=True)[1]
    code = document * (int(code.max(initial=0)) + 1) + code
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    return number, first
