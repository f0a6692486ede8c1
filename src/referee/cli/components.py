"""referee components: what each component of camp finds, alone and with those before it."""

from __future__ import annotations

from typing import Any

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options
from referee.cli.resolver_options import given_settings, setting_options
from referee.cli.terminal import print_notices, progress_bar, show
from referee.display import number_of
from referee.functions.components import components
from referee.tables.components import component_output


@click.command("components", cls=RefereeCommand)
@click.argument("key")
@setting_options("camp")
@output_options
def components_command(key: str, form: str, output: str | None, **_settings: Any) -> None:
    """Resolve the texts of KEY by rules, and score each component alone and cumulatively.

    The table is the one of the paper that describes CAMP: recall and precision by MUC and by B³, the links
    that each component adds, and which of them KEY does not have, by the kind of their anaphor. Texts are
    parsed once.

    \b
    Examples:
      referee components key.conll
      referee components key.conll --recall --guidelines litbank --format markdown
    """
    corpus = formats.opened(key)
    rows = components(corpus, **given_settings(), progress=progress_bar)
    print_notices(corpus.notices)
    caption = f"{corpus.name}: {number_of(len(corpus), 'document')}"
    show(component_output(rows, caption, corpus.notices), form, output)
