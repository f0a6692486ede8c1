"""What Hypothesis draws: clusterings of few mentions, so that coincidences are common."""

from __future__ import annotations

from hypothesis import strategies as st

Clusters = list[list[int]]

MENTIONS = 9


@st.composite
def partitions(draw: st.DrawFn) -> Clusters:
    """Clusters without repeats, of some of the mentions."""
    labels = draw(st.lists(st.integers(-1, 4), min_size=0, max_size=MENTIONS))
    found: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        if label >= 0:
            found.setdefault(label, []).append(mention)
    return list(found.values())


@st.composite
def pairs_of_partitions(draw: st.DrawFn) -> tuple[Clusters, Clusters]:
    """A key and a response; the response's mentions are shifted by up to two, so that some are twinless."""
    shift = draw(st.integers(0, 2))
    response = [[mention + shift for mention in cluster] for cluster in draw(partitions())]
    return draw(partitions()), response


def clusters_with_repeats() -> st.SearchStrategy[Clusters]:
    """Clusters in which mentions may stand twice, in one cluster or in several."""
    return st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5), max_size=4)
