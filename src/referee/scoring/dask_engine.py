"""The engine that works on a Dask cluster: a local one with this machine's cores, or a running one.

Each worker receives the work with the index of its files once, and then ranges of units, those of several
batches together; it returns counts. Dask decides which worker does what, repeats the work of a worker that
dies, and transports the bytes.
"""

from __future__ import annotations

import gzip
import logging
import pickle
import platform
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from concurrent.futures import Future as StartedFuture
from importlib.metadata import version
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import uuid4

from referee import __version__
from referee.exceptions import EngineError

if TYPE_CHECKING:
    from distributed import Client, Future

    from referee.scoring.engines import Work

T = TypeVar("T")
Task = Sequence[range]  # batches that one worker does one after the other
PATIENCE = 10  # seconds to wait for a scheduler, and for its first worker
AHEAD = 4  # tasks that each worker has waiting
LARGEST_TASK = 16  # batches; each task has a fixed cost for the scheduler and the worker
TASKS = 16  # that each worker has to do at least, so that none waits long for another at the end
ATTEMPTS = 3  # at shipping the work, if all workers that had it are gone
LOOPBACK = "127.0.0.1"
# A local cluster needs neither a dashboard nor monitoring. By default Dask makes workers return memory to the
# system with every array, which more than doubles their time. Therefore glibc's limits, which otherwise grow
# with use, are set to their maximum.
BARE = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "1h",
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.nanny.pre-spawn-environ": {"MALLOC_MMAP_THRESHOLD_": 2**25, "MALLOC_TRIM_THRESHOLD_": 2**26},
}


class Shipment(NamedTuple):
    """The work sent to a worker, and the versions that the worker must have to compute the same bits."""

    name: str
    needs: dict[str, str]  # package → version
    work: bytes  # packed: an index becomes four times as small, in the first process and in each worker


class DaskEngine:
    """Works on a Dask cluster. Close it, or use it in a `with` statement: a local cluster has processes.

    Examples:
        >>> import referee
        >>> referee.DaskEngine(jobs=2).jobs
        2
    """

    def __init__(self, jobs: int, scheduler: str | None = None) -> None:
        """Choose workers on this machine, or the address of a running scheduler; start nothing yet."""
        self.jobs = jobs
        self.scheduler = scheduler
        self._starting: StartedFuture[Client] | None = None

    def __enter__(self) -> DaskEngine:
        """Begin."""
        return self.begin()

    def begin(self) -> DaskEngine:
        """Start or find the cluster, once, while this process looks for documents."""
        if self._starting is None:
            starter = ThreadPoolExecutor(1)
            self._starting = starter.submit(self._to_scheduler if self.scheduler else self._to_own_cluster)
            starter.shutdown(wait=False)
        return self

    def __exit__(self, *_: object) -> None:
        """Close the engine."""
        self.close()

    def map(self, work: Work[T], batches: Sequence[range]) -> Iterator[T]:
        """Do the work for each batch; the results come in order, as soon as they can."""
        client = self.connected()
        shipment = Shipment(uuid4().hex, versions_here(), packed(work))
        del work
        waiting = deque(_tasks(batches, len(client.nthreads())))
        begun: deque[tuple[Task, Future[Any]]] = deque()
        try:
            for attempt in range(ATTEMPTS):
                waiting.extendleft(task for task, _ in reversed(begun))
                begun.clear()
                try:
                    yield from self._done(client, shipment, waiting, begun)
                    return
                except CancelledError:  # all workers that had the shipment are gone
                    if attempt == ATTEMPTS - 1:
                        raise
        except Exception as error:
            raise _in_words(error, self.scheduler) from error
        finally:
            client.cancel([future for _, future in begun], force=True)

    def _done(
        self,
        client: Client,
        shipment: Shipment,
        waiting: deque[Task],
        begun: deque[tuple[Task, Future[Any]]],
    ) -> Iterator[Any]:
        """Send the work, and do the waiting tasks; only a few are started at a time."""
        shipped = client.scatter(shipment, broadcast=True, hash=False)
        ahead = AHEAD * len(client.nthreads())  # asked once: each question takes time
        while waiting or begun:
            while waiting and len(begun) < ahead:
                task = waiting.popleft()
                begun.append((task, client.submit(_do, shipped, task, pure=False)))
            for results in _first_results(client, [future for _, future in begun]):
                begun.popleft()
                yield from results

    def close(self) -> None:
        """Disconnect from the cluster; a local one is stopped."""
        starting, self._starting = self._starting, None
        if starting is None or starting.exception() is not None:
            return
        client = starting.result()
        cluster = client.cluster
        client.close()
        if cluster is not None:
            cluster.close()

    def connected(self) -> Client:
        """Wait until the cluster is connected."""
        self.begin()
        assert self._starting is not None
        return self._starting.result()

    def _to_scheduler(self) -> Client:
        from distributed import Client

        try:
            client = Client(self.scheduler, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise EngineError(
                f"{self.scheduler}: no Dask scheduler answers at this address: {error}"
            ) from error
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            client.close()
            raise EngineError(f"{self.scheduler}: the scheduler has no workers; start one") from error
        return client

    def _to_own_cluster(self) -> Client:
        """Start one process for each worker, with one thread and no dashboard, and open no port to others."""
        import dask
        from distributed import Client, LocalCluster

        with dask.config.set(BARE):
            cluster = LocalCluster(
                n_workers=self.jobs, threads_per_worker=1, processes=True, memory_limit=0, host=LOOPBACK,
                dashboard_address=None, silence_logs=logging.CRITICAL,
                scheduler_kwargs={"dashboard": False, "dashboard_address": f"{LOOPBACK}:0"},
            )  # fmt: skip
        return Client(cluster, set_as_default=False)


def packed(work: Work[Any]) -> bytes:
    """Pickle and pack, piece by piece."""
    target = BytesIO()
    with gzip.GzipFile(fileobj=target, mode="wb", compresslevel=1) as file:
        pickle.dump(work, file, pickle.HIGHEST_PROTOCOL)
    return target.getvalue()


def unpacked(work: bytes) -> Work[Any]:
    """Undo `packed`."""
    with gzip.GzipFile(fileobj=BytesIO(work)) as file:
        restored: Work[Any] = pickle.load(file)
    return restored


def versions_here() -> dict[str, str]:
    """List the versions that must be equal for two processes to compute the same bits."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"Referee": __version__, "Python": python} | {name: version(name) for name in ("numpy", "scipy")}


def _tasks(batches: Sequence[range], workers: int) -> Iterator[Task]:
    """Join batches into tasks, with enough tasks for all workers."""
    size = max(1, min(LARGEST_TASK, len(batches) // (TASKS * workers)))
    return (batches[first : first + size] for first in range(0, len(batches), size))


def _first_results(client: Client, futures: Sequence[Future[Any]]) -> list[Any]:
    """Wait for the first task; take finished ones after it, too, because each request takes time."""
    first, *others = futures
    results = [first.result()]
    done = []
    for future in others:
        if future.status != "finished":
            break
        done.append(future)
    return results + (client.gather(done) if done else [])


_own = threading.local()  # in a worker, the work of each thread: two must not read with one file


def _do(shipment: Shipment, task: Task) -> list[Any]:
    """Do a task, in a worker."""
    if getattr(_own, "name", None) != shipment.name:
        _refuse_other_versions(shipment.needs)
        _own.work = unpacked(shipment.work)
        _own.name = shipment.name
    return [_own.work(batch) for batch in task]


def _refuse_other_versions(needs: dict[str, str]) -> None:
    from distributed import get_worker

    here = versions_here()
    for name, wanted in needs.items():
        if here[name] != wanted:
            raise EngineError(
                f"{get_worker().address}: this worker has {name} {here[name]}, but the work was planned by "
                f"{wanted}; install the same version on all"
            )


def _in_words(error: Exception, scheduler: str | None) -> Exception:
    """Describe what went wrong on a cluster; errors in a document keep their own message."""
    from distributed.scheduler import KilledWorker

    where = scheduler or "the local cluster"
    if isinstance(error, KilledWorker):
        return EngineError(f"{where}: several workers stopped on the same batch: out of memory? ({error})")
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == "referee":
        return EngineError(
            f"{where}: a worker does not have Referee {__version__}: install the same version on all"
        )
    if isinstance(error, CancelledError | TimeoutError | OSError):
        return EngineError(f"{where}: the connection to the cluster is lost: {error}")
    return error
