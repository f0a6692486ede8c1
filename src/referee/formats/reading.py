"""Reads coreference files of any format: opens each once, recognises it, and hands it to its reader."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from referee.exceptions import FormatError, ProtocolError
from referee.formats.catalogue import FORMATS
from referee.formats.files import format_by_ending, found_files, shown
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.shared_ids import IDS, with_shared_ids
from referee.model import Corpus

HEAD = 2**16  # bytes that a format is recognised by
ANY = "conll"  # the format of files without content
PathName = str | PathLike[str]


def read(*paths: Any, role: str = "key", strict: bool = False, ids: str = "document") -> Corpus:
    """Open files or folders as one corpus; `-` is standard input. Documents are read when asked for.

    A path is opened once, also a pipe; a `SeekableFile` is one that is open already.

    Instead of paths there may be what other libraries have in memory (see `objects`): spaCy's documents and
    `DocBin`, results of fastcoref, Maverick and stanza, dictionaries, rows and data sets; or `Document`s.
    `ids="corpus"` says that a cluster's id means the same in all documents, where a format cannot say so.
    """
    if ids not in IDS:
        raise ProtocolError(f"ids must be {' or '.join(IDS)}, not '{ids}'")
    if given := [path for path in paths if not isinstance(path, str | PathLike | SeekableFile)]:
        if len(given) < len(paths):
            raise FormatError("give either paths or objects, not both")
        from referee.formats.objects.libraries import corpus_of  # most corpora are files

        made = corpus_of(given[0] if len(given) == 1 else given, role, predicted=role == "response")
        return with_shared_ids(made, ids)
    return with_shared_ids(_read_files(paths, role, strict=strict), ids)


def _read_files(paths: Sequence[PathName | SeekableFile], role: str, *, strict: bool) -> Corpus:
    files: list[SeekableFile] = []
    notices: list[str] = []
    for path in paths:
        if isinstance(path, SeekableFile):
            files.append(path)
            continue
        found, skipped = found_files(str(path))
        files += map(SeekableFile, found)
        notices += skipped
    names = [path.path if isinstance(path, SeekableFile) else str(path) for path in paths]
    name = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
    formats = {file.path: recognise(file) for file in files}
    kinds = {kind for kind in formats.values() if kind}
    if len(kinds) > 1:
        raise FormatError(
            f"{name}: holds files of several formats ({', '.join(sorted(kinds))}); score them apart"
        )
    form = FORMATS[kinds.pop() if kinds else ANY]
    filled = [file for file in files if formats[file.path]]  # an empty file has no documents
    corpus = form.read(filled, name, Reading(predicted=role == "response", strict=strict))
    corpus.usual_protocol = form.usual_protocol
    corpus.empty_files = [file.path for file in files if not formats[file.path]]
    if corpus.empty_files:
        notices.append(f"{shown(corpus.empty_files)}: empty, and so without documents")
    corpus.notices = [*corpus.notices, *notices]
    return corpus


def opened(given: Any, *, role: str = "key", strict: bool = False, ids: str = "document") -> Corpus:
    """Read a path or an object; a corpus is one already."""
    if isinstance(given, Corpus):
        return with_shared_ids(given, ids)
    return read(given, role=role, strict=strict, ids=ids)


def recognise(file: SeekableFile) -> str | None:
    """Name the format of a file by its first bytes; None if it is empty."""
    head = file.read(0, HEAD)
    file.close()
    if not head.strip():
        named = format_by_ending(file.path)
        return named if named and FORMATS[named].blank else None
    for name, form in FORMATS.items():
        if not form.part_of and form.looks_like(head):
            return name
    named = format_by_ending(file.path)
    if named and FORMATS[named].claims_ending and b"\0" not in head:
        return named
    first = head.lstrip().split(b"\n", 1)[0][:60].decode("utf-8", "replace").rstrip()
    hint = " (a packed or binary file?)" if b"\0" in head else ""
    forms = sorted(FORMATS.values(), key=lambda form: form.claims_ending)
    known = " or ".join(form.label for form in forms if form.suffixes and not form.part_of)
    raise FormatError(f"{file.path}:1: not {known}{hint}: it starts with '{first}'")
