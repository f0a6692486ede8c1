"""Drives a headless Chromium through its debugging pipe, which needs no other package."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
)  # fmt: skip; with a mouse, as on a desk
HELD = {"": 0, "Control": 2, "Shift": 8}  # keys that are held down, as the browser counts them
CODES = {"Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, "Delete": 46}  # what browsers go by
PATIENCE = 30.0  # seconds for one answer


def executable() -> str | None:
    """Find the browser: $CHROMIUM, or the first usual name on the path."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


class BrowserError(Exception):
    """The browser did not do what it was asked."""


class Browser:
    """One page of a running browser."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []  # errors and warnings of the console, and uncaught exceptions
        self.requests: list[str] = []  # addresses that the page asked for
        self.loads = 0  # pages that were loaded
        self._attach()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._outgoing, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != self._number:
            self._note(answer)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._incoming], [], [], PATIENCE)[0]:
                raise BrowserError(f"no answer in {PATIENCE} seconds")
            chunk = os.read(self._incoming, 2**20)
            if not chunk:
                raise BrowserError("the browser ended")
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        """Remember what the page complains about and what it loads."""
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(value.get("value")) for value in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def _attach(self) -> str:
        """Make a tab and drive it from now on."""
        self._session = None
        target: str = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        return target

    @contextmanager
    def another_tab(self) -> Iterator[None]:
        """Drive a new tab for a while, and close it."""
        before = self._session
        target = self._attach()
        try:
            yield
        finally:
            self._session = before
            self.send("Target.closeTarget", targetId=target)

    def run(self, script: str) -> Any:
        """Run JavaScript in the page and return its value; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition: str) -> Any:
        """Wait until JavaScript gives something true."""
        ends = time.monotonic() + PATIENCE
        while not (value := self.run(condition)):
            if time.monotonic() > ends:
                raise BrowserError(f"never true: {condition}")
            time.sleep(0.02)
        return value

    def open(self, address: str) -> None:
        """Load a page from the beginning and wait until it has drawn itself."""
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
        self.settle()

    def reload(self) -> None:
        """Load the page again from the server and wait until it is here."""
        before = self.loads
        self.send("Page.reload", ignoreCache=True)
        while self.loads == before:
            self._note(self._receive())

    def settle(self) -> None:
        """Wait until what was changed is on the screen."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def press(self, *keys: str) -> None:
        """Press and release keys, one after the other; `Control+z` holds another down."""
        for each in keys:
            held, _, key = each.rpartition("+") if len(each) > 1 else ("", "", each)
            text = {"text": key} if len(key) == 1 and not held else {"text": "\r"} if key == "Enter" else {}
            mask = HELD[held]
            code = CODES.get(key, 0)
            for kind, typed in (("keyDown", text), ("keyUp", {})):
                self.send(
                    "Input.dispatchKeyEvent",
                    type=kind, key=key, modifiers=mask, windowsVirtualKeyCode=code, **typed,
                )  # fmt: skip
        self.settle()

    def click(self, selector: str, held: str = "") -> None:
        """Click in the middle of an element, with the mouse."""
        at = self._middle(selector, scrolled=True)
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, at, held)
        self.settle()

    def drag(self, first: str, last: str) -> None:
        """Press the button in one element and release it in another, as one selects text."""
        self._middle(first, scrolled=True)
        start = self._middle(first, across=0.2, letters=True)
        end = self._middle(last, across=0.8, letters=True)
        self._mouse("mousePressed", start)
        self._mouse("mouseMoved", end)
        self._mouse("mouseReleased", end)
        self.settle()

    def _middle(
        self, selector: str, across: float = 0.5, *, scrolled: bool = False, letters: bool = False
    ) -> list[float]:
        found = self.run(
            "(e => { if (!e) return null;"
            f"if ({json.dumps(scrolled)}) e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            "let of = e;"
            f"if ({json.dumps(letters)} && e.firstChild.nodeType === Node.TEXT_NODE)"
            "{ of = document.createRange(); of.selectNode(e.firstChild); }"
            f"const b = of.getBoundingClientRect();"
            f"const across = getComputedStyle(e).direction === 'rtl' ? {1 - across} : {across};"
            "return [b.x + b.width * across, b.y + b.height / 2]; })"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        if found is None:
            raise BrowserError(f"no element {selector}")
        return list(found)

    def _mouse(self, kind: str, at: list[float], held: str = "") -> None:
        self.send(
            "Input.dispatchMouseEvent",
            type=kind, x=at[0], y=at[1], button="left", buttons=1, clickCount=1, modifiers=HELD[held],
        )  # fmt: skip

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Give the window a size."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=False,
        )  # fmt: skip
        self.settle()

    def screenshot(self, path: Path) -> None:
        """Save what is on the screen."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def pdf(self) -> bytes:
        """Print the page."""
        return base64.b64decode(self.send("Page.printToPDF", preferCSSPageSize=True)["data"])


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser with a fresh profile, and end it afterwards."""
    program = executable()
    if program is None:
        raise BrowserError("no Chromium on this machine")
    to_browser, from_browser = os.pipe(), os.pipe()

    def lay_pipes() -> None:
        """Put the pipes where Chromium expects them: commands on 3, answers on 4."""
        ends = os.dup(to_browser[0]), os.dup(from_browser[1])
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}"],
            preexec_fn=lay_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser[0])
        os.close(from_browser[1])
        try:
            yield Browser(from_browser[0], to_browser[1])
        finally:
            os.close(to_browser[1])  # the browser ends with its pipe
            os.close(from_browser[0])
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
