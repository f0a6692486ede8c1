"""Lanes: requests wait in line for a process that works on them, one at a time.

A resolver's network already uses all cores for one text, so several texts at once would only wait for each
other: concurrency is a line. A process that takes too long, or whose caller has gone, is ended and started
again, so that nothing a caller sends can hold up the others for longer than the time limit.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from referee.exceptions import RefereeError
from referee.service.problems import Refusal
from referee.service.settings import ServiceSettings
from referee.service.worker import message

PATIENCE = 2.0  # seconds for which the work of a caller who has gone may still last
STARTING = 300.0  # seconds in which a process has to be ready
BUFFER = 2**20


@dataclass(frozen=True, slots=True)
class Answer:
    """What a process answered."""

    status: int
    content: bytes
    words: int = 0


@dataclass(slots=True)
class Lane:
    """A line of requests, and the process that works on them."""

    settings: ServiceSettings
    resolves: bool  # whether its process keeps models; the other one reads files, with less memory
    at_once: int = 0  # requests that work or wait
    restarts: int = 0
    seconds: float = 1.0  # that a request took lately, on average
    process: asyncio.subprocess.Process | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    async def start(self) -> None:
        """Start the process, and wait until it is ready."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "referee.service.worker", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, limit=BUFFER, start_new_session=True, cwd=os.sep,
            env=_environment(),
        )  # fmt: skip
        given, limits = self.settings, self.settings.limits
        head = {
            "resolver": given.resolver, "settings": dict(given.settings),
            "preload": list(given.preload) if self.resolves else [],
            "readable": [value for value in given.settings.values() if isinstance(value, str)],
            "memory": 0 if self.resolves else limits.memory, "file": limits.unpacked,
        }  # fmt: skip
        try:
            said, _ = await asyncio.wait_for(self._exchanged(head), STARTING)
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            await self.end()
            raise RefereeError("the process that does the work did not start; the log says why") from error
        if "error" in said:
            raise RefereeError(said["error"])

    async def work(self, path: str, body: bytes) -> Answer:
        """Wait for the process and let it work.

        Raises:
            Refusal: If too many wait already, or it takes too long.
        """
        limits = self.settings.limits
        if self.at_once >= limits.waiting:
            raise Refusal(
                429, f"{limits.waiting} requests work or wait already: come again later", self._later()
            )
        self.at_once += 1
        try:
            try:
                await asyncio.wait_for(self.lock.acquire(), limits.seconds)
            except TimeoutError:
                said = (
                    f"the request waited for {limits.seconds:g} seconds, as many others do: come again later"
                )
                raise Refusal(503, said, self._later()) from None
            task = asyncio.create_task(self._turn(path, body))
            self.tasks.add(task)
            task.add_done_callback(self._forget)
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                asyncio.get_running_loop().call_later(PATIENCE, self._give_up, task)
                raise
        finally:
            self.at_once -= 1

    async def end(self) -> None:
        """End the process: at once, since nobody waits for it any more."""
        if self.process is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()

    async def _turn(self, path: str, body: bytes) -> Answer:
        """Have one request worked on; then it is the turn of the next."""
        limits, clock = self.settings.limits, asyncio.get_running_loop().time
        started = clock()
        try:
            head, content = await asyncio.wait_for(self._exchanged({"path": path}, body), limits.seconds)
            self.seconds += 0.1 * (clock() - started - self.seconds)
            return Answer(head["status"], content, head.get("words", 0))
        except TimeoutError:
            await self._start_again()
            said = f"the work took more than {limits.seconds:g} seconds and was ended: send less at once"
            raise Refusal(504, said) from None
        except (ConnectionError, asyncio.IncompleteReadError):
            await self._start_again()
            said = "the process that did the work ended: send less at once, or come again later"
            raise Refusal(503, said, self._later()) from None
        finally:
            self.lock.release()

    async def _exchanged(self, head: dict[str, Any], body: bytes = b"") -> tuple[dict[str, Any], bytes]:
        process = self.process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(message(head, body))
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise asyncio.IncompleteReadError(line, None)
        answer: dict[str, Any] = json.loads(line)
        return answer, await process.stdout.readexactly(answer["size"])

    async def _start_again(self) -> None:
        self.restarts += 1
        await self.end()
        await self.start()

    def _give_up(self, task: asyncio.Task[Any]) -> None:
        """End the work of a caller who has gone; the process is then started again."""
        if not task.done() and self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may be there to look at it

    def _later(self) -> dict[str, str]:
        """Say when it is worth coming again."""
        return {"retry-after": str(max(1, math.ceil(self.at_once * self.seconds / 2)))}


def _environment() -> dict[str, str]:
    """Let the process find the same modules as this one, but none in the folder where it happens to run."""
    here = os.path.realpath(os.curdir)
    own = [path for path in sys.path if path and os.path.realpath(path) != here]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(own), "PYTHONSAFEPATH": "1"}


def lanes(settings: ServiceSettings) -> Sequence[Lane]:
    """Make the two lanes: one for resolving, one for files."""
    return Lane(settings, resolves=True), Lane(settings, resolves=False)
