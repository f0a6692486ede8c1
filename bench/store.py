"""Times adding texts to a store, and compares adding in pieces with linking all at once.

    python bench/store.py cost DATA [--texts 1000] [--more 10]
    python bench/store.py pieces DATA [--sizes 1 10 50] [--texts 196]

DATA is the folder that holds ecbplus/. `cost` fills a store with the made texts of bench/across.py, whose
copies have other names, and adds more: seconds of the processor on one thread, beside those that these texts
take in a store of their own. `pieces` adds the texts of ECB+ dev in pieces, in an order that is drawn, and
scores the found mentions of both kinds as one corpus (CoNLL F1 without singletons), beside linking all at
once; and it counts the links of one that the other has too.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import referee
from across import copies
from referee import formats
from referee.matching.protocol import Protocol
from referee.model import Corpus, Document, DocumentCorpus, SelectedDocuments

MIB = 2**20
Place = tuple[str, int, int]


def seconds(work: Callable[[], object]) -> float:
    """Time some work, in seconds of the processor."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def cost(data: Path, count: int, more: int, folder: Path) -> None:
    """Fill a store, then add to it."""
    texts = list(copies(data, count + more))
    words = sum(len(each.words) for each in texts[count:])
    alone = referee.open_store(folder / "alone", threads=1)
    own = seconds(lambda: alone.add(texts[count:]))
    print(f"{more} texts ({words} words) in a store of their own: {own:.1f} s", flush=True)
    for size in (count // 10, count):
        store = referee.open_store(folder / "store", threads=1)
        filled = seconds(lambda store=store, size=size: store.add(texts[:size]))  # type: ignore[misc]
        print(f"filled to {size}: {filled:.0f} s", flush=True)
        kept = folder / "copy"
        shutil.copytree(folder / "store", kept)
        opened = seconds(lambda kept=kept: referee.open_store(kept).texts)  # type: ignore[misc]
        store = referee.open_store(kept, threads=1)
        added = seconds(lambda store=store: store.add(texts[count:]))  # type: ignore[misc]
        size_on_disk = sum(path.stat().st_size for path in (folder / "store").iterdir())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"added to {size}: {added:.1f} s, {added / own:.2f} times; opening {opened:.2f} s; "
            f"{size_on_disk / size / MIB:.2f} MiB a text; peak {peak:.0f} MiB",
            flush=True,
        )
        shutil.rmtree(kept)


def links(documents: Sequence[Document]) -> set[tuple[Place, Place]]:
    """List all pairs of mentions of one cluster."""
    clusters: dict[str, list[Place]] = {}
    for document in documents:
        for cluster in document.clusters:
            clusters.setdefault(cluster.id, []).extend(
                (document.id, m.start, m.end) for m in cluster.mentions
            )
    return {pair for mentions in clusters.values() for pair in combinations(sorted(mentions), 2)}


def part(corpus: Corpus, numbers: Sequence[int]) -> Corpus:
    """Choose documents of a corpus."""
    return SelectedDocuments(corpus, numbers, [corpus.ids[number] for number in numbers])


def pieces(data: Path, sizes: Sequence[int], count: int, folder: Path) -> None:
    """Add in pieces of several sizes."""
    key = formats.read(data / "ecbplus" / "dev")
    numbers = list(range(len(key)))
    random.Random(0).shuffle(numbers)
    numbers = numbers[:count]
    chosen = part(key, numbers)
    protocol = Protocol(scope="corpus", singletons="drop", gaps="fill")
    whole: set[tuple[Place, Place]] = set()
    for size in (count, *sizes):
        store = referee.open_store(folder / f"pieces-{size}", threads=1)
        taken = seconds(
            lambda store=store, size=size: [  # type: ignore[misc]
                store.add(part(key, numbers[begin : begin + size])) for begin in range(0, count, size)
            ]
        )
        response = store.documents()
        score = referee.score(
            chosen, DocumentCorpus(list(response), "store", cross_document=True), protocol=protocol
        )
        found = links(list(response))
        whole = whole or found
        print(
            f"pieces of {size}: CoNLL {100 * score.conll:.1f}; {len(found)} links, {len(found & whole)} of "
            f"them among the {len(whole)} of all at once; {taken:.0f} s",
            flush=True,
        )


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("cost", "pieces"))
    parser.add_argument("data", type=Path)
    parser.add_argument("--texts", type=int)
    parser.add_argument("--more", type=int, default=10)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1, 10, 50])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.what == "cost":
            cost(given.data, given.texts or 1000, given.more, Path(folder))
        else:
            pieces(given.data, given.sizes, given.texts or 196, Path(folder))


if __name__ == "__main__":
    main()
