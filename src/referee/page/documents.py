"""What a page shows of a document: its words, the ends of its sentences, who speaks, and its entities.

An entity's number is the same in all documents of a unit (a document, a topic, a corpus), and the same number
on both sides means the same entity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.analysis import entities as analysis
from referee.metrics.assignment import best_alignment
from referee.model import Document, Mention, joined_spans

ZERO = "∅"  # shown for a word that is not written, and has no form
NOBODY = "-"  # CoNLL's word for no speaker


@dataclass(frozen=True, slots=True)
class Displayed:
    """A text as the page shows it: words that are not written are where they belong."""

    tokens: Sequence[str]
    ends: Sequence[int]  # of the sentences
    speakers: Sequence[tuple[int, str]]  # the first token of each turn, and who speaks
    position: Sequence[int] | None = None  # word → token, where there are words that are not written

    def offsets(self, mention: Mention) -> list[int]:
        """List where a mention's spans begin and end among the tokens."""
        if self.position is None or mention.end > len(self.position):
            return [offset for span in mention.spans for offset in span]
        tokens = [self.position[word] for span in mention.spans for word in range(*span)]
        return [offset for span in joined_spans([(at, at + 1) for at in tokens]) for offset in span]


def displayed(document: Document) -> Displayed:
    """Take what the page shows of a text."""
    text = document.text
    order = text.reading_order()
    speakers = document.layers.get("speaker", ())
    turns = _turns([speakers[word] for word in order] if speakers else ())
    if not text.zeros:
        return Displayed(text.words, [end for _, end in text.sentences], turns)
    position = [0] * len(order)
    for at, word in enumerate(order):
        position[word] = at
    tokens = [text.words[word] if word < text.length else _unwritten(text.words[word]) for word in order]
    ends = [position[end - 1] + 1 for _, end in text.sentences]
    for number, zero in enumerate(text.zeros):
        if zero.sentence < len(ends):
            ends[zero.sentence] = max(ends[zero.sentence], position[text.length + number] + 1)
    return Displayed(tokens, ends, turns, position)


def _unwritten(word: str) -> str:
    return ZERO if word in ("", "_") else word


def _turns(speakers: Sequence[str]) -> list[tuple[int, str]]:
    changes = [
        (token, name) for token, name in enumerate(speakers) if not token or speakers[token - 1] != name
    ]
    return changes if {name for _, name in changes} - {NOBODY} else []


Located = tuple[int, Mention]  # the number of a document, and a mention in it
Entities = list[list[Located]]
Numbered = list[tuple[int, list[Located]]]


def entities_of(side: analysis.Entities, units: int) -> list[Entities]:
    """List each unit's entities by their first mention, each with its distinct mentions in order."""
    by_unit: list[Entities] = [[] for _ in range(units)]
    documents, unit = side.document.tolist(), side.unit.tolist()
    for start, end in side.edges():
        located = zip(documents[start:end], side.mention[start:end], strict=True)
        by_unit[unit[start]].append(sorted(set(located)))
    return [sorted(entities) for entities in by_unit]


def key_numbers(key: Entities) -> Numbered:
    """Number key entities from 1, in order."""
    return list(enumerate(key, start=1))


def response_numbers(key: Entities, response: Entities) -> Numbered:
    """Give each response entity the number of the key entity that CEAFe aligns it with; others come after."""
    partner = _aligned(key, response)
    fresh = iter(range(len(key) + 1, len(key) + len(response) + 1))
    return [
        (partner[i] + 1 if i in partner else next(fresh), mentions) for i, mentions in enumerate(response)
    ]


def _aligned(key: Entities, response: Entities) -> dict[int, int]:
    """Align entities one to one by their Dice overlap (CEAF's φ₄): response entity → key entity."""
    homes: dict[Located, int] = {mention: k for k, entity in enumerate(key) for mention in entity}
    shared = Counter(
        (homes[mention], r) for r, entity in enumerate(response) for mention in entity if mention in homes
    )
    cells = list(shared)
    k, r = (np.array([cell[side] for cell in cells], np.int64) for side in (0, 1))
    dice = np.array([_dice(key[a], response[b], shared[a, b]) for a, b in cells], np.float64)
    chosen = best_alignment(k, r, dice)
    return {b: a for (a, b), is_chosen in zip(cells, chosen.tolist(), strict=True) if is_chosen}


def _dice(one: Sequence[Located], other: Sequence[Located], common: int) -> float:
    return 2 * common / (len(one) + len(other))
