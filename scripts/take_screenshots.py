"""Takes the pictures of pages that Referee writes: `make refresh-docs` saves them in docs/images.

They need Chromium, which the tests drive as well.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from click.testing import CliRunner
from PIL import Image

import referee
from chromium import Browser, browser
from referee.cli import main as command_line
from referee.service.pages import PLAYGROUND, playground
from running_service import running

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SAMPLE = Path(referee.__file__).parent / "sample"
NEWS = {
    "monday": "The Ellery bridge fell into the river on Monday . Mayor Lena Ortiz closed the harbour .",
    "tuesday": "After the collapse , Ortiz said that the bridge had been old . She promised a new one .",
    "friday": "The mayor of Port Ellery resigned . Lena Ortiz had been warned before the bridge fell .",
}
COLOURS = 128  # are enough for pages, and a third of the bytes
REPORT = "report key.conll alpha.conll beta.conll -o report.html"
ERROR = "#" + urlencode({"doc": "(nw/sample/harbour); part 000", "error": 3})
TO_HEADING = """document.querySelector("header").remove();
    [...document.querySelectorAll("h2")].find(each => each.textContent === {!r}).scrollIntoView()"""
PAGES = {  # picture → the command that writes the page, the place or heading in it, the size of the window
    "report": (REPORT, ERROR, (1200, 760)),
    "errors": (REPORT, "Link errors by cause", (1000, 360)),
    "story-neural": ("resolve story.txt --resolver neural -o story.html", "", (900, 420)),
    "story-camp": ("resolve story.txt --resolver camp -o story.html", "", (900, 420)),
    "entities": ("link monday.txt tuesday.txt friday.txt -o entities.html", "", (900, 460)),
}
STORY: dict[str, Any] = {"source": "story.txt"}
CORPUS: dict[str, Any] = {"source": "alpha.conll", "key": "key.conll", "resolver": "none"}
WORKBENCH: dict[str, Any] = {  # picture → what is opened, the keys that are pressed, the size of the window
    "workbench": (STORY, "jjj", (1200, 640)),
    "workbench-move": (STORY, "jjjmTom", (1000, 420)),
    "workbench-words": (STORY, (*"jjj", *["ArrowRight"] * 3, *["Shift+ArrowRight"] * 2), (1000, 420)),
    "workbench-doubtful": (STORY, "ddd", (1200, 640)),
    "workbench-export": (STORY, ("Control+s",), (1000, 420)),
    "workbench-errors": (CORPUS, "iii", (1200, 640)),
}
CURATION = "curation"  # the picture of what annotators left undecided
ANNOTATORS = ("key.conll", "alpha.conll", "beta.conll")
CASES = "document.getElementById('tab-cases').click()"
PLAYED: dict[str, Any] = {"playground": ("story.txt", "d", (1200, 560))}  # the same, in the service's page
READY = "document.getElementById('saved').textContent === 'saved'"
COUNTED = "document.getElementById('errors-count').textContent !== ''"
RESOLVED = "!document.getElementById('try').open && !!document.querySelector('#canvas .w')"


def take_screenshots() -> None:
    """Take each picture in a copy of the sample."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder), browser() as chromium:
        shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
        for name, text in NEWS.items():
            Path(f"{name}.txt").write_text(text, encoding="utf-8")
        for name, (command, place, size) in PAGES.items():
            done = CliRunner().invoke(command_line, shlex.split(command))
            assert done.exit_code == 0, done.output
            chromium.resize(*size)
            fragment = place if place.startswith("#") else ""
            chromium.open(Path(folder, command.split()[-1]).as_uri() + fragment)
            chromium.run(TO_HEADING.format(place) if place and not fragment else "scrollTo(0, 0)")
            save(chromium, name)
        for name, (opened, keys, size) in WORKBENCH.items():
            chromium.resize(*size)
            with referee.workbench(**opened, no_open=True) as bench:
                chromium.open(bench.address)
                chromium.wait(READY)
                press(chromium, keys)
                save(chromium, name)
        chromium.resize(1200, 640)
        with referee.workbench(referee.curate(*ANNOTATORS), no_open=True) as bench:
            chromium.open(bench.address)
            chromium.wait(READY)
            chromium.run(CASES)
            chromium.wait("document.querySelectorAll('#cases-rows li').length === 4")
            chromium.click("#cases-rows li[data-row='3'] button")
            save(chromium, CURATION)
        for name, (file, keys, size) in PLAYED.items():
            chromium.resize(*size)
            with running(mounted=[playground()], works=True) as client:
                chromium.open(f"{client.base_url}{PLAYGROUND}")
                chromium.wait("document.getElementById('try').open")
                chromium.run("document.getElementById('try-text').focus()")
                chromium.send("Input.insertText", text=Path(file).read_text("utf-8"))
                chromium.click("#try-go")
                chromium.wait(RESOLVED)
                press(chromium, keys)
                save(chromium, name)


def press(chromium: Browser, keys: Iterable[str]) -> None:
    """Press keys, each when what the one before did is done."""
    for key in keys:
        chromium.press(key)
        chromium.wait(f"!document.querySelector('#bench:not(.playground)') || {READY}")
        chromium.wait(f"document.getElementById('panel-errors').hidden || {COUNTED}")


def save(chromium: Browser, name: str) -> None:
    """Save what is on the screen, in few colours."""
    chromium.settle()
    chromium.screenshot(FOLDER / f"{name}.png")
    with Image.open(FOLDER / f"{name}.png") as taken:
        taken.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    take_screenshots()
