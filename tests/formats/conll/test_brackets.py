"""The bracket reader against its plain meaning, and against what would make it slow."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive_brackets import naive_mentions
from referee import formats
from referee.formats.conll import brackets
from referee.formats.conll.brackets import Fault
from referee.formats.conll.lines import CELL

NASTY = st.text("(()))||12a+-_*", min_size=1, max_size=9)
WORDS = st.sampled_from(["he", "(", "1)", "é", "a(b)", "-"])


def spans_of(scan: brackets.Scan) -> dict[str, list[tuple[int, int]]]:
    columns = (scan.chains.cluster, scan.chains.start, scan.chains.end)
    spans: dict[str, list[tuple[int, int]]] = {}
    for cluster, start, end in sorted(zip(*(column.tolist() for column in columns), strict=True)):
        spans.setdefault(scan.cluster_names[cluster], []).append((start, end))
    return spans


@given(st.lists(st.tuples(WORDS, NASTY, st.sampled_from(["\t", "  ", " \t"])), max_size=12))
def test_nasty_cells_mean_what_they_mean(rows: list[tuple[str, str, str]]) -> None:
    lines = [f"{word}{gap}{cell}" for word, cell, gap in rows]
    scan = brackets.scan(["\n".join(lines).encode()])
    spans, alone = naive_mentions(lines)
    assert spans_of(scan) == spans
    kinds = (Fault.UNCLOSED, Fault.UNOPENED)
    assert sorted(flaw.text for flaw in scan.flaws if flaw.fault in kinds) == alone


@pytest.mark.parametrize("cell", ["(1)| (2", "(1) | (2", "(2 (1)", "(1) |(2 |"])
def test_a_cell_after_a_tab_may_have_blanks_between_brackets(cell: str) -> None:
    scan = brackets.scan([f"d\tNew York\t{cell}\nd\tis\t2)| (3)\nd\tx\t-\n".encode()])
    assert spans_of(scan) == {"1": [(0, 1)], "2": [(0, 2)], "3": [(1, 2)]}
    assert not scan.flaws
    assert spans_of(brackets.scan([b"d\t0\t1) (2)\n"])) == {"2": [(0, 1)]}
    assert spans_of(brackets.scan([b"d\tNew (2)\n"])) == {"2": [(0, 1)]}


@given(st.text("(()))||1a-_* ", max_size=12))
def test_a_cell_is_a_sequence_of_brackets(cell: str) -> None:
    """The pattern that this replaces took exponential time, and matched the same."""
    meaning = re.compile(rb"[-_*]|(?:(?:\([^()|\s]+\)?|[^()|\s]+\))\|?)+")
    assert bool(CELL.fullmatch(cell.encode())) == bool(meaning.fullmatch(cell.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "w\t(1)\n# as in " + "(citation)" * 30 + "!\n",
        "w\t(1)\n# " + "(" * 40 + "a" * 5000 + ")" * 40 + "x\n",
        "w\t(1)\nw\t" + "(aa" * 20_000 + "!(\n",
        "w\t(1)\nw\t-" + " " * 500_000 + "\n",
        "document " * 100_000 + "\nw\t(1)\n",
        "".join(f"w\t{'(1)' * 30}\n" for _ in range(3000)),
        "# a (b\n" * 50_000 + "w\t(1)\n",
    ],
    ids=["citations", "nested", "openings", "blanks", "marks", "long cells", "comments"],
)
def test_no_text_takes_long(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.conll"
    path.write_text(f"#begin document d\n{text}", encoding="utf-8")
    started = time.process_time()
    corpus = formats.read(path)
    corpus.chains([0])
    corpus.salvage(0)
    assert time.process_time() - started < 3


HASHES = [
    ("#MeToo\t(1)\n#TimesUp\t-\n", ("#MeToo", "#TimesUp"), 1),
    ("#MeToo (1)\n\n# (1)\n", ("#MeToo", "#"), 2),
    ("he (1)\n\n#1 (1)\n#2 (1)\n\n# -\n", ("he", "#1", "#2", "#"), 3),
    ("he\t(1)\n\n#\t(1)\n", ("he", "#"), 2),
    ("he\t(1)\n#hash\t\n", ("he", "#hash"), 1),
    ("he\t(1)\n# (1)\n", ("he", "#"), 2),
    ("0 he (1)\n# (1)\n#note -\n", ("he",), 1),
    ("0\the\t(1)\n# see below (1)\n# two words\n", ("he",), 1),
    ("# newpar\n# text = a (b)\nhe (1)\n", ("he",), 1),
]


@pytest.mark.parametrize(("text", "words", "mentions"), HASHES)
def test_tokens_that_start_with_a_hash(
    tmp_path: Path, text: str, words: tuple[str, ...], mentions: int
) -> None:
    """Each was seen to be counted by the reference scorer, but for comments, which it takes for tokens."""
    path = tmp_path / "a.conll"
    path.write_text(f"#begin document d\n{text}#end document\n", encoding="utf-8")
    document = formats.read(path).document(0)
    assert document.words == words
    assert len([m for cluster in document.clusters for m in cluster.mentions]) == mentions


def test_a_file_of_nothing_but_hash_tokens_without_begin_lines(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("#a (1)\n#b (1)\n", encoding="utf-8")
    assert formats.read(tmp_path / "a.conll").document(0).words == ("#a", "#b")
