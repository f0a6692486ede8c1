"""Phases of a training: each runs in a process of its own as soon as those that it needs are done.

One network of this size leaves a GPU mostly idle, so that several at once take little longer than one.
"""

from __future__ import annotations

import multiprocessing
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path

import torch


def run_phases(needs: Mapping[str, Sequence[str]], run: Callable[[str], None], logs: Path) -> None:
    """Run all phases by name; each writes what it prints into a log, and the first that fails ends all.

    This process must not have touched a GPU before, since the others are copies of it.
    """
    context = multiprocessing.get_context("fork")
    waiting, done = dict(needs), set[str]()
    running = dict[str, multiprocessing.process.BaseProcess]()
    try:
        while waiting or running:
            ready = [name for name, needed in waiting.items() if done.issuperset(needed)]
            for name in ready:
                del waiting[name]
                running[name] = context.Process(target=_logged, args=(run, name, logs / f"{name}.log"))
                running[name].start()
            if not running:
                raise ValueError(f"phases that wait for each other: {', '.join(waiting)}")
            wait([process.sentinel for process in running.values()])
            for name in [name for name, process in running.items() if not process.is_alive()]:
                if running.pop(name).exitcode:
                    raise SystemExit(f"{name} failed: see {logs / name}.log")
                done.add(name)
    finally:
        for process in running.values():
            process.terminate()


def _logged(run: Callable[[str], None], name: str, log: Path) -> None:
    """Run a phase, and write what it says into a file."""
    torch.set_num_threads(1)
    with log.open("a", buffering=1, encoding="utf-8") as file:
        sys.stdout = sys.stderr = file
        try:
            run(name)
        except BaseException:
            traceback.print_exc()
            raise
