"""Lanes: requests wait in line for a process that works on them, one after the other.

A resolver's network already uses all cores for one text, so several texts at once would only wait for each
other: concurrency is a line. Short requests that wait together are handed over together, so that the process
never waits for the next one; each is worked on by itself, and answered as soon as it is done. A process that
takes too long, or whose caller has gone, is ended and started again, and what was handed over but not begun
is handed over again: nothing a caller sends can hold up the others for longer than the time limit.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from referee.exceptions import RefereeError
from referee.service.problems import Refusal
from referee.service.settings import ServiceSettings
from referee.service.worker import message

LOG = logging.getLogger("referee.service")
PATIENCE = 2.0  # seconds for which the work of a caller who has gone may still last
STARTING = 300.0  # seconds in which a process has to be ready
BUFFER = 2**20
TOGETHER = 16  # requests that are handed over at once, at most
SHORT = 2**12  # bytes of a request that is; all of them fit into a pipe, so that no side waits for the other


@dataclass(frozen=True, slots=True)
class Answer:
    """What a process answered."""

    status: int
    content: bytes
    words: int = 0


@dataclass(slots=True, eq=False)
class Turn:
    """A request that waits for its answer, which is cancelled if the caller goes away."""

    path: str
    body: bytes
    answer: asyncio.Future[Answer]
    limit: asyncio.TimerHandle | None = None  # of waiting, until it is handed over

    def take(self) -> None:
        """Take it from the line; should it come back there, it has waited long enough already."""
        if self.limit:
            self.limit.cancel()

    def refuse(self, refusal: Refusal) -> None:
        """Give up, unless somebody did before."""
        if not self.answer.done():
            self.answer.set_exception(refusal)


@dataclass(slots=True)
class Lane:
    """A line of requests, and the process that works on them."""

    settings: ServiceSettings
    resolves: bool  # whether its process keeps models; the other one reads files, with less memory
    at_once: int = 0  # requests that work or wait
    restarts: int = 0
    seconds: float = 1.0  # that a request took lately, on average
    process: asyncio.subprocess.Process | None = None
    folder: str = ""  # where it keeps the files of requests
    waiting: deque[Turn] = field(default_factory=deque)
    current: Turn | None = None  # what the process works on
    working: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process, and wait until it is ready."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "referee.service.worker", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, limit=BUFFER, start_new_session=True, cwd=os.sep,
            env=_environment(),
        )  # fmt: skip
        self.folder = await asyncio.to_thread(mkdtemp, prefix="referee-serve-")
        given, limits = self.settings, self.settings.limits
        head = {
            "folder": self.folder,
            "resolver": given.resolver, "settings": dict(given.settings),
            "preload": list(given.preload) if self.resolves else [],
            "readable": [value for value in given.settings.values() if isinstance(value, str)],
            "memory": 0 if self.resolves else limits.memory, "file": limits.unpacked,
        }  # fmt: skip
        try:
            await self._send(message(head))
            said, _ = await asyncio.wait_for(self._received(), STARTING)
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            await self._kill()
            raise RefereeError("the process that does the work did not start; the log says why") from error
        if "error" in said:
            raise RefereeError(said["error"])

    async def work(self, path: str, body: bytes) -> Answer:
        """Wait for the process and let it work.

        Raises:
            Refusal: If too many wait already, or it takes too long.
        """
        limits, loop = self.settings.limits, asyncio.get_running_loop()
        if self.at_once >= limits.waiting:
            raise Refusal(
                429, f"{limits.waiting} requests work or wait already: come again later", self._later()
            )
        turn = Turn(path, body, loop.create_future())
        self.at_once += 1
        self.waiting.append(turn)
        if self.working is None or self.working.done():
            self.working = asyncio.create_task(self._work_on_all())
        turn.limit = loop.call_later(limits.seconds, self._waited, turn)
        try:
            return await turn.answer
        except asyncio.CancelledError:
            self._drop(turn)
            raise
        finally:
            turn.limit.cancel()
            self.at_once -= 1

    async def end(self) -> None:
        """End the process: at once, since nobody waits for it any more."""
        if self.working is not None:
            self.working.cancel()
            with suppress(asyncio.CancelledError):
                await self.working
        for turn in self.waiting:
            turn.refuse(_stopping())
        await self._kill()

    async def _work_on_all(self) -> None:
        """Hand requests over until none waits."""
        try:
            while self.waiting:
                await self._work_on(self._next())
        except RefereeError as error:  # the process does not start any more; the next request tries again
            LOG.error("%s", error)
            while self.waiting:
                self.waiting.popleft().refuse(Refusal(503, "the service cannot work: come again later"))

    def _next(self) -> list[Turn]:
        """Take the first request that waits, and if it is short those after it that are."""
        taken = [self.waiting.popleft()]
        if len(taken[0].body) <= SHORT:
            while len(taken) < TOGETHER and self.waiting and len(self.waiting[0].body) <= SHORT:
                taken.append(self.waiting.popleft())
        for turn in taken:
            turn.take()
        return taken

    async def _work_on(self, turns: list[Turn]) -> None:
        """Have some requests worked on; if the process ends, those that it did not begin wait again."""
        limits, clock = self.settings.limits, asyncio.get_running_loop().time
        left = deque(turns)
        try:
            await self._send(b"".join(message({"path": turn.path}, turn.body) for turn in turns))
            while left:
                started, self.current = clock(), left.popleft()
                if self.current.answer.cancelled():
                    self._drop(self.current)
                head, content = await asyncio.wait_for(self._received(), limits.seconds)
                self.seconds += 0.1 * (clock() - started - self.seconds)
                if not self.current.answer.done():
                    self.current.answer.set_result(Answer(head["status"], content, head.get("words", 0)))
        except TimeoutError:
            said = f"the work took more than {limits.seconds:g} seconds and was ended: send less at once"
            await self._start_again(left, Refusal(504, said))
        except (ConnectionError, asyncio.IncompleteReadError):
            said = "the process that did the work ended: send less at once, or come again later"
            await self._start_again(left, Refusal(503, said, self._later()))
        except asyncio.CancelledError:
            for turn in turns:
                turn.refuse(_stopping())
            raise
        finally:
            self.current = None

    async def _start_again(self, left: deque[Turn], refusal: Refusal) -> None:
        """Refuse the request that the process worked on, and start another process for the others."""
        if self.current is None:  # it ended before, with nothing to do
            self.waiting.extendleft(reversed(left))
        else:
            self.current.refuse(refusal)
            self.waiting.extendleft(turn for turn in reversed(left) if not turn.answer.done())
        self.current = None
        self.restarts += 1
        await self._kill()
        await self.start()

    async def _send(self, content: bytes) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(content)
        await self.process.stdin.drain()

    async def _received(self) -> tuple[dict[str, Any], bytes]:
        assert self.process is not None
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise asyncio.IncompleteReadError(line, None)
        answer: dict[str, Any] = json.loads(line)
        return answer, await self.process.stdout.readexactly(answer["size"])

    async def _kill(self) -> None:
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()
        if self.folder:  # a process that is ended in the middle leaves its caller's files
            await asyncio.to_thread(rmtree, self.folder, ignore_errors=True)
            self.folder = ""

    def _waited(self, turn: Turn) -> None:
        """Refuse a request whose turn did not come in all the time that it may take."""
        self.waiting.remove(turn)
        seconds = self.settings.limits.seconds
        said = f"the request waited for {seconds:g} seconds, as many others do: come again later"
        turn.refuse(Refusal(503, said, self._later()))

    def _drop(self, turn: Turn) -> None:
        """Do nothing more for a caller who has gone; what has begun is ended unless it is soon done."""
        if turn in self.waiting:
            self.waiting.remove(turn)
        elif turn is self.current:
            asyncio.get_running_loop().call_later(PATIENCE, self._give_up, turn)

    def _give_up(self, turn: Turn) -> None:
        """End the process if it still works on a request; it is then started again."""
        if turn is self.current and self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()

    def _later(self) -> dict[str, str]:
        """Say when it is worth coming again."""
        return {"retry-after": str(max(1, math.ceil(self.at_once * self.seconds / 2)))}


def _stopping() -> Refusal:
    return Refusal(503, "the service stops: what it worked on is not finished")


def _environment() -> dict[str, str]:
    """Let the process find the same modules as this one, but none in the folder where it happens to run."""
    here = os.path.realpath(os.curdir)
    own = [path for path in sys.path if path and os.path.realpath(path) != here]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(own), "PYTHONSAFEPATH": "1"}


def lanes(settings: ServiceSettings) -> Sequence[Lane]:
    """Make the two lanes: one for resolving, one for files."""
    return Lane(settings, resolves=True), Lane(settings, resolves=False)
