"""The documentation says what is true today."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import referee
import refresh_docs
from formats_table import with_table
from referee.formats.catalogue import OURS
from referee.formats.format import GAPS
from referee.metrics.catalogue import CATALOGUE

ROOT = Path(__file__).parents[1]
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
PAGES = refresh_docs.pages()
LINKED = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "changelog.d" / "README.md"]
WHOLLY_RUN = (
    "README.md",
    "tutorial.md",
    "which-metric.md",
)  # pages without a command on a reader's own files


def title(page: Path) -> str:
    """Name a page in the ids of tests; one in a folder of docs/ has the folder's name before its own."""
    return page.name if page.parent.name in ("docs", ROOT.name) else f"{page.parent.name}/{page.name}"


@pytest.mark.parametrize("page", PAGES, ids=title)
def test_pages_show_real_output(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    today, left = refresh_docs.refreshed(text)
    assert today == text, "look at the difference, then `make refresh-docs`"
    if page.name in WHOLLY_RUN:
        assert left == []


@pytest.mark.parametrize("name", WHOLLY_RUN)
def test_pages_show_commands(name: str) -> None:
    text = next(page for page in PAGES if page.name == name).read_text(encoding="utf-8")
    assert len(refresh_docs.COMMAND.findall(text)) >= 2


def test_a_wrong_output_is_seen() -> None:
    page = "See:\n\n    $ referee stats key.conll\n    nonsense\n\nand so on.\n"
    today, left = refresh_docs.refreshed(page)
    assert today.startswith("See:\n\n    $ referee stats key.conll\n    key.conll\n")
    assert today.endswith("31\n\nand so on.\n")
    assert left == []


def test_a_command_may_run_over_several_lines() -> None:
    page = "    $ referee stats \\\n          key.conll --format \\\n          csv\n    nonsense\n\n"
    page += "    $ referee stats \\\n          own.conll\n    whatever\n\n"
    today, left = refresh_docs.refreshed(page)
    assert "csv\n    part,kind,topics,subtopics,documents," in today
    assert left == ["referee stats own.conll"]


def test_a_command_may_use_what_an_earlier_one_wrote() -> None:
    page = "    $ referee convert beta.conll b.jsonl\n\n    >>> from pathlib import Path\n"
    page += "    >>> Path('b.jsonl').exists()\n    True\n\n    $ referee stats b.jsonl\n"
    today, left = refresh_docs.refreshed(page)
    assert today.startswith(page)
    assert "Mentions" in today
    assert left == []


def test_a_command_on_a_corpus_of_ones_own_is_left() -> None:
    commands = ["referee score key.conll own.conll", "referee stats ecbplus", "referee errors key.conll a/b"]
    page = "".join(f"    $ {command}\n    whatever\n\n" for command in commands)
    assert refresh_docs.refreshed(page) == (page, commands)


def test_a_command_without_output_is_not_taken_for_the_output_of_the_one_before() -> None:
    page = "    $ referee convert beta.conll b.jsonl\n\n    referee stats b.jsonl\n\nand so on\n"
    assert refresh_docs.refreshed(page)[0] == page


def test_a_wrong_example_is_seen() -> None:
    page = "First\n\n    >>> n = 2\n    >>> n + 1\n    2\n    3\n    >>> n\n    2\n\nlast\n"
    assert refresh_docs.refreshed(page)[0] == page.replace("    2\n    3\n", "    3\n")


def test_an_example_that_raises_is_seen() -> None:
    with pytest.raises(AssertionError, match="1 / 0 raises ZeroDivisionError"):
        refresh_docs.refreshed("    >>> 1 / 0\n    3\n")


def anchors(page: Path) -> set[str]:
    """List the anchors of headings on GitHub: lower case, blanks to hyphens, no signs or superscripts."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [
        re.sub(r"[^\w\- ]|[¹²³]", "", re.sub(r"\]\([^)]*\)", "", heading.lower())) for heading in headings
    ]
    return {heading.strip().replace(" ", "-") for heading in plain}


def link_targets(page: Path) -> list[str]:
    """List where links and pictures lead to, those with their target at the end of the page too."""
    text = re.sub(
        r"`[^`\n]+`|^    .*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE
    )  # without code
    found: list[str] = re.findall(r"(?:\]\(|^\[[^\]]+\]: )([^)\s]+)", text, re.MULTILINE)
    return found


def dead_links(page: Path) -> list[str]:
    """List the links of a page that lead to no file, or to no heading of it."""
    dead = []
    for target in link_targets(page):
        own = re.fullmatch(rf"{re.escape(REPOSITORY)}/(?:blob|raw|tree)/main/(.+)", target)
        path, _, anchor = (own[1] if own else target).partition("#")
        file = ROOT / path if own else page.parent / path if path else page
        if (own or "://" not in target) and not (file.exists() and (not anchor or anchor in anchors(file))):
            dead.append(target)
    return dead


@pytest.mark.parametrize("page", LINKED, ids=title)
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page) == []


def test_dead_links_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    (tmp_path / "other.md").write_text("# B³ (Bagga & Baldwin 1998)\n## Who, *really*?\n")
    page.write_text(
        "# Here\n[a](other.md#b-bagga--baldwin-1998) [b](other.md#who-really) [c](#here) [d](https://x.org/#y)\n"
        f"[e](none.md) ![p]({REPOSITORY}/raw/main/none.png) [r]({REPOSITORY}/blob/main/README.md)\n"
        "[f](other.md#nobody) [g](#there) [h](other.md#b³-bagga--baldwin-1998)\n"
    )
    assert dead_links(page) == [
        "none.md",
        f"{REPOSITORY}/raw/main/none.png",
        "other.md#nobody",
        "#there",
        "other.md#b³-bagga--baldwin-1998",
    ]


def test_links_of_the_readme_work_away_from_the_repository() -> None:
    """A package index shows the README alone: a link or picture must have its whole address."""
    targets = link_targets(ROOT / "README.md")
    assert len(targets) > 10
    assert not [target for target in targets if "://" not in target]


def test_the_metrics_page_names_every_metric() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name, metric in CATALOGUE.items():
        assert metric.label in page or f"`{name}`" in page, name


def test_the_page_of_formats_has_the_table_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for name, form in OURS.items():
        assert (f"| {form.label} (`{name}`) |" in page) == bool(form.write or form.suffixes), name
    monkeypatch.setitem(OURS, "conll", replace(OURS["conll"], holds=frozenset({GAPS})))
    assert with_table(page) != page


def test_the_python_page_names_all_that_is_exported() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in referee.__all__ if not re.search(rf"\b{name}\b", page)] == []
