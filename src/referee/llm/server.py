"""One request to a server: where it may go, what it takes along, and what comes back.

Nothing goes anywhere but to the endpoint that was named. Redirects to other hosts are refused, and so is a
key over plain HTTP to another machine. The key is in the request's header and nowhere else: what a server
repeats of it is taken out before anything is shown or written.
"""

from __future__ import annotations

import json
import os
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from referee.encoding import encoded, lenient
from referee.exceptions import RefereeError, SettingError, need_package

if TYPE_CHECKING:
    import httpx

LARGEST = 2**22  # bytes of a reply; a longer one is not an answer
CONNECT = 20.0  # seconds to find a server
REDIRECTS = (301, 302, 303, 307, 308)
HIDDEN = "***"
USUAL_KEY = "OPENAI_API_KEY"  # the environment variable that programs agree on
RESERVED = ("model", "messages", "stream", "n")  # fields of a request that are not anybody's to change
Message = Mapping[str, str]


class Received(NamedTuple):
    """What came back: the status, the header that says when to come again, and the body."""

    status: int
    retry_after: str
    body: str


class UnreachableError(Exception):
    """A request that got no whole reply, for a reason that may pass."""


@dataclass(frozen=True)
class Server:
    """An OpenAI-compatible server and the model that it is asked for."""

    endpoint: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 600.0
    fields: Mapping[str, Any] = field(default_factory=dict)  # of a request, beside model and messages

    def __post_init__(self) -> None:
        """Refuse fields that would change what a reply is."""
        if taken := [name for name in self.fields if name in RESERVED]:
            raise SettingError(f"extra= may not have {taken[0]}, which referee sets itself")

    @cached_property
    def client(self) -> httpx.Client:
        """What sends: one for all threads."""
        need_package("httpx", "llm")
        import httpx

        headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.key}"} if self.key else {}
        )
        parts = urlsplit(self.endpoint)
        here = is_here(parts.hostname or "")
        timeout = httpx.Timeout(self.timeout, connect=min(CONNECT, self.timeout))
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        # Plain HTTP on this machine needs no certificates, which take a tenth of a second to load; with none,
        # TLS would fail. And a proxy that the environment names is for other machines.
        verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if here and parts.scheme == "http" else True
        return httpx.Client(
            headers=headers, timeout=timeout, limits=limits, trust_env=not here, verify=verify
        )  # fmt: skip

    def ask(self, messages: Sequence[Message]) -> Received:
        """Send a request, and wait for the whole reply.

        Raises:
            UnreachableError: If the connection fails or breaks off, or the time is over.
            RefereeError: If the server sends elsewhere.
        """
        import httpx

        body = encoded(json.dumps({"model": self.model, "messages": list(messages), **self.fields}))
        started = time.monotonic()
        try:
            with self.client.stream("POST", f"{self.endpoint}/chat/completions", content=body) as r:
                if r.status_code in REDIRECTS:
                    raise RefereeError(self._sent_elsewhere(r.headers.get("location", "")))
                return Received(r.status_code, r.headers.get("retry-after", ""), self._body(r, started))
        except httpx.TimeoutException as error:
            raise UnreachableError(f"no reply in {self.timeout:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            said = self.hidden(" ".join(str(error).split()) or type(error).__name__)
            raise UnreachableError(f"the connection failed: {said}") from error

    def _body(self, response: httpx.Response, started: float) -> str:
        pieces, size = [], 0
        for piece in response.iter_bytes():
            size += len(piece)
            pieces.append(piece)
            if size > LARGEST:
                raise UnreachableError(f"the reply has more than {LARGEST >> 20} MiB")
            if time.monotonic() - started > self.timeout:
                raise UnreachableError(f"no whole reply in {self.timeout:g} s")
        return self.hidden(lenient(b"".join(pieces)))

    def _sent_elsewhere(self, location: str) -> str:
        host = urlsplit(location).netloc.rpartition("@")[2] or "another path"
        return (
            f"{self.endpoint}: the server sends requests on to {host}, where they do not go by themselves; "
            "give the right endpoint="
        )

    def hidden(self, text: str) -> str:
        """Take the key out of a text."""
        return text.replace(self.key, HIDDEN) if self.key else text


def checked_endpoint(endpoint: str, key: str, *, insecure: bool = False) -> str:
    """Refuse an address that requests should not go to.

    >>> checked_endpoint("http://localhost:8000/v1/", "")
    'http://localhost:8000/v1'
    """
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise SettingError(f"endpoint='{endpoint}' is not an address: {error}") from error
    if parts.scheme not in ("http", "https") or not host:
        raise SettingError(f"endpoint='{endpoint}' is not an address such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise SettingError(
            "endpoint= has a name, a password or a query; keys go into an environment variable"
        )
    plain = parts.scheme == "http" and bool(key) and not is_here(host)
    if plain and not insecure:
        raise SettingError(
            f"endpoint='{endpoint}' would send the key in plain text to another machine; use https, or "
            "insecure=True if the network is yours"
        )
    if insecure and not plain:
        raise SettingError("insecure=True does nothing: no key would be sent in plain text")
    return endpoint.rstrip("/")


def is_here(host: str) -> bool:
    """Whether a host is this machine.

    >>> is_here("localhost"), is_here("127.0.0.1"), is_here("::1"), is_here("10.0.0.1")
    (True, True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def key_in(variable: str) -> str:
    """Read the key from an environment variable; without one of the usual name there is no key."""
    key = os.environ.get(variable, "").strip()
    if not key and variable != USUAL_KEY:
        raise SettingError(f"key_variable='{variable}' is not set in the environment, or empty")
    if not key.isascii() or any(character.isspace() for character in key):
        raise SettingError(f"the key in {variable} has characters that no key has")
    return key
