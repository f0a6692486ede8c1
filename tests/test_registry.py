"""Entries are found where they are, a new one being a new file; installed packages add to them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from made_packages import make_module
from referee.exceptions import PluginWarning
from referee.registry import SKIPPED, Registry, entries


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


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_module(
        tmp_path,
        "numbers",
        "ONE, WORD = 1.0, 'one'",
        {"referee.numbers": {"one": "ONE", "wrong": "WORD", "lost": "NOWHERE", "ours": "ONE"}},
    )
    make_module(tmp_path, "broken", "raise SystemExit(3)", {"referee.numbers": {"three": "THREE"}})
    make_module(tmp_path, "second", "ONE = 7.0", {"referee.numbers": {"one": "ONE"}})
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_installed_packages_add_to_a_registry_and_broken_ones_are_skipped(installed: Path) -> None:
    numbers = Registry("referee.numbers", {"ours": 0.5}, float)
    assert installed.is_dir()
    with pytest.warns(PluginWarning) as warned:
        assert dict(numbers) == {"ours": 0.5, "one": 1.0}
    said = [str(each.message) for each in warned]
    assert [words.partition(" is skipped: ")[::2] for words in said] == [
        (
            "made-numbers: lost of referee.numbers",
            "AttributeError: module 'made_numbers' has no attribute 'NOWHERE'",
        ),
        ("made-second: one of referee.numbers", "ValueError: there is one of this name already"),
        ("made-numbers: ours of referee.numbers", "ValueError: there is one of this name already"),
        ("made-broken: three of referee.numbers", "SystemExit: 3"),
        ("made-numbers: wrong of referee.numbers", "TypeError: made_numbers:WORD is a str, not a float"),
    ]
    assert SKIPPED[-len(said) :] == said
    assert len(numbers) == 2
    assert "three" not in numbers


def test_installed_packages_are_not_asked_for_what_is_ours(installed: Path) -> None:
    numbers = Registry("referee.numbers", {"ours": 0.5}, float)
    assert installed.is_dir()
    assert numbers["ours"] == 0.5
    assert "ours" in numbers
    assert "installed" not in vars(numbers)


def test_a_package_without_readable_entry_points_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_module(tmp_path, "odd", "", {})
    (folder / "entry_points.txt").write_text("[referee.numbers]\nno equals sign\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.warns(PluginWarning, match="made-odd: its entry points are skipped: "):
        assert not Registry("referee.numbers", {}, float)
