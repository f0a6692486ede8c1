"""Sets and bridging: 2,000 random pairs and noisy GUM by the rules stated plainly, and what sets cost.

    PYTHONPATH=tests python bench/anaphora.py DATA

DATA has `gum/dev`. The rules are written down in `tests/naive_sets.py`; every count of every document must be
theirs to 1e-9. Costs are processor time with sets, as a multiple of that without, in one process; they must
be below 1.3. Otherwise the exit status is 1.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

import referee
from matching.test_anaphora import differences, random_pairs
from noisy_anaphora import noisy

RUNS, LIMIT, PAIRS, COPIES = 5, 1.3, 2_000, 5


def cost(path: Path, **choices: Any) -> float:
    """Measure the processor time of scoring a corpus with itself: the best of some runs."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        referee.score(path, path, **choices)
        times.append(time.process_time() - start)
    return min(times)


def main(data: Path) -> int:
    """Compare counts, then measure."""
    found = differences(*random_pairs(PAIRS, seed=7))
    print(f"{PAIRS} random pairs: {len(found)} counts are not those of the rules")
    chance = random.Random(8)
    documents = [noisy(document, chance, 0) for document in referee.read(data / "gum" / "dev")]
    for rate in (0.1, 0.2, 0.3, 0.5, 0.8)[:COPIES]:
        found += differences(documents, [noisy(document, chance, rate) for document in documents])
    print(f"{COPIES} noisy copies of GUM dev, {len(documents)} documents each: {len(found)} in all")
    worst = 0.0
    for protocol in ("conll", "corefud", "crac", "ua"):
        choices = {"protocol": protocol, "singletons": "keep"}
        ratio = cost(data / "gum" / "dev", sets="keep", **choices) / cost(
            data / "gum" / "dev", sets="drop", **choices
        )
        print(f"{protocol}: sets cost {ratio:.2f} times as much as scoring without")
        worst = max(worst, ratio)
    return int(bool(found) or worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
