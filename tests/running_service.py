"""A service on a free port, in a thread of the tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx

from referee.service.app import Mounted, create_app
from referee.service.running import Server, bound
from referee.service.settings import ServiceSettings


@contextmanager
def running(
    settings: ServiceSettings | None = None, mounted: Sequence[Mounted] = (), *, works: bool = False
) -> Iterator[httpx.Client]:
    """Run a service, and give a client of it; it is stopped at the end."""
    app = create_app(settings, mounted, works=works)
    taken = bound("127.0.0.1", 0)
    ready = threading.Event()
    server = Server(app, ready.set)
    thread = threading.Thread(target=lambda: asyncio.run(server.run_on(taken)), daemon=True)
    address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    thread.start()
    try:
        assert ready.wait(60)
        with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()
