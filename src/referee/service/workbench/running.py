"""Runs a workbench in this process, until somebody ends it."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from referee.corrections.journal import journal_folder
from referee.exceptions import FormatError, RefereeError
from referee.formats.io.json_file import json_object
from referee.model import DocumentCorpus
from referee.service.app import create_app
from referee.service.running import Server, bound
from referee.service.settings import HERE, SHORTEST_TOKEN, ServiceSettings
from referee.service.workbench.bench import Workbench
from referee.service.workbench.routes import HOME, workbench_routes

ADDRESS = ".address"  # in the journal's folder while a workbench is open
NOBODY = "unknown"
STARTING = 60  # seconds for a server to start


def user_name() -> str:
    """Say who uses the machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name and no entry
        return NOBODY


class OpenWorkbench:
    """A workbench that is served on this machine; as a context it ends with its block.

    Attributes:
        address: What to open in a browser; whoever knows it may read and correct.
        bench: What is open.
        folder: Where the journals are.
        app: The application, for servers of your own.
    """

    def __init__(self, folder: Path, opened: Callable[[], Workbench], *, port: int = 0) -> None:
        """Take the folder's lock, and then open the documents."""
        self.folder = folder
        self._held = ExitStack()
        try:
            self._held.enter_context(journal_folder(folder))
            before = _left_behind(folder / ADDRESS)
            taken = self._held.enter_context(_bound_again(port, before))
            self.bench = opened()
        except BaseException:
            self._held.close()  # the folder stays as it was
            _remove_if_empty(folder)
            raise
        self._held.callback(self.bench.close)
        self.port: int = taken.getsockname()[1]
        token = str(before["token"]) if before and before["port"] == self.port else secrets.token_urlsafe(32)
        _leave(folder / ADDRESS, self.port, token)
        self._held.callback((folder / ADDRESS).unlink, missing_ok=True)
        self.address = f"http://{HERE}:{self.port}{HOME}/#token={token}"
        settings = ServiceSettings(port=self.port, token=token)
        self.app = create_app(settings, [workbench_routes(self.bench)], works=False)
        ready = self._ready = threading.Event()
        server = self._server = Server(self.app, ready.set)
        self._thread = threading.Thread(target=lambda: asyncio.run(server.run_on(taken)), daemon=True)

    def started(self, *, no_open: bool) -> Self:
        """Begin to answer, and open the page in the browser."""
        self._thread.start()
        if not self._ready.wait(STARTING):
            raise RefereeError(f"the page could not be served in {STARTING} seconds")
        if not no_open:
            webbrowser.open_new_tab(self.address)
        return self

    @property
    def corrected(self) -> DocumentCorpus:
        """The documents as they are now."""
        documents = [each.document() for each in self.bench.documents]
        return DocumentCorpus(documents, self.bench.title, cross_document=self.bench.cross_document)

    def wait(self) -> None:
        """Wait until the server ends."""
        while self._thread.is_alive():
            self._thread.join(1)  # in pieces, so that Ctrl-C is seen on every system

    def stop(self) -> None:
        """End it: what is under way is finished, and everything is in the journal."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._held.close()
        _remove_if_empty(self.folder)

    def __enter__(self) -> Self:
        """Be open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.stop()

    def __repr__(self) -> str:
        """Say where it is; the token is not shown, since notebooks are passed on."""
        return f"<OpenWorkbench {self.bench.title} on port {self.port}, journal {self.folder}>"


def _left_behind(path: Path) -> dict[str, Any] | None:
    """Find where a workbench was that was killed, so that pages that are still open can go on."""
    try:
        value = json_object(path, "remove it")
    except FormatError:
        return None
    port, token = value.get("port"), value.get("token")
    known = isinstance(port, int) and 0 < port < 2**16 and isinstance(token, str)
    return value if known and len(str(token)) >= SHORTEST_TOKEN else None


def _bound_again(port: int, before: Mapping[str, Any] | None) -> socket.socket:
    """Bind a port: the one of a workbench that was killed, unless one is chosen or that is taken."""
    if not port and before is not None:
        with suppress(RefereeError):
            return bound(HERE, before["port"])
    return bound(HERE, port)


def _leave(path: Path, port: int, token: str) -> None:
    """Write down where this workbench is, for nobody but the user."""
    path.unlink(missing_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, json.dumps({"port": port, "token": token}).encode("ascii"))
    finally:
        os.close(file)


def _remove_if_empty(folder: Path) -> None:
    """Leave no folder where nothing was corrected."""
    if not folder.is_dir() or [each.name for each in folder.iterdir()] not in ([], [".lock"]):
        return
    (folder / ".lock").unlink(missing_ok=True)
    folder.rmdir()
