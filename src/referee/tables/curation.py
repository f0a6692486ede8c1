"""Shows what curating found: agreement, and the cases that are undecided."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat, zip_longest
from typing import Any

from referee.curation.cases import Case, counted
from referee.curation.curating import Curation, words_of
from referee.display import number_of
from referee.tables.agreement import agreement_data, agreement_table
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell
from referee.tables.table import Cell, Column, Table

NEAR = 4  # words shown on either side of a mention


def curation_output(made: Curation) -> Output:
    """Show agreement, what was merged, and the undecided cases."""
    return Output(lambda: _tables(made), lambda: curation_data(made), lambda: case_records(made))


def _tables(made: Curation) -> list[Table]:
    agreed = [] if made.agreement is None else [agreement_table(made.agreement)]
    cases = [case_table(made)] if made.cases else []
    return [*agreed, merged_table(made), *cases]


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


def curation_data(made: Curation) -> dict[str, Any]:
    """Give everything but the merged documents, which are a file of their own."""
    return {
        "annotators": list(made.annotators),
        "rule": made.rule.name,
        "trust": made.rule.trust,
        "documents": [_document_data(each) for each in made.documents],
        "agreement": None if made.agreement is None else agreement_data(made.agreement),
        "cases": [_case_data(case) for case in made.cases],
        "decisions": len(made.decisions),
        "notices": list(made.notices),
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
