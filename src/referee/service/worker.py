"""A process that works on requests, one after the other, and is ended if one takes too long.

It reads requests from standard input and writes answers to standard output: a line of JSON, which says how
many bytes follow, and these bytes. What libraries print goes to standard error.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import tempfile
from typing import Any, BinaryIO

import referee
from referee.encoding import encoded
from referee.exceptions import RefereeError
from referee.formats.catalogue import FORMATS
from referee.metrics.catalogue import CATALOGUE
from referee.resolvers.base import resolver_named, resolvers
from referee.service.fence import Fence, bound_process
from referee.service.guard import log_error
from referee.service.problems import problem_bytes
from referee.service.work import WorkSettings, refusal_of, work

WARMING = "Nora Finch lit the lamp. She was tired."


def main() -> None:
    """Get ready, then work until nobody asks any more."""
    for each in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # whoever started this process ends it, after its last answer
        signal.signal(each, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    logging.basicConfig(format="%(name)s: %(message)s", stream=sys.stderr)
    requests = sys.stdin.buffer
    head, _ = received(requests)
    tempfile.tempdir = head["folder"]  # which is removed by whoever ends this process
    fence = Fence()
    try:
        chosen = prepared(head)
    except RefereeError as error:
        sent(answers, {"error": str(error)})
        return
    fence.install(*head["readable"])
    bound_process(head["memory"], head["file"])
    sent(answers, {"ready": True})
    while (head_and_body := received(requests))[0]:
        head, body = head_and_body
        sent(answers, *answered(head["path"], body, fence, chosen))


def prepared(head: dict[str, Any]) -> WorkSettings:
    """Load what requests will need: registries, and the resolvers that are to be loaded first."""
    chosen = WorkSettings(head["resolver"], head["settings"], head["preload"])
    for known in (resolvers(), FORMATS, CATALOGUE):
        list(known)
    for name in chosen.preload:
        settings = chosen.settings if name == chosen.resolver else {}
        if resolver_named(name, **settings).across_documents:
            referee.link([WARMING, WARMING], name, **settings)
        else:
            referee.resolve(WARMING, name, **settings)
    return chosen


def answered(path: str, body: bytes, fence: Fence, chosen: WorkSettings) -> tuple[dict[str, Any], bytes]:
    """Work on one request; whatever happens is an answer."""
    try:
        with fence.request() as root:
            done = work(path, body, root, chosen)
        return {"status": 200, "words": done.words}, done.content
    except Exception as error:
        refusal = refusal_of(error)
        if refusal.status == 500:
            log_error(error)
        return {"status": refusal.status}, problem_bytes(refusal.status, refusal.detail, refusal.kind)


def received(file: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Read a message; an empty one at the end."""
    line = file.readline()
    head = json.loads(line) if line else {}
    return head, file.read(head.get("size", 0))


def sent(file: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    """Write a message."""
    file.write(message(head, body))
    file.flush()


def message(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Write a message as bytes."""
    return encoded(json.dumps({**head, "size": len(body)})) + b"\n" + body


if __name__ == "__main__":
    main()
