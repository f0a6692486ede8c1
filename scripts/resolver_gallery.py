"""Makes the gallery of resolvers: each reads the sample, and its score, pages and report are shown.

A resolver joins the gallery by its name in SHOWN. The site makes the files when it is built, by the commands
that the page shows, so that they are those of today.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

import referee
from referee.cli import main as command_line
from referee.resolvers.base import resolvers

SAMPLE = Path(referee.__file__).parent / "sample"
SHOWN = ("camp", "neural")
PAGE = "resolver-gallery.md"
FOLDER = "gallery"  # of the site, where the files lie
TABLE = ".md"  # the ending of the table that a part shows
MARK = "<!-- the resolvers, written when the site is built -->"


def commands_of(name: str) -> list[str]:
    """List the commands that show what a resolver does with the sample."""
    return [
        f"referee resolve story.txt -o {name}-story.html --resolver {name}",
        f"referee resolve key.conll -o {name}.conll --resolver {name}",
        f"referee score key.conll {name}.conll --format markdown -o {name}.md",
    ]


def report_command() -> str:
    """Compare all resolvers of the gallery in one report."""
    return f"referee report key.conll {' '.join(f'{name}.conll' for name in SHOWN)} -o report.html"


@cache
def gallery_files() -> dict[str, str]:
    """Run the commands, and give the pages and tables that they wrote, by name."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
        for command in [*(command for name in SHOWN for command in commands_of(name)), report_command()]:
            done = CliRunner().invoke(command_line, shlex.split(command)[1:])
            if done.exit_code:
                raise ValueError(f"{command}: {done.output}")
        names = [f"{name}{ending}" for name in SHOWN for ending in ("-story.html", TABLE)]
        return {name: Path(name).read_text("utf-8") for name in [*names, "report.html"]}


def gallery_pages() -> dict[str, str]:
    """Give the pages that the site has beside its own."""
    return {name: text for name, text in gallery_files().items() if not name.endswith(TABLE)}


def with_gallery(page: str) -> str:
    """Put a part for each resolver where the page has the mark."""
    return page.replace(MARK, "\n".join([*map(_part, SHOWN), REPORT.format(report_command(), FOLDER)]))


REPORT = """## The report

    {}

[Open the report]({}/report.html): scores, errors by type, and both texts with the links of key and resolver.
"""
PART = """## {0}

*{1}.*

    {2}

[The story as {0} reads it]({3}/{0}-story.html), with a colour and a number for each entity.
Its scores on the documents:

{4}
"""


def _part(name: str) -> str:
    label = resolvers()[name].label
    commands = "\n    ".join(commands_of(name))
    table = gallery_files()[f"{name}{TABLE}"]
    return PART.format(name, label[0].upper() + label[1:], commands, FOLDER, table)
