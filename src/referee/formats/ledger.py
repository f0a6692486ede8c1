"""The lines that a reader does not use, each with the reason: what is read is used, or it is noted here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.format import USUAL, Reading
from referee.model import Corpus

FILES = 3  # that are named for one fault; the others are counted
RANGES = 8  # of lines that are named for one file; the others are counted
OUTSIDE = "outside of any document, and not read"
_Lines = dict[str, list[int]]  # file → lines


class Ledger:
    """What was not read, by reason and file; what a format's rules leave out is no fault of the file.

    >>> ledger = Ledger()
    >>> ledger.skip("a tag without text is skipped", "a.sgm:7")
    >>> ledger.skip(OUTSIDE, "a.sgm:1", "a.sgm:2", "a.sgm:9")
    >>> print(*ledger.notices(), sep="\\n")
    a.sgm:7: a tag without text is skipped
    a.sgm:1: outside of any document, and not read: lines 1-2, 9
    """

    def __init__(self, reading: Reading = USUAL) -> None:
        """Begin with nothing skipped; a gentle reading lists errors where others let them through."""
        self.reading = reading
        self._errors: list[str] = []
        self._skipped: dict[str, _Lines] = {}  # by reason
        self._left_out: dict[str, _Lines] = {}

    def skip(self, reason: str, *places: str) -> None:
        """Note places, FILE:LINE, that should have been read."""
        _add(self._skipped, reason, places)

    def leave_out(self, reason: str, *places: str) -> None:
        """Note places, FILE:LINE, that the format's rules leave out."""
        _add(self._left_out, reason, places)

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Let the error of a line through, or note it and go on with the next."""
        try:
            yield
        except FormatError as error:
            if not self.reading.gentle:
                raise
            self._errors.append(str(error))

    def notices(self) -> list[str]:
        """Say what should have been read: for each reason the lines of some files, and how many more."""
        skipped = self._skipped.items()
        return [
            *self._errors,
            *(notice for reason, files in skipped for notice in _said(reason, files, FILES)),
        ]

    def left_out(self) -> list[str]:
        """Say what the rules leave out, in the same way."""
        return [notice for reason, files in self._left_out.items() for notice in _said(reason, files, 1)]

    def close(self, corpus: Corpus, about: Iterable[str] = ()) -> None:
        """Give a corpus its notices; `about` are those that only say what it is."""
        corpus.about = [*about, *self.left_out()]
        corpus.notices = [*self.notices(), *corpus.about]


def _add(reasons: dict[str, _Lines], reason: str, places: Iterable[str]) -> None:
    for place in places:
        path, _, line = place.rpartition(":")
        reasons.setdefault(reason, {}).setdefault(path, []).append(int(line))


def _said(reason: str, files: _Lines, shown: int) -> Iterator[str]:
    names = [*files]
    for number, path in enumerate(names[:shown], start=1):
        lines = sorted(set(files[path]))
        times = f" ({len(files[path])} times)" if len(files[path]) > len(lines) else ""
        where = f": lines {line_ranges(lines)}" if len(lines) > 1 else ""
        others = names[shown:] if number == shown else []
        more = (
            f"; {sum(len(files[name]) for name in others):,} more in {number_of(len(others), 'other file')}"
        )
        yield f"{path}:{lines[0]}: {reason}{times}{where}{more if others else ''}"


def line_ranges(lines: Iterable[int]) -> str:
    """Write numbers of lines with those in a row together.

    >>> line_ranges([3, 4, 5, 9])
    '3-5, 9'
    """
    ordered = sorted(set(lines))
    firsts = [ordered[0], *(after for before, after in pairwise(ordered) if after > before + 1)]
    lasts = [*(before for before, after in pairwise(ordered) if after > before + 1), ordered[-1]]
    ranges = [f"{a}-{b}" if a < b else str(a) for a, b in zip(firsts, lasts, strict=True)]
    more = len(ranges) - RANGES
    return ", ".join(ranges[:RANGES]) + (
        f" and {more} more, {len(ordered):,} lines in all" if more > 0 else ""
    )


def filled_lines(path: str, text: str, first: int = 1) -> list[str]:
    """List the places, FILE:LINE, of lines that are not blank; `first` is the number of the first one.

    >>> filled_lines("a", "x\\n\\ny", first=4)
    ['a:4', 'a:6']
    """
    return [f"{path}:{n}" for n, line in enumerate(text.split("\n"), start=first) if line.strip()]
