"""referee store: look at a store of linked texts, correct its entities, export it."""

from __future__ import annotations

import re

import click

from referee.cli.commands import RefereeCommand
from referee.cli.link import LINKED_FORMAT, check_linked_output, write_linked
from referee.cli.options import notice_options, output_options
from referee.cli.outputs import OUTPUT
from referee.cli.survival import surviving
from referee.cli.terminal import mention_done, print_notices, show
from referee.display import number_of
from referee.resolvers.across.explaining import MentionKey
from referee.resolvers.across.store.store import Store, open_store
from referee.resolvers.resolved import Recurring
from referee.tables.store import entities_output, entity_output, joins_output

PLACE = re.compile(r"(.+):(\d+)-(\d+)")


class StorePath(click.ParamType):  # type: ignore[type-arg]  # click 8.1 has no arguments
    """The folder of a store that there is."""

    name = "store"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Store:
        """Open it; a folder that is none is a mistake in the command."""
        store = open_store(str(value))
        if not (store.path / "store.json").exists():
            self.fail(f"there is no store '{value}'; `referee link … --into {value}` makes one", param, ctx)
        return store


class MentionPlace(click.ParamType):  # type: ignore[type-arg]  # likewise
    """A mention as `store entity` lists it, TEXT:START-END."""

    name = "mention"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> MentionKey:
        """Read it."""
        found = PLACE.fullmatch(str(value))
        if found is None:
            self.fail(
                f"'{value}' is not TEXT:START-END, as `referee store entity` lists mentions", param, ctx
            )
        return MentionKey(found[1], int(found[2]), int(found[3]))


store_argument = click.argument("store", type=StorePath(), metavar="STORE")
name_argument = click.argument("name", metavar="ENTITY")


@click.group("store")
def store_command() -> None:
    """Look at a store of linked texts, correct its entities, and export it; `referee link --into` fills it.

    An ENTITY is an id, such as e17, or a name. What people decide holds when texts are added, too.

    \b
    Examples:
      referee store entities store/
      referee store entity store/ "Tim Cook"
      referee store merge store/ "Tim Cook" e17
      referee store split store/ e17 monday:12-14
      referee store rename store/ e17 "Timothy Cook"
      referee store joins store/
      referee store undo store/ --join 7
      referee store export store/ -o graph.graphml
    """


@store_command.command("entities", cls=RefereeCommand)
@store_argument
@click.option(
    "--minimum", type=click.IntRange(1), default=2, show_default=True, metavar="TEXTS",
    help="List what is mentioned in at least so many texts.",
)  # fmt: skip
@output_options
def entities_command(store: Store, minimum: int, form: str, output: str | None) -> None:
    """List who and what several texts of STORE mention, the most widespread first."""
    show(entities_output(store, store.entities(minimum)), form, output)


@store_command.command("entity", cls=RefereeCommand)
@store_argument
@name_argument
@output_options
def entity_command(store: Store, name: str, form: str, output: str | None) -> None:
    """Show the mentions of an ENTITY of STORE with their sentences."""
    show(entity_output(store.entity(name)), form, output)


@store_command.command("joins", cls=RefereeCommand)
@store_argument
@click.option(
    "--addition", type=click.IntRange(1), metavar="N",
    help="List those of the N-th addition of texts alone.  [default: all]",
)  # fmt: skip
@output_options
def joins_command(store: Store, addition: int | None, form: str, output: str | None) -> None:
    """List what was joined to what in STORE, how likely it is, and what both have in common."""
    show(joins_output(store.joins(addition)), form, output)


@store_command.command("merge", cls=RefereeCommand)
@store_argument
@click.argument("names", nargs=-1, required=True, metavar="ENTITY ENTITY...")
@notice_options
def merge_command(store: Store, names: tuple[str, ...]) -> None:
    """Say that several entities of STORE are one."""
    _mention(store.merge(*names))


@store_command.command("split", cls=RefereeCommand)
@store_argument
@name_argument
@click.argument("mentions", nargs=-1, required=True, type=MentionPlace(), metavar="MENTION...")
@notice_options
def split_command(store: Store, name: str, mentions: tuple[MentionKey, ...]) -> None:
    """Take each MENTION (TEXT:START-END) out of an ENTITY of STORE; together they become one of their own."""
    _mention(store.split(name, mentions))


@store_command.command("rename", cls=RefereeCommand)
@store_argument
@name_argument
@click.argument("to", metavar="NAME")
@notice_options
def rename_command(store: Store, name: str, to: str) -> None:
    """Call an ENTITY of STORE by a NAME."""
    _mention(store.rename(name, to))


@store_command.command("undo", cls=RefereeCommand)
@store_argument
@click.option(
    "--join", type=click.IntRange(1), metavar="N",
    help="Separate what join N put together, as `store joins` numbers them.  [default: the last decision]",
)  # fmt: skip
@notice_options
def undo_command(store: Store, join: int | None) -> None:
    """Take back the last decision about STORE, or a join."""
    decision = store.undo(join)
    if join is None:
        mention_done(f"taken back: a {decision.kind} of {number_of(len(decision.keys), 'mention')}")
    else:
        mention_done(f"{number_of(len(decision.mentions), 'mention')} separated from {len(decision.others)}")


@store_command.command("apply", cls=RefereeCommand)
@store_argument
@click.argument("path", metavar="FILE")
@notice_options
def apply_command(store: Store, path: str) -> None:
    """Add the decisions of FILE, JSON lines as a page or another store has them, to those about STORE."""
    print_notices(store.apply(path))


@store_command.command("export", cls=RefereeCommand)
@store_argument
@click.option(
    "-o", "--output", "path", type=OUTPUT, metavar="PATH", required=True,
    help="The file to write: .html; a graph (.graphml, .csv, .jsonld, .entities.jsonl); or any format that "
    "holds clusters across documents. `-` is standard output.",
)  # fmt: skip
@click.option(
    "--to", type=LINKED_FORMAT, help="Its format, if the ending does not say; `--to list` lists all."
)
@click.option("--singletons", is_flag=True, help="Include what is mentioned once.")
@notice_options
def export_command(store: Store, path: str, to: str | None, singletons: bool) -> None:
    """Write STORE as a page, as a graph, or as texts with their clusters."""
    check_linked_output(path, to)
    with surviving([str(store.path)], path, strict=True, record=None) as run:
        write_linked(store.documents(singletons=singletons), path, to, run, store.contents.names)


def _mention(thing: Recurring) -> None:
    texts = number_of(len(thing.documents), "text")
    mention_done(f"{thing.id}  {thing.name}: {number_of(len(thing.mentions), 'mention')} in {texts}")
