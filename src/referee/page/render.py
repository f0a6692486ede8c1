"""Puts values, styles and scripts into one HTML file, which opens from a disk without a server.

The report's ES modules become one script. Only what they use is understood: `import { a, b } from "./x.js";`
at the beginning of a line, and `export` before a declaration. Modules come in the order of their imports. A
circle, a name that is not exported and a name that two modules declare are errors: in one scope the one would
hide the other.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from referee.encoding import encoded, lenient
from referee.exceptions import RefereeError

if TYPE_CHECKING:
    from jinja2 import Environment

IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"\./([\w-]+)\.js";\n?', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|let|function|class)\b)", re.MULTILINE)
DECLARED = re.compile(r"^(export )?(?:const|let|function|class) (\w+)", re.MULTILINE)
HOME = files("referee.page")
STYLES = (
    "colours",
    "layout",
    "controls",
    "overview",
    "plots",
    "reader",
    "marks",
    "aside",
    "things",
    "small",
    "print",
)
ENTRY = "main"  # the module that starts the page

# A browser ends a script at "</script" and changes how it reads one at "<!--", wherever they occur; the two
# separators end a line in older JavaScript. None of these needs to be itself in JSON.
UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(data: Mapping[str, Any]) -> str:
    """Make the page of a report."""
    from markupsafe import Markup

    return filled(
        "template.html.j2", _styles(), bundle(ENTRY), title=data["title"], version=data["version"],
        data=Markup(embedded(data)),
    )  # fmt: skip


def filled(template: str, style: str, script: str = "", **values: object) -> str:
    """Fill in a template with styles and scripts, which are our own files, and with values, which are not."""
    from markupsafe import Markup

    page = (
        templates()
        .get_template(template)
        .render(style=Markup(style), script=Markup(script), policy=Markup(policy(style, script)), **values)
    )
    return _without_surrogates(page)


@cache
def templates() -> Environment:
    """Open the templates of all pages; what is put into them is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(loader=PackageLoader("referee.page", ""), autoescape=True, undefined=StrictUndefined)


def policy(style: str, script: str) -> str:
    """Write a content policy that lets in this style and this script, by their hashes, and nothing else."""

    def source(text: str) -> str:
        digest = hashlib.sha256(encoded(text)).digest()
        return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"

    return (
        f"default-src 'none'; script-src {source(script)}; style-src {source(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def embedded(data: Mapping[str, Any]) -> str:
    """Write JSON that can be inside a script element, whatever text it holds.

    >>> embedded({"text": "</script><!--"})
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character, escape in UNSAFE.items():
        text = text.replace(character, escape)
    return _without_surrogates(text)


def _without_surrogates(text: str) -> str:
    """Escape lone surrogates, as which bytes that were not UTF-8 are read; JSON reads them back."""
    return lenient(text.encode("utf-8", "backslashreplace"))


def _styles() -> str:
    home = files("referee.page") / "style"
    return "\n".join((home / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)


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
