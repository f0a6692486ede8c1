"""Reads and writes coreference files, whatever their format.

Each format is a module of its own, which offers it in a dictionary `FORMATS`; this one finds the files,
recognises the format and hands them over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from referee.exceptions import FormatError, ProtocolError
from referee.formats.format import Format, Reading
from referee.formats.io.folders import save_apart
from referee.formats.io.opening import DEPENDENCY_ENDINGS, STDIN, TREE_ENDINGS, UNPACKERS, SeekableFile
from referee.formats.io.remote import files_in_remote, is_remote
from referee.formats.io.saving import save
from referee.formats.objects.libraries import corpus_of
from referee.formats.refused import FORMATS as REFUSED
from referee.formats.shared_ids import IDS, with_shared_ids
from referee.model import Corpus, Document
from referee.registry import entries

HEAD = 2**16  # bytes that a format is recognised by
SHOWN = 3  # names in a notice
ANY = "conll"  # the format of files without content
PathName = str | PathLike[str]

FORMATS: dict[str, Format] = dict(  # in the order in which they are recognised
    sorted(
        [
            entry
            for room in ("conll", "conllu", "conllua", "jsonlines", "marked", "tools", "corpora", "objects")
            for entry in entries(f"referee.formats.{room}", "FORMATS").items()
        ]
        + list(REFUSED.items()),
        key=lambda entry: entry[1].priority,
    )
)
WRITABLE = tuple(name for name, form in FORMATS.items() if form.write or form.contents)


def read(*paths: Any, role: str = "key", strict: bool = False, ids: str = "document") -> Corpus:
    """Open files or folders as one corpus; `-` is standard input. Documents are read when asked for.

    Instead of paths there may be what other libraries have in memory (see `objects`): spaCy's documents and
    `DocBin`, results of fastcoref, Maverick and stanza, dictionaries, rows and data sets; or `Document`s.
    `ids="corpus"` says that a cluster's id means the same in all documents, where a format cannot say so.
    """
    if ids not in IDS:
        raise ProtocolError(f"ids must be {' or '.join(IDS)}, not '{ids}'")
    if given := [path for path in paths if not isinstance(path, str | PathLike)]:
        if len(given) < len(paths):
            raise FormatError("give either paths or objects, not both")
        made = corpus_of(given[0] if len(given) == 1 else given, role, predicted=role == "response")
        return with_shared_ids(made, ids)
    names = [str(path) for path in paths]
    notices: list[str] = []
    files = [SeekableFile(path) for name in names for path in _expand(name, notices)]
    name = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
    formats = {file.path: recognise(file) for file in files}
    kinds = {kind for kind in formats.values() if kind}
    if len(kinds) > 1:
        raise FormatError(
            f"{name}: holds files of several formats ({', '.join(sorted(kinds))}); score them apart"
        )
    kept = [file for file in files if formats[file.path]]  # an empty file has no documents
    reading = Reading(predicted=role == "response", strict=strict)
    form = FORMATS[kinds.pop() if kinds else ANY]
    corpus = form.read(kept, name, reading)
    corpus.usual_protocol = form.usual_protocol
    corpus.empty_files = [file.path for file in files if not formats[file.path]]
    if corpus.empty_files:
        notices.append(f"{_shown(corpus.empty_files)}: empty, and so without documents")
    corpus.notices = [*corpus.notices, *notices]
    return with_shared_ids(corpus, ids)


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
        form = _form_by_ending(file.path)
        return next((name for name, one in FORMATS.items() if one is form and one.blank), None)
    for name, form in FORMATS.items():
        if form.looks_like(head):
            return name
    named = _form_by_ending(file.path)
    if named and named.takes_rest and b"\0" not in head:
        return next(name for name, form in FORMATS.items() if form is named)
    first = head.lstrip().split(b"\n", 1)[0][:60].decode("utf-8", "replace").rstrip()
    hint = " (a packed or binary file?)" if b"\0" in head else ""
    forms = sorted(FORMATS.values(), key=lambda form: form.takes_rest)
    known = " or ".join(form.label for form in forms if form.suffixes and not form.part_of)
    raise FormatError(f"{file.path}:1: not {known}{hint}: it starts with '{first}'")


def usual_protocol(path: PathName) -> str:
    """Name the protocol that a key is usually scored by; standard input cannot be looked at beforehand."""
    name = str(path)
    if name == STDIN or not Path(name).exists():
        return Corpus.usual_protocol
    kinds = (recognise(SeekableFile(file)) for file in _expand(name, []))
    return FORMATS[next((kind for kind in kinds if kind), ANY)].usual_protocol


def files_of_corpus(name: str) -> list[str]:
    """List the files that a file's or folder's name stands for."""
    return _expand(name, [])


def is_there(name: str) -> bool:
    """Whether a name is a file's or folder's, or stands for files that exist."""
    return Path(name).exists() or any(Path(file).exists() for file in _expand(name, []))


def _expand(name: str, notices: list[str]) -> list[str]:
    """List the files of a folder and its subfolders, or the file itself."""
    path = Path(name)
    if is_remote(name):
        files = files_in_remote(name)
        if files is None:
            return [name]
    elif name == STDIN or not path.is_dir():
        finders = [form.files_of for form in FORMATS.values() if form.files_of]
        return [file for files_of in finders for file in files_of(path)] or [name]
    else:
        files = sorted(str(file) for file in path.rglob("*") if file.is_file())
    forms = {file: form for file in files if (form := _form_by_ending(file))}
    if not forms:
        endings = ", ".join(suffix for form in FORMATS.values() for suffix in form.suffixes)
        raise FormatError(f"{name}: the folder has no file that ends in {endings}")
    least = min(form.reserve for form in forms.values())
    taken = {file: form for file, form in forms.items() if form.reserve == least}
    companions = tuple({ending for form in taken.values() for ending in form.companions})
    skipped = [
        file
        for file in files
        if file not in taken and not file.endswith((*companions, *TREE_ENDINGS, *DEPENDENCY_ENDINGS))
    ]
    if skipped := [file for file in skipped if not Path(file).name.startswith(".")]:
        notices.append(f"{name}: other files are skipped: {_shown(skipped)}")
    return list(taken)


def _form_by_ending(file: str) -> Format | None:
    """Find the format whose ending a file has, packed or not; the longest ending counts."""
    plain = next((file.removesuffix(packing) for packing in UNPACKERS if file.endswith(packing)), file)
    fitting = [
        (len(ending), name)
        for name, form in FORMATS.items()
        for ending in form.suffixes
        if plain.endswith(ending)
    ]
    return FORMATS[max(fitting)[1]] if fitting else None


def _shown(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


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
    chosen = FORMATS[form_for(path, form, cross_document=cross_document)]
    if chosen.contents is not None:
        save_apart(documents, path, chosen)
    elif chosen.write is not None:
        writer = chosen.write
        save(path, lambda file: writer(documents, file))


def form_for(path: PathName, form: str | None = None, *, cross_document: bool = False) -> str:
    """Choose a format to write that holds the clusters: the one named, or that of the file's ending."""
    if form is not None and form not in FORMATS:
        raise FormatError(f"there is no format '{form}'; write {', '.join(WRITABLE)}")
    chosen = form or format_of(path)
    counterpart = FORMATS[chosen].counterpart
    if cross_document and counterpart:
        if form:
            raise FormatError(f"{form} holds clusters of one document only; write {counterpart} instead")
        chosen = counterpart
    if cross_document and not FORMATS[chosen].across:
        across = " or ".join(name for name in WRITABLE if FORMATS[name].across)
        raise FormatError(f"{chosen} holds clusters of one document only; write {across} instead")
    if chosen not in WRITABLE:
        raise FormatError(f"{path}: {FORMATS[chosen].label} is read only; write {', '.join(WRITABLE)}")
    return chosen


def format_of(path: PathName) -> str:
    """Name the format that a file's ending says."""
    for name in (*WRITABLE, *FORMATS):  # of two with one ending, the one that can be written
        if str(path).endswith(FORMATS[name].suffixes):
            return name
    endings = ", ".join(suffix for name in WRITABLE for suffix in FORMATS[name].suffixes)
    raise FormatError(f"{path}: cannot tell the format from the ending; use one of {endings}, or give form=…")


__all__ = [
    "FORMATS",
    "WRITABLE",
    "Format",
    "format_of",
    "opened",
    "read",
    "recognise",
    "usual_protocol",
    "write",
]
