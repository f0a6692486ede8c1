"""Chooses errors by a condition in words: `anaphor=noun and antecedent=name`.

    condition   FIELD = VALUE, FIELD != VALUE, FIELD ~ VALUE (contains); case is ignored
    together    and, or, not, and brackets; `and` binds closer than `or`
    values      a word, or anything in quotes

It is parsed, never run: nothing but the fields below can be asked for.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from referee.errors.link_errors import LinkError
from referee.exceptions import RefereeError

Wanted = Callable[[LinkError], bool]

FIELDS: dict[str, Callable[[LinkError], str]] = {
    "anaphor": lambda error: error.anaphor.type,
    "antecedent": lambda error: error.antecedent.type,
    "anaphor.text": lambda error: error.anaphor.text,
    "antecedent.text": lambda error: error.antecedent.text,
    "anaphor.head": lambda error: error.anaphor.head_word,
    "antecedent.head": lambda error: error.antecedent.head_word,
    "anaphor.entity": lambda error: error.anaphor.entity_type or "none",
    "antecedent.entity": lambda error: error.antecedent.entity_type or "none",
    "anaphor.pronoun": lambda error: error.anaphor.pronoun or "none",
    "antecedent.pronoun": lambda error: error.antecedent.pronoun or "none",
    "side": lambda error: error.side,
    "system": lambda error: error.system,
    "document": lambda error: error.document,
}
TOKEN = re.compile(r"""\s*(?:(?P<quoted>"[^"]*"|'[^']*')|(?P<sign>!=|[=~()])|(?P<word>[^\s=~!()"']+))""")


def parse_filter(text: str) -> Wanted:
    """Read a condition on errors."""
    parser = _Parser(text)
    wanted = parser.alternatives()
    if parser.place < len(parser.tokens):
        raise parser.error("'and', 'or' or the end")
    return wanted


class _Parser:
    """Reads a condition from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str]] = []  # kind, text
        self.place = position = 0
        while text[position:].strip():
            found = TOKEN.match(text, position)
            if not found or found.lastgroup is None:
                raise RefereeError(f"filter '{text}': cannot read '{text[position:].strip()}'")
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            position = found.end()

    def error(self, wanted: str) -> RefereeError:
        """Say what was expected and what is there."""
        there = f"'{self.tokens[self.place][1]}'" if self.place < len(self.tokens) else "the end"
        return RefereeError(f"filter '{self.text}': expected {wanted}, found {there}")

    def takes(self, *texts: str) -> str | None:
        """Step over one of some words or signs, if it is next."""
        if self.place < len(self.tokens):
            kind, text = self.tokens[self.place]
            if kind != "quoted" and text.lower() in texts:
                self.place += 1
                return text.lower()
        return None

    def alternatives(self) -> Wanted:
        parts = [self.conditions()]
        while self.takes("or"):
            parts.append(self.conditions())
        return parts[0] if len(parts) == 1 else lambda error: any(part(error) for part in parts)

    def conditions(self) -> Wanted:
        parts = [self.condition()]
        while self.takes("and"):
            parts.append(self.condition())
        return parts[0] if len(parts) == 1 else lambda error: all(part(error) for part in parts)

    def condition(self) -> Wanted:
        if self.takes("not"):
            inner = self.condition()
            return lambda error: not inner(error)
        if self.takes("("):
            inside = self.alternatives()
            if not self.takes(")"):
                raise self.error("')'")
            return inside
        return self.comparison()

    def comparison(self) -> Wanted:
        field = self.field()
        sign = self.takes("=", "!=", "~")
        if not sign:
            raise self.error("=, != or ~")
        value = self.value().lower()
        if sign == "~":
            return lambda error: value in field(error).lower()
        return lambda error: (field(error).lower() == value) == (sign == "=")

    def field(self) -> Callable[[LinkError], str]:
        if self.place >= len(self.tokens) or self.tokens[self.place][0] != "word":
            raise self.error("a field")
        name = self.tokens[self.place][1].lower()
        if name not in FIELDS:
            close = difflib.get_close_matches(name, FIELDS, 1)
            hint = f"; did you mean {close[0]}?" if close else f"; fields: {', '.join(FIELDS)}"
            raise RefereeError(f"filter '{self.text}': no field '{name}'{hint}")
        self.place += 1
        return FIELDS[name]

    def value(self) -> str:
        if self.place >= len(self.tokens) or self.tokens[self.place][0] == "sign":
            raise self.error("a value")
        kind, text = self.tokens[self.place]
        self.place += 1
        return text[1:-1] if kind == "quoted" else text
