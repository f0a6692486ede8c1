"""How long all error tables take, in units of the scoring of the same files.

    python bench/errors.py DATA [--documents 280] [--check]

DATA holds ontogum. Two noisy systems are made of it; documents are repeated under new names until there are
enough. Scoring looks at mentions alone; the analysis needs words, parts of speech and dependency trees as
well. Reading these is measured apart, for it does not depend on the systems. `--check` fails if all tables
take ten times as long as scoring, or longer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import referee
from noise import noisy
from referee import formats, score
from referee.analysis.sheets.catalogue import TABLES
from referee.language.added_layers import ConlluLayers, LayeredCorpus
from referee.model import Corpus, Document

MOST = 10.0  # times the scoring


class ReadCorpus(LayeredCorpus):
    """A corpus whose documents have been read, with their layers."""

    def __init__(self, corpus: Corpus, documents: Sequence[Document]) -> None:
        """Keep the documents."""
        super().__init__(corpus, lambda document: document)
        self._documents = documents

    def document(self, number: int) -> Document:
        """Return a document."""
        return self._documents[number]


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
    parser = argparse.ArgumentParser(description="How long all error tables take, in units of scoring.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--documents", type=int, default=280)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scoring, reading, tables = measure(arguments.data / "ontogum", Path(folder), arguments.documents)
    print(f"{arguments.documents} documents, two systems, in seconds of processor time:")
    print(f"scoring {scoring:.2f}, all tables {tables:.2f}; reading words, tags and trees {reading:.2f}")
    print(f"all tables take {tables / scoring:.1f} times the scoring (less than {MOST:.0f} wanted)")
    print(f"with the reading, {(tables + reading) / scoring:.1f} times")
    if arguments.check and tables >= MOST * scoring:
        sys.exit(1)


def measure(corpus: Path, folder: Path, size: int) -> tuple[float, float, float]:
    """Time scoring, reading and tables."""
    fill = ConlluLayers(str(corpus))
    plain = list(formats.read(corpus))
    documents = [_renamed(plain[i % len(plain)], i // len(plain)) for i in range(size)]
    key, *systems = (folder / f"{name}.conll" for name in ("key", "one", "two"))
    formats.write(documents, key)
    for seed, path in enumerate(systems, start=1):
        formats.write(noisy(documents, seed), path)

    def fill_renamed(document: Document) -> Document:
        return fill(document.with_text(id=document.id.split("+")[0])).with_text(id=document.id)

    def scored() -> None:
        for path in systems:
            score(formats.read(key), formats.read(path, role="response"))

    layered = LayeredCorpus(formats.read(key), fill_renamed)
    read = ReadCorpus(layered, list(layered))

    def tables() -> None:
        study = referee.errors(read, *(formats.read(path, role="response") for path in systems))
        for table in TABLES.values():
            table(study)

    return seconds(scored), seconds(lambda: list(layered), rounds=2), seconds(tables)


def _renamed(document: Document, copy: int) -> Document:
    return document.with_text(id=f"{document.id}+{copy}")


if __name__ == "__main__":
    main()
