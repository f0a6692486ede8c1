"""Corpora with the guidelines that they follow: PATH, or NAME=PATH."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from referee import formats
from referee.exceptions import ProtocolError, did_you_mean
from referee.model import Document

FIRST = "ontonotes"
Notify = Callable[[Sequence[str]], None]  # takes what readers noticed


def ignore(_said: object) -> None:
    """Take what is reported, and do nothing with it."""


def guided_corpus(
    corpus: str, names: list[str], *, new: bool = False, notify: Notify = ignore
) -> tuple[list[Document], int]:
    """Read a corpus, and give the number of its guidelines; a `new` name is put on the list."""
    name, equals, path = corpus.partition("=")
    if not equals or "/" in name or Path(corpus).exists():
        return documents_at(corpus, notify), 0
    if name not in names and not new:
        hint = did_you_mean(name, names)
        raise ProtocolError(f"{corpus}: the model knows the guidelines {', '.join(names)}{hint}")
    if name not in names:
        names.append(name)
    return documents_at(path, notify), names.index(name)


def documents_at(path: str, notify: Notify = ignore) -> list[Document]:
    """Read a corpus, and report what its reader noticed."""
    corpus = formats.read(path)
    notify(corpus.notices)
    return list(corpus)
