"""Scores gigabytes: time and memory of one process, several, and a Dask cluster of this machine.

    python bench/scale.py DATA [--gigabytes 0.5] [--copies 1 10 100] [--engines one processes dask]
                               [--rounds 1] [--check]

DATA holds ontogum/ (train and dev). Files are copies of it under new names, made on the fly in --folder, so
many that key and response together have the gigabytes asked for. --check exits 1 if a bound is not met: at
most 300 MB in any process, the same cost for each document whatever their number, and little more time with
Dask than with processes. Machines are shared: costs of one process are in seconds of CPU, those of all sizes
are measured by turns, and of several rounds over engines the best counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bounds import exit_if_missed, report
from referee import formats, score
from referee.scoring.engines import ENGINES, Engine
from scoring import peak_memory, prepare

LARGEST = 300e6  # bytes that any process may take
SAME_COST = 0.10  # of a document, whatever the number of documents
OVERHEAD = 0.15  # of Dask over processes
POLLING = 0.2  # seconds
ROUNDS = 3  # by turns over all numbers of copies
LEAST_SECONDS = 1.0  # that few copies are scored again and again


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--gigabytes", type=float, default=0.5)
    parser.add_argument("--copies", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--engines", nargs="*", default=["one", "processes", "dask"])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        small = prepare(arguments.data, Path(folder))
        growth(small, arguments.copies)
        if arguments.engines:
            engines(small, arguments.gigabytes, arguments.engines, arguments.rounds)
    if arguments.check:
        exit_if_missed()


def copies_of(paths: tuple[Path, Path], count: int) -> list[Path]:
    """Repeat key and response under new names, piece by piece."""
    targets = []
    for path in paths:
        target = path.with_name(f"{count}-{path.name}")
        text = path.read_bytes()
        with target.open("wb") as file:
            for number in range(count):
                file.write(text.replace(b"#begin document ", b"#begin document copy%d/" % number))
        targets.append(target)
    return targets


def growth(small: tuple[Path, Path], counts: list[int]) -> None:
    """Score more and more copies in one process, by turns: what a document costs stays the same."""
    if not counts:
        return
    files = [copies_of(small, count) for count in counts]
    measured = watched("one", ROUNDS, files)
    costs = [one["cpu"] / one["documents"] for one in measured]
    for count, one, cost in zip(counts, measured, costs, strict=True):
        print(f"{count:>6} copies, {one['documents']:>8,.0f} documents: {1e6 * cost:7.1f} µs of CPU for each",
              flush=True)  # fmt: skip
    for pair in files:
        for file in pair:
            file.unlink()
    spread = max(costs) / min(costs) - 1
    report("dearest / cheapest document - 1", spread, f"<= {SAME_COST}", good=spread <= SAME_COST)


def engines(small: tuple[Path, Path], gigabytes: float, names: list[str], rounds: int) -> None:
    """Score the same files with each engine, by turns."""
    count = max(1, round(gigabytes * 1e9 / sum(path.stat().st_size for path in small)))
    files = copies_of(small, count)
    size = sum(path.stat().st_size for path in files) / 1e9
    taken = {name: float("inf") for name in names}
    spent = dict(taken)
    results = set()
    for name in names * rounds:
        (measured,) = watched(name, 1, [files])
        results.add(measured["conll"])
        taken[name] = min(taken[name], measured["wall"])
        spent[name] = min(spent[name], measured["cpu"] + measured["cpu of others"])
        print(f"{size:.1f} GB, {measured['documents']:,.0f} documents, {name}: {measured['wall']:.1f} s "
              f"({measured['planning']:.1f} s to plan), CPU: {measured['cpu']:.1f} s in the first process, "
              f"{measured['cpu of others']:.1f} s in others; load {os.getloadavg()[0]:.1f}",
              flush=True)  # fmt: skip
        for megabytes, what in (
            (measured["peak"] / 1e6, "first process"),
            (measured["others"] / 1e6, "others"),
        ):
            report(f"{name}: peak memory, {what}, MB", megabytes, "<= 300", good=megabytes <= LARGEST / 1e6)
    if {"processes", "dask"} <= taken.keys():
        print(f"{'Dask / processes - 1, in CPU of all':<62} {spent['dask'] / spent['processes'] - 1:9.3f}")
        more = taken["dask"] / taken["processes"] - 1
        report("Dask / processes - 1, in time", more, f"<= {OVERHEAD}", good=more <= OVERHEAD)
    differ = float(len(results) > 1)
    report("engines that give other numbers", differ, "= 0", good=not differ)


def watched(engine: str, rounds: int, files: Sequence[Sequence[Path]]) -> list[dict[str, float]]:
    """Measure pairs of files in a process of its own, and watch the memory of those that it starts."""
    paths = [str(path) for pair in files for path in pair]
    command = [sys.executable, __file__, "--measure", engine, str(rounds), *paths]
    others = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            others = max([others, *map(_peak_of, _descendants(process.pid))])
            time.sleep(POLLING)
        assert process.stdout is not None
        measured: list[dict[str, float]] = json.loads(process.stdout.read())
    return [one | {"others": float(others)} for one in measured]


def _descendants(pid: int) -> list[int]:
    children = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children += [int(child) for child in task.read_text().split()]
        except OSError:
            continue
    return children + [pid for child in children for pid in _descendants(child)]


def _peak_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/status").read_text().split("VmHWM:")[1].split()[0]) * 1024
    except (OSError, IndexError):  # it has just ended
        return 0


def measure(engine: str, rounds: str, *paths: str) -> None:
    """Score pairs of files by turns, and print what each took: the median, as many tries find a lucky one."""
    wall = time.perf_counter()
    worker = ENGINES["dask" if engine == "dask" else "processes"](1 if engine == "one" else 2)
    measured: dict[tuple[str, str], list[dict[str, float]]] = {}
    for _ in range(int(rounds)):
        for pair in zip(paths[::2], paths[1::2], strict=True):
            started = time.process_time()
            while not measured.get(pair) or time.process_time() - started < LEAST_SECONDS:
                measured.setdefault(pair, []).append(scored(*pair, worker, wall))
                if len(paths) == 2:
                    break
                wall = time.perf_counter()
    worker.close()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = {"peak": peak_memory() * 1024, "cpu of others": spent.ru_utime + spent.ru_stime}
    usual = [sorted(every, key=lambda each: each["cpu"])[len(every) // 2] for every in measured.values()]
    print(json.dumps([one | whole for one in usual]))


def scored(key: str, response: str, worker: Engine, begun: float) -> dict[str, float]:
    """Score once; the time counts from when the engine was begun."""
    wall, cpu = time.perf_counter(), time.process_time()
    corpora = formats.read(key), formats.read(response)
    planning = time.perf_counter() - wall
    result = score(*corpora, jobs=worker)
    return {
        "wall": time.perf_counter() - begun,
        "cpu": time.process_time() - cpu,
        "planning": planning,
        "documents": len(corpora[0]),
        "conll": result.conll,
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
    else:
        main()
