"""The floor plan: imports point one way, every room and sub-room is known."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import referee
from referee.language import english

ROOT = Path(referee.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

# Each room may import from the rooms listed, and from itself. A room that is not here is an error.
BASE = {"exceptions", "encoding", "arrays", "registry", "display"}
READING = BASE | {"model", "formats"}
MIDDLE = READING | {"language", "metrics", "matching"}
STUDIES = MIDDLE | {"scoring"}
SHOWN = STUDIES | {"comparing", "analysis", "crossdoc", "resolvers"}
ALLOWED: dict[str, set[str]] = {
    "exceptions": set(),
    "encoding": {"exceptions"},
    "arrays": set(),
    "registry": {"exceptions"},
    "display": {"exceptions"},
    "model": BASE,
    "formats": BASE | {"model"},
    "language": READING,
    "metrics": {"arrays", "registry"},
    "matching": MIDDLE - {"matching"},
    "scoring": MIDDLE,
    "comparing": STUDIES,
    "adaptors": STUDIES,
    "analysis": STUDIES,
    "crossdoc": STUDIES,
    "resolvers": STUDIES | {"crossdoc"},  # topics are predicted there
    "training": STUDIES | {"resolvers"},
    "llm": MIDDLE,
    "tables": SHOWN | {"llm", "curation"},
    "page": SHOWN,
    "corrections": READING,
    "curation": STUDIES | {"comparing", "analysis"},
    "service": SHOWN | {"tables", "page", "corrections", "curation"},
    "functions": SHOWN  # training: those that train
    | {"training", "tables", "page", "llm", "service", "corrections", "curation"},
    "cli": SHOWN | {"training", "tables", "page", "functions", "llm", "service", "curation"},
    "__main__": {"cli"},
    "__init__": SHOWN | {"tables", "page", "functions", "service"},
}
TOP = {"__init__", "__main__", "exceptions", "encoding", "arrays", "registry", "display"}
TRAINING = {"cli": {"train.py"}, "functions": {"train.py", "export.py"}}  # who may see training

# The sub-rooms, and which sub-rooms of the same room each may import from. One that is not here is an error.
WITHIN: dict[str, set[str]] = {
    "formats/io": set(),
    "formats/conll": {"io"},
    "formats/conllu": {"io", "conll"},
    "formats/conllua": {"io", "conllu"},
    "formats/jsonlines": {"io"},
    "formats/marked": {"io", "conll"},
    "formats/tools": {"io", "jsonlines"},
    "formats/corpora": {"io", "conll"},
    "formats/objects": {"io", "jsonlines"},
    "language/cutting": set(),
    "language/trees": set(),
    "matching/corefud": set(),
    "matching/anaphora": {"corefud"},
    "matching/answers": set(),
    "analysis/sheets": set(),
    "adaptors/coreference": set(),
    "resolvers/people": set(),
    "resolvers/camp": {"people"},  # its last component looks at the whole text
    "resolvers/neural": {"camp", "people", "replacing"},  # titles, first names and nouns of men and women
    "resolvers/across": {"neural"},
    "resolvers/across/compatibility": {"people"},  # titles, nicknames and initials
    "resolvers/across/graph": set(),
    "resolvers/across/store": {"neural"},
    "resolvers/replacing": {"camp"},  # the same
    "training/across": {"networks", "data", "export"},
    "training/networks": set(),
    "training/data": {"networks"},
    "training/export": {"networks"},
    "service/workbench": set(),
}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


def faults(rule: Callable[[Path], object]) -> dict[str, object]:
    """List the modules that break a rule, each with what the rule finds there."""
    return {str(path.relative_to(ROOT)): found for path in MODULES if (found := rule(path))}


@cache
def modules_imported(path: Path) -> set[tuple[str, ...]]:
    """List the modules of the house that a module imports, as their path within it."""
    imported = set()
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "referee":
            parts = tuple(node.module.split(".")[1:])
            imported |= {(*parts, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            imported |= {tuple(parts[1:]) for parts in names if parts[0] == "referee"}
    return {found for parts in imported if (found := _module(parts))}


def _module(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Cut off the name that is imported of a module; names of the package itself have no module."""
    while parts and not (
        ROOT.joinpath(*parts).is_dir() or ROOT.joinpath(*parts).with_suffix(".py").is_file()
    ):
        parts = parts[:-1]
    return parts


def test_imports_point_one_way() -> None:
    """`test_the_plan_has_no_room_that_is_gone` finds a room that the floor plan does not know."""

    def against(path: Path) -> set[str]:
        room = room_of(path)
        return {parts[0] for parts in modules_imported(path)} - {room} - ALLOWED.get(room, set())

    assert not faults(against)


def test_imports_between_sub_rooms_point_one_way() -> None:
    def against(path: Path) -> set[str]:
        home = path.relative_to(ROOT).parts[:-1]
        if len(home) < 2:
            return set()
        near = {parts[1] for parts in modules_imported(path) if parts[0] == home[0] and len(parts) > 1}
        rooms = {name for name in near if (ROOT / home[0] / name).is_dir()} - {home[1]}
        return rooms - WITHIN.get("/".join(home), set())

    assert not faults(against)


@pytest.mark.parametrize("room", TRAINING)
def test_only_what_trains_sees_training(room: str) -> None:
    seen = {
        path.name
        for path in (ROOT / room).glob("*.py")
        if ("training",) in {p[:1] for p in modules_imported(path)}
    }
    assert seen == TRAINING[room]


def test_the_plan_has_no_room_that_is_gone() -> None:
    assert {room_of(path) for path in MODULES} == ALLOWED.keys() | TOP
    assert {
        "/".join(path.relative_to(ROOT).parts[:-1])
        for path in MODULES
        if len(path.relative_to(ROOT).parts) > 2
    } == (WITHIN.keys())


def test_the_design_page_draws_every_room() -> None:
    page = (ROOT.parents[1] / "docs" / "design.md").read_text(encoding="utf-8")
    rooms = {room for room in ALLOWED if room not in TOP} | WITHIN.keys()
    assert not {room for room in rooms if f"`{room}/`" not in page}


def test_no_room_has_the_name_of_a_public_function() -> None:
    assert not ALLOWED.keys() & set(referee.__all__)


def test_only_the_face_of_the_package_is_at_the_top() -> None:
    assert {path.stem for path in ROOT.glob("*.py")} <= TOP


def without_circle(arrows: dict[str, set[str]]) -> bool:
    """Whether things can be put in an order in which each has arrows to earlier ones only."""
    left = {name: set(to) for name, to in arrows.items()}
    while left:
        free = [name for name, to in left.items() if not to & left.keys()]
        if not free:
            return False
        for name in free:
            del left[name]
    return True


def test_the_arrows_have_no_circle() -> None:
    assert without_circle({room: allowed for room, allowed in ALLOWED.items() if room != "__init__"})
    assert without_circle(
        {room: {f"{room.split('/')[0]}/{name}" for name in to} for room, to in WITHIN.items()}
    )


def test_public_names_are_unique_in_the_house() -> None:
    """A name of `referee.__all__` is defined once; all others are unique by their path."""
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for node in tree_of(path).body:
            overloaded = "overload" in map(ast.unparse, getattr(node, "decorator_list", ()))
            if (
                isinstance(node, ast.ClassDef | ast.FunctionDef)
                and node.name in referee.__all__
                and not overloaded
            ):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    formats = {"read", "write"}  # every format has one of each, and formats/ the one that chooses
    assert not {name: found for name, found in homes.items() if len(found) > 1 and name not in formats}


def test_files_are_small() -> None:
    assert not faults(lambda path: len(path.read_text(encoding="utf-8").splitlines()) > 400)


def test_functions_are_small() -> None:
    def large(path: Path) -> list[str]:
        functions = [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef)]
        bodies = [(node.name, node.body[ast.get_docstring(node) is not None :]) for node in functions]
        lengths = [(name, (b[-1].end_lineno or 0) - b[0].lineno + 1) for name, b in bodies if b]
        return [f"{name} has a body of {length} lines" for name, length in lengths if length > 40]

    assert not faults(large)


def test_scripts_styles_and_templates_are_small_too() -> None:
    written = [path for ending in ("js", "css", "html", "j2", "toml") for path in ROOT.rglob(f"*.{ending}")]
    assert len(written) > 50
    assert not [path for path in written if len(path.read_text(encoding="utf-8").splitlines()) > 400]


def test_only_the_command_line_speaks_of_options() -> None:
    """Other rooms name parameters, `match=`, which the command line turns into options."""

    def options(path: Path) -> list[str]:
        nodes = nodes_of(path)
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        docstrings = {ast.get_docstring(node, clean=False) for node in nodes if isinstance(node, documented)}
        said = [node.value for node in nodes if isinstance(node, ast.Constant)]
        words = [each for each in said if isinstance(each, str) and each not in docstrings]
        return [each for each in words if re.search(r"(^|\s)--[a-z]", each)]

    assert not faults(lambda path: room_of(path) != "cli" and options(path))


def _words_of(node: ast.AST) -> set[str]:
    """Collect the words of all strings in a literal; prose, which has capitals, is not a list of words."""
    strings = [
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return {word for string in strings if string == string.lower() for word in string.split()}


def test_only_english_lists_pronouns() -> None:
    """Others make theirs from those of `language/english.py`, and say how they differ."""

    def listed(path: Path) -> list[set[str]]:
        nodes = nodes_of(path)
        said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
        literals = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict)
        lists = [_words_of(node) for node in nodes if isinstance(node, literals) and id(node) not in said]
        return [words & english.PERSONAL for words in lists if len(words & english.PERSONAL) > 3]

    assert faults(listed).keys() == {"language/english.py"}


# Who may open files beside formats/io, which opens those of users; and what they are.
OPENERS = {
    "cli/__init__.py": "its own modules, to list commands",
    "cli/streams.py": "standard output and standard error, by their numbers",
    "corrections/journal.py": "journals, which are synced line by line",
    "corrections/reading.py": "journals, whose last line may not be whole",
    "language/cutting/rules.py": "its own rules of languages",
    "language/first_names.py": "its own lists of names",
    "language/nouns.py": "its own lists of nouns",
    "language/recognition.py": "its own words of Norwegian",
    "language/word_classes.py": "its own tables of languages",
    "language/wordnet.py": "the database of WordNet, which is installed",
    "llm/instructions.py": "its own guidelines",
    "page/assets.py": "its own files",
    "page/render.py": "its own templates",
    "resolvers/camp/camp.py": "its own word lists",
    "resolvers/camp/lexicon.py": "its own word lists",
    "resolvers/replacing/inventing.py": "its own lists of names",
    "resolvers/across/store/files.py": "rows of numbers behind others, which count when all are written",
    "resolvers/across/store/growing.py": "the weights of its model, for their digest",
    "resolvers/across/model.py": "the files of a model, for their digest",
    "resolvers/part_files.py": "its own outputs and their records",
    "training/phases.py": "its own logs",
    "service/counters.py": "what the system says of the memory of processes",
    "service/inputs.py": "files of a request, in its own folder",
    "service/work.py": "what a request wrote, in its own folder",
    "service/worker.py": "standard output, by its number",
    "service/workbench/export.py": "its own exports, which a browser keeps",
    "service/workbench/running.py": "the address of a server, which nobody else may read",
    "training/export/model.py": "a copy of a model's tokenizer",
}
OPENING = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "fdopen"}
HARMLESS = {"replace", "backslashreplace", "surrogatepass"}  # ways to write any text


def _calls(path: Path) -> list[ast.Call]:
    return [node for node in nodes_of(path) if isinstance(node, ast.Call)]


def _opens(call: ast.Call) -> bool:
    """Whether a call opens a file: `open(…)`, or a method of a path that is given no path."""
    if isinstance(call.func, ast.Name):
        return call.func.id == "open"
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in OPENING:
        return False
    return not (isinstance(call.func.value, ast.Name) and call.func.value.id in ("builder", "system"))


def test_files_of_users_are_opened_in_one_place() -> None:
    """`formats/io` opens them: packed, from a pipe, with odd bytes, and with an error that names the file."""
    opening = faults(lambda path: any(map(_opens, _calls(path))))
    assert {name for name in opening if not name.startswith("formats/io/")} == OPENERS.keys()


def _codes(call: ast.Call) -> bool:
    """Whether a call turns text into bytes or back in a way that odd bytes or characters end."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("encode", "decode"):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    words = {each.value for each in given if isinstance(each, ast.Constant)}
    bound = isinstance(call.func.value, ast.Name) and call.func.value.id in ("self", "decoder")
    return not (words & {*HARMLESS, "ascii"} or bound)


def test_text_and_bytes_meet_in_one_place() -> None:
    """`encoding.py` turns one into the other, so that no odd byte ends in a traceback."""
    lines = faults(lambda path: [call.lineno for call in _calls(path) if _codes(call)])
    assert not lines.keys() - {"encoding.py"}, lines


def test_a_test_file_that_cannot_be_imported_is_an_error(tmp_path: Path) -> None:
    """The collection of examples in docstrings would skip it, and its tests would never run."""
    (tmp_path / "test_broken.py").write_text(
        "import not_there\n\ndef test(): assert True\n", encoding="utf-8"
    )
    project = ROOT.parents[1]
    plain = ["-c", str(project / "pyproject.toml"), "-p", "conftest", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *plain, str(tmp_path)], cwd=project, capture_output=True, text=True
    )
    assert ran.returncode == pytest.ExitCode.INTERRUPTED
    assert "No module named 'not_there'" in ran.stdout
