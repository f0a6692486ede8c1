"""Shows what curating found: agreement, and the cases that are undecided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain, repeat, zip_longest
from math import isnan
from typing import Any

from referee.analysis.transformation_rules import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
)
from referee.curation.cases import Case, counted
from referee.curation.curating import Curation, words_of
from referee.curation.disagreements import KINDS, MERGED, Counts
from referee.curation.measuring import Measured, Measures
from referee.display import number_of
from referee.tables.agreement import agreement_data, agreement_table
from referee.tables.comparison import UNKNOWN, interval_words
from referee.tables.errors import error_records, error_table, error_value
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell, score_cell
from referee.tables.table import Cell, Column, Table

NEAR = 4  # words shown on either side of a mention
KIND_HEADS = {  # kind → the heading of its column, and the one above
    SPAN: ("Span", ""),
    CONFLATED: ("Conflated", ""),
    EXTRA_MENTION: ("mention", "Extra"),
    EXTRA_ENTITY: ("entity", "Extra"),
    MISSING_ENTITY: ("entity", "Missing"),
    MISSING_MENTION: ("mention", "Missing"),
    DIVIDED: ("Divided", ""),
}


def curation_output(made: Curation, *, listed: bool = False) -> Output:
    """Show agreement, disagreements (each with its context if `listed`), what was merged, and the cases."""
    return Output(
        lambda: _tables(made, listed=listed),
        lambda: curation_data(made, listed=listed),
        lambda: _error_records(made) if listed else case_records(made),
    )


def _tables(made: Curation, *, listed: bool) -> list[Table]:
    tables = [] if made.agreement is None else [agreement_table(made.agreement)]
    if made.measures is not None:
        tables += measure_tables(made.measures)
        tables.append(kind_table(made.kinds))
    if listed and made.agreement is not None:
        said = f"Annotators as responses, {MERGED} as key."
        tables.append(error_table(made.disagreements.list_errors(), in_context=True, said=said))
    tables.append(merged_table(made))
    return [*tables, case_table(made)] if made.cases else tables


def _error_records(made: Curation) -> Records:
    """List the disagreements with what was merged, a row each."""
    return error_records(made.disagreements.list_errors()) if made.agreement else ([], [])


def measure_tables(measures: Measures) -> list[Table]:
    """Show agreement by pair, annotator, type and document."""
    level = f"{100 * measures.level:g} % interval"
    pairs = [
        [Cell(f"{one} – {other}"), _cell(kappa), Cell(interval_words(measures.intervals[one, other]))]
        for (one, other), kappa in measures.kappas.items()
    ]
    notes = ("", f"κ over links, of all annotators: {_words(measures.kappa)}.")
    tables = [
        Table([Column("Annotators", left=True), Column("κ"), Column(level, "CoNLL")], pairs, "Pairs", notes)
    ]
    people = [
        [
            Cell(each.name),
            score_cell(each.mentions),
            score_cell(each.conll),
            _cell(each.kappa),
            _cell(each.alpha_without),
        ]
        for each in measures.annotators
    ]
    heads = [Column("Annotator", left=True), *map(Column, ("Mentions", "CoNLL", "κ", "α without"))]
    tables.append(Table(heads, people, "By annotator"))
    tables += [_parts("By type", "Type", measures.types)] if len(measures.types) > 1 else []
    return [*tables, _parts("By document", "Document", measures.documents)]


def _parts(caption: str, head: str, parts: Sequence[Measured]) -> Table:
    """Show agreement on parts; those that are not documents have no CoNLL average."""
    whole = any(not isnan(part.conll) for part in parts)
    titles = [("marked", "Mentions"), ("by all", "Mentions"), ("α", ""), ("κ", "")]
    columns = [Column(head, left=True), *(Column(*each) for each in titles)]
    rows = [
        [
            Cell(part.name),
            count_cell(part.marked),
            count_cell(part.common),
            _cell(part.alpha),
            _cell(part.kappa),
        ]
        for part in parts
    ]
    if whole:
        columns.append(Column("CoNLL"))
        rows = [[*row, score_cell(part.conll)] for row, part in zip(rows, parts, strict=True)]
    return Table(columns, rows, caption)


def _cell(value: float) -> Cell:
    return Cell(_words(value), value=value)


def _words(value: float) -> str:
    return UNKNOWN if isnan(value) else f"{value:.3f}"


def kind_table(kinds: Counts) -> Table:
    """Count disagreements by kind: the steps that make one annotation the other."""
    columns = [Column("From", left=True), Column("to", left=True)]
    columns += [Column(*KIND_HEADS[kind]) for kind in KINDS]
    rows = [
        [Cell(one), Cell(other), *(count_cell(counts[kind]) for kind in KINDS)]
        for (one, other), counts in kinds.items()
    ]
    return Table(columns, rows, "Disagreements by kind")


def merged_table(made: Curation) -> Table:
    """Count what each annotator marked, and what was merged."""
    columns = [Column("Annotation", left=True), *map(Column, ("Documents", "Entities", "Mentions"))]
    rows = []
    for name in made.annotators:
        own = [each.by[name] for each in made.texts if name in each.by]
        rows.append(_count_row(name, [document.clusters for document in own]))
    rows.append(_count_row("merged", [each.document.clusters for each in made.documents]))
    kinds = counted(made.cases)
    open_ = ", ".join(f"{kind} {count:,}" for kind, count in kinds.items() if count) or "none"
    said = f" and {made.rule.trust}" if made.rule.trust else ""
    notes = [
        "",
        f"Merged by {made.rule.name}{said}. Undecided: {open_}. "
        f"Decided by a person: {len(made.decisions):,}.",
    ]
    return Table(columns, rows, "Merged", notes)


def _count_row(name: str, documents: list[Any]) -> list[Cell]:
    clusters = [cluster for some in documents for cluster in some]
    mentions = sum(len(cluster.mentions) for cluster in clusters)
    return [Cell(name), *map(count_cell, (len(documents), len(clusters), mentions))]


def case_table(made: Curation) -> Table:
    """List the undecided cases: who says what, and a row for each part."""
    titles = ("Case", "Document", "Kind", "Answers", "Text")
    rows = []
    for number, case in enumerate(made.cases, start=1):
        about = [str(number), case.document, case.kind]
        answers = [f"{answer}: {', '.join(names)}" for answer, names in case.by_answer().items()]
        lines = zip_longest(answers, case.context(1, NEAR), fillvalue="")
        rows += [
            [Cell(each) for each in (*(about if first else ("", "", "")), *line)]
            for first, line in zip(chain([True], repeat(False)), lines, strict=False)
        ]
    return Table([Column(title, left=True) for title in titles], rows, _count(made.cases))


def _count(cases: Sequence[Case]) -> str:
    return number_of(len(cases), "undecided case")


def case_records(made: Curation) -> Records:
    """List the cases, a row each."""
    heads = ["document", "kind", "text", *made.annotators, "meanwhile", "words"]
    return heads, [
        [
            case.document, case.kind, "\n".join(case.context()),
            *(case.answers.get(name, "") for name in made.annotators), case.meanwhile,
            " | ".join(" ".join(words_of(mention.spans) for mention in part) for part in case.parts),
        ]
        for case in made.cases
    ]  # fmt: skip


def curation_data(made: Curation, *, listed: bool = False) -> dict[str, Any]:
    """Give everything but the merged documents, which are a file of their own."""
    errors = made.disagreements.list_errors() if listed and made.agreement else []
    value = {
        "annotators": list(made.annotators),
        "rule": made.rule.name,
        "trust": made.rule.trust,
        "documents": [_document_data(each) for each in made.documents],
        "agreement": None if made.agreement is None else agreement_data(made.agreement),
        "measures": None if made.measures is None else measures_data(made.measures),
        "kinds": [
            {"from": one, "to": other, "steps": dict(each)} for (one, other), each in made.kinds.items()
        ],
        "cases": [_case_data(case) for case in made.cases],
        "decisions": len(made.decisions),
        "notices": list(made.notices),
    }
    return value | ({"disagreements": [error_value(error) for error in errors]} if listed else {})


def measures_data(measures: Measures) -> dict[str, Any]:
    """Give agreement in detail; what is not defined is not a number."""
    return {
        "kappa": measures.kappa,
        "level": measures.level,
        "pairs": [
            {
                "annotators": pair,
                "kappa": kappa,
                "conll_interval": [measures.intervals[pair].low, measures.intervals[pair].high],
            }
            for pair, kappa in measures.kappas.items()
        ],
        "annotators": [asdict(each) for each in measures.annotators],
        "types": [asdict(each) for each in measures.types],
        "documents": [asdict(each) for each in measures.documents],
    }


def _document_data(merged: Any) -> dict[str, Any]:
    clusters = merged.document.clusters
    mentions = sum(len(cluster.mentions) for cluster in clusters)
    return {
        "id": merged.document.id,
        "entities": len(clusters),
        "mentions": mentions,
        "undecided": counted(merged.cases),
    }


def _case_data(case: Case) -> dict[str, Any]:
    return {
        "document": case.document,
        "kind": case.kind,
        "parts": [[[list(span) for span in mention.spans] for mention in part] for part in case.parts],
        "text": case.context(),
        "answers": dict(case.answers),
        "meanwhile": case.meanwhile,
    }
