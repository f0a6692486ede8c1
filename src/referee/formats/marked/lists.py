"""Entities that a model lists in prose, instead of marking them in the text.

    1. Mary: "Mary", "she", "her"          - Mary
    2. the dog (the dog; it)                   - Mary
                                               - she

* An item of a list, numbered or with a bullet, is an entity. Its mentions are the strings in quotation marks;
  without any, what stands between commas or semicolons behind its colon or in its brackets, or in the item.
* Items that are indented below another are its mentions.
* A text is such a list if an entity has several mentions and at least half of the items have any; the others
  are reported. Mentions are strings, which are looked for in the text as those of JSON are.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ITEM = re.compile(r"^([ \t]{0,20})(?:\(?\d{1,4}[.):]|[-*•–])[ \t]{1,8}(\S[^\n]*)$", re.MULTILINE)
QUOTED = re.compile(r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|«([^»\n]{1,300})»|`([^`\n]{1,300})`")
BEHIND_COLON = re.compile(r"[^:\n]{1,200}:[ \t]+(\S[^\n]*)")
IN_BRACKETS = re.compile(r"[^(\n]{1,200}\(([^()\n]{2,1000})\)[ \t.]*\Z")
LONGEST = 12  # words of a mention that has no quotation marks
REPAIR = "a list of entities in prose"


class ListedEntities(NamedTuple):
    """What a text lists: the mentions of each entity, as strings, and where the list is."""

    entities: list[list[object]]  # a list instead of a string is an item that has no mention
    start: int
    end: int


def listed_entities(raw: str) -> ListedEntities | None:
    """Find the list of entities in a text.

    >>> listed_entities('Here they are:\\n1. Mary: "Mary", "she"\\n2. the dog (the dog; it)').entities
    [['Mary', 'she'], ['the dog', 'it']]
    >>> listed_entities("1. I read the text.\\n2. I thought about it, and about more.") is None
    True
    """
    items = [(len(match[1].expandtabs()), match) for match in ITEM.finditer(raw)]
    if not items:
        return None
    outer = min(indent for indent, _ in items)
    entities: list[list[object]] = []
    for indent, match in items:
        words = match[2].replace("**", "").strip()
        if indent == outer:
            entities.append([*_mentions(words)] or [[words]])
        else:
            below = _quoted(words) or [words.strip(" .,;'")]
            first = entities[-1][0] if entities else None
            entities[-1] = [*below] if isinstance(first, list) else [*entities[-1], *below]
    found = [entity for entity in entities if isinstance(entity[0], str)]
    if 2 * len(found) < len(entities) or all(len(entity) < 2 for entity in found):
        return None
    return ListedEntities(entities, items[0][1].start(), items[-1][1].end())


def _mentions(words: str) -> list[str]:
    """List the mentions of an item."""
    if quoted := _quoted(words):
        return quoted
    inside = BEHIND_COLON.fullmatch(words) or IN_BRACKETS.fullmatch(words)
    parts = [part.strip(" .'") for part in re.split("[,;]", inside[1] if inside else words)]
    parts = [part for part in parts if part]
    plausible = all(len(part.split()) <= LONGEST for part in parts) and (inside or not words.endswith("."))
    return parts if plausible and (inside or len(parts) > 1) else []


def _quoted(words: str) -> list[str]:
    return [next(group for group in match if group) for match in QUOTED.findall(words)]
