"""The floor plan: imports point one way, every room is known, and a name means one thing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# Each room may import from the rooms listed, and from itself. A room that is not here is an error.
BASE = {"exceptions", "arrays", "registry"}
READING = BASE | {"model", "formats"}
MIDDLE = READING | {"language", "metrics", "matching"}
STUDIES = MIDDLE | {"scoring"}
SHOWN = STUDIES | {"comparing", "errors", "crossdoc", "resolve"}
ALLOWED: dict[str, set[str]] = {
    "exceptions": set(),
    "arrays": set(),
    "registry": set(),
    "model": BASE,
    "formats": BASE | {"model"},
    "language": READING,
    "metrics": {"arrays"},
    "matching": MIDDLE - {"matching"},
    "scoring": MIDDLE,
    "comparing": STUDIES,
    "errors": STUDIES,
    "crossdoc": STUDIES,
    "resolve": STUDIES,
    "tables": SHOWN,
    "page": SHOWN,
    "cli": SHOWN | {"tables", "page"},
    "__main__": {"cli"},
    "__init__": SHOWN | {"tables", "page"},
}
TOP = {"__init__", "__main__", "exceptions", "arrays", "registry"}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def rooms_imported(path: Path) -> set[str]:
    """List the rooms that a module imports from; the version and other names of the face are no rooms."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "referee":
            parts = node.module.split(".")
            imported |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            imported |= {parts[1] for parts in names if parts[0] == "referee" and len(parts) > 1}
    return {name for name in imported if (ROOT / name).exists() or (ROOT / f"{name}.py").exists()}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in ALLOWED, f"the floor plan does not know the room '{room}'"
    assert rooms_imported(path) - {room} <= ALLOWED[room]


def test_the_plan_has_no_room_that_is_gone() -> None:
    assert {room_of(path) for path in MODULES} == ALLOWED.keys() | TOP


def test_only_the_face_of_the_package_is_at_the_top() -> None:
    assert {path.stem for path in ROOT.glob("*.py")} <= TOP


def test_the_arrows_have_no_circle() -> None:
    """Rooms can be put in an order in which each imports from earlier ones only."""
    left = {room: set(allowed) for room, allowed in ALLOWED.items() if room != "__init__"}
    while left:
        free = [room for room, allowed in left.items() if not allowed & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for room in free:
            del left[room]


# Names that may occur in several places, and why.
SAME_NAMES = {
    "read": "every format has one, and formats/ the one that chooses",
    "write": "likewise",
    "looks_like": "every format has one",
}


def repeated(names: list[tuple[str, str]]) -> dict[str, list[str]]:
    """List names with their homes, if they have several."""
    homes: dict[str, list[str]] = {}
    for name, home in names:
        homes.setdefault(name, []).append(home)
    return {name: own for name, own in homes.items() if len(own) > 1}


def test_no_two_modules_have_one_name() -> None:
    stems = [(path.stem, str(path.relative_to(ROOT))) for path in MODULES if not path.stem.startswith("__")]
    assert not repeated(stems)


def test_no_two_public_classes_or_functions_have_one_name() -> None:
    names = [
        (node.name, str(path.relative_to(ROOT)))
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        and not node.name.startswith("_")
        and "overload" not in map(ast.unparse, node.decorator_list)
    ]
    twice = {name: homes for name, homes in repeated(names).items() if name not in SAME_NAMES}
    assert not twice
    assert SAME_NAMES.keys() <= repeated(names).keys(), "a name on the list is no longer repeated"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[ast.get_docstring(node) is not None :]
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            assert length <= 40, f"{node.name} has a body of {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_command_line_speaks_of_options(path: Path) -> None:
    """Other rooms name parameters, `match=`, which the command line turns into options."""
    if room_of(path) == "cli":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, documented)
    }
    said = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert not [words for words in said if words not in docstrings and re.search(r"(^|\s)--[a-z]", words)]
