"""Takes the pictures of pages that Referee writes: `make refresh-docs` saves them in docs/images.

They need Chromium, which the tests drive as well.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

import referee
from chromium import browser
from referee.cli import main as command_line

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SAMPLE = Path(referee.__file__).parent / "sample"
NEWS = {
    "monday": "The Ellery bridge fell into the river on Monday . Mayor Lena Ortiz closed the harbour .",
    "tuesday": "After the collapse , Ortiz said that the bridge had been old . She promised a new one .",
    "friday": "The mayor of Port Ellery resigned . Lena Ortiz had been warned before the bridge fell .",
}
HEADING = "[...document.querySelectorAll('h2')].find(each => each.textContent.startsWith({!r}))"
PAGES = {  # picture → the command that writes the page, the heading that is on top, the size of the window
    "errors": ("report key.conll alpha.conll beta.conll -o report.html", "Link errors by cause", (1000, 360)),
    "story-neural": ("resolve story.txt --resolver neural -o story.html", "", (900, 420)),
    "story-camp": ("resolve story.txt --resolver camp -o story.html", "", (900, 420)),
    "entities": ("link monday.txt tuesday.txt friday.txt -o entities.html", "", (900, 460)),
}


def take_screenshots() -> None:
    """Write each page in a copy of the sample, open it, and save what is on the screen."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder), browser() as chromium:
        shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
        for name, text in NEWS.items():
            Path(f"{name}.txt").write_text(text, encoding="utf-8")
        for name, (command, heading, size) in PAGES.items():
            done = CliRunner().invoke(command_line, shlex.split(command))
            assert done.exit_code == 0, done.output
            chromium.resize(*size)
            chromium.open(Path(folder, command.split()[-1]).as_uri())
            if heading:
                chromium.run(
                    f"document.querySelector('header')?.remove(); {HEADING.format(heading)}.scrollIntoView()"
                )
                chromium.settle()
            chromium.screenshot(FOLDER / f"{name}.png")


if __name__ == "__main__":
    take_screenshots()
