"""Runs the official CorefUD scorer over many pairs of files, in a Python that has udapi.

    python bench/corefud_official.py SCORER_FOLDER [--fixed] < PAIRS

The scorer leaves it to the hashes of positions which of two mentions with the same ends and the same length
comes first, and that decides scores. With --fixed they are in the order of their words, then of their heads.

PAIRS are lines of key, tab, response. For each a line of JSON comes out: mode → metric → the four counts as
(recall numerator, recall denominator, precision numerator, precision denominator), or an error.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Any

sys.path.insert(0, sys.argv[1])
from scorer.base import reader as base
from scorer.corefud.reader import CorefUDReader
from scorer.eval import evaluator as official

METRICS = {
    "muc": [official.muc], "b_cubed": [official.b_cubed], "ceaf_e": [official.ceafe],
    "ceaf_m": [official.ceafm], "blanc": [official.blancc, official.blancn], "lea": [official.lea],
    "mention_overlap": [official.mention_overlap], "zeros": [official.als_zeros],
}  # fmt: skip
MATCHES = {"exact": "exact", "head": "head", "partial": "partial-corefud"}


def fixed_order(mentions: Iterable[Any]) -> list[Any]:
    """Sort mentions so that chance has no part in it."""

    def words(positions: Iterable[Any]) -> list[tuple[float, float]]:
        return sorted((position._sentord, position._wordord) for position in positions)

    def ends(mention: Any) -> tuple[tuple[float, float], tuple[float, float]]:
        own = words(mention._words)
        return own[0], own[-1]

    return sorted(mentions, key=lambda m: (*ends(m), len(m), words(m._words), words(m._minset)))


def main() -> None:
    """Score each pair in all modes."""
    if "--fixed" in sys.argv:
        base.sorted = fixed_order
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        key, response = line.rstrip("\n").split("\t")
        out: dict[str, dict[str, Any]] = {}
        for match, singletons, zeros in product(MATCHES, ("drop", "keep"), ("dependent", "linear")):
            try:
                out[f"{match} {singletons} {zeros}"] = score(key, response, match, singletons, zeros)
            except BaseException as error:
                out[f"{match} {singletons} {zeros}"] = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(out), flush=True)


@lru_cache(2)
def _loaded(path: str) -> object:
    return CorefUDReader().load_conllu(path)


def score(key: str, response: str, match: str, singletons: str, zeros: str) -> dict[str, Any]:
    """Count one pair in one mode."""
    reader = CorefUDReader(
        format="corefud", match=MATCHES[match], keep_singletons=singletons == "keep", keep_zeros=True,
        zero_match_method=zeros,
    )  # fmt: skip
    reader.load_conllu = _loaded  # modes differ in what follows
    reader.get_coref_infos(key, response)
    counted = {}
    for name, parts in METRICS.items():
        counts: list[float] = []
        for part in parts:
            evaluator = official.Evaluator(part)
            for document in reader.doc_coref_infos.values():
                evaluator.update(document)
            counts += [evaluator.r_num, evaluator.r_den, evaluator.p_num, evaluator.p_den]
        counted[name] = [float(count) for count in counts]
    return counted


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
