"""Which commands have an option, for those who give it to another one."""

from __future__ import annotations

import click

DONE_BY = {("resolve", "--across"): "link"}  # what one could try, and the command that does it


def where_it_belongs(error: click.NoSuchOption, group: click.Group) -> click.UsageError:
    """Say which commands have an option that one lacks, if there are any."""
    given, context = error.option_name, click.Context(group)
    command = error.ctx.command.name if error.ctx else None
    other = DONE_BY.get((command or "", given))
    if other:
        return click.UsageError(f"No such option: {given}; use referee {other}", error.ctx)
    commands = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    owners = [
        name
        for name, command in commands
        if command and any(given in parameter.opts for parameter in command.params)
    ]
    if not owners:
        return error
    belongs = f"it is an option of referee {', '.join(owners)}"
    return click.UsageError(f"No such option: {given}; {belongs}", error.ctx)
