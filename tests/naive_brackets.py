"""What the coreference column means, one line and one character at a time."""

from __future__ import annotations

import re
from collections import defaultdict

Spans = dict[str, list[tuple[int, int]]]


def naive_mentions(rows: list[str]) -> tuple[Spans, list[str]]:
    """Read rows whose last column is coreference: cluster → spans; and brackets that have no partner."""
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    opened: defaultdict[str, list[int]] = defaultdict(list)
    alone = []
    for number, row in enumerate(rows):
        columns = row.split()
        cell = columns[-1] if len(columns) > 1 else ""
        singles, begins, ends = [], [], []
        position = 0
        while position < len(cell):
            left = cell[position - 1] if position else ""
            name = re.compile(r"[^()|]*").match(cell, position)[0]  # type: ignore[index]
            right = cell[position + len(name) : position + len(name) + 1]
            if name and left == "(" and right == ")":
                singles += [] if re.fullmatch(r"\d+\+\d", name) else [name]
            elif name and left == "(":
                begins.append(name)
            elif name and right == ")":
                ends.append(name)
            position += len(name) + 1
        for name in singles:
            spans[name].append((number, number + 1))
        for name in begins:
            opened[name].append(number)
        for name in ends:
            if opened[name]:
                spans[name].append((opened[name].pop(), number + 1))
            else:
                alone.append(name)
    alone += [name for name, starts in opened.items() for _ in starts]
    return {name: sorted(some) for name, some in spans.items()}, sorted(alone)
