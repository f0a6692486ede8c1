"""Runs what the pages show: each `$ referee …` with its output, each Python example (`>>>`) with its value.

`make refresh-docs` writes the pages again with the outputs of today, and the tables of formats and settings;
tests/test_docs.py compares. A page is run from top to bottom in a fresh copy of the sample, so that a later
command can use what an earlier one wrote. Commands on files that are not there (a corpus of one's own) stay
as they are.
"""

from __future__ import annotations

import contextlib
import doctest
import re
import shlex
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

import referee
from formats_table import with_table
from referee.cli import main as command_line
from settings_table import with_settings

ROOT = Path(__file__).parents[1]
SAMPLE = Path(referee.__file__).parent / "sample"
COMMAND = re.compile(
    r"^    \$ (?P<command>referee (?:.*\\\n)*.*)\n(?P<output>(?:(?!    (?:\$|>>>|referee) )(?:    .*)?\n)*)",
    re.M,
)
FILE = re.compile(r"/|\.(?:conll|jsonl|json)$")  # how a file's name looks beside the other words of a command


def pages() -> list[Path]:
    """List the pages that may show commands."""
    docs = ROOT / "docs"
    return [ROOT / "README.md", *sorted(docs.glob("*.md")), *sorted(docs.glob("notes/*.md"))]


def refreshed(page: str) -> tuple[str, list[str]]:
    """Run a page; give it with the outputs of today, and the commands that were left as they are."""
    written: list[str] = []
    left: list[str] = []
    names: dict[str, Any] = {}
    end = 0
    with TemporaryDirectory() as folder:
        shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
        with contextlib.chdir(folder):
            for match in COMMAND.finditer(page):
                written.append(refreshed_examples(page[end : match.start()], names))
                command = on_one_line(match["command"])
                output = output_of(command)
                if output is None:
                    left.append(command)
                kept = match["output"] if output is None else indented(output)
                written += [page[match.start() : match.start("output")], kept]
                end = match.end()
            written.append(refreshed_examples(page[end:], names))
    return with_settings(with_table("".join(written))), left


def on_one_line(command: str) -> str:
    """Join the lines of a command that end in a backslash, as a shell does."""
    return re.sub(r"\s*\\\n\s*", " ", command)


def output_of(command: str) -> str | None:
    """Run a command, and give all that a terminal would show; None if a file that it reads is not here."""
    words = shlex.split(command)[1:]
    files = [
        word
        for word, before in zip(words, ["", *words], strict=False)
        if FILE.search(word) and before != "-o"
    ]
    first = words[1 + (words[0] == "llm")]  # behind the command, which may be one of a group
    read = [first, *files] if words[0] != "convert" else [first]
    if not all(Path(name).exists() for name in read):
        return None
    return CliRunner().invoke(command_line, words, prog_name="referee").output


def indented(output: str) -> str:
    """Write an output as a page shows it, with a blank line after it."""
    lines = output.strip("\n").splitlines()
    return "".join(f"    {line}".rstrip() + "\n" for line in lines) + "\n"


class _Recorder(doctest.DocTestRunner):
    """Keeps the examples that gave something else, instead of printing them."""

    wrong: list[tuple[doctest.Example, str]]

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.wrong.append((example, got))

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        raise AssertionError(f"{example.source.strip()} raises {exc_info[1]!r}") from exc_info[1]


def refreshed_examples(text: str, names: dict[str, Any]) -> str:
    """Run Python examples and write their values; they share their names with earlier ones of the page."""
    test = doctest.DocTestParser().get_doctest(text, names, "page", None, None)
    runner = _Recorder()
    runner.wrong = []
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    lines = text.splitlines(keepends=True)
    for example, got in reversed(runner.wrong):
        start = example.lineno + example.source.count("\n")
        shown = [" " * example.indent + (line or "<BLANKLINE>") + "\n" for line in got.splitlines()]
        lines[start : start + example.want.count("\n")] = shown
    return "".join(lines)


if __name__ == "__main__":
    for path in pages():
        path.write_text(refreshed(path.read_text(encoding="utf-8"))[0], encoding="utf-8")
