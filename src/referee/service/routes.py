"""The routes of the service itself: the five kinds of work, how it is, and what it can do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee import __version__
from referee.service.counters import MEDIA_TYPE, resident
from referee.service.lanes import Answer
from referee.service.openapi import openapi
from referee.service.problems import GONE, PROBLEM_JSON, Refusal

if TYPE_CHECKING:
    from referee.service.app import Service

RESOLVING, OF_FILES = ("/resolve", "/link"), ("/score", "/convert", "/validate")


def own_routes(*, works: bool) -> list[BaseRoute]:
    """List the routes; without those of work, how the service is."""
    routes: list[BaseRoute] = [
        Route("/health", _health),
        Route("/ready", _ready),
        Route("/metrics", _metrics),
    ]
    if works:
        routes += [Route(path, _work, methods=["POST"]) for path in (*RESOLVING, *OF_FILES)]
        routes.append(Route("/openapi.json", _openapi))
    return routes


async def _work(request: Request) -> Response:
    """Let a process work on a request; if its caller goes away before it is its turn, it is dropped."""
    service: Service = request.app.state.service
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, "send JSON, with the header Content-Type: application/json")
    path = request.url.path
    body = await request.body()
    service.refuse_unless_ready()
    lane = service.lanes[path in OF_FILES]
    work = asyncio.create_task(lane.work(path, body))
    gone = asyncio.create_task(_until_gone(request))
    done, _ = await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
    if work not in done:
        work.cancel()
        return Response(status_code=GONE)
    gone.cancel()
    answer = work.result()
    service.counters.words += answer.words
    return Response(answer.content, answer.status, media_type=_media_type(answer))


def _media_type(answer: Answer) -> str:
    return "application/json" if answer.status == 200 else PROBLEM_JSON


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _health(_request: Request) -> Response:
    """Say that the process lives."""
    return JSONResponse({"status": "ok", "version": __version__})


async def _ready(request: Request) -> Response:
    """Say whether requests are taken."""
    service: Service = request.app.state.service
    service.refuse_unless_ready()
    return JSONResponse({"status": "ready", "version": __version__})


async def _metrics(request: Request) -> Response:
    service: Service = request.app.state.service
    processes = [lane.process.pid for lane in service.lanes if lane.process]
    more = [
        (
            "referee_waiting",
            "gauge",
            "Requests that work or wait.",
            sum(each.at_once for each in service.lanes),
        ),
        (
            "referee_restarts_total",
            "counter",
            "Processes started again.",
            sum(e.restarts for e in service.lanes),
        ),
        ("referee_memory_bytes", "gauge", "Memory of all processes.", sum(map(resident, [None, *processes]))),
    ]
    return Response(service.counters.lines(more), media_type=MEDIA_TYPE)


async def _openapi(_request: Request) -> Response:
    return JSONResponse(openapi())
