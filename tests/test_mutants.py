"""What bench/mutants.py changes, and that it knows the house as it is."""

from __future__ import annotations

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
