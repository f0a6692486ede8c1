"""What a file format is: its names, how it is recognised, read and written, and what it can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from referee.formats.opening import SeekableFile
from referee.model import Corpus, Document

# What only some formats can hold; the words are those of notices.
GAPS, MINIMUMS, HEADS, TYPES, SCORES, RELATIONS, ZEROS = (
    "mentions of several spans", "annotated minimum spans", "annotated heads", "types", "scores",
    "relations between clusters", "words that are not written",
)  # fmt: skip
MARK_AND_SPACE = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are to be read."""

    predicted: bool = False  # whether a line's predicted clusters come before its clusters
    strict: bool = False  # whether to refuse what the reference scorer passes over in silence


Reader = Callable[[Sequence[SeekableFile], str, Reading], Corpus]
Writer = Callable[[Iterable[Document], IO[str]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format. Modules of this package offer theirs in a dictionary `FORMATS`, by name."""

    label: str
    looks_like: Callable[[bytes], bool]  # recognises a file from its first bytes
    priority: int  # formats are tried from the smallest on: those that are easily mistaken come late
    read: Reader
    write: Writer | None = None  # None if it is read only
    suffixes: tuple[str, ...] = ()  # endings of its files, of which folders are made
    companions: tuple[str, ...] = ()  # endings of files that the reader looks for itself, beside those
    reserve: int = 0  # of a folder's files those with the smallest count: other formats bring XML along
    across: bool = False  # whether it holds clusters that span documents
    counterpart: str = ""  # the format to write instead, for documents that share clusters
    holds: frozenset[str] = frozenset()  # of what only some formats can hold
    files_of: Callable[[Path], list[str]] | None = None  # of a name that is neither file nor folder
    usual_protocol: str = "conll"  # the name of the protocol that a key is usually scored by


def lost(document: Document, holds: frozenset[str]) -> set[str]:
    """Name what a document has and a format cannot hold."""
    mentions = [mention for cluster in document.clusters for mention in cluster.mentions]
    has = {
        GAPS: any(len(mention.spans) > 1 for mention in mentions),
        MINIMUMS: any(mention.minimum for mention in mentions),
        HEADS: any(mention.head is not None for mention in mentions),
        TYPES: any(mention.type is not None for mention in mentions)
        or any(cluster.type is not None for cluster in document.clusters),
        SCORES: any(mention.score is not None for mention in mentions),
        RELATIONS: bool(document.relations),
        ZEROS: bool(document.text.zeros),
    }
    return {what for what, here in has.items() if here} - holds
