"""Looks at some errors only: those that fulfil a condition, or that one system makes and another does not.

The study that comes out says in `selection` what was chosen, and everything made of it repeats that.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from referee.errors.filters import Condition, parse_filter
from referee.errors.link_causes import with_causes
from referee.errors.link_errors import SIDES, LinkError
from referee.errors.step_classes import CAUSES
from referee.errors.study import Selection, Study
from referee.exceptions import RefereeError
from referee.language.mention_types import (
    OTHER_PRONOUN,
    PERSONAL,
    POSSESSIVE,
    REFLEXIVE,
    TYPES,
    Described,
)

NONE = "none"  # what conditions call the entity type and the kind of pronoun of mentions without one


def select(
    study: Study,
    condition: str | Condition | None = None,
    *,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
) -> Study:
    """Keep the errors that fulfil a condition, that all systems of `only` make and none of `without`.

    With `only` alone, no other system makes them. Errors that are possible are kept if a system could make
    them in this way. What part of the systems' decisions the errors are is not known any more.
    """
    condition = parse_filter(condition) if isinstance(condition, str) else condition
    if condition:
        condition.check(field_values(study))
    if not (condition or only or without):
        return study
    chosen = made_by(study, only, without) if only or without else study
    if condition:
        chosen = _where(with_causes(chosen) if "class" in condition.fields else chosen, condition)
    return replace(
        chosen,
        systems=[replace(system, decisions={}) for system in chosen.systems],
        selection=Selection(
            condition.text if condition else "",
            tuple(only),
            tuple(without),
            condition.fields if condition else frozenset(),
        ),
    )


def _where(study: Study, condition: Condition) -> Study:
    systems = [s.name for s in study.systems] if "system" in condition.fields else [""]
    causes = list(CAUSES.values()) if "class" in condition.fields else [""]

    def could_be(error: LinkError) -> bool:
        """A possible error is nobody's yet, and has no cause: any will do."""
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


def made_by(study: Study, only: Sequence[str], without: Sequence[str]) -> Study:
    """Keep the errors that all systems of `only` make and none of `without`, in the systems left over."""
    names = [system.name for system in study.systems]
    for name in (*only, *without):
        if name not in names:
            close = difflib.get_close_matches(name, names, 1)
            hint = f"did you mean {close[0]}?" if close else f"systems: {', '.join(names)}"
            raise RefereeError(f"no system '{name}'; {hint}")
    if both := set(only) & set(without):
        raise RefereeError(f"errors that '{sorted(both)[0]}' makes and does not make: there are none")
    others = without or [name for name in names if name not in only]
    makers = {id(error): made for error, made in _makers(study)}
    kept = [system for system in study.systems if system.name in (only or set(names) - set(without))]

    def wanted(error: LinkError) -> bool:
        made = makers[id(error)]
        return made.issuperset(only) and made.isdisjoint(others)

    return _keeping(replace(study, systems=kept), wanted)


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
        "class": [*CAUSES.values(), *CAUSES],
        "side": SIDES,
        "system": [system.name for system in study.systems],
        "document": [document.id for document in study.documents],
    }
