"""Finds all problems of a corpus at once, so that they can be corrected together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from referee.display import number_of
from referee.exceptions import FormatError
from referee.model import Corpus, Document, Mention, Span, Text

# Kinds of problems
UNREADABLE, EMPTY, ANNOTATION, DOCUMENT = "unreadable", "empty", "annotation", "document"
REPEATED, SENTENCE, CROSSING, WORDS, LOST = "repeated", "sentence", "crossing", "words", "lost"
SKIPPED = "skipped"
SHOWN = 40  # characters, and so at most as many words
CONTEXT = 20  # characters shown on either side of a difference


@dataclass(frozen=True, slots=True)
class Problem:
    """Where it is (the file, and the line where one is known), of which kind, and what."""

    where: str
    kind: str
    what: str

    def __str__(self) -> str:
        """Say it on one line."""
        return f"{self.where}: {self.what}" if self.where else self.what

    @property
    def file(self) -> str:
        """The file, or the folder."""
        return self.where.rpartition(":")[0] if self.line else self.where

    @property
    def line(self) -> int | None:
        """The line in the file, from 1."""
        line = self.where.rpartition(":")[2]
        return int(line) if line.isdecimal() and line != self.where else None


def problem_of(message: str, kind: str) -> Problem:
    """Make a problem of a message that begins with the file, and the line where it is known."""
    said = re.match(r"(?P<where>[^:]+(:\d+)?): (?P<what>.*)", message, re.DOTALL)
    return Problem(said["where"], kind, said["what"]) if said else Problem("", kind, message)


def problems(corpus: Corpus, key: Corpus | None = None) -> Iterator[Problem]:
    """List ill-formed annotation, and tokens that differ from the key's if one is given."""
    yield from (
        Problem(file, EMPTY, "the file is empty: it holds no document") for file in corpus.empty_files
    )
    yield from _document_names(corpus, key)
    numbers = {id_: number for number, id_ in enumerate(key.ids)} if key else {}
    for number, id_ in enumerate(corpus.ids):
        file = corpus.location(number).rsplit(":", 1)[0]
        yield from (Problem(f"{file}:{line}", ANNOTATION, what) for line, what in corpus.flaws(number))
        try:
            document = corpus.salvage(number)
        except FormatError:
            continue  # its flaws have been listed
        if not document.words:
            yield Problem(corpus.location(number), EMPTY, f"document {id_} has no words")
        yield from _mentions(corpus, number, document)
        if key and id_ in numbers:
            yield from _words(corpus, number, document, key, numbers[id_])
    yield from (problem_of(notice, SKIPPED) for notice in corpus.notices if notice not in corpus.about)


def _document_names(corpus: Corpus, key: Corpus | None) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    known = set(key.ids) if key else set()
    for number, id_ in enumerate(corpus.ids):
        where = corpus.location(number)
        if id_ in seen:
            yield Problem(
                where, DOCUMENT, f"document {id_} occurs here again, after {seen[id_]}; the last one counts"
            )
        seen[id_] = where
        if key and id_ not in known:
            yield Problem(where, DOCUMENT, f"the key has no document {id_}")
    if key:
        for id_ in dict.fromkeys(key.ids):
            if id_ not in seen:
                yield Problem(corpus.name, DOCUMENT, f"document {id_} of the key is missing")


def _mentions(corpus: Corpus, number: int, document: Document) -> Iterator[Problem]:
    """Find mentions that are repeated, cross each other, or run over the end of a sentence."""
    extent = _extents(document.text)
    listed = sorted((extent(m), m, cluster.id) for cluster in document.clusters for m in cluster.mentions)
    sentence_of = {
        token: i for i, (start, end) in enumerate(document.sentences) for token in range(start, end)
    }
    length = document.text.length
    sentence_of |= {length + i: zero.sentence for i, zero in enumerate(document.text.zeros)}
    crossed = _crossed([Mention.at(*span) for span, _, _ in listed])
    before: tuple[Mention, str] | None = None
    for (_, mention, cluster), other in zip(listed, crossed, strict=True):
        what: list[tuple[str, str]] = []
        if before and before[0] == mention:
            again = "again" if before[1] == cluster else f"in cluster {before[1]} too"
            what.append((REPEATED, f"is annotated {again}"))
        before = (mention, cluster)
        if sentence_of.get(mention.start) != sentence_of.get(mention.end - 1):
            what.append((SENTENCE, "runs over the end of its sentence"))
        if other is not None:
            what.append(
                (CROSSING, f"crosses {_show(document, listed[other][1])} of cluster {listed[other][2]}")
            )
        for kind, fault in what:
            shown = f"{_show(document, mention)} of cluster {cluster} {fault}"
            yield Problem(corpus.location(number, mention.start), kind, shown)


def _extents(text: Text) -> Callable[[Mention], Span]:
    """Make a function that says where a mention begins and ends, zeros among the written words."""
    if not text.zeros:
        return lambda mention: (mention.start, mention.end)
    position = {word: at for at, word in enumerate(text.reading_order())}

    def extent(mention: Mention) -> Span:
        positions = [position[word] for span in mention.spans for word in range(*span)]
        return min(positions), max(positions) + 1

    return extent


def _crossed(mentions: Sequence[Mention]) -> list[int | None]:
    """For each mention, in order, find an earlier one that ends inside it; the one that ends last.

    A mention is reported once however many it crosses: there may be as many pairs as mentions squared.
    """
    by_end = sorted(range(len(mentions)), key=lambda number: mentions[number].end)
    rank_of = {number: rank for rank, number in enumerate(by_end)}
    ends = [mentions[number].end for number in by_end]
    latest = _LatestBelow(len(mentions))
    crossed: list[int | None] = []
    waiting: list[int] = []  # mentions that start where the next one may start too
    for number, mention in enumerate(mentions):
        if waiting and mentions[waiting[0]].start < mention.start:
            for earlier in waiting:
                latest.add(rank_of[earlier])
            waiting = []
        waiting.append(number)
        rank = latest.below(bisect_left(ends, mention.end))
        inside = rank >= 0 and mention.start < ends[rank]
        crossed.append(by_end[rank] if inside else None)
    return crossed


class _LatestBelow:
    """Numbers that come in one by one, and the largest of them below any other (Fenwick 1994)."""

    def __init__(self, size: int) -> None:
        self._largest = [-1] * (size + 1)

    def add(self, number: int) -> None:
        """Take a number in."""
        node = number + 1
        while node < len(self._largest):
            self._largest[node] = max(self._largest[node], number)
            node += node & -node

    def below(self, limit: int) -> int:
        """Find the largest number below a limit; −1 if there is none."""
        largest = -1
        while limit:
            largest = max(largest, self._largest[limit])
            limit &= limit - 1
        return largest


def _show(document: Document, mention: Mention) -> str:
    start = mention.spans[0][0]
    spans = [(first, min(last, start + SHOWN)) for first, last in mention.spans if first < start + SHOWN]
    words = document.text.spelled(spans)
    whole = len(words) <= SHOWN and mention.end <= start + SHOWN
    return f"'{words}'" if whole else f"'{words[: SHOWN - 3]}…'"


def _words(
    corpus: Corpus, number: int, document: Document, key: Corpus, key_number: int
) -> Iterator[Problem]:
    """Compare the words with the key's up to the first that differs; texts that we cut, by characters."""
    if corpus.cut or key.cut:
        yield from _characters(corpus, number, document, key, key_number)
        return
    key_text = key.document(key_number).text
    ours, theirs = document.words[: document.text.length], key_text.words[: key_text.length]
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        if mine != other:
            yield Problem(
                corpus.location(number, i),
                WORDS,
                f"'{mine}' where the key has '{other}' ({key.location(key_number, i)}); "
                "the comparison ends here",
            )
            return
    if len(ours) != len(theirs):
        yield Problem(
            corpus.location(number),
            WORDS,
            f"document {document.id} has {number_of(len(ours), 'word')}, the key {len(theirs)}",
        )


def _characters(
    corpus: Corpus, number: int, document: Document, key: Corpus, key_number: int
) -> Iterator[Problem]:
    ours, theirs = ("".join("".join(d.words).split()) for d in (document, key.document(key_number)))
    if ours == theirs:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
    )
    start = max(at - CONTEXT, 0)
    yield Problem(
        corpus.location(number),
        WORDS,
        f"the text is '{ours[start : at + CONTEXT]}' where the key has '{theirs[start : at + CONTEXT]}', "
        "without blanks; the comparison ends here",
    )
