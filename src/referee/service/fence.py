"""Keeps the work on a request inside its own folder: nothing else of the machine is read, written or reached.

Inputs are contents, but some formats follow what a file names: a text beside it, a scheme in another folder.
So every request has a private folder, deep enough that "above" is private too, and while the work lasts an
audit hook of the interpreter refuses to open anything else (but Python's own modules), to connect to anywhere
or to start a program. The hook sees what Python does, not what compiled libraries do by themselves; those of
Referee open no file that an input names.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ABOVE = "1/2/3/4/5"  # readers look at most three folders up
READABLE = ("/dev/null", "/dev/urandom", "/usr/share/zoneinfo/")
OWN = ("maps", "status")  # below /proc/PID: what libraries are loaded, and how much memory there is
REFUSED = (
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto",
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "os.symlink",
    "os.link",
)  # fmt: skip
NAMING = ("os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate")


class Fence:
    """What may be touched: the folder of the request, if there is one, and modules to be read."""

    def __init__(self) -> None:
        """Begin open: nothing is refused until a request is worked on."""
        self.folder = ""
        self.private: Path | None = None  # the folder of the last request, if it was left empty
        self.modules: tuple[str, ...] = ()  # what may be read, by its beginning

    def install(self, *readable: str) -> None:
        """Watch the interpreter from now on; an audit hook cannot be removed."""
        own = [path for path in sys.path if path and os.path.realpath(path) != os.path.realpath("/")]
        roots = {os.path.realpath(path) for path in (*own, sys.prefix, sys.base_prefix, *readable)}
        about = (f"/proc/{os.getpid()}/{name}" for name in OWN)
        self.modules = (*(f"{root}{os.sep}" for root in roots), *about, *READABLE)
        sys.addaudithook(self._watch)

    def _watch(self, event: str, given: tuple[Any, ...]) -> None:
        if not self.folder:
            return
        if event in REFUSED:
            raise PermissionError(1, "a request may not reach out of the service")
        if event == "open":
            path, mode, flags = (*given, None, None)[:3]
            if isinstance(path, str | bytes | os.PathLike):
                self._check(path, writes=_writes(mode, flags))
        elif event in NAMING and given and isinstance(given[0], str | bytes | os.PathLike):
            self._check(given[0], writes=event not in NAMING[:2])

    def _check(self, path: Any, *, writes: bool) -> None:
        real = os.path.realpath(os.fsdecode(path))
        if f"{real}{os.sep}".startswith(self.folder):
            return
        if not writes and f"{real}{os.sep}".startswith(self.modules):
            return
        raise PermissionError(1, "a request has its own files only")

    @contextmanager
    def request(self) -> Iterator[Path]:
        """Work on a request, in a folder that is gone afterwards, or is left empty for the next one."""
        private = self.private or Path(os.path.realpath(tempfile.mkdtemp(prefix="referee-request-")))
        root = private / ABOVE
        root.mkdir(parents=True, exist_ok=True)
        before, tempfile.tempdir = tempfile.tempdir, str(root)
        self.folder = f"{private}{os.sep}"
        try:
            yield root
        finally:
            self.folder, tempfile.tempdir = "", before
            self.private = private if _is_unused(private) else None
            if self.private is None:
                shutil.rmtree(private, ignore_errors=True)


def _is_unused(private: Path) -> bool:
    """Whether a request made no file: each folder has the next one alone, and the last one nothing."""
    path = private
    for name in (*ABOVE.split("/"), None):
        if os.listdir(path) != [name] * bool(name):  # noqa: PTH208 names are enough
            return False
        path = path / (name or "")
    return True


def _writes(mode: Any, flags: Any) -> bool:
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))


def bound_process(memory: int, file: int) -> None:
    """Bound the memory of this process and the files it writes: what unpacks to more fails."""
    for what, size in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, file)):
        _, hard = resource.getrlimit(what)
        if size and (hard == resource.RLIM_INFINITY or size < hard):
            resource.setrlimit(what, (size, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
