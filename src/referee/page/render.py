"""Puts a report's value, its styles and its scripts into one HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from referee.page.bundle import bundle

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
    """Make the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("referee.page", ""), autoescape=True, undefined=StrictUndefined
    )
    style, script = _styles(), bundle(ENTRY)
    return environment.get_template("template.html.j2").render(
        title=_without_surrogates(data["title"]),
        version=data["version"],
        policy=Markup(policy(style, script)),
        style=Markup(style),  # our own files, not the user's text
        script=Markup(script),
        data=Markup(embedded(data)),
    )


def policy(style: str, script: str) -> str:
    """Write a content policy that lets in this style and this script, by their hashes, and nothing else."""

    def source(text: str) -> str:
        digest = hashlib.sha256(text.encode("utf-8")).digest()
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
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _styles() -> str:
    home = files("referee.page") / "style"
    return "\n".join((home / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)
