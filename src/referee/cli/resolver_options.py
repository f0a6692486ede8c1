"""The options that set a resolver, made from what the resolvers declare; help lists them by resolver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from referee.cli.names import completing
from referee.cli.options import Decorator, together
from referee.cli.terminal import SETTING_OPTIONS
from referee.resolvers.base import Setting, resolvers


class SettingOption(click.Option):
    """An option that is a setting of some resolvers."""

    def __init__(self, *names: Any, owners: tuple[str, ...], **how: Any) -> None:
        """Remember whose setting it is."""
        super().__init__(*names, **how)
        self.owners = owners


class ResolverCommand(click.Command):
    """A command whose help lists the options of each resolver under its name."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the command, then those of resolvers."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            owners = f" of {' and '.join(parameter.owners)}" if isinstance(parameter, SettingOption) else ""
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            sections.setdefault(f"Options{owners}", []).extend([record] if record else [])
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def setting_options(*names: str) -> Decorator:
    """Make an option of each setting of these resolvers; one that several have is there once."""
    declared: dict[str, dict[str, Setting]] = {}  # setting → resolver → how it is declared
    for name in names:
        for setting in resolvers()[name].settings:
            declared.setdefault(setting.name, {})[name] = setting
    owners = [tuple(by_resolver) for by_resolver in declared.values()]
    in_sections = sorted(declared.values(), key=lambda by_resolver: owners.index(tuple(by_resolver)))
    return together(*map(_option, in_sections))


def _components() -> Iterable[str]:
    from referee.resolvers.camp.pipeline import COMPONENTS

    return COMPONENTS


def _guidelines() -> Iterable[str]:
    from referee.resolvers.camp.lexicon import known_guidelines

    return known_guidelines()


def _models() -> Iterable[str]:
    from referee.resolvers.neural.models import installed_models

    return installed_models()


COMPLETION = {  # of settings whose names are listed elsewhere, and loaded when the shell asks
    "model": completing(_models, folders=True),
    "guidelines": completing(_guidelines),
    "only": completing(_components, several=True),
    "skip": completing(_components, several=True),
    "until": completing(_components),
}


def option_name(setting: str) -> str:
    """Write a setting as the command line does."""
    return f"--{setting.replace('_', '-')}"


def _option(declared: Mapping[str, Setting]) -> Decorator:
    """Make one option of a setting, which all of its resolvers declare with the same meaning."""
    setting = next(iter(declared.values()))
    defaults = {name: each.default_in_words for name, each in declared.items()}
    default = setting.default_in_words
    if len(set(defaults.values())) > 1:
        default = ", ".join(f"{name}: {words}" for name, words in defaults.items() if words)
    return click.option(
        option_name(setting.name), setting.name, cls=SettingOption, owners=tuple(declared),
        is_flag=setting.type is bool, type=_type_of(setting), metavar=setting.value or None,
        shell_complete=COMPLETION.get(setting.name),
        help=f"{setting.help}  [default: {default}]" if default else setting.help,
    )  # fmt: skip


def _type_of(setting: Setting) -> Any:
    lowest, highest = (None if abs(bound) == inf else setting.type(bound) for bound in setting.bounds)
    if setting.type in (tuple, dict):  # names, or a file: the resolver distinguishes them
        return str
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.type is Path:
        return click.Path(exists=True, dir_okay=setting.value == "PATH")
    if setting.type in (int, float) and (lowest, highest) != (None, None):
        return (click.IntRange if setting.type is int else click.FloatRange)(lowest, highest)
    return setting.type


def given_settings() -> dict[str, Any]:
    """Take the settings of resolvers that the command line gives; the rest has its default."""
    context = click.get_current_context()
    options = {each.name or "": each for each in context.command.params if isinstance(each, SettingOption)}
    context.meta[SETTING_OPTIONS] = {name: option.opts[0] for name, option in options.items()}
    return {
        name: context.params[name]
        for name in options
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
