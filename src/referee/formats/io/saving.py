"""Writes files so that a failure half way leaves an existing one as it was.

A file is written under a temporary name. Whoever writes it holds a lock on it, so that another run can see
which temporary files are still in use, and removes only those of runs that were killed.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from os import PathLike
from pathlib import Path
from typing import IO, cast

try:
    import fcntl
except ImportError:  # Windows has no such locks: temporary files of a killed run stay
    fcntl = None  # type: ignore[assignment]

from referee.encoding import ODD
from referee.exceptions import FormatError
from referee.formats.io.opening import STDIN

UNFINISHED = ".unfinished"  # the ending of what is being written; its name begins with a dot
SHOWN_NAME = 40  # characters of a target's name in that of its temporary file, which must not be too long
NEW_FILE = 0o666  # less what the user's mask takes away


def save(path: str | PathLike[str], write: Callable[[IO[str]], None]) -> None:
    """Let `write` fill a text file; `-` is standard output.

    A link is followed, devices and pipes are written to, and a file keeps its permissions. Bytes that came
    in odd (as lone surrogates) go out as they were.
    """
    try:
        if str(path) == STDIN:
            _write_out(write)
        elif _is_replaceable(target := Path(os.path.realpath(path))):
            _replace(target, write)
        else:
            with target.open("wb", buffering=0) as raw, _text(raw) as file:
                write(file)
    except BrokenPipeError:
        raise  # the reader closed the pipe: not an error of the file
    except OSError as error:
        where = "standard output" if str(path) == STDIN else path
        raise FormatError(f"{where}: {error.strerror or error}") from error


def save_bytes(path: str | PathLike[str], content: bytes) -> None:
    """Write bytes to a file, in the same way."""

    def write(file: IO[str]) -> None:
        cast(TextIOWrapper, file).buffer.write(content)

    save(path, write)


def _is_replaceable(target: Path) -> bool:
    """Whether a target is a plain file, or nothing yet."""
    try:
        return stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return True


def _replace(target: Path, write: Callable[[IO[str]], None]) -> None:
    """Write a file of another name beside the target, and give it the target's name when it is whole."""
    handle, name = _locked_file(target)
    try:
        with os.fdopen(os.dup(handle), "wb") as raw, _text(raw) as file:
            write(file)
        _take_over(target, name)
        os.replace(name, target)  # noqa: PTH105 two plain names
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)  # noqa: PTH108 likewise
        raise
    finally:
        os.close(handle)  # which ends the lock, once the file has its name


def _locked_file(target: Path) -> tuple[int, str]:
    """Make a temporary file beside a target, and lock it."""
    while True:
        prefix = f".{target.name[:SHOWN_NAME]}."
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=UNFINISHED, dir=target.parent)
        with suppress(OSError):  # of a file system without locks, where nothing is removed either
            if fcntl:
                fcntl.flock(handle, fcntl.LOCK_EX)
        if Path(name).exists():  # otherwise another run took it for abandoned before it was locked
            return handle, name
        os.close(handle)


def remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of runs that were killed; those that are still being written are locked."""
    for path in folder.glob(f".*{UNFINISHED}") if fcntl else ():
        with suppress(OSError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


@contextmanager
def locked(path: Path, taken: str) -> Iterator[None]:
    """Hold a lock on a file while others may not; it ends with the process, however that ends.

    Without locks, as on Windows, nothing is held.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror or error}") from error
    with file:
        try:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FormatError(f"{path}: {taken}") from error
        except OSError:
            pass  # a file system without locks
        yield


def _take_over(target: Path, name: str) -> None:
    """Give a new file the old one's permissions and owner, as far as we may."""
    try:
        old = target.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, NEW_FILE & ~mask)  # noqa: PTH101 a plain name
        return
    with suppress(PermissionError, AttributeError):
        os.chown(name, old.st_uid, old.st_gid)
    os.chmod(name, stat.S_IMODE(old.st_mode))  # noqa: PTH101 likewise


def _write_out(write: Callable[[IO[str]], None]) -> None:
    """Write to standard output, whatever encoding it has."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:  # replaced by something that takes text alone
        write(sys.stdout)
        return
    sys.stdout.flush()
    with _text(raw) as file:
        write(file)


@contextmanager
def _text(raw: IO[bytes]) -> Iterator[IO[str]]:
    """See bytes as UTF-8 text, without closing them."""
    file = TextIOWrapper(raw, encoding="utf-8", errors=ODD, newline="\n")
    try:
        yield file
        file.flush()
    finally:
        with suppress(OSError, ValueError):  # said already, where it matters
            file.detach()
