"""The files of the workbench's page, by the names that it asks for: a server gives these and no others."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

FOLDERS = ("workbench", "script", "style")  # script and style: what the workbench shares with the report
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
PAGE = "workbench/index.html"
# Nothing but these files and answers of the same server; no code and no style within the page.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Asset(NamedTuple):
    """A file of the page."""

    content: bytes
    media_type: str


@cache
def asset_names() -> tuple[str, ...]:
    """List the files of the page: `workbench/main.js`, `script/dom.js`, `style/colours.css`, …"""
    home = files("referee.page")
    return tuple(
        f"{folder}/{file.name}"
        for folder in FOLDERS
        for file in sorted((home / folder).iterdir(), key=lambda each: each.name)
        if file.name.rpartition(".")[2] in TYPES
    )


@cache
def asset(name: str) -> Asset | None:
    """Read one of these files; there is none of any other name.

    >>> asset("script/dom.js").media_type
    'text/javascript; charset=utf-8'
    >>> asset("script/../assets.py") is None
    True
    """
    if name not in asset_names():
        return None
    media_type = f"{TYPES[name.rpartition('.')[2]]}; charset=utf-8"
    return Asset((files("referee.page") / name).read_bytes(), media_type)
