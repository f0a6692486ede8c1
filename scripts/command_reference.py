"""Writes the reference of commands from the command line itself: usage, help, options, examples."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape

import click

from referee.cli import main as command_line

AS_IT_IS = "\x08\n"  # how click marks a paragraph whose lines must stay


def all_contexts() -> Iterator[click.Context]:
    """Go through the commands of the program, each before its own subcommands."""
    program = click.Context(command_line, info_name="referee", **command_line.context_settings)
    return (context for context in _contexts(program) if context is not program)


def _contexts(context: click.Context) -> Iterator[click.Context]:
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None, name
            yield from _contexts(click.Context(command, info_name=name, parent=context))


def command_reference() -> str:
    """Write all commands as Markdown: an overview, then a section for each."""
    contexts = list(all_contexts())
    rows = [f"| [`{each.command_path}`](#{_anchor(each)}) | {_summary(each)} |\n" for each in contexts]
    return "\n| command | what it does |\n|---|---|\n" + "".join(rows) + "".join(map(_section, contexts))


def _anchor(context: click.Context) -> str:
    return context.command_path.replace(" ", "-")


def _summary(context: click.Context) -> str:
    """Take the first sentence of a command's help."""
    return escape(context.command.get_short_help_str(200))


def _section(context: click.Context) -> str:
    usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
    paragraphs = inspect.cleandoc(context.command.help or "").split("\n\n")
    groups = [_option_group(title, options) for title, options in option_groups(context).items()]
    return "\n\n".join(
        [f"\n\n## {context.command_path}", _code(usage), *map(_paragraph, paragraphs), *groups]
    )


def _paragraph(text: str) -> str:
    """Write a paragraph of a help; examples and lists keep their lines, under their title."""
    if not text.startswith(AS_IT_IS):
        return escape(text, quote=False)
    lines = text.removeprefix(AS_IT_IS).split("\n")
    title = f"**{escape(lines.pop(0).removesuffix(':'))}**\n\n" if lines[0].endswith(":") else ""
    return title + _code(inspect.cleandoc("\n" + "\n".join(lines)))


class _Sections(click.HelpFormatter):
    """Keeps the sections of a help with their rows, instead of writing them as text."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[tuple[str, str]]] = {}

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        self.rows[name] = []
        yield

    def write_dl(self, rows: Iterable[tuple[str, str]], *layout: int, **widths: int) -> None:
        self.rows[list(self.rows)[-1]] += rows


def option_groups(context: click.Context) -> dict[str, list[tuple[str, str]]]:
    """List the options under the titles that the help has, each as its names and its description."""
    sections = _Sections()
    context.command.format_options(context, sections)
    return {title: rows for title, rows in sections.rows.items() if title != "Commands"}


def _option_group(title: str, options: list[tuple[str, str]]) -> str:
    rows = "".join(
        f"<dt><code>{escape(names)}</code></dt><dd>{_said(said)}</dd>\n" for names, said in options
    )
    return f'**{escape(title)}**\n\n<dl class="options">\n{rows}</dl>'


def _said(text: str) -> str:
    """Write an option's description as HTML: what is between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split())))


def _code(text: str) -> str:
    return f"```text\n{text}\n```"
