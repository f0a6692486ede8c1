"""The documentation says what is true today."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.metrics.catalogue import CATALOGUE

ROOT = Path(__file__).parents[1]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
SAMPLE = Path(referee.__file__).parent / "sample"


def shown_commands(page: str) -> list[tuple[str, str]]:
    """Find commands that are shown with their output: an indented `$ referee …` and what follows it."""
    blocks = re.findall(r"^    \$ (referee .*)\n((?:(?:    .*)?\n)*?)(?=    \$|\S)", page, re.MULTILINE)
    return [(command, re.sub(r"^    ", "", output, flags=re.MULTILINE).strip()) for command, output in blocks]


README = shown_commands((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("command", "output"), README, ids=[command for command, _ in README])
def test_the_readme_shows_real_output(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLE)
    assert CliRunner().invoke(main, command.split()[1:]).stdout.strip() == output


def test_the_readme_shows_commands() -> None:
    assert len(README) >= 2


def link_targets(page: Path) -> list[str]:
    """List where links and pictures lead to, those with their target at the end of the page too."""
    return re.findall(r"(?:\]\(|^\[[^\]]+\]: )([^)#\s]+)", page.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "page", [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"], ids=lambda p: p.name
)
def test_links_lead_somewhere(page: Path) -> None:
    for target in link_targets(page):
        own = re.fullmatch(rf"{re.escape(REPOSITORY)}/(?:blob|raw|tree)/main/(.+)", target)
        assert own or "://" in target or (page.parent / target).exists(), target
        assert not own or (ROOT / own[1]).exists(), target


def test_links_of_the_readme_work_away_from_the_repository() -> None:
    """A package index shows the README alone: a link or picture must have its whole address."""
    targets = link_targets(ROOT / "README.md")
    assert len(targets) > 10
    assert not [target for target in targets if "://" not in target]


def test_the_metrics_page_names_every_metric() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name, metric in CATALOGUE.items():
        assert metric.label in page or f"`{name}`" in page, name
