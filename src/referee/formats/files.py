"""Finds the files that a name stands for: a file, a folder, a part of a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.catalogue import FORMATS, LAST_RANK, OURS, RUN_MANIFEST
from referee.formats.format import Format
from referee.formats.io.opening import DEPENDENCY_ENDINGS, STDIN, TREE_ENDINGS, UNPACKERS
from referee.formats.io.remote import files_in_remote, is_remote

SHOWN = 3  # names in a notice


def files_of_corpus(name: str) -> list[str]:
    """List the files that a file's or folder's name stands for."""
    return found_files(name)[0]


def is_there(name: str) -> bool:
    """Whether a name is a file's or folder's, or stands for files that exist."""
    return Path(name).exists() or any(Path(file).exists() for file in files_of_corpus(name))


def found_files(name: str) -> tuple[list[str], list[str]]:
    """List the files of a folder and its subfolders, or the file itself; and notices about those skipped."""
    path = Path(name)
    if is_remote(name):
        files = files_in_remote(name)
        if files is None:
            return [name], []
    elif name == STDIN or not path.is_dir():
        return _files_meant(name, path) or [name], []
    else:
        files = sorted(str(file) for file in path.rglob("*") if file.is_file())
    forms = _forms_of(files)
    if not forms:
        endings = ", ".join(suffix for form in FORMATS.values() for suffix in form.suffixes)
        raise FormatError(f"{name}: the folder has no file that ends in {endings}")
    rank = min(form.folder_rank for form in forms.values())
    taken = {file: form for file, form in forms.items() if form.folder_rank == rank}
    companions = {ending for form in taken.values() for ending in form.companions}
    known = (*companions, *TREE_ENDINGS, *DEPENDENCY_ENDINGS)
    skipped = [
        file
        for file in files
        if file not in taken and not file.endswith(known) and not Path(file).name.startswith(".")
    ]
    return list(taken), [f"{name}: other files are skipped: {shown(skipped)}"] if skipped else []


def _files_meant(name: str, path: Path) -> list[str]:
    """List the files that formats take a name for, which is not a folder's and may not be a file's."""
    if name == STDIN:
        return []
    exists = path.exists()
    asked = [
        form.files_of for form in OURS.values() if form.files_of and (not exists or name.endswith(form.names))
    ]
    return [file for files_of in asked for file in files_of(path)]


def _forms_of(files: Sequence[str]) -> dict[str, Format]:
    """Find the formats of a folder's files by endings; other packages are asked if it has only texts."""
    forms = {file: OURS[name] for file in files if (name := _by_ending(file, OURS))}
    if all(form.folder_rank == LAST_RANK for form in forms.values()):
        installed = FORMATS.installed
        forms |= {file: installed[name] for file in files if (name := _by_ending(file, installed))}
    return forms


def format_by_ending(file: str) -> str | None:
    """Name the format whose ending a file has, packed or not; the longest ending counts."""
    return _by_ending(file, OURS) or _by_ending(file, FORMATS.installed)


def _by_ending(file: str, forms: Mapping[str, Format]) -> str | None:
    plain = next((file.removesuffix(packing) for packing in UNPACKERS if file.endswith(packing)), file)
    fitting = [
        (len(ending), name)
        for name, form in forms.items()
        for ending in form.suffixes
        if plain.endswith(ending)
    ]
    return max(fitting)[1] if fitting else None


def is_of_a_run(file: str) -> bool:
    """Whether a file lies beside the manifest of a run of a language model."""
    return not is_remote(file) and (Path(file).parent / RUN_MANIFEST).is_file()


def shown(names: Sequence[str]) -> str:
    """List the first few names.

    >>> shown(["a", "b", "c", "d"])
    'a, b, c and 1 more'
    """
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
