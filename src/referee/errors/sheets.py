"""The tables of Martschat & Strube (2014), and those of the transformation classes, as plain values.

A sheet holds numbers, not words: shares and gains know that they are such, and whoever prints them decides
how. The paper's table numbers are given with each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.errors.link_errors import PRECISION, RECALL, SIDES, LinkError
from referee.errors.shared_errors import common_errors, recovered, with_boundaries
from referee.errors.study import Study, SystemErrors
from referee.errors.transformations import CLASSES, count_transformations, gains
from referee.language.hints import HINTS, NEED_WORDNET, hints
from referee.language.mention_types import NAME, NOUN, PRONOUN
from referee.language.overlap import ACRONYM, NONE, OVERLAPS, is_indefinite, overlap
from referee.language.wordnet import installed
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS, DEFAULT_METRICS

CATEGORIES = ((NAME, NAME), (NOUN, NAME), (NAME, NOUN), (NOUN, NOUN))  # as the paper orders them
MOST_FREQUENT = 10  # heads that are listed
SHOWN_ENTITY_TYPES = 5


class Share(float):
    """A part of a whole, between 0 and 1."""


class Gain(float):
    """A difference between two scores, between −1 and 1."""


Value = str | int | Share | Gain | None  # None is an empty cell
Head = str | tuple[str, str]  # a column's title, or its group and its title


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of values; the first columns, as many as `words`, are words."""

    name: str
    caption: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[Value]]
    words: int = 1
    notes: Sequence[str] = ()
    grouped: bool = False  # rows that share their first word belong together


def share(part: int, whole: int) -> Share | None:
    """Divide, unless there is nothing to divide by."""
    return Share(part / whole) if whole else None


def recall_matrix(study: Study, system: SystemErrors) -> Sheet:
    """Recall errors by the types of anaphor and antecedent, against the most possible (Table 2)."""
    lines = {"errors": _types(system.recall), "maximum": study.possible}
    caption = f"Recall errors of {system.name}: {len(system.recall)} of {len(study.maximum)} possible."
    return _matrix("recall", caption, study.types, lines, _tree_note(study))


def precision_matrix(study: Study, system: SystemErrors) -> Sheet:
    """Precision errors by the types of anaphor and antecedent, against all decisions of the system."""
    lines = {"errors": _types(system.precision), "decisions": system.decisions}
    made = sum(system.decisions.values())
    caption = f"Precision errors of {system.name}: {len(system.precision)} of {made} decisions."
    if not system.decisions:  # not known for some of the errors only
        del lines["decisions"]
        caption = f"Precision errors of {system.name}: {len(system.precision)}."
    return _matrix("precision", caption, study.types, lines, _source_note([system]))


def _types(errors: Iterable[LinkError]) -> Mapping[tuple[str, str], int]:
    return Counter(error.types for error in errors)


def _matrix(
    name: str,
    caption: str,
    types: Sequence[str],
    lines: Mapping[str, Mapping[tuple[str, str], int]],
    note: str,
) -> Sheet:
    rows: list[list[Value]] = []
    for anaphor in types:
        for label, counts in lines.items():
            cells = [counts.get((anaphor, antecedent), 0) for antecedent in types]
            rows.append([anaphor, label, *cells, sum(cells)])
    heads: list[Head] = ["Anaphor", "", *(("Antecedent", kind) for kind in types), "all"]
    return Sheet(name, caption, heads, rows, words=2, notes=[note], grouped=True)


def recall_totals(study: Study) -> Sheet:
    """Recall errors of all systems, and what part of them pronouns, names and nouns have (Table 3)."""
    rows: list[list[Value]] = []
    lists = [(system.name, system.recall) for system in study.systems]
    for name, errors in [*lists, ("(maximum)", study.maximum)]:
        pronouns = sum(error.anaphor.type == PRONOUN for error in errors)
        nominal = sum(error.types in CATEGORIES for error in errors)
        whole = len(errors) if study.typed else 0  # parts by type are not known of what has none
        of_maximum = share(len(errors), len(study.maximum))
        rows.append([name, len(errors), of_maximum, share(pronouns, whole), share(nominal, whole)])
    heads: list[Head] = [
        "System",
        "Errors",
        "of maximum",
        ("Proportion", "anaphor pronoun"),
        ("Proportion", "name/noun"),
    ]
    return Sheet("totals", "Recall errors.", heads, rows, notes=(_tree_note(study),))


def name_noun_recall(study: Study) -> Sheet:
    """Recall errors between names and nouns: of each system, and those of all (Table 4)."""
    common = common_errors(study, RECALL)
    rows: list[list[Value]] = [[s.name, *_by_category(s.recall)] for s in study.systems]
    if len(study.systems) > 1:
        rows.append(["(common errors)", *_by_category(common)])
        found = with_boundaries(study, common, study.systems)
        rows.append(["(of these, boundaries found)", *_by_category(found)])
        for left_out in study.systems:
            others = [system for system in study.systems if system is not left_out]
            rows.append(
                [f"(excluding {left_out.name})", *_by_category(with_boundaries(study, common, others))]
            )
    heads = ["Anaphor-antecedent", *map("-".join, CATEGORIES)]
    return Sheet(
        "name-noun", "Recall errors between names and nouns.", heads, rows, notes=(_tree_note(study),)
    )


def _by_category(errors: Iterable[LinkError]) -> list[int]:
    counts = _types(errors)
    return [counts[category] for category in CATEGORIES]


def entity_types(study: Study, category: tuple[str, str]) -> Sheet:
    """Entity types of antecedents, in errors that all systems make and in all possible ones (Tables 5, 7)."""
    columns = []
    known = any("entity" in document.layers for document in study.documents)
    for errors in (common_errors(study, RECALL), study.maximum) if known else ((), ()):
        counts = Counter(e.antecedent.entity_type or "NONE" for e in errors if e.types == category)
        whole = sum(counts.values())
        columns.append(
            [(kind, share(count, whole)) for kind, count in counts.most_common(SHOWN_ENTITY_TYPES)]
        )
    rows: list[list[Value]] = [
        [cell for column in columns for cell in (column[place] if place < len(column) else ("", ""))]
        for place in range(max(map(len, columns)))
    ]
    heads = [("Common", "type"), ("Common", "%"), ("All", "type"), ("All", "%")]
    name = "-".join(category)
    notes = () if known else ("No document has an entity layer.",)
    return Sheet(f"entity-types {name}", f"Entity types of {name} recall errors.", heads, rows, notes=notes)


def lexical_overlap(study: Study) -> Sheet:
    """Common name and noun errors by what the two mentions share as strings (§5.4.1)."""
    common = common_errors(study, RECALL)
    counts = Counter((error.types, overlap(*error.link)) for error in common if error.types in CATEGORIES)
    rows: list[list[Value]] = [
        [kind, *(counts[category, kind] for category in CATEGORIES)] for kind in OVERLAPS
    ]
    indefinite = Counter(error.types for error in common if is_indefinite(error.anaphor))
    rows.append(["(indefinite anaphor)", *(indefinite[category] for category in CATEGORIES)])
    heads = ["Overlap", *map("-".join, CATEGORIES)]
    return Sheet("overlap", f"{_whose(study)} recall errors by lexical overlap.", heads, rows)


def anaphor_heads(study: Study, category: tuple[str, str] = (NOUN, NAME)) -> Sheet:
    """The most frequent heads of anaphors among common errors, by default of noun-name ones (§5.4.1)."""
    errors = [error for error in common_errors(study, RECALL) if error.types == category]
    counts = Counter(error.anaphor.head_word for error in errors)
    rows: list[list[Value]] = [
        [head, n, share(n, len(errors))] for head, n in counts.most_common(MOST_FREQUENT)
    ]
    once = sum(n == 1 for n in counts.values())
    contained = sum(overlap(*error.link) != NONE for error in errors)
    notes = (
        f"Different heads: {len(counts)} in {len(errors)} errors, {once} of them once.",
        f"With some lexical overlap: {contained}.",
    )
    name = "-".join(category)
    caption = f"{_whose(study)} {name} recall errors by the anaphor's head."
    return Sheet(f"heads {name}", caption, ["Head", "Errors", "%"], rows, notes=notes)


def recovered_links(study: Study, category: tuple[str, str] | None = (NOUN, NAME)) -> Sheet:
    """Errors of the system in the row whose mentions are together in the system of the column (Table 8)."""
    rows: list[list[Value]] = []
    for system in study.systems:
        missed = [error for error in system.recall if category is None or error.types == category]
        rows.append(
            [
                system.name,
                *(None if by is system else len(recovered(study, missed, by)) for by in study.systems),
            ]
        )
    of = "All recall errors" if category is None else f"{'-'.join(category).capitalize()} recall errors"
    caption = f"{of} of the system in the row that the one in the column recovers."
    name = "recovered" if category is None else f"recovered {'-'.join(category)}"
    return Sheet(name, caption, ["System", *(("Recovered by", s.name) for s in study.systems)], rows)


def name_noun_precision(study: Study) -> Sheet:
    """Precision errors between names and nouns, and their part of all decisions there (Table 9)."""
    rows: list[list[Value]] = []
    for system in study.systems:
        counts = Counter(error.types for error in system.precision)
        row: list[Value] = [system.name]
        for category in CATEGORIES:
            row += [counts[category], share(counts[category], system.decisions.get(category, 0))]
        decisions = sum(system.decisions.values())
        rows.append([*row, len(system.precision), share(len(system.precision), decisions)])
    if len(study.systems) > 1:
        common = common_errors(study, PRECISION)
        cells = [cell for count in _by_category(common) for cell in (count, None)]
        rows.append(["(common errors)", *cells, len(common), None])
    groups = [*map("-".join, CATEGORIES), "all"]
    heads: list[Head] = [
        "Anaphor-antecedent",
        *((group, title) for group in groups for title in ("errors", "%")),
    ]
    notes = [_source_note(study.systems), "% is of all decisions of the system there."]
    caption = "Precision errors between names and nouns."
    return Sheet("name-noun-precision", caption, heads, rows, notes=notes)


def _source_note(systems: Iterable[SystemErrors]) -> str:
    own = "the systems' own antecedents"
    sources = (
        own if s.precision_from == "antecedents" else f"the tree '{s.precision_from}'" for s in systems
    )
    return f"Links chosen by {' and '.join(dict.fromkeys(sources))}."


def pronouns(study: Study) -> Sheet:
    """Recall errors of pronouns by their kind: personal, possessive, reflexive."""
    most = Counter(error.anaphor.pronoun for error in study.maximum)
    kinds = [kind for kind in ("personal", "possessive", "reflexive", "other") if most[kind]]
    rows: list[list[Value]] = []
    for name, errors in [*((s.name, s.recall) for s in study.systems), ("(maximum)", study.maximum)]:
        counts = Counter(error.anaphor.pronoun for error in errors)
        row: list[Value] = [name]
        for kind in kinds:
            row += [counts[kind], share(counts[kind], most[kind])]
        rows.append(row)
    heads: list[Head] = ["System", *((kind, title) for kind in kinds for title in ("errors", "%"))]
    return Sheet(
        "pronouns", "Recall errors of anaphoric pronouns.", heads, rows, notes=("% is of the maximum.",)
    )


def combinations(study: Study, side: str) -> Sheet:
    """Count the errors that each set of systems makes, and no other: together they are all errors."""
    shared = study.shared[side]
    names = [system.name for system in study.systems]
    sets = sorted(shared, key=lambda systems: (-len(shared[systems]), systems))
    rows = [[*("x" if name in made_by else "" for name in names), len(shared[made_by])] for made_by in sets]
    total: list[Value] = [len(system.errors(side)) for system in study.systems]
    rows.append([*map(str, total), sum(map(len, shared.values()))])
    notes = ("x: the system makes these errors. The last row counts the errors of each system, and of any.",)
    caption = f"{side.capitalize()} errors by the systems that make them."
    return Sheet(f"combinations {side}", caption, [*names, "Errors"], rows, words=len(names), notes=notes)


def transformation_counts(study: Study) -> Sheet:
    """Count the steps that turn each response into the key, by class."""
    rows: list[list[Value]] = []
    for system in study.systems:
        counts = count_transformations(study, system)
        rows.append([system.name, *counts.values(), sum(counts.values())])
    return Sheet(
        "transformations", "Steps that turn the response into the key.", ["System", *CLASSES, "all"], rows
    )


def transformation_gains(
    study: Study, system: SystemErrors, metrics: Sequence[str] = DEFAULT_METRICS
) -> Sheet:
    """What each metric's F1 would gain if one class of errors were corrected, and no other."""
    results = gains(study, system, metrics)
    plain = results.pop("")
    conll = set(CONLL_METRICS) <= set(metrics)
    rows: list[list[Value]] = []
    for kind, result in results.items():
        row: list[Value] = [kind, *(Gain(result.scores[m].f1 - plain.scores[m].f1) for m in metrics)]
        rows.append([*row, *([Gain(result.conll - plain.conll)] if conll else [])])
    heads = ["Corrected", *(CATALOGUE[metric].label for metric in metrics), *(["CoNLL"] * conll)]
    return Sheet(
        f"gains {system.name}",
        f"F1 points that {system.name} would gain from correcting one class.",
        heads,
        rows,
    )


def knowledge_hints(study: Study) -> Sheet:
    """Common name and noun errors by what knowledge would have helped (after Table 6)."""
    nominal = [error for error in common_errors(study, RECALL) if error.types in CATEGORIES]
    common = [error for error in nominal if overlap(*error.link) in (ACRONYM, NONE)]
    given = [(error.types, hints(*error.link)) for error in common]
    counts = Counter((types, hint) for types, found in given for hint in found or ("(none)",))
    rows: list[list[Value]]
    rows = [[hint, *(counts[category, hint] for category in CATEGORIES)] for hint in (*HINTS, "(none)")]
    notes = ["An error may have several hints."]
    if not installed():
        notes.append(f"Without WordNet (extra 'wordnet'), {', '.join(NEED_WORDNET)} cannot be told.")
    heads = ["Hint", *map("-".join, CATEGORIES)]
    return Sheet(
        "hints",
        f"{_whose(study)} recall errors without a common word by missing knowledge.",
        heads,
        rows,
        notes=notes,
    )


def _whose(study: Study) -> str:
    return "Common" if len(study.systems) > 1 else study.systems[0].name


def _tree_note(study: Study) -> str:
    return f"Links chosen by the tree '{study.tree}'."


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
NEED_TYPES = ("pronouns", "name-noun", "name-noun-precision", "entity-types", "overlap", "heads", "hints")
