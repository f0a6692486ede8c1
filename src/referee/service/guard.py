"""What every request passes before a route sees it: who asks, from where, and how much.

* Its `Host` must be a name of this service, so that a page of another name whose address was changed to this
  machine's (DNS rebinding) gets nothing.
* Its `Origin`, if it has one, must be this service, whatever the method: no cross-origin request is
  answered, and no answer has CORS headers.
* With a token, every path needs it but those that hold nothing of anybody: the pages' own files, and
  `/health`.
* Its body has a limit, in bytes and in seconds.

What goes out has headers that let a page load only the files of this service, and lets no page frame it.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections.abc import Callable
from urllib.parse import quote, urlsplit

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.encoding import encoded, lenient
from referee.service.problems import GONE, Refusal, problem
from referee.service.settings import ServiceSettings

LOG = logging.getLogger("referee.service")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LONGEST_HEAD = 2**14  # bytes of all headers
LONGEST_LOGGED = 200  # characters of a path
Observer = Callable[[Scope, int, float], None]  # is told of each answer: its status, and the seconds it took


class Guard:
    """The middleware through which all requests go."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServiceSettings,
        public: frozenset[str] = frozenset(),
        observe: Observer | None = None,
    ) -> None:
        """Say which paths need no token: whole paths, or beginnings of paths, which end in `/*`."""
        self.app, self.settings, self.observe = app, settings, observe
        self._exact = {path for path in public if not path.endswith("/*")}
        self._below = tuple(path.removesuffix("*") for path in public if path.endswith("/*"))
        self._token = encoded(settings.token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = time.monotonic(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": _with_headers(message.get("headers", []))}
            await send(message)

        try:
            self._check(scope)
            await self.app(scope, self._limited(scope, receive), sent)
        except Refusal as refusal:
            if not status:
                await problem(refusal.status, refusal.detail, refusal.headers, refusal.kind)(
                    scope, receive, sent
                )
        except ClientDisconnect:
            status = status or GONE
        except Exception as error:  # its words may have a caller's text, so neither log nor answer has them
            log_error(error)
            if not status:
                said = "the service failed; its log says where. Please report it with what you sent"
                await problem(500, said)(scope, receive, sent)
        finally:
            _log_request(scope, status, time.monotonic() - started)
            if self.observe:
                self.observe(scope, status, time.monotonic() - started)

    def _check(self, scope: Scope) -> None:
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEAD:
            raise Refusal(431, f"headers have at most {LONGEST_HEAD:,} bytes")
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self.settings.knows(hosts[0]):
            raise Refusal(
                421, "this service is not called so: use its address, or name the host where it is started"
            )
        if any(not _is_same(origin, hosts[0]) for origin in _values(scope, b"origin")):
            raise Refusal(403, "pages of other origins are not answered")
        if _values(scope, b"sec-fetch-site") == ["cross-site"] and not _is_navigation(scope):
            raise Refusal(403, "pages of other sites are not answered")
        if self._token and not self._is_public(scope) and not self._has_token(scope):
            raise Refusal(
                401, "give the service's token in the header Authorization: Bearer TOKEN",
                {"www-authenticate": "Bearer"},
            )  # fmt: skip
        if any(value.lower() != "identity" for value in _values(scope, b"content-encoding")):
            raise Refusal(415, "send the body as it is, without Content-Encoding")
        for size in _values(scope, b"content-length"):
            if not size.isdecimal() or int(size[:20]) > self.settings.limits.largest:
                raise self._too_large()

    def _is_public(self, scope: Scope) -> bool:
        path = scope["path"]
        known = path in self._exact or path.startswith(self._below or ("\0",))
        return known and scope["method"] in ("GET", "HEAD")

    def _has_token(self, scope: Scope) -> bool:
        """Compare the token, in the same time whatever is given."""
        given = _values(scope, b"authorization")
        kind, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        return hmac.compare_digest(encoded(token), self._token) and kind.lower() == "bearer"

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Receive a body as long as it keeps to the limits."""
        del scope
        size, limits = 0, self.settings.limits
        end = time.monotonic() + limits.seconds
        complete = False

        async def received() -> Message:
            nonlocal size, complete
            if complete:  # what comes now is that the caller goes away, whenever that is
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(end - time.monotonic(), 0))
            except TimeoutError:
                raise Refusal(408, f"the body did not come in {limits.seconds:g} seconds") from None
            size += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if size > limits.largest:
                raise self._too_large()
            return message

        return received

    def _too_large(self) -> Refusal:
        return Refusal(413, f"a body has at most {self.settings.limits.largest:,} bytes: send less at once")


def _values(scope: Scope, name: bytes) -> list[str]:
    """List the values of a header, each of which may come several times."""
    return [lenient(value) for key, value in scope["headers"] if key == name]


def _is_same(origin: str, host: str) -> bool:
    """Whether an origin is this service, as it was called."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _is_navigation(scope: Scope) -> bool:
    """Whether somebody followed a link to a page."""
    return _values(scope, b"sec-fetch-mode") == ["navigate"] and scope["method"] == "GET"


def _with_headers(given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Add the headers that every answer has, unless the route chose its own."""
    there = {name.lower() for name, _ in given}
    added = [(encoded(name), encoded(value)) for name, value in HEADERS.items()]
    return [*given, *(pair for pair in added if pair[0] not in there)]


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    """Log who asked for what; never a query or a body, which may hold texts."""
    client = (scope.get("client") or ("-", 0))[0]
    path = quote(scope["path"])[:LONGEST_LOGGED]
    LOG.info("%s %s %s %s %.0f ms", client, scope["method"], path, status or "-", 1000 * seconds)


def log_error(error: Exception) -> None:
    """Log where an unexpected error came from, without its words."""
    trace, where = error.__traceback__, []
    while trace:
        where.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    LOG.error("%s at %s", type(error).__name__, " < ".join(reversed(where[-5:])))
