"""Nothing is lost in silence: whatever a file holds is read, or an error or a notice names its lines.

The small corpus of `every_format` is damaged in each format at every line. Each of its words occurs once, so
it can be seen whether it was read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from every_format import REFUSED, SPECIMENS, WORDS, lay_out
from referee import formats
from referee.exceptions import RefereeError
from referee.formats.catalogue import MARKED_TEXT, OURS

FOREIGN = "zzforeign"
KNOWN = re.compile(rf"\b(?:{'|'.join(WORDS)}|{FOREIGN})\b")
COMMENTS = ("# text =",)  # which repeat the words of CoNLL-U
Lines = list[str]


def _row(lines: Lines, at: int) -> Lines:
    """Insert a line like the next, with a foreign word in place of its only one."""
    words = KNOWN.findall(lines[at])
    return [*lines[:at], lines[at].replace(words[0], FOREIGN), *lines[at:]] if len(words) == 1 else lines


DAMAGES: dict[str, Callable[[Lines, int], Lines]] = {
    "a foreign line": lambda lines, at: [*lines[:at], FOREIGN, *lines[at:]],
    "a foreign row": lambda lines, at: [*lines[:at], f"x\t{FOREIGN}\t-", *lines[at:]] if at else lines,
    "a row that is like another": _row,
    "a line deleted": lambda lines, at: lines[:at] + lines[at + 1 :],
    "a line doubled": lambda lines, at: [*lines[: at + 1], *lines[at:]],
    "two lines exchanged": lambda lines, at: [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]],
    "cut off before a line": lambda lines, at: lines[:at],
    "cut off in a line": lambda lines, at: [*lines[:at], lines[at][: len(lines[at]) // 2]],
}
ADDED = ("a foreign line", "a foreign row")  # which take nothing away


def test_every_format_that_is_read_is_here() -> None:
    assert {*SPECIMENS, *REFUSED, MARKED_TEXT} == OURS.keys()


def read_all(path: Path) -> tuple[set[str], Counter[str], list[str]]:
    """Read a corpus: its words, what its mentions spell, and its notices."""
    corpus = formats.read(path)
    documents = list(corpus)
    said = [*corpus.notices, *corpus.chains(range(len(corpus))).notices]
    mentions = [d.text.spelled(m.spans) for d in documents for c in d.clusters for m in c.mentions]
    return {word for document in documents for word in document.words}, Counter(mentions), said


def lines_named(notices: Sequence[str]) -> set[tuple[str, int]]:
    """List the lines that notices name: FILE:LINE, and `lines 3-5, 9` after it."""
    named = set()
    for notice in notices:
        begin = re.match(r"(.+?):(\d+): ", notice)
        if begin:
            more = re.search(r": lines ([\d, -]+)", notice)
            ranges = [begin[2], *(more[1].split(",") if more else ())]
            for first, _, last in (each.strip().partition("-") for each in ranges):
                named |= {(Path(begin[1]).name, n) for n in range(int(first), int(last or first) + 1)}
    return named


def losses(path: Path, file: Path, damage: str, at: int, lines: Lines) -> Iterator[str]:
    """List what is lost in silence when a file is damaged at a line."""
    _, mentions, before = read_all(path)
    damaged = DAMAGES[damage](lines, at)
    file.write_text("\n".join(damaged), encoding="utf-8")
    try:
        words, found, notices = read_all(path)
    except RefereeError:
        return
    named = lines_named(notices)
    for number, line in enumerate(damaged, start=1):
        for word in () if line.startswith(COMMENTS) else KNOWN.findall(line):
            if word not in words and (file.name, number) not in named:
                yield f"{file.name}: {damage}, {at + 1}: '{word}' on line {number}"
    if damage in ADDED and mentions - found and not {*notices} - {*before}:
        yield f"{file.name}: {damage}, {at + 1}: the mentions {', '.join(mentions - found)}"


@pytest.mark.filterwarnings(
    "ignore:.*left out.*mentions:referee.exceptions.LossWarning"
)  # of documents alone
@pytest.mark.parametrize("form", [name for name in SPECIMENS if name != "docbin"])  # which is not text
def test_what_a_file_holds_is_read_or_named(form: str, tmp_path: Path) -> None:
    path = lay_out(form, tmp_path)
    lost: list[str] = []
    for file in sorted(file for file in tmp_path.rglob("*") if file.is_file()):
        content = file.read_text(encoding="utf-8")
        lines = content.split("\n")
        for damage in DAMAGES:
            for at in range(len(lines)):
                lost += losses(path, file, damage, at, lines)
                file.write_text(content, encoding="utf-8")
    assert not lost
