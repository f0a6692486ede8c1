"""Entries are found where they are: a new one is a new file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee import formats
from referee.registry import entries


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "offering"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "b.py").write_text("THINGS = {'two': 2}", encoding="utf-8")
    (folder / "a.py").write_text("THINGS = {'one': 1}", encoding="utf-8")
    (folder / "c.py").write_text("OTHERS = {'three': 3}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.startswith("offering")]:
        monkeypatch.delitem(sys.modules, name)
    return folder


def test_dictionaries_are_joined_in_the_order_of_modules(package: Path) -> None:
    assert package.is_dir()
    assert list(entries("offering", "THINGS").items()) == [("one", 1), ("two", 2)]
    assert entries("offering", "OTHERS") == {"three": 3}


def test_two_of_one_name_are_refused(package: Path) -> None:
    (package / "d.py").write_text("THINGS = {'one': 7}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"offering\.d: THINGS has one"):
        entries("offering", "THINGS")


def test_formats_are_whole() -> None:
    priorities = [form.priority for form in formats.FORMATS.values() if not form.part_of]
    assert priorities == sorted(set(priorities))
    for name, form in formats.FORMATS.items():
        assert form.label
        assert not form.counterpart or formats.FORMATS[form.counterpart].across
        assert form.write is None or form.contents is None
        assert (name in formats.WRITABLE) == (form.write is not None or form.contents is not None)
