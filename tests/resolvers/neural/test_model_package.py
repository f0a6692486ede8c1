"""The packages of weights: what their wheels hold, and that their cards say what their facts say."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.resolvers.neural.models import ENTITIES, GROUP, PIECES_FILE, InstalledModel
from referee.resolvers.neural.models import FILES as FILES_WITHIN
from referee.tables.models import model_card

MODELS = Path(__file__).parents[3] / "models"
ACROSS = (
    "encoder.onnx", "tokenizer.json", "across.safetensors", "across.json", "model.json", "reader.onnx",
    "reader.safetensors", "compatibility.safetensors",
)  # fmt: skip


class Package(NamedTuple):
    """A package of weights: its files, and how many bytes its wheel may have."""

    name: str
    files: tuple[str, ...]
    most: int

    @property
    def module(self) -> str:
        return f"referee_coref_{self.name.replace('-', '_')}"

    @property
    def folder(self) -> Path:
        return MODELS / self.name / self.module


PACKAGES = (
    Package("en", (*FILES_WITHIN, ENTITIES), 40_000_000),
    Package("en-nc", (*FILES_WITHIN, ENTITIES), 40_000_000),
    Package("link-en", ACROSS, 40_000_000),
    Package("multi", (*FILES_WITHIN, ENTITIES, PIECES_FILE), 45_000_000),
)


@pytest.fixture(params=PACKAGES, ids=lambda package: package.name)
def package(request: pytest.FixtureRequest) -> Package:
    found = request.param
    assert isinstance(found, Package)
    return found


def described(package: Package) -> dict[str, Any]:
    return tomllib.loads((MODELS / package.name / "pyproject.toml").read_text("utf-8"))


def test_the_wheel_holds_all_files_of_a_model_under_its_name(package: Package) -> None:
    project = described(package)["project"]
    wheel = described(package)["tool"]["hatch"]["build"]["targets"]["wheel"]
    module = package.module
    assert wheel["force-include"] == {f"{module}/{name}": f"{module}/{name}" for name in package.files}
    assert project["entry-points"][GROUP] == {package.name: module}
    assert "dependencies" not in project


def test_the_weights_are_small_and_the_card_is_that_of_their_facts(package: Package) -> None:
    folder = package.folder
    if not all((folder / name).exists() for name in (*package.files, "card.md")):
        pytest.skip("the weights are not in this checkout")
    assert sum((folder / name).stat().st_size for name in package.files) < package.most
    version = str(described(package)["project"]["version"])
    card = model_card(InstalledModel(package.name, version, folder)).rstrip("\n")
    written = (folder / "card.md").read_text("utf-8").rstrip("\n")
    assert written == card, f"referee models show {folder} -o {folder / 'card.md'}"


def test_no_file_of_the_model_in_several_languages_is_larger_than_16_mebibytes() -> None:
    (folder,) = (package.folder for package in PACKAGES if package.name == "multi")
    if not folder.exists():
        pytest.skip("the weights are not in this checkout")
    assert max(path.stat().st_size for path in folder.iterdir()) <= 2**24
