"""Small changes of a file, each of which some test ought to notice.

What is changed: a comparison, an operator, a number by one, a truth value, `min` and `max`, `any` and `all`,
the first and the last, a minus or a `not`, the lower end of a slice, and a statement that is there for its
effect, which is left out.

What is not: strings, and so the wording of messages, and what is put into those of errors; types; decorators;
`strict=` of a zip, which is an assertion; and what runs only while types are checked. A value of -1 becomes 0
and 1, but not -2: every number below 0 says that there is none.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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
    """A piece of a file, in bytes, what it becomes, the function it is in, and the statement's lines there.

    The function is "" where it runs at import; then `names` are those that the statement assigns.
    """

    path: Path
    line: int
    start: int
    end: int
    new: bytes
    function: str
    lines: range
    names: frozenset[str]

    def changed(self, text: bytes) -> bytes:
        """The file with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def shown(self, text: bytes) -> tuple[str, str]:
        """The line before and after; of a longer statement its first line."""
        old, new = (
            version.splitlines()[self.line - 1].decode().strip() for version in (text, self.changed(text))
        )
        return old, new


class Source:
    """A file's bytes, and where its syntax tree's nodes are in them."""

    def __init__(self, path: Path, shown_as: Path) -> None:
        """Read and parse."""
        self.path = shown_as
        self.data = path.read_bytes()
        self.tree = ast.parse(self.data)
        self.lines = [0]
        for line in self.data.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.functions = list(functions_of(self.tree))
        self.statements = sorted(statements_of(self.tree), key=len)
        self.assigned = dict(names_assigned(self.tree))
        self.nothing: set[int] = set()  # the 1 of each -1 that says that there is none

    def start(self, node: ast.expr | ast.stmt) -> int:
        """The first byte of a node."""
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """One past its last byte."""
        return self.lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def mutants(self) -> Iterator[Mutant]:
        """All small changes."""
        skipped = {id(part) for node in not_run(self.tree) for part in ast.walk(node)}
        self.nothing = {id(value.operand) for value in values_in(self.tree) if is_minus_one(value)}
        for node in ast.walk(self.tree):
            if id(node) not in skipped and isinstance(node, ast.expr | ast.stmt):
                for start, end, new in self._changes(node):
                    if self.data[start:end] != new:
                        line = self.data[:start].count(b"\n") + 1
                        yield Mutant(self.path, line, start, end, new, *self._place(node.lineno))

    def _place(self, line: int) -> tuple[str, range, frozenset[str]]:
        functions = ((name, first) for name, first, last in self.functions if first <= line <= last)
        name, begin = next(functions, ("", 0))
        lines = next((lines for lines in self.statements if line in lines), range(line, line + 1))
        names = frozenset() if name else self.assigned.get(lines.start, frozenset())
        return name, range(lines.start - begin, lines.stop - begin), names

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
            if id(node) not in self.nothing:
                yield self.start(node), self.end(node), str(node.value + 1).encode()
            yield self.start(node), self.end(node), f"({node.value - 1})".encode()


def functions_of(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """Functions of a module and methods of its classes: name, first and last line of the body."""

    def inside(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, int, int]]:
        for node in body:
            if isinstance(node, ast.ClassDef):
                yield from inside(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield prefix + node.name, node.body[0].lineno, node.end_lineno or node.lineno
            elif isinstance(node, ast.If | ast.Try):
                yield from inside(node.body, prefix)

    return inside(tree.body, "")


def names_assigned(tree: ast.Module) -> Iterator[tuple[int, frozenset[str]]]:
    """Give the names that each statement assigns, by its first line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts = (part for target in targets for part in ast.walk(target))
            yield node.lineno, frozenset(part.id for part in parts if isinstance(part, ast.Name))


def statements_of(tree: ast.Module) -> Iterator[range]:
    """The lines of statements; of those that hold others, the lines before them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            inside = getattr(node, "body", None)
            last = inside[0].lineno - 1 if inside else node.end_lineno or node.lineno
            yield range(node.lineno, max(last, node.lineno) + 1)


def not_run(tree: ast.Module) -> Iterator[ast.AST]:
    """Types, what only names types, and assertions about lengths."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from filter(None, [node.returns, *node.decorator_list])
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        elif isinstance(node, ast.ClassDef):
            yield from node.decorator_list
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            yield from node.keywords
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield node
        elif isinstance(node, ast.Raise):
            yield from (part for part in ast.walk(node) if isinstance(part, ast.JoinedStr))
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and is_type(node.value):
            yield node.value


def values_in(tree: ast.Module) -> Iterator[ast.UnaryOp]:
    """What is returned, assigned, chosen or a default, where it is an operator before one value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return | ast.Assign | ast.AnnAssign | ast.keyword):
            found: Sequence[ast.expr | None] = [node.value]
        elif isinstance(node, ast.IfExp):
            found = [node.body, node.orelse]
        elif isinstance(node, ast.Call):
            found = node.args[1:]
        else:
            continue
        yield from (value for value in found if isinstance(value, ast.UnaryOp))


def is_minus_one(node: ast.UnaryOp) -> bool:
    """Whether it is -1."""
    return ast.unparse(node) == "-1"


def is_type(node: ast.expr) -> bool:
    """Whether a value is a name for a type, as in `Pair = tuple[int, int] | None`."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr) and (is_type(node.left) or is_type(node.right))
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) in (
        "tuple",
        "list",
        "dict",
        "Callable",
    )


def is_effect(node: ast.AST) -> bool:
    """Whether a statement is there for what it does: a call, or something put into an array or a mapping."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
