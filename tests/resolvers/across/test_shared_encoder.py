"""A model that links texts may have no encoder of its own: it takes that of the model it was trained on."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from referee.exceptions import FormatError, SettingError
from referee.resolvers.neural import models
from referee.resolvers.neural.models import (
    ACROSS,
    ENCODER,
    InstalledModel,
    encoder_folder,
    facts_of,
    linking_model,
    model_named,
    models_to_choose,
    size_of,
)
from toy_model import write_toy

pytest.importorskip(
    "safetensors", reason="safetensors is not installed: pip install 'referee-coref[resolve]'"
)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Install a model that resolves texts, and before it one that links them with its encoder."""
    own = write_toy(tmp_path / "own", language="English")
    linker = tmp_path / "linker"
    linker.mkdir()
    for name in (ACROSS, "across.safetensors"):
        (linker / name).write_text("{}", "utf-8")
    digest = hashlib.sha256((own / ENCODER).read_bytes()).hexdigest()
    facts = {"language": "English", "encoder_of": {"name": "own", "sha256": digest}}
    (linker / "model.json").write_text(json.dumps(facts), "utf-8")
    found = {name: InstalledModel(name, "1.0", tmp_path / name) for name in ("linker", "own")}
    monkeypatch.setattr(models, "installed_models", lambda: found)
    return {name: each.folder for name, each in found.items()}


def test_each_model_is_taken_for_what_it_can_do(folders: dict[str, Path]) -> None:
    assert model_named().name == "own"
    assert [each.name for each, _ in models_to_choose()] == ["own"]
    assert [linking_model(name).name for name in (None, "own", "linker")] == ["linker"] * 3
    assert encoder_folder(folders["linker"]) == encoder_folder(folders["own"]) == folders["own"]
    assert facts_of(folders["linker"])["encoder_of"]["name"] == "own"
    assert size_of(folders["linker"]) == sum(path.stat().st_size for path in folders["linker"].iterdir())


def test_a_model_for_another_encoder_links_nothing(folders: dict[str, Path]) -> None:
    facts = folders["linker"] / "model.json"
    facts.write_text(json.dumps({"encoder_of": {"name": "other", "sha256": ""}}), "utf-8")
    with pytest.raises(
        SettingError, match="own has nothing for documents together: pip install referee-coref-link-en"
    ):
        linking_model("own")
    with pytest.raises(SettingError, match="needs the encoder of the model other, which is not installed"):
        encoder_folder(folders["linker"])


def test_an_encoder_of_another_version_is_refused(folders: dict[str, Path]) -> None:
    with (folders["own"] / ENCODER).open("ab") as file:
        file.write(b" ")
    models._checksum.cache_clear()
    with pytest.raises(SettingError, match=r"trained on another version of the model own than 1\.0"):
        encoder_folder(folders["linker"])


def test_a_linker_does_not_resolve_single_texts(folders: dict[str, Path]) -> None:
    for library in ("onnxruntime", "tokenizers"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    from referee.resolvers.neural.running import open_model

    with pytest.raises(SettingError, match="this model only links several texts; give model='own'"):
        open_model(folders["linker"])


def test_a_linker_without_its_heads_is_no_model(folders: dict[str, Path]) -> None:
    (folders["linker"] / "across.safetensors").unlink()
    with pytest.raises(FormatError, match=r"across.safetensors is missing; a model has across.safetensors"):
        facts_of(folders["linker"])
    shutil.rmtree(folders["linker"])
