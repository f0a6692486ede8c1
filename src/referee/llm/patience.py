"""When a request is sent again: after which replies, and after how long."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from referee.exceptions import RefereeError
from referee.llm.replies import BadReplyError, Reply, refused_reply, reply_of, said_error
from referee.llm.server import Message, Received, Server, UnreachableError

LONGEST_BACKOFF = 60.0  # seconds between two tries, if the server does not say how long
LONGEST_WAIT = 600.0  # seconds that a server may ask for; a run that would wait longer is better run again
AGAIN = (408, 409, 425, 429)  # and all from 500 on
WRONG = {401: "the key is not accepted", 402: "it wants to be paid", 403: "the key may not do this",
         404: "there is no such address or model", 405: "it takes no chat completions there"}  # fmt: skip
NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached")


class FailedPromptError(Exception):
    """A prompt that gets no answer; others may."""


class StoppedError(Exception):
    """The run has been told to stop before the prompt was sent again."""


class _AgainError(Exception):
    """A try that failed, for a reason that may pass; `wait` is what the server asks for."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass
class Patience:
    """How long a run waits: every thread of it keeps the pause that a server asks for."""

    retries: int
    first_wait: float = 1.0  # seconds before the second try, at most; twice as long before each later one
    stop: threading.Event = field(default_factory=threading.Event)
    _pause_until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, server: Server, messages: Sequence[Message]) -> Reply:
        """Ask until there is an answer.

        Raises:
            FailedPromptError: If all tries have failed, or this prompt cannot be answered.
            StoppedError: If the run ends before the next try.
            RefereeError: If no prompt can be answered.
        """
        reason = ""
        for attempt in range(self.retries + 1):
            self._keep_pause()
            try:
                return _answer(server, server.ask(messages))
            except UnreachableError as error:
                reason, wait = str(error), None
            except _AgainError as error:
                reason, wait = str(error), error.wait
            if wait is not None and wait > LONGEST_WAIT:
                raise FailedPromptError(f"{reason}; it asks to wait {wait:,.0f} s: run again later")
            if attempt < self.retries:
                self._wait(attempt, wait)
        tries = f" ({self.retries + 1} tries)" if self.retries else ""
        raise FailedPromptError(f"{reason}{tries}")

    def _wait(self, attempt: int, asked: float | None) -> None:
        """Wait as long as the server asks for, or twice as long as before; never all at the same moment."""
        longest = min(LONGEST_BACKOFF, self.first_wait * 2**attempt)
        seconds = longest * random.uniform(0.5, 1)
        if asked is not None:
            with self._lock:
                self._pause_until = max(self._pause_until, time.monotonic() + asked)
            seconds = self.first_wait * random.uniform(0, 0.5)
            self._keep_pause()
        self._sleep(seconds)

    def _keep_pause(self) -> None:
        self._sleep(self._pause_until - time.monotonic())

    def _sleep(self, seconds: float) -> None:
        if self.stop.wait(seconds) if seconds > 0 else self.stop.is_set():
            raise StoppedError


def _answer(server: Server, received: Received) -> Reply:
    """Take the answer out of what came, or say what is wrong with it."""
    if received.status == 200:
        try:
            return reply_of(received.body)
        except BadReplyError as error:
            if error.again:
                raise _AgainError(str(error)) from error
            raise FailedPromptError(str(error)) from error
    said, code = said_error(received.body)
    reason = f"HTTP {received.status}: {said}" if said else f"HTTP {received.status}"
    if received.status in WRONG or code in NO_MONEY:
        why = WRONG.get(received.status, "its quota is used up")
        raise RefereeError(f"{server.endpoint}: {why}; the server says {reason}")
    if received.status in AGAIN or received.status >= 500:
        raise _AgainError(reason, seconds_to_wait(received.retry_after))
    refused = refused_reply(received.body)
    if refused is None:
        raise FailedPromptError(reason)
    return refused


def seconds_to_wait(header: str) -> float | None:
    """Read the header Retry-After: seconds, or a date; None if it says neither.

    >>> seconds_to_wait("2.5"), seconds_to_wait("soon"), seconds_to_wait("Thu, 01 Jan 1970 00:00:00 GMT")
    (2.5, None, 0.0)
    """
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except ValueError:
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if seconds < float("inf") else None
