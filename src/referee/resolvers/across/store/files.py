"""The files of a store: what is in them, and how they are changed so that no moment leaves half of a change.

    store.json       which version, which model, and how many rows of the other files count
    texts.jsonl      a line for each text: its words, sentences, characters; {"gone": 3} if text 3 is replaced
    mentions.bin     rows of `mention_type`, in the order of the texts
    vectors.bin      a row of half-precision numbers for each mention, by which pairs are compared
    narrow.bin       the same in few columns, by which near ones are found
    directions.bin   the columns of these
    passages.bin     where the lower states of each passage begin
    states.bin       lower states of passages, so that no text is read again
    joins.bin        what was joined to what, by mentions, with the average that decided
    taken_back.bin   which of these joins do not hold any more since texts were added
    decisions.jsonl  what people decided (`decisions`)
    lock             is locked while a process adds or decides

Rows are only ever added at the end. They count once store.json says so, and it is replaced as a whole at the
end; so whatever a killed process left behind is not seen, and is written over by the next.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.exceptions import FormatError
from referee.formats.io.opening import SeekableFile
from referee.formats.io.saving import locked, remove_abandoned, save

VERSION = 1
MANIFEST, LOCK, TEXTS, DECISIONS = "store.json", "lock", "texts.jsonl", "decisions.jsonl"
MENTIONS, VECTORS, NARROW, DIRECTIONS = "mentions.bin", "vectors.bin", "narrow.bin", "directions.bin"
PASSAGES, STATES, JOINS, TAKEN_BACK = "passages.bin", "states.bin", "joins.bin", "taken_back.bin"
LARGEST_MANIFEST = 2**20  # bytes
PASSAGE_TYPE = np.dtype([("document", "<i4"), ("begin", "<i4"), ("row", "<i8")])
JOIN_TYPE = np.dtype([("first", "<i8"), ("second", "<i8"), ("average", "<f8"), ("addition", "<i4")])
TAKEN_BACK_TYPE = np.dtype([("join", "<i8"), ("addition", "<i4")])
Rows = npt.NDArray[Any]


def mention_type(places: int) -> np.dtype[Any]:
    """The columns of a mention; the scorer says how many say where it reads it again."""
    return np.dtype([
        ("document", "<i4"), ("start", "<i4"), ("end", "<i4"), ("kind", "<i4"), ("score", "<f8"),
        ("head", "<i8"), ("words", "<i8"), ("places", "<i4", (places,)),
    ])  # fmt: skip


@dataclass(frozen=True)
class Manifest:
    """What store.json says."""

    version: int = VERSION
    model: str = ""  # its name and version, for people
    digest: str = ""  # of its files across documents
    kind: str = "all"
    threshold: float | None = None  # the model's if None
    widths: Mapping[str, int] = field(default_factory=dict)  # of vectors, states, places
    rows: Mapping[str, int] = field(default_factory=dict)  # file → rows that count; of texts, bytes
    additions: int = 0

    def counted(self, name: str) -> int:
        """Say how many rows of a file count."""
        return self.rows.get(name, 0)


def read_manifest(folder: Path) -> Manifest | None:
    """Read what a store says of itself; None where there is no store yet."""
    path = folder / MANIFEST
    if not path.exists():
        if folder.is_dir() and any(each.name != LOCK for each in folder.iterdir()):
            raise FormatError(
                f"{folder}: neither empty nor a store, which has {MANIFEST}; name another folder"
            )
        return None
    data = SeekableFile(str(path)).read(0, LARGEST_MANIFEST)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("referee") != "store":
        raise FormatError(f"{path}: does not describe a store")
    if value.get("version") != VERSION:
        raise FormatError(
            f"{folder}: a store of version {value.get('version')!r}, and this Referee reads {VERSION}: "
            "update it, or link the texts into a new store"
        )
    fields = {name: value[name] for name in Manifest.__dataclass_fields__ if name in value}
    return _checked(Manifest(**fields), folder)


def _checked(manifest: Manifest, folder: Path) -> Manifest:
    """See that files are as long as they have to be."""
    for name, rows in manifest.rows.items():
        path = folder / name
        size = path.stat().st_size if path.exists() else 0
        if size < rows * row_bytes(name, manifest.widths):
            raise FormatError(
                f"{path}: shorter than {MANIFEST} says, so it is damaged; restore a copy of the store"
            )
    return manifest


def row_bytes(name: str, widths: Mapping[str, int]) -> int:
    """Say how many bytes a row of a file has."""
    sizes = {
        TEXTS: 1, MENTIONS: mention_type(widths.get("places", 0)).itemsize, JOINS: JOIN_TYPE.itemsize,
        TAKEN_BACK: TAKEN_BACK_TYPE.itemsize,
        PASSAGES: PASSAGE_TYPE.itemsize, VECTORS: 2 * widths.get("vectors", 0),
        STATES: 2 * widths.get("states", 0), NARROW: 2 * widths.get("narrow", 0),
        DIRECTIONS: 4 * widths.get("narrow", 0),
    }  # fmt: skip
    return sizes[name]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace what a store says of itself: now, all rows that were added count."""
    text = json.dumps({"referee": "store"} | asdict(manifest), indent=1)
    save(folder / MANIFEST, lambda file: file.write(f"{text}\n"))  # type: ignore[arg-type]


def append(folder: Path, manifest: Manifest, name: str, parts: Iterable[bytes]) -> Manifest:
    """Add bytes behind the rows of a file that count; they count when the manifest is written."""
    size, counted = row_bytes(name, manifest.widths), manifest.counted(name)
    path, added = folder / name, 0
    try:
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.seek(counted * size)
            for data in parts:
                added += file.write(data)
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error
    return replace(manifest, rows={**manifest.rows, name: counted + added // max(size, 1)})


def stored_rows(folder: Path, manifest: Manifest, name: str, kind: np.dtype[Any], width: int = 0) -> Rows:
    """Open the rows of a file that count; they are read when they are asked for."""
    count = manifest.counted(name)
    shape = (count, width) if width else (count,)
    if not count:
        return np.zeros(shape, kind)
    return np.memmap(folder / name, kind, "r", shape=shape)


def text_lines(folder: Path, manifest: Manifest) -> Iterator[Mapping[str, Any]]:
    """Read the lines of texts that count."""
    data = SeekableFile(str(folder / TEXTS)).read(0, manifest.counted(TEXTS)) if manifest.rows else b""
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{folder / TEXTS}:{number}: not JSON: {error}") from error


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Hold a store's lock while it is changed; what killed processes left is removed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"{folder}: {error.strerror or error}") from error
    with locked(folder / LOCK, "another process is changing the store; try again when it has ended"):
        remove_abandoned(folder)
        yield
