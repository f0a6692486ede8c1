"""Makes the application: the routes of the service, of what is mounted into it, and the guard before them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from referee.exceptions import RefereeError
from referee.service.counters import Counters
from referee.service.guard import Guard
from referee.service.lanes import lanes
from referee.service.problems import Refusal, problem
from referee.service.routes import own_routes
from referee.service.settings import ServiceSettings

Hook = Callable[[], Awaitable[None]]
PUBLIC = ("/health",)


@dataclass(frozen=True, slots=True)
class Mounted:
    """What is added to the service: routes, those of their paths that need no token, and start and stop.

    A path that needs no token holds nothing of anybody: a page without data, a script, a style. It is a whole
    path, or ends in `/*` and stands for all below it.
    """

    routes: Sequence[BaseRoute]
    public: tuple[str, ...] = ()
    start: Hook | None = None
    stop: Hook | None = None


class Service:
    """The state of a running service, as `request.app.state.service`."""

    def __init__(
        self, settings: ServiceSettings, mounted: Sequence[Mounted], paths: frozenset[str], *, works: bool
    ) -> None:
        """Begin as one that is not ready."""
        self.settings, self.mounted = settings, mounted
        self.is_ready = self.is_stopping = False
        self.counters = Counters(paths)
        self.lanes = lanes(settings) if works else ()

    def refuse_unless_ready(self) -> None:
        """Refuse work before the start and after the order to stop."""
        if self.is_stopping or not self.is_ready:
            raise Refusal(503, "the service is starting or stopping: come again", {"retry-after": "1"})

    async def start(self) -> None:
        """Start the processes that work, and what is mounted, unless that is done."""
        if self.is_ready:
            return
        try:
            await asyncio.gather(*(lane.start() for lane in self.lanes))
            for each in self.mounted:
                if each.start:
                    await each.start()
        except BaseException:
            await self.stop()
            raise
        self.is_ready = True

    async def stop(self) -> None:
        """End them."""
        was_ready, self.is_ready = self.is_ready, False
        for each in reversed(self.mounted):
            if each.stop and was_ready:
                await each.stop()
        for lane in self.lanes:
            await lane.end()

    def observe(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request."""
        self.counters.observe(scope["path"], status, seconds)


def create_app(
    settings: ServiceSettings | None = None, mounted: Sequence[Mounted] = (), *, works: bool = True
) -> Starlette:
    """Make the application that a server runs.

    Args:
        settings: How it is run; on this machine only, without a token, unless it says otherwise.
        mounted: What is added to it, such as the workbench.
        works: Whether it resolves, scores and so on, for which it starts processes.
    """
    own = own_routes(works=works)
    routes = [*(route for each in mounted for route in each.routes), *own]
    paths = frozenset(route.path for route in routes if isinstance(route, Route))
    service = Service((settings or ServiceSettings()).guarded(), mounted, paths, works=works)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    public = frozenset(path for paths in (PUBLIC, *(each.public for each in mounted)) for path in paths)
    guard = Middleware(Guard, settings=service.settings, public=public, observe=service.observe)
    app = Starlette(
        routes=routes,
        middleware=[guard],
        exception_handlers={HTTPException: _http_problem, RefereeError: _refused},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a redirect would repeat a Host that a caller made up
    app.state.service = service
    return app


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    takes = (error.headers or {}).get("Allow", "another method")
    said = {404: "there is nothing at this path", 405: f"this path takes {takes}, not {request.method}"}
    return problem(error.status_code, said.get(error.status_code, error.detail), error.headers)


async def _refused(_request: Request, error: Exception) -> Response:
    return problem(422, str(error), kind=type(error).__name__)
