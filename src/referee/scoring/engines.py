"""Engines, which do the work. All process the same batches in the same order, so results are identical."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from referee.exceptions import EngineError, SettingError, need_package

T = TypeVar("T")
Work = Callable[[range], T]  # what is done with a batch; must pickle, and so must what it returns


class Engine(Protocol):
    """Does work over batches."""

    def map(self, work: Work[T], batches: Sequence[range]) -> Iterator[T]:
        """Do the work for each batch, in order."""

    def close(self) -> None:
        """End all processes."""


@dataclass(frozen=True, slots=True)
class OneProcess:
    """Works in this process."""

    def map(self, work: Work[T], batches: Sequence[range]) -> Iterator[T]:
        """Do one batch after the other."""
        return map(work, batches)

    def close(self) -> None:
        """Do nothing: there are no processes to end."""


HERE = OneProcess()


@dataclass(frozen=True, slots=True)
class Processes:
    """Works in several processes of this machine; `start` is how Python begins them, if not as usual."""

    jobs: int
    start: str | None = None

    def map(self, work: Work[T], batches: Sequence[range]) -> Iterator[T]:
        """Spread the batches. The work goes to each process once: a corpus's index is large."""
        if len(batches) < 2:
            yield from map(work, batches)
            return
        from concurrent.futures import ProcessPoolExecutor  # when needed: both take long to load
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        context = get_context(self.start)
        count = min(self.jobs, len(batches))
        with ProcessPoolExecutor(count, context, initializer=_take, initargs=(work,)) as pool:
            waiting = deque(pool.submit(_do, batch) for batch in batches)
            try:
                while waiting:
                    yield waiting.popleft().result()
            except BrokenProcessPool as error:
                raise EngineError("a process was killed: out of memory? use fewer jobs") from error
            except BaseException as error:
                if isinstance(error, SystemExit):  # this process was told to end, and so are the others
                    for process in list(pool._processes.values()):
                        process.terminate()
                # Not by `pool.map`, which cancels from this thread what the pool's own thread settles.
                pool.shutdown(cancel_futures=True)
                raise

    def close(self) -> None:
        """The processes end with the work."""


_work: Work[Any]  # in a worker process, what it does
_works = False  # and whether it is doing it


def _take(work: Work[Any]) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ctrl-C reaches all: none prints or finishes anything
    signal.signal(signal.SIGTERM, _end_worker)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _work = work


def _end_worker(number: int, _frame: object) -> None:
    """End this worker. Work that is interrupted removes its files first.

    Nothing may be sent to the parent any more: another worker that was killed may hold the lock of the pipe.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    if not _works:
        os._exit(128 + number)
    raise SystemExit(128 + number)


def end_by_exception() -> None:
    """Let SIGTERM end this process as an exception does, so that files that are half written are removed.

    A program that treats the signal in its own way, or works in another thread, stays as it is.
    """
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return

    def end(number: int, _frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)


def _end_with_parent() -> None:
    """End when the parent process is killed; otherwise this process would wait for work for ever."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _do(batch: range) -> Any:
    global _works
    try:
        _works = True
        return _work(batch)
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    finally:
        _works = False


def _processes(jobs: int, scheduler: str | None = None) -> Engine:
    if scheduler:
        raise SettingError(f"scheduler='{scheduler}' needs engine='dask'")
    return HERE if jobs == 1 else Processes(jobs)


def _dask(jobs: int, scheduler: str | None = None) -> Engine:
    need_package("distributed", "cluster", "Dask")
    from referee.scoring.dask_engine import DaskEngine

    return DaskEngine(jobs, scheduler).begin()


# Name → what makes an engine of so many workers, or of those that a scheduler at an address has.
ENGINES: dict[str, Callable[..., Engine]] = {"processes": _processes, "dask": _dask}
Jobs = int | Engine  # how many processes, or who does the work


def engine_for(jobs: Jobs) -> Engine:
    """Take the engine that is given, or processes of this machine."""
    return ENGINES["processes"](jobs) if isinstance(jobs, int) else jobs
