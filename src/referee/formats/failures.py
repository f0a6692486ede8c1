"""Documents that give no result: each is a failure with a name and a reason, and the others go on."""

from __future__ import annotations

import errno
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from referee.display import number_of
from referee.exceptions import (
    EngineError,
    FailureWarning,
    MissingExtra,
    ParseError,
    ProtocolError,
    RefereeError,
)

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # of the disk: what fails for one fails for all
T = TypeVar("T")
SHOWN = 3  # failures in a warning


class Failure(NamedTuple):
    """A document that gave no result.

    Attributes:
        document: Its name, or that of its file.
        reason: What is wrong with it, and what to do.

    Examples:
        >>> import referee
        >>> print(referee.Failure("a.txt", "not UTF-8"))
        a.txt: not UTF-8
    """

    document: str
    reason: str

    def __str__(self) -> str:
        """Say both in one line."""
        return f"{self.document}: {self.reason}"


def failure_of(document: str, error: Exception) -> Failure:
    r"""Describe an error as the failure of a document, or of a file, which its message need not name again.

    >>> failure_of("a.txt", RefereeError("a.txt:3: not UTF-8"))
    Failure(document='a.txt', reason='line 3: not UTF-8')
    >>> failure_of("a.conll:7", RefereeError("a.conll:9: cluster 1 is opened but never closed")).reason
    'line 9: cluster 1 is opened but never closed'
    >>> failure_of("news: d", RefereeError("document d: has no words")).reason
    'has no words'
    >>> failure_of("d", ValueError("two\nlines"))
    Failure(document='d', reason='ValueError: two lines')
    """
    said = " ".join(str(error).split())
    if not isinstance(error, RefereeError):
        return Failure(document, f"{type(error).__name__}: {said}".removesuffix(": "))
    name = " ".join(document.split())
    file, _, first = name.rpartition(":") if re.search(r":\d+$", name) else (name, "", "")
    names = "|".join(map(re.escape, (file, *file.split(": "))))  # of a corpus and a document in it, perhaps
    where = re.match(rf"(?:document )?(?:{names})(?::(\d+))?: ", said)
    line = f"line {where[1]}: " if where and where[1] and where[1] != first else ""
    return Failure(document, line + said[where.end() :] if where else said)


def is_of_the_run(error: BaseException) -> bool:
    """Whether an error would come again with every document: of settings, an engine, packages, a disk."""
    cause = error.__cause__ if isinstance(error, RefereeError) else error
    return isinstance(error, EngineError | MissingExtra | ParseError | ProtocolError) or (
        isinstance(cause, OSError) and cause.errno in NO_ROOM
    )


@dataclass(slots=True)
class Failures:
    """Collects the failures of a run; a `strict` run ends with the first."""

    strict: bool = False
    found: list[Failure] = field(default_factory=list)

    def add(self, document: str, error: Exception) -> None:
        """Note that a document has failed, unless its error has to end the run."""
        if is_of_the_run(error) or (self.strict and isinstance(error, RefereeError)):
            raise error
        failure = failure_of(document, error)
        if self.strict:
            raise RefereeError(str(failure)) from error
        self.found.append(failure)

    def warn(self) -> None:
        """Warn in Python of what has failed; the command line prints a table instead."""
        if self.found:
            more = f"; and {len(self.found) - SHOWN} more" if len(self.found) > SHOWN else ""
            count = number_of(len(self.found), "document")
            shown = "; ".join(map(str, self.found[:SHOWN]))
            warnings.warn(f"{count} failed: {shown}{more}", FailureWarning, stacklevel=3)


def refuse_if_none_is_left(done: int, failures: Sequence[Failure]) -> None:
    """End a run in which every document has failed, so that it writes nothing."""
    if failures and not done:
        raise AllFailedError(failures)


def unless_all_failed(results: Iterable[T], failures: Failures) -> Iterator[T]:
    """Give results as they come; if there is none, end the run."""
    done = 0
    for result in results:
        yield result
        done += 1
    refuse_if_none_is_left(done, failures.found)


class AllFailedError(RefereeError):
    """Every document of a run has failed."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        """Keep the failures."""
        super().__init__(failures)
        self.failures = tuple(failures)

    def __str__(self) -> str:
        """Count them, and show the first, or the only one."""
        if len(self.failures) == 1:
            return str(self.failures[0])
        return f"all {len(self.failures)} documents failed; the first: {self.failures[0]}"
