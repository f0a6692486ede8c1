"""The page of the workbench and its files, and the same page as a playground of the service.

In the playground a text is resolved by the service's own `/resolve`, and one looks at what was found; nothing
is kept, so nothing can be corrected there.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee import __version__
from referee.page.assets import PAGE, POLICY, asset
from referee.resolvers.base import default_resolver, resolvers, resolvers_within
from referee.service.app import Mounted
from referee.service.problems import Refusal

PLAYGROUND = "/playground/"


def page_routes(home: str) -> list[Route]:
    """Give the routes of the page and its files below a path."""
    return [Route(home, _page), Route(f"{home}static/{{name:path}}", _static)]


def public_paths(home: str) -> tuple[str, ...]:
    """List the paths of the page and its files, which need no token, since they hold no data."""
    return home, f"{home}static/*"


def playground() -> Mounted:
    """Give the routes of the playground."""
    routes = [*page_routes(PLAYGROUND), Route(f"{PLAYGROUND}api/state", _state)]
    return Mounted(routes, public=public_paths(PLAYGROUND))


async def _page(_request: Request) -> Response:
    return _file(PAGE, {"content-security-policy": POLICY})


async def _static(request: Request) -> Response:
    return _file(request.path_params["name"])


def _file(name: str, headers: dict[str, str] | None = None) -> Response:
    found = asset(name)
    if found is None:
        raise Refusal(404, "there is no such file")
    return Response(found.content, media_type=found.media_type, headers=headers)


async def _state(request: Request) -> Response:
    """Say what can be asked for here: the resolvers that are installed, the usual one first."""
    ready = [name for name in resolvers_within() if resolvers()[name].is_ready()]
    usual = request.app.state.service.settings.resolver or (default_resolver({}) if ready else None)
    value = {
        "version": __version__, "title": "playground", "notices": [], "documents": [], "systems": [],
        "formats": [], "has_key": False, "resolvers": sorted(ready, key=lambda name: name != usual),
    }  # fmt: skip
    return JSONResponse(value)
