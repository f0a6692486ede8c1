"""Requests that are wrong in some way, as bytes: bodies, types, headers, methods, paths, and cut ones."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from referee.service.openapi import WORK

HEAD = "Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
WAIT = 20.0  # seconds after which an answer is a hang
TOGETHER = 8  # connections at a time
ODD: Sequence[Any] = (
    None, True, -1, 0, 2**31, 2**63, 10**40, -(10**400), 1e308, 0.5, "", "\0", "x" * 5000, "/etc/passwd",
    "../../etc/passwd", "\ud800", "\u202e<script>", [], {}, [[]], [[[]]], [None], {"": {}}, {"name": "x"},
    {"documents": []}, {"documents": [{}]}, {"text": ""}, {"clusters": {"a": 1}}, ["a", 1],
    [[0, 1], [1, "a"]],
    {"name": "k.conll", "base64": "?"}, {"name": "..", "text": ""}, {"name": "a/../b", "text": ""},
    {"name": "a", "files": [{}]}, [[[[[["a"]]]]]], {"words": ["a"], "sentences": [[5, 1]]},
)  # fmt: skip
PATHS = (
    "/", "//resolve", "/resolve/", "/RESOLVE", "/resolve/../health", "/../../etc/passwd", "/%2e%2e/%2e%2e/a",
    "/resolve%00", "/%ff%fe", "/\x7f", "/health?" + "a" * 3000, "/" + "a/" * 3000, "*", "http://evil/resolve",
    "/static/../../../etc/passwd", "/docs", "/.git/config", "/metrics/x", "/openapi.json/..", "/ü", "", "?",
)  # fmt: skip
METHODS = (
    "GET",
    "PUT",
    "DELETE",
    "PATCH",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "BREW",
    "post",
    "P",
    "P\0ST",
)
HEADS = (
    "", "Host: 127.0.0.1\r\n", "Host: evil.example\r\n", "Host: 127.0.0.1\r\nHost: localhost\r\n",
    "Host: 127.0.0.1:x\r\n", "Host\r\n", ": 127.0.0.1\r\n", "Host: 127.0.0.1\r\nX: \x01\r\n",
    HEAD + "Content-Encoding: gzip\r\n", HEAD + "Content-Encoding: br, gzip\r\n",
    HEAD + "Transfer-Encoding: gzip\r\n", HEAD + "Expect: 100-continue\r\n", HEAD + "Expect: the-moon\r\n",
    HEAD + "Origin: http://evil.example\r\n", HEAD + "Origin: null\r\n", HEAD + "Upgrade: websocket\r\n",
    HEAD + "Authorization: Bearer \xff\xfe\r\n", HEAD + f"X: {'a' * 20_000}\r\n", HEAD + "X: y\r\n" * 3000,
    "Host: 127.0.0.1\r\nContent-Type: text/plain\r\n", "Host: 127.0.0.1\r\nContent-Type: application/xml\r\n",
    "Host: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=\r\n",
    "Host: 127.0.0.1\r\nContent-Type: application/json; charset=utf-7\r\n", HEAD + "Range: bytes=5-1\r\n",
)  # fmt: skip
LENGTHS = (
    "-1",
    "x",
    "1e3",
    "0x10",
    "1, 2",
    " ",
    "9" * 30,
    "9" * 5000,
    "+5",
    "10485761",
    "5\r\nContent-Length: 6",
)
CHUNKS = (
    "zz\r\n",
    "-5\r\nabcde\r\n",
    "5\r\nab",
    "fffffffffffffffff\r\na",
    "5;x=\r\nabcdeXX",
    "\r\n",
    "5\r\nabcde\r\n",
)
ENCODINGS = ("utf-16", "utf-32", "latin-1", "utf-8-sig", "cp037", "utf-7")


class Wrong(NamedTuple):
    """A request: what is wrong with it, its bytes, and whether the caller ends the connection after it."""

    kind: str
    content: bytes
    ends: bool = False


def malformed(count: int, seed: int = 1) -> Iterator[Wrong]:
    """Make requests that are wrong, of all kinds in turn."""
    made = random.Random(seed)
    kinds: Sequence[Callable[[random.Random], Wrong]] = (
        _bytes_changed, _wrong_types, _wrong_numbers, _wrong_encodings, _wrong_heads, _wrong_lengths,
        _wrong_chunks, _wrong_paths, _wrong_methods, _cut, _nested, _noise,
    )  # fmt: skip
    for number in range(count):
        yield kinds[number % len(kinds)](made)


def _post(path: str, body: bytes, head: str = HEAD, length: str | None = None) -> bytes:
    size = str(len(body)) if length is None else length
    lines = f"POST {path} HTTP/1.1\r\n{head}Content-Length: {size}\r\nConnection: close\r\n\r\n"
    return lines.encode("latin-1", "replace") + body


def _right(made: random.Random) -> tuple[str, dict[str, Any]]:
    """Choose a request that is right."""
    path = made.choice([*WORK])
    return path, json.loads(json.dumps(WORK[path][1]))


def _body(made: random.Random) -> tuple[str, bytes]:
    path, given = _right(made)
    return path, json.dumps(given).encode()


def _bytes_changed(made: random.Random) -> Wrong:
    path, body = _body(made)
    changed = bytearray(body)
    for _ in range(made.randint(1, 8)):
        at = made.randrange(len(changed))
        changed[at : at + made.randint(0, 3)] = made.randbytes(made.randint(0, 3))
    return Wrong("bytes of the body changed", _post(path, bytes(changed)))


def _places(value: Any) -> list[tuple[Any, Any]]:
    """List each part of a value, as a container and a key."""
    if not isinstance(value, dict | list):
        return []
    keys = [*value] if isinstance(value, dict) else [*range(len(value))]
    return [place for key in keys for place in ((value, key), *_places(value[key]))]


def _wrong_types(made: random.Random) -> Wrong:
    path, given = _right(made)
    for _ in range(made.randint(1, 3)):
        places = _places(given)
        if not places or made.random() < 0.2:
            names = ("settings", "resolver", "form", "strict", "folder", "metric", "protocol", "to", "x")
            given[made.choice(names)] = made.choice(ODD)
            continue
        container, key = made.choice(places)
        if made.random() < 0.2:
            del container[key]
        else:
            container[key] = made.choice(ODD)
    return Wrong("wrong types", _post(path, json.dumps(given).encode()))


def _wrong_numbers(made: random.Random) -> Wrong:
    path, given = _right(made)
    number = made.choice(
        ("1" * 5000, "1e999", "-1e999", "NaN", "Infinity", "1" * 400, "0.1e-9999", "01", "-", "1e")
    )
    name = made.choice((*given, "samples", "seed", "settings", "strict"))
    text = json.dumps({**given, name: "NUMBER"}).replace('"NUMBER"', number)
    return Wrong("huge numbers", _post(path, text.encode()))


def _wrong_encodings(made: random.Random) -> Wrong:
    path, body = _body(made)
    encoding = made.choice(ENCODINGS)
    changed = body.decode().replace("Ann", "Änn").encode(encoding)
    if made.random() < 0.3:
        changed += made.randbytes(3)
    return Wrong("wrong encodings", _post(path, changed))


def _wrong_heads(made: random.Random) -> Wrong:
    path, body = _body(made)
    return Wrong("broken headers", _post(path, body, made.choice(HEADS)))


def _wrong_lengths(made: random.Random) -> Wrong:
    path, body = _body(made)
    return Wrong("wrong lengths", _post(path, body, length=made.choice(LENGTHS)), ends=True)


def _wrong_chunks(made: random.Random) -> Wrong:
    path, _ = _right(made)
    head = f"POST {path} HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n{made.choice(CHUNKS)}"
    return Wrong("broken chunks", head.encode(), ends=True)


def _wrong_paths(made: random.Random) -> Wrong:
    path, method = made.choice(PATHS), made.choice(("GET", "POST"))
    return Wrong("wrong paths", f"{method} {path} HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n".encode())


def _wrong_methods(made: random.Random) -> Wrong:
    path, body = _body(made)
    request = _post(path, body).replace(b"POST", made.choice(METHODS).encode(), 1)
    version = made.choice((b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b""))
    return Wrong("wrong methods", request.replace(b"HTTP/1.1", version, 1), ends=True)


def _cut(made: random.Random) -> Wrong:
    path, body = _body(made)
    request = _post(path, body)
    return Wrong("cut requests", request[: made.randrange(1, len(request))], ends=True)


def _nested(made: random.Random) -> Wrong:
    path, depth = made.choice([*WORK]), made.choice((100, 2000, 50_000))
    opened, closed = made.choice((("[", "]"), ('{"a":', "}")))
    value = opened * depth + "1" + closed * depth * made.randint(0, 1)
    return Wrong("deep nesting", _post(path, b'{"texts": %s, "key": 1}' % value.encode()))


def _noise(made: random.Random) -> Wrong:
    starts = (
        b"",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /health\r\n\r\n",
    )
    return Wrong("no HTTP", made.choice(starts) + made.randbytes(made.randint(0, 300)), ends=True)


async def answered(host: str, port: int, wrong: Wrong) -> int:
    """Send a request and give the status of the answer; 0 if the connection was closed without one.

    Raises:
        TimeoutError: If nothing came and the connection stayed open.
    """
    reader, writer = await asyncio.open_connection(host, port)
    received = b""
    try:
        writer.write(wrong.content)
        if wrong.ends:
            writer.write_eof()
        async with asyncio.timeout(WAIT):
            received = await reader.read()
    except ConnectionError:  # closed before all of it was read, which HTTP allows
        pass
    finally:
        writer.close()
    if received.startswith(b"HTTP/1.1 100"):
        received = received.partition(b"\r\n\r\n")[2]
    line = received.split(b"\r\n", 1)[0].split()
    return int(line[1]) if len(line) > 1 and line[1].isdigit() else 0


async def statuses(host: str, port: int, requests: Iterator[Wrong]) -> list[tuple[Wrong, int | None]]:
    """Send requests over a few connections at a time; None stands for one that hung."""
    found: list[tuple[Wrong, int | None]] = []

    async def send() -> None:
        for wrong in requests:
            try:
                found.append((wrong, await answered(host, port, wrong)))
            except TimeoutError:
                found.append((wrong, None))

    await asyncio.gather(*(send() for _ in range(TOGETHER)))
    return found
