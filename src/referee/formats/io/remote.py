"""Files that are not on this machine's file system: `s3://…`, `gs://…`, `https://…`, by way of fsspec."""

from __future__ import annotations

from contextlib import contextmanager
from io import RawIOBase
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from referee.exceptions import FormatError, need_package

if TYPE_CHECKING:
    from collections.abc import Iterator

# What file systems call a file's version, the most exact first.
VERSIONS = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "updated", "created")
WEB = ("http://", "https://")
FileState = tuple[int, str]  # how many bytes a file has, and something that changes when it is written


def is_remote(path: str) -> bool:
    """Whether a path names a protocol.

    >>> is_remote("s3://bucket/key.conll"), is_remote("key.conll")
    (True, False)
    """
    return "://" in path


class _FromTheBeginning(RawIOBase):
    """A file of a server that gives no ranges of it."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def open_remote(path: str) -> BinaryIO:
    """Open a remote file; what is read ahead is its file system's affair. Some can be read once only."""
    with _said(path):
        system, name = _system(path)
        if path.startswith(WEB) and not system.info(name).get("partial"):
            return cast("BinaryIO", _FromTheBeginning(system.open(name, "rb", block_size=0)))
        return cast("BinaryIO", system.open(name, "rb"))


def read_remote(file: BinaryIO, path: str, start: int, size: int) -> bytes:
    """Read from an open remote file."""
    with _said(path):
        file.seek(start)
        return file.read(size)


def state_of_remote(path: str) -> FileState:
    """Ask for a remote file's size and version."""
    with _said(path):
        system, name = _system(path)
        system.invalidate_cache()
        info = system.info(name)
        return int(info["size"] or -1), str(next((info[each] for each in VERSIONS if info.get(each)), ""))


def files_in_remote(path: str) -> list[str] | None:
    """List the files in a remote folder and below it, or those that a pattern fits; None of a file."""
    with _said(path):
        system, name = _system(path)
        if "*" in name:
            files = system.glob(name)
            if not files:
                raise FileNotFoundError
        elif system.isdir(name):
            files = system.find(name)
        else:
            return None
        return sorted(str(system.unstrip_protocol(file)) for file in files)


def _system(path: str) -> tuple[Any, str]:
    need_package("fsspec", "cluster")
    from fsspec.core import url_to_fs

    system, name = url_to_fs(path)
    return system, name


@contextmanager
def _said(path: str) -> Iterator[None]:
    """Say which file it was. Each file system has different errors."""
    from referee.exceptions import RefereeError

    try:
        yield
    except RefereeError:
        raise
    except FileNotFoundError as error:
        raise FormatError(f"{path}: No such file or directory") from error
    except Exception as error:
        raise FormatError(f"{path}: {error or type(error).__name__}") from error
