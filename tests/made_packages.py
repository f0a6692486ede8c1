"""Packages that add to Referee, as an installer leaves them: modules, and metadata beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def make_package(folder: Path, name: str, offers: Mapping[str, Mapping[str, str]]) -> Path:
    """Install a package whose modules lie in the folder: group → entry point → object; give its metadata."""
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    words = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    (metadata / "METADATA").write_text(words, encoding="utf-8")
    lines = [
        line
        for group, entries in offers.items()
        for line in (f"[{group}]", *(f"{entry} = {place}" for entry, place in entries.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return metadata


def make_module(folder: Path, name: str, code: str, offers: Mapping[str, Mapping[str, str]]) -> Path:
    """Install a package `made-NAME` of one module with this code, of which each group offers parts."""
    (folder / f"made_{name}.py").write_text(code, encoding="utf-8")
    places = {
        group: {entry: f"made_{name}:{part}" for entry, part in entries.items()}
        for group, entries in offers.items()
    }
    return make_package(folder, f"made-{name}", places)
