"""Formats that hold one document a file: a document alone is a file, several are a folder of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO
from urllib.parse import quote, unquote

from referee.exceptions import FormatError
from referee.formats.format import Format
from referee.formats.io.opening import STDIN, UNPACKERS
from referee.formats.io.saving import save
from referee.model import Document

PLAIN = " !#$&'()+,;=@[]{}"  # characters of a document's name that a file's may have, beside letters


def name_by_file(path: str, endings: Sequence[str]) -> str:
    """Name a document after its file, which may write signs such as `/` as `%2F`.

    >>> name_by_file("dev/nw%2Fwsj_01.ann", [".ann"]), name_by_file("a.cas.json.gz", [".cas.json", ".json"])
    ('nw/wsj_01', 'a')
    """
    name = Path(path).name
    packing = next((packing for packing in UNPACKERS if name.endswith(packing)), "")
    name = name.removesuffix(packing)
    return unquote(name.removesuffix(next((ending for ending in endings if name.endswith(ending)), "")))


def write_folder(documents: Iterable[Document], path: str | PathLike[str], form: Format) -> None:
    """Write documents as files of their own.

    One document goes to the file named; several, or one where the name is a folder's or has no ending of the
    format, to files in that folder, each named after its document.
    """
    some = iter(documents)
    start = list(islice(some, 2))
    name = os.fspath(path)
    ending = next((ending for ending in form.suffixes if name.endswith(ending)), "")
    if len(start) == 1 and (name == STDIN or (ending and not Path(name).is_dir())):
        _save(start[0], name, ending, form)
    elif name == STDIN:
        raise FormatError(f"{form.label} holds one document a file; name a folder instead of standard output")
    else:
        _save_all(chain(start, some), Path(name), form)


def _save_all(documents: Iterable[Document], folder: Path, form: Format) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"{form.label} holds one document a file, and this folder cannot be made"
        raise FormatError(f"{folder}: {reason}: {error.strerror or error}") from error
    seen: set[str] = set()
    for document in documents:
        name = quote(document.id, safe=PLAIN, errors="surrogateescape")
        if name.casefold() in seen:  # some file systems take both for one
            raise FormatError(f"{folder}: two documents are called '{document.id}'; give them other names")
        seen.add(name.casefold())
        _save(document, str(folder / name) + form.suffixes[0], form.suffixes[0], form)


def _save(document: Document, name: str, ending: str, form: Format) -> None:
    """Write a document's files, the one that was named last: who finds it finds the others too."""
    assert form.contents is not None  # which is what makes a format one of these
    contents = form.contents(document)
    main = form.suffixes[0]
    if name == STDIN and len(contents) > 1:
        raise FormatError(f"{form.label} needs several files; name one instead of standard output")
    for own, content in sorted(contents.items(), key=lambda item: item[0] == main):
        if not _is_unicode(content):
            what = "bytes that are not UTF-8"
            raise FormatError(f"document {document.id} has {what}, which {form.label} cannot hold")
        target = name if own == main else name.removesuffix(ending) + own
        save(target, partial(_put, content))


def _is_unicode(content: str) -> bool:
    try:
        content.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _put(content: str, file: IO[str]) -> None:
    file.write(content)
