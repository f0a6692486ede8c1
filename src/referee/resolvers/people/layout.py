"""What the second pass sees of a text: words, where sentences and paragraphs begin, labelled speakers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.language.languages import ENGLISH
from referee.model import Span, Text
from referee.resolvers.people.labels import Spoken, spoken_lines
from referee.resolvers.people.names import Occurrence, name_occurrences

WRAPPED = 0.7  # of line ends that end a sentence, where each line is a paragraph
_DOUBLE = frozenset(('"', "“", "”", "``", "''"))
_ENDS = tuple(".!?:;\"'”’)-—*")


class Layout(NamedTuple):
    """The written words of a text, and what their arrangement shows."""

    words: Sequence[str]
    lower: Sequence[str]
    begins: Sequence[bool]  # whether a word begins a sentence
    paragraphs: Sequence[int]  # words that begin a paragraph; nothing where that is not known
    speakers: Sequence[str]  # who says each word, by labels; '' for nobody; nothing where there are none
    labels: Sequence[tuple[int, int, str]]  # the words of each label, the end excluded, and the speaker
    hearers: Mapping[str, str]  # who is greeted by a speaker
    names: Sequence[Occurrence]
    sides: Sequence[int] = ()  # 1 for a word with a blank before it alone, -1 behind it; () if not known

    @property
    def laid_out(self) -> bool:
        """Whether paragraphs are known."""
        return len(self.paragraphs) > 1


def layout_of(text: Text, language: str = ENGLISH) -> Layout:
    """See a text as the second pass does; labels and letters are those of a language.

    >>> from referee.resolvers.neural.cutting import cut_raw
    >>> layout = layout_of(cut_raw(Text("d", (), (), running="ANN: I go.\\nBEN: No.\\nANN: Yes.")))
    >>> layout.labels, layout.speakers[2]
    ([(0, 1, 'ANN'), (5, 6, 'BEN'), (9, 10, 'ANN')], 'ANN')
    """
    words = text.words[: text.length]
    begins = [False] * text.length
    for start, _ in text.sentences or [(0, text.length)]:
        begins[start : start + 1] = [True]
    parts = spoken_lines(text.running, language) if text.running is not None and text.characters else []
    lower = [word.lower() for word in words]
    hearers = {part.speaker: part.hearer[0] for part in parts if part.hearer}
    labelled = speakers_by_word(text, parts), _labels(text, parts), hearers
    names = name_occurrences(words, begins)
    return Layout(words, lower, begins, paragraph_begins(text), *labelled, names, _sides(text))


def _sides(text: Text) -> list[int]:
    """Say on which side of each word there is a blank, if on one alone.

    Single marks beside double ones are apostrophes.

    >>> from referee.resolvers.neural.cutting import cut_raw
    >>> _sides(cut_raw(Text("d", (), (), running='A "bad" one.')))
    [0, 1, 0, -1, 1, -1]
    """
    if text.running is None or len(text.characters) < text.length:
        return []
    ends = [-1, *(end for _, end in text.characters)]
    before = [start > end for (start, _), end in zip(text.characters, ends, strict=False)]
    sides = [here - behind for here, behind in zip(before, [*before[1:], True], strict=True)]
    if not _DOUBLE.isdisjoint(text.words):
        return [0 if word == "'" else side for word, side in zip(text.words, sides, strict=False)]
    return sides


def paragraph_begins(text: Text) -> list[int]:
    """List the words that begin a paragraph: behind an empty line, or any line end if lines are paragraphs.

    >>> from referee.resolvers.neural.cutting import cut_raw
    >>> paragraph_begins(cut_raw(Text("d", (), (), running="One\\nline.\\n\\nTwo.")))
    [0, 3]
    """
    if text.running is None or not text.characters:
        return []
    breaks, single = [(0, 2)], []
    for word in range(1, len(text.characters)):
        before = text.characters[word - 1][1]
        if lines := text.running.count("\n", before, text.characters[word][0]):
            breaks.append((word, lines))
            if lines == 1:
                single.append(text.running[before - 1] in _ENDS)
    each_line = sum(single) > WRAPPED * len(single)
    return [word for word, lines in breaks if lines > 1 or each_line]


def speakers_by_word(text: Text, parts: Sequence[Spoken]) -> list[str]:
    """Name the speaker of each word, '' for none; nothing where there are no labels."""
    speakers = [""] * text.length if parts else []
    starts = [start for start, _ in text.characters]
    for start, end, speaker, *_ in parts:
        inside = slice(bisect_left(starts, start), bisect_left(starts, end))
        speakers[inside] = [speaker] * (inside.stop - inside.start)
    return speakers


def _labels(text: Text, parts: Sequence[Spoken]) -> list[tuple[int, int, str]]:
    """Say which words each label is, one time each."""
    starts = [start for start, _ in text.characters]
    known: dict[Span, str] = {part.label: part.speaker for part in parts}
    known |= {part.hearer[1]: part.hearer[0] for part in parts if part.hearer}
    return [
        (bisect_left(starts, start), bisect_left(starts, end), speaker)
        for (start, end), speaker in sorted(known.items())
    ]
