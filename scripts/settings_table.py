"""Draws the tables of what can be set on each resolver, from what the resolvers declare."""

from __future__ import annotations

import re

from referee.cli.resolver_options import option_name
from referee.resolvers.base import Setting, resolvers

TABLE = re.compile(
    r"(<!-- settings of (\w+): written by `make refresh-docs` -->\n).*?(<!-- end of settings -->\n)", re.S
)


def with_settings(page: str) -> str:
    """Write the tables again where a page has them."""
    return TABLE.sub(lambda found: f"{found[1]}{settings_table(found[2])}{found[3]}", page)


def settings_table(resolver: str) -> str:
    """Draw the table of a resolver: a row for each setting."""
    rows = [["setting", "option", "what it does", "values", "default"], ["---"] * 5]
    rows += [_row(setting) for setting in resolvers()[resolver].settings]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(setting: Setting) -> list[str]:
    return [
        f"`{setting.name}=`",
        f"`{option_name(setting.name)}`",
        setting.help.rstrip("."),
        setting.expected,
        setting.default_in_words,
    ]
