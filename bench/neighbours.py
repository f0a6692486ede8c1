"""The nearest neighbours of many vectors: Referee's own search beside faiss, hnswlib and usearch.

    python bench/neighbours.py [--sizes 2000 20000 100000]

Parts of clusters are compared with the eight others whose middles are nearest, by 128 columns (see
`resolvers/across/neighbours.py`). Each library is asked for the same, on one thread and in a process of its
own: the share of the true neighbours that it finds, its seconds as a multiple of ours, and the memory that it
takes beyond the vectors. The vectors are drawn: groups of five around centres that lie in groups themselves,
with columns that matter less and less, as those of mentions do.

Measured, one thread (recall of the eight nearest; seconds of the processor as a multiple of ours; MiB):

    vectors          2,000               20,000               100,000
    ours             1.000  1.0  23      0.990  1.0  31       0.952   1.0  43     (0.03, 0.45 and 2.6 s)
    faiss flat       1.000  0.9  10      1.000  3.6  20       1.000  13.7  68
    faiss inverted   1.000  1.8   2      1.000  2.3   9       0.997   4.6  82
    faiss graph      1.000  3.1   1      0.998  5.3   5       0.994   7.6  64
    hnswlib          1.000  3.2   4      1.000  3.8  12       0.994   5.8  78
    usearch          0.992  3.3   1      0.989  4.0   9       0.981   5.4  56

None is as fast, and graphs that several threads build differ from run to run. What ours misses costs little:
with 4, 8 or 16 neighbours CoNLL on ECB+ dev as one corpus is 76.6, 76.7 and 76.7.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

COLUMNS, COUNT = 128, 8
LINKS, EFFORT = 16, 64  # of a graph: neighbours of a node, and nodes that a search holds
CELL, PROBES = 512, 8  # of an inverted file: rows of a cell, and cells that a search looks into

Vectors = npt.NDArray[np.float32]
Neighbours = npt.NDArray[np.int64]


def drawn(size: int) -> Vectors:
    """Draw vectors of length one, in groups."""
    random = np.random.default_rng(0)
    scale = 1 / np.sqrt(np.arange(1, COLUMNS + 1))

    def around(centres: Vectors, count: int, spread: float) -> Vectors:
        chosen = centres[random.integers(0, len(centres), count)]
        moved: Vectors = (chosen + spread * scale * random.standard_normal((count, COLUMNS))).astype("f4")
        return moved

    topics = around(np.zeros((1, COLUMNS), np.float32), max(size // 500, 1), 1.0)
    vectors = around(around(topics, size // 5, 0.7), size, 0.35)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def ours(vectors: Vectors) -> Neighbours:
    """Search as the resolver does, without the step that joins pairs."""
    from referee.resolvers.across.neighbours import near_chunks
    from referee.resolvers.across.workers import one_blas_thread

    found = np.zeros((len(vectors), COUNT), np.int64)
    with one_blas_thread():
        for first, second in near_chunks(vectors, COUNT):
            found[first[::COUNT]] = second.reshape(-1, COUNT)
    return found


def faiss_flat(vectors: Vectors) -> Neighbours:
    """Compare all with all."""
    import faiss

    index = faiss.IndexFlatIP(COLUMNS)
    return _asked(index, vectors)


def faiss_inverted(vectors: Vectors) -> Neighbours:
    """Search cells around centres."""
    import faiss

    cells = -(-len(vectors) // CELL)
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(COLUMNS), COLUMNS, cells, faiss.METRIC_INNER_PRODUCT)
    index.nprobe = PROBES
    index.train(vectors)
    return _asked(index, vectors)


def faiss_graph(vectors: Vectors) -> Neighbours:
    """Search a graph."""
    import faiss

    index = faiss.IndexHNSWFlat(COLUMNS, LINKS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = index.hnsw.efSearch = EFFORT
    return _asked(index, vectors)


def _asked(index: object, vectors: Vectors) -> Neighbours:
    import faiss

    faiss.omp_set_num_threads(1)
    index.add(vectors)  # type: ignore[attr-defined]
    return np.asarray(index.search(vectors, COUNT + 1)[1])  # type: ignore[attr-defined]


def hnswlib_graph(vectors: Vectors) -> Neighbours:
    """Search a graph."""
    import hnswlib

    index = hnswlib.Index("ip", COLUMNS)
    index.init_index(len(vectors), ef_construction=EFFORT, M=LINKS)
    index.set_num_threads(1)
    index.add_items(vectors)
    index.set_ef(EFFORT)
    return np.asarray(index.knn_query(vectors, COUNT + 1)[0], np.int64)


def usearch_graph(vectors: Vectors) -> Neighbours:
    """Search a graph."""
    from usearch.index import Index

    index = Index(
        ndim=COLUMNS, metric="ip", connectivity=LINKS, expansion_add=EFFORT, expansion_search=EFFORT
    )
    index.add(np.arange(len(vectors)), vectors, threads=1)
    return np.asarray(index.search(vectors, COUNT + 1, threads=1).keys, np.int64)


WAYS: dict[str, Callable[[Vectors], Neighbours]] = {
    way.__name__: way for way in (ours, faiss_flat, faiss_inverted, faiss_graph, hnswlib_graph, usearch_graph)
}


def recall(found: Neighbours, vectors: Vectors, asked: int = 1000) -> float:
    """Say which share of the true neighbours of evenly spaced rows was found."""
    rows = np.linspace(0, len(vectors) - 1, min(asked, len(vectors))).astype(np.int64)
    like = vectors[rows] @ vectors.T
    like[np.arange(rows.size), rows] = -np.inf
    true = np.argpartition(-like, COUNT, axis=1)[:, :COUNT]
    hits = [np.intersect1d(one, other).size for one, other in zip(true, found[rows], strict=True)]
    return float(np.mean(hits)) / COUNT


def measure(way: str, size: int) -> dict[str, float]:
    """Measure one way, in this process."""
    vectors = drawn(size)
    WAYS[way](vectors[:64])  # what is loaded is not counted
    Path("/proc/self/clear_refs").write_text("5")  # Linux counts the peak anew
    before, begin = peak(), time.process_time()
    found = WAYS[way](vectors)
    seconds = time.process_time() - begin
    return {"seconds": seconds, "memory": peak() - before, "recall": recall(found, vectors)}


def peak() -> float:
    """Read the most memory that this process has taken, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    """Measure all ways, each in a process of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[2_000, 20_000, 100_000])
    parser.add_argument("--one", choices=WAYS, help="measure one way here, and print JSON")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(asked.one, asked.sizes[0])))
        return
    for size in asked.sizes:
        base = 0.0
        for way in WAYS:
            command = [sys.executable, __file__, "--one", way, "--sizes", str(size)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            figures = json.loads(done.stdout)
            base = base or figures["seconds"]
            print(
                f"{size:>7} {way:<15} recall {figures['recall']:.4f}  {figures['seconds']:7.2f} s "
                f"({figures['seconds'] / base:5.2f})  {figures['memory']:6.0f} MiB",
                flush=True,
            )


if __name__ == "__main__":
    main()
