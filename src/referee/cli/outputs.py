"""What is checked of an output before any work: that it can be written, and in which format."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click

from referee import formats
from referee.formats.io.opening import STDIN
from referee.formats.io.remote import is_remote

LONGEST_NAME = 255  # bytes of a file's name on all usual disks
LEAST_SPACE = 1 << 20  # bytes that must be free where a file is written


class OutputPath(click.ParamType):  # type: ignore[type-arg]  # click 8.1 has no arguments
    """A file to be written, a folder, or either; tried when the command line is read."""

    name = "path"

    def __init__(self, *, file: bool = True, folder: bool = False) -> None:
        """Say what it may be."""
        self.file, self.folder = file, folder

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what could not be written, and say what to do."""
        if value != STDIN and not is_remote(value) and (fault := self._fault(value)):
            self.fail(fault, param, ctx)
        return value

    def _fault(self, value: str) -> str:
        path = Path(value)
        if len(os.fsencode(path.name)) > LONGEST_NAME:
            return f"'{path.name[:40]}…' is too long for a name: {LONGEST_NAME} bytes at most"
        if path.is_dir() and not self.folder:
            return f"'{value}' is a folder; name a file in it"
        if self.folder and path.is_file() and not self.file:
            return f"'{value}' is a file; name a folder"
        if path.exists():
            return "" if os.access(path, os.W_OK) else f"'{value}' may not be written; name another"
        made = not self.file or (self.folder and value.endswith(("/", os.sep)))
        return self._fault_of_place(path, made=made)

    def _fault_of_place(self, path: Path, *, made: bool) -> str:
        """Look at the folder that a new file goes to; a folder that is an output itself is `made`."""
        place = path.parent
        if made:
            place = next((each for each in path.parents if each.exists()), place)
        if not place.is_dir():
            return f"there is no folder '{place}'; make it first: mkdir -p {place}"
        if not os.access(place, os.W_OK):
            return f"nothing can be written to the folder '{place}'; name another"
        if shutil.disk_usage(place).free < LEAST_SPACE:
            raise click.ClickException(f"the disk of '{place}' is full; make room, or name another folder")
        return ""


OUTPUT_FILE = OutputPath()
OUTPUT_FOLDER = OutputPath(file=False, folder=True)
OUTPUT = OutputPath(folder=True)


def check_format(path: str | None, form: str | None, *, page: str = "", across: bool = False) -> None:
    """Refuse an output whose format is not known, only read, or cannot hold clusters across documents.

    `page` is the ending of a page, which is not a format.
    """
    if path and not (form is None and page and path.endswith(page)):
        formats.form_for(path, form, cross_document=across)
