"""Windows: every word is in one, borders are sentences', and mentions come back as they were."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Document, Mention
from referee.model import Text, Window, Zero, window_spans


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 12), st.integers(0, 11))
def test_windows_cover_a_text(sentences: list[int], size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    edges = [0]
    for length in sentences:
        edges.append(edges[-1] + length)
    text = Text("d", tuple("a" * edges[-1]), tuple(pairwise(edges)))
    spans = window_spans(text, size, overlap)
    assert spans[0][0] == 0
    assert spans[-1][1] == text.length
    for (start, end), (later, last) in pairwise(spans):
        assert start < later <= end < last
        assert end - later >= min(overlap, end - start - 1)
    for start, end in spans:
        assert 0 < end - start <= size
        wanted = [edge for edge in edges if start < edge <= start + size]
        assert end in edges or not [edge for edge in wanted if edge > max(start, *before(spans, start))]


def before(spans: list[tuple[int, int]], start: int) -> list[int]:
    """List the ends of the windows before one."""
    return [end for first, end in spans if first < start] or [0, 0]


def test_a_text_without_a_size_is_one_window() -> None:
    text = Text("d", ("a", "b"), ((0, 2),))
    assert window_spans(text, None) == window_spans(text, 2) == [(0, 2)]


def test_a_window_has_the_mentions_inside_and_gives_them_back() -> None:
    mentions = (Mention.at(0, 1), Mention.at(2, 4), Mention(((2, 3), (4, 5))), Mention.at(3, 6))
    whole = Document.of("d", list("abcdef"), [(0, 2), (2, 6)], [Cluster("x", mentions)])
    window = Window.of(whole, 2, 5)
    assert window.document.words == ("c", "d", "e")
    assert window.document.sentences == ((0, 3),)
    (cluster,) = window.document.clusters
    assert [mention.spans for mention in cluster.mentions] == [((0, 2),), ((0, 1), (2, 3))]
    assert [window.in_whole(mention) for mention in cluster.mentions] == list(mentions[1:3])


def test_zeros_belong_to_the_window_of_their_sentence() -> None:
    zeros = (Zero(2, 1, 0, ((1, "nsubj"),)), Zero(2, 1, 1, ((3, "nsubj"),)), Zero(4))
    text = Text("d", ("a", "b", "c", "d", "x", "y", "z"), ((0, 2), (2, 4)), zeros=zeros)
    whole = Document(text, (Cluster("1", (Mention.at(4, 5), Mention.at(5, 6), Mention.at(6, 7))),))
    first, second = Window.of(whole, 0, 2), Window.of(whole, 2, 4)
    assert (first.document.words, second.document.words) == (("a", "b", "x"), ("c", "d", "y", "z"))
    assert second.document.text.zeros[0] == Zero(0, 1, 1, ((1, "nsubj"),))
    told = [w.in_whole(m).spans for w in (first, second) for m in w.document.clusters[0].mentions]
    assert told == [((4, 5),), ((5, 6),), ((6, 7),)]


def test_running_text_is_cut_along() -> None:
    text = Text(
        "d", ("Ann", "'s", "cat"), ((0, 3),), running=" Ann's  cat", characters=((1, 4), (4, 6), (8, 11))
    )
    part = Window.of(Document(text, ()), 1, 3).document.text
    assert (part.running, part.characters) == ("'s  cat", ((0, 2), (4, 7)))
    assert Window.of(Document(text, ()), 0, 3).document.text.running == "Ann's  cat"
