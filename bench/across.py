"""Times coreference across many documents, and says what 100,000 of them would take.

    python bench/across.py DATA MODEL [--documents 250 500 1000 2000] [--threads 2] [--gold]
    python bench/across.py DATA MODEL --within 3600 --threads 2

DATA is the folder that holds ecbplus/, MODEL a model's folder, or `surface` for the words alone. The texts
are those of ECB+ train, whole; copies have other names (capitalised words are written with other letters), so
that what is mentioned in a copy is not what is mentioned in another. All are one corpus, without topics. Each
size runs in a process of its own, whose peak of memory is told. A power law of the number of words through
the points gives the rest, stage by stage (the first texts are shorter than the others), and a line through
them the memory, which has a constant part; a night is 10 hours of two cores. Times are those of the
processor, so that other work on the machine does not count; with OMP_NUM_THREADS=1 they are those of one
core. With --threads, so many threads work at once, and only what all stages take together can be told, with
the time on the clock.

With --within, each size is twice the one before, as long as it can be expected to take at most so many
seconds on the clock: the largest corpus that fits in an hour, with the curve up to it.

With --gold, all documents of ECB+ (train and dev) as they are, with their own mentions: all pairs against
neighbourhoods.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import numpy as np

from referee import formats, score
from referee.matching.protocol import Protocol
from referee.model import Document, DocumentCorpus
from referee.resolvers.across import resolver as corpus_resolver
from referee.resolvers.across.across import opened_scorer
from referee.resolvers.across.constants import COMPARED, TOGETHER
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import AcrossScorer, Naming, Rereading
from referee.resolvers.across.resolver import AcrossResolver
from surface_scorer import SurfaceScorer

GOAL = 100_000
NIGHT = 2 * 10 * 3600.0  # seconds of two cores
SIZES = (250, 500, 1000, 2000)
GROWTH = 2.5  # times as long for twice the texts, at most: later ones are longer
STAGES = (
    "comparing documents",
    "finding mentions",
    "first look",
    "reading",
    "linkage and the rest",
    "between neighbourhoods",
)
STARTERS = "The A An In On At It He She They We I But And This That For As His Her"  # of sentences


def scorer_of(model: str) -> AcrossScorer:
    """Open a model, or compare words alone."""
    return SurfaceScorer() if model == "surface" else opened_scorer(model)


def copies(data: Path, count: int) -> Iterator[Document]:
    """Repeat the whole texts of ECB+ train, each time with other names."""
    corpus = formats.read(data / "ecbplus" / "train")
    texts = [tuple(corpus.all_words(number)) for number in range(len(corpus))]
    for number in range(count):
        turn, which = divmod(number, len(texts))
        words = tuple(renamed(word, turn) for word in texts[which])
        ends = [i + 1 for i, word in enumerate(words) if word in ".!?"] or [len(words)]
        edges = [0, *ends] if ends[-1] == len(words) else [0, *ends, len(words)]
        sentences = tuple(pairwise(edges))
        yield Document.of(f"{number}", words, sentences, ())


def renamed(word: str, turn: int) -> str:
    """Give a name other letters in each copy, as many and in the same places."""
    if not turn or not word[:1].isupper() or word in STARTERS.split():
        return word
    return "".join(_other_letter(letter, turn + place) for place, letter in enumerate(word))


def _other_letter(letter: str, shift: int) -> str:
    if not (letter.isascii() and letter.isalpha()):
        return letter
    first = ord("A" if letter.isupper() else "a")
    return chr((ord(letter) - first + shift * 7) % 26 + first)


class Timed:
    """A scorer that counts the time it is asked for."""

    def __init__(self, scorer: Any, threads: int = 1) -> None:
        """Stand before a scorer."""
        self.scorer = scorer
        scorer.workers = threads
        self.seconds = dict.fromkeys(("study", "mentions", "scores", "second_look"), 0.0)
        self.mentioned = self.compared = 0

    @contextmanager
    def clock(self, stage: str) -> Iterator[None]:
        """Count the time of a stage."""
        start = time.process_time()
        yield
        self.seconds[stage] += time.process_time() - start

    def study(self, *given: Any) -> TimedStudy:
        """See the documents."""
        with self.clock("study"):
            studied = self.scorer.study(*given)
        return TimedStudy(self, studied)

    def threshold(self, kind: str) -> float:
        """Say the threshold."""
        return float(self.scorer.threshold(kind))


class TimedStudy:
    """Documents that were seen."""

    def __init__(self, timed: Timed, studied: Any) -> None:
        """Stand before them."""
        self.timed, self.studied = timed, studied
        self.documents, self.alike, self.workers = studied.documents, studied.alike, studied.workers

    def mentions(self, *given: Any) -> Any:
        """Find mentions."""
        with self.timed.clock("mentions"):
            arrays = self.studied.mentions(*given)
        self.timed.mentioned += arrays.size
        return arrays

    def names(self, *given: Any) -> Any:
        """Name mentions."""
        return self.studied.names(*given) if isinstance(self.studied, Naming) else [None] * given[0].size

    def compare(self, mentions: Any) -> TimedPairs:
        """Prepare to compare mentions."""
        return TimedPairs(self.timed, self.studied.compare(mentions))


class TimedPairs:
    """Mentions that are compared."""

    def __init__(self, timed: Timed, pairs: Any) -> None:
        """Stand before them."""
        self.timed, self.pairs = timed, pairs

    def scores(self, pairs: Any) -> Any:
        """Compare pairs."""
        with self.timed.clock("scores"):
            scores = self.pairs.scores(pairs)
        self.timed.compared += scores.size
        return scores

    def second_look(self, pairs: Any, odds: Any, *done: Any) -> Any:
        """Read passages together, if the scorer can."""
        if not isinstance(self.pairs, Rereading):
            return odds
        with self.timed.clock("second_look"):
            return self.pairs.second_look(pairs, odds, *done)


def measured(data: Path, model: str, count: int, threads: int) -> dict[str, float]:
    """Resolve so many documents as one corpus."""
    documents = list(copies(data, count))
    scorer = Timed(scorer_of(model), threads)
    within = dict[str, float]()
    between = getattr(corpus_resolver, "joined_parts")  # noqa: B009 - of another module

    def clocked(*given: Any, **named: Any) -> Any:
        within.update(scorer.seconds, all=time.process_time() - start)
        return between(*given, **named)

    setattr(corpus_resolver, "joined_parts", clocked)  # noqa: B010
    start, clock = time.process_time(), time.perf_counter()
    response = AcrossResolver(scorer).resolve(documents)
    whole, clock = time.process_time() - start, time.perf_counter() - clock
    own = [within.get(name, seconds) for name, seconds in scorer.seconds.items()]
    linkage = within.get("all", whole) - sum(own)
    stages = [*own, linkage, whole - sum(own) - linkage]
    return {
        "documents": count, "words": sum(len(document.words) for document in documents),
        "mentions": scorer.mentioned, "pairs": scorer.compared,
        "clusters": len({cluster.id for document in response for cluster in document.clusters}),
        **(dict(zip(STAGES, stages, strict=True)) if threads == 1 else {}),
        "seconds": whole, "on the clock": clock,
        "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def extrapolated(points: Sequence[dict[str, float]], what: str) -> tuple[float, float]:
    """Fit a power law of the words: the exponent, and the value for the goal, of texts as long."""
    sizes, values = (np.log([max(point[name], 1e-9) for point in points]) for name in ("words", what))
    slope, constant = np.polyfit(sizes, values, 1)
    words = GOAL * points[-1]["words"] / points[-1]["documents"]
    return float(slope), float(np.exp(constant + slope * np.log(words)))


def memory_of(points: Sequence[dict[str, float]]) -> tuple[float, float]:
    """Draw a line through memory over words: bytes for a word, and MiB for the goal."""
    slope, constant = np.polyfit([point["words"] for point in points], [point["MiB"] for point in points], 1)
    words = GOAL * points[-1]["words"] / points[-1]["documents"]
    return float(slope) * 2**20, float(constant + slope * words)


def sizes(options: argparse.Namespace, points: Sequence[dict[str, float]]) -> Iterator[int]:
    """Give the sizes that are asked for, or ever larger ones while the next, by what was measured, fits."""
    if not options.within:
        yield from options.documents
        return
    count = SIZES[0]
    while not points or GROWTH * points[-1]["on the clock"] <= options.within:
        yield count
        count *= 2


def curve(options: argparse.Namespace) -> int:
    """Measure all sizes and print what they say of the goal."""
    points = list[dict[str, float]]()
    for count in sizes(options, points):
        command = [sys.executable, __file__, str(options.data), options.model, "--one", str(count)]
        command += ["--threads", str(options.threads)]
        points.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
        print("  ".join(f"{name} {value:,.1f}" for name, value in points[-1].items()), flush=True)
    total = 0.0
    for stage in STAGES if options.threads == 1 else ("seconds",):
        slope, seconds = extrapolated(points, stage)
        total += seconds
        print(f"{GOAL:,} documents: {stage}: {seconds / 3600:.1f} h (time ~ words^{slope:.2f})")
    each, memory = memory_of(points)
    print(f"{GOAL:,} documents: {total / 3600:.1f} h; {memory / 1024:.1f} GiB ({each:,.0f} bytes for a word)")
    return int(options.check and total > NIGHT)


def whole_corpus(options: argparse.Namespace) -> int:
    """Resolve ECB+'s own mentions as one corpus: all pairs against neighbourhoods."""
    parts = [formats.read(options.data / "ecbplus" / part) for part in ("train", "dev")]
    words = [each for part in parts for each in every_word(part)]
    for kind in ("events", "entities", "all"):
        documents = [document for part in parts for document in part.of_kind(kind)]
        key = DocumentCorpus(documents, "ecbplus", cross_document=True)
        for label, together, most in (
            ("all pairs", 10**9, 10**6),
            ("neighbourhoods", TOGETHER, COMPARED),
        ):
            setattr(corpus_resolver, "COMPARED", most)  # noqa: B010
            scorer = Timed(scorer_of(options.model))
            start = time.process_time()
            response = AcrossResolver(scorer, kind, together=together).resolve(
                documents, given=True, words=words
            )
            seconds = time.process_time() - start
            conll = score(key, response, protocol=Protocol(scope="corpus", singletons="drop")).conll
            said = f"{kind}: {len(documents)} documents, {scorer.mentioned} mentions, {label}: "
            print(said + f"{scorer.compared:,} pairs, {seconds:.1f} s, CoNLL {100 * conll:.2f}", flush=True)
    return 0


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("model")
    parser.add_argument("--documents", type=int, nargs="+", default=SIZES)
    parser.add_argument("--within", type=float, metavar="SECONDS")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--gold", action="store_true")
    parser.add_argument("--check", action="store_true", help="fail if it would take more than a night")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.data, options.model, options.one, options.threads)))
        return 0
    return whole_corpus(options) if options.gold else curve(options)


if __name__ == "__main__":
    sys.exit(main())
