"""Makes the application: the routes of the service, of what is mounted into it, and the guard before them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee import __version__
from referee.exceptions import RefereeError
from referee.service.guard import Guard
from referee.service.problems import Refusal, problem
from referee.service.settings import ServiceSettings

Hook = Callable[[], Awaitable[None]]


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


PUBLIC = ("/health",)


class Service:
    """The state of a running service, as `request.app.state.service`."""

    def __init__(self, settings: ServiceSettings) -> None:
        """Begin as one that is not ready."""
        self.settings = settings
        self.is_ready = self.is_stopping = False


def create_app(settings: ServiceSettings | None = None, mounted: Sequence[Mounted] = ()) -> Starlette:
    """Make the application that a server runs.

    Args:
        settings: How it is run; on this machine only, without a token, unless it says otherwise.
        mounted: What is added to it, such as the workbench.
    """
    service = Service((settings or ServiceSettings()).guarded())

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        for each in mounted:
            if each.start:
                await each.start()
        service.is_ready = True
        try:
            yield
        finally:
            service.is_ready = False
            for each in reversed(mounted):
                if each.stop:
                    await each.stop()

    public = frozenset(path for paths in (PUBLIC, *(each.public for each in mounted)) for path in paths)
    app = Starlette(
        routes=[*(route for each in mounted for route in each.routes), *_own_routes()],
        middleware=[Middleware(Guard, settings=service.settings, public=public)],
        exception_handlers={HTTPException: _http_problem, RefereeError: _refused},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a redirect would repeat a Host that a caller made up
    app.state.service = service
    return app


def _own_routes() -> list[BaseRoute]:
    return [Route("/health", _health), Route("/ready", _ready)]


async def _health(_request: Request) -> Response:
    """Say that the process lives."""
    return JSONResponse({"status": "ok", "version": __version__})


async def _ready(request: Request) -> Response:
    """Say whether requests are taken."""
    service: Service = request.app.state.service
    if service.is_stopping or not service.is_ready:
        raise Refusal(503, "the service is starting or stopping: come again", {"retry-after": "1"})
    return JSONResponse({"status": "ready", "version": __version__})


async def _http_problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = {404: "there is nothing at this path", 405: "this path does not take this method"}
    return problem(error.status_code, said.get(error.status_code, error.detail), error.headers)


async def _refused(_request: Request, error: Exception) -> Response:
    return problem(422, str(error))
