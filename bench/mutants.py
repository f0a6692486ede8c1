"""Changes one small thing in the code that counts, and sees whether a test notices: which lines are untested?

Samples mutants over the modules below, runs for each the tests that ought to notice, and lists those that
live. They are made in a copy of the project; the corpora are not used.

    python bench/mutants.py [--count 100] [--seed 1] [--only metrics/] [--check]
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import hypothesis.strategies  # noqa: F401  loaded once here, not by every run of the tests
import pytest
import scipy.optimize
import scipy.sparse.csgraph  # noqa: F401

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/referee")
METRICS = (
    "test_reference", "test_oracle", "test_assignment", "test_each_way", "test_twinless", "test_properties",
    "test_by_mention",
)  # fmt: skip
SCORED = (
    "tests/matching", "tests/scoring/test_evaluate.py", "tests/crossdoc/test_scope.py",
    "tests/cli/test_matching.py", "tests/formats/conll/test_reference_scorer.py",
)  # fmt: skip
SPANS = ("tests/language/test_minimum_spans.py", "tests/language/test_span_survey.py")
CAMP = tuple(f"tests/resolvers/camp/test_{name}.py" for name in ("stories", "made_parses", "components"))
COMPARED = ("tests/comparing/test_significance.py", "tests/comparing/test_breakdowns.py")
KINDS = ("tests/comparing/test_stratified_scores.py", "tests/comparing/test_breakdowns.py")
# Where to look, and which tests ought to notice, the quickest first.
TARGETS: dict[str, tuple[str, ...]] = {
    "metrics/*.py": tuple(f"tests/metrics/{name}.py" for name in METRICS),
    "matching/*.py": SCORED,
    "matching/corefud/*.py": ("tests/matching/corefud", "tests/matching/test_text_order.py"),
    "matching/answers/*.py": ("tests/matching/answers",),
    "language/minimum_spans.py": (*SPANS, "tests/cli/test_matching.py"),
    "comparing/significance.py": COMPARED,
    "comparing/resampling.py": COMPARED,
    "comparing/strata.py": KINDS,
    "comparing/stratified_scores.py": (*KINDS, "tests/cli/test_kinds.py"),
    "language/entity_types.py": ("tests/language/test_entity_types.py", *KINDS),
    "analysis/link_errors.py": ("tests/analysis",),
    "analysis/entities.py": ("tests/analysis",),
    "resolvers/replacing.py": ("tests/resolvers/test_replacing.py",),
    "resolvers/camp/*.py": (*CAMP, "tests/resolvers/camp"),
    "resolvers/neural/deciding.py": ("tests/resolvers/neural/test_deciding.py",),
    "resolvers/across/linkage.py": ("tests/resolvers/across/test_linkage.py",),
}
# Mutants that change nothing, by a piece of the line and what it becomes, with the reason.
EQUIVALENT: dict[tuple[str, str], str] = {
    ('f"={markable.name[0].', 'f"={markable.name[(-1)].'): "the name has one word",
    ("Counter(votes).most_common(1)", "Counter(votes).most_common(2)"): "the first of them is taken",
    ("if few[0] == many[-1]:", "if few[(-1)] == many[-1]:"): "the name has one word",
    ("self.sentence_of = [0] * length", "self.sentence_of = ["): "each word is in a sentence, which sets it",
    ("strict=True)", "strict=False)"): "it asserts that both have one length, which they have",
    ("assume_unique=True", "assume_unique=False"): "they are unique, so that this is only slower",
    ("max(responses.sizes.size, 1)", "max(responses.sizes.size, (0))"): "without clusters there is no cell",
    (
        "self.response.document.max(initial=0))) + 1",
        "self.response.document.min(initial=0))) + 1",
    ): "documents without a cell are left out",
    ("[()] * len(numbers[0])", "[()] * len(numbers[1])"): "both list the same pairs",
    ("if named else (1, 0)", "if named else ((0), 0)"): "the second number of a name is below 0",
    ("(self.target.size), -1, self", "(self.target.size), -2, self"): "any number below 0 is no partner",
    ("(keys > 0)", "(keys >= 0)"): "a group without key mentions has no pairs to settle",
    ("(keys > 0)", "(keys > (-1))"): "a group without key mentions has no pairs to settle",
    ("taken.max(initial=0)", "taken.max(initial=1)"): "the table of lines may be longer than it need be",
    ("LEAST = 128", "LEAST = "): "how much is drawn at a time is a matter of speed",
    ("BLOCK = 2**18", "BLOCK = "): "how much is drawn at a time is a matter of speed",
    ("SMALL = 2**18", "SMALL = "): "how much is multiplied at a time is a matter of speed",
    (">= 2**63:", ">= (1)**63:"): "numbering first is needed for large offsets only, and right for all",
    ("trees.label.size + 1, np", "trees.label.size + 2, np"): "a place more than the one that no phrase uses",
    ("granted[line[leaves]] = value[leaves]", "pass"): "without folding the solver does more of the work",
    ("taken.max(initial=0)", "taken.max(initial=(-1))"): "the table has room for all lines anyway",
    (
        "cut = long[root < 0]",
        "cut = long[root <= 0]",
    ): "a phrase is the one piece of itself, and its head is the same",
    ("int(start.max(initial=0)) + 1", "int(start.max(initial=0)) + 2"): "a factor that is large enough",
    ("nothing = np.zeros(1", "nothing = np.zeros(2"): "a missing document has no mentions to be told",
    (
        "(size * units + 7) // 8",
        "(size * units + 8) // 8",
    ): "a byte more than is used; but other tosses for a seed",
    (
        "np.append(trees.end, -1)",
        "np.append(trees.end, -(0))",
    ): "no phrase is inside nothing, by its start already",
    ("np.array([end]))[0])", "np.array([end]))[(-1)])"): "there is one",
    ("np.flatnonzero(root < 0)", "np.flatnonzero(root < 1)"): "a phrase is the one piece of itself",
    ("<= ours:", "< ours:"): "a response of the same span has been matched before",
    ("if end - start > 1:", "if end - start > (0):"): "of one mention there is nothing to list",
    ("before = 0", "before = (-1)"): "numbers need only be distinct",
    (
        "np.append(trees.start, -1), np",
        "np.append(trees.start, -(0)), np",
    ): "the first token covers all as well",
    ("scale = trees.holder.size + 1", "scale = trees.holder.size + 2"): "a factor that is large enough",
    ("trees.label, np.uint64(0))", "trees.label, np.uint64(1))"): "the label of no phrase is not shown",
    (
        "(ends - starts > 1)",
        "(ends - starts >= 1)",
    ): "a mention of one word of one side has no like on the other",
    ("max(words - 1, 0)", "max(words - 1, (-1))"): "a text without words has no mentions",
    (
        "np.append(trees.end, -1)",
        "np.append(trees.end, -2)",
    ): "no phrase is inside nothing, by its start already",
    ("if end - start > 1:", "if end - start >= 1:"): "a tree says nothing about an entity of one mention",
    ("max(initial=-1)) + 1", "max(initial=-2)) + 1"): "there is always a document",
    ("lines.max(initial=0)", "lines.max(initial=1)"): "the table of lines may be longer than it need be",
    (
        "self.entered = 0",
        "self.entered = (-1)",
    ): "no span is before the first, and the last has no words there",
    ("else -1 - span", "else -2 - span"): "numbers need only be distinct and negative",
    ("weights.max(1, initial=0.0)", "weights.max(1, initial="): "what is hopeful is looked at again",
    ("return 2, 0", "return 2, "): "pronouns are all as good as each other",
    ("if named else (1, 0)", "if named else (1, "): "noun phrases are all as good as each other",
    (
        "stretch.depth >= DEEPEST",
        "stretch.depth > DEEPEST",
    ): "how often anchors are looked for is a matter of speed",
    ("COUNTED = 48", "COUNTED = "): "as many bits as any number of pairs needs",
    ("(rank[row], minlength=1)", "(rank[row], minlength=2)"): "there may be more counts than are asked for",
    ("len(results[0].units)", "len(results[(-1)].units)"): "all results have the same units",
    ("DOCUMENTS = 1_000", "DOCUMENTS = "): "how much is sampled is a matter of speed",
    ("FACTOR = np.uint64(", "FACTOR = np.uint64("): "any odd number makes hashes, which are compared again",
    ("total >> np.uint64(29)", "total >> np.uint64("): "a hash, which is compared again",
    ("astype(np.uint64) + np.uint64(1)", "np.uint64("): "a hash, which is compared again",
    ("else -1)", "else -2)"): "any number below 0 ends the chain",
    ("if positions else -1", "if positions else -2"): "any number below 0 ends the chain",
    (
        "np.zeros(int(listed.max(initial=0)) + 1",
        "np.zeros(int(listed.max(initial=0)) + 2",
    ): "the table of positions may be longer than it need be",
}
LIMIT = 180  # seconds; a mutant that takes longer hangs, and has been noticed
MOST = 0.1  # share of mutants that may live
SWAPS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.Add: ("+", "-"), ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"), ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
NAMES = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
    "floor": "ceil", "ceil": "floor", "zeros": "ones", "ones": "zeros", "first": "last", "last": "first",
}  # fmt: skip


class Mutant(NamedTuple):
    """A piece of a file, in bytes, and what it becomes."""

    path: Path
    line: int
    start: int
    end: int
    new: bytes


class Source:
    """A file's bytes, and where its syntax tree's nodes are in them."""

    def __init__(self, path: Path) -> None:
        """Read and parse."""
        self.path = path
        self.data = (ROOT / path).read_bytes()
        self.tree = ast.parse(self.data)
        self.lines = [0]
        for line in self.data.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        """The first byte of a node."""
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """One past its last byte."""
        return self.lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def mutants(self) -> Iterator[Mutant]:
        """All small changes; annotations are not run, so they stay."""
        skipped = {id(part) for node in types_in(self.tree) for part in ast.walk(node)}
        for node in ast.walk(self.tree):
            if id(node) not in skipped and isinstance(node, ast.expr | ast.stmt):
                for start, end, new in self._changes(node):
                    if self.data[start:end] != new:
                        yield Mutant(self.path, self.data[:start].count(b"\n") + 1, start, end, new)

    def _changes(self, node: ast.expr | ast.stmt) -> Iterator[tuple[int, int, bytes]]:
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
            for operator, left, right in zip(node.ops, parts, parts[1:], strict=False):
                yield from self._swapped(operator, left, right)
        elif isinstance(node, ast.BinOp):
            yield from self._swapped(node.op, node.left, node.right)
        elif isinstance(node, ast.BoolOp):
            yield from self._swapped(node.op, node.values[0], node.values[1])
        elif isinstance(node, ast.UnaryOp):
            yield self.start(node), self.start(node.operand), b""
        elif isinstance(node, ast.Constant):
            yield from self._other_constant(node)
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in NAMES and isinstance(node.ctx, ast.Load):
                yield self.end(node) - len(name), self.end(node), NAMES[name].encode()
        elif isinstance(node, ast.Slice):
            if node.lower and node.upper:
                yield self.start(node.lower), self.end(node.lower), b""
        elif isinstance(node, ast.AugAssign) or is_effect(node):
            yield self.start(node), self.end(node), b"pass"

    def _swapped(
        self, operator: ast.AST, left: ast.expr, right: ast.expr
    ) -> Iterator[tuple[int, int, bytes]]:
        if type(operator) not in SWAPS:
            return
        old, new = (word.encode() for word in SWAPS[type(operator)])
        at = self.data.find(old, self.end(left), self.start(right))
        if at >= 0:
            yield at, at + len(old), new

    def _other_constant(self, node: ast.Constant) -> Iterator[tuple[int, int, bytes]]:
        if isinstance(node.value, bool):
            yield self.start(node), self.end(node), str(not node.value).encode()
        elif isinstance(node.value, int | float):
            yield self.start(node), self.end(node), str(node.value + 1).encode()
            yield self.start(node), self.end(node), f"({node.value - 1})".encode()


def types_in(tree: ast.Module) -> Iterator[ast.AST]:
    """Types, and what only names types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from filter(None, [node.returns, *node.decorator_list])
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.ClassDef):
            yield from node.decorator_list


def is_effect(node: ast.AST) -> bool:
    """Whether a statement is there for what it does: a call, or something put into an array or a mapping."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)


def sample(count: int, seed: int, only: str) -> list[tuple[Mutant, tuple[str, ...]]]:
    """Draw mutants, each with the tests that ought to notice it."""
    found = [
        (mutant, tests)
        for pattern, tests in TARGETS.items()
        for path in sorted((ROOT / SOURCE).glob(pattern))
        if only in str(path)
        for mutant in Source(path.relative_to(ROOT)).mutants()
    ]
    print(f"{len(found)} possible mutants")
    return random.Random(seed).sample(found, min(count, len(found)))


def reason(mutant: Mutant, text: bytes) -> str | None:
    """Why a mutant changes nothing, if it is known to."""
    before, after = shown(mutant, text)
    return next((why for (old, new), why in EQUIVALENT.items() if old in before and new in after), None)


def shown(mutant: Mutant, text: bytes) -> tuple[str, str]:
    """The line before and after; of a longer statement its first line."""
    changed = text[: mutant.start] + mutant.new + text[mutant.end :]
    return tuple(version.splitlines()[mutant.line - 1].decode().strip() for version in (text, changed))  # type: ignore[return-value]


def lives(mutant: Mutant, tests: tuple[str, ...], copy: Path) -> bool:
    """Run the tests on a mutant."""
    path = copy / mutant.path
    text = path.read_bytes()
    path.write_bytes(text[: mutant.start] + mutant.new + text[mutant.end :])
    try:
        return tests_pass(copy, [str(mutant.path), *tests])
    finally:
        path.write_bytes(text)


def tests_pass(copy: Path, tests: list[str]) -> bool:
    """Run tests in a child of this process, which has loaded what is slow to load; LIMIT stops it."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(run_tests(copy, tests))
        finally:
            os._exit(1)
    start = time.monotonic()
    while time.monotonic() - start < LIMIT:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def run_tests(copy: Path, tests: list[str]) -> int:
    """Run tests of a copy in this process, in silence, and give their exit status."""
    os.setsid()  # so that processes that the tests start end with it
    os.chdir(copy)
    sys.path.insert(0, str(copy / "src"))
    os.environ |= {"PYTHONPATH": str(copy / "src"), "CI": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    loaded = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis, before pytest could rewrite it
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-W", loaded, *tests]))


def main() -> None:
    """Sample, run and list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="mutate only files whose path has this in it")
    parser.add_argument("--check", action="store_true", help="fail if too many live")
    asked = parser.parse_args()
    survivors = equivalent = 0
    mutants = sample(asked.count, asked.seed, asked.only)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for part in ("src", "tests", "docs"):
            shutil.copytree(ROOT / part, copy / part)
        for part in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / part, copy / part)
        for tests in {tests for _, tests in mutants}:
            if not tests_pass(copy, [*tests]):  # or every mutant would seem to be noticed
                sys.exit(f"the tests fail without any mutant: {' '.join(tests)}")
        for number, (mutant, tests) in enumerate(mutants, 1):
            if not lives(mutant, tests, copy):
                continue
            text = (ROOT / mutant.path).read_bytes()
            known = reason(mutant, text)
            equivalent += known is not None
            survivors += known is None
            before, after = shown(mutant, text)
            print(
                f"{mutant.path}:{mutant.line}: {known or 'LIVES'} ({number} of {len(mutants)})",
                f"\n  - {before}\n  + {after}",
                flush=True,
            )
    real = len(mutants) - equivalent
    print(f"{survivors} of {real} live ({survivors / real:.0%}), {equivalent} more change nothing;", end=" ")
    print(f"{time.perf_counter() - start:.0f} s")
    if asked.check and survivors > MOST * real:
        sys.exit(1)


if __name__ == "__main__":
    main()
