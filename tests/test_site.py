"""The site that is built from the pages: its links, what it loads, and who can use it."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import click
import pytest

import notebook_page
import referee
import resolver_gallery
from chromium import Browser
from command_reference import all_contexts
from open_page import first_found
from referee.cli import COMMANDS

ROOT = Path(__file__).parents[1]
AXE = ROOT / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
OPENED = (
    "index",
    "install",
    "metrics",
    "tour",
    "glossary",
    "tutorial",
    "reference/commands",
    "reference/api",
    "formats",
    "resolver-gallery",
)
LONG_PAGE = "reference/api"  # its colours, which others have too, take axe twenty seconds
COMMAND_SECTION = re.compile(r'<h2 id="[^"]*">(referee [^<]*)<(.*?)(?=<h2 |</article>)', re.DOTALL)
WIDER_THAN_THE_PAGE = """[...document.querySelectorAll("pre code, .md-typeset__scrollwrap")]
    .filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText.slice(0, 60))"""


class _Page(HTMLParser):
    """Collects what a page links to, and what can be linked to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.targets += [target for name in ("href", "src") if (target := given.get(name))]
        self.anchors |= {anchor for name in ("id", "name") if (anchor := given.get(name))}


def test_no_link_is_broken(site: Path) -> None:
    pages = {path: _Page(path.read_text("utf-8")) for path in site.rglob("*.html") if path.name != "404.html"}
    assert len(pages) > 20
    broken = []
    for path, page in pages.items():
        for target in page.targets:
            address = urlparse(target)
            if address.scheme or address.netloc:
                continue
            file = (path.parent / unquote(address.path)).resolve() if address.path else path
            anchor = unquote(address.fragment)
            missing = not file.exists() or (anchor and file in pages and anchor not in pages[file].anchors)
            broken += [f"{path.name}: {target}"] if missing and not target.endswith("/.") else []
    assert broken == []


def test_every_command_is_in_the_reference_with_all_its_options(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text("utf-8")
    sections = {html.unescape(name): text for name, text in COMMAND_SECTION.findall(page)}
    contexts = {context.command_path: context for context in all_contexts()}
    assert list(sections) == list(contexts)
    assert {path.split()[1] for path in contexts} == COMMANDS.keys()
    assert {"referee models show", "referee models test"} <= contexts.keys()
    for path, context in contexts.items():
        shown = html.unescape(re.sub(r"<[^>]*>", "", sections[path]))
        for option in (
            each for each in context.command.get_params(context) if isinstance(each, click.Option)
        ):
            if not option.hidden:
                assert max(option.opts, key=len) in shown, path
                assert " ".join((option.help or "").replace("`", "").split()) in shown, (path, option.name)
    assert "<strong>Settings of camp</strong>" in sections["referee resolve"]


def test_no_list_has_become_a_paragraph(site: Path) -> None:
    """Markdown takes a list for text where no blank line is before it, and GitHub does not show that."""
    found = [
        f"{path.name}: {item.strip()}"
        for path in site.rglob("*.html")
        for paragraph in re.findall(r"<p>(.*?)</p>", path.read_text("utf-8"), re.DOTALL)
        for item in re.findall(r"^(?:[-*+]|\d+\.) .*", paragraph, re.MULTILINE)
    ]
    assert found == []


@pytest.mark.parametrize("name", OPENED)
def test_pages_open_without_complaint_and_load_nothing_from_elsewhere(
    name: str, site: Path, chromium: Browser
) -> None:
    chromium.complaints.clear()
    chromium.requests.clear()
    chromium.open((site / f"{name}.html").as_uri())
    assert chromium.complaints == []
    assert [address for address in chromium.requests if not address.startswith(("file:", "data:"))] == []
    assert chromium.run("document.documentElement.scrollWidth <= innerWidth")


def pages_of(site: Path) -> list[Path]:
    """List the pages that are written here: those in the gallery were written by resolvers."""
    return [path for path in sorted(site.rglob("*.html")) if path.parent.name != "gallery"]


def test_pages_fit_a_phone_and_their_code_and_tables_a_screen(site: Path, chromium: Browser) -> None:
    wide = []
    for path in pages_of(site):
        chromium.open(path.as_uri())
        chromium.resize(390, 800)
        width = chromium.run("document.documentElement.scrollWidth")
        wide += [f"{path.name}: {width} pixels"] if width > 390 else []
        chromium.resize(1280, 900)
        wide += [f"{path.name}: {text}" for text in chromium.run(WIDER_THAN_THE_PAGE)]
    assert wide == []


@pytest.mark.parametrize("name", OPENED)
def test_axe_finds_no_serious_violation(name: str, site: Path, chromium: Browser) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not here: make test fetches it where there is npm")
    chromium.open((site / f"{name}.html").as_uri())
    chromium.run(AXE.read_text("utf-8") + "; 0")
    rules = "{'color-contrast': {enabled: false}}" if name == LONG_PAGE else "{}"
    found = chromium.run(
        f"axe.run(document, {{resultTypes: ['violations'], rules: {rules}}}).then(result => result.violations"
        ".filter(each => ['serious', 'critical'].includes(each.impact))"
        ".map(each => each.id + ': ' + each.nodes.slice(0, 3).map(node => node.html).join(' | ')))"
    )
    assert found == []


def test_the_gallery_has_every_resolver_and_the_files_that_it_wrote(site: Path) -> None:
    page = (site / "resolver-gallery.html").read_text("utf-8")
    assert resolver_gallery.SHOWN
    for name in resolver_gallery.SHOWN:
        assert f"referee resolve story.txt -o {name}-story.html --resolver {name}" in page
        assert "Nora Finch" in (site / "gallery" / f"{name}-story.html").read_text("utf-8")
    assert "written when the site is built" not in page
    assert "<title>" in (site / "gallery" / "report.html").read_text("utf-8")


def test_the_home_page_has_a_report_that_works(site: Path, chromium: Browser) -> None:
    report = (site / "live" / "report.html").as_uri()
    chromium.requests.clear()
    chromium.open((site / "index.html").as_uri())
    assert report in chromium.requests
    chromium.open(report)
    assert "80 of 80 errors" in chromium.run("document.body.innerText")


def test_the_notebook_is_a_page_and_a_file(site: Path) -> None:
    page = (site / "tour.html").read_text("utf-8")
    assert 'href="notebook/tour.ipynb"' in page
    assert (site / "notebook" / "tour.ipynb").read_bytes() == notebook_page.NOTEBOOK.read_bytes()
    assert notebook_page.MARK not in page
    assert page.count('class="notebook-output"') >= 4
    assert re.search(r'<img alt="[^"]+" src="notebook/cell-\d+\.png"', page)


def test_pages_have_their_content_without_scripts(site: Path) -> None:
    text = (site / "metrics.html").read_text("utf-8")
    assert "<math" in text
    assert "35/84" in text
    assert "arithmatex" not in text


def test_the_search_works_from_a_folder(site: Path, chromium: Browser) -> None:
    assert re.search(r"agreement|glossary", first_found("krippendorff", site, chromium))


def test_the_reference_names_all_that_is_exported() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
    assert sorted(re.findall(r"^::: referee\.(\w+)$", page, re.MULTILINE)) == sorted(referee.__all__)
