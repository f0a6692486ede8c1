"""What a page shows of a text: its words, the ends of its sentences, and who speaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.model import Document

NOBODY = "-"  # CoNLL's word for no speaker


@dataclass(frozen=True, slots=True)
class Displayed:
    """A text as the page shows it."""

    tokens: Sequence[str]
    ends: Sequence[int]  # of the sentences
    speakers: Sequence[tuple[int, str]]  # the first token of each turn, and who speaks


def displayed(document: Document) -> Displayed:
    """Take what the page shows of a text."""
    return Displayed(document.words, [end for _, end in document.sentences], _turns(document))


def _turns(document: Document) -> list[tuple[int, str]]:
    speakers = document.layers.get("speaker", ())
    changes = [
        (token, name) for token, name in enumerate(speakers) if not token or speakers[token - 1] != name
    ]
    return changes if {name for _, name in changes} - {NOBODY} else []
