"""Tables of each system's errors: wrong links, and steps from response to key.

Those of links are Martschat & Strube's (2014), each with its number in the paper; those of steps, and of what
correcting them is worth, follow Kummerfeld & Klein (2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from referee.analysis.link_errors import PRECISION, RECALL, LinkError
from referee.analysis.shared_errors import common_errors, with_boundaries
from referee.analysis.sheets.sheet import (
    CATEGORIES,
    SYSTEM,
    Gain,
    Head,
    Sheet,
    Value,
    share,
    source_note,
    tree_note,
)
from referee.analysis.study import Study, SystemErrors
from referee.analysis.transformation_rules import REFEREE
from referee.analysis.transformations import CLASSES, count_transformations, gains
from referee.display import number_of
from referee.language.mention_types import PRONOUN
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS, DEFAULT_METRICS

NEGATIVE = (
    "A gain can be negative: each class is corrected alone. Merging a divided entity also merges the wrong "
    "mentions in its parts, and splitting conflated entities leaves parts that CEAF counts as more entities."
)


def recall_matrix(study: Study, system: SystemErrors) -> Sheet:
    """Recall errors by the types of anaphor and antecedent, against the most possible (Table 2)."""
    lines = {"errors": _types(system.recall), "maximum": study.possible}
    caption = f"Recall errors of {system.name}: {len(system.recall)} of {len(study.maximum)} possible."
    return _matrix("recall", caption, system.name, study.types, lines, tree_note(study))


def precision_matrix(study: Study, system: SystemErrors) -> Sheet:
    """Precision errors by the types of anaphor and antecedent, against all decisions of the system."""
    lines = {"errors": _types(system.precision), "decisions": system.decisions}
    made = sum(system.decisions.values())
    caption = f"Precision errors of {system.name}: {len(system.precision)} of {number_of(made, 'decision')}."
    if not system.decisions:  # not known for some of the errors only
        del lines["decisions"]
        caption = f"Precision errors of {system.name}: {len(system.precision)}."
    return _matrix("precision", caption, system.name, study.types, lines, source_note([system]))


def _types(errors: Iterable[LinkError]) -> Mapping[tuple[str, str], int]:
    return Counter(error.types for error in errors)


def _matrix(
    name: str,
    caption: str,
    system: str,
    types: Sequence[str],
    lines: Mapping[str, Mapping[tuple[str, str], int]],
    note: str,
) -> Sheet:
    rows: list[list[Value]] = []
    for anaphor in types:
        for label, counts in lines.items():
            cells = [counts.get((anaphor, antecedent), 0) for antecedent in types]
            rows.append([system, anaphor, label, *cells, sum(cells)])
    heads: list[Head] = [SYSTEM, "Anaphor", "", *(("Antecedent", kind) for kind in types), "all"]
    return Sheet(name, caption, heads, rows, words=3, notes=[note], grouped=True)


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
        SYSTEM,
        "Errors",
        "of maximum",
        ("Proportion", "anaphor pronoun"),
        ("Proportion", "name/noun"),
    ]
    return Sheet("totals", "Recall errors.", heads, rows, notes=(tree_note(study),))


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
    heads: list[Head] = [SYSTEM, *((kind, title) for kind in kinds for title in ("errors", "%"))]
    return Sheet(
        "pronouns", "Recall errors of anaphoric pronouns.", heads, rows, notes=("% is of the maximum.",)
    )


def name_noun_recall(study: Study) -> Sheet:
    """Recall errors between names and nouns: of each system, and those of all (Table 4)."""
    common = common_errors(study, RECALL)
    rows: list[list[Value]] = [[s.name, *by_category(s.recall)] for s in study.systems]
    if len(study.systems) > 1:
        rows.append(["(common errors)", *by_category(common)])
        bounded = with_boundaries(study, common, study.systems)
        rows.append(["(of these, boundaries found)", *by_category(bounded)])
        for left_out in study.systems:
            others = [system for system in study.systems if system is not left_out]
            rows.append(
                [f"(excluding {left_out.name})", *by_category(with_boundaries(study, common, others))]
            )
    heads: list[Head] = [SYSTEM, *map("-".join, CATEGORIES)]
    return Sheet(
        "name-noun", "Recall errors between names and nouns.", heads, rows, notes=(tree_note(study),)
    )


def by_category(errors: Iterable[LinkError]) -> list[int]:
    """Count errors between names and nouns, by the types of their mentions."""
    counts = _types(errors)
    return [counts[category] for category in CATEGORIES]


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
        cells = [cell for count in by_category(common) for cell in (count, None)]
        rows.append(["(common errors)", *cells, len(common), None])
    groups = [*map("-".join, CATEGORIES), "all"]
    heads: list[Head] = [
        SYSTEM,
        *((group, title) for group in groups for title in ("errors", "%")),
    ]
    notes = [source_note(study.systems), "% is of all decisions of the system there."]
    caption = "Precision errors between names and nouns."
    return Sheet("name-noun-precision", caption, heads, rows, notes=notes)


def transformation_counts(study: Study) -> Sheet:
    """Count the steps that turn each response into the key, by class."""
    rows: list[list[Value]] = []
    for system in study.systems:
        counts = count_transformations(study, system)
        rows.append([system.name, *counts.values(), sum(counts.values())])
    by = "" if study.classes == REFEREE else f", by the rules '{study.classes.name}'"
    caption = f"Steps that turn the response into the key{by}."
    return Sheet("transformations", caption, [SYSTEM, *CLASSES, "all"], rows)


def transformation_gains(
    study: Study, system: SystemErrors, metrics: Sequence[str] = DEFAULT_METRICS
) -> Sheet:
    """What each metric's F1 would gain if one class of errors were corrected, and no other."""
    results = gains(study, system, metrics)
    plain = results.pop("")
    conll = set(CONLL_METRICS) <= set(metrics)
    rows: list[list[Value]] = []
    for kind, result in results.items():
        row: list[Value] = [
            system.name,
            kind,
            *(Gain(result.scores[m].f1 - plain.scores[m].f1) for m in metrics),
        ]
        rows.append([*row, *([Gain(result.conll - plain.conll)] if conll else [])])
    heads = [SYSTEM, "Corrected", *(CATALOGUE[metric].label for metric in metrics), *(["CoNLL"] * conll)]
    return Sheet(
        f"gains {system.name}",
        f"F1 points that {system.name} would gain from correcting one class.",
        heads,
        rows,
        words=2,
        notes=[NEGATIVE] * any(isinstance(value, Gain) and value < 0 for row in rows for value in row),
        grouped=True,
    )
