"""Compares Referee with the official CorefUD scorer, count by count, and times both.

    python bench/corefud.py SCORER DATA [--python PYTHON] [--pairs N] [--first SEED] [--check]

SCORER is a checkout of the official scorer, DATA the folder with CorefUD's dev files; PYTHON is one that has
udapi, numpy and scipy. Pairs are those of the scorer's own tests, N random nasty ones, and noisy versions of
the corpora; each in all twelve modes. --check exits 1 if a count differs by more than 1e-9, or if reading and
scoring takes more than a twentieth of the time of the official command.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from noise import noisy
from referee import formats, score
from referee.exceptions import FormatError
from referee.matching.protocol import Protocol
from referee.model import Document

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from nasty_conllu import nasty_pair

METRICS = ("muc", "b_cubed", "ceaf_e", "ceaf_m", "blanc", "lea", "mention_overlap", "zeros")
CLOSE = 1e-9
FASTER = 20
Pair = tuple[Path, Path]
Counted = dict[str, dict[str, list[float]]]  # mode → metric → counts
missed: list[str] = []


def main() -> None:
    """Compare, time and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scorer", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    official = [arguments.python, str(Path(__file__).with_name("corefud_official.py")), str(arguments.scorer)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare("the scorer's own tests", list(own_tests(arguments.scorer)), official)
        seeds = range(arguments.first, arguments.first + arguments.pairs)
        compare(f"{arguments.pairs} nasty pairs", [nasty_files(seed, folder) for seed in seeds], official)
        corpora = [noisy_files(path, folder) for path in sorted(arguments.data.glob("*.conllu*"))]
        for pair in corpora:
            time_both(pair, arguments.python, arguments.scorer)
        compare(f"{len(corpora)} noisy corpora", corpora, official)
    if arguments.check and missed:
        sys.exit("bounds not met: " + "; ".join(missed))


def own_tests(scorer: Path) -> Iterable[Pair]:
    """Find the pairs of the scorer's tests."""
    for key in sorted(scorer.glob("tests/tests-corefud/*/*.key")):
        for response in sorted(key.parent.glob(f"{key.stem}-*.response")):
            yield key, response


def nasty_files(seed: int, folder: Path) -> Pair:
    """Write a random pair."""
    pair = folder / f"{seed}.key.conllu", folder / f"{seed}.response.conllu"
    for path, text in zip(pair, nasty_pair(seed), strict=True):
        path.write_text(text)
    return pair


def compare(what: str, pairs: Sequence[Pair], official: Sequence[str]) -> None:
    """Count pairs in all modes with both scorers, and print how many runs differ."""
    wrong: Counter[str] = Counter()
    again: set[int] = set()
    theirs = counted(pairs, official)
    failed = sum("error" in counts for modes in theirs for counts in modes.values())
    ours = [[own_counts(pair, mode) for mode in modes] for pair, modes in zip(pairs, theirs, strict=True)]
    for number, (modes, own) in enumerate(zip(theirs, ours, strict=True)):
        if any(differ(counts, mine) for counts, mine in zip(modes.values(), own, strict=True)):
            again.add(number)
    fixed = counted([pairs[number] for number in sorted(again)], [*official, "--fixed"])
    for number, modes in zip(sorted(again), fixed, strict=True):
        for (mode, counts), mine in zip(modes.items(), ours[number], strict=True):
            if differ(counts, mine):
                wrong[mode] += 1
                print(f"  {pairs[number][0].name} {mode}: {counts} {mine}")
    runs = sum(len(modes) for modes in theirs)
    left_to_chance = len(again)
    print(
        f"{what}: {runs} runs, of which the official scorer fails in {failed}; {wrong.total()} differ "
        f"({left_to_chance} pairs only by hash order, which --fixed mends)",
        flush=True,
    )
    if wrong:
        missed.append(what)


def counted(pairs: Sequence[Pair], command: Sequence[str]) -> list[Counted]:
    """Let the official scorer count."""
    lines = "".join(f"{key}\t{response}\n" for key, response in pairs)
    done = subprocess.run(command, input=lines, text=True, capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def own_counts(pair: Pair, mode: str) -> dict[str, list[float]] | str:
    """Let Referee count; what it refuses is told in words."""
    match, singletons, zeros = mode.split()
    protocol = Protocol(match=match, singletons=singletons, zeros=zeros, counting="crac")
    try:
        key, response = formats.read(pair[0]), formats.read(pair[1], role="response")
        result = score(key, response, protocol=protocol, metric=METRICS)
    except FormatError as error:
        return str(error)
    return {name: list(result.scores[name].counts.values()) for name in METRICS}


def differ(theirs: dict[str, list[float]], ours: dict[str, list[float]] | str) -> bool:
    """Whether counts are not the same; where the official scorer fails there is nothing to compare."""
    if "error" in theirs:
        return False
    if isinstance(ours, str):
        return True
    return any(abs(a - b) > CLOSE for name in METRICS for a, b in zip(theirs[name], ours[name], strict=True))


def noisy_files(path: Path, folder: Path) -> Pair:
    """Write a corpus unpacked, and a response made of it: mentions go, move, and change their entities."""
    name = path.name.removesuffix(".gz")
    key, response = folder / name, folder / name.replace(".conllu", ".response.conllu")
    corpus = formats.read(path)
    formats.write(corpus, key)
    formats.write((_in_sentences(document) for document in noisy(corpus)), response)
    return key, response


def _in_sentences(document: Document) -> Document:
    """Leave out mentions that cross the end of a sentence, which CoNLL-U does not have."""
    ends = [end for _, end in document.sentences]
    length = document.text.length
    clusters = []
    for cluster in document.clusters:
        kept = tuple(
            mention
            for mention in cluster.mentions
            if mention.end > length or bisect_left(ends, mention.start + 1) == bisect_left(ends, mention.end)
        )
        clusters += [replace(cluster, id=f"n{cluster.id}", mentions=kept)] * bool(kept)
    return replace(document, clusters=tuple(clusters), relations=())


def time_both(pair: Pair, python: str, scorer: Path) -> None:
    """Time reading and scoring in all metrics here, and both commands, in seconds of a processor."""
    protocol = Protocol.parse("crac")

    def scored() -> None:
        score(*pair, protocol=protocol, metric=METRICS)

    here = min(_own_seconds(scored) for _ in range(5))
    ours = [sys.executable, "-m", "referee", "score", *map(str, pair), "-q", "-m", ",".join(METRICS)]
    theirs = [python, str(scorer / "corefud-scorer.py"), *map(str, pair)]
    command, official = (min(_seconds(words) for _ in range(2)) for words in (ours, theirs))
    good = official / here >= FASTER
    print(
        f"{pair[0].name}: the official command {official:.2f} s, scoring here {here:.3f} s: "
        f"{official / here:.1f} times as fast (>= {FASTER}) {'ok' if good else 'MISSED'}; with the start of "
        f"the program {command:.2f} s: {official / command:.1f} times",
        flush=True,
    )
    if not good:
        missed.append(pair[0].name)


def _own_seconds(work: Callable[[], None]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _seconds(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
