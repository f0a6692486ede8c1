"""Looks at some errors only: those that fulfil a condition, or that one system makes and another does not.

The study that comes out says in `selection` what was chosen, and everything made of it repeats that.

A condition is written in words, `anaphor=noun and antecedent=name`:

    condition   FIELD = VALUE, FIELD != VALUE, FIELD ~ VALUE (contains); case is ignored
    together    and, or, not, and brackets; `and` binds closer than `or`
    values      a word, or anything in quotes

It is parsed, never run: nothing but the fields below can be asked for. It becomes a plain value, which
pickles; `Condition.check` refuses values that a field cannot have.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from referee.analysis.link_errors import SIDES, LinkError
from referee.analysis.listing import with_causes
from referee.analysis.study import Selection, Study
from referee.analysis.transformation_rules import CAUSES
from referee.exceptions import SettingError
from referee.language.mention_types import OTHER_PRONOUN, PERSONAL, POSSESSIVE, REFLEXIVE, TYPES, Described

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
    "label": lambda error: error.label or "none",
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
        """Whether an error fulfils it."""
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
                raise SettingError(
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
                raise SettingError(f"filter '{text}': cannot read '{text[offset:].strip()}'")
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            offset = token.end()

    def error(self, wanted: str) -> SettingError:
        """Say what was expected and what is there."""
        there = f"'{self.tokens[self.position][1]}'" if self.position < len(self.tokens) else "the end"
        return SettingError(f"filter '{self.text}': expected {wanted}, found {there}")

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
            raise SettingError(f"filter '{self.text}': no field '{name}'{hint}")
        self.position += 1
        return name

    def value(self) -> str:
        if self.position >= len(self.tokens) or self.tokens[self.position][0] == "sign":
            raise self.error("a value")
        kind, text = self.tokens[self.position]
        self.position += 1
        return text[1:-1] if kind == "quoted" else text


NONE = "none"  # what conditions call the entity type and the kind of pronoun of mentions without one


def select(
    study: Study,
    condition: str | Condition | None = None,
    *,
    made_by: Sequence[str] = (),
    not_made_by: Sequence[str] = (),
) -> Study:
    """Keep the errors that fulfil a condition, that all systems of `made_by` make and none of `not_made_by`.

    With `made_by` alone, no other system makes them. Errors that are possible stay if a system could make
    them in this way. What part of the systems' decisions the errors are is not known any more.
    """
    condition = parse_filter(condition) if isinstance(condition, str) else condition
    if condition:
        condition.check(field_values(study))
    if not (condition or made_by or not_made_by):
        return study
    chosen = _of_makers(study, made_by, not_made_by) if made_by or not_made_by else study
    if condition:
        chosen = _where(with_causes(chosen) if "class" in condition.fields else chosen, condition)
    return replace(
        chosen,
        systems=[replace(system, decisions={}) for system in chosen.systems],
        selection=Selection(
            condition.text if condition else "",
            tuple(made_by),
            tuple(not_made_by),
            condition.fields if condition else frozenset(),
        ),
    )


def _where(study: Study, condition: Condition) -> Study:
    systems = [s.name for s in study.systems] if "system" in condition.fields else [""]
    causes = study.causes if "class" in condition.fields else [""]

    def could_be(error: LinkError) -> bool:
        """Whether a system could make this error; a possible error has no system and no cause yet."""
        ways = product(systems, causes)
        return any(condition(replace(error, system=system, cause=cause)) for system, cause in ways)

    return replace(_keeping(study, condition), maximum=[error for error in study.maximum if could_be(error)])


def _keeping(study: Study, wanted: Callable[[LinkError], bool]) -> Study:
    systems = [
        replace(
            system,
            recall=tuple(error for error in system.recall if wanted(error)),
            precision=tuple(error for error in system.precision if wanted(error)),
        )
        for system in study.systems
    ]
    return replace(study, systems=systems)


def _of_makers(study: Study, made_by: Sequence[str], not_made_by: Sequence[str]) -> Study:
    """Keep the errors that all systems of `made_by` make and none of `not_made_by`, in the other systems."""
    names = [system.name for system in study.systems]
    for name in (*made_by, *not_made_by):
        if name not in names:
            close = difflib.get_close_matches(name, names, 1)
            hint = f"did you mean {close[0]}?" if close else f"systems: {', '.join(names)}"
            raise SettingError(f"no system '{name}'; {hint}")
    if both := set(made_by) & set(not_made_by):
        raise SettingError(f"errors that '{sorted(both)[0]}' makes and does not make: there are none")
    others = not_made_by or [name for name in names if name not in made_by]
    makers = {id(error): made for error, made in _makers(study)}
    makers_left = [
        system for system in study.systems if system.name in (made_by or set(names) - set(not_made_by))
    ]

    def wanted(error: LinkError) -> bool:
        made = makers[id(error)]
        return made.issuperset(made_by) and made.isdisjoint(others)

    return _keeping(replace(study, systems=makers_left), wanted)


def _makers(study: Study) -> Iterator[tuple[LinkError, set[str]]]:
    """Say of each error which systems make it; a link that is wrong twice in a system is two errors."""
    for side in SIDES:
        counts = {system.name: Counter(e.link for e in system.errors(side)) for system in study.systems}
        for system in study.systems:
            before: Counter[tuple[Described, Described]] = Counter()
            for error in system.errors(side):
                before[error.link] += 1
                times = before[error.link]
                yield error, {name for name, made in counts.items() if made[error.link] >= times}


def field_values(study: Study) -> Mapping[str, Sequence[str]]:
    """List the values of the fields that have a few only; other fields hold any text."""
    mentions = [*study.mentions, *(mention for system in study.systems for mention in system.mentions)]
    types = {mention.type for mention in mentions}
    usual = [kind for kind in TYPES if types.intersection(TYPES)]  # a user's own types replace these
    kinds = [*usual, *sorted(types.difference(usual))]
    entities = [*sorted({mention.entity_type for mention in mentions} - {""}), NONE]
    pronouns = [PERSONAL, POSSESSIVE, REFLEXIVE, OTHER_PRONOUN, NONE]
    mention_fields = {"": kinds, ".entity": entities, ".pronoun": pronouns}
    return {
        **{f"{role}{name}": v for role in ("anaphor", "antecedent") for name, v in mention_fields.items()},
        "class": [*study.causes, *(CAUSES if study.spanning_tree else ())],
        "label": [*sorted({e.label for s in study.systems for e in (*s.recall, *s.precision)} - {""}), NONE],
        "side": SIDES,
        "system": [system.name for system in study.systems],
        "document": [document.id for document in study.documents],
    }
