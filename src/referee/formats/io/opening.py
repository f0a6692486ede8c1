"""Opens files that may be packed, come from a pipe, or begin with a byte order mark, as seekable bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from os import PathLike
from pathlib import Path
from typing import IO, Any, BinaryIO, cast
from weakref import ref

from referee.encoding import decoded
from referee.exceptions import FormatError, SettingError
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
# A packed file may unpack to so many times its size, and to so many bytes in any case. Corpora have ratios of
# 3 to 17; more is an attack, or text that repeats itself.
LARGEST_RATIO, LEAST_BOUND = 200, 2**28
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
    file = path if isinstance(path, SeekableFile) else SeekableFile(os.fspath(path))
    return decoded(file.read(), file.path).replace("\r\n", "\n")


def plain_bytes(path: str, start: int = 0, size: int = -1) -> bytes | None:
    """Read bytes of a plain file, quickly; None of one that only a `SeekableFile` reads."""
    try:
        if path == STDIN or not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 a Path costs more than a small file
            return None
        with open(path, "rb", 0) as file:  # noqa: PTH123 likewise
            head = file.read(8)
            if head.startswith(SPECIAL_STARTS) or encoding_of(head) is not None:
                return None
            file.seek(start)
            return file.read(size)
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error


def raw_bytes(path: str) -> bytes:
    """Read all bytes of a file as they are, packed or not."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error


def can_be_read_once(path: str) -> bool:
    """Whether a name is standard input, or that of a pipe or device."""
    return path == STDIN or (not is_remote(path) and Path(path).exists() and not _stays(path))


def is_file(path: str | PathLike[str]) -> bool:
    """Whether a name is a file's, or that of something that is read once; folders are not."""
    return Path(path).is_file() or can_be_read_once(str(path))


def opened_once(given: Any) -> Any:
    """Open what is read only once or is packed, for those who look at it more than once; the rest stays."""
    if not isinstance(given, str | PathLike) or isinstance(given, SeekableFile):
        return given
    path = os.fspath(given)
    packed = Path(path).is_file() and plain_bytes(path, 0, 0) is None
    return SeekableFile(path) if packed or can_be_read_once(path) else given


def _stays(path: str) -> bool:
    return Path(path).is_file() or Path(path).is_dir()


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
                self._spool(_chunks(_standard_input(), path))
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
                self._spool(_chunks(file, self.path))
                return self._open()
            start = file.read(8)
            for magic, unpack in UNPACKERS.values():
                if start.startswith(magic):
                    size = file.seek(0, os.SEEK_END)
                    file.seek(0)
                    self._spool(_unpacked(unpack(file), size, self.path))
                    assert self._temporary is not None
                    self._temporary.seek(0)
                    return self._temporary.read(8)
        return start

    def _spool(self, chunks: Iterator[bytes]) -> None:
        """Copy bytes into a temporary file, and read that from now on."""
        before = self._temporary  # which may be the source: it is closed at the end
        try:
            self._temporary = tempfile.NamedTemporaryFile(prefix="referee-", buffering=0)  # noqa: SIM115 stays
            for chunk in chunks:
                left = memoryview(chunk)
                while left:
                    left = left[self._temporary.write(left) :]
        except OSError as error:
            raise FormatError(
                f"{self.path}: could not be copied to the temporary folder ({tempfile.tempdir}): "
                f"{error.strerror or error}; make room there, or name another folder in TMPDIR"
            ) from error
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

    def __fspath__(self) -> str:
        """Give the name, where it is all that matters."""
        return self.path

    def close(self) -> None:
        """Close the file; a later read opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        """Close the file at the end, also after an error; a temporary one is gone then."""
        self.close()
        if self._temporary is not None:
            self._temporary.close()

    def __getstate__(self) -> tuple[str, str, int, FileState | None]:
        """Send only the path to another process; the temporary file stays here."""
        return self.path, self._location, self._skipped, self._state

    def __setstate__(self, state: tuple[str, str, int, FileState | None]) -> None:
        """Restore in another process."""
        self.path, self._location, self._skipped, self._state = state
        self._temporary = self._file = None


def _standard_input() -> BinaryIO:
    """Give standard input, which can be read once."""
    global _last_input
    bytes_ = getattr(sys.stdin, "buffer", None)
    if bytes_ is None:
        raise FormatError("standard input is closed; give a file instead of '-'")
    if _last_input is not None and _last_input() is sys.stdin and not bytes_.isatty():
        raise SettingError("standard input can be read only once: give '-' once")
    _last_input = ref(sys.stdin)
    return cast("BinaryIO", bytes_)


_last_input: ref[object] | None = None  # the standard input that was read; tests and notebooks replace it


def _chunks(source: BinaryIO, path: str) -> Iterator[bytes]:
    """Read a stream to its end."""
    try:
        while chunk := source.read(CHUNK):
            yield chunk
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error


def _unpacked(source: BufferedIOBase, size: int, path: str) -> Iterator[bytes]:
    """Unpack a file of some size, as long as what comes out is like a corpus."""
    bound, done = max(LEAST_BOUND, LARGEST_RATIO * size), 0
    try:
        while chunk := source.read(CHUNK):
            done += len(chunk)
            if done > bound:
                raise FormatError(
                    f"{path}: unpacks to more than {LARGEST_RATIO} times its size, which no corpus does; "
                    "unpack it first if it is one"
                )
            yield chunk
    except (EOFError, lzma.LZMAError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise FormatError(f"{path}: {error.strerror}") from error
        raise FormatError(f"{path}: the compressed file is damaged: {error}") from error


def count_lines(file: SeekableFile, start: int, stop: int) -> int:
    """Count the lines that end between two positions, without all of them in memory."""
    lines = 0
    while start < stop:
        chunk = file.read(start, min(CHUNK, stop - start))
        lines += chunk.count(b"\n")
        start += len(chunk)
    return lines


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
