"""What a file format is: its names, how it is recognised, read and written, and what it can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from referee.exceptions import FormatError

if TYPE_CHECKING:
    from referee.formats.failures import Failures
    from referee.formats.io.opening import SeekableFile
    from referee.model import Corpus, Document

# What only some formats can hold; the words are those of messages. Annotation that a new format cannot hold
# is refused, unless loss is allowed; a notice says what is beside it.
(
    GAPS, MINIMUMS, HEADS, TYPES, SCORES, LINK_SCORES, RELATIONS, ZEROS, NON_REFERRING, CLUSTER_LAYERS
) = ANNOTATION = (
    "mentions of several spans", "annotated minimum spans", "annotated heads", "types", "scores",
    "scores of links", "relations between clusters", "words that are not written",
    "expressions that refer to nothing", "mentions of other layers (discourse deixis)",
)  # fmt: skip
(
    CLUSTER_IDS, SENTENCES, RUNNING_TEXT, TOPICS, GOVERNORS, ANTECEDENTS, SET_PARTS, WHOLE_ANCHORS,
    MINIMUM_PARTS, LAYERS, LAYOUT
) = BESIDE_ANNOTATION = (
    "ids of clusters", "sentences", "running text", "topics", "governors of zeros",
    "mentions that are antecedents of relations", "mentions that are parts of split antecedents",
    "antecedents of bridging that are entities (the last mention before the anaphor is named)",
    "minimum spans of several parts", "layers", "layout",
)  # fmt: skip
CROSSING = "mentions that cross another of their cluster"  # held by all formats that are not `bracketed`
ACROSS = "clusters that span documents"  # held by formats that are `across`


def layers(*names: str) -> frozenset[str]:
    """Say that a format holds these layers; `LAYERS` says that it holds any.

    >>> sorted(layers("pos", "lemma"))
    ['layer lemma', 'layer pos']
    """
    return frozenset(f"layer {name}" for name in names)


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are to be read."""

    predicted: bool = False  # whether a line's predicted clusters come before its clusters
    strict: bool = False  # whether to refuse what the reference scorer silently skips
    gentle: bool = False  # whether to note lines that cannot be read, and go on: all faults are to be listed
    failures: Failures | None = None  # where documents that cannot be read go, if the others are to be read
    identity: tuple[str, ...] = ()  # names of relations that mean identity, beside the usual ones
    met: set[str] = field(default_factory=set)  # those of these names that occurred

    @contextmanager
    def surviving(self, where: str) -> Iterator[None]:
        """Read one of several documents, whose failure need not keep the others from being read."""
        try:
            yield
        except FormatError as error:
            if self.failures is None:
                raise
            self.failures.add(where, error)


USUAL = Reading()  # as files are read unless more is said


@dataclass(frozen=True, slots=True)
class Later:
    """A function of this package, whose module is loaded when it is called.

    >>> Later("io.opening:stem")("dev/a.conll.gz")
    'a'
    """

    place: str

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(f"referee.formats.{module}"), name)(*arguments)


Reader = Callable[[Sequence["SeekableFile"], str, Reading], "Corpus"]
Writer = Callable[[Iterable["Document"], IO[str]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format: `catalogue` lists those of this package by name; other packages add theirs."""

    label: str
    looks_like: Callable[[bytes], bool]  # recognises a file from its first bytes
    read: Reader
    write: Writer | None = None  # None if it is read only, or if each document has separate files
    contents: Callable[[Document], dict[str, str]] | None = None  # those files: ending → content
    blank: bool = False  # whether an empty file is a document without mentions
    suffixes: tuple[str, ...] = ()  # endings of its files, of which folders are made
    companions: tuple[str, ...] = ()  # endings of files that the reader looks for itself, beside those
    folder_rank: int = 0  # of a folder's files those of the smallest are taken: other formats bring XML along
    across: bool = False  # whether it holds clusters that span documents
    bracketed: bool = False  # whether mentions of one cluster that cross would be read as nested ones
    texts_only: bool = False  # whether it holds no mentions, which are in a file beside it
    distinct_names: bool = False  # whether it cannot hold two documents of one name in a file
    columns_of: Callable[[Document], str] | None = None  # which are the same for all documents of a file
    counterpart: str = ""  # the format to write instead, for documents that share clusters
    holds: frozenset[str] = frozenset()  # of what only some formats can hold
    claims_ending: bool = False  # whether a file of its ending that no format recognises is taken for one
    part_of: str = ""  # the format that recognises and reads its files, if it is only a way to write them
    files_of: Callable[[Path], list[str]] | None = None  # the files that a name stands for
    names: tuple[str, ...] = ()  # endings of names that stand for files though there is a file of that name
    names_links: bool = False  # whether names say which of its relations mean identity
    usual_protocol: str = "conll"  # the name of the protocol that a key is usually scored by

    @property
    def is_written(self) -> bool:
        """Whether it can be written, not only read."""
        return self.write is not None or self.contents is not None
