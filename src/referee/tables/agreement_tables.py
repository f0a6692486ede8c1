"""Tables of agreement between annotators."""

from __future__ import annotations

import json
from math import isnan

from referee.comparing.annotators import Agreement
from referee.tables.comparison_tables import UNKNOWN, label
from referee.tables.score_tables import percent
from referee.tables.table import Cell, Column, Table, comma_separated

SCHEMA = 1  # of the JSON form; a change that breaks readers raises it
MEAN = "mean"


def agreement_table(found: Agreement) -> Table:
    """Show each pair's F1 in each measure, mentions apart, the mean, and α."""
    columns = [Column("Annotators", left=True)]
    columns += [Column(label(name), "" if name == "mentions" else "Chains") for name in found.mean]
    rows = [
        [Cell(f"{a} – {b}"), *(Cell(percent(value)) for value in scores.values())]
        for (a, b), scores in found.pairs.items()
    ]
    if len(found.pairs) > 1:
        rows.append([Cell(MEAN), *(Cell(percent(value)) for value in found.mean.values())])
    alpha, common = (UNKNOWN if isnan(a) else f"{a:.3f}" for a in (found.alpha, found.alpha_common))
    several = f"{len(found.documents)} document{'s' * (len(found.documents) != 1)}"
    notes = (
        "",
        f"Krippendorff's α over chains (Passonneau's distance): {alpha}; "
        f"cut down to the {found.common_mentions} mentions that all marked: {common}.",
        f"F1, symmetric; {len(found.annotators)} annotators, {several}.",
        found.signature,
    )
    return Table(columns, rows, "Agreement", notes)


def agreement_csv(found: Agreement) -> str:
    """Write a row for each pair and measure, the means, and α, unrounded."""
    rows: list[list[object]] = [
        [a, b, name, value] for (a, b), scores in found.pairs.items() for name, value in scores.items()
    ]
    rows += [[MEAN, MEAN, name, value] for name, value in found.mean.items()]
    for name, alpha in (("alpha", found.alpha), ("alpha_common", found.alpha_common)):
        rows.append(["all", "all", name, "" if isnan(alpha) else alpha])
    return comma_separated(["first", "second", "measure", "value"], rows)


def agreement_json(found: Agreement) -> str:
    """Write everything, α as null if it is not defined."""
    value = {
        "schema": SCHEMA,
        "annotators": list(found.annotators),
        "signature": found.signature,
        "documents": list(found.documents),
        "pairs": [{"annotators": names, "f1": dict(scores)} for names, scores in found.pairs.items()],
        "mean": found.mean,
        "alpha": None if isnan(found.alpha) else found.alpha,
        "alpha_common": None if isnan(found.alpha_common) else found.alpha_common,
        "common_mentions": found.common_mentions,
    }
    return json.dumps(value, indent=1, ensure_ascii=False)
