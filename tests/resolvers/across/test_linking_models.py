"""A model that only links texts is taken for that alone, and needs no other model."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.exceptions import FormatError, SettingError
from referee.resolvers.neural import models
from referee.resolvers.neural.models import (
    ACROSS,
    HEAD,
    InstalledModel,
    facts_of,
    instead_of,
    linking_model,
    links_only,
    model_named,
    models_to_choose,
    resolving_models,
    size_of,
)
from referee.tables.models import model_card
from toy_model import write_toy

for library in ("onnxruntime", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Install a model that only links texts, and behind it two that resolve single ones."""
    languages = {"linker": "English", "german": "German", "own": "English"}
    for name, language in languages.items():
        write_toy(tmp_path / name, language=language)
    linker = tmp_path / "linker"
    (linker / HEAD).unlink()
    for file in (ACROSS, "across.safetensors"):
        (linker / file).write_text("{}", "utf-8")
    found = {name: InstalledModel(name, "1.0", tmp_path / name) for name in languages}
    monkeypatch.setattr(models, "installed_models", lambda: found)
    return {name: each.folder for name, each in found.items()}


def test_each_model_is_taken_for_what_it_can_do(folders: dict[str, Path]) -> None:
    assert [*resolving_models()] == ["german", "own"]
    assert model_named().name == "german"
    assert [each.name for each, _ in models_to_choose()] == ["german", "own"]
    assert [linking_model(name).name for name in (None, "linker")] == ["linker"] * 2
    assert facts_of(folders["linker"])["language"] == "English"
    assert size_of(folders["linker"]) == sum(path.stat().st_size for path in folders["linker"].iterdir())


def test_the_card_of_a_model_that_only_links_says_so(folders: dict[str, Path]) -> None:
    cards = {name: model_card(InstalledModel(name, "1.0", folder)) for name, folder in folders.items()}
    assert "# linker 1.0: a model of Referee's linker of texts" in cards["linker"]
    assert "It finds who and what occurs in several texts (`referee link`)" in cards["linker"]
    assert "# own 1.0: a model of Referee's neural resolver" in cards["own"]


def test_a_model_for_single_texts_links_nothing(folders: dict[str, Path]) -> None:
    with pytest.raises(
        SettingError, match="own has nothing for documents together: model='linker' has it, or train yours"
    ):
        linking_model("own")
    (folders["linker"] / ACROSS).unlink()
    with pytest.raises(SettingError, match=r"pip install referee-coref-link-en .* brings a model that has"):
        linking_model("own")


def test_a_linker_does_not_resolve_single_texts(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.resolvers.neural.running import open_model

    with pytest.raises(SettingError, match="this model only links several texts; give model='own' for sin"):
        open_model(folders["linker"])
    monkeypatch.setattr(models, "installed_models", dict)
    assert instead_of(folders["linker"]).startswith("for single ones, pip install 'referee-coref[resolve]'")


def test_a_model_that_does_both_is_taken_for_both(folders: dict[str, Path]) -> None:
    (folders["own"] / ACROSS).write_text("{}", "utf-8")
    assert not links_only(folders["own"])
    assert linking_model("own").name == "own"
    assert "own" in resolving_models()


def test_a_linker_without_its_heads_is_no_model(folders: dict[str, Path]) -> None:
    (folders["linker"] / "across.safetensors").unlink()
    with pytest.raises(FormatError, match=r"across.safetensors is missing; a model has encoder.onnx, across"):
        facts_of(folders["linker"])
