"""Python and the command line are parallel: a function for each command, a parameter for each option."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import referee
from referee.cli import COMMANDS, main
from referee.cli.resolver_options import SettingOption
from referee.display import output_of
from referee.tables.models import model_output
from referee.tables.problems import problem_output
from referee.tables.rendering import data_of, json_text
from referee.tables.scores import score_output

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))

# What only a terminal needs, in every command.
TERMINAL = {
    "output": "the function returns the value, which `write` or a method of it saves",
    "to": "the format of the output",
    "format": "the value is shown, or has `to_dict` and `to_frame`",
    "verbose": "notices are in the value",
    "quiet": "notices are in the value",
    "engine": "`jobs` takes an engine",
    "scheduler": "`jobs` takes an engine",
    "record": "failures are in the value",
}
# What a method or an attribute of the returned value does, and views that only a terminal has.
OF_VALUE: dict[str, dict[str, str]] = {
    "errors": {
        "by": "Study.breakdown", "genres": "Study.breakdown", "types": "Study.breakdown",
        "table": "Study.table", "common": "Study.table", "list": "Study.list_errors",
        "context": "Study.list_errors", "sort": "Study.list_errors", "draw": "Study.list_errors",
        "seed": "Study.list_errors", "limit": "Study.list_errors",
    },
    "curate": {
        "cases": "Curation.write_cases", "context": "Curation.disagreements",
        "open": "`workbench` takes what was curated",
        "lossy": "`convert` writes what is merged",
    },
    "spans": {
        "stats": "MinimumSpans.statistics",
        "against_min": "MinimumSpan.contains_annotated",
    },
    "gap": {"decisions": "GapScore.answers"},
    "link": {
        "into": "Store.add, of what `open_store` opens", "update": "Store.add",
        "explain": "`joins` of the value",
    },
    "resolve": {
        "replace": "Resolved.replaced", "pseudonyms": "Resolved.pseudonymised",
        "seed": "Resolved.pseudonymised", "explain": "views of camp's rules", "scores": "Resolved has them",
        "characters": "Resolved.characters",
        "jobs": "many texts go to a folder, file by file",
    },
}  # fmt: skip


def command(name: str) -> click.Command:
    group, _, within = name.partition(" ")
    found = main.get_command(click.Context(main), group)
    if within:
        assert isinstance(found, click.Group)
        found = found.get_command(click.Context(found), within)
    assert found is not None
    return found


def named_commands() -> Iterator[str]:
    """Name all commands; a group that does nothing by itself stands for those in it: `llm run`."""
    for name in COMMANDS:
        found = command(name)
        if isinstance(found, click.Group) and not found.invoke_without_command:
            yield from (f"{name} {within}" for within in found.commands)
        else:
            yield name


EVERY = [*named_commands()]


METHODS = {"store": referee.Store}  # the commands of a group that are methods of a value


def function(name: str) -> str:
    """Name the function of a command."""
    return name.replace(" ", "_")


def called(name: str) -> Callable[..., Any]:
    """Find the function of a command, or the method: `referee store merge` is `Store.merge`."""
    group, _, within = name.partition(" ")
    found: Callable[..., Any] = (
        getattr(METHODS[group], within) if group in METHODS else getattr(referee, function(name))
    )
    return found


def words(name: str) -> dict[str, click.Option]:
    """List a command's options, each by its long name as Python writes it."""
    options = [each for each in command(name).params if isinstance(each, click.Option)]
    longest = {max(each.opts, key=len): each for each in options if not isinstance(each, SettingOption)}
    return {word.lstrip("-").replace("-", "_"): option for word, option in longest.items()}


def parameters(name: str) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(called(name)).parameters)


@pytest.mark.parametrize("name", EVERY)
def test_a_command_has_a_function_of_its_name(name: str) -> None:
    assert function(name) in referee.__all__ or name.partition(" ")[0] in METHODS
    assert callable(called(name))


@pytest.mark.parametrize("name", EVERY)
def test_an_option_has_a_parameter_of_its_name(name: str) -> None:
    beside = TERMINAL.keys() | OF_VALUE.get(name, {}).keys()
    assert not [word for word in words(name) if word not in parameters(name) and word not in beside]


def test_the_tables_of_exceptions_name_options_that_exist() -> None:
    every = {word for name in EVERY for word in words(name)}
    assert not TERMINAL.keys() - every
    for name, exceptions in OF_VALUE.items():
        assert not exceptions.keys() - words(name).keys()
        assert not exceptions.keys() & parameters(name).keys()
        for said in exceptions.values():
            owner, dot, member = said.partition(".")
            if dot and owner == "Study":
                assert hasattr(type(referee.errors(KEY, ALPHA)), member)


@pytest.mark.parametrize("name", EVERY)
def test_settings_of_resolvers_are_keywords(name: str) -> None:
    if any(isinstance(each, SettingOption) for each in command(name).params):
        kinds = {each.kind for each in parameters(name).values()}
        assert inspect.Parameter.VAR_KEYWORD in kinds


def plain(default: Any) -> Any:
    """Write defaults alike: nothing is nothing, and a list is a list."""
    if isinstance(default, list | tuple):
        return list(default) or None
    return default if isinstance(default, str | int | float) and default is not False else None


@pytest.mark.parametrize("name", EVERY)
def test_defaults_are_equal(name: str) -> None:
    context, found = click.Context(command(name)), parameters(name)
    both = {
        word: (plain(option.get_default(context)), plain(found[word].default))
        for word, option in words(name).items()
        if word in found
    }
    assert {word: two for word, two in both.items() if two[0] != two[1]} == {}


SAME: dict[str, tuple[list[str], Callable[[], Any]]] = {
    "score": (
        ["score", KEY, ALPHA],
        lambda: data_of(score_output(KEY, [referee.score(KEY, ALPHA)])),
    ),
    "score, two systems": (["score", KEY, ALPHA, BETA], lambda: referee.score(KEY, ALPHA, BETA).to_dict()),
    "score, groups": (
        ["score", KEY, ALPHA, "--by", "genre", "--singletons", "drop"],
        lambda: referee.score(KEY, ALPHA, by="genre", singletons="drop").to_dict(),
    ),
    "score, intervals": (
        ["score", KEY, ALPHA, "--ci", "--samples", "100", "--metric", "muc,lea"],
        lambda: referee.score(KEY, ALPHA, ci=True, samples=100, metric=["muc", "lea"]).to_dict(),
    ),
    "score, matchings": (
        ["score", KEY, ALPHA, "--match", "exact,head"],
        lambda: referee.score(KEY, ALPHA, match=["exact", "head"]).to_dict(),
    ),
    "compare": (
        ["compare", KEY, ALPHA, BETA, "--samples", "100", "--by", "genre", "--documents", "1"],
        lambda: referee.compare(KEY, ALPHA, BETA, samples=100, by="genre", documents=1).to_dict(),
    ),
    "curate": (["curate", ALPHA, BETA], lambda: data_of(output_of(referee.curate(ALPHA, BETA)))),
    "agree": (["agree", ALPHA, BETA], lambda: data_of(output_of(referee.agree(ALPHA, BETA)))),
    "stats": (["stats", KEY], lambda: data_of(output_of(referee.stats(KEY)))),
    "spans": (
        ["spans", KEY, "--match", "head"],
        lambda: data_of(output_of(referee.spans(KEY, match="head"))),
    ),
    "models": (["models"], lambda: data_of(model_output(list(referee.models().values())))),
}


@pytest.mark.parametrize("name", SAME)
def test_the_command_prints_the_value_of_the_function(name: str) -> None:
    arguments, value = SAME[name]
    shown = CliRunner().invoke(main, [*arguments, "--format", "json", "--quiet"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout) == json.loads(json_text(value()))


def test_errors_print_the_tables_of_the_study() -> None:
    shown = CliRunner().invoke(main, ["errors", KEY, ALPHA, "--table", "recall", "--format", "json", "-q"])
    tables = json.loads(shown.stdout)["tables"]
    (sheet,) = referee.errors(KEY, ALPHA).table("recall")
    assert tables[0]["caption"] == sheet.caption


def test_convert_and_baseline_write_what_the_functions_return(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert CliRunner().invoke(main, ["convert", KEY, str(one), "--lossy", "-q"]).exit_code == 0
    assert referee.convert(KEY, other, lossy=True).documents == 2
    assert one.read_text() == other.read_text()
    arguments = ["baseline", "same-string", KEY, "-o", str(one), "-q"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    referee.write(referee.baseline("same-string", KEY), other)
    assert one.read_text() == other.read_text()


def test_validate_prints_the_problems_that_the_function_returns(tmp_path: Path) -> None:
    broken = tmp_path / "broken.conll"
    broken.write_text(Path(KEY).read_text().replace("(0)", "(0", 1))
    shown = CliRunner().invoke(main, ["validate", str(broken), KEY, "-q", "--format", "json"])
    assert shown.exit_code == 1
    found = problem_output(referee.validate(broken, KEY))
    assert json.loads(shown.stdout) == json.loads(json_text(data_of(found)))
