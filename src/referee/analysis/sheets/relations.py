"""Tables of bridging, and of expressions that refer to nothing: what is right, and what is wrong how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referee.analysis.link_errors import PRECISION, RECALL, SIDES, LinkError
from referee.analysis.relation_links import CAUSES_OF_SIDE
from referee.analysis.sheets.breakdown import errors_by
from referee.analysis.sheets.sheet import SYSTEM, Head, Sheet, Value
from referee.analysis.study import Study
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


def anaphor_types(study: Study) -> Sheet:
    """Count the errors by the type of their anaphor, or of the expression."""
    sheet = errors_by(study, "anaphor type", lambda error: error.anaphor.type, TYPES)
    return replace(sheet, name="anaphors")
