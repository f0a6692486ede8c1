"""The command line: one file per command, loaded when it is called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from referee import __version__
from referee.exceptions import RefereeError

COMMANDS = {  # name → what `referee --help` says; the command is cli/<name>.py
    "score": "Score responses against a key, in every metric.",
    "compare": "Say whether systems differ by more than chance, and where.",
    "errors": "Show which links are wrong, of what kinds, and what systems share.",
    "report": "Write one HTML file with scores, errors and texts.",
    "agree": "Measure agreement between annotators.",
    "spans": "Show minimum spans: each mention's, their lengths, their agreement with annotated ones.",
    "validate": "List everything that is wrong with coreference files.",
    "convert": "Convert between file formats.",
    "stats": "Count what a corpus holds: topics, documents, mentions, clusters.",
    "topics": "Predict topics for cross-document coreference, and score them.",
    "baseline": "Make a response by a simple rule, to compare with.",
}


class _Commands(click.Group):
    """Commands that are imported when called, so that `referee --help` stays instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"referee.cli.{cmd_name}"), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except RefereeError as error:
            from referee.cli.terminal import in_options

            raise click.ClickException(in_options(str(error))) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
