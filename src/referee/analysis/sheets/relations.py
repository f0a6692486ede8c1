"""Tables of bridging, and of expressions that refer to nothing: what is right, and what is wrong how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.analysis.link_errors import PRECISION, RECALL, SIDES, LinkError
from referee.analysis.relation_links import CAUSES_OF_SIDE, MENTION_WRONG
from referee.analysis.sheets.breakdown import errors_by
from referee.analysis.sheets.sheet import SYSTEM, Head, Sheet, Value
from referee.analysis.study import Study, SystemErrors
from referee.language.mention_types import TYPES

TITLES = {RECALL: "Key", PRECISION: "Response"}


def relation_counts(study: Study) -> Sheet:
    """Count the links of key and response, those that are right, and the others by what is wrong."""
    causes = CAUSES_OF_SIDE[study.protocol.layer]
    whole = not study.selection  # of some errors, it is not known what they are a part of
    rows: list[list[Value]] = []
    for system in study.systems:
        row: list[Value] = [system.name]
        for side, most in zip(SIDES, (len(study.maximum), sum(system.decisions.values())), strict=True):
            errors = system.errors(side)
            row += [most, most - len(errors)] * whole
            row += _by_cause(errors, causes[side])
        rows.append(row)
    titles = ["all", "right"] * whole
    heads: list[Head] = [
        SYSTEM, *((TITLES[side], title) for side in SIDES for title in (*titles, *causes[side]))
    ]  # fmt: skip
    what = "Bridging anaphors" if study.protocol.layer == "bridging" else "Expressions that refer to nothing"
    return Sheet("relations", f"{what}, and what is wrong with them.", heads, rows)


def _by_cause(errors: Sequence[LinkError], causes: Sequence[str]) -> list[Value]:
    counts = Counter(error.cause for error in errors)
    return [counts[cause] for cause in causes]


def relation_gains(study: Study, system: SystemErrors) -> dict[str, float]:
    """Say what F1 would gain if the errors of one cause were corrected: of anaphors with the right entity, or
    of expressions that refer to nothing.
    """
    causes = CAUSES_OF_SIDE[study.protocol.layer]
    missed, invented = (Counter(error.cause for error in system.errors(side)) for side in SIDES)
    key, response = len(study.maximum), sum(system.decisions.values())
    right = key - sum(count for cause, count in missed.items() if cause != MENTION_WRONG)

    def f1(right: int, response: int) -> float:
        return 2 * right / (key + response) if key + response else 0.0

    gains = {}
    for cause in dict.fromkeys(cause for side in SIDES for cause in causes[side]):
        found = 0 if cause == MENTION_WRONG else missed[cause]
        again = found if cause not in causes[PRECISION] else 0  # links that the response did not have
        fewer = invented[cause] if cause not in causes[RECALL] else 0
        gains[cause] = f1(right + found, response + again - fewer) - f1(right, response)
    return gains


def anaphor_types(study: Study) -> Sheet:
    """Count the errors by the type of their anaphor, or of the expression."""
    sheet = errors_by(study, "anaphor type", lambda error: error.anaphor.type, TYPES)
    return replace(sheet, name="anaphors")
