"""Runs the application on uvicorn until it is told to stop; then it finishes what runs and takes no more."""

from __future__ import annotations

import asyncio
import logging
import math
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.exceptions import RefereeError
from referee.service.app import Service, create_app
from referee.service.guard import LONGEST_HEAD
from referee.service.pages import PLAYGROUND, playground
from referee.service.settings import ServiceSettings

IDLE = 5  # seconds for which a connection is kept without a request
HEAD = 20.0  # seconds in which the head of a request has to be there
CONNECTIONS = 1000


class PatientProtocol(H11Protocol):
    """uvicorn's reading of HTTP, which does not wait for ever for the head of a request."""

    waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Wait as long as a head has begun and is not complete."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def _watch(self) -> None:
        begun = self.conn.their_state is h11.IDLE and (self.cycle is None or bool(self.conn.trailing_data[0]))
        if not begun:
            self._stop_waiting()
        elif self.waiting is None:
            self.waiting = self.loop.call_later(HEAD, self.transport.close)

    def _stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None


class Server(uvicorn.Server):
    """uvicorn's server, which starts the service before it listens, and tells it when it begins to stop."""

    def __init__(self, app: Starlette, ready: Callable[[], None] = lambda: None) -> None:
        """Say what to call once requests are taken."""
        super().__init__(configured(app))
        self._service: Service = app.state.service
        self._when_ready = ready

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take no more work; a second signal does not wait for what runs."""
        self.force_exit = self.should_exit
        self._service.is_stopping = self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the service, then say so."""
        await super().startup(sockets)
        self._when_ready()

    async def run_on(self, taken: socket.socket) -> None:
        """Serve on a socket until it is told to stop."""
        await self._service.start()
        try:
            await self.serve([taken])
        finally:
            await self._service.stop()


def configured(app: Starlette) -> uvicorn.Config:
    """Say how uvicorn runs the application: plain HTTP/1.1, without its own log.

    It would have queries, and a line for all that is not HTTP, by which a stranger could fill a disk.
    """
    service: Service = app.state.service
    return uvicorn.Config(
        app, http=PatientProtocol, ws="none", loop="asyncio", lifespan="on", access_log=False,
        log_config=None, log_level=logging.ERROR, server_header=False, proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=IDLE, h11_max_incomplete_event_size=2 * LONGEST_HEAD,
        timeout_graceful_shutdown=math.ceil(service.settings.limits.seconds) + 1,
    )  # fmt: skip


def bound(host: str, port: int) -> socket.socket:
    """Bind an address before any model is loaded; port 0 takes a free one."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        taken = socket.create_server((host, port), family=family)
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer waits for 40 ms
    except OSError as error:
        raise RefereeError(
            f"{host}:{port} cannot be listened to: {error.strerror or error}; choose another host= or port="
        ) from error
    taken.setblocking(False)
    return taken


def address_of(taken: socket.socket) -> str:
    """Say at which address a socket listens."""
    host, port = taken.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve_until_stopped(settings: ServiceSettings, notify: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT, and say so at the beginning and at the end."""
    taken = bound(settings.host, settings.port)
    app, address = create_app(settings, [playground()]), address_of(taken)
    run(
        app,
        taken,
        lambda: notify(f"referee serves at {address}, a page at {address}{PLAYGROUND}; Ctrl-C stops it"),
    )
    notify("referee has stopped")


def run(app: Starlette, taken: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve an application on a socket; `ready` is called once requests are taken."""
    asyncio.run(Server(app, ready).run_on(taken))
