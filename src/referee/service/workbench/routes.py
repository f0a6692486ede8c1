"""The routes of the workbench: what its page asks for, checked before anything is done."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee.corrections.state import Change
from referee.exceptions import RefereeError
from referee.service.app import Mounted
from referee.service.pages import page_routes, public_paths
from referee.service.problems import PROBLEM_JSON, Refusal, problem_bytes
from referee.service.workbench.answers import doubtful_value, suggestions_value
from referee.service.workbench.bench import Action, UnknownError, Workbench
from referee.service.workbench.cases import cases_value
from referee.service.workbench.documents import OpenDocument, StaleError
from referee.service.workbench.export import LossyError

HOME, API = "/workbench", "/workbench/api"
LONGEST_NAME = 100  # characters of a client's or a step's name
MOST_LISTED = 200  # links of a list, unless a caller asks for more
Answer = Callable[[], Any]


def workbench_routes(bench: Workbench) -> Mounted:
    """Give the routes of a workbench; its page and the files of it need no token, since they hold no data."""
    routes = _Routes(bench)
    one = f"{API}/documents/{{index:int}}"
    known: list[BaseRoute] = [
        *page_routes(f"{HOME}/"),
        Route(f"{API}/state", routes.state),
        Route(f"{API}/export", routes.export),
        Route(one, routes.document),
        Route(f"{one}/suggestions", routes.suggestions),
        Route(f"{one}/doubtful", routes.doubtful),
        Route(f"{one}/cases", routes.cases),
        Route(f"{one}/overlay", routes.overlay),
        Route(f"{one}/export", routes.export),
        *(Route(f"{one}/{kind}", routes.act, methods=["POST"]) for kind in ACTIONS),
    ]
    return Mounted(known, public=public_paths(f"{HOME}/"))


class _Routes:
    """Answers requests about one workbench; work is done beside the loop, so that others are answered."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    async def state(self, _request: Request) -> Response:
        return await _answered(self.bench.state)

    async def document(self, request: Request) -> Response:
        return await _answered(partial(self.bench.whole, request.path_params["index"]))

    async def suggestions(self, request: Request) -> Response:
        return await _answered(partial(self._listed, request, suggestions_value))

    async def cases(self, request: Request) -> Response:
        return await _answered(partial(self._locked, request, cases_value))

    async def doubtful(self, request: Request) -> Response:
        return await _answered(partial(self._listed, request, doubtful_value))

    def _listed(self, request: Request, answer: Callable[..., Any]) -> Any:
        limit = _number(request.query_params.get("limit", str(MOST_LISTED)))
        return self._locked(request, partial(answer, limit=limit))

    def _locked(self, request: Request, answer: Callable[[OpenDocument], Any]) -> Any:
        document = self.bench.document(request.path_params["index"])
        with document.lock:
            return answer(document)

    async def overlay(self, request: Request) -> Response:
        against = request.query_params.get("against", "key")
        return await _answered(partial(self.bench.overlay, request.path_params["index"], against))

    async def export(self, request: Request) -> Response:
        index = request.path_params.get("index")
        indices = range(len(self.bench.documents)) if index is None else [index]
        form, lossy = request.query_params.get("format", ""), request.query_params.get("lossy") == "1"
        return await _answered(partial(self._export, form, indices, lossy))

    def _export(self, form: str, indices: Any, lossy: bool) -> Response:
        made = self.bench.export(form, indices, lossy=lossy)
        headers = {
            "content-disposition": f"attachment; filename*=UTF-8''{quote(made.name, safe='')}",
            "x-referee-notices": quote(json.dumps(made.notices)),
        }
        return Response(made.content, media_type="application/octet-stream", headers=headers)

    async def act(self, request: Request) -> Response:
        kind = request.url.path.rpartition("/")[2]
        body = await _body(request)
        action = ACTIONS[kind](body)
        client, step = (_name(body, name) for name in ("client", "step"))
        index = request.path_params["index"]
        return await _answered(partial(self.bench.act, index, body.get("revision"), client, step, action))


async def _answered(answer: Answer) -> Response:
    """Do the work, and make an answer of what comes out or of what is refused."""
    try:
        value = await run_in_threadpool(answer)
    except UnknownError as error:
        raise Refusal(404, str(error)) from error
    except StaleError as error:
        return _refused(409, error, revision=error.revision)
    except LossyError as error:
        return _refused(422, error, lossy=True)
    except RefereeError as error:
        raise Refusal(422, str(error)) from error
    if isinstance(value, bytes):
        return Response(value, media_type="application/json")
    return value if isinstance(value, Response) else JSONResponse(value)


def _refused(status: int, error: RefereeError, **more: Any) -> Response:
    value = {**json.loads(problem_bytes(status, str(error))), **more}
    return Response(json.dumps(value), status, media_type=PROBLEM_JSON)


async def _body(request: Request) -> dict[str, Any]:
    """Read the JSON of a request that changes something, which no page of another origin can send."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" or request.headers.get("x-referee") != "1":
        raise Refusal(400, "send JSON, with Content-Type: application/json and X-Referee: 1")
    try:
        value = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "the body is not JSON") from error
    if not isinstance(value, dict):
        raise Refusal(400, "the body must be a JSON object")
    return value


def _name(body: dict[str, Any], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise Refusal(400, f"{name} must be a text of at most {LONGEST_NAME} characters")
    return value


def _number(given: str) -> int:
    if not given.isascii() or not given.isdigit() or len(given) > 9:
        raise Refusal(400, "limit must be a whole number")
    return int(given)


def _edit(body: dict[str, Any]) -> Action:
    edit = body.get("edit")
    if not isinstance(edit, dict):
        raise Refusal(400, 'edit must be an object, as {"op": "detach", "mention": "m3"}')

    def act(document: OpenDocument, client: str, step: str) -> tuple[Change, str]:
        return document.edit(edit, client, step), str(edit.get("op"))

    return act


def _undo(_body: dict[str, Any]) -> Action:
    return OpenDocument.undo


def _redo(_body: dict[str, Any]) -> Action:
    return OpenDocument.redo


def _done(body: dict[str, Any]) -> Action:
    done = body.get("done")
    if not isinstance(done, bool):
        raise Refusal(400, "done must be true or false")

    def act(document: OpenDocument, client: str, step: str) -> tuple[Change, str]:
        document.journal.finish(client, step, done=done)
        return Change(), "done"

    return act


ACTIONS: dict[str, Callable[[dict[str, Any]], Action]] = {
    "edits": _edit, "undo": _undo, "redo": _redo, "done": _done,
}  # fmt: skip
