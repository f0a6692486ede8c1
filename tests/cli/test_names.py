"""Names on the command line: a mistyped one exits with 2 before any work, and the shell completes them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import referee
from referee.cli import COMMANDS, main

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
# For every command, the arguments that it needs; the files are not there, so names are checked before them.
ARGUMENTS = {
    "agree": ["a", "b"], "baseline": ["same-string", "key", "-o", "-"], "compare": ["key", "a", "b"],
    "components": ["key"], "convert": ["a", "b"], "errors": ["key", "a"], "resolve": ["a"],
    "curate": ["a", "b"], "score": ["key", "a"], "spans": ["key"], "stats": ["key"], "topics": ["key"],
    "report": ["key", "a"], "gap": ["key", "a"], "link": ["a"], "restore": ["a", "b"],
}  # fmt: skip


def completions(words: Sequence[str]) -> list[str]:
    """Ask as a shell does what the last word may become."""
    shell = ShellComplete(main, {}, "referee", "_REFEREE_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


def named_options() -> list[tuple[str, str]]:
    """List the options that take names, of every command."""
    found = []
    for command in ARGUMENTS.keys() & COMMANDS.keys():
        loaded = main.get_command(click.Context(main), command)
        assert loaded
        options = [option for option in loaded.params if isinstance(option, click.Option)]
        found += [
            (command, option.opts[-1])
            for option in options
            if option.type.name in ("name", "names", "choice")
        ]
    return sorted(found)


@pytest.mark.parametrize(("command", "option"), named_options())
def test_a_name_that_there_is_not_exits_with_2(command: str, option: str) -> None:
    shown = CliRunner().invoke(main, [command, *ARGUMENTS[command], option, "nonsense"])
    assert (shown.exit_code, "nonsense" in shown.stderr) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", KEY, ALPHA, "--protocol", "nonsense"],
        ["score", KEY, ALPHA, "--scope", "nonsense"],
        ["score", KEY, ALPHA, "--match", "exact,nonsense"],
        ["score", KEY, ALPHA, "--metric", "muc,nonsense"],
        ["compare", KEY, ALPHA, BETA, "--baseline", "nonsense"],
        ["errors", KEY, ALPHA, "--spanning-tree", "nonsense"],
        ["errors", KEY, ALPHA, "--made-by", "nonsense"],
        ["errors", KEY, ALPHA, "--filter", "nonsense=1"],
        ["resolve", KEY, "--resolver", "camp", "--only", "nonsense"],
        ["resolve", KEY, "--resolver", "camp", "--guidelines", "nonsense"],
        ["resolve", KEY, "--resolver", "neural", "--model", "nonsense"],
        ["convert", KEY, "out.nonsense"],
        ["models", "show", "nonsense"],
    ],
    ids=lambda arguments: " ".join(arguments[-2:]),
)
def test_a_value_that_there_is_not_exits_with_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(main, arguments).exit_code == 2


def test_a_command_that_is_nearly_right_is_suggested() -> None:
    shown = CliRunner().invoke(main, ["scor"])
    assert shown.exit_code == 2
    assert shown.stderr.splitlines()[-1] == "Error: no command 'scor'; did you mean score?"
    assert "referee --help lists them" in CliRunner().invoke(main, ["zzz"]).stderr


@pytest.mark.parametrize(
    ("words", "among"),
    [
        (["score", "--metric", "muc,b_cub"], "muc,b_cubed"),
        (["score", "--metric", "mu"], "muc"),
        (["score", "--match", "exact,mi"], "exact,mina"),
        (["score", "--protocol", "cro"], "crossdoc"),
        (["convert", "--to", "jsonl"], "jsonlines"),
        (["resolve", "--resolver", "ca"], "camp"),
        (["resolve", "--guidelines", "lit"], "litbank"),
        (["resolve", "--only", "names,quo"], "names,quotes"),
        (["errors", "--table", "recall,ga"], "recall,gains"),
        (["errors", "--spanning-tree", "dist"], "distance"),
        (["errors", "--sort", "ty"], "types"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_names_are_completed(words: list[str], among: str) -> None:
    assert among in completions(words)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["score", "--metric", "list"], "b_cubed"), (["convert", "--to", "list"], "jsonlines"),
        (["errors", "--table", "list"], "gains"), (["resolve", "--to", "list"], "conllu"),
    ],
)  # fmt: skip
def test_all_names_are_listed_on_demand(words: list[str], line: str) -> None:
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0
    assert line in [row.split()[0] for row in shown.stdout.splitlines()]


def test_help_has_no_long_lists_of_choices() -> None:
    for command in COMMANDS:
        loaded = main.get_command(click.Context(main), command)
        assert loaded
        for option in loaded.params:
            assert len(getattr(option, "help", None) or "") < 400, (command, option.opts)
            assert len(option.make_metavar(click.Context(loaded))) < 100, (command, option.opts)


def test_a_name_that_is_given_is_not_offered_again() -> None:
    assert "muc,muc" not in completions(["score", "--metric", "muc,"])


def test_a_model_is_a_name_or_a_folder() -> None:
    shell = ShellComplete(main, {}, "referee", "_REFEREE_COMPLETE")
    assert "dir" in {item.type for item in shell.get_completions(["resolve", "--model"], "")}


def test_completion_loads_no_heavy_package() -> None:
    asked = {**os.environ, "_REFEREE_COMPLETE": "bash_complete", "COMP_WORDS": "referee resolve --to jsonl",
             "COMP_CWORD": "3"}  # fmt: skip
    code = "from referee.cli import main\ntry: main(prog_name='referee')\n"
    code += "finally: import sys; print({'spacy', 'onnxruntime', 'torch', 'sklearn'} & {*sys.modules})"
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=asked, check=True
    )
    assert shown.stdout.split() == ["plain,jsonlines", "set()"]
