"""Runs the application on uvicorn until it is told to stop; then it finishes what runs and takes no more."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from referee.exceptions import RefereeError
from referee.service.app import Service
from referee.service.guard import LONGEST_HEAD

IDLE = 5  # seconds for which a connection is kept without a request
CONNECTIONS = 1000


class Server(uvicorn.Server):
    """uvicorn's server, which tells the service when it begins to stop."""

    def __init__(self, config: uvicorn.Config, service: Service, ready: Callable[[], None]) -> None:
        """Say whom to tell, and what to call once requests are taken."""
        super().__init__(config)
        self._service, self._when_ready = service, ready

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take no more work; a second signal does not wait for what runs."""
        self._service.is_stopping = True
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the service, then say so."""
        await super().startup(sockets)
        self._when_ready()


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


def configured(app: Starlette) -> uvicorn.Config:
    """Say how uvicorn runs the application: plain HTTP/1.1, without its own log, which would have queries."""
    service: Service = app.state.service
    return uvicorn.Config(
        app, http="h11", ws="none", loop="asyncio", lifespan="on", access_log=False, log_config=None,
        log_level=logging.WARNING, server_header=False, proxy_headers=False, limit_concurrency=CONNECTIONS,
        timeout_keep_alive=IDLE, h11_max_incomplete_event_size=2 * LONGEST_HEAD,
        timeout_graceful_shutdown=int(service.settings.limits.seconds) + 1,
    )  # fmt: skip


def run(app: Starlette, taken: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve on a socket until SIGTERM or SIGINT; `ready` is called once requests are taken."""
    asyncio.run(Server(configured(app), app.state.service, ready).serve([taken]))
