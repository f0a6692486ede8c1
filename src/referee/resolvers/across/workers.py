"""Work on several things at once, in threads; results come in order, and are the same with any number."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from referee.exceptions import MissingExtra

Thing = TypeVar("Thing")
Result = TypeVar("Result")
AHEAD = 4  # things that wait, for each thread


def in_threads(work: Callable[[Thing], Result], things: Iterable[Thing], workers: int) -> Iterator[Result]:
    """Do some work for each thing: it must release Python's lock, as onnxruntime and numpy do.

    >>> list(in_threads(lambda number: number * 2, range(5), 2))
    [0, 2, 4, 6, 8]
    """
    if workers == 1:
        yield from map(work, things)
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[Result]] = deque()
        for thing in things:
            waiting.append(pool.submit(work, thing))
            if len(waiting) > AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let numpy multiply in the thread that asks, as long as other threads have other work.

    OpenBLAS's threads wait by spinning: with small products in several threads, or beside other programs,
    they take ten times as long as without them.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError as missing:
        raise MissingExtra("resolving across documents", "resolve") from missing
    with threadpool_limits(limits=1, user_api="blas"):
        yield
