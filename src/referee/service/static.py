"""Files of pages: scripts and styles of this package, read once, and nothing else.

A name is looked up among those that were there at the start, so no path that a caller writes ever reaches the
file system.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.service.problems import Refusal

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def packaged(package: str, *folders: str) -> dict[str, tuple[bytes, str]]:
    """Read the scripts and styles in folders of a package: name → what it holds, and its media type."""
    found = {}
    for folder in folders:
        for file in (files(package) / folder).iterdir():
            ending = "." + file.name.rpartition(".")[2]
            if ending in TYPES:
                found[file.name] = (file.read_bytes(), TYPES[ending])
    return found


def static_route(path: str, known: Mapping[str, tuple[bytes, str]]) -> Route:
    """Serve these files below a path."""

    async def answer(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in known:
            raise Refusal(404, "there is no such file")
        data, media_type = known[name]
        return Response(data, media_type=media_type)

    return Route(f"{path}/{{name}}", answer)
