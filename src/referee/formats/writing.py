"""Writes documents, in the format of the file's ending or in one that is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike

from referee.exceptions import FormatError
from referee.formats.catalogue import FORMATS, OURS, writable
from referee.formats.format import Format
from referee.formats.io.folders import write_folder
from referee.formats.io.saving import save
from referee.model import Document

PathName = str | PathLike[str]


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
        write_folder(documents, path, chosen)
    elif chosen.write is not None:
        writer = chosen.write
        save(path, lambda file: writer(documents, file))


def form_for(path: PathName, form: str | None = None, *, cross_document: bool = False) -> str:
    """Choose a format to write that holds the clusters: the one named, or that of the file's ending."""
    if form is not None and form not in FORMATS:
        raise FormatError(f"there is no format '{form}'; write {', '.join(writable())}")
    chosen = form or format_of(path)
    counterpart = FORMATS[chosen].counterpart
    if cross_document and counterpart:
        if form:
            raise FormatError(f"{form} holds clusters of one document only; write {counterpart} instead")
        chosen = counterpart
    if cross_document and not FORMATS[chosen].across:
        across = " or ".join(name for name in writable() if FORMATS[name].across)
        raise FormatError(f"{chosen} holds clusters of one document only; write {across} instead")
    if not FORMATS[chosen].is_written:
        raise FormatError(f"{path}: {FORMATS[chosen].label} is read only; write {', '.join(writable())}")
    return chosen


def format_of(path: PathName) -> str:
    """Name the format that a file's ending says; of two with one ending, the one that can be written."""
    if fitting := _fitting(path, OURS) or _fitting(path, FORMATS.installed):
        return next((name for name in fitting if FORMATS[name].is_written), fitting[0])
    endings = ", ".join(suffix for name in writable() for suffix in FORMATS[name].suffixes)
    raise FormatError(f"{path}: cannot tell the format from the ending; use one of {endings}, or give form=…")


def _fitting(path: PathName, forms: Mapping[str, Format]) -> list[str]:
    return [name for name, form in forms.items() if str(path).endswith(form.suffixes)]
