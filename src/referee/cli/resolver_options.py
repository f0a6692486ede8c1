"""The options that set a resolver, made from what the resolvers declare; help lists them by resolver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from referee.cli.names import completing
from referee.cli.options import Decorator, together
from referee.cli.terminal import SETTING_OPTIONS
from referee.exceptions import RefereeError
from referee.resolvers.base import Setting, resolvers


class SettingOption(click.Option):
    """An option that is a setting of some resolvers."""

    def __init__(self, *names: Any, declared: Mapping[str, Setting], **how: Any) -> None:
        """Remember whose setting it is: resolver → how it is declared."""
        super().__init__(*names, **how)
        self.declared = declared

    @property
    def owners(self) -> tuple[str, ...]:
        """The resolvers whose setting it is."""
        return tuple(self.declared)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """List the choices of each resolver where they differ; a model's are looked up only here."""
        record = super().get_help_record(ctx)
        if record is None or not _choices_differ(self.declared):
            return record
        offered = [
            f"{name}: {', '.join(_offered(each)) or 'those of its model'}"
            for name, each in self.declared.items()
        ]
        return record[0], f"{record[1]}  [{'; '.join(offered)}]"


def _choices_differ(declared: Mapping[str, Setting]) -> bool:
    """Whether the choices of a setting depend on the resolver or its model."""
    return any(each.choices_with or each.choices != _first(declared).choices for each in declared.values())


def _offered(setting: Setting) -> tuple[str, ...]:
    """List the choices of a setting, with the model that is installed if there is one."""
    try:
        return setting.choices_with({}) if setting.choices_with else setting.choices
    except RefereeError:  # there is no model
        return ()


def _first(declared: Mapping[str, Setting]) -> Setting:
    return next(iter(declared.values()))


def setting_options(*names: str) -> Decorator:
    """Make an option of each setting of these resolvers; one that several have is there once."""
    return options_of({name: resolvers()[name].settings for name in names})


def options_of(settings: Mapping[str, Sequence[Setting]]) -> Decorator:
    """Make an option of each setting that resolvers declare, for running or for training."""
    declared: dict[str, dict[str, Setting]] = {}  # setting → resolver → how it is declared
    for name, own in settings.items():
        for setting in own:
            declared.setdefault(setting.name, {})[name] = setting
    owners = [tuple(by_resolver) for by_resolver in declared.values()]
    in_sections = sorted(declared.values(), key=lambda by_resolver: owners.index(tuple(by_resolver)))
    return together(*map(_option, in_sections))


def _components() -> Iterable[str]:
    from referee.resolvers.camp.pipeline import COMPONENTS

    return COMPONENTS


def _guidelines() -> Iterable[str]:
    every = (setting for entry in resolvers().values() for setting in entry.settings)
    return {name for setting in every if setting.name == "guidelines" for name in _offered(setting)}


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
    setting = _first(declared)
    defaults = {name: each.default_in_words for name, each in declared.items()}
    default = setting.default_in_words
    if len(set(defaults.values())) > 1:
        default = ", ".join(f"{name}: {words}" for name, words in defaults.items() if words)
    return click.option(
        option_name(setting.name), setting.name, cls=SettingOption, declared=declared,
        is_flag=setting.type is bool, multiple=setting.type is tuple, type=_type_of(setting, declared),
        metavar=setting.value or ("N" if setting.type in (int, float) else None),
        shell_complete=COMPLETION.get(setting.name),
        help=f"{setting.help}  [default: {default}]" if default else setting.help,
    )  # fmt: skip


def _type_of(setting: Setting, declared: Mapping[str, Setting]) -> Any:
    if _choices_differ(declared) or any(each.bounds != setting.bounds for each in declared.values()):
        return setting.type  # the resolver that is chosen refuses what it does not take
    lowest, highest = (None if abs(bound) == inf else setting.type(bound) for bound in setting.bounds)
    if setting.type in (tuple, dict):  # names, or a file: the resolver distinguishes them
        return str
    if setting.choices:
        return click.Choice(setting.choices)
    if setting.type is Path:
        file, folder = setting.value != "FOLDER", setting.value != "FILE"
        return click.Path(exists=True, file_okay=file, dir_okay=folder, allow_dash=file)
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
