"""Scores gigabytes: time and memory of one process, several, and a Dask cluster of this machine.

    python bench/scale.py DATA [--gigabytes 0.5] [--copies 1 10 100] [--engines one processes dask] [--check]

DATA holds ontogum/ (train and dev). Files are copies of it under new names, made on the fly in --folder, so
many that key and response together have the gigabytes asked for. --check exits 1 if a bound is not met: at
most 300 MB in any process, the same cost for each document whatever their number, and little more time with
Dask than with processes. Costs of one process are in seconds of CPU, since machines are shared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from referee import formats
from referee.scoring.engines import ENGINES
from referee.scoring.evaluate import evaluate
from scoring import peak_memory, prepare

LARGEST = 300e6  # bytes that any process may take
SAME_COST = 0.10  # of a document, whatever the number of documents
OVERHEAD = 0.15  # of Dask over processes
POLLING = 0.2  # seconds
missed: list[str] = []


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--gigabytes", type=float, default=0.5)
    parser.add_argument("--copies", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--engines", nargs="*", default=["one", "processes", "dask"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        small = prepare(arguments.data, Path(folder))
        growth(small, arguments.copies)
        if arguments.engines:
            engines(small, arguments.gigabytes, arguments.engines)
    if arguments.check and missed:
        sys.exit("bounds not met: " + "; ".join(missed))


def report(what: str, value: float, bound: str, *, good: bool) -> None:
    """Print a figure beside its bound."""
    print(f"{what:<62} {value:9.3f}   {bound:<12} {'ok' if good else 'MISSED'}", flush=True)
    if not good:
        missed.append(what)


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
    """Score more and more copies in one process: what a document costs stays the same."""
    costs = {}
    for count in counts:
        files = copies_of(small, count)
        measured = watched("one", files, rounds=max(1, min(20, 100 // count)))
        costs[count] = measured["cpu"] / measured["documents"]
        megabytes = measured["peak"] / 1e6
        print(f"{count:>6} copies, {measured['documents']:>8,.0f} documents: {1e6 * costs[count]:7.1f} µs "
              f"of CPU for each, {megabytes:.0f} MB", flush=True)  # fmt: skip
        for file in files:
            file.unlink()
    if costs:
        spread = max(costs.values()) / min(costs.values()) - 1
        report("dearest / cheapest document - 1", spread, f"<= {SAME_COST}", good=spread <= SAME_COST)


def engines(small: tuple[Path, Path], gigabytes: float, names: list[str]) -> None:
    """Score the same files with each engine."""
    count = max(1, round(gigabytes * 1e9 / sum(path.stat().st_size for path in small)))
    files = copies_of(small, count)
    size = sum(path.stat().st_size for path in files) / 1e9
    taken, results = {}, {}
    for name in names:
        measured = watched(name, files)
        taken[name], results[name] = measured["wall"], measured["conll"]
        print(f"{size:.1f} GB, {measured['documents']:,.0f} documents, {name}: {measured['wall']:.1f} s "
              f"({measured['planning']:.1f} s to plan), {measured['cpu']:.1f} s of CPU in the first",
              flush=True)  # fmt: skip
        for megabytes, what in (
            (measured["peak"] / 1e6, "first process"),
            (measured["others"] / 1e6, "others"),
        ):
            report(f"{name}: peak memory, {what}, MB", megabytes, "<= 300", good=megabytes <= LARGEST / 1e6)
    if {"processes", "dask"} <= taken.keys():
        more = taken["dask"] / taken["processes"] - 1
        report("Dask / processes - 1", more, f"<= {OVERHEAD}", good=more <= OVERHEAD)
    differ = float(len(set(results.values())) > 1)
    report("engines that give other numbers", differ, "= 0", good=not differ)


def watched(engine: str, files: list[Path], rounds: int = 1) -> dict[str, float]:
    """Measure in a process of its own, and watch the memory of those that it starts."""
    command = [sys.executable, __file__, "--measure", engine, str(rounds), *map(str, files)]
    others = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            others = max([others, *map(_peak_of, _descendants(process.pid))])
            time.sleep(POLLING)
        assert process.stdout is not None
        measured: dict[str, float] = json.loads(process.stdout.read())
    return measured | {"others": float(others)}


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


def measure(engine: str, rounds: str, key: str, response: str) -> None:
    """Score, and print what it took; of several rounds the cheapest."""
    worker = ENGINES["dask" if engine == "dask" else "processes"](1 if engine == "one" else 2)
    measured: list[dict[str, float]] = []
    for _ in range(int(rounds)):
        wall, cpu = time.perf_counter(), time.process_time()
        corpora = formats.read(key), formats.read(response)
        planning = time.perf_counter() - wall
        result = evaluate(*corpora, jobs=worker)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        documents, conll = len(corpora[0]), result.conll
        measured.append(
            {"wall": wall, "cpu": cpu, "planning": planning, "documents": documents, "conll": conll}
        )
    worker.close()
    best = min(measured, key=lambda each: each["cpu"])
    print(json.dumps(best | {"peak": peak_memory() * 1024}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
    else:
        main()
