"""referee train: each resolver takes the settings that its training declares, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli.resolver_options import option_name
from referee.resolvers.base import Setting
from referee.training.settings import TRAINED, training_settings

FOREIGN = [
    (name, setting)
    for name, entry in TRAINED.items()
    for other in TRAINED.values()
    for setting in other.settings
    if setting.name not in entry.names
]


def run(folder: Path, *arguments: object) -> Result:
    words = ["train", "corpus", "--dev", "dev", "-o", folder / "made", *arguments]
    return CliRunner().invoke(main, [*map(str, words)])


def given(setting: Setting, folder: Path) -> list[object]:
    """Give an option any value that it takes."""
    (folder / "file").touch()
    paths = {"FILE": folder / "file", "FOLDER": folder}
    values = {int: 3, float: 0.5, str: next(iter(setting.choices), "x")}
    value = paths.get(setting.value) or values.get(setting.type)
    return [option_name(setting.name)] + [value] * (setting.type is not bool)


@pytest.mark.parametrize(("resolver", "setting"), FOREIGN, ids=lambda case: getattr(case, "name", case))
def test_settings_of_the_other_resolver_are_refused(resolver: str, setting: Setting, tmp_path: Path) -> None:
    result = run(tmp_path, "--encoder", tmp_path, "--resolver", resolver, *given(setting, tmp_path))
    assert result.exit_code == 2, result.output
    said = f"{option_name(setting.name)} is a setting of the resolver "
    assert said in " ".join(result.output.split())


def test_both_resolvers_have_settings_of_their_own() -> None:
    assert {name for name, _ in FOREIGN} == {*TRAINED} == {"neural", "across"}


def test_a_network_needs_an_encoder(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "--resolver neural needs --encoder" in result.output


def test_defaults_are_taken_where_nothing_is_given() -> None:
    for entry in TRAINED.values():
        assert all(setting.accepts(setting.default) for setting in entry.settings)
    chosen = training_settings("neural", {"encoder": "here", "epochs": 3})
    assert (chosen["encoder"], chosen["epochs"], chosen["seed"]) == ("here", 3, 1)
    assert training_settings("across", {})["kind"] == "all"


def test_values_that_a_setting_does_not_take_are_refused(tmp_path: Path) -> None:
    for words in (("--epochs", 0), ("--kind", "verbs", "--resolver", "across"), ("--resolver", "camp")):
        assert run(tmp_path, "--encoder", tmp_path, *words).exit_code == 2
