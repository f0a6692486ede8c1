"""A part of a document as a document of its own, and its mentions in the words of the whole."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.model.layers import NO_WORD
from referee.model.mentions import Cluster, Mention, Span, joined_spans
from referee.model.text import Document, Text, Zero


@dataclass(frozen=True)
class Window:
    """Some words of a document, in a row, with the zeros among them and the mentions that lie inside.

    >>> whole = Document.of("d", "a b c d".split(), [(0, 2), (2, 4)], [Cluster("1", (Mention.at(2, 4),))])
    >>> window = Window.of(whole, 2, 4)
    >>> window.document.words, window.document.clusters[0].mentions[0].spans
    (('c', 'd'), ((0, 2),))
    >>> window.in_whole(Mention.at(1, 2)).spans
    ((3, 4),)
    """

    document: Document
    words: tuple[int, ...]  # the number of each word in the whole document
    start: int
    end: int
    _number: Mapping[int, int] = field(repr=False)  # word of the whole → word of the window

    @classmethod
    def of(cls, whole: Document, start: int, end: int) -> Window:
        """Cut a window out of a document: the written words from `start` to before `end`."""
        text = whole.text
        zeros = [number for number, zero in enumerate(text.zeros) if _is_inside(zero, start, end)]
        words = (*range(start, end), *(text.length + number for number in zeros))
        number = {word: position for position, word in enumerate(words)}
        part = Text(
            text.id,
            tuple(text.words[word] for word in words),
            tuple(_clipped(text.sentences, start, end)),
            running=_running(text, start, end),
            characters=_characters(text, start, end),
            cut=text.cut,
            zeros=tuple(_moved(text.zeros[zero], start, number) for zero in zeros),
        )
        window = cls(Document(part, ()), words, start, end, number)
        return cls(Document(part, tuple(window._clusters(whole.clusters))), words, start, end, number)

    def in_whole(self, mention: Mention) -> Mention:
        """Give a mention of the window in the words of the whole document."""
        return Mention(joined_spans([(self.words[word], self.words[word] + 1) for word in _words(mention)]))

    def _clusters(self, clusters: Iterable[Cluster]) -> Iterable[Cluster]:
        for cluster in clusters:
            inside = [moved for mention in cluster.mentions if (moved := self._moved_mention(mention))]
            if inside:
                yield Cluster(cluster.id, tuple(inside), cluster.type)

    def _moved_mention(self, mention: Mention) -> Mention | None:
        if not (mention.start in self._number and mention.end - 1 in self._number):
            return None
        places = [self._number.get(word) for word in _words(mention)]
        inside = [place for place in places if place is not None]
        if len(inside) < len(places):
            return None
        return Mention(joined_spans([(place, place + 1) for place in inside]))


def _words(mention: Mention) -> Iterable[int]:
    return (word for start, end in mention.spans for word in range(start, end))


def _is_inside(zero: Zero, start: int, end: int) -> bool:
    """Whether a zero belongs to a window; at a border its sentence decides."""
    if start < zero.before < end:
        return True
    at_start, at_end = zero.before == start, zero.before == end
    return (at_start and bool(zero.sentence or start == 0)) or (at_end and not zero.sentence)


def _moved(zero: Zero, start: int, number: Mapping[int, int]) -> Zero:
    governors = ((word if word == NO_WORD else number.get(word), how) for word, how in zero.governors)
    known = tuple((word, how) for word, how in governors if word is not None)
    return Zero(zero.before - start, zero.ordinal, zero.sentence, known)


def _clipped(spans: Iterable[Span], start: int, end: int) -> Iterable[Span]:
    for first, last in spans:
        if max(first, start) < min(last, end):
            yield max(first, start) - start, min(last, end) - start


def _running(text: Text, start: int, end: int) -> str | None:
    if text.running is None:
        return None
    return text.running[text.characters[start][0] : text.characters[end - 1][1]] if start < end else ""


def _characters(text: Text, start: int, end: int) -> tuple[Span, ...]:
    inside = text.characters[start:end]
    return tuple((one - inside[0][0], two - inside[0][0]) for one, two in inside)


def window_spans(text: Text, size: int | None, overlap: int = 0) -> list[Span]:
    """Cut a text into windows of at most `size` words, between sentences as far as possible.

    A window begins with whole sentences of the one before it, which have at least `overlap` words.

    >>> window_spans(Document.of("d", "a b c d e f g".split(), [(0, 2), (2, 4), (4, 7)], []).text, 5, 1)
    [(0, 4), (2, 7)]
    >>> window_spans(Document.of("d", "a b c d".split(), [(0, 4)], []).text, 3, 1)
    [(0, 3), (2, 4)]
    """
    if size is None or text.length <= size:
        return [(0, text.length)]
    edges = [start for start, _ in text.stretches] + [text.length]
    spans = [(0, _last_edge(edges, size, after=0))]
    while spans[-1][1] < text.length:
        before, end = spans[-1]
        start = _last_edge(edges, max(end - overlap, before + 1), after=before)
        spans.append((start, _last_edge(edges, start + size, after=end)))
    return spans


def _last_edge(edges: list[int], limit: int, *, after: int) -> int:
    """Find the last border of a sentence up to a limit; the limit itself if there is none."""
    position = bisect_right(edges, limit) - 1
    return edges[position] if edges[position] > after else limit
