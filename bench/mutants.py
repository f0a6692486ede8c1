"""Changes one small thing in the code that counts, and sees whether a test notices: which lines are untested?

Samples mutants of the code that decides numbers and clusters (COUNTING), or with --everywhere of all rooms
except those of LEFT_OUT, runs for each the tests that run its lines, and lists those that live. Which
tests those are is known from bench/covering.py, which is run first. What is a mutant is said in
bench/mutation.py, and which change nothing in bench/equivalents.py.

The tests are collected once. A mutant is a child of that process, in which its function gets the changed
code; where the change is outside of functions, the child imports the house anew. The first test that fails
ends it, and is seen to pass without the mutant.

    python bench/mutants.py [--count 100] [--seed 1] [--everywhere] [--only resolvers/camp]
        [--each-room] [--check]
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import importlib
import importlib.machinery
import json
import os
import random
import re
import resource
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from covering import PARTS, QUIET, ROOT, SOURCE, checksums
from equivalents import EQUIVALENT
from mutation import Mutant, Source, functions_of

# Rooms whose mutants are not made, and why.
LEFT_OUT = {
    "training/": "needs torch, and so an environment of its own (make test-training)",
    "adaptors/": "classes of torchmetrics, scikit-learn and evaluate, which are tested in that environment",
    "cli/": "options and printing; its tests are runs of commands, which the pages repeat with their outputs",
    "tables/": "the look of what people read, which the pages repeat word by word",
    "page/": "the look of pages, which are tested in a browser",
    "sample/": "data",
    "__main__.py": "one call",
}
# The code that decides numbers and clusters, which is held to MOST; the others are looked at by --everywhere.
COUNTING = (
    "metrics/", "matching/", "comparing/", "analysis/", "language/minimum_spans.py",
    "language/entity_types.py", "resolvers/camp/", "resolvers/people/", "resolvers/replacing/",
    "resolvers/neural/features.py",
    "resolvers/neural/entities.py", "resolvers/neural/entity_decisions.py", "resolvers/neural/deciding.py",
    "resolvers/across/linkage.py", "resolvers/across/similarity.py", "resolvers/across/pair_features.py",
)  # fmt: skip
# Of tests for one mutant, the quickest first, as measured under coverage.py: some 6 s without it.
SECONDS = 15.0
CASES = 8  # of one test that are run before other tests
LIMIT = 20  # seconds of the processor; a mutant that takes longer hangs, and has been noticed
MOST = 0.1  # share of mutants that may live


class Test(NamedTuple):
    """A test, and how long it takes."""

    name: str
    seconds: float


def targets(*, everywhere: bool = True) -> list[Path]:
    """The files that are mutated."""
    names = {str(path.relative_to(SOURCE)): path for path in sorted(SOURCE.rglob("*.py"))}
    return [
        path
        for name, path in names.items()
        if not name.startswith(tuple(LEFT_OUT)) and (everywhere or name.startswith(COUNTING))
    ]


def mutants_of(paths: Iterable[Path]) -> Iterator[Mutant]:
    """All mutants of some files."""
    for path in paths:
        yield from Source(path, path.relative_to(ROOT)).mutants()


def room_of(path: Path) -> str:
    """The room or sub-room of a file."""
    return str(path.parent.relative_to("src/referee"))


def sample(asked: argparse.Namespace) -> list[Mutant]:
    """Draw mutants: as many of all, or of each room."""
    count, everywhere = asked.count, asked.everywhere or bool(asked.only)
    paths = [path for path in targets(everywhere=everywhere) if asked.only in str(path)]
    found = list(mutants_of(paths))
    print(f"{len(found)} possible mutants in {len({mutant.path for mutant in found})} files", flush=True)
    draw = random.Random(asked.seed)
    if not asked.each_room:
        return draw.sample(found, min(count, len(found)))
    rooms: dict[str, list[Mutant]] = {}
    for mutant in found:
        rooms.setdefault(room_of(mutant.path), []).append(mutant)
    return [mutant for room in rooms.values() for mutant in draw.sample(room, min(count, len(room)))]


def reason(mutant: Mutant, text: bytes) -> str | None:
    """Why a mutant changes nothing, if it is known to."""
    before, after = mutant.shown(text)
    return next((why for (old, new), why in EQUIVALENT.items() if old in before and new in after), None)


class Choice:
    """Which tests run what, as bench/covering.py found."""

    def __init__(self) -> None:
        """Read the map; of a function that has changed since, only who enters it is known."""
        self.by_function: dict[tuple[str, str], dict[Test, set[int]]] = {}
        self.by_file: dict[str, dict[Test, int]] = {}  # and how many lines of the file each runs
        for path in sorted(PARTS.glob("*.json")):
            part = json.loads(path.read_text(encoding="utf-8"))
            for name, (seconds, entered) in part["tests"].items():
                if (ROOT / name.partition("::")[0]).exists():
                    for file, functions in entered.items():
                        self._add(Test(name, seconds), file, functions, part["functions"][file])

    def _add(self, test: Test, file: str, functions: dict[str, list[int]], texts: dict[str, int]) -> None:
        if not (ROOT / file).exists():
            return
        self.by_file.setdefault(file, {})[test] = sum(map(len, functions.values()))
        now = checksums(file)
        for name, lines in functions.items():
            same = texts[name] == now.get(name)
            self.by_function.setdefault((file, name), {})[test] = set(lines if same else ())

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that ought to notice a mutant: those that run its line before those of its function.

        What is assigned at import is looked at by the tests that enter a function in which its name is.
        Those of the room come first, the quickest before slower ones; of a test with many cases those that
        run most of the file, and the others last.
        """
        file = str(mutant.path)
        entering = self.by_function.get((file, mutant.function), {})
        running = {test for test, lines in entering.items() if not lines.isdisjoint(mutant.lines)}
        for function in functions_with(mutant.names):
            running.update(self.by_function.get(function, ()))
        others = [test for test in entering or self.by_file.get(file, {}) if test not in running]
        left = SECONDS
        chosen: list[Test] = []
        for test in [*self._ranked(running, mutant), *self._ranked(others, mutant)]:
            left -= test.seconds
            if left < 0 and chosen:
                break
            chosen.append(test)
        files = list(dict.fromkeys(test.name.partition("::")[0] for test in chosen))  # one after the other
        chosen.sort(key=lambda test: (test not in running, files.index(test.name.partition("::")[0])))
        return [test.name for test in chosen]

    def _ranked(self, tests: Iterable[Test], mutant: Mutant) -> list[Test]:
        near = (f"tests/{room_of(mutant.path)}/", str(mutant.path))
        lines = self.by_file.get(str(mutant.path), {})
        ranked: list[tuple[bool, bool, float, Test]] = []
        cases: Counter[str] = Counter()
        for test in sorted(tests, key=lambda test: (-lines.get(test, 0), test)):
            cases[test.name.partition("[")[0]] += 1
            many = cases[test.name.partition("[")[0]] > CASES
            ranked.append((not test.name.startswith(near), many, test.seconds, test))
        return [test for *_, test in sorted(ranked)]


@cache
def functions_with(names: frozenset[str]) -> list[tuple[str, str]]:
    """The functions of the house in which one of some names is, by file and name."""
    one_of = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b".encode())
    found = []
    for path in sorted(SOURCE.rglob("*.py")) if names else ():
        data = path.read_bytes()
        if one_of.search(data):
            lines = data.splitlines()
            for name, first, last in functions_of(ast.parse(data)):
                if one_of.search(b"\n".join(lines[first - 1 : last])):
                    found.append((str(path.relative_to(ROOT)), name))
    return found


class Running:
    """Runs mutants in children of a process that has collected the tests."""

    def __init__(
        self, mutants: list[Mutant], choice: Choice, told: Callable[[int, Mutant, str], None]
    ) -> None:
        """Prepare for mutants; what becomes of each is told."""
        self.mutants, self.choice, self.told = mutants, choice, told
        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[tuple[str, str], list[FunctionType]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run mutants instead of tests."""
        self.items = {item.nodeid: item for item in session.items}
        for path in {mutant.path for mutant in self.mutants}:
            importlib.import_module(module_name(path))
        self.functions = functions_by_name()
        gc.freeze()  # what children do not look at is not copied
        for number, mutant in enumerate(self.mutants, 1):
            names = [name for name in self.choice.tests(mutant) if name in self.items]
            self.told(number, mutant, self.noticed_by(mutant, names) if names else "")
        return True

    def noticed_by(self, mutant: Mutant, names: list[str]) -> str:
        """The test that notices a mutant; "" if it lives."""
        text = (ROOT / mutant.path).read_bytes()
        noticed = in_child(lambda: self._mutated(mutant, text, names))
        if noticed not in self.items or self._passes(noticed):
            return noticed
        sys.stderr.write(f"{noticed} fails without any mutant, and is not used\n")
        return self.noticed_by(mutant, [name for name in names if name != noticed])

    @cache  # noqa: B019 there is one
    def _passes(self, name: str) -> bool:
        return not in_child(lambda: self._first_failing([name]))

    def _mutated(self, mutant: Mutant, text: bytes, names: list[str]) -> str:
        old = self.functions.get((str(ROOT / mutant.path), mutant.function), [])
        if mutant.function and replace_code(old, mutant, text):
            return self._first_failing(names)
        return first_failing_anew(mutant, text, names)

    def _first_failing(self, names: list[str]) -> str:
        items = [self.items[name] for name in names]
        for item, following in zip(items, [*items[1:], None], strict=True):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                return item.nodeid
        return ""


def in_child(work: Callable[[], str]) -> str:
    """What a function gives in a child of this process, in silence; its end is told if it has a bad one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()  # so that processes that the tests start end with it
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        try:
            os.write(writing, work().encode() or b"-")
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], 50 * LIMIT)
    answer = os.read(reading, 4096).decode() if ready else ""
    os.close(reading)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return {"-": "", "": "no answer"}.get(answer, answer)


def module_name(path: Path) -> str:
    """`src/referee/arrays.py` as `referee.arrays`."""
    return ".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__")


def functions_by_name() -> dict[tuple[str, str], list[FunctionType]]:
    """The functions of the house that exist, by file and name."""
    found: dict[tuple[str, str], list[FunctionType]] = {}
    gc.unfreeze()  # tests/conftest.py leaves out what was there before the tests
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(str(SOURCE)):
            found.setdefault((each.__code__.co_filename, each.__code__.co_qualname), []).append(each)
    return found


def replace_code(functions: Iterable[FunctionType], mutant: Mutant, text: bytes) -> bool:
    """Give functions the changed code; whether there are any."""
    made = compile(mutant.changed(text), str(ROOT / mutant.path), "exec")
    code = next(code for code in codes_of(made) if code.co_qualname == mutant.function)
    fitting = [each for each in functions if each.__code__.co_freevars == code.co_freevars]
    for function in fitting:
        function.__code__ = code
    return bool(fitting)


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """The functions in the code of a module and of its classes."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from codes_of(each)


def first_failing_anew(mutant: Mutant, text: bytes, names: list[str]) -> str:
    """Import the house with the mutant in it, and run tests."""
    changed, usual = ROOT / mutant.path, importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: Any, name: str) -> Any:
        if Path(loader.path) == changed:
            return compile(mutant.changed(text), loader.path, "exec", dont_inherit=True)
        return usual(loader, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    for name, module in list(sys.modules.items()):
        file = str(getattr(module, "__file__", None) or "")
        if file.startswith((str(SOURCE), str(ROOT / "tests"))):
            del sys.modules[name]
    failing = Failing()
    status = pytest.main([*OPTIONS, "-x", *names], plugins=[failing])
    return failing.name or ("" if status == 0 else "the import")


class Failing:
    """The first test that fails."""

    name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note it."""
        if report.failed:
            self.name = self.name or report.nodeid


OPTIONS = (
    "-q",
    "-s",
    "--continue-on-collection-errors",
    "--assert=plain",
    "--tb=no",
    "-p",
    "no:cacheprovider",
    *QUIET,
)


class Telling:
    """Says what lives, and counts."""

    def __init__(self, count: int) -> None:
        """Begin."""
        self.count, self.start = count, time.perf_counter()
        self.rooms: dict[str, Counter[str]] = {}

    def __call__(self, number: int, mutant: Mutant, noticed: str) -> None:
        """Say what became of a mutant."""
        text = (ROOT / mutant.path).read_bytes()
        known = None if noticed else reason(mutant, text)
        kind = "noticed" if noticed else "equivalent" if known else "living"
        self.rooms.setdefault(room_of(mutant.path), Counter())[kind] += 1
        if not noticed:
            before, after = mutant.shown(text)
            where = f"{mutant.path}:{mutant.line} {mutant.function}"
            self.say(f"{where}: {known or 'LIVES'} ({number} of {self.count})\n  - {before}\n  + {after}")

    def say(self, text: str) -> None:
        """Write to standard error, since pytest has the other."""
        sys.stderr.write(text + "\n")

    def end(self) -> float:
        """Say how many live, and give their share."""
        total: Counter[str] = sum(self.rooms.values(), Counter())
        for room, counts in sorted(self.rooms.items()):
            self.say(f"{counts['living']:4} of {counts['living'] + counts['noticed']:4} live in {room}")
        real = total["living"] + total["noticed"]
        self.say(
            f"{total['living']} of {real} live ({total['living'] / max(real, 1):.0%}), "
            f"{total['equivalent']} more change nothing; {time.perf_counter() - self.start:.0f} s"
        )
        return total["living"] / max(real, 1)


def without_shrinking() -> None:
    """A mutant is noticed by the first example that fails; to look for the smallest takes long."""
    usual = hypothesis.settings.register_profile
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    without = staticmethod(lambda name, **options: usual(name, **{**options, "phases": phases}))
    type.__setattr__(hypothesis.settings, "register_profile", without)  # its class allows no assignment


def main() -> None:
    """Sample, run and list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="mutate only files whose path has this in it")
    parser.add_argument("--everywhere", action="store_true", help="also where nothing is counted or decided")
    parser.add_argument("--each-room", action="store_true", help="draw as many from each room")
    parser.add_argument("--check", action="store_true", help="fail if too many live")
    asked = parser.parse_args()
    os.environ |= {"CI": "1", "OMP_NUM_THREADS": "1"}
    os.chdir(ROOT)
    mutants = sample(asked)
    choice, telling = Choice(), Telling(len(mutants))
    files = {name.partition("::")[0] for mutant in mutants for name in choice.tests(mutant)}
    without_shrinking()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    pytest.main([*OPTIONS, *sorted(files)], plugins=[Running(mutants, choice, telling)])
    if telling.end() > MOST and asked.check:
        sys.exit(1)


if __name__ == "__main__":
    main()
