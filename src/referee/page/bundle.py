"""Puts the page's ES modules into one script, so that one file opens from a disk without a server.

Only what the modules use is understood: `import { a, b } from "./x.js";` at the beginning of a line, and
`export` before a declaration. Modules come in the order of their imports. A circle, a name that is not
exported and a name that two modules declare are errors: in one scope the one would hide the other.
"""

from __future__ import annotations

import re
from importlib.resources import files

from referee.exceptions import RefereeError

IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"\./([\w-]+)\.js";\n?', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|let|function|class)\b)", re.MULTILINE)
DECLARED = re.compile(r"^(export )?(?:const|let|function|class) (\w+)", re.MULTILINE)
HOME = files("referee.page")


def bundle(entry: str) -> str:
    """Join a module and all that it imports into one strict function."""
    order: dict[str, str] = {}
    _visit(entry, order, ())
    return '"use strict";\n(() => {\n' + "\n".join(order.values()) + "})();\n"


def _visit(name: str, order: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module to those that are there, after the ones that it needs."""
    if name in above:
        raise RefereeError(f"modules import each other in a circle: {' → '.join((*above, name))}")
    if name in order:
        return
    text = (HOME / "script" / f"{name}.js").read_text(encoding="utf-8")
    for names, other in IMPORT.findall(text):
        _visit(other, order, (*above, name))
        missing = set(re.findall(r"\w+", names)) - _declared(other, exported=True)
        if missing:
            raise RefereeError(f"{name}.js: {other}.js exports no {', '.join(sorted(missing))}")
    for other in order:
        if common := _declared(name) & _declared(other):
            raise RefereeError(f"{name}.js and {other}.js both declare {', '.join(sorted(common))}")
    order[name] = EXPORT.sub("", IMPORT.sub("", text))


def _declared(name: str, *, exported: bool = False) -> set[str]:
    """List what a module declares at its top."""
    text = (HOME / "script" / f"{name}.js").read_text(encoding="utf-8")
    return {word for export, word in DECLARED.findall(text) if export or not exported}
