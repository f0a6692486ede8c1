"""Writes what was corrected in a format, as a file that a browser keeps; several files are one archive."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from referee import formats
from referee.exceptions import FormatError, SettingError
from referee.formats.fitting import file_name
from referee.model import DocumentCorpus

Convert = Callable[..., Any]  # referee.convert
KEYWORD = "lossy=True"  # in a message about what can be left out
LONGEST = 80  # characters of the name of a file


@dataclass(frozen=True, slots=True)
class Exported:
    """A file, and what is to be said about it."""

    name: str
    content: bytes
    notices: tuple[str, ...]


class LossyError(FormatError):
    """A format that cannot hold all of the annotation, which a person may allow to be left out."""


def exported(corpus: DocumentCorpus, form: str, convert: Convert, *, lossy: bool) -> Exported:
    """Write documents as `referee convert` does, with its notices and refusals."""
    if form not in formats.writable():
        raise SettingError(f"there is no format '{form}' to write; write {', '.join(formats.writable())}")
    known = formats.FORMATS[form]
    ending = ending_of(form)
    name = file_name(corpus.name)[:LONGEST] or "export"
    with tempfile.TemporaryDirectory() as folder:
        several = known.contents is not None and len(corpus) > 1
        target = Path(folder, name) if several else Path(folder, f"{name}{ending}")
        try:
            made = convert(corpus, target, to=form, lossy=lossy)
        except FormatError as error:
            said = str(error).replace(f"{target}: ", "").replace(f"{target}", name)
            able = not isinstance(error, SettingError) and not lossy and KEYWORD in said
            raise (LossyError if able else FormatError)(_without_keywords(said)) from error
        notices = tuple(str(notice).replace(str(target), name) for notice in made.notices)
        failed = tuple(f"{failure.document}: {failure.reason}" for failure in made.failures)
        files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        if len(files) == 1:
            return Exported(files[0].name, files[0].read_bytes(), notices + failed)
        return Exported(f"{name}.zip", _archive(files, Path(folder)), notices + failed)


def _without_keywords(said: str) -> str:
    """Leave out what a message says to programs: the page has a button for it.

    >>> _without_keywords("CoNLL cannot hold types; write brat (to=…), or give lossy=True to leave it out")
    'CoNLL cannot hold types; brat can'
    """
    said = re.sub(r"; write (.*) \(to=…\), or give lossy=True to leave it out$", r"; \1 can", said)
    return re.sub("(; give|, or) lossy=True( to leave it out)?$", "", said)


def ending_of(form: str) -> str:
    """Give the ending of a format's files: its own, or that of the format that it stands for.

    >>> ending_of("corpus-conll"), ending_of("jsonlines")
    ('.conll', '.jsonl')
    """
    known = formats.FORMATS[form]
    if known.suffixes:
        return known.suffixes[0]
    owners = [name for name in formats.writable() if formats.FORMATS[name].counterpart == form]
    above = known.part_of or next(iter(owners), "")
    return ending_of(above) if above else ".txt"


def _archive(files: list[Path], folder: Path) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(folder).as_posix())
    return packed.getvalue()
