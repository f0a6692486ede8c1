"""referee models: the models of the neural resolver that are installed, their cards and a self-test."""

from __future__ import annotations

import click

from referee.cli.names import completing
from referee.cli.options import output_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import print_notices, say, show
from referee.display import number_of
from referee.exceptions import FormatError
from referee.functions.models import models
from referee.resolvers.neural.models import (
    NO_MODEL,
    InstalledModel,
    installed_models,
    links_only,
    model_named,
)
from referee.tables.models import model_card, model_output

LINKED = ["On Saturday Philadelphia fired Maurice Cheeks.", "Maurice Cheeks was fired by Philadelphia."]


@click.group("models", invoke_without_command=True)
@output_options
@click.pass_context
def models_command(context: click.Context, form: str, output: str | None) -> None:
    """List the models of the neural resolver, print the card of one, or test whether they work.

    A model is a package or a folder. Nothing is loaded to list them.

    \b
    Examples:
      referee models
      referee models show en
      referee models test
    """
    if context.invoked_subcommand is None:
        found = list(models().values())
        if not found:
            print_notices([NO_MODEL])
        show(model_output(found), form, output)


@models_command.command("show")
@click.argument("model", shell_complete=completing(installed_models, folders=True))
@click.option(
    "-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Write to a file instead of the terminal."
)
def show_model(model: str, output: str | None) -> None:
    """Print the card of MODEL, a name or a folder: data, licences, size, scores, failures."""
    say(model_card(model_named(model)).rstrip("\n"), output)


@models_command.command("test")
@click.argument(
    "models", nargs=-1, metavar="[MODEL]...", shell_complete=completing(installed_models, folders=True)
)
def test_models(models: tuple[str, ...]) -> None:
    """Let MODEL, or all that are installed, resolve a sentence; finding nothing is an error."""
    from referee.resolvers.neural.running import versions

    chosen = [model_named(model) for model in models] or list(installed_models().values()) or [model_named()]
    for model in chosen:
        say(f"{model.name} {model.version}: ok, {_tested(model)} ({versions()})")


def _tested(model: InstalledModel) -> str:
    if links_only(model.folder):
        return _linked(model)
    from referee.resolvers.neural.running import open_model, try_sentence

    words, linked = try_sentence(open_model(model.folder), model.folder)
    clusters: dict[int, list[str]] = {}
    for start, end, number in zip(linked.start, linked.end, linked.cluster, strict=True):
        clusters.setdefault(int(number), []).append(" ".join(words[start : end + 1]))
    return "; ".join(", ".join(cluster) for cluster in clusters.values())


def _linked(model: InstalledModel) -> str:
    from referee.resolvers.resolving import link

    found = link(LINKED, kind="entities", model=str(model.folder)).recurring()
    if not found:
        raise FormatError(f"{model.folder}: links nothing in two texts about one man: not a model that works")
    return "; ".join(f"{thing.name} in {number_of(len(thing.documents), 'text')}" for thing in found)
