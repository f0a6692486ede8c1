"""Drives the report and the site in a browser: the fixtures and questions that their tests share."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import referee
from chromium import Browser, browser, executable
from studies import report

SAMPLE = Path(referee.__file__).parent / "sample"
PATHS = [str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta")]
HARBOUR = "(nw/sample/harbour); part 000"
INTERVIEW = "(bc/sample/interview); part 000"


def write_report(path: Path, files: Sequence[str], title: str = "") -> None:
    report(files[0], files[1:], title=title).save(path)


def opened(chromium: Browser, path: Path, fragment: str = "") -> Iterator[Browser]:
    chromium.complaints.clear()
    chromium.requests.clear()
    chromium.open(path.as_uri() + fragment)
    yield chromium
    assert chromium.complaints == []
    assert {address.partition("#")[0] for address in chromium.requests} <= {path.as_uri(), "data:,"}


def link(**target: object) -> str:
    return "#" + urlencode(target)


def follow(page: Browser, fragment: str) -> None:
    page.run(f"location.hash = {json.dumps(fragment)}")
    page.settle()


def text(page: Browser, selector: str) -> str:
    return str(page.run(f"document.querySelector({json.dumps(selector)}).innerText"))


def count(page: Browser, selector: str) -> int:
    return int(page.run(f"document.querySelectorAll({json.dumps(selector)}).length"))


def address(page: Browser) -> dict[str, str]:
    found: dict[str, str] = page.run("Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")
    return found


def boxes(page: Browser, selector: str) -> list[list[float]]:
    """Left, top, right and bottom of elements."""
    found: list[list[float]] = page.run(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.getBoundingClientRect())"
        ".map(b => [b.left, b.top, b.right, b.bottom])"
    )
    return found


def data(page: Browser) -> Any:
    return page.run("JSON.parse(document.getElementById('data').textContent)")


@pytest.fixture(scope="session")
def started_browser() -> Iterator[Browser]:
    if executable() is None:
        pytest.skip("no Chromium: .ci/install-chromium installs it, or set CHROMIUM")
    with browser() as started:
        yield started


@pytest.fixture
def chromium(started_browser: Browser) -> Browser:
    """The browser, with a window of the usual size."""
    started_browser.resize(1300, 900)
    return started_browser


@pytest.fixture(scope="session")
def sample_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, PATHS)
    return path


@pytest.fixture
def page(chromium: Browser, sample_page: Path) -> Iterator[Browser]:
    """The sample's report, just opened; afterwards the page must not have complained or loaded anything."""
    yield from opened(chromium, sample_page)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site once for all workers, which wait for the one that came first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "site").exists():
            _build_site(shared / "site-to-be")
            (shared / "site-to-be").rename(shared / "site")
    return shared / "site"


def _build_site(folder: Path) -> None:
    """Build the site as `make docs` does: a warning is an error."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    root = Path(__file__).parents[1]
    built = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr


def first_found(query: str, site: Path, chromium: Browser) -> str:
    """Search the site from its home page, and return the address of the first result."""
    chromium.open((site / "index.html").as_uri())
    chromium.run(
        "{const box = document.querySelector('[data-md-component=search-query]'); box.focus();"
        f" box.value = {json.dumps(query)}; box.dispatchEvent(new Event('input', {{bubbles: true}}));"
        " box.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));}"
    )
    return str(chromium.wait("document.querySelector('.md-search-result__item a')?.getAttribute('href')"))
