"""Teaches a model by documents that were corrected, and measures it on those held out.

    python bench/corrections.py DATA [--corpus ontogum|craft] [--documents N] [--folds N] [--epochs N]

DATA has ontogum/dev and craft/dev.jsonl. What the network finds in some documents is corrected to their key,
edit by edit, in journals as the workbench writes them; `referee.train` learns from these. It needs torch:
the environment of `make test-training`, with the English model installed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import referee
from corrected_journals import write_corrected
from referee import formats
from referee.model import Document

CORPORA = {"ontogum": "ontogum/dev/conllu", "craft": "craft/dev.jsonl"}
SEED = 5  # of the choice of documents


def main() -> None:
    """Correct, teach and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--corpus", choices=CORPORA, default="ontogum")
    parser.add_argument("--documents", type=int, default=12)
    parser.add_argument("--skip", type=int, default=0, help="documents, of the same order")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--model")
    arguments = parser.parse_args()
    documents = list(formats.read(arguments.data / CORPORA[arguments.corpus]))
    random.Random(SEED).shuffle(documents)
    keys = documents[arguments.skip :][: arguments.documents]
    given = {name: getattr(arguments, name) for name in ("epochs", "model") if getattr(arguments, name)}
    with TemporaryDirectory() as folder:
        journal = Path(folder, "journal")
        resolved = [found(key, arguments.model) for key in keys]
        edits = write_corrected(journal, zip(resolved, keys, strict=True))
        print(f"{len(keys)} documents of {arguments.corpus}: {sum(edits):,} edits", flush=True)
        started, worked = time.perf_counter(), time.process_time()
        referee.train(
            corrections=journal, output=Path(folder, "model"), folds=arguments.folds,
            report=say, notify=tell, **given,
        )  # fmt: skip
        print(f"{time.perf_counter() - started:.0f} s, of CPU {time.process_time() - worked:.0f} s")


def found(key: Document, model: str | None) -> Document:
    """Resolve a document by the network."""
    return referee.resolve(key.text, "neural", model=model, guidelines="ontonotes").document


def tell(notices: Sequence[str]) -> None:
    """Print notices."""
    for notice in notices:
        say(notice)


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
