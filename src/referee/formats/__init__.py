"""Reads and writes coreference files, whatever their format.

Each format is a room of its own; this one finds the files, recognises the format and hands them over.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO

from referee.exceptions import FormatError
from referee.formats import conll, crossdoc_conll, crossdoc_json, ecbplus, jsonlines, mmax2, muc
from referee.formats.conll import ConllCorpus
from referee.formats.ecbplus import EcbPlusCorpus
from referee.formats.jsonlines import JsonCorpus
from referee.formats.opening import STDIN, UNPACKERS, SeekableFile
from referee.model import Corpus, Document

CONLLU = re.compile(
    rb"^# (?:newdoc|newpar|sent_id|text|global)\b[^\n]*\n(?:#[^\n]*\n)*\d[\d.-]*(?:\t[^\t\n]*){9}$", re.M
)
HEAD = 2**16  # bytes that a format is recognised by
PathName = str | PathLike[str]
Writer = Callable[[Iterable[Document], IO[str]], None]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how it is called, recognised and written."""

    label: str
    suffixes: tuple[str, ...]
    looks_like: Callable[[bytes], bool]
    write: Writer | None  # None if it is read only


FORMATS: dict[str, Format] = {  # in the order in which they are recognised
    "corpus-conll": Format(
        "cross-document CoNLL", (), crossdoc_conll.looks_like, crossdoc_conll.write_corpus
    ),
    "topic-conll": Format(
        "cross-document CoNLL, by topic", (), crossdoc_conll.looks_like, crossdoc_conll.write_topics
    ),
    "crossdoc-jsonlines": Format(
        "cross-document JSON lines", (), crossdoc_json.looks_like, crossdoc_json.write
    ),
    "jsonlines": Format(
        "JSON lines", (".jsonl", ".jsonlines", ".json"), jsonlines.looks_like, jsonlines.write
    ),
    "conll": Format("CoNLL", (".conll", ".v4_gold_conll", ".v4_auto_conll"), conll.looks_like, conll.write),
    "ecbplus": Format("ECB+", (".xml",), ecbplus.looks_like, None),
    "mmax2": Format("MMAX2", (mmax2.WORDS,), mmax2.looks_like, None),
    "muc": Format("MUC", (".sgm", ".sgml", ".muc"), muc.looks_like, None),
}

WRITABLE = tuple(name for name, form in FORMATS.items() if form.write)
ACROSS = {"conll": "corpus-conll", "jsonlines": "crossdoc-jsonlines"}  # for documents that share clusters


def read(*paths: PathName, role: str = "key", strict: bool = False) -> Corpus:
    """Open files or folders as one corpus; `-` is standard input. Documents are read when asked for."""
    names = [str(path) for path in paths]
    files = [SeekableFile(found) for name in names for found in _expand(name)]
    name = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
    formats = {file.path: recognise(file) for file in files}
    kinds = {kind for kind in formats.values() if kind}
    if len(kinds) > 1:
        raise FormatError(
            f"{name}: holds files of several formats ({', '.join(sorted(kinds))}); score them apart"
        )
    kept = [file for file in files if formats[file.path]]  # an empty file has no documents
    if kinds == {"ecbplus"}:
        return EcbPlusCorpus.read(kept, name)
    if kinds == {"mmax2"}:
        return mmax2.read(kept, name)
    if kinds == {"muc"}:
        return muc.read(kept, name)
    if kinds == {"corpus-conll"}:
        return crossdoc_conll.read(kept, name, strict=strict)
    if kinds == {"crossdoc-jsonlines"}:
        return crossdoc_json.read(kept, name)
    if kinds == {"jsonlines"}:
        return JsonCorpus(kept, name, predicted=role == "response")
    return ConllCorpus(kept, name, strict=strict)


def opened(given: Corpus | PathName, *, role: str = "key", strict: bool = False) -> Corpus:
    """Read a path; a corpus is one already."""
    return given if isinstance(given, Corpus) else read(given, role=role, strict=strict)


def recognise(file: SeekableFile) -> str | None:
    """Name the format of a file by its first bytes; None if it is empty."""
    head = file.read(0, HEAD)
    file.close()
    if not head.strip():
        return None
    if CONLLU.search(head) and not conll.MARK.search(head):
        raise FormatError(
            f"{file.path}:1: CoNLL-U, with its coreference inside another column (CorefUD), is not read yet; "
            "convert it to CoNLL-2012 or JSON lines"
        )
    for name, form in FORMATS.items():
        if form.looks_like(head):
            return name
    first = head.lstrip().split(b"\n", 1)[0][:60].decode("utf-8", "replace").rstrip()
    hint = " (a packed or binary file?)" if b"\0" in head else ""
    known = " or ".join(form.label for form in FORMATS.values() if form.suffixes)
    raise FormatError(f"{file.path}:1: not {known}{hint}: it starts with '{first}'")


def _expand(name: str) -> list[str]:
    """List the files of a folder and its subfolders, or the file itself."""
    path = Path(name)
    if name == STDIN or not path.is_dir():
        return [name] if path.exists() else ecbplus.files_of_part(path) or [name]
    known = tuple(suffix for form in FORMATS.values() for suffix in form.suffixes)
    endings = tuple(suffix + packing for suffix in known for packing in ("", *UNPACKERS))
    found = sorted(str(file) for file in path.rglob("*") if file.is_file() and file.name.endswith(endings))
    found = [file for file in found if not file.endswith(".xml")] or found  # other formats bring XML along
    found = [file for file in found if file.endswith(mmax2.WORDS)] or found  # it leads to the other levels
    if not found:
        raise FormatError(f"{name}: the folder has no file that ends in {', '.join(known)}")
    return found


def write(
    documents: Iterable[Document],
    path: PathName,
    form: str | None = None,
    *,
    cross_document: bool = False,
) -> None:
    """Write documents in the format of the file's ending, unless another is named; `-` is standard output.

    `cross_document` says that a cluster's id means the same in all documents.
    """
    _, write_to = _writer(path, form, cross_document=cross_document)
    if str(path) == STDIN:
        write_to(documents, sys.stdout)
        return
    unfinished = Path(f"{path}.part")  # a failure half way leaves an existing file as it was
    try:
        with unfinished.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            write_to(documents, file)
        unfinished.replace(path)
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _writer(path: PathName, form: str | None, *, cross_document: bool) -> tuple[str, Writer]:
    """Choose a format that holds the clusters, and its writer."""
    if cross_document and form in ACROSS:
        raise FormatError(f"{form} holds clusters of one document only; write {ACROSS[form]} instead")
    chosen = form or format_of(path)
    if cross_document:
        chosen = ACROSS.get(chosen, chosen)
    write_to = FORMATS[chosen].write
    if write_to is None:
        raise FormatError(f"{path}: {FORMATS[chosen].label} is read only; write {', '.join(WRITABLE)}")
    return chosen, write_to


def format_of(path: PathName) -> str:
    """Name the format that a file's ending stands for."""
    for name, form in FORMATS.items():
        if form.suffixes and str(path).endswith(form.suffixes):
            return name
    endings = ", ".join(suffix for name in WRITABLE for suffix in FORMATS[name].suffixes)
    raise FormatError(f"{path}: cannot tell the format from the ending; use one of {endings}, or --to")


__all__ = ["FORMATS", "Format", "format_of", "opened", "read", "recognise", "write"]
