"""Times ECB+: reading its files, scoring train as one unit, and predicting topics.

python bench/crossdoc.py DATA --check
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from referee import formats, score
from referee.crossdoc.predicted_topics import predict_topics
from referee.matching.protocol import Protocol
from referee.model import Cluster, Corpus, DocumentCorpus, Mention

BOUNDS = {"read": 5.0, "score": 2.0}  # seconds
Value = TypeVar("Value")


def timed(what: str, work: Callable[[], Value], bound: float | None = None) -> tuple[Value, bool]:
    """Run something, print how long it took, and say whether that is within a bound."""
    start = time.perf_counter()
    value = work()
    seconds = time.perf_counter() - start
    print(f"{what:<58}{seconds:7.3f} s" + (f"   bound {bound:.0f} s" if bound else ""))
    return value, bound is None or seconds < bound


def noisy(key: Corpus, seed: int = 1) -> DocumentCorpus:
    """Miss a tenth of the mentions, move a fifth to another cluster of the corpus and widen a twentieth."""
    chance = random.Random(seed)
    ids = sorted({cluster.id for document in key for cluster in document.clusters})
    documents = []
    for document in key:
        clusters: dict[str, list[Mention]] = {}
        for cluster in document.clusters:
            for mention in cluster.mentions:
                if chance.random() < 0.05:
                    mention = Mention.at(max(mention.start - 1, 0), mention.end)
                if chance.random() > 0.1:
                    id_ = cluster.id if chance.random() > 0.2 else chance.choice(ids)
                    clusters.setdefault(id_, []).append(mention)
        found = tuple(Cluster(id_, tuple(mentions)) for id_, mentions in clusters.items())
        documents.append(replace(document, clusters=found))
    return DocumentCorpus(documents, "noisy", cross_document=True)


def main() -> int:
    """Time everything; with --check, fail if a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds ecbplus/")
    parser.add_argument("--check", action="store_true", help="fail if a bound is missed")
    options = parser.parse_args()
    corpus, read_in_time = timed(
        "read train from XML", lambda: formats.read(options.data / "ecbplus" / "train"), BOUNDS["read"]
    )
    key = corpus.of_kind("events")
    print(f"  {len(key)} files, {sum(len(c.mentions) for d in key for c in d.clusters)} event mentions")
    response = noisy(key)
    protocol = Protocol(scope="corpus", kind="events")
    result, scored_in_time = timed(
        "score train's events as one unit, seven metrics, singletons",
        lambda: score(key, response, protocol=protocol),
        BOUNDS["score"],
    )
    print(f"  CoNLL {100 * result.conll:.2f}, {int(result.ceaf_e.counts['recall_denominator'])} key clusters")
    timed("the same by topic", lambda: score(key, response, protocol=replace(protocol, scope="topic")))
    timed("the same by document", lambda: score(key, response, protocol=replace(protocol, scope="document")))
    timed("predict topics of train (TF-IDF, average link)", lambda: predict_topics(corpus))
    return int(options.check and not (read_in_time and scored_in_time))


if __name__ == "__main__":
    sys.exit(main())
