"""Other names, other origins and callers without the token get nothing."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.exceptions import RefereeError, SettingError
from referee.service.app import Mounted
from referee.service.guard import HEADERS
from referee.service.settings import Limits, ServiceSettings
from running_service import running

TOKEN = "a-token-that-nobody-guesses"
LIMITS = Limits(largest=1000, seconds=0.5)
GIVEN = {"authorization": f"Bearer {TOKEN}"}


async def echo(request: Request) -> Response:
    return JSONResponse({"said": (await request.body()).decode()})


async def fail(_request: Request) -> Response:
    raise ValueError("a secret text of a caller")


async def refuse(_request: Request) -> Response:
    raise RefereeError("x.conll:3: what is wrong; what to do")


PROBE = Mounted(
    [
        Route("/probe/echo", echo, methods=["POST"]),
        Route("/probe/page", lambda _request: Response("page")),
        Route("/probe/fail", fail),
        Route("/probe/refuse", refuse),
    ],
    public=("/probe/page",),
)


@pytest.fixture(scope="module")
def opened() -> Iterator[httpx.Client]:
    with running(ServiceSettings(limits=LIMITS), [PROBE]) as client:
        yield client


@pytest.fixture(scope="module")
def guarded() -> Iterator[httpx.Client]:
    with running(ServiceSettings(limits=LIMITS, token=TOKEN), [PROBE]) as client:
        yield client


def is_problem(answer: httpx.Response, status: int) -> bool:
    found = answer.json()
    named = answer.headers["content-type"] == "application/problem+json"
    return (
        answer.status_code == status == found["status"]
        and named
        and {*found} - {"kind"} == {"title", "status", "detail"}
    )


def test_health_and_ready_answer(opened: httpx.Client) -> None:
    assert opened.get("/health").json()["status"] == "ok"
    assert opened.get("/ready").json()["status"] == "ready"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost:1:2", "", "[::1", "127.0.0.1:x", "a b", "10.0.0.1"],
)
def test_another_host_is_refused(opened: httpx.Client, host: str) -> None:
    assert is_problem(opened.get("/health", headers={"host": host}), 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:8080"])
def test_its_own_names_are_taken_at_any_port(opened: httpx.Client, host: str) -> None:
    assert opened.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://[", "file://127.0.0.1", "", "*"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_another_origin_is_refused(opened: httpx.Client, origin: str, method: str) -> None:
    answer = opened.request(method, "/probe/echo", headers={"origin": origin})
    assert is_problem(answer, 403)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_its_own_origin_is_taken(opened: httpx.Client) -> None:
    own = str(opened.base_url).rstrip("/")
    answer = opened.post("/probe/echo", headers={"origin": own}, content=b"a")
    assert answer.json() == {"said": "a"}
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_preflight_of_another_origin_is_refused(opened: httpx.Client) -> None:
    asked = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    assert is_problem(opened.options("/probe/echo", headers=asked), 403)


def test_what_another_site_embeds_is_refused_and_a_link_is_followed(opened: httpx.Client) -> None:
    cross = {"sec-fetch-site": "cross-site"}
    assert is_problem(opened.get("/probe/page", headers={**cross, "sec-fetch-mode": "no-cors"}), 403)
    assert opened.get("/probe/page", headers={**cross, "sec-fetch-mode": "navigate"}).status_code == 200
    posted = opened.post("/probe/echo", headers={**cross, "sec-fetch-mode": "navigate"})
    assert is_problem(posted, 403)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong-token-of-the-length"},
        {"authorization": "Bearer"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": TOKEN},
        {"authorization": f"Bearer {TOKEN}x"},
        {"authorization": f"Bearer {TOKEN[:-1]}"},
        {"cookie": f"token={TOKEN}"},
        {"x-token": TOKEN},
        {"authorization": "Bearer \xe9\xff"},
    ],
)
@pytest.mark.parametrize("path", ["/probe/echo", "/probe/fail", "/ready", "/nothing", "/probe/page/..", "/"])
def test_without_the_token_there_is_nothing(
    guarded: httpx.Client, headers: dict[str, str], path: str
) -> None:
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"):
        answer = guarded.request(method, path, headers=encoded)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_in_the_address_is_no_token(guarded: httpx.Client) -> None:
    assert guarded.get(f"/ready?token={TOKEN}").status_code == 401
    assert guarded.post("/probe/echo", content=f"token={TOKEN}").status_code == 401
    doubled = [("authorization", f"Bearer {TOKEN}"), ("authorization", "Bearer x")]
    assert guarded.get("/ready", headers=doubled).status_code == 401


def test_the_token_opens(guarded: httpx.Client) -> None:
    assert guarded.post("/probe/echo", headers=GIVEN, content=b"a").json() == {"said": "a"}
    assert guarded.get("/ready", headers={"authorization": f"bearer {TOKEN}"}).status_code == 200


def test_pages_without_data_need_no_token_and_take_no_other_method(guarded: httpx.Client) -> None:
    assert guarded.get("/probe/page").text == "page"
    assert guarded.get("/health").status_code == 200
    assert guarded.post("/probe/page").status_code == 401


def test_every_answer_has_the_headers(opened: httpx.Client, guarded: httpx.Client) -> None:
    answers = [
        opened.get("/health"), opened.get("/nothing"), opened.get("/probe/fail"), guarded.get("/ready"),
        opened.get("/health", headers={"host": "evil"}), opened.put("/probe/echo"),
    ]  # fmt: skip
    for answer in answers:
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert "server" not in answer.headers
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "frame-ancestors 'none'" in HEADERS["content-security-policy"]


def test_an_error_shows_neither_its_words_nor_its_place(
    opened: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "referee.service"):
        answer = opened.get("/probe/fail?text=private")
    assert is_problem(answer, 500)
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert "ValueError at " in caplog.text
    assert "test_guard.py" in caplog.text
    assert "secret" not in caplog.text
    assert "private" not in caplog.text


def test_what_the_library_refuses_is_told(opened: httpx.Client) -> None:
    answer = opened.get("/probe/refuse")
    assert is_problem(answer, 422)
    assert answer.json()["detail"] == "x.conll:3: what is wrong; what to do"


def test_unknown_paths_and_methods(opened: httpx.Client) -> None:
    assert is_problem(opened.get("/nothing"), 404)
    answer = opened.get("/probe/echo")
    assert is_problem(answer, 405)
    assert answer.headers["allow"] == "POST"
    assert opened.get("/health/").status_code == 404  # no redirect, which would repeat the Host


def test_a_body_has_a_limit(opened: httpx.Client) -> None:
    assert opened.post("/probe/echo", content=b"a" * 1000).status_code == 200
    assert is_problem(opened.post("/probe/echo", content=b"a" * 1001), 413)
    assert is_problem(opened.post("/probe/echo", content=iter([b"a" * 600] * 2)), 413)  # of no told size


def test_a_packed_body_is_refused(opened: httpx.Client) -> None:
    answer = opened.post("/probe/echo", content=b"a", headers={"content-encoding": "gzip"})
    assert is_problem(answer, 415)


def raw(client: httpx.Client, data: bytes, wait: float = 10) -> bytes:
    """Send bytes, and read until the service closes the connection or is silent."""
    with socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=wait) as line:
        line.sendall(data)
        received = b""
        try:
            while chunk := line.recv(65536):
                received += chunk
        except TimeoutError:
            received += b" (silent)"
        return received


def test_a_body_that_never_comes_is_not_waited_for(opened: httpx.Client) -> None:
    head = b"POST /probe/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\na"
    assert raw(opened, head).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET /health\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40000 + b"\r\nConnection: close\r\n\r\n",
        b"POST /probe/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /probe/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ],
)
def test_what_is_not_http_is_a_bad_request(opened: httpx.Client, request_: bytes) -> None:
    assert raw(opened, request_).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 421 ", b"HTTP/1.1 431 "))


def test_an_upgrade_to_a_socket_is_not_made(opened: httpx.Client) -> None:
    asked = (
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Key: YQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert b"101 " not in raw(opened, asked)[:20]


def test_elsewhere_a_token_is_made_up_and_addresses_are_names() -> None:
    settings = ServiceSettings(host="0.0.0.0").guarded()
    assert len(settings.token) >= 40
    assert settings.token not in repr(settings)
    assert ServiceSettings(host="0.0.0.0").guarded().token != settings.token
    assert settings.knows("10.0.0.1:8080")
    assert not settings.knows("evil.example")
    assert replace(settings, names=("api.example",)).knows("API.example:443")
    assert ServiceSettings().guarded().token == ""
    assert not ServiceSettings(host="::1").guarded().token


@pytest.mark.parametrize("token", ["short", "a b c d e f g h i j k", "ééééééééééééééééé", "a" * 20 + "\n"])
def test_a_token_that_no_header_holds_or_anyone_guesses_is_refused(token: str) -> None:
    with pytest.raises(SettingError, match="a token has at least 16 characters"):
        ServiceSettings(token=token)


def test_start_and_stop_of_what_is_mounted_are_called_once() -> None:
    called: list[str] = []

    async def start() -> None:
        await asyncio.sleep(0)
        called.append("start")

    async def stop() -> None:
        called.append("stop")

    with running(mounted=[Mounted([], start=start, stop=stop)]) as client:
        assert client.get("/ready").status_code == 200
        assert called == ["start"]
    assert called == ["start", "stop"]
