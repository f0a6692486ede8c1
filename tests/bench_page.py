"""The page of the workbench in a browser, and what a person does in it with the mouse and with the keys."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import referee
from chromium import Browser, BrowserError
from referee.model import Span
from referee.service.workbench.documents import OpenDocument
from referee.service.workbench.running import OpenWorkbench

SAVED = "document.getElementById('saved')?.textContent === 'saved'"
OPENED = f"{SAVED} && !!document.querySelector('#canvas .w')"
STATE = "import(new URL('static/workbench/bench.js', location.href)).then(({{bench}}) => {})"
PATIENCE = 20.0  # seconds for a file to come


class Hands:
    """What a person does in the page of a workbench; ids of mentions and entities are those of the server."""

    def __init__(self, page: Browser, opened: OpenWorkbench) -> None:
        self.page, self.opened = page, opened

    @property
    def document(self) -> OpenDocument:
        """The document that is shown, as the server has it."""
        return self.opened.bench.documents[int(self.known("bench.doc.index"))]

    def known(self, expression: str) -> Any:
        """Ask the page's own state."""
        return self.page.run(STATE.format(expression))

    def saved(self) -> None:
        """Wait until the page says that all is on the disk."""
        self.page.wait(SAVED)
        self.page.settle()

    def open(self, address: str = "") -> None:
        """Open the page, or open it again where it is."""
        if address:
            self.page.open(address)
        else:
            self.page.reload()
        self.page.wait(OPENED)
        self.page.settle()

    def press(self, *keys: str) -> None:
        """Press keys, and wait until what they did is saved."""
        self.page.press(*keys)
        self.saved()

    def write(self, text: str) -> None:
        """Write into the field that has the focus, over what is chosen in it."""
        self.page.send("Input.insertText", text=text)
        self.page.settle()

    def click(self, selector: str, held: str = "") -> None:
        """Click, and wait until what that did is saved."""
        self.page.click(selector, held)
        self.saved()

    def command(self, name: str) -> None:
        """Click on the button of a command beside what is chosen."""
        self.click(f"#card [data-command={name}]")

    def seen(self, selector: str) -> str:
        """Turn the wheel until something is drawn."""
        there = f"!!document.querySelector({json.dumps(selector)})"
        for turn in (-1_000_000, *[500] * 400):
            if self.page.run(there):
                return selector
            self.page.send("Input.dispatchMouseEvent", type="mouseWheel", x=300, y=400, deltaX=0, deltaY=turn)
            self.page.settle()
        raise BrowserError(f"never seen: {selector}")

    def pill(self, mention: str) -> str:
        """Turn the wheel until a mention's number is drawn."""
        return self.seen(f".pill[data-m='{mention}']")

    def choose(self, mention: str) -> None:
        """Choose a mention by a click on its number."""
        self.click(self.pill(mention))
        assert self.known("bench.mention") == mention

    def go_to(self, mention: str) -> None:
        """Choose a mention by keys, from one to the next."""
        if self.known("bench.mention") is None:
            self.press("j")
        order = self.known("bench.doc.order.map(({id}) => id)")
        way = order.index(mention) - order.index(self.known("bench.mention"))
        self.press(*(["j"] * way if way > 0 else ["k"] * -way))
        assert self.known("bench.mention") == mention

    def pick_entity(self, entity: str) -> None:
        """Write an entity's number where it is asked for."""
        self.write(str(self.known(f"bench.doc.entities.get('{entity}').color")))

    def drag(self, span: Span) -> None:
        """Drag over words."""
        self.seen(f".w[data-w='{span[0]}']")
        self.page.run(
            f"document.querySelector(\".w[data-w='{span[0]}']\").scrollIntoView({{block: 'center'}})"
        )
        self.page.settle()
        self.page.drag(f".w[data-w='{span[0]}']", f".w[data-w='{span[1] - 1}']")
        assert self.known("bench.words") == list(span)

    def pick_by_keys(self, span: Span) -> None:
        """Go to words with the arrow keys, from the last mention that begins before them, and pick them."""
        order = self.known("bench.doc.order.map(({id, spans}) => [id, spans[0][0]])")
        near, start = [each for each in order if each[1] <= span[0]][-1]
        self.go_to(near)
        self.press(*["ArrowRight"] * (1 + span[0] - start), *["Shift+ArrowRight"] * (span[1] - span[0]))
        assert self.known("bench.words") == list(span)

    def shown_score(self) -> str:
        """Read the score at the top."""
        return str(self.page.run("document.getElementById('score-now').textContent"))

    def annotation(self) -> dict[str, Any]:
        """Take what the page knows of mentions and entities."""
        found: dict[str, Any] = self.known(
            "Object.fromEntries(['mentions', 'entities'].map(k => [k, Object.fromEntries(bench.doc[k])]))"
        )
        return found

    def export(self, form: str, folder: Path, *, scope: str = "one", lossy: bool = False) -> Path:
        """Save a file, as a person does it."""
        folder.mkdir(parents=True, exist_ok=True)
        self.page.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self.page.press("Control+s")
        for id_, value in (("scope", scope), ("format", form)):
            self.page.run(
                f"{{const s = document.getElementById('export-{id_}'); s.value = {json.dumps(value)};"
                " s.dispatchEvent(new Event('change'))}"
            )
        before = {*folder.iterdir()}
        self.page.click("#export-go")
        if lossy:
            self.page.wait("!document.getElementById('export-lossy').hidden")
            self.page.click("#export-lossy")
        ends = time.monotonic() + PATIENCE
        while not (made := [each for each in {*folder.iterdir()} - before if each.suffix != ".crdownload"]):
            assert time.monotonic() < ends, self.page.run(
                "document.getElementById('export-notices').innerText"
            )
            time.sleep(0.05)
        self.page.press("Escape")
        return made[0]


@contextmanager
def workbench_page(page: Browser, source: Path, **how: Any) -> Iterator[Hands]:
    """Open a workbench, and its page, which must neither complain nor ask others for anything."""
    how.setdefault("resolver", "none")
    with referee.workbench(source, no_open=True, **how) as opened:
        page.complaints.clear()
        page.requests.clear()
        hands = Hands(page, opened)
        hands.open(opened.address)
        yield hands
        page.send("Page.navigate", url="about:blank")
        assert page.complaints == [], page.complaints
        assert_local(page.requests, opened.port)


def assert_local(requests: Sequence[str], port: int) -> None:
    """Hold that all that was asked for came from this server, or is in the page itself."""
    own = (f"http://127.0.0.1:{port}/", f"blob:http://127.0.0.1:{port}/", "data:,", "about:")
    assert [address for address in requests if not address.startswith(own)] == []
