"""The command line: one file per command, loaded when it is called.

A command NAME is a module whose first line is a docstring `referee NAME: what it does`, and which has the
function NAME_command: a new command is one new file.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from referee import __version__
from referee.cli.streams import let_go_of_output, prepare_streams
from referee.exceptions import FailureWarning, PluginWarning, RefereeError, SettingError, did_you_mean
from referee.registry import SKIPPED

FIRST_LINE = re.compile(r'"""referee (\w+): (.+?)"*\s*$')


def _find_commands() -> dict[str, str]:
    """List the commands, and what their modules say of themselves, without loading any."""
    folder, commands = os.path.dirname(__file__), {}  # noqa: PTH120 a Path takes long to load
    for name in sorted(os.listdir(folder)):  # noqa: PTH208 likewise
        if not name.endswith(".py"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123 likewise
            said = FIRST_LINE.match(file.readline())
        if said and f"{said[1]}.py" == name:
            commands[said[1]] = said[2][0].upper() + said[2][1:]
    return commands


# Help is as wide as the terminal, up to 100 columns.
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
COMMANDS = _find_commands()  # name → what `referee --help` says


class _Commands(click.Group):
    """Commands that are imported when called, so that `referee --help` stays instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Ask whether the nearest command was meant, where there is none of the name."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS and not ctx.resilient_parsing:
            near = did_you_mean(name, COMMANDS)
            ctx.fail(f"no command '{name}'{near or '; referee --help lists them'}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"referee.cli.{cmd_name}"), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=said) for name, said in COMMANDS.items() if name.startswith(incomplete)
        ]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def main(self, *args: Any, **extra: Any) -> Any:
        prepare_streams()
        try:
            return super().main(*args, **extra)
        except OSError as error:  # of a closed pipe click takes care
            where = error.filename or "standard output"
            let_go_of_output()
            with suppress(OSError):  # standard error may be what has failed
                click.echo(f"Error: {where}: {error.strerror or error}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> object:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PluginWarning)  # a notice says it
                warnings.simplefilter("ignore", FailureWarning)  # a table lists them
                value = super().invoke(ctx)
        except click.NoSuchOption as error:
            from referee.cli.option_owners import where_it_belongs

            raise where_it_belongs(error, self) from error
        except RefereeError as error:
            from referee.cli.terminal import in_options

            failure = click.UsageError if isinstance(error, SettingError) else click.ClickException
            raise failure(in_options(str(error))) from error
        finally:
            if SKIPPED:
                from referee.cli.terminal import print_notices

                print_notices(SKIPPED)
        sys.stdout.flush()
        return value


@click.group(cls=_Commands, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="referee")
def main() -> None:
    """Judge coreference: scores with the reference scorer's numbers, and what is behind them.

    \b
    Examples:
      referee score key.conll response.conll
      referee score key.conll a.conll b.conll --by genre --format markdown
      referee compare key.conll baseline.conll a.conll b.conll
      referee validate response.conll --key key.conll
      referee convert response.jsonl response.conll
    """


if __name__ == "__main__":
    sys.exit(main())
