"""Writes documents, in the format of the file's ending or in one that is named.

Some formats hold one document per file: one document is then written to a file, several to a folder.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING

from referee.exceptions import FormatError, LossWarning, SettingError, did_you_mean
from referee.formats.catalogue import FORMATS, OURS, writable
from referee.formats.failures import Failures, is_of_the_run, unless_all_failed
from referee.formats.format import Format
from referee.formats.io.opening import STDIN
from referee.formats.io.saving import save
from referee.model import Corpus, Document

if TYPE_CHECKING:
    from referee.formats.fitting import Fitting

PathName = str | PathLike[str]


def write(
    documents: Iterable[Document],
    path: PathName,
    form: str | None = None,
    *,
    cross_document: bool = False,
) -> None:
    """Write documents to a file or folder.

    Mentions that cross others are left out where the format has brackets, which cannot hold them; a
    `LossWarning` counts them.

    Args:
        documents: A corpus, or documents.
        path: The file or folder to write; `-` is standard output.
        form: The format, if the path's ending does not say.
        cross_document: Whether a cluster's id means the same in all documents; otherwise as the corpus says.

    Returns:
        Nothing.

    Raises:
        FormatError: If there is no such format, or it cannot hold the annotation.

    Examples:
        >>> import referee, tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "d.jsonl")
        ...     referee.write([referee.Document.of("d", ["Ann", "slept"], [(0, 2)], [])], path)
        ...     referee.read(path)[0].words
        ('Ann', 'slept')
    """
    from referee.formats.fitting import Fitting  # most commands only read, as in the functions below

    name = form_for(path, form, cross_document=cross_document)
    lost = write_fitted(documents, path, Fitting(FORMATS[name], Failures(strict=True)))
    if lost:
        warnings.warn(left_out(path, FORMATS[name], lost), LossWarning, stacklevel=2)


def write_fitted(documents: Iterable[Document], path: PathName, fitting: Fitting) -> Counter[str]:
    """Write documents as far as their format can hold them, and count what is left out.

    Those that cannot be written are failures; if every one is, nothing is written. Each is tried before it is
    written, unless all of them go to one file and can be read again: then only if writing fails.
    """
    again = isinstance(documents, Corpus | Sequence) and fitting.form.contents is None
    if again and os.fspath(path) != STDIN:
        try:
            return _write(documents, path, fitting.untried)
        except FormatError as error:
            if is_of_the_run(error):
                raise
    return _write(documents, path, fitting)


def _write(documents: Iterable[Document], path: PathName, fitting: Fitting) -> Counter[str]:
    fitted = unless_all_failed(fitting.documents(documents), fitting.failures)
    if fitting.form.contents is not None:
        write_folder(fitted, path, fitting.form)
    elif fitting.form.write is not None:
        writer = fitting.form.write
        save(path, lambda file: writer(fitted, file))
    return +fitting.lost


def left_out(path: PathName, form: Format, lost: Mapping[str, int]) -> str:
    """Say what was left out of a file."""
    from referee.formats.losses import counted

    return f"{path}: left out, since {form.label} cannot hold it: {counted(lost)}"


def form_for(path: PathName, form: str | None = None, *, cross_document: bool = False) -> str:
    """Choose a format to write that holds the clusters: the one named, or that of the file's ending."""
    if form is not None and form not in FORMATS:
        near = did_you_mean(form, writable())
        raise SettingError(f"there is no format '{form}'; write {', '.join(writable())}{near}")
    chosen = form or format_of(path)
    counterpart = FORMATS[chosen].counterpart
    if cross_document and counterpart:
        if form:
            raise FormatError(f"{form} only holds clusters within a document; write {counterpart} instead")
        chosen = counterpart
    if cross_document and not FORMATS[chosen].across:
        across = " or ".join(name for name in writable() if FORMATS[name].across)
        raise FormatError(f"{chosen} only holds clusters within a document; write {across} instead")
    if not FORMATS[chosen].is_written:
        raise SettingError(f"{path}: {FORMATS[chosen].label} is read only; write {', '.join(writable())}")
    return chosen


def format_of(path: PathName) -> str:
    """Name the format that a file's ending says; of two with one ending, the one that can be written."""
    if fitting := _fitting(path, OURS) or _fitting(path, FORMATS.installed):
        return next((name for name in fitting if FORMATS[name].is_written), fitting[0])
    endings = ", ".join(suffix for name in writable() for suffix in FORMATS[name].suffixes)
    raise SettingError(
        f"{path}: cannot tell the format from the ending; use one of {endings}, or give form=…"
    )


def _fitting(path: PathName, forms: Mapping[str, Format]) -> list[str]:
    return [name for name, form in forms.items() if str(path).endswith(form.suffixes)]


def write_folder(documents: Iterable[Document], path: str | PathLike[str], form: Format) -> None:
    """Write each document to separate files.

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
        raise SettingError(
            f"{form.label} holds one document per file; name a folder instead of standard output"
        )
    else:
        _save_all(chain(start, some), Path(name), form)


def _save_all(documents: Iterable[Document], folder: Path, form: Format) -> None:
    from referee.formats.fitting import file_name

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = f"{form.label} holds one document per file, and this folder cannot be made"
        raise FormatError(f"{folder}: {reason}: {error.strerror or error}") from error
    for document in documents:
        _save(document, f"{folder / file_name(document.id)}{form.suffixes[0]}", form.suffixes[0], form)


def _save(document: Document, name: str, ending: str, form: Format) -> None:
    """Write a document's files, the one that was named last: who finds it finds the others too."""
    from referee.formats.fitting import refuse_odd_characters

    assert form.contents is not None  # which is what makes a format one of these
    contents = form.contents(document)
    main = form.suffixes[0]
    if name == STDIN and len(contents) > 1:
        raise SettingError(f"{form.label} needs several files; name one instead of standard output")
    for suffix, content in sorted(contents.items(), key=lambda item: item[0] == main):
        refuse_odd_characters(document, content, form)
        target = name if suffix == main else name.removesuffix(ending) + suffix
        save(target, partial(_put, content))


def _put(content: str, file: IO[str]) -> None:
    file.write(content)
