"""Which tests run which lines of the house: a map that bench/mutants.py chooses tests by.

Each file of tests is run once under coverage.py, and its part of the map is kept in `build/covering` until
the file changes. Lines are counted from the beginning of their function, whose text is known by a checksum:
those of other functions may move. It needs coverage (pip install coverage), and takes some minutes the
first time.

    python bench/covering.py [tests/language tests/metrics src/referee/arrays.py …]
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
import time
from collections.abc import Generator, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

import pytest

from mutation import functions_of

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "referee"
PARTS = ROOT / "build" / "covering"
# Fixtures of tests that open a browser, run other programs or wait: too slow for a thousand mutants.
SLOW_FIXTURES = {"chromium", "page", "site", "sample_page", "started_browser", "wheels"}
# Caches that stay full, since filling them takes seconds; the first test to do so is credited.
STAYING = frozenset(
    {"_loaded", "_opened", "_identifier", "_japanese_dictionary", "installed", "installed_models"}
)
Entered = dict[str, dict[str, list[int]]]  # lines of functions, by file and name


class Covering:
    """Notes, for each test, how long it takes and which lines it runs."""

    def __init__(self, count: int) -> None:
        """Watch from now on, through a number of files."""
        import coverage

        self.coverage = coverage.Coverage(data_file=None, include=[f"{SOURCE}/*"], config_file=False)
        self.count, self.done, self.start = count, 0, time.perf_counter()
        self.forget()

    def forget(self) -> None:
        """Begin a file."""
        self.seconds: dict[str, float] = {}
        self.fixtures: dict[str, list[str]] = {}
        self.failed = 0
        self.context = ""
        self.coverage.erase()

    def switch(self, name: str) -> str:
        """What is entered from now on belongs to this name; gives the last one."""
        before, self.context = self.context, name
        self.coverage.switch_context(name)
        return before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Watch while the tests run."""
        self.coverage.start()
        try:
            return (yield)
        finally:
            self.coverage.stop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Name what is entered by the test; after the last of a file, keep its part of the map."""
        empty_caches()
        self.switch(item.nodeid)
        self.fixtures[item.nodeid] = list(getattr(item, "fixturenames", ()))
        start = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - start
            self.switch("")
            if nextitem is None or nextitem.path != item.path:
                self.keep(item.path)

    def keep(self, path: Path) -> None:
        """Write the map of a file of tests."""
        self.coverage.stop()
        for old in PARTS.glob(part_of(path).name.split(".py.")[0] + ".py.*"):
            old.unlink()
        tests = self.entered()
        files = sorted({file for _, entered in tests.values() for file in entered})
        part = {"functions": {file: checksums(file) for file in files}, "tests": tests}
        part_of(path).write_text(json.dumps(part, separators=(",", ":")), encoding="utf-8")
        self.done += 1
        said = f", {self.failed} fail" if self.failed else ""
        took = sum(self.seconds.values())
        since = time.perf_counter() - self.start
        name = path.relative_to(ROOT)
        sys.stderr.write(f"{self.done} of {self.count}: {name} {took:.1f} s{said}, {since:.0f} s in all\n")
        self.forget()
        self.coverage.start()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what fails."""
        self.failed += report.failed

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """What a fixture of several tests enters belongs to all of them."""
        if fixturedef.scope == "function":
            return (yield)
        before = self.switch(f"fixture {fixturedef.argname}")
        try:
            return (yield)
        finally:
            self.switch(before)

    def entered(self) -> dict[str, tuple[float, Entered]]:
        """The seconds and lines of each test."""
        data = self.coverage.get_data()
        found: dict[str, dict[tuple[str, str], set[int]]] = {}
        for path in filter(lambda path: path.endswith(".py"), data.measured_files()):
            owner = function_of_line(path)
            name = str(Path(path).relative_to(ROOT))
            for line, tests in data.contexts_by_lineno(path).items():
                if line in owner:
                    function, first = owner[line]
                    for test in tests:
                        found.setdefault(test, {}).setdefault((name, function), set()).add(line - first)
        return {
            test: (seconds, joined([test, *(f"fixture {name}" for name in self.fixtures[test])], found))
            for test, seconds in self.seconds.items()
        }


@cache
def function_of_line(path: str) -> dict[int, tuple[str, int]]:
    """The function that each line of a file is in, and its first line."""
    bodies = functions_of(ast.parse(Path(path).read_bytes()))
    return {line: (name, first) for name, first, last in bodies for line in range(first, last + 1)}


@cache
def checksums(file: str) -> dict[str, int]:
    """The text of each function of a file, as a number."""
    data = (ROOT / file).read_bytes()
    lines = data.splitlines()
    bodies = functions_of(ast.parse(data))
    return {name: crc32(b"\n".join(lines[first - 1 : last])) for name, first, last in bodies}


def joined(names: Iterable[str], found: dict[str, dict[tuple[str, str], set[int]]]) -> Entered:
    """What is run by a test and by the fixtures that it shares."""
    whole: dict[tuple[str, str], set[int]] = {}
    for name in names:
        for place, some in found.get(name, {}).items():
            whole.setdefault(place, set()).update(some)
    entered: Entered = {}
    for (path, function), lines in sorted(whole.items()):
        entered.setdefault(path, {})[function] = sorted(lines)
    return entered


def empty_caches() -> None:
    """Forget what earlier tests made, so that each test enters all that its result depends on."""
    for name, module in list(sys.modules.items()):
        if isinstance(module, ModuleType) and (name.startswith("referee") or _is_of_tests(module)):
            for value in list(vars(module).values()):
                clear = getattr(value, "cache_clear", None)  # a namespace of RDF has all names
                if callable(clear) and getattr(value, "__name__", "") not in STAYING:
                    clear()


def _is_of_tests(module: ModuleType) -> bool:
    return str(getattr(module, "__file__", None) or "").startswith(str(ROOT / "tests"))


def part_of(path: Path) -> Path:
    """Where the map of a file of tests is kept: under the hash of its text."""
    name = str(path.relative_to(ROOT)).replace("/", "+")
    return PARTS / f"{name}.{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}.json"


def files_of_tests(under: Iterable[str] = ("src/referee", "tests")) -> list[Path]:
    """The files with tests or examples under some folders."""
    starts = [ROOT / name for name in under]
    found = [
        path for start in starts for path in ([start] if start.is_file() else sorted(start.rglob("*.py")))
    ]
    return [path for path in found if path.name.startswith("test_") or _has_examples(path)]


def _has_examples(path: Path) -> bool:
    return SOURCE in path.parents and ">>> " in path.read_text(encoding="utf-8")


# hypothesis and others are loaded before pytest could rewrite their assertions
QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")


class Skipping:
    """Leaves out tests that are slow by what they need."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose by fixtures."""
        items[:] = [item for item in items if not SLOW_FIXTURES & {*getattr(item, "fixturenames", ())}]


def main(under: list[str]) -> None:
    """Map what is new or changed."""
    os.environ |= {"CI": "1", "OMP_NUM_THREADS": "1", "HYPOTHESIS_EXAMPLES": "5"}
    PARTS.mkdir(parents=True, exist_ok=True)
    files = [path for path in files_of_tests(under or ["src/referee", "tests"]) if not part_of(path).exists()]
    options = ["-q", "-p", "no:cacheprovider", "--assert=plain", "--continue-on-collection-errors", *QUIET]
    os.chdir(ROOT)
    if files:
        os.dup2(
            os.open(str(PARTS / "log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1
        )  # what pytest writes; the figures go to stderr
        pytest.main([*options, *map(str, files)], plugins=[Skipping(), Covering(len(files))])


if __name__ == "__main__":
    main(sys.argv[1:])
