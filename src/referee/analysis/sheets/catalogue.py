"""All tables by name, and those that a study can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.analysis.link_errors import SIDES
from referee.analysis.sheets.each_system import (
    name_noun_precision,
    name_noun_recall,
    precision_matrix,
    pronouns,
    recall_matrix,
    recall_totals,
    transformation_counts,
    transformation_gains,
)
from referee.analysis.sheets.shared import (
    anaphor_heads,
    combinations,
    entity_types,
    knowledge_hints,
    lexical_overlap,
    recovered_links,
)
from referee.analysis.sheets.sheet import CATEGORIES, Sheet
from referee.analysis.study import Study, SystemErrors
from referee.analysis.transformation_rules import REFEREE

Sheets = Callable[[Study], list[Sheet]]


def _alone(sheet: Callable[[Study], Sheet]) -> Sheets:
    return lambda study: [sheet(study)]


def _each(sheet: Callable[[Study, SystemErrors], Sheet]) -> Sheets:
    return lambda study: [sheet(study, system) for system in study.systems]


TABLES: dict[str, Sheets] = {
    "recall": _each(recall_matrix),
    "totals": _alone(recall_totals),
    "pronouns": _alone(pronouns),
    "precision": _each(precision_matrix),
    "transformations": _alone(transformation_counts),
    "gains": _each(transformation_gains),
    "name-noun": _alone(name_noun_recall),
    "name-noun-precision": _alone(name_noun_precision),
    "combinations": lambda study: [combinations(study, side) for side in SIDES],
    "recovered": lambda study: [recovered_links(study), recovered_links(study, None)],
    "entity-types": lambda study: [entity_types(study, category) for category in CATEGORIES[:2]],
    "overlap": _alone(lexical_overlap),
    "heads": _alone(anaphor_heads),
    "hints": _alone(knowledge_hints),
}
OF_EACH_SYSTEM = ("recall", "precision", "totals", "pronouns", "transformations", "gains")
OF_ALL_SYSTEMS = (
    "name-noun",
    "name-noun-precision",
    "combinations",
    "recovered",
    "entity-types",
    "overlap",
    "heads",
    "hints",
)
NEED_ALL_ERRORS = ("gains",)  # they score all mentions again: which errors count cannot be chosen
NEED_OWN_RULES = ("gains",)
NEED_TYPES = ("pronouns", "name-noun", "name-noun-precision", "entity-types", "overlap", "heads", "hints")


def make_sheets(study: Study, names: Sequence[str]) -> tuple[list[Sheet], list[str]]:
    """Make the tables of these names, what was selected in captions; and say which are left out, and why."""
    sheets: list[Sheet] = []
    left_out: dict[str, list[str]] = {}
    for name in names:
        if reason := _reason_against(study, name):
            left_out.setdefault(reason, []).append(name)
        else:
            sheets += TABLES[name](study)
    if study.selection:
        sheets = [replace(sheet, caption=f"{sheet.caption} {study.selection.words}") for sheet in sheets]
    return sheets, [f"left out: {', '.join(some)}: {reason}" for reason, some in left_out.items()]


def _reason_against(study: Study, name: str) -> str:
    if not study.typed and name in NEED_TYPES:
        return "mentions have no types"
    if study.selection and name in NEED_ALL_ERRORS:
        return "gains are computed from all errors, not from a selection"
    if study.classes != REFEREE and name in NEED_OWN_RULES:
        return f"they need classes='{REFEREE.name}'"
    return ""
