"""Shows the models of the neural resolver: a line for each, the card of one, and what an export loses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from referee.display import number_of
from referee.exceptions import FormatError
from referee.resolvers.neural.models import (
    ABOUT,
    ENCODER,
    HEAD,
    TOKENIZER,
    InstalledModel,
    facts_of,
    languages_of,
    links_only,
    size_of,
)
from referee.tables.rendering import Output
from referee.tables.scores import score_cell
from referee.tables.table import Cell, Column, Table

HEADS = ("Model", "Version", "Languages", "Licence", "Trained on", "MB", "CoNLL", "Folder")
UNKNOWN = "–"


def model_output(models: Sequence[InstalledModel]) -> Output:
    """List models with what they say of themselves."""
    columns = [Column(head, left=head != "MB") for head in HEADS]
    return Output(
        tables=lambda: [Table(columns, [_row(model) for model in models])],
        data=lambda: {"models": [_data(model) for model in models]},
    )


@contextmanager
def _said_by(model: InstalledModel) -> Iterator[dict[str, Any]]:
    """Give what a model says of itself; errors name its file."""
    from jinja2 import UndefinedError

    try:
        yield facts_of(model.folder)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, UndefinedError) as error:
        raise FormatError(
            f"{model.folder / 'model.json'}: a fact is not what it should be: {error!r}"
        ) from error


def _row(model: InstalledModel) -> list[Cell]:
    with _said_by(model) as facts:
        return _cells(model, facts)


def _cells(model: InstalledModel, facts: Mapping[str, Any]) -> list[Cell]:
    whole = [row for row in facts.get("scores", ()) if not row.get("genre")]
    scores = [f"{row.get('language', '')} {row['corpus']} {row['conll']:.1f}".lstrip() for row in whole]
    size = size_of(model.folder)
    return [
        Cell(model.name),
        Cell(model.version or UNKNOWN),
        Cell(", ".join(languages_of(facts)) or UNKNOWN),
        Cell(str(facts.get("licence", UNKNOWN))),
        Cell(", ".join(corpus["name"] for corpus in facts.get("trained_on", ())) or UNKNOWN),
        Cell(f"{size / 1e6:.1f}", value=size / 1e6),
        Cell(", ".join(scores) or UNKNOWN),
        Cell(str(model.folder)),
    ]


def _data(model: InstalledModel) -> dict[str, Any]:
    known = {"name": model.name, "version": model.version, "bytes": size_of(model.folder)}
    return {**facts_of(model.folder), **known, "folder": str(model.folder)}


def model_card(model: InstalledModel) -> str:
    """Write a model's card in Markdown: all that it says of itself, and of what it says nothing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("referee.tables", ""), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, autoescape=False,
    )  # fmt: skip  # Markdown, of which no page is made
    template = environment.get_template("model_card.md.j2")
    with _said_by(model) as facts:
        named = {"name": model.name, **facts}
        return template.render(
            facts=named, version=model.version, size=size_of(model.folder), links=links_only(model.folder)
        )


def folder_size(folder: Path) -> int:
    """Add up the bytes of the files that a model needs to run."""
    return sum((folder / name).stat().st_size for name in (ENCODER, HEAD, TOKENIZER, ABOUT))


def export_table(rows: Sequence[tuple[str, int, float | None]], parameters: int) -> Table:
    """Show the model and its export: size, and CoNLL on dev where it was asked for."""
    scored = any(conll is not None for *_, conll in rows)
    columns = [Column("Model", left=True), Column("MB"), *([Column("CoNLL")] if scored else [])]
    cells = [
        [
            Cell(name),
            Cell(f"{size / 1e6:.1f}", value=size / 1e6),
            *([score_cell(conll)] if conll is not None else []),
        ]
        for name, size, conll in rows
    ]
    return Table(columns, cells, "Export", ("", f"{number_of(parameters, 'parameter')}."))
