"""Tables about language models: what a run did and cost, and what was lost of its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.scoring.result import Result
from referee.tables.rendering import Output
from referee.tables.scores import count_cell
from referee.tables.table import Cell, Column, Table

if TYPE_CHECKING:
    from referee.llm.prompts import PromptSet
    from referee.llm.running import RunReport

ALL = "All"
Counts = Mapping[tuple[str, str], int]  # what is counted, and why it was lost → how many
CHANGES = ("changed", "moved", "dropped", "added")


def prompt_output(prompts: PromptSet) -> Output:
    """Show how many prompts there are, and how they were made."""
    facts = prompts.manifest.facts
    rows = [
        ("Prompts", f"{len(prompts.texts):,}"),
        ("Documents", f"{len(prompts.documents):,}"),
        ("Notation", prompts.notation),
        *((name.capitalize(), _plain(value)) for name, value in facts.items() if value not in (None, [])),
        ("Tokens", f"about {prompts.tokens:,}"),
    ]
    columns = [Column("", left=True), Column("", left=True)]
    return Output(
        lambda: [Table(columns, [[Cell(name), Cell(value)] for name, value in rows], "prompts")],
        prompts.manifest.to_dict,
    )


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def run_output(report: RunReport) -> Output:
    """Show what a run did, and what it cost; of a dry run, what it would."""
    return Output(lambda: [_run_table(report)], lambda: run_data(report))


def run_data(report: RunReport) -> dict[str, Any]:
    """Give the numbers of a run."""
    asked = sum(report.outcomes.values())
    prices = {
        "cost": round(report.cost, 6),
        "cost_before": round(report.cost_before, 6),
    } if report.prices.known else {}  # fmt: skip
    return {
        "dry_run": report.dry,
        "prompts": report.prompts,
        "answered_before": report.before,
        "answered": asked,
        "outcomes": dict(report.outcomes),
        "tokens_in": report.usage.tokens_in,
        "tokens_out": report.usage.tokens_out,
        "estimated": report.usage.estimated,
        **prices,
        "failures": [failure._asdict() for failure in report.failures],
    }


def _run_table(report: RunReport) -> Table:
    about = "about " * report.usage.estimated
    rows = [("Prompts", f"{report.prompts:,}"), ("Answered before", f"{report.before:,}")]
    if report.dry:
        rows.append(("To be asked", f"{report.prompts - report.before:,}"))
    rows += [(f"Now: {outcome}", f"{count:,}") for outcome, count in report.outcomes.items()]
    rows += [("No answer", f"{len(report.failures):,}")] * bool(report.failures)
    rows += [
        ("Tokens of prompts", f"{about}{report.usage.tokens_in:,}"),
        ("Tokens of answers", f"{about}{report.usage.tokens_out:,}"),
    ]
    if report.prices.known:
        rows.append(("Cost", f"{about}{report.cost:.4f}"))
        rows.append(("Cost with earlier answers", f"{about}{report.cost + report.cost_before:.4f}"))
    notes = ["", "nothing was sent; entities that are carried over would add to the prompts"] * report.dry
    columns = [Column("", left=True), Column("")]
    title = "what a run would do" if report.dry else "what the run did"
    return Table(columns, [[Cell(name), Cell(value)] for name, value in rows], title, tuple(notes))


def answer_output(results: Sequence[Result], scores: Output) -> Output:
    """Show scores, and under them what was lost of each system's answers."""
    return Output(
        lambda: [*scores.tables(), *(loss_table(result) for result in results)],
        scores.data,  # has each result's `alignment`
    )


def loss_table(result: Result) -> Table:
    """Show what was lost of a system's answers: a row for each document that lost something, and all."""
    documents = [(each["document"], _counts(each)) for each in result.alignment["documents"]]
    total: dict[tuple[str, str], int] = {}
    for _, counts in documents:
        for what, count in counts.items():
            total[what] = total.get(what, 0) + count
    kinds = [what for what in sorted(total, key=_order) if total[what]]
    counted = [Column(reason or ALL.lower(), group) for group, reason in kinds]
    lossy = [(id_, counts) for id_, counts in documents if any(counts.get(kind) for kind in kinds if kind[1])]
    rows = [[Cell(id_), *(count_cell(counts.get(kind, 0)) for kind in kinds)] for id_, counts in lossy]
    rows.append([Cell(ALL), *(count_cell(total[kind]) for kind in kinds)])
    unread = "nothing was lost" if not lossy else "words that are in two windows count twice"
    columns = [Column("Document", left=True), *counted]
    return Table(columns, rows, f"{result.system}: losses by document and reason", ("", unread))


def _counts(document: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Count what a document lost, by kind and reason; what there was has no reason."""
    counts: dict[tuple[str, str], int] = {("Windows", ""): document.get("windows") or 1}
    lost = [("Windows", each["reason"]) for each in document.get("lost_windows", ())]
    lost += [("Mentions", each["reason"]) for each in document["lost"]]
    counts["Mentions", ""] = document["mentions"]
    for what in lost:
        counts[what] = counts.get(what, 0) + 1
    counts["Mentions", "id taken"] = document.get("taken_ids", 0)
    for change in CHANGES:
        counts["Words", change] = (document["words"] or {}).get(change, 0)
    return counts


def _order(what: tuple[str, str]) -> tuple[int, bool, str]:
    """Sort windows before mentions before words, and what there was before what was lost."""
    return ("Windows", "Mentions", "Words").index(what[0]), bool(what[1]), what[1]
