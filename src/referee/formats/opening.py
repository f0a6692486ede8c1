"""Opens files that may be packed, or come from standard input, as seekable bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import tempfile
import zlib
from collections.abc import Callable
from io import BufferedIOBase, FileIO
from pathlib import Path
from typing import IO, BinaryIO

from referee.exceptions import FormatError

STDIN = "-"
UNPACKERS: dict[str, tuple[bytes, Callable[[BinaryIO], BufferedIOBase]]] = {
    ".gz": (b"\x1f\x8b", lambda file: gzip.GzipFile(fileobj=file)),
    ".bz2": (b"BZh", bz2.BZ2File),
    ".xz": (b"\xfd7zXZ\x00", lzma.LZMAFile),
}
LARGEST_UNPACKED = 64 * 2**30  # bytes; a larger one is more likely an attack than a corpus


def stem(path: str) -> str:
    """Name a document after its file: without folder, packing and format."""
    name = Path(path).name
    packing = Path(name).suffix
    name = name.removesuffix(packing) if packing in UNPACKERS else name
    return Path(name).stem


class SeekableFile:
    """A file's bytes at any position; packed files and standard input are unpacked to a temporary file."""

    def __init__(self, path: str) -> None:
        """Open the file, or say why it cannot be."""
        self._file: FileIO | None = None
        self._temporary: IO[bytes] | None = None
        self.path = self._location = path
        if path == STDIN:
            self._spool(sys.stdin.buffer)
        else:
            try:
                with open(path, "rb") as file:  # noqa: PTH123 a Path costs more than a small file
                    start = file.read(8)
                    file.seek(0)
                    for magic, unpack in UNPACKERS.values():
                        if start.startswith(magic):
                            self._spool(unpack(file))
            except OSError as error:
                raise FormatError(f"{path}: {error.strerror or error}") from error

    def _spool(self, source: BufferedIOBase | BinaryIO) -> None:
        self._temporary = tempfile.NamedTemporaryFile(prefix="referee-")  # noqa: SIM115 lives as long as self
        try:
            while chunk := source.read(2**20):
                self._temporary.write(chunk)
                if self._temporary.tell() > LARGEST_UNPACKED:
                    raise FormatError(f"{self.path}: unpacks to more than {LARGEST_UNPACKED >> 30} GiB")
        except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, OSError) as error:
            raise FormatError(f"{self.path}: the packed file is damaged: {error}") from error
        self._temporary.flush()
        self._location = self._temporary.name

    def read(self, start: int = 0, size: int = -1) -> bytes:
        """Read `size` bytes from `start`, all if it is negative."""
        if self._file is None:
            self._file = open(self._location, "rb", buffering=0)  # noqa: SIM115, PTH123 kept open
        self._file.seek(start)
        return self._file.read(size)

    def close(self) -> None:
        """Let go of the file; a later read opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        """Let go of the file at the end, also after an error."""
        self.close()

    def __getstate__(self) -> tuple[str, str]:
        """Travel to another process as a path; the temporary file stays with the first."""
        return self.path, self._location

    def __setstate__(self, state: tuple[str, str]) -> None:
        """Arrive in another process."""
        self.path, self._location = state
        self._temporary = self._file = None
