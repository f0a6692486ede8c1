"""How a service is run: its address, who may call it, and what a request may cost."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any

from referee.exceptions import SettingError

HERE, PORT = "127.0.0.1", 8080
HERE_NAMES = ("localhost", "127.0.0.1", "::1")
SHORTEST_TOKEN = 16  # characters; shorter ones can be guessed
EVERY_ADDRESS = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class Limits:
    """What requests may cost; a request beyond a limit is refused, and its answer says which limit it was."""

    largest: int = 10 * 2**20  # bytes of a body
    seconds: float = 60.0  # of work on one request, and as many for its body to come in
    waiting: int = 64  # requests that work or wait at once, for a resolver or for files
    memory: int = 4 * 2**30  # bytes of the process that reads files; 0: as many as there are
    unpacked: int = 2**28  # bytes of the largest file that a packed one may become


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How a service is run. Without a token it answers only on this machine's own addresses."""

    host: str = HERE
    port: int = PORT
    token: str = field(default="", repr=False)
    names: tuple[str, ...] = ()  # further names that requests may give as their Host
    limits: Limits = Limits()
    resolver: str | None = None  # for requests that name none
    settings: Mapping[str, Any] = field(default_factory=dict)  # of that resolver
    preload: tuple[str, ...] = ()  # resolvers that are made before the first request

    def __post_init__(self) -> None:
        """Refuse a token that can be guessed, or that no header can hold."""
        if self.token and (len(self.token) < SHORTEST_TOKEN or not _is_printable(self.token)):
            raise SettingError(
                f"a token has at least {SHORTEST_TOKEN} characters, all of them ASCII and none blank"
            )

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the service."""
        return is_loopback(self.host)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which it may be called; where it listens to every address, this machine's too."""
        own = (socket.gethostname(), socket.getfqdn()) if self.host in EVERY_ADDRESS else (self.host,)
        return tuple(name.lower() for name in (*HERE_NAMES, *own, *self.names))

    def guarded(self) -> ServiceSettings:
        """Make a token up if other machines could call it without one."""
        return self if self.token or self.is_local else replace(self, token=secrets.token_urlsafe(32))

    def knows(self, host: str) -> bool:
        """Whether a Host header names this service; an address needs no name server, so none can lie."""
        name = host_name(host)
        return name in self.hosts or (not self.is_local and _is_address(name))


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def host_name(host: str) -> str:
    """Take the name out of a Host header, without its port.

    >>> host_name("LocalHost:8080"), host_name("[::1]:8080"), host_name("evil:8080:1")
    ('localhost', '::1', '')
    """
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        port = port.removeprefix(":") if port.startswith(":") or not port else "?"
        return name.lower() if bracket and (not port or port.isdecimal()) else ""
    name, _, port = host.partition(":")
    return name.lower() if not port or port.isdecimal() else ""


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_printable(token: str) -> bool:
    return token.isascii() and token.isprintable() and " " not in token
