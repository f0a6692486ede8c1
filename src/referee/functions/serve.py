"""referee.serve: resolving, scoring and the rest over HTTP."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from os import fspath
from typing import Any

from referee.exceptions import SettingError, need_package
from referee.formats.io.opening import read_text
from referee.resolvers.base import check_settings, default_resolver, resolvers
from referee.scoring.task import PathName

LOG = logging.getLogger("referee.service")
TOKEN_VARIABLE = "REFEREE_TOKEN"
MEBIBYTE = 2**20
HOST, PORT = "127.0.0.1", 8080


def serve(
    *, host: str = HOST, port: int = PORT, token_file: PathName | None = None,
    allow_host: Sequence[str] = (), resolver: str | None = None, preload: Sequence[str] = (),
    max_size: float = 10.0, timeout: float = 60.0, queue: int = 64,
    notify: Callable[[str], None] = LOG.warning, **settings: Any,
) -> None:  # fmt: skip
    """Serve over HTTP until the process is told to stop; then what runs is finished.

    Only this machine can call it, unless another `host` is given. Callers from elsewhere need a token: that
    of a file, or of the environment's REFEREE_TOKEN, or one that is made up and told to `notify`.

    Args:
        host: The address to listen to; `0.0.0.0` is every address of the machine.
        port: The port; 0 takes a free one.
        token_file: A file with the token that callers give.
        allow_host: Further names by which callers may call it, such as that of a proxy before it.
        resolver: The resolver of requests that name none; otherwise the best that is installed.
        preload: Resolvers to load before the first request.
        max_size: How many MiB a request may have.
        timeout: How many seconds the work on a request may take.
        queue: How many requests may work or wait at once; the others are told to come again.
        notify: Is called with what whoever runs it should know: the address, and a token that was made up.
        **settings: Those that the resolver declares.

    Returns:
        Nothing, once it was stopped.

    Raises:
        SettingError: If there is no such resolver or setting, or the token can be guessed.
        MissingExtra: If Starlette, uvicorn, jsonschema or a package of the resolver is not installed.
        RefereeError: If the address cannot be listened to.

    Examples:
        >>> import referee
        >>> referee.serve(port=8080, preload=["neural"])  # doctest: +SKIP
    """
    for package in ("starlette", "uvicorn", "jsonschema"):
        need_package(package, "serve")
    from referee.service.running import serve_until_stopped
    from referee.service.settings import Limits, ServiceSettings

    name = resolver or (default_resolver(settings) if settings else None)
    for each in (*([name] if name else []), *preload):
        if each not in resolvers():
            raise SettingError(f"there is no resolver '{each}'; there are {', '.join(resolvers())}")
    if name:
        check_settings(name, settings, resolvers())
    limits = Limits(largest=int(max_size * MEBIBYTE), seconds=timeout, waiting=queue)
    made = ServiceSettings(
        host, port, _token(token_file), tuple(allow_host), limits, name, settings, tuple(preload)
    )
    guarded = made.guarded()
    if guarded.token != made.token:
        notify(f"callers need this token, which holds until the service stops: {guarded.token}")
    serve_until_stopped(guarded, notify)


def _token(file: PathName | None) -> str:
    """Read the token from a file, or take that of the environment; there may be none."""
    if file is None:
        return os.environ.get(TOKEN_VARIABLE, "").strip()
    token = read_text(fspath(file)).strip()
    if not token:
        raise SettingError(f"token_file='{fspath(file)}' is empty: write a token into it")
    return token
