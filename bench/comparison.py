"""How long resampling takes, beside the scoring that it needs; and whether intervals cover on real documents.

    python bench/comparison.py DATA [--check]

DATA holds `ontogum/{train,dev}/conll`. Three noisy systems are made from the key; all metrics are compared.
With --check the exit status is 1 if resampling takes longer than scoring, or if intervals cover badly.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from noise import noisy
from referee import formats, score
from referee.comparing.significance import compare_results, intervals_of
from referee.comparing.verdicts import TESTS, Plan
from referee.metrics.standard import METRICS
from referee.model import Document
from referee.scoring.result import Result

Made = TypeVar("Made")
SEEDS = (1, 2, 3)
TURNS = 5  # the best of so many is taken: what else a machine does only adds time
PAPER = 280  # documents
UNITS = (10, 30, 100, 200)  # documents in a drawn corpus


def main() -> int:
    """Print every figure, and compare it with what the project promises."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    folder = options.data / "ontogum"
    documents = list(formats.read(folder / "train" / "conll", folder / "dev" / "conll"))
    worst = 0.0
    results: list[Result] = []
    print(f"{os.cpu_count()} cores, {Plan().samples} samples, {len(SEEDS)} systems, {len(METRICS)} metrics")
    for some in (documents, repeated(documents, PAPER)):
        ratio, found = timed(some)
        results = results or found
        worst = max(worst, ratio)
    print("95 % intervals of corpora drawn from these documents hold the score of all of them:")
    means = []
    for units in UNITS:
        shares = covered(results[0], units)
        means.append(float(np.mean(list(shares.values()))))
        each = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
        print(f"  {units} documents: {means[-1]:.1%} on average ({each})")
    print(f"worst ratio {worst:.2f} (at most 1), coverage {min(means):.1%} to {max(means):.1%} (93 to 97 %)")
    return int(options.check and (worst > 1 or not 0.93 <= min(means) <= max(means) <= 0.97))


def repeated(documents: Sequence[Document], count: int) -> list[Document]:
    """Reach a number of documents with copies under other names."""
    more = documents[: count - len(documents)]
    return [*documents, *(document.with_text(id=f"{document.id}_again") for document in more)]


def timed(documents: Sequence[Document]) -> tuple[float, list[Result]]:
    """Score from files, then compare: the worst ratio of the two, over all tests."""
    with tempfile.TemporaryDirectory() as place:
        key = Path(place, "key.conll")
        formats.write(documents, key)
        for seed in SEEDS:
            formats.write(noisy(documents, seed), Path(place, f"{seed}.conll"))

        def scored() -> list[Result]:
            return [
                score(formats.read(key), formats.read(Path(place, f"{seed}.conll")), metric=list(METRICS))
                for seed in SEEDS
            ]

        scoring, results = best(scored)
    print(f"{len(documents)} documents: scoring {1000 * scoring:.0f} ms")
    ratios = []
    for test in TESTS:
        resampling, _ = best(partial(compare_results, results, Plan(test=test)))
        ratios.append(resampling / scoring)
        print(f"  intervals, ranks and {test} test: {1000 * resampling:.0f} ms, ratio {ratios[-1]:.2f}")
    return max(ratios), results


def best(work: Callable[[], Made]) -> tuple[float, Made]:
    """Time some work, and keep what it made."""
    times = []
    for _ in range(TURNS):
        start = time.perf_counter()
        made = work()
        times.append(time.perf_counter() - start)
    return min(times), made


def covered(population: Result, units: int, runs: int = 1000) -> dict[str, float]:
    """Take the documents for all there are, draw corpora from them, and count right intervals."""
    chance = np.random.default_rng(1)
    truth = {name: score.f1 for name, score in population.scores.items()} | {"conll": population.conll}
    hits = dict.fromkeys(truth, 0)
    for run in range(runs):
        drawn = population.where(chance.integers(0, len(population.units), units).tolist())
        for name, (_, _, f1) in intervals_of(drawn, Plan(samples=1000, seed=run)).items():
            hits[name] += f1.low <= truth[name] <= f1.high
    return {name: count / runs for name, count in hits.items()}


if __name__ == "__main__":
    sys.exit(main())
