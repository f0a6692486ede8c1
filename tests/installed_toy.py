"""Installs the toy model as a package would be, in a folder that Python looks into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.resolvers.neural.models import installed_models
from referee.resolvers.part_files import resolving_versions
from toy_model import write_toy

NAME = "aa-toy"  # before all others, so that it is the one that is taken unless another is named


@contextmanager
def toy_installed(folder: Path, monkeypatch: pytest.MonkeyPatch, **facts: Any) -> Iterator[Path]:
    """Put a package with the toy model on the path, and forget it again."""
    described = folder / "referee_toy-1.5.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: referee-toy\nVersion: 1.5\n", "utf-8")
    (described / "entry_points.txt").write_text(f"[referee_models]\n{NAME} = referee_toy\n", "utf-8")
    package = write_toy(folder / "referee_toy", **facts)
    (package / "__init__.py").write_text("raise AssertionError('nothing of a model is imported')\n", "utf-8")
    monkeypatch.syspath_prepend(folder)
    forget_installed()
    yield package
    forget_installed()


def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no model be installed; the cache is to be cleared by the caller's fixture."""
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [])
    forget_installed()


def forget_installed() -> None:
    """Forget which models and packages there are: they are looked for once."""
    installed_models.cache_clear()
    resolving_versions.cache_clear()
