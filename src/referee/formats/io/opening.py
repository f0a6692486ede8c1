"""Opens files that may be packed, come from a pipe, or begin with a byte order mark, as seekable bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Callable
from io import BufferedIOBase
from os import PathLike
from pathlib import Path
from typing import IO, BinaryIO

from referee.exceptions import FormatError
from referee.formats.io.remote import FileState, is_remote, open_remote, read_remote, state_of_remote

STDIN = "-"
# Endings of files with trees beside a corpus, which a folder of documents may hold too.
TREE_ENDINGS = (".ptb", ".mrg", ".parse", ".penn", ".psd", ".trees", ".tree", ".bracket")
DEPENDENCY_ENDINGS = (".conllu",)
UNPACKERS: dict[str, tuple[bytes, Callable[[BinaryIO], BufferedIOBase]]] = {
    ".gz": (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    ".bz2": (b"BZh", bz2.BZ2File),
    ".xz": (b"\xfd7zXZ\x00", lzma.LZMAFile),
}
LARGEST_UNPACKED = 64 * 2**30  # bytes; a larger one is more likely an attack than a corpus
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_ENCODINGS = {  # by their byte order marks, the longest first
    b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16",
}  # fmt: skip
SPECIAL_STARTS = (BYTE_ORDER_MARK, *(magic for magic, _ in UNPACKERS.values()))  # not read as they are
CHUNK = 2**20  # bytes


def stem(path: str) -> str:
    """Name a document after its file: without folder, packing and format."""
    name = Path(path).name
    packing = Path(name).suffix
    name = name.removesuffix(packing) if packing in UNPACKERS else name
    return Path(name).stem


def encoding_of(start: bytes) -> str | None:
    r"""Name the encoding of a text by its first bytes, if ASCII is not a part of it.

    >>> encoding_of("{}".encode("utf-16")), encoding_of("{}  ".encode("utf-16-le")), encoding_of(b"{}  ")
    ('UTF-16', 'UTF-16', None)
    """
    for mark, name in OTHER_ENCODINGS.items():
        if start.startswith(mark):
            return name
    one, other = start[:8:2], start[1:8:2]
    half_empty = len(start) >= 4 and any(one) != any(other) and (all(one) or all(other))
    return "UTF-16" if half_empty else None


def read_text(path: str | PathLike[str]) -> str:
    """Read a small text file, which may be packed, come from a pipe, or begin with a byte order mark."""
    data = SeekableFile(str(path)).read()
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"{path}:{line}: not UTF-8: {error.reason}; save it as UTF-8") from error


class SeekableFile:
    """A file's bytes at any position, without its byte order mark.

    Packed files, standard input and pipes are read once, into a temporary file. A file that changes after
    it was opened first is refused, since what is known about its bytes is no longer true.
    """

    def __init__(self, path: str) -> None:
        """Open the file, or say why it cannot be."""
        self._file: BinaryIO | None = None
        self._temporary: IO[bytes] | None = None
        self._state: FileState | None = None  # of the file at the path; None of what can be read once only
        self.path = self._location = path
        try:
            if path == STDIN:
                self._spool(sys.stdin.buffer)
            start = self._open()
        except OSError as error:
            raise FormatError(f"{path}: {error.strerror or error}") from error
        self._skipped = len(BYTE_ORDER_MARK) if start.startswith(BYTE_ORDER_MARK) else 0
        if encoding := encoding_of(start):
            raise FormatError(f"{path}: the text is {encoding}, which is not read; save it as UTF-8")

    def _open(self) -> bytes:
        """Make the file seekable and unpacked, and return its first bytes."""
        with _opened(self._location) as file:
            if self._location == self.path and (file.seekable() or is_remote(self.path)):
                self._state = _state_of(file, self.path)
            if not file.seekable():
                self._spool(file)
                return self._open()
            start = file.read(8)
            file.seek(0)
            for magic, unpack in UNPACKERS.values():
                if start.startswith(magic):
                    self._spool(unpack(file))
                    assert self._temporary is not None
                    self._temporary.seek(0)
                    return self._temporary.read(8)
        return start

    def _spool(self, source: BufferedIOBase | BinaryIO) -> None:
        before = self._temporary  # which may be the source: it is closed at the end
        self._temporary = tempfile.NamedTemporaryFile(prefix="referee-")  # noqa: SIM115 lives as long as self
        try:
            while chunk := source.read(CHUNK):
                self._temporary.write(chunk)
                if self._temporary.tell() > LARGEST_UNPACKED:
                    raise FormatError(f"{self.path}: unpacks to more than {LARGEST_UNPACKED >> 30} GiB")
        except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, OSError) as error:
            raise FormatError(f"{self.path}: the compressed file is damaged: {error}") from error
        self._temporary.flush()
        self._location = self._temporary.name
        del before

    def read(self, start: int = 0, size: int = -1) -> bytes:
        """Read `size` bytes from `start`, all if it is negative."""
        if self._file is None:
            self._file = self._reopened()
        if is_remote(self._location):
            return read_remote(self._file, self.path, start + self._skipped, size)
        self._file.seek(start + self._skipped)
        return self._file.read(size)

    def _reopened(self) -> BinaryIO:
        """Open the file once more, if it is still the same."""
        if self._location != self.path and not Path(self._location).exists():
            self._unpack_here()
        try:
            file = _opened(self._location, buffering=0)
        except OSError as error:
            raise FormatError(f"{self.path}: {error.strerror or error}") from error
        if self._location == self.path:
            self._refuse_change(_state_of(file, self.path), file)
        return file

    def _unpack_here(self) -> None:
        """Unpack the file again: this process is on another machine than the one that opened it first."""
        if self._state is None:
            raise FormatError(
                f"{self.path}: came through a pipe, and a worker on another machine cannot read it; "
                "save it where the workers see it"
            )
        before, self._location = self._state, self.path
        self._open()
        after, self._state = self._state, before
        self._refuse_change(after)

    def _refuse_change(self, state: FileState, file: BinaryIO | None = None) -> None:
        if state != self._state:
            if file is not None:
                file.close()
            raise FormatError(f"{self.path}: has changed since it was opened; run again once it is complete")

    def close(self) -> None:
        """Close the file; a later read opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        """Close the file at the end, also after an error."""
        self.close()

    def __getstate__(self) -> tuple[str, str, int, FileState | None]:
        """Send only the path to another process; the temporary file stays here."""
        return self.path, self._location, self._skipped, self._state

    def __setstate__(self, state: tuple[str, str, int, FileState | None]) -> None:
        """Restore in another process."""
        self.path, self._location, self._skipped, self._state = state
        self._temporary = self._file = None


def _opened(path: str, buffering: int = -1) -> BinaryIO:
    """Open a file of this machine, or one that fsspec reaches."""
    if is_remote(path):
        return open_remote(path)
    return open(path, "rb", buffering)  # noqa: PTH123 a Path costs more than a small file


def state_of(path: str) -> FileState:
    """Ask for a file's size and version, without opening it if it is one of this machine."""
    if is_remote(path):
        return state_of_remote(path)
    try:
        return _told(os.stat(path))  # noqa: PTH116 a Path costs more
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error


def _state_of(file: BinaryIO, path: str) -> FileState:
    return state_of_remote(path) if is_remote(path) else _told(os.fstat(file.fileno()))


def _told(status: os.stat_result) -> FileState:
    return status.st_size, str(status.st_mtime_ns)
