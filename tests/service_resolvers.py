"""A package of resolvers whose work is slow, ends its process, or reaches for what is not the request's."""

from __future__ import annotations

from pathlib import Path

import pytest

from made_packages import make_module

CODE = '''
import os, socket, subprocess, time
from pathlib import Path
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.base import Resolver, ResolverEntry


class Odd(Resolver):
    """Does what a text says."""

    def resolve(self, texts):
        for text in texts:
            order, _, rest = (text.running or "").partition(" ")
            if order == "sleep":
                time.sleep(float(rest))
            elif order == "die":
                os._exit(9)
            elif order == "hoard":
                bytearray(10**15)
            elif order == "fail":
                raise ValueError("private words")
            elif order == "read":
                Path(rest).read_bytes()
            elif order == "list":
                list(Path(rest).iterdir())
            elif order == "write":
                Path(rest).write_text("x")
            elif order == "connect":
                socket.create_connection(("127.0.0.1", int(rest)), 1)
            elif order == "run":
                subprocess.run([rest])
            print("resolvers may print", flush=True)
            words = tuple((text.running or "").split()) or text.words
            first = (Cluster("0", (Mention.at(0, 1),)),) if words else ()
            yield Document(Text(text.id, words, ((0, len(words)),)), first)


ODD = ResolverEntry("Odd", Odd)
'''


def install_odd(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Put the package where Python looks; processes that are started from now on find it."""
    make_module(folder, "odd", CODE, {"referee.resolvers": {"odd": "ODD"}})
    patch.syspath_prepend(folder)
