"""A Dask cluster of real processes on loopback addresses, for the tests of the engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

DEADLINE = 60  # seconds; machines are shared


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something to happen; fail if it never does."""
    end = time.monotonic() + DEADLINE
    while not holds():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


class DaskCluster:
    """A scheduler and workers, each a process that the tests have started themselves."""

    def __init__(self, folder: Path) -> None:
        """Start the scheduler."""
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        self._scheduler = self._start("scheduler", "--scheduler-file", str(self._file), "--port", "0")
        wait_until(lambda: self._file.exists() and self._file.stat().st_size > 0)
        self.address: str = json.loads(self._file.read_text(encoding="utf-8"))["address"]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--no-dashboard"]
        log = self.folder / f"{words[0]}.log"
        with log.open("ab") as file:
            environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(self.folder)}
            return subprocess.Popen(command, stdout=file, stderr=file, env=environment)

    def add_workers(self, count: int, threads: int = 1) -> None:
        """Start workers; they may be asked for before they are there."""
        for _ in range(count):
            options = ("--nthreads", str(threads), "--no-nanny", "--scheduler-file", str(self._file))
            self.workers.append(self._start("worker", *options))

    def kill_worker(self) -> None:
        """End a worker without a word."""
        worker = self.workers.pop()
        worker.kill()
        worker.wait()

    def stop(self) -> None:
        """End all processes."""
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()


@contextmanager
def dask_cluster(folder: Path) -> Iterator[DaskCluster]:
    """Have a cluster of two workers for a while."""
    cluster = DaskCluster(folder)
    try:
        cluster.add_workers(2)
        yield cluster
    finally:
        cluster.stop()


def processes_of(session: int) -> list[int]:
    """List the processes of a session that have not ended."""
    alive = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, _, owner = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:4]
            except OSError:  # it has just ended
                continue
            if int(owner) == session and state != "Z":
                alive.append(int(entry.name))
    return alive


def interrupt(session: int) -> None:
    """Press ctrl-C: a terminal tells all processes that it runs."""
    os.killpg(session, signal.SIGINT)
