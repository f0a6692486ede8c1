"""How the options that say how errors are found become the settings of a study."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from referee.analysis.antecedents import read_antecedents
from referee.analysis.link_errors import TREES, Decisions, Tree
from referee.analysis.transformation_rules import REFEREE, TransformationRules
from referee.exceptions import RefereeError, SettingError
from referee.language.mention_types import Category
from referee.matching.protocol import RELATION_LAYERS
from referee.scoring.task import PathName, Task

USUAL_TREE = "accessibility"
Antecedents = Sequence[PathName | Decisions | None]


def study_settings(
    spanning_tree: Tree | str,
    mention_type: Category | str | None,
    antecedents: Antecedents,
    systems: Sequence[str],
) -> dict[str, Any]:
    """Load the functions and antecedents that are named, as a study takes them."""
    tree, types = spanning_tree, mention_type
    named = isinstance(tree, str) and tree not in TREES
    return {
        "spanning_tree": _function(str(tree), "spanning_tree") if named else tree,
        "mention_type": _function(types, "mention_type") if isinstance(types, str) else types,
        "antecedents": _decisions(antecedents, systems),
    }


def refuse_trees(
    task: Task,
    spanning_tree: Tree | str,
    precision_spanning_tree: Tree | str | None,
    antecedents: Antecedents,
    classes: TransformationRules | str = REFEREE,
) -> None:
    """Refuse settings of links that are chosen, where the links are annotated."""
    if task.protocol.layer not in RELATION_LAYERS:
        return
    given = {
        "spanning_tree=": spanning_tree != USUAL_TREE,
        "precision_spanning_tree=": precision_spanning_tree is not None,
        "antecedents=": bool(antecedents),
        "classes=": classes not in (REFEREE, REFEREE.name),
    }
    if named := [name for name, is_given in given.items() if is_given]:
        raise SettingError(
            f"{named[0]} chooses links of clusters, but layer='{task.protocol.layer}' has links as they are "
            "annotated: leave it out"
        )


def _decisions(given: Antecedents, systems: Sequence[str]) -> list[Decisions | None]:
    """Take antecedents in the order of systems, or read files: SYSTEM=FILE, or FILE of one system."""
    if any(not isinstance(each, str | PathLike) for each in given):
        if len(given) != len(systems):
            raise SettingError(f"antecedents= are {len(given)}, and systems {len(systems)}: give one each")
        return [each if isinstance(each, Mapping) else None for each in given]
    decisions: dict[str, Decisions] = {}
    for word in [fspath(each) for each in given if isinstance(each, str | PathLike)]:
        name, equals, path = word.partition("=")
        if not equals and len(systems) == 1:
            name, path = systems[0], word
        if name not in systems:
            raise SettingError(
                f"antecedents='{word}': name the system, as SYSTEM=FILE ({', '.join(systems)})"
            )
        decisions[name] = read_antecedents(path)
    return [decisions.get(name) for name in systems]


def _function(location: str, parameter: str) -> Callable[..., Any]:
    """Load a user's function from FILE.py:NAME or MODULE:NAME."""
    where, colon, name = location.rpartition(":")
    if not colon:
        raise SettingError(f"{parameter}='{location}': neither a known name nor FILE.py:FUNCTION")
    try:
        module = _module(where)
    except (ImportError, OSError) as error:
        raise SettingError(f"{parameter}='{location}': {error}") from error
    except Exception as error:  # the user's code runs: anything may happen there
        raise RefereeError(f"{parameter}='{location}': {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise SettingError(f"{parameter}='{location}': {where} has no function '{name}'")
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
