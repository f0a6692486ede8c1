"""referee serve: resolve, link, score, convert and validate over HTTP."""

from __future__ import annotations

import logging
import sys
from typing import Any

import click

from referee.cli.commands import RefereeCommand
from referee.cli.names import completing
from referee.cli.options import notice_options
from referee.cli.resolver_options import given_settings, setting_options
from referee.cli.terminal import is_quiet, is_verbose
from referee.functions.serve import HOST, PORT, serve
from referee.resolvers.base import resolvers, resolvers_that_link, resolvers_within


@click.command("serve", cls=RefereeCommand)
@click.option("--host", default=HOST, show_default=True, metavar="ADDRESS", help="The address to listen to.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="N",
    help="The port; 0 takes a free one.",
)  # fmt: skip
@click.option(
    "--token-file", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
    help="A file with the token that callers must give; otherwise REFEREE_TOKEN of the environment. With "
    "another --host one is made up if there is none.",
)  # fmt: skip
@click.option(
    "--allow-host", multiple=True, metavar="NAME",
    help="A further name by which the service may be called, such as that of a proxy before it.",
)  # fmt: skip
@click.option(
    "--resolver", metavar="NAME", shell_complete=completing(resolvers),
    help="The resolver of requests that name none; otherwise the best that is installed.",
)  # fmt: skip
@click.option(
    "--preload", multiple=True, metavar="NAME", shell_complete=completing(resolvers),
    help="A resolver to load before the first request; may be given several times.",
)  # fmt: skip
@click.option(
    "--max-size", type=click.FloatRange(0, 1024, min_open=True), default=10.0, show_default=True,
    metavar="MIB", help="How large a request may be.",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=60.0,
    show_default=True, metavar="SECONDS", help="How long the work on a request may take.",
)  # fmt: skip
@click.option(
    "--queue", type=click.IntRange(1), default=64, show_default=True, metavar="N",
    help="How many requests may work or wait at once; the others are told to come again.",
)  # fmt: skip
@notice_options
@setting_options(*resolvers_within(), *resolvers_that_link())
def serve_command(
    host: str,
    port: int,
    token_file: str | None,
    allow_host: tuple[str, ...],
    resolver: str | None,
    preload: tuple[str, ...],
    max_size: float,
    timeout: float,
    queue: int,
    **_settings: Any,
) -> None:
    """Serve over HTTP: POST /resolve, /link, /score, /convert and /validate.

    Only this machine can call the service, unless --host names another address; then callers need a token.
    /openapi.json describes the requests. With --verbose each request is logged, without its text. SIGTERM
    and Ctrl-C let it finish what runs.

    \b
    Examples:
      referee serve
      referee serve --port 9000 --preload neural
      referee serve --host 0.0.0.0 --token-file token.txt --preload neural --find people
    """
    level = logging.INFO if is_verbose() else logging.WARNING
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING, stream=sys.stderr)
    logging.getLogger("referee.service").setLevel(level)
    serve(
        host=host, port=port, token_file=token_file, allow_host=allow_host, resolver=resolver,
        preload=preload, max_size=max_size, timeout=timeout, queue=queue, notify=_say, **given_settings(),
    )  # fmt: skip


def _say(words: str) -> None:
    """Say it on standard error; a token also if the user wants quiet, for nobody else has it."""
    if not is_quiet() or "token" in words:
        click.echo(words, err=True)
