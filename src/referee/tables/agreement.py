"""Tables of agreement between annotators."""

from __future__ import annotations

from math import isnan
from typing import Any

from referee.comparing.annotators import Agreement
from referee.display import number_of
from referee.tables.comparison import UNKNOWN, label
from referee.tables.rendering import Output, Records
from referee.tables.scores import score_cell
from referee.tables.table import Cell, Column, Table

MEAN = "mean"


def agreement_table(measured: Agreement) -> Table:
    """Show each pair's F1 in each measure and in mentions, the mean, and α."""
    columns = [Column("Annotators", left=True)]
    columns += [Column(label(name), "" if name == "mentions" else "Chains") for name in measured.mean]
    rows = [
        [Cell(f"{a} – {b}"), *(score_cell(value) for value in scores.values())]
        for (a, b), scores in measured.pairs.items()
    ]
    if len(measured.pairs) > 1:
        rows.append([Cell(MEAN), *(score_cell(value) for value in measured.mean.values())])
    alpha, common = (UNKNOWN if isnan(a) else f"{a:.3f}" for a in (measured.alpha, measured.alpha_common))
    several = number_of(len(measured.documents), "document")
    notes = (
        "",
        f"Krippendorff's α over chains (Passonneau's distance): {alpha}; "
        f"reduced to the {number_of(measured.common_mentions, 'mention')} that all marked: {common}.",
        f"F1, symmetric; {len(measured.annotators)} annotators, {several}.",
        measured.signature,
    )
    return Table(columns, rows, "Agreement", notes)


def agreement_records(measured: Agreement) -> Records:
    """List a row for each pair and measure, the means, and α, unrounded."""
    rows: list[list[object]] = [
        [a, b, name, value] for (a, b), scores in measured.pairs.items() for name, value in scores.items()
    ]
    rows += [[MEAN, MEAN, name, value] for name, value in measured.mean.items()]
    rows += [["all", "all", "alpha", measured.alpha], ["all", "all", "alpha_common", measured.alpha_common]]
    return ["first", "second", "metric", "value"], rows


def agreement_data(measured: Agreement) -> dict[str, Any]:
    """Give everything; α is not a number if it is not defined."""
    return {
        "annotators": list(measured.annotators),
        "signature": measured.signature,
        "notices": list(dict.fromkeys(measured.notices)),
        "documents": list(measured.documents),
        "pairs": [{"annotators": names, "f1": dict(scores)} for names, scores in measured.pairs.items()],
        "mean": measured.mean,
        "alpha": measured.alpha,
        "alpha_common": measured.alpha_common,
        "common_mentions": measured.common_mentions,
    }


def agreement_output(measured: Agreement) -> Output:
    """Show agreement."""
    return Output(
        lambda: [agreement_table(measured)],
        lambda: agreement_data(measured),
        lambda: agreement_records(measured),
    )
