"""The package of the English weights: what its wheel holds, and that its card says what its facts say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from referee.resolvers.neural.models import ENTITIES, GROUP, InstalledModel
from referee.resolvers.neural.models import FILES as FILES_WITHIN
from referee.tables.models import model_card

PACKAGE = Path(__file__).parents[3] / "models" / "en"
MODULE = "referee_coref_en"
FILES = (*FILES_WITHIN, ENTITIES, "across.safetensors", "across.json", "reader.onnx", "reader.safetensors")
LARGEST = 40_000_000  # bytes of a wheel
DESCRIBED = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))


def test_the_wheel_holds_all_files_of_a_model_under_its_name() -> None:
    wheel = DESCRIBED["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {f"{MODULE}/{name}": f"{MODULE}/{name}" for name in FILES}
    assert DESCRIBED["project"]["entry-points"][GROUP] == {"en": MODULE}
    assert "dependencies" not in DESCRIBED["project"]


def test_the_weights_are_small_and_the_card_is_that_of_their_facts() -> None:
    folder = PACKAGE / MODULE
    if not all((folder / name).exists() for name in (*FILES, "card.md")):
        pytest.skip("the weights are not in this checkout")
    assert sum((folder / name).stat().st_size for name in FILES) < LARGEST
    card = model_card(InstalledModel("en", DESCRIBED["project"]["version"], folder)).rstrip("\n")
    written = (folder / "card.md").read_text("utf-8").rstrip("\n")
    assert written == card, f"make models, then referee models show en -o {folder / 'card.md'}"
