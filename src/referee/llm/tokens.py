"""Tokens and what they cost: estimates before a request, the server's own numbers after it."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from math import ceil

from referee.formats.catalogue import BRACKETS, CRAC, JSON, MARKDOWN, TAGS
from referee.formats.marked.atoms import UNSPACED

MILLION = 1_000_000
# Characters to a token. English text has about four for most vocabularies; other alphabets have fewer, and
# scripts without blanks about one.
LATIN, OTHER, ALONE = 4.0, 2.0, 1.0
ONE_BY_ONE = re.compile(f"[{UNSPACED}]")
# Tokens of an answer to one of the text that is shown. These are the largest of GUM's right answers, whose
# mentions are the densest; OntoNotes's have a quarter less.
ANSWER_RATIO = {TAGS: 2.1, MARKDOWN: 1.5, BRACKETS: 1.5, CRAC: 1.5, JSON: 0.6}


def estimated_tokens(text: str) -> int:
    """Estimate the number of tokens of a text, whose true number only the model's tokenizer knows.

    >>> estimated_tokens("The baker sold her old van."), estimated_tokens("東京")
    (7, 2)
    """
    alone = len(ONE_BY_ONE.findall(text))
    latin = sum(character < "\x80" for character in text)
    return ceil(latin / LATIN + alone / ALONE + (len(text) - latin - alone) / OTHER)


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in whatever currency; None if it is not known."""

    tokens_in: float | None = None
    tokens_out: float | None = None

    @property
    def known(self) -> bool:
        """Whether a cost can be computed."""
        return self.tokens_in is not None or self.tokens_out is not None

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Compute what some tokens cost."""
        return ((self.tokens_in or 0) * tokens_in + (self.tokens_out or 0) * tokens_out) / MILLION


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a request and its answer."""

    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False  # whether the server did not say it

    def __add__(self, other: Usage) -> Usage:
        """Add up two requests."""
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.estimated or other.estimated,
        )


@dataclass(slots=True)
class Budget:
    """What may be spent: requests that are under way count with what they are estimated to cost."""

    limit: float | None
    spent: float = 0.0
    reserved: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, cost: float) -> bool:
        """Set the cost of a request aside; False if the limit would be passed."""
        with self._lock:
            if self.limit is not None and self.spent + self.reserved + cost > self.limit:
                return False
            self.reserved += cost
            return True

    def settle(self, reserved: float, cost: float) -> None:
        """Replace what was set aside by what it did cost."""
        with self._lock:
            self.reserved -= reserved
            self.spent += cost
