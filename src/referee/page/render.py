"""Puts a report's value, its styles and its scripts into one HTML file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

STYLES = ("colours", "layout", "overview", "reader", "print")
SCRIPTS = (
    "dom", "data", "filters", "scores", "plots", "examples", "listing",
    "levels", "marks", "arcs", "reader", "aside", "search", "main",
)  # fmt: skip

# A browser ends a script at "</script" and changes how it reads one at "<!--", wherever they stand; the two
# separators end a line in older JavaScript. None of these needs to stand in JSON as itself.
UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(data: Mapping[str, Any]) -> str:
    """Make the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("referee.page", ""), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("template.html.j2").render(
        title=data["title"],
        version=data["version"],
        style=Markup(_bundle("style", STYLES, "css")),  # our own files, not the user's text
        script=Markup(_bundle("script", SCRIPTS, "js")),
        data=Markup(embedded(data)),
    )


def embedded(data: Mapping[str, Any]) -> str:
    """Write JSON that can stand inside a script element, whatever text it holds.

    >>> embedded({"text": "</script><!--"})
    '{"text":"\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character, escape in UNSAFE.items():
        text = text.replace(character, escape)
    # bytes that were not UTF-8 are read as lone surrogates, which only JSON's escapes can hold
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _bundle(folder: str, names: tuple[str, ...], ending: str) -> str:
    home = files("referee.page") / folder
    return "\n".join((home / f"{name}.{ending}").read_text(encoding="utf-8") for name in names)
