"""The pictures of the pages: every guide has one, they are those of today, and they are small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import draw_pictures
import take_screenshots

ROOT = Path(__file__).parents[1]
NAV = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
NO_GUIDES = ("roadmap.md", "tour.md")  # plans; a notebook that draws its own figure
GUIDES = [page for page in NAV if "/" not in page and page not in NO_GUIDES]
PICTURE = re.compile(r"!\[(?P<alt>[^\]]+)\]\((?P<file>(?:pictures|images)/[\w.-]+)\)")
LARGEST, ALL = 150_000, 3_000_000  # bytes


@pytest.mark.parametrize("page", GUIDES)
def test_every_guide_has_a_picture_that_is_described(page: str) -> None:
    pictures = PICTURE.findall((ROOT / "docs" / page).read_text("utf-8"))
    assert pictures
    assert all(len(alt.split()) >= 4 for alt, _ in pictures)


def test_every_picture_is_shown_somewhere() -> None:
    pages = [path.read_text("utf-8") for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]]
    shown = {file.rpartition("/")[2] for page in pages for _, file in PICTURE.findall(page)}
    kept = [path for folder in ("images", "pictures") for path in (ROOT / "docs" / folder).iterdir()]
    assert {path.name for path in kept} == shown


def test_pictures_are_small() -> None:
    sizes = {
        path: path.stat().st_size for path in (ROOT / "docs").rglob("*") if path.suffix in (".png", ".svg")
    }
    assert [path.name for path, size in sizes.items() if size > LARGEST] == []
    assert sum(sizes.values()) < ALL


def test_screenshots_are_made_by_the_script() -> None:
    taken = {path.name for path in take_screenshots.FOLDER.glob("*.png")}
    made = take_screenshots.PAGES | take_screenshots.WORKBENCH | take_screenshots.PLAYED
    assert taken == {f"{name}.png" for name in [*made, take_screenshots.CURATION]}


def test_every_term_of_the_glossary_has_its_picture() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    parts = {part.partition("\n")[0]: part for part in page.split("\n## ")[1:]}
    assert parts.keys() == draw_pictures.PICTURES.keys()
    for heading, part in parts.items():
        assert f"](pictures/{draw_pictures.file_of(heading)})" in part


def test_pictures_are_those_of_today() -> None:
    drawn = draw_pictures.drawn()
    assert {path.name for path in draw_pictures.FOLDER.iterdir()} == drawn.keys()
    for name, svg in drawn.items():
        assert (draw_pictures.FOLDER / name).read_text("utf-8") == svg, "`make refresh-docs` draws it again"
