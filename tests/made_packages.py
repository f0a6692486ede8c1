"""Packages that add to Referee, made as an installer leaves them: a module, and its metadata beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def make_package(
    folder: Path, name: str, code: str, offers: Mapping[str, Mapping[str, str]], module: str = ""
) -> Path:
    """Install a package whose module has this code and whose groups of entry points name parts of it; give
    the folder of its metadata.
    """
    module = module or f"made_{name}"
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    metadata = folder / f"made_{name}-1.0.dist-info"
    metadata.mkdir()
    words = f"Metadata-Version: 2.1\nName: made-{name}\nVersion: 1.0\n"
    (metadata / "METADATA").write_text(words, encoding="utf-8")
    lines = [
        line
        for group, parts in offers.items()
        for line in (f"[{group}]", *(f"{entry} = {module}:{part}" for entry, part in parts.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return metadata
