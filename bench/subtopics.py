"""Measures predicted subtopics of many and of few documents, and what they are worth.

    python bench/subtopics.py DATA [--part train] [--draws 6] [--model MODEL]

DATA is the folder that holds ecbplus/. Each of its topics has two subtopics, like events in files of two
names. Documents are drawn from a topic's two subtopics, from one of them, from several topics, or each from
another topic, and grouped by all their words as if nothing else were known: how many of their pairs are
rightly put together or apart? Then whole topics, each by itself; halves of the part; and all of it (there
pairs within a topic count, and the average of topics is told).

With --model, also CoNLL F1 of events and of entities with their own mentions, without singletons: of the part
with its topics, and of draws from each topic that are resolved by themselves, scored together.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from referee import formats, score
from referee.arrays import IntArray
from referee.matching.protocol import Protocol
from referee.model import Corpus, Document, DocumentCorpus
from referee.resolvers.across.across import opened_scorer
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import AcrossScorer
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.similarity import CorpusSimilarity

SIZES = (2, 3, 4, 6, 8, 10, 14, 20)
RESOLVED = (2, 4, 6, 10)
HALVES = 5
Drawn = list[int]


class Part:
    """A part of ECB+: words, topics and subtopics of its documents."""

    def __init__(self, corpus: Corpus) -> None:
        """Read it."""
        self.corpus = corpus
        self.words = every_word(corpus)
        self.topic = np.array([name.partition("_")[0] for name in corpus.ids])
        plus = ["+" if "plus" in name else "-" for name in corpus.ids]
        self.subtopic = np.char.add(self.topic, plus)
        self.every = list(range(len(plus)))

    def topics(self) -> list[Drawn]:
        """List the documents of each topic."""
        return [np.flatnonzero(self.topic == name).tolist() for name in np.unique(self.topic)]

    def subtopics(self) -> list[Drawn]:
        """List the documents of each subtopic; two by two they are of one topic."""
        return [np.flatnonzero(self.subtopic == name).tolist() for name in np.unique(self.subtopic)]

    def groups(self, drawn: Drawn) -> IntArray:
        """Group documents as if there were no others."""
        return CorpusSimilarity.of([self.words[number] for number in drawn]).group

    def right(self, drawn: Drawn) -> float:
        """Tell which share of the pairs is rightly put together or apart."""
        return _right(self.groups(drawn), self.subtopic[drawn])

    def right_within_topics(self, drawn: Drawn) -> float:
        """Tell which share of the pairs of one topic is, as the average of topics."""
        groups, topics, subtopics = self.groups(drawn), self.topic[drawn], self.subtopic[drawn]
        own = (np.flatnonzero(topics == name) for name in np.unique(topics))
        return float(np.mean([_right(groups[rows], subtopics[rows]) for rows in own if rows.size > 1]))


def _right(group: IntArray, gold: np.ndarray) -> float:
    one, other = np.triu_indices(group.size, 1)
    return float(np.mean((group[one] == group[other]) == (gold[one] == gold[other])))


def of_two(part: Part, size: int, chance: random.Random) -> Iterator[Drawn]:
    """Draw from both subtopics of each topic, as many of each."""
    both = part.subtopics()
    for one, other in zip(both[::2], both[1::2], strict=True):
        if min(len(one), len(other)) >= size - size // 2:
            yield chance.sample(one, size - size // 2) + chance.sample(other, size // 2)


def of_one(part: Part, size: int, chance: random.Random) -> Iterator[Drawn]:
    """Draw from each subtopic."""
    yield from (chance.sample(own, size) for own in part.subtopics() if len(own) >= size)


def of_several(part: Part, size: int, chance: random.Random) -> Iterator[Drawn]:
    """Draw from some subtopics, of any topics."""
    for _ in part.topics():
        chosen = chance.sample(part.subtopics(), max(2, size // 3))
        together = [number for own in chosen for number in own]
        if len(together) >= size:
            yield chance.sample(together, size)


def of_many(part: Part, size: int, chance: random.Random) -> Iterator[Drawn]:
    """Draw each document from another topic: nothing is to be put together."""
    topics = part.topics()
    for _ in topics if len(topics) >= size else ():
        yield [chance.choice(own) for own in chance.sample(topics, size)]


DRAWING: dict[str, Callable[[Part, int, random.Random], Iterator[Drawn]]] = {
    "two subtopics of a topic": of_two,
    "one subtopic": of_one,
    "several topics": of_several,
    "as many topics": of_many,
}


def drawn_often(part: Part, kind: str, size: int, draws: int) -> list[list[Drawn]]:
    """Draw some times from all topics; the same each time that this runs."""
    chance = random.Random(f"{kind} {size}")
    return [list(DRAWING[kind](part, size, chance)) for _ in range(draws)]


def grouped(part: Part, draws: int) -> None:
    """Print how many pairs are right."""
    print(f"{'pairs of documents right, %':<28}" + "".join(f"{size:>6}" for size in SIZES))
    for kind in DRAWING:
        shares = []
        for size in SIZES:
            each = [part.right(own) for some in drawn_often(part, kind, size, draws) for own in some]
            shares.append(f"{100 * np.mean(each):6.1f}" if each else f"{'–':>6}")
        print(f"{kind:<28}" + "".join(shares), flush=True)
    chance = random.Random("halves")
    halves = [sorted(chance.sample(part.every, len(part.every) // 2)) for _ in range(HALVES)]
    for label, sets in (("topics by themselves", part.topics()), ("halves", halves), ("all", [part.every])):
        share = np.mean([part.right_within_topics(own) for own in sets])
        print(f"{label:<28}{100 * share:6.1f}", flush=True)


def resolved(part: Part, scorer: AcrossScorer, draws: int) -> None:
    """Print CoNLL F1 of events and of entities."""
    settings = [("all, by topic", [[part.every]]), ("topics by themselves", [part.topics()])]
    for kind in ("two subtopics of a topic", "one subtopic"):
        settings += [(f"{size} of {kind}", drawn_often(part, kind, size, draws)) for size in RESOLVED]
    print(f"\n{'CoNLL F1':<34}{'events':>10}{'entities':>10}")
    for label, sets in settings:
        scores = [[conll(part, scorer, kind, each) for each in sets] for kind in ("events", "entities")]
        print(f"{label:<34}" + "".join(f"{100 * np.mean(each):10.1f}" for each in scores), flush=True)


def conll(part: Part, scorer: AcrossScorer, kind: str, sets: Sequence[Drawn]) -> float:
    """Resolve sets of documents, each by itself, and score all of them by topic."""
    documents = list(part.corpus.of_kind(kind))
    topics = dict(zip(part.corpus.ids, part.topic.tolist(), strict=True))
    key: list[Document] = []
    response: list[Document] = []
    for number, drawn in enumerate(sets):
        own, words = [documents[row] for row in drawn], [part.words[row] for row in drawn]
        found = AcrossResolver(scorer, kind).resolve(own, topics, given=True, words=words)
        key += _apart(own, number)
        response += _apart(list(found), number)
    gold, told = (DocumentCorpus(each, "drawn", cross_document=True) for each in (key, response))
    return score(gold, told, protocol=Protocol(scope="topic", singletons="drop", gaps="fill")).conll


def _apart(documents: Sequence[Document], number: int) -> list[Document]:
    """Let no cluster reach from one set into another."""
    return [
        replace(document, clusters=tuple(replace(own, id=f"{number} {own.id}") for own in document.clusters))
        for document in documents
    ]


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", default="train", choices=("train", "dev"))
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--model")
    options = parser.parse_args()
    part = Part(formats.read(options.data / "ecbplus" / options.part))
    grouped(part, options.draws)
    if options.model:
        resolved(part, opened_scorer(options.model), options.draws)
    return 0


if __name__ == "__main__":
    sys.exit(main())
