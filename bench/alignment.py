"""Measures the alignment of a text with a noisy copy of it against rapidfuzz's, which is exact.

    python bench/alignment.py DATA [--rates 0.02,0.1,0.3]

DATA holds LitBank and CRAFT. Texts are cut into atoms as in scoring; the copy has words changed, dropped and
added, and in a second one two passages have changed places. Printed for each: seconds, the share of the pairs
of the exact alignment (longest common subsequence) that ours has in number, and the share of the pairs of
atoms that were never touched, which each finds: the longest is not always the right one.

One run, a tenth of the atoms touched; the first share is 100 % for Indel, which finds the longest:

      atoms           ours                       Indel                    Levenshtein
      2,000     0.13 s  100.00 %  100.00 %     0.001 s  100.00 %        0.001 s  100.00 %  100.00 %
     13,000     0.13 s  100.00 %   99.98 %     0.04 s    99.97 %        0.05 s    99.94 %   99.93 %
    100,000     0.94 s   99.99 %   99.93 %    12 s       99.89 %        4 s       99.90 %   99.85 %

With two passages exchanged ours has 88 to 95 % of the longest in number, and as many right pairs. Indel's
memory grows with the square of the text: 45 MiB of the process at 2,000 atoms, 68 at 13,000, and
1,262 at 100,000. So ours stays: a book of 300,000 words would take 11 GB.

Needs rapidfuzz, which Referee does not.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answers import invented
from referee import formats
from referee.arrays import IntArray, ragged
from referee.matching.answers.sequence_alignment import equal_items
from referee.matching.answers.text_alignment import KeyText
from referee.model import Corpus

Pairs = tuple[IntArray, IntArray]
ATOMS = (2_000, 13_000, 100_000)


class Copy(NamedTuple):
    """A noisy copy: its atoms, and the original's position of each untouched one (−1 for others)."""

    atoms: list[str]
    origin: list[int]


def noisy(atoms: Sequence[str], rate: float, chance: random.Random) -> Copy:
    """Change, drop and add atoms at a rate."""
    copy = Copy([], [])
    for position, atom in enumerate(atoms):
        draw = chance.random()
        kind = int(3 * draw / rate) if draw < rate else 3  # dropped, changed, followed by another, as it was
        if kind in (2, 3):
            copy.atoms.append(atom)
            copy.origin.append(position)
        if kind in (1, 2):
            copy.atoms.append(invented(chance) if chance.random() < 0.5 else chance.choice(atoms))
            copy.origin.append(-1)
    return copy


def exchanged(copy: Copy) -> Copy:
    """Let the second and the fourth fifth of a copy change places."""
    fifth = len(copy.atoms) // 5
    order = [part for number in (0, 3, 2, 1) for part in range(number * fifth, (number + 1) * fifth)]
    order += range(4 * fifth, len(copy.atoms))
    return Copy([copy.atoms[i] for i in order], [copy.origin[i] for i in order])


def by_rapidfuzz(name: str) -> Callable[[IntArray, IntArray], Pairs]:
    """Align by one of rapidfuzz's distances."""
    from rapidfuzz.distance import Indel, Levenshtein

    distance = {"Indel": Indel, "Levenshtein": Levenshtein}[name]

    def align(ours: IntArray, theirs: IntArray) -> Pairs:
        blocks = [code for code in distance.opcodes(ours.tolist(), theirs.tolist()) if code.tag == "equal"]
        columns = np.array([(c.src_start, c.src_end, c.dest_start, c.dest_end) for c in blocks], np.int64)
        a, b, c, d = columns.reshape(-1, 4).T
        return ragged(a, b), ragged(c, d)

    return align


def measure(
    ours: IntArray, copy: Copy, theirs: IntArray, align: Callable[..., Pairs]
) -> tuple[float, int, float]:
    """Seconds, number of pairs, and the share of untouched atoms that are paired with themselves."""
    start = time.perf_counter()
    first, second = align(ours, theirs)
    seconds = time.perf_counter() - start
    origin = np.array(copy.origin)
    return seconds, first.size, float((origin[second] == first).sum() / max((origin >= 0).sum(), 1))


def atoms_of(corpora: Sequence[Corpus], size: int) -> list[str]:
    """Cut so many atoms from texts, one after the other."""
    atoms: list[str] = []
    for corpus in corpora:
        for document in corpus:
            atoms += KeyText(document.words).atoms
            if len(atoms) >= size:
                return atoms[:size]
    return atoms


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rates", default="0.02,0.1,0.3")
    parser.add_argument("--most", type=int, default=max(ATOMS))
    asked = parser.parse_args()
    litbank, craft = (formats.read(asked.data / name) for name in ("litbank", "craft/dev.jsonl"))
    ways = {"ours": equal_items} | {name: by_rapidfuzz(name) for name in ("Indel", "Levenshtein")}
    print(f"{'atoms':>7} {'noise':>5} {'moved':>5}  " + "  ".join(f"{name:>26}" for name in ways) + "   MiB")
    for size in (size for size in ATOMS if size <= asked.most):
        atoms = atoms_of([craft] if size == 13_000 else [litbank], size)
        for rate in map(float, asked.rates.split(",")):
            for moved in (False, True):
                copy = noisy(atoms, rate, random.Random(1))
                copy = exchanged(copy) if moved else copy
                numbers: dict[str, int] = {}
                ours, theirs = (
                    np.array([numbers.setdefault(atom, len(numbers)) for atom in side], np.int64)
                    for side in (atoms, copy.atoms)
                )
                found = {name: measure(ours, copy, theirs, way) for name, way in ways.items()}
                most = found["Indel"][1]
                cells = [f"{s:8.3f} s {n / most:7.2%} {right:7.2%}" for s, n, right in found.values()]
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                print(
                    f"{len(atoms):7} {rate:5} {moved!s:>5}  " + "  ".join(cells) + f"  {memory:4}", flush=True
                )


if __name__ == "__main__":
    main()
