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
from referee.analysis.sheets.relations import anaphor_types, relation_counts
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
from referee.metrics.relations import BRIDGING, NON_REFERRING

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
    "relations": _alone(relation_counts),
    "anaphors": _alone(anaphor_types),
}
OF_EACH_SYSTEM = ("recall", "precision", "totals", "pronouns", "transformations", "gains")
OF_RELATIONS = {  # the tables of layers without clusters: of each system, then those that systems share
    BRIDGING: (
        ("relations", "anaphors", "recall", "precision"),
        ("combinations", "name-noun-precision", "entity-types", "overlap", "heads", "hints"),
    ),
    NON_REFERRING: (("relations", "anaphors", "pronouns"), ("combinations",)),
}
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
NEED_RELATIONS = ("relations", "anaphors")
NEED_TYPES = (
    "anaphors",
    "pronouns",
    "name-noun",
    "name-noun-precision",
    "entity-types",
    "overlap",
    "heads",
    "hints",
)


def usual_tables(study: Study, *, common: bool) -> Sequence[str]:
    """List the tables shown unless some are named: of each system, or of what systems share."""
    each, shared = OF_RELATIONS.get(study.protocol.layer, (OF_EACH_SYSTEM, OF_ALL_SYSTEMS))
    return shared if common else each


def all_tables(study: Study) -> Sequence[str]:
    """List the tables that the links of the study's layer can have."""
    of_layer = OF_RELATIONS.get(study.protocol.layer)
    if of_layer is None:
        return [name for name in TABLES if name not in NEED_RELATIONS]
    return [name for name in TABLES if any(name in names for names in of_layer)]


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
    layer = study.protocol.layer
    if name not in all_tables(study):
        if name in NEED_RELATIONS:
            return f"they need layer='{BRIDGING}' or '{NON_REFERRING}'"
        return f"layer='{layer}' does not have the links that they count"
    if not study.typed and name in NEED_TYPES:
        return "mentions have no types"
    if study.selection and name in NEED_ALL_ERRORS:
        return "gains are computed from all errors, not from a selection"
    if study.classes != REFEREE and name in NEED_OWN_RULES:
        return f"they need classes='{REFEREE.name}'"
    return ""
