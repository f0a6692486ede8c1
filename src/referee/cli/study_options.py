"""What the commands that look at errors share: their options, and how these become a study."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from referee.analysis.antecedents import read_antecedents
from referee.analysis.link_errors import TREES, Decisions
from referee.analysis.study import Study, study_of
from referee.analysis.transformation_rules import REFEREE
from referee.cli.names import completing
from referee.cli.options import layer_options
from referee.cli.terminal import Command, progress_bar
from referee.exceptions import RefereeError
from referee.scoring.task import Task

OPTIONS = (
    click.option(
        "--spanning-tree", metavar="NAME", default="accessibility", show_default=True,
        shell_complete=completing(lambda: TREES),
        help=f"How links are chosen: {', '.join(TREES)}, or FILE.py:FUNCTION.",
    ),
    click.option(
        "--mention-type", metavar="FILE.py:FUNCTION", help="A function that returns the type of a mention."
    ),
    click.option(
        "--antecedents", multiple=True, metavar="FILE",
        help="Antecedents that a system chose, for precision errors; SYSTEM=FILE if there are several "
        "systems.",
    ),
)  # fmt: skip


def study_options(command: Command) -> Command:
    """Add the options that say how errors are found; the command gets them as keywords."""
    command = layer_options(command)
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions:
    """How errors are found, as given on the command line."""

    spanning_tree: str = "accessibility"
    mention_type: str | None = None
    antecedents: Sequence[str] = ()
    layers: str | None = None
    nlp: str | None = None


def study(task: Task, options: StudyOptions, classes: str = REFEREE.name) -> Study:
    """Find the errors of each response, with a progress bar for the reading of the key."""
    task = task.with_layers(options.layers, options.nlp)
    given = functions_and_antecedents(options, task.systems)
    with progress_bar(len(task.key), "reading") as advance:
        return study_of(task, classes=classes, **given, progress=advance)


def functions_and_antecedents(options: StudyOptions, names: Sequence[str]) -> dict[str, Any]:
    """Load the functions and antecedents that the options name, as `analyse` and `report` take them."""
    tree, types = options.spanning_tree, options.mention_type
    return {
        "spanning_tree": tree if tree in TREES else _function(tree, "--spanning-tree"),
        "mention_type": _function(types, "--mention-type") if types else None,
        "antecedents": _decisions(options.antecedents, names),
    }


def _decisions(given: Sequence[str], names: Sequence[str]) -> list[Decisions | None]:
    """Read antecedents, given as SYSTEM=FILE or, for a single system, as FILE."""
    decisions: dict[str, Decisions] = {}
    for word in given:
        name, equals, path = word.partition("=")
        if not equals and len(names) == 1:
            name, path = names[0], word
        if name not in names:
            raise click.UsageError(
                f"--antecedents {word}: name the system, as SYSTEM=FILE ({', '.join(names)})"
            )
        decisions[name] = read_antecedents(path)
    return [decisions.get(name) for name in names]


def _function(location: str, option: str) -> Callable[..., Any]:
    """Load a user's function from FILE.py:NAME or MODULE:NAME."""
    where, colon, name = location.rpartition(":")
    if not colon:
        raise click.UsageError(f"{option} {location}: neither a known name nor FILE.py:FUNCTION")
    try:
        module = _module(where)
    except (ImportError, OSError) as error:
        raise click.UsageError(f"{option} {location}: {error}") from error
    except Exception as error:  # the user's code runs: anything may happen there
        raise RefereeError(f"{option} {location}: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise click.UsageError(f"{option} {location}: {where} has no function '{name}'")
    return function  # type: ignore[no-any-return]


def _module(where: str) -> Any:
    if not where.endswith(".py"):
        return importlib.import_module(where)
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot read {where}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
