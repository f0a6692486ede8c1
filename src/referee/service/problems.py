"""Errors as problem JSON (RFC 9457): what happened, where, and what to do; never how the code got there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response

from referee.encoding import encoded

PROBLEM_JSON = "application/problem+json"
GONE = 499  # what log and figures say of a request whose caller did not wait; nobody gets it


class Refusal(Exception):  # noqa: N818 it is an answer, not a fault
    """A request that is refused, with the status and the words of the answer."""

    def __init__(
        self, status: int, detail: str, headers: Mapping[str, str] | None = None, kind: str = ""
    ) -> None:
        """Say what is wrong, and what to do; `kind` is the exception that the library raised."""
        super().__init__(status, detail)
        self.status, self.detail, self.headers, self.kind = status, detail, dict(headers or {}), kind


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None, kind: str = "") -> Response:
    """Make the answer that says what is wrong."""
    return Response(
        problem_bytes(status, detail, kind), status, headers=dict(headers or {}), media_type=PROBLEM_JSON
    )


def problem_bytes(status: int, detail: str, kind: str = "") -> bytes:
    """Write a problem as JSON.

    >>> problem_bytes(429, "too many requests at once: come again later")
    b'{"title": "Too Many Requests", "status": 429, "detail": "too many requests at once: come again later"}'
    """
    fields = {"title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return encoded(json.dumps(fields | ({"kind": kind} if kind else {})))
