"""Finds the annotators in the folder of a project, as annotation tools leave it.

    annotation/DOCUMENT/USER.tsv    INCEpTION and WebAnno: a project that was exported and unpacked, with a
                                    folder for each document, and a file for each annotator
    USER/DOCUMENT.ann               brat and others: a folder for each annotator, with his documents

INCEpTION's `INITIAL_CAS` is the text before anybody annotated it, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.io.opening import stem
from referee.model import Corpus, DocumentCorpus

BY_DOCUMENT = "annotation"  # the folder of a project that has a folder for each document
UNTOUCHED = "INITIAL_CAS"  # the name of the file that no annotator made
PACKED = (".zip", ".ser", ".xmi")  # what INCEpTION writes in formats that are not read
Open = Callable[[Any], Corpus]


def annotators_in(folder: Path, opened: Open) -> tuple[list[str], list[Corpus]]:
    """Open what each annotator of a project made."""
    root = folder / BY_DOCUMENT
    if root.is_dir() or folder.name == BY_DOCUMENT:
        return _by_document(root if root.is_dir() else folder, opened)
    people = _inside(folder)
    files = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    if len(people) < 2 or files:
        raise FormatError(
            f"{folder}: one annotator alone; give two or more, or the folder of a project: with a folder "
            f"for each annotator, or INCEpTION's with '{BY_DOCUMENT}/DOCUMENT/USER.tsv'"
        )
    return [path.name for path in people], [opened(str(path)) for path in people]


def _inside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _by_document(root: Path, opened: Open) -> tuple[list[str], list[Corpus]]:
    """Put the files of each annotator together; a document is called after its folder."""
    found: dict[str, list[tuple[str, Path]]] = {}
    untouched = 0
    for folder in _inside(root):
        for path in sorted(folder.iterdir()):
            name = stem(str(path))
            if path.name.startswith(".") or not path.is_file():
                continue
            if name == UNTOUCHED:
                untouched += 1
            else:
                found.setdefault(name, []).append((folder.name, path))
    if not found:
        raise FormatError(f"{root}: no annotator has a file here, as DOCUMENT/USER.tsv")
    names = sorted(found)
    corpora = [_of_user(name, found[name], opened) for name in names]
    if untouched:
        corpora[0].note([f"{root}: {number_of(untouched, 'file')} {UNTOUCHED} left out: nobody annotated it"])
    return names, corpora


def _of_user(name: str, files: Sequence[tuple[str, Path]], opened: Open) -> Corpus:
    documents, notices = [], list[str]()
    for id_, path in files:
        if path.name.endswith(PACKED):
            raise FormatError(
                f"{path}: this format is not read; export the project again, with the format WebAnno TSV "
                "v3.3 or UIMA CAS JSON"
            )
        corpus = opened(str(path))
        if len(corpus) != 1:
            raise FormatError(f"{path}: has {number_of(len(corpus), 'document')}, and should have one")
        documents.append(corpus[0].with_text(id=id_))
        notices += corpus.notices
    made = DocumentCorpus(documents, name)
    made.note(notices)
    return made
