"""Chooses errors by a condition in words: `anaphor=noun and antecedent=name`.

    condition   FIELD = VALUE, FIELD != VALUE, FIELD ~ VALUE (contains); case is ignored
    together    and, or, not, and brackets; `and` binds closer than `or`
    values      a word, or anything in quotes

It is parsed, never run: nothing but the fields below can be asked for. A condition is a plain value, which
pickles; `Condition.check` refuses values that a field cannot have.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from referee.errors.link_errors import LinkError
from referee.errors.step_classes import CAUSES
from referee.exceptions import RefereeError

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
    "class": lambda error: error.cause,
    "side": lambda error: error.side,
    "system": lambda error: error.system,
    "document": lambda error: error.document,
}
TOKEN = re.compile(r"""\s*(?:(?P<quoted>"[^"]*"|'[^']*')|(?P<sign>!=|[=~()])|(?P<word>[^\s=~!()"']+))""")
SHOWN_VALUES = 20  # that a message lists


@dataclass(frozen=True, slots=True)
class _Test:
    """One field against one value."""

    field: str
    sign: str
    value: str

    def __call__(self, error: LinkError) -> bool:
        value = FIELDS[self.field](error).lower()
        if self.sign == "~":
            return self.value in value
        return (value == self._wanted) == (self.sign == "=")

    @property
    def _wanted(self) -> str:
        """The value; the name of a step's class means the links that such a step corrects."""
        return CAUSES.get(self.value, self.value) if self.field == "class" else self.value

    def tests(self) -> Iterator[_Test]:
        yield self


@dataclass(frozen=True, slots=True)
class _Not:
    part: _Part

    def __call__(self, error: LinkError) -> bool:
        return not self.part(error)

    def tests(self) -> Iterator[_Test]:
        yield from self.part.tests()


@dataclass(frozen=True, slots=True)
class _Several:
    parts: Sequence[_Part]
    every: bool  # whether all must hold, or one

    def __call__(self, error: LinkError) -> bool:
        held = (part(error) for part in self.parts)
        return all(held) if self.every else any(held)

    def tests(self) -> Iterator[_Test]:
        for part in self.parts:
            yield from part.tests()


_Part = _Test | _Not | _Several


@dataclass(frozen=True)
class Condition:
    """A condition on errors, and the words that it was given in."""

    text: str
    root: _Part

    def __call__(self, error: LinkError) -> bool:
        """Tell whether an error fulfils it."""
        return self.root(error)

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields that it asks for."""
        return frozenset(test.field for test in self.root.tests())

    def check(self, values: Mapping[str, Sequence[str]]) -> None:
        """Refuse a value that a field of these cannot have; other fields take any text."""
        for test in self.root.tests():
            known = values.get(test.field, ())
            spelled = {value.lower(): value for value in known}
            if known and test.sign != "~" and test.value not in spelled:
                close = difflib.get_close_matches(test.value, spelled, 1)
                hint = f"did you mean {spelled[close[0]]}? " if close else ""
                more = f", … ({len(known)} in all)" if len(known) > SHOWN_VALUES else ""
                raise RefereeError(
                    f"filter '{self.text}': {test.field} is never '{test.value}'; {hint}it is one of "
                    f"{', '.join(known[:SHOWN_VALUES])}{more}"
                )


def parse_filter(text: str) -> Condition:
    """Read a condition on errors."""
    parser = _Parser(text)
    root = parser.alternatives()
    if parser.position < len(parser.tokens):
        raise parser.error("'and', 'or' or the end")
    return Condition(text, root)


class _Parser:
    """Reads a condition from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str]] = []  # kind, text
        self.position = offset = 0
        while text[offset:].strip():
            token = TOKEN.match(text, offset)
            if not token or token.lastgroup is None:
                raise RefereeError(f"filter '{text}': cannot read '{text[offset:].strip()}'")
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            offset = token.end()

    def error(self, wanted: str) -> RefereeError:
        """Say what was expected and what is there."""
        there = f"'{self.tokens[self.position][1]}'" if self.position < len(self.tokens) else "the end"
        return RefereeError(f"filter '{self.text}': expected {wanted}, found {there}")

    def takes(self, *texts: str) -> str | None:
        """Step over one of some words or signs, if it is next."""
        if self.position < len(self.tokens):
            kind, text = self.tokens[self.position]
            if kind != "quoted" and text.lower() in texts:
                self.position += 1
                return text.lower()
        return None

    def alternatives(self) -> _Part:
        parts = [self.conditions()]
        while self.takes("or"):
            parts.append(self.conditions())
        return parts[0] if len(parts) == 1 else _Several(tuple(parts), every=False)

    def conditions(self) -> _Part:
        parts = [self.condition()]
        while self.takes("and"):
            parts.append(self.condition())
        return parts[0] if len(parts) == 1 else _Several(tuple(parts), every=True)

    def condition(self) -> _Part:
        if self.takes("not"):
            return _Not(self.condition())
        if self.takes("("):
            inside = self.alternatives()
            if not self.takes(")"):
                raise self.error("')'")
            return inside
        return self.test()

    def test(self) -> _Part:
        field = self.field()
        sign = self.takes("=", "!=", "~")
        if not sign:
            raise self.error("=, != or ~")
        return _Test(field, sign, self.value().lower())

    def field(self) -> str:
        if self.position >= len(self.tokens) or self.tokens[self.position][0] != "word":
            raise self.error("a field")
        name = self.tokens[self.position][1].lower()
        if name not in FIELDS:
            close = difflib.get_close_matches(name, FIELDS, 1)
            hint = f"; did you mean {close[0]}?" if close else f"; fields: {', '.join(FIELDS)}"
            raise RefereeError(f"filter '{self.text}': no field '{name}'{hint}")
        self.position += 1
        return name

    def value(self) -> str:
        if self.position >= len(self.tokens) or self.tokens[self.position][0] == "sign":
            raise self.error("a value")
        kind, text = self.tokens[self.position]
        self.position += 1
        return text[1:-1] if kind == "quoted" else text
