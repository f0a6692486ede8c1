"""What bench/mutants.py changes, and that it knows the house as it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import referee

HOUSE = Path(referee.__file__).parent
BENCH = HOUSE.parents[1] / "bench"


@pytest.fixture(autouse=True)
def bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH)])


def test_what_is_left_out_exists_and_everything_else_is_mutated() -> None:
    from mutants import COUNTING, LEFT_OUT, targets

    assert all(HOUSE.joinpath(name).exists() for name in COUNTING)
    assert all(HOUSE.joinpath(name).exists() and why for name, why in LEFT_OUT.items())
    mutated = {str(path.relative_to(HOUSE)) for path in targets()}
    for path in HOUSE.rglob("*.py"):
        name = str(path.relative_to(HOUSE))
        assert (name in mutated) != name.startswith(tuple(LEFT_OUT))


def test_a_mutant_that_changes_nothing_is_of_a_line_that_exists() -> None:
    from equivalents import EQUIVALENT
    from mutants import targets

    lines = "\n".join(path.read_text(encoding="utf-8") for path in targets())
    assert not [old for old, _ in EQUIVALENT if old not in lines]


def changes(tmp_path: Path, text: str) -> set[str]:
    from mutation import Source

    (tmp_path / "made.py").write_text(text, encoding="utf-8")
    mutants = Source(tmp_path / "made.py", Path("made.py")).mutants()
    return {mutant.shown(text.encode())[1] for mutant in mutants}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a < b", {"a <= b"}),
        ("a is not b", {"a is b"}),
        ("a and not b", {"a or not b", "a and b"}),
        ("a[1:n]", {"a[2:n]", "a[(0):n]", "a[:n]"}),
        ("min(a)", {"max(a)", "pass"}),
        ("a[b] = c", {"pass"}),
        ("x = True", {"x = False"}),
        ("x = -1", {"x = 1", "x = -(0)"}),
        ("a[-1]", {"a[1]", "a[-2]", "a[-(0)]"}),
        ("x = 'a + b'", set()),
        ("raise E(f'{a + 1}')", set()),
        ("x: Literal[1] | None = y", set()),
        ("for pair in zip(a, b, strict=True): yes = pair", set()),
        ("if TYPE_CHECKING: import x.y; z(1)", set()),
    ],
)
def test_small_changes(text: str, changed: set[str], tmp_path: Path) -> None:
    assert changes(tmp_path, text) == changed


def test_a_mutant_names_the_function_whose_code_changes(tmp_path: Path) -> None:
    from mutation import Source

    path = tmp_path / "made.py"
    path.write_text(
        "A = 1\nclass B:\n    c = 2\n    def d(self, e=3):\n        def f():\n            return 4\n",
        encoding="utf-8",
    )
    named = {(mutant.line, mutant.function) for mutant in Source(path, path).mutants()}
    assert named == {(1, ""), (3, ""), (4, ""), (6, "B.d")}


def test_a_mutant_names_what_is_assigned_at_import_and_its_lines_in_a_function(tmp_path: Path) -> None:
    from mutation import Source

    path = tmp_path / "made.py"
    path.write_text(
        "A, B = 1, (\n    2\n)\ndef f():\n    a = 5\n    if (\n        a == 6\n    ):\n        pass\n",
        encoding="utf-8",
    )
    found = {(mutant.line, mutant.names, mutant.lines) for mutant in Source(path, path).mutants()}
    assert found == {
        (1, frozenset("AB"), range(1, 4)),
        (2, frozenset("AB"), range(1, 4)),
        (5, frozenset(), range(1)),
        (7, frozenset(), range(1, 4)),
    }


def test_tests_that_run_the_line_come_before_those_that_enter_its_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mutants
    from mutation import Source

    for name in ("PARTS", "ROOT"):
        monkeypatch.setattr(mutants, name, tmp_path)
    monkeypatch.setattr(mutants, "checksums", lambda _: {"f": 7})
    monkeypatch.setattr(mutants, "room_of", lambda _: "made")
    made, tests = tmp_path / "made.py", tmp_path / "test_made.py"
    tests.touch()
    made.write_text("def f(a):\n    a += 1\n    return a + 2\n", encoding="utf-8")
    for checksum, first in ((7, "slow"), (8, "quick")):  # of another function, only who enters it is known
        entered = {"quick": [1.0, {"made.py": {"f": [0]}}], "slow": [2.0, {"made.py": {"f": [0, 1]}}]}
        part = {
            "functions": {"made.py": {"f": checksum}},
            "tests": {f"test_made.py::{name}": found for name, found in entered.items()},
        }
        (tmp_path / "part.json").write_text(json.dumps(part), encoding="utf-8")
        choice = mutants.Choice()
        chosen = {mutant.line: choice.tests(mutant) for mutant in Source(made, Path("made.py")).mutants()}
        assert chosen[2] == ["test_made.py::quick", "test_made.py::slow"]
        assert chosen[3][0] == f"test_made.py::{first}"
