"""What axe finds in the workbench: light and dark, on a desk and on a phone, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from bench_page import Hands, workbench_page
from chromium import Browser
from open_page import boxes
from referee.model import Cluster, Document, Mention

AXE = Path(__file__).parents[2] / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (SAMPLE / f"{name}.conll" for name in ("key", "alpha", "beta"))
FOUND = (
    "axe.run(document, {resultTypes: ['violations']}).then(result => result.violations"
    ".map(each => each.id + ': ' + each.nodes.slice(0, 3).map(node => node.html).join(' | ')))"
)
SEEN = {  # what is seen → how one comes there from what was seen before
    "text": "",
    "mention": "j",
    "suggestions": "o",
    "errors": "i",
    "documents": "5",
    "steps": "6",
    "picked words": ("1", "Escape", "j", "ArrowRight", "Shift+ArrowRight"),
    "picker": ("Escape", "j", "m"),
    "name": ("Escape", "F2"),
    "export": ("Escape", "Control+s"),
    "help": ("Escape", "?"),
}
DIALOGS = {"picker": "picker", "name": "ask", "export": "export", "help": "help"}
HEBREW = ["דנה", "קנתה", "ספר", ".", "היא", "קראה", "אותו"]


@pytest.fixture
def hands(chromium: Browser, tmp_path: Path) -> Iterator[Hands]:
    if not AXE.exists():
        pytest.skip("axe-core is not here: make test fetches it where there is npm")
    with workbench_page(chromium, ALPHA, journal=tmp_path / "j", key=KEY, systems=[BETA]) as opened:
        let_axe_in(opened)
        yield opened
        chromium.send("Page.setBypassCSP", enabled=False)


def let_axe_in(hands: Hands) -> None:
    """Let another script into the page, which its policy keeps out otherwise."""
    hands.page.send("Page.setBypassCSP", enabled=True)
    hands.open()
    hands.page.run(f"{AXE.read_text('utf-8')}; 1")


@pytest.mark.parametrize(("theme", "width"), [("light", 1300), ("dark", 390)])
def test_axe_finds_nothing(hands: Hands, theme: str, width: int) -> None:
    hands.page.resize(width, 900)
    hands.page.run(f"document.documentElement.dataset.theme = '{theme}'")
    if width < 800:
        hands.page.click("#side-toggle")
    found = {}
    for seen, keys in SEEN.items():
        hands.press(*keys)
        if seen in DIALOGS:
            assert hands.page.run(f"document.getElementById('{DIALOGS[seen]}').open")
        found[seen] = hands.page.run(FOUND)
    assert found == {seen: [] for seen in SEEN}
    assert hands.page.run("document.documentElement.scrollWidth") <= width


def test_axe_finds_nothing_where_one_writes_to_the_left(chromium: Browser, tmp_path: Path) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not here: make test fetches it where there is npm")
    dana = Cluster("1", (Mention.at(0, 1), Mention.at(4, 5)))
    source = tmp_path / "d.jsonl"
    referee.write([Document.of("d", HEBREW, [(0, 4), (4, 7)], [dana])], source)
    with workbench_page(chromium, source) as hands:
        let_axe_in(hands)
        hands.press("j")
        assert hands.page.run(FOUND) == []
        (first, *_), (second, *_) = (boxes(chromium, f"[data-w='{word}']")[0] for word in (0, 1))
        assert first > second
        hands.drag((5, 7))
        chromium.send("Page.setBypassCSP", enabled=False)
