"""What nasty pairs of documents score under each protocol and matching, and their errors, stays as it was.

The metrics and matchings have oracles of their own. Here they are met by discontinuous mentions, zeros,
repeats and mentions of several entities all at once, with the notices about them.
"""

from __future__ import annotations

import re
from pathlib import Path
from zlib import crc32

import pytest

import kept
import referee
from nasty_conllu import nasty_pair

METRICS = (
    "mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "mention_overlap", "zeros",
)  # fmt: skip
WAYS = [
    *(("conll", match) for match in ("exact", "head")),
    *((protocol, match) for protocol in ("crac", "corefud") for match in ("exact", "head", "partial")),
    *(("ua", match) for match in ("exact", "partial", "craft")),
]
SEEDS = 5


@pytest.fixture
def pairs(tmp_path: Path) -> list[tuple[Path, Path]]:
    found = []
    for seed in range(SEEDS):
        paths = tmp_path / f"key{seed}.conllu", tmp_path / f"response{seed}.conllu"
        for path, text in zip(paths, nasty_pair(seed), strict=True):
            path.write_text(text, encoding="utf-8")
        found.append(paths)
    return found


def plain(text: str) -> str:
    """Leave out where the files are."""
    return re.sub(r"\S*/(?=(key|response)\d)", "", text)


@pytest.mark.parametrize(("protocol", "match"), WAYS)
def test_scores_of_nasty_pairs(protocol: str, match: str, pairs: list[tuple[Path, Path]]) -> None:
    shown: list[object] = []
    for paths in pairs:
        for singletons in ("keep", "drop"):
            result = referee.score(
                *paths, protocol=protocol, match=match, singletons=singletons, metric=METRICS
            )
            counts = [kept.columns(result.counts[name])[1] for name in METRICS]
            shown.append([counts, crc32(plain("\n".join(result.notices)).encode())])
    kept.check_one("scores_nasty", f"{protocol} {match}", shown)


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_errors_of_nasty_pairs(match: str, pairs: list[tuple[Path, Path]]) -> None:
    shown: list[object] = []
    for paths in pairs:
        study = referee.errors(*paths, protocol="corefud", match=match)
        told = [study.list_errors(), study.causes, study.notices, study.classes, study.maximum]
        shown.append([crc32(plain(repr(each)).encode()) for each in told])
    kept.check_one("errors_nasty", match, shown)
