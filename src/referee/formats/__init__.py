"""Reads and writes coreference files, whatever their format.

`catalogue` lists the formats, `recognition` distinguishes them by a file's first bytes, and each has a module
that reads and writes, which is loaded when a file of it is met.
"""

from referee.formats.catalogue import FORMATS, WRITABLE, writable
from referee.formats.files import files_of_corpus, is_there
from referee.formats.format import Format
from referee.formats.reading import opened, read, read_surviving, readable, recognise
from referee.formats.writing import form_for, format_of, write

__all__ = [
    "FORMATS",
    "WRITABLE",
    "Format",
    "files_of_corpus",
    "form_for",
    "format_of",
    "is_there",
    "opened",
    "read",
    "read_surviving",
    "readable",
    "recognise",
    "writable",
    "write",
]
