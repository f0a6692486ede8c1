"""The wheels as they are built: their licences, notices of what they were made from, and addresses."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("hatchling", reason="hatchling is not installed, and wheels cannot be built")
TOP = Path(__file__).parents[1]
FOLDERS = {
    "referee_coref": TOP,
    "referee_coref_en": TOP / "models" / "en",
    "referee_coref_en_nc": TOP / "models" / "en-nc",
    "referee_coref_link_en": TOP / "models" / "link-en",
    "referee_coref_multi": TOP / "models" / "multi",
}
WEIGHTS = FOLDERS["referee_coref_en"] / "referee_coref_en" / "encoder.onnx"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ZipFile]:
    if not WEIGHTS.exists():
        pytest.skip("the weights are not in this checkout")
    target = tmp_path_factory.mktemp("wheels")
    for folder in FOLDERS.values():
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return {path.name.split("-")[0]: ZipFile(path) for path in target.glob("*.whl")}


def metadata(wheel: ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode("utf-8"))


def licence(wheel: ZipFile, name: str) -> str:
    (path,) = (path for path in wheel.namelist() if path.endswith(f".dist-info/licenses/{name}"))
    return " ".join(wheel.read(path).decode("utf-8").split())


def test_each_wheel_has_its_licence_and_addresses(wheels: dict[str, ZipFile]) -> None:
    expressions = {name: metadata(wheel)["License-Expression"] for name, wheel in wheels.items()}
    assert expressions == {
        "referee_coref": "MIT",
        "referee_coref_en": "CC-BY-SA-4.0",
        "referee_coref_en_nc": "CC-BY-NC-SA-4.0",
        "referee_coref_link_en": "CC-BY-SA-4.0",
        "referee_coref_multi": "CC-BY-SA-4.0",
    }
    for wheel in wheels.values():
        assert metadata(wheel).get_all("License-File") == ["LICENSE", "NOTICE.md"]
        addresses = dict(each.split(", ", 1) for each in metadata(wheel).get_all("Project-URL") or [])
        assert {"Homepage", "Documentation", "Source", "Issues"} <= set(addresses)
        assert all(address.startswith("https://") for address in addresses.values())
    assert licence(wheels["referee_coref"], "LICENSE").startswith("MIT License")
    assert "NonCommercial-ShareAlike 4.0 International" in licence(wheels["referee_coref_en_nc"], "LICENSE")
    for shared in ("referee_coref_en", "referee_coref_link_en", "referee_coref_multi"):
        assert licence(wheels[shared], "LICENSE").startswith("Attribution-ShareAlike 4.0")


def test_the_notices_name_what_the_wheels_were_made_from(wheels: dict[str, ZipFile]) -> None:
    ours, *weights = (licence(wheels[name], "NOTICE.md") for name in FOLDERS)
    shipped = {Path(name).name for name in wheels["referee_coref"].namelist()}
    for made in ("persons.txt", "unclear.txt", "things.txt", "feminine.txt", "frequent.txt"):
        assert made in shipped
        assert made in ours
    assert "WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved." in ours
    assert "LICENSEE agrees to preserve same" in ours
    for made in weights:
        assert "Copyright (c) Microsoft Corporation" in made
    assert "referee_coref_multi/encoder.pieces" in wheels["referee_coref_multi"].namelist()
    assert "referee_coref_en/card.md" in wheels["referee_coref_en"].namelist()


def test_readme_and_card_name_the_licence_of_the_weights() -> None:
    said = metadata_of_weights()
    assert f"| licence | {said} |" in (WEIGHTS.parent / "card.md").read_text("utf-8")
    for page in (TOP / "README.md", TOP / "models" / "en" / "README.md", TOP / "docs" / "install.md"):
        assert said in page.read_text("utf-8"), page


def metadata_of_weights() -> str:
    described = tomllib.loads((FOLDERS["referee_coref_en"] / "pyproject.toml").read_text("utf-8"))
    return str(described["project"]["license"])
