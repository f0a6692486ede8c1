"""Imports point one way: metrics see no documents, formats no scores, and nothing sees the command line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent

# room → rooms that it may import; what is not named here may import anything but the command line
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "model": {"errors"},
    "repeats": set(),
    "table": {"repeats"},
    "alignment": {"table"},
    "metrics": {"alignment", "table"},
    "twinless": {"alignment", "metrics", "table"},
    "catalogue": {"metrics", "twinless"},
    "formats": {"model", "errors", "formats"},
    "syntax": {"errors", "model", "syntax"},
    "spans": {"model", "syntax"},
    "match": {"errors", "model", "spans", "syntax", "table"},
    "parses": {"errors", "formats", "match", "model", "parses", "syntax"},
    "minimum": {"errors", "formats", "match", "model", "parses", "spans", "syntax"},
    "tokens": {"model"},
    "units": {"model", "errors"},
    "matcher": {"errors", "formats", "match", "model", "parses", "protocol"},
    "protocol": {"match", "units", "errors", "referee"},
    "result": {"catalogue", "metrics", "protocol", "errors", "table", "referee"},
    "identity": {"model"},
    "comparable": {"result", "metrics", "errors"},
    "resampling": {"result", "catalogue", "metrics", "table"},
    "significance": {"resampling", "comparable", "result", "errors", "table"},
    "analysis": {
        "analysis", "catalogue", "errors", "evaluate", "formats", "match", "matcher", "metrics", "model",
        "protocol", "result", "spans", "syntax", "table", "units",
        "comparable", "resampling", "significance",
    },
}  # fmt: skip


def rooms_imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "referee":
            parts = node.module.split(".")
            names = {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
            found |= {
                name if (ROOT / name).exists() or (ROOT / f"{name}.py").exists() else "referee"
                for name in names
            }
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("referee.")}
    return found


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    imported = rooms_imported(path)
    if room in ALLOWED:
        assert imported <= ALLOWED[room]
    if room not in ("cli", "__main__"):
        assert "cli" not in imported
