"""How long commands take to start: CPU time in units of what `import numpy` takes, measured in one run.

    python bench/start.py [--rounds 9] [--check]

Processes take turns, and the median counts: machines are busy with other things. Byte code is written first.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import referee
from bounds import exit_if_missed, report

SAMPLE = Path(referee.__file__).parent / "sample"
FILES = (str(SAMPLE / "key.conll"), str(SAMPLE / "alpha.conll"))
PROCESSES = {
    "import numpy": ("-c", "import numpy"),
    "import referee": ("-c", "import referee"),
    "referee --help": ("-m", "referee", "--help"),
    "referee score": ("-m", "referee", "score", *FILES),
}
# In units of `import numpy`, which is about 0.09 s: scoring the sample costs at most 0.2 s.
BOUNDS = {"import referee": 0.5, "referee --help": 0.8, "referee score": 2.2}


def main() -> None:
    """Print what each process costs, and its ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for arguments in PROCESSES.values():
            cpu_time(arguments, environment)
        rounds = [
            {name: cpu_time(arguments, environment) for name, arguments in PROCESSES.items()}
            for _ in range(asked.rounds)
        ]
    costs = {name: statistics.median(each[name] for each in rounds) for name in PROCESSES}
    unit = costs["import numpy"]
    for name, cost in costs.items():
        print(f"{name}: {cost:.3f} s of CPU")
    for name, bound in BOUNDS.items():
        ratio = costs[name] / unit
        report(f"{name}, in units of import numpy", ratio, f"at most {bound}", good=ratio <= bound)
    if asked.check:
        exit_if_missed()


def cpu_time(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    """Run Python, and say how many seconds of CPU that took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
