"""Options that take names: checked before any file is read, and completed by the shell.

A name is looked up among ours first; what installed packages add is listed only where that does not suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from referee.exceptions import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Known = Callable[[], Iterable[str]]
LIST = "list"  # given for a name, lists all names and what they are


def completed(known: Iterable[str], incomplete: str, *, several: bool = False) -> list[CompletionItem]:
    """List the names that a word may become; of several with commas, the last one is completed."""
    from click.shell_completion import CompletionItem

    before, comma, begun = incomplete.rpartition(",") if several else ("", "", incomplete)
    given = before.split(",")
    return [
        CompletionItem(f"{before}{comma}{name}")
        for name in known
        if name.startswith(begun.lower()) and name not in given
    ]


class Names(click.ParamType):  # type: ignore[type-arg]  # click 8.1 has no arguments
    """Names of one kind, `what`; `spelled` turns what users write into the name that is known."""

    def __init__(
        self,
        what: str,
        known: Known,
        spelled: Callable[[str], str] = str,
        *,
        several: bool = True,
        about: Callable[[str], str] = lambda _: "",
        others: Mapping[str, str] = {},
    ) -> None:
        """Take a function that lists the names, since installed packages may be asked for some."""
        self.name = "names" if several else "name"
        self.what, self.known, self.spelled, self.several, self.about = what, known, spelled, several, about
        self.others = others

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a name that there is not, and ask whether the nearest was meant."""
        if value == LIST and ctx and not ctx.resilient_parsing:
            self._list_all(ctx)
        names = value.split(",") if self.several else [value]
        known = self.known()
        for name in (self.spelled(name.strip()) for name in names):
            if name and name not in self.others and name not in known:
                near = did_you_mean(name, known)
                self.fail(f"no {self.what} '{name}'; choose from {', '.join(known)}{near}", param, ctx)
        return value

    def _list_all(self, ctx: click.Context) -> None:
        known = {name: self.about(name) for name in self.known()} | {**self.others}
        width = max(map(len, known)) + 2
        click.echo("\n".join(f"{name:<{width}}{about}".rstrip() for name, about in known.items()))
        ctx.exit()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the last name."""
        return completed((*self.known(), *self.others), incomplete, several=self.several)


def completing(known: Known, *, several: bool = False, folders: bool = False) -> Callable[..., Any]:
    """Complete names in an option that takes other values too, such as folders."""

    def complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        others = [CompletionItem(incomplete, type="dir")] if folders else []
        return completed(known(), incomplete, several=several) + others

    return complete
