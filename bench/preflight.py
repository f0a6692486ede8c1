"""How often the pre-flight speaks where key and response follow one convention, and what it costs.

    python bench/preflight.py DATA [--check]

Keys of one convention with a resolver's answers (OntoGUM, GUM and LitBank, by CAMP and, where a model is
installed, the neural resolver); 48 samples of ten documents of each pair. With --check, more than one alarm
in 240 samples is an error. Then a pair of two conventions, which must be found, and the cost of the
pre-flight beside that of scoring.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import referee
from referee.matching.preflight import preflight
from referee.model import Corpus, DocumentCorpus
from referee.scoring.evaluate import evaluate
from referee.scoring.task import Task

SAMPLES, SIZE, ALLOWED = 48, 10, 1 / 240
PAIRS = (
    ("OntoGUM", "ontogum/dev/conll", "camp", "ontonotes"),
    ("OntoGUM", "ontogum/dev/conll", "neural", "ontonotes"),
    ("GUM", "gum/dev", "camp", "gum"),
    ("LitBank", "litbank", "camp", "litbank"),
    ("LitBank", "litbank", "neural", "litbank"),
)
LITBANK = 20  # documents: more take long to resolve


def in_memory(corpus: Corpus, most: int | None = None) -> DocumentCorpus:
    """Read the first documents of a corpus."""
    return DocumentCorpus([corpus.document(number) for number in range(len(corpus))[:most]], corpus.name)


def resolved(key: DocumentCorpus, resolver: str, guidelines: str) -> DocumentCorpus:
    """Resolve the texts of a key."""
    settings: dict[str, Any] = {"guidelines": guidelines}
    if (resolver, guidelines) == ("neural", "litbank"):
        settings["singletons"] = "keep"
    found = referee.resolve(key, resolver=resolver, **settings)
    return DocumentCorpus(list(found), resolver)


def alarms(key: DocumentCorpus, response: DocumentCorpus) -> list[list[str]]:
    """List the rules that speak in each sample."""
    chance = random.Random(1)
    said = []
    for _ in range(SAMPLES):
        some = sorted(chance.sample(range(len(key)), SIZE))
        sides = (DocumentCorpus([side.documents[n] for n in some], side.name) for side in (key, response))
        said.append([finding.rule for finding in preflight(*sides)])
    return said


def seconds(work: Callable[[], object]) -> float:
    """Measure the best of five runs, in time of the processor."""
    times = []
    for _ in range(5):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def main(data: Path, *, check: bool) -> None:
    """Print alarms, what is found where conventions differ, and the cost."""
    samples: list[list[str]] = []
    for name, path, resolver, guidelines in PAIRS:
        key = in_memory(referee.read(data / path), LITBANK if name == "LitBank" else None)
        said = alarms(key, resolved(key, resolver, guidelines))
        samples += said
        print(f"{name} × {resolver}: {sum(map(bool, said))} of {SAMPLES} samples {[*filter(None, said)]}")
    loud = sum(map(bool, samples))
    print(f"one convention: {loud} of {len(samples)} samples of {SIZE} documents with an alarm")
    found = preflight(referee.read(data / "ontogum/dev/conll"), referee.read(data / "gum/dev"))
    print(f"OntoGUM against GUM: {[finding.rule for finding in found]}")
    train = [referee.read(data / "ontogum/train/conll") for _ in range(2)]
    cost = [seconds(lambda: preflight(*train)), seconds(lambda: evaluate(Task.of(*train)))]
    print(f"cost on OntoGUM train: {cost[0] / cost[1]:.2f} of scoring what was opened")
    if check and (loud > ALLOWED * len(samples) or "singletons" not in {each.rule for each in found}):
        sys.exit("the pre-flight speaks where it should not, or does not where it should")


if __name__ == "__main__":
    given: Sequence[str] = [word for word in sys.argv[1:] if word != "--check"]
    main(Path(given[0]), check="--check" in sys.argv)
