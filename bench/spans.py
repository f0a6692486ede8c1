"""What matching by minimum spans costs, against exact matching on the same files.

python bench/spans.py FOLDER [--check]     # FOLDER with ontogum/{train,dev}/{conll,ptb}

Each pair of files is scored exactly, by MINA and by heads in turn; the best round of each counts. Trees come
from Penn files beside three-column files, then from the parse column of the same documents in CoNLL-2012's
twelve columns. Reading, matching and all metrics are in the time, which is the processor's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from noise import noisy
from referee import formats, score
from referee.language.trees.parse_files import ParseFiles
from referee.language.trees.phrase_trees import spelled
from referee.language.trees.treebank import read_penn
from referee.matching.protocol import Protocol
from referee.model import Document

ROUNDS = 15
BOUND = 3.0
MATCHES = ("exact", "mina", "head")


def main() -> None:
    """Measure both sources of trees and print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true", help="fail if MINA costs more than the bound")
    arguments = parser.parse_args()
    corpus = arguments.data / "ontogum"
    with tempfile.TemporaryDirectory() as folder:
        ratios = [measure(*narrow(corpus, Path(folder)), corpus), measure(*wide(corpus, Path(folder)), None)]
    if arguments.check and max(ratios) > BOUND:
        sys.exit(f"MINA costs {max(ratios):.2f} × exact matching; the bound is {BOUND:g}")


def narrow(corpus: Path, folder: Path) -> tuple[Path, Path]:
    """Write the documents as they are, and a noisy response."""
    return write(list(formats.read(corpus)), folder / "narrow")


def wide(corpus: Path, folder: Path) -> tuple[Path, Path]:
    """Write the documents in twelve columns with parts of speech and parses, and a noisy response."""
    key = formats.read(corpus)
    texts = ParseFiles(str(corpus), key).texts(range(len(key)))
    documents = [with_parses(document, text.data) for document, text in zip(key, texts, strict=True)]
    return write(documents, folder / "wide")


def write(documents: list[Document], folder: Path) -> tuple[Path, Path]:
    """Write a key and a response of one file each."""
    folder.mkdir()
    key, response = folder / "key.conll", folder / "response.conll"
    formats.write(documents, key)
    formats.write(noisy(documents), response)
    return key, response


def with_parses(document: Document, text: bytes) -> Document:
    """Spell the trees as a parse column."""
    trees = read_penn([text])
    before, after = [""] * len(document.words), [""] * len(document.words)
    for label, start, end in zip(trees.label, trees.start.tolist(), trees.end.tolist(), strict=True):
        before[start] += f"({spelled(label)}"
        after[end - 1] += ")"
    layers = {
        "pos": tuple(spelled(tag) for tag in trees.tag),
        "parse": tuple(f"{opened}*{closed}" for opened, closed in zip(before, after, strict=True)),
    }
    edges = trees.sentences.tolist()
    sentences = tuple(pairwise(edges))
    return document.with_text(layers=layers, sentences=sentences)


def measure(key: Path, response: Path, parses: Path | None) -> float:
    """Time the matchings in turn; return MINA's cost as a multiple of exact matching's."""
    taken: dict[str, list[float]] = {match: [] for match in MATCHES}
    for _ in range(ROUNDS):
        for match, times in taken.items():
            started = time.process_time()
            score(formats.read(key), formats.read(response), protocol=Protocol(match=match), parses=parses)
            times.append(time.process_time() - started)
    best = {match: min(times) for match, times in taken.items()}
    source = "Penn files" if parses else "parse column"
    for match in MATCHES[1:]:
        ratio = best[match] / best["exact"]
        bound = f"<= {BOUND:g}  {'ok' if ratio <= BOUND else 'MISSED'}" if match == "mina" else ""
        print(
            f"{source:<13} exact {best['exact']:.3f} s   {match} {best[match]:.3f} s   {ratio:.2f} ×  {bound}"
        )
    return best["mina"] / best["exact"]


if __name__ == "__main__":
    main()
