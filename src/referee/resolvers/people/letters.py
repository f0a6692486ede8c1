"""Letters in other languages than English: who is greeted in one of the first lines, and who signs the last.

    Liebe Hanna, …  Deine Petra          Sehr geehrter Herr Dr. Otto Klein! …  Mit freundlichen Grüßen, Petra

The table of a language has the words of greetings and of closings that stand beside names.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from referee.language.word_classes import classes_of, languages
from referee.model import Span

GREETED = 12  # lines, in which a letter greets
ENDS = (",", "!", ":", "-", "–", "—")
LONGEST = 4  # words of a name with its titles


class Spoken(NamedTuple):
    """A stretch of text, in characters, that one speaker says; `label` is where the speaker is named.

    `hearer` is who is greeted in a letter, with the place of the name.
    """

    start: int
    end: int
    speaker: str
    label: Span
    hearer: tuple[str, Span] | None = None


def letter(lines: Sequence[tuple[int, str]], language: str) -> list[Spoken]:
    """Take a letter's greeting and the name under it; nothing where one of them is missing.

    >>> lines = [(0, "Liebe Hanna,\\n"), (13, "wie geht es dir?\\n"), (30, "Deine Petra\\n")]
    >>> [(part.speaker, part.label, part.hearer) for part in letter(lines, "de")]
    [('Petra', (36, 41), ('Hanna', (6, 11)))]
    """
    known = classes_of(language) if language in languages() else None
    written = [(start, line) for start, line in lines if line.strip()]
    if known is None or not known.greetings or len(written) < 3:
        return []
    greeted = next((who for place in lines[:GREETED] if (who := _greeted(*place, known.greetings))), None)
    signed = _signed(*written[-1], known.closings)
    if greeted is None or signed is None:
        return []
    (hearer, place, begin), (speaker, label) = greeted, signed
    return [Spoken(begin, label[0], speaker, label, (hearer, place))]


def _greeted(start: int, line: str, greetings: Collection[str]) -> tuple[str, Span, int] | None:
    """Find who is greeted at the beginning of a line, and where the letter goes on."""
    ends = [at for mark in ENDS if (at := line.find(mark)) > 0]
    words = _words(line[: min(ends)]) if ends else []
    if not words or words[0][0].lower() not in greetings:
        return None
    name = words[
        next((at for at, (word, _) in enumerate(words) if word.lower() not in greetings), len(words)) :
    ]
    is_name = _is_name(name) or len(name) == 1  # Liebe Hanna, or: Lieve oma
    return (*_named(start, line, name), start + min(ends) + 1) if is_name else None


def _signed(start: int, line: str, closings: Collection[str]) -> tuple[str, Span] | None:
    """Find the name in a last line, behind the words of a closing."""
    words = _words(line)
    while words and words[0][0].lower().rstrip(",:") in closings:
        words.pop(0)
    whole = _is_name(words) and all(word[:1].isupper() for word, _ in words)
    return _named(start, line, words) if whole else None


def _words(line: str) -> list[tuple[str, int]]:
    """Cut a line at blanks: words, and where they begin."""
    found, place = [], 0
    for word in line.split():
        place = line.index(word, place)
        found.append((word, place))
        place += len(word)
    return found


def _is_name(words: Sequence[tuple[str, int]]) -> bool:
    return 0 < len(words) <= LONGEST and any(word[:1].isupper() for word, _ in words)


def _named(start: int, line: str, words: Sequence[tuple[str, int]]) -> tuple[str, Span]:
    begin, end = words[0][1], words[-1][1] + len(words[-1][0].rstrip(".,!"))
    return line[begin:end], (start + begin, start + end)
