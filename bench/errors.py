"""How long all error tables take, in units of the scoring of the same files.

    python bench/errors.py DATA [--documents 280] [--check]

DATA holds ontogum. Two noisy systems are made of it; documents are repeated under new names until there are
enough. Both sides of the ratio start from files on disk: scoring reads mentions, the analysis words, parts of
speech and dependency trees as well. `--check` fails at a ratio of ten or more.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from noise import noisy
from referee import formats
from referee.analysis.layers import LayeredCorpus, conllu_layers
from referee.analysis.study import analyse
from referee.analysis.tables import TABLES
from referee.evaluate import evaluate
from referee.model import Document

MOST = 10.0  # times the scoring


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """Take the best of some rounds, in processor time: other work on the machine does not count."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Measure, print, and judge if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--documents", type=int, default=280)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    corpus = arguments.data / "ontogum"
    fill = conllu_layers(str(corpus))
    plain = list(formats.read(corpus))
    documents = [_renamed(plain[i % len(plain)], i // len(plain)) for i in range(arguments.documents)]

    def fill_renamed(document: Document) -> Document:
        return replace(fill(replace(document, id=document.id.split("+")[0])), id=document.id)

    with tempfile.TemporaryDirectory() as folder:
        key, *systems = (str(Path(folder) / f"{name}.conll") for name in ("key", "one", "two"))
        formats.write(documents, key)
        for seed, path in enumerate(systems, start=1):
            formats.write(noisy(documents, seed), path)

        def score() -> None:
            for path in systems:
                evaluate(formats.read(key), formats.read(path, role="response"))

        def tables() -> None:
            layered = LayeredCorpus(formats.read(key), fill_renamed)
            study = analyse(layered, [formats.read(path, role="response") for path in systems])
            for table in TABLES.values():
                table(study)

        scoring, analysing = seconds(score), seconds(tables)
    ratio = analysing / scoring
    print(f"{len(documents)} documents, two systems: scoring {scoring:.2f} s, all tables {analysing:.2f} s")
    print(f"all tables take {ratio:.1f} times the scoring (at most {MOST:.0f})")
    if arguments.check and ratio >= MOST:
        sys.exit(1)


def _renamed(document: Document, copy: int) -> Document:
    return replace(document, id=f"{document.id}+{copy}")


if __name__ == "__main__":
    main()
