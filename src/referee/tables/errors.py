"""Tables and lists of errors: from the values of an analysis to text, CSV, LaTeX, Markdown and JSON."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

from referee.analysis.contexts import marked, surroundings
from referee.analysis.link_errors import LinkError
from referee.analysis.listing import list_errors
from referee.analysis.sheets.sheet import SYSTEM, Gain, Share, Sheet, Value
from referee.analysis.study import Study
from referee.display import number_of
from referee.language.hints import hints
from referee.language.mention_types import Described
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell
from referee.tables.table import Cell, Column, Table, field_name


def sheet_table(sheet: Sheet) -> Table:
    """Show a sheet's values as people read them; words that repeat those of the row above are left out."""
    columns = []
    for index, head in enumerate(sheet.heads):
        group, title = ("", head) if isinstance(head, str) else head
        words = index < sheet.words or all(isinstance(row[index], str) for row in sheet.rows)
        columns.append(Column(title, group, left=words))
    rows = [[Cell(_shown(value)) for value in row] for row in sheet.rows]
    for above, row, cells in zip(sheet.rows, sheet.rows[1:], rows[1:], strict=False):
        for index in range(sheet.words - 1 if sheet.grouped else 0):
            if above[index] != row[index]:
                break
            cells[index] = Cell("")
    return Table(columns, rows, sheet.caption, [note for note in sheet.notes if note])


def _shown(value: Value) -> str:
    if value is None:
        return "–"
    if isinstance(value, Share):
        return f"{100 * value:.0f}%"
    if isinstance(value, Gain):
        return f"{100 * value:+.2f}"
    return str(value)


def study_output(study: Study) -> Output:
    """Show how many errors each system makes; the rows are the errors, each with its class."""
    return Output(
        lambda: [overview_table(study)],
        lambda: errors_data(study, (), list_errors(study), ""),
        lambda: error_records(list_errors(study)),
    )


def overview_table(study: Study) -> Table:
    """Count the errors of each system, and the links that it could miss or has made."""
    columns = [Column("System", left=True)]
    columns += [Column(title, side) for side in ("Recall", "Precision") for title in ("errors", "of links")]
    rows = [
        [
            Cell(system.name),
            *map(count_cell, (len(system.recall), len(study.maximum))),
            *map(count_cell, (len(system.precision), sum(system.decisions.values()))),
        ]
        for system in study.systems
    ]
    documents, mentions = len(study.documents), len(study.mentions)
    caption = f"Errors in {number_of(documents, 'document')} with {number_of(mentions, 'mention')}"
    return Table(columns, rows, caption, ("", *filter(None, [study.selection.words]), study.signature))


def error_records(errors: Sequence[LinkError], *, in_context: bool = False) -> Records:
    """List errors; entities and sentences are numbers."""
    counted = [title == "Entity" or title.endswith("sentence") for title in TITLES]
    rows = [
        [
            *(
                int(cell) if number and cell else cell
                for number, cell in zip(counted, _error_cells(error), strict=True)
            ),
            *([context(error)] if in_context else []),
        ]
        for error in errors
    ]
    return [field_name(title) for title in (*TITLES, *["Context"] * in_context)], rows


def sheets_records(sheets: Iterable[Sheet]) -> Records:
    """List a row for each number, with its table, system, row and column: one file holds all tables.

    The system is empty where a table has a column for each.
    """
    rows: list[list[object]] = []
    for sheet in sheets:
        for row in sheet.rows:
            system = row[0] if sheet.heads[0] == SYSTEM else ""
            label = " ".join(str(word) for word in row[: sheet.words] if word not in ("", None))
            for head, value in zip(sheet.heads[sheet.words :], row[sheet.words :], strict=True):
                column = head if isinstance(head, str) else " ".join(head)
                cells: list[object] = [
                    sheet.name,
                    sheet.caption,
                    system,
                    label,
                    column,
                    "" if value is None else value,
                ]
                rows.append(cells)
    return ["table", "caption", "system", "row", "column", "value"], rows


def errors_data(
    study: Study,
    sheets: Iterable[Sheet],
    errors: Sequence[LinkError] | None,
    key: str,
    sample: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """Give tables, or errors if they are asked for and the size and seed of their sample, as numbers."""
    chosen = study.selection
    value: dict[str, Any] = {
        "key": key,
        "systems": [system.name for system in study.systems],
        "signature": study.signature,
        "spanning_trees": {
            "recall": study.spanning_tree or None,
            "precision": {system.name: system.precision_from or None for system in study.systems},
        },
        "classes": study.classes.name,
        "filter": chosen.condition or None,
        "made_by": list(chosen.made_by),
        "not_made_by": list(chosen.not_made_by),
        "notices": list(study.notices),
        "tables": [_sheet_value(sheet) for sheet in sheets],
    }
    if errors is not None:
        value["sample"] = sample and {"size": sample[0], "seed": sample[1]}
        value["errors"] = [error_value(error) for error in errors]
    return value


def _sheet_value(sheet: Sheet) -> dict[str, Any]:
    heads = [head if isinstance(head, str) else " ".join(head) for head in sheet.heads]
    rows = [list(row) for row in sheet.rows]
    return {
        "name": sheet.name,
        "caption": sheet.caption,
        "columns": heads,
        "rows": rows,
        "notes": list(sheet.notes),
    }


def error_value(error: LinkError) -> dict[str, Any]:
    """Make a plain value of an error."""
    return {
        "side": error.side,
        "system": error.system,
        "class": error.cause,
        "document": error.document,
        "entity": error.entity,
        "anaphor": _mention_value(error.anaphor),
        "antecedent": None if error.alone else _mention_value(error.antecedent),
        "label": error.label or None,
        "hints": _hints(error),
    }


def _hints(error: LinkError) -> list[str]:
    return [] if error.alone else list(hints(*error.link))


def _mention_value(mention: Described) -> dict[str, Any]:
    return {
        "document": mention.document_id,
        "sentence": _sentence(mention),
        "spans": [list(span) for span in mention.mention.spans],
        "text": mention.text,
        "type": mention.type,
        "head": mention.head_word,
        "pronoun": mention.pronoun,
        "entity_type": mention.entity_type,
    }


MENTION_TITLES = ("", " sentence", " words", " head")
LABEL = "Label"
TITLES = (
    *("System", "Side", "Class", "Document", "Entity", "Types"),
    *(f"{role}{title}" for role in ("Anaphor", "Antecedent") for title in MENTION_TITLES),
    LABEL,
    "Hints",
)


def error_table(errors: Sequence[LinkError], *, in_context: bool = False, said: str = "") -> Table:
    """List errors, one a row; words count from 0 in the document, sentences from 1."""
    titles = [*TITLES, *["Context"] * in_context]
    rows = [_error_cells(error) + ([context(error)] if in_context else []) for error in errors]
    if not any(error.label for error in errors):  # few corpora have labels, for bridging alone
        at = titles.index(LABEL)
        titles, rows = [*titles[:at], *titles[at + 1 :]], [[*row[:at], *row[at + 1 :]] for row in rows]
    caption = f"{_count(errors)}. {said}" if said else _count(errors)
    columns = [Column(title, left=True) for title in titles]
    return Table(columns, [[Cell(word) for word in row] for row in rows], caption)


def _error_cells(error: LinkError) -> list[str]:
    about = [
        error.system,
        error.side,
        error.cause,
        _documents(error),
        str(error.entity),
        error.anaphor.type if error.alone else "-".join(error.types),
    ]
    for mention in error.link[: 1 if error.alone else 2]:
        sentence = _sentence(mention)
        words = "+".join(f"{start}:{end}" for start, end in mention.mention.spans)
        about += [mention.text, "" if sentence is None else str(sentence), words, mention.head_word]
    about += [""] * (len(MENTION_TITLES) * error.alone)
    return [*about, error.label, ", ".join(_hints(error))]


def _sentence(mention: Described) -> int | None:
    """Number the sentence that a mention begins in, from 1; None where the words are not known."""
    sentences = mention.document.sentences if mention.document else ()
    begins = bisect_right([start for start, _ in sentences], mention.mention.start)
    return begins or None


def errors_in_context(errors: Sequence[LinkError], said: str = "") -> str:
    """Print errors with the text around them, for reading."""
    marks = "[expression]" if errors and errors[0].alone else "[anaphor]  {antecedent}"
    lines = [_count(errors), *([said] if said else []), marks]
    for error in errors:
        system, side, cause, document, entity, types, *rest, label, said_hints = _error_cells(error)
        about = f"{system}  {side}  {cause}  {document}  entity {entity}  {types}" + f"  {label}".rstrip()
        lines += [
            "",
            about + (f"  ({said_hints})" if said_hints else ""),
            f"  anaphor {_located(*rest[1:4])}"
            + ("" if error.alone else f", antecedent {_located(*rest[5:8])}"),
            *(f"    {line}" for line in context(error).split("\n")),
        ]
    return "\n".join(lines)


def _located(sentence: str, words: str, head: str) -> str:
    return " ".join(
        f"{name} {value}"
        for name, value in (("sentence", sentence), ("words", words), ("head", head))
        if value
    )


def _documents(error: LinkError) -> str:
    """Name the document of the anaphor, and that of the antecedent if it is another."""
    other = error.antecedent.document_id
    return error.document if other == error.document else f"{error.document} → {other}"


def _count(errors: Sequence[LinkError]) -> str:
    return number_of(len(errors), "error")


def context(error: LinkError) -> str:
    """Show where the mentions of an error occur: [anaphor] and {antecedent}, a line for each sentence."""
    marks = [(error.antecedent, "{}"), (error.anaphor, "[]")][error.alone :]
    same = error.anaphor.document_id == error.antecedent.document_id
    windows = [surroundings(mention) for mention, _ in marks]
    if same and windows[-1][0] <= windows[0][1]:
        return marked(error.anaphor.document, (windows[0][0], max(windows[0][1], windows[-1][1])), marks)
    return "\n".join(
        marked(mention.document, window, [(mention, mark)])
        for (mention, mark), window in zip(marks, windows, strict=True)
    )
