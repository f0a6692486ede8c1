"""What a marked text says: its plain text, the mentions that are marked in it, and tags that went wrong."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from referee.model import Cluster, Document, Mention, Span, Text, Zero, cut_text, joined_spans

# Why a mention is lost.
UNCLOSED, UNOPENED, EMPTY, NO_ID, NO_MENTION, NOT_FOUND, OUTSIDE_TEXT, CUT_OFF = (
    "unclosed", "unopened", "empty", "no id", "not a mention", "text not found", "outside the text",
    "the answer breaks off",
)  # fmt: skip
ZERO_MARK = "##"  # begins a word that is not written
SHOWN = 40  # characters of a mention in a message
LOOKED_AT = 2 * SHOWN  # before white space is left out
WRITTEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Mark:
    """A mention as it is marked: characters of the plain text, zeros in it, and where its tag is."""

    start: int
    end: int
    id: str
    position: int  # in the file as it was read
    zeros: range = range(0)


@dataclass(frozen=True, slots=True)
class BrokenTag:
    """A tag that marks no mention, why, and what it was near."""

    reason: str
    shown: str
    position: int
    sign: int | None = None  # the character of the plain text, if it may be a sign of the text after all


@dataclass(frozen=True, slots=True)
class Wanted:
    """A mention of a text that is not given: a string to look for, or the first and last of its words."""

    id: str
    target: str | Span
    position: int
    offsets: Span | None = None  # where a string is said to be


@dataclass(frozen=True, slots=True)
class Marking:
    """A marked text: plain text with mentions, or mentions of a text that has to be looked up."""

    text: str
    marks: Sequence[Mark] = ()
    faults: Sequence[BrokenTag] = ()
    words: tuple[Span, ...] | None = None  # characters of each word, if the notation has words
    zeros: tuple[tuple[int, str], ...] = ()  # of each, how many words come before it, and its form
    wanted: Sequence[Wanted] = ()
    has_text: bool = True
    repairs: tuple[str, ...] = ()  # what had to be changed before it could be read

    def shown(self, mark: Mark) -> str:
        """Write a mention out for a message."""
        return abridged(self.text[mark.start : min(mark.end, mark.start + LOOKED_AT)] or ZERO_MARK)


def abridged(words: str) -> str:
    """Write words on one line, the first few of many."""
    plain = " ".join(words[:LOOKED_AT].split())
    return plain if len(plain) <= SHOWN else f"{plain[: SHOWN - 1]}…"


def marking_of_tokens(
    tokens: Sequence[str], spans: Iterable[tuple[str, Span, int]], faults: Sequence[BrokenTag] = ()
) -> Marking:
    """Make a marking of words, some of which are zeros; `spans` are ids, tokens and where the tags are."""
    words: list[Span] = []
    zeros: list[tuple[int, str]] = []
    written = [0]  # token → words before it
    pieces: list[str] = []
    end = -1
    for token in tokens:
        if token.startswith(ZERO_MARK):
            zeros.append((len(words), token.removeprefix(ZERO_MARK)))
        else:
            words.append((end + 1, end + 1 + len(token)))
            end = words[-1][1]
            pieces.append(token)
        written.append(len(words))
    marks = []
    for id_, (first, last), position in spans:
        start, stop = written[first], written[last]
        zeros_within = range(first - start, last - stop)
        edges = (words[start][0], words[stop - 1][1]) if start < stop else (0, 0)
        marks.append(Mark(*edges, id_, position, zeros_within))
    return Marking(" ".join(pieces), marks, faults, tuple(words), tuple(zeros))


def document_of_marking(marking: Marking, id_: str) -> Document:
    """Make a document whose words are those of the marked text itself; lines are its sentences."""
    if marking.words is None:
        clusters = _clusters((mark.id, Mention.at(mark.start, mark.end)) for mark in marking.marks)
        document = cut_text(id_, marking.text, clusters)
        return document.with_text(sentences=tuple(_lines(document.text)))
    starts = [start for start, _ in marking.words]
    length = len(starts)

    def spans(mark: Mark) -> tuple[Span, ...]:
        written = [(bisect_left(starts, mark.start), bisect_left(starts, mark.end))]
        return joined_spans([*(written if mark.start < mark.end else ()), *_of_zeros(mark, length)])

    words = [marking.text[start:end] for start, end in marking.words]
    text = Text(
        id_,
        (*words, *(form or "_" for _, form in marking.zeros)),
        ((0, length),) if length else (),
        zeros=tuple(_zeros(marking.zeros)),
    )
    return Document(text, tuple(_clusters((mark.id, Mention(spans(mark))) for mark in marking.marks)))


def _of_zeros(mark: Mark, length: int) -> list[Span]:
    return [(length + mark.zeros.start, length + mark.zeros.stop)] * bool(mark.zeros)


def _zeros(given: Iterable[tuple[int, str]]) -> Iterable[Zero]:
    """Number zeros that are in one place."""
    before: int | None = None
    ordinal = 0
    for words, _ in given:
        ordinal = ordinal + 1 if words == before else 1
        before = words
        yield Zero(words, ordinal)


def _clusters(mentions: Iterable[tuple[str, Mention]]) -> list[Cluster]:
    """Sort mentions into clusters, in the order of their first mentions."""
    by_id: dict[str, list[Mention]] = {}
    for id_, mention in mentions:
        by_id.setdefault(id_, []).append(mention)
    clusters = [Cluster(id_, tuple(sorted(members))) for id_, members in by_id.items()]
    return sorted(clusters, key=lambda cluster: cluster.mentions[0])


def _lines(text: Text) -> Iterable[Span]:
    """Cut sentences where a line ends."""
    assert text.running is not None
    starts = [0] * bool(text.words)
    for word, (one, two) in enumerate(pairwise(text.characters), 1):
        if "\n" in text.running[one[1] : two[0]]:
            starts.append(word)
    return pairwise([*starts, len(text.words)]) if starts else ()


def without_empty(marking: Marking) -> Marking:
    """Take white space off the mentions of running text, and report those that are nothing else."""
    marks, faults = [], list(marking.faults)
    written = [match.span() for match in WRITTEN.finditer(marking.text)]
    starts, ends = [start for start, _ in written], [end for _, end in written]
    for mark in marking.marks:
        first, last = bisect_right(ends, mark.start), bisect_left(starts, mark.end) - 1
        if first <= last:
            start, end = max(mark.start, starts[first]), min(mark.end, ends[last])
            marks.append(replace(mark, start=start, end=end))
        else:
            faults.append(BrokenTag(EMPTY, f"id {abridged(mark.id)}", mark.position))
    return replace(marking, marks=marks, faults=faults)
