"""Times the scorer. Costs are ratios measured in one run, since machines differ.

    python bench/scoring.py DATA [--coval FOLDER] [--check]

DATA holds ontogum/ (train and dev). With --coval, a checkout of coval is timed beside it. --check exits 1
if a bound is not met.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bounds import exit_if_missed, report
from noise import noisy
from referee import formats, score
from referee.arrays import IntArray
from referee.metrics.contingency import Contingency
from referee.metrics.standard import DEFAULT_METRICS, METRICS

ROUNDS = 15


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--coval", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        key, response = prepare(arguments.data, Path(folder))
        against_reading(key, response)
        if arguments.coval:
            against_coval(key, response, arguments.coval)
        growth(key, response, Path(folder))
        jobs(key, response, Path(folder))
    large_units()
    start_up()
    if arguments.check:
        exit_if_missed()


def prepare(data: Path, folder: Path) -> tuple[Path, Path]:
    """Join OntoGUM's documents in one file, and make a noisy response to it."""
    key, response = folder / "key.conll", folder / "response.conll"
    formats.write(formats.read(data / "ontogum"), key)
    formats.write(noisy(formats.read(data / "ontogum")), response)
    return key, response


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def split_lines(*paths: Path) -> None:
    """Do the least that any Python reader does."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line in file:
                line.split()


def scored(key: Path, response: Path, jobs: int = 1) -> object:
    """Score in all metrics, reading included."""
    return score(formats.read(key), formats.read(response), jobs=jobs)


def against_reading(key: Path, response: Path) -> None:
    """Compare with splitting the same lines; the two take turns, and the best round of each counts."""
    reading, scoring = [], []
    for _ in range(ROUNDS):
        reading.append(seconds(lambda: split_lines(key, response)))
        scoring.append(seconds(lambda: scored(key, response)))
    ratio = min(scoring) / min(reading)
    print(f"reading {min(reading):.3f} s, scoring {min(scoring):.3f} s")
    report("scoring / splitting the lines", ratio, "<= 1.0", good=ratio <= 1.0)


def against_coval(key: Path, response: Path, coval: Path) -> None:
    """Compare with coval's script on the same files, its start-up excluded by scoring an empty pair."""
    command = [sys.executable, str(coval / "scorer.py")]
    empty = key.with_name("empty.conll")
    empty.write_text("#begin document (d); part 000\nd\t0\t0\tw\t-\n\n#end document\n", encoding="utf-8")

    def run(*paths: Path) -> float:
        return seconds(lambda: subprocess.run([*command, *map(str, paths)], capture_output=True, check=True))

    named = [_for_coval(path) for path in (key, response)]
    theirs = run(*named) - run(empty, empty)
    ours = min(seconds(lambda: scored(key, response)) for _ in range(5))
    report(f"coval ({theirs:.2f} s) / scoring", theirs / ours, ">= 15", good=theirs / ours >= 15)


def _for_coval(path: Path) -> Path:
    """Write the file as coval wants it: names in brackets, a part, and the document's name in front."""
    target = path.with_name(f"coval-{path.name}")
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#begin"):
            name = line.split(maxsplit=2)[2]
            lines.append(f"#begin document ({name}); part 000")
        elif "\t" in line:
            number, word, cell = line.split("\t")
            bars = cell.replace(")(", ")|(").replace("_", "-")
            lines.append("\t".join([name, "0", number, word, bars]))
        else:
            lines.append(line)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target


def growth(key: Path, response: Path, folder: Path) -> None:
    """Score twenty copies: time and peak memory, each in a process of its own."""
    copies = [_copies(path, folder, 20) for path in (key, response)]
    one, many = _in_process(key, response), _in_process(copies[0], copies[1])
    time_ratio, memory_ratio = many["seconds"] / one["seconds"], many["peak"] / one["peak"]
    print(f"one copy {one['seconds']:.3f} s, {one['peak'] / 1024:.0f} MiB; "
          f"twenty {many['seconds']:.3f} s, {many['peak'] / 1024:.0f} MiB")  # fmt: skip
    report("twenty copies / one, time", time_ratio, "<= 22", good=time_ratio <= 22)
    report("twenty copies / one, peak memory", memory_ratio, "<= 1.5", good=memory_ratio <= 1.5)


def _copies(path: Path, folder: Path, count: int) -> Path:
    """Repeat a corpus under new names."""
    target = folder / f"{count}-{path.name}"
    text = path.read_text(encoding="utf-8")
    with target.open("w", encoding="utf-8") as file:
        for number in range(count):
            file.write(text.replace("#begin document ", f"#begin document copy{number}/"))
    return target


def _in_process(key: Path, response: Path, jobs: int = 1) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", str(key), str(response), str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def measure(key: str, response: str, jobs: str) -> None:
    """Score once warm, and print seconds and this process's peak memory."""
    taken = min(seconds(lambda: scored(Path(key), Path(response), int(jobs))) for _ in range(3))
    print(json.dumps({"seconds": taken, "peak": peak_memory()}))


def peak_memory() -> int:
    """Read this process's peak in KiB; getrusage would count what its parent had when it forked."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0])


def jobs(key: Path, response: Path, folder: Path) -> None:
    """Use two processes on a large corpus; the numbers are the same to the last bit."""
    large = [_copies(path, folder, 120) for path in (key, response)]
    times: dict[int, list[float]] = {1: [], 2: []}
    results: dict[int, object] = {}
    for _ in range(2):
        for count, taken in times.items():
            started = time.perf_counter()
            result = score(formats.read(large[0]), formats.read(large[1]), jobs=count)
            taken.append(time.perf_counter() - started)
            results[count] = result.to_dict()
    gain = min(times[1]) / min(times[2])
    print(f"120 copies: one job {min(times[1]):.2f} s, two {min(times[2]):.2f} s")
    report("one job / two jobs", gain, ">= 1.7", good=gain >= 1.7)
    report(
        "two jobs give other numbers", float(results[1] != results[2]), "= 0", good=results[1] == results[2]
    )


def large_units() -> None:
    """Tally one unit of many clusters in all metrics, with much noise and with more."""
    chance = np.random.default_rng(1)
    for clusters, noise, bound in (
        (4_000, 0.3, 1.0),
        (4_000, 1.0, 1.0),
        (100_000, 0.3, 20.0),
        (100_000, 0.6, 20.0),
        (100_000, 1.0, 20.0),
    ):
        key = chance.integers(0, clusters, 4 * clusters)
        moved = chance.random(key.size) < noise
        response = np.where(moved, chance.integers(0, clusters, key.size), key)
        labels = [np.unique(side, return_inverse=True)[1] for side in (key, response)]
        taken = seconds(partial(_tally, *labels))
        what = f"{clusters:,} clusters, {noise:.0%} of mentions moved, seconds"
        report(what, taken, f"<= {bound:.0f}", good=taken <= bound)
    peak = peak_memory() / 2**20
    report("peak memory of all this, GiB", peak, "<= 2", good=peak <= 2)


def _tally(key: IntArray, response: IntArray) -> None:
    table = Contingency.from_labels(key, response)
    for name in DEFAULT_METRICS:
        METRICS[name].count(table)


def start_up() -> None:
    """Time a bare import and the help text, less an empty interpreter's start for the import."""

    def run(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        return min(
            seconds(lambda: subprocess.run(command, capture_output=True, check=True)) for _ in range(7)
        )

    empty, imported = run("-c", "pass"), run("-c", "import referee")
    shown = run("-m", "referee", "--help")
    report("import referee, seconds", imported - empty, "<= 0.15", good=imported - empty <= 0.15)
    report("referee --help, seconds in all", shown, "<= 0.3", good=shown <= 0.3)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:])
    else:
        main()
