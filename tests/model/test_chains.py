"""The integer form of annotations: it says the same as the documents, and pieces of it can be joined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Document, Mention
from referee.model import UNKNOWN, Chains

LENGTH = 12
Spans = tuple[tuple[int, int], ...]


@st.composite
def mentions(draw: st.DrawFn) -> Mention:
    """Draw a mention, perhaps with a gap, a minimum span or a head."""
    start = draw(st.integers(0, 4))
    spans: Spans = ((start, start + draw(st.integers(1, 3))),)
    if draw(st.booleans()):
        spans = (*spans, (9, 9 + draw(st.integers(1, 2))))
    minimum = (spans[-1],) if draw(st.booleans()) else None
    return Mention(spans, minimum, head=spans[0][0] if draw(st.booleans()) else None)


documents = st.lists(
    st.none() | st.lists(st.lists(mentions(), min_size=1, max_size=3), max_size=3), min_size=1, max_size=4
)


def made(clusters: list[list[Mention]] | None, number: int) -> Document | None:
    if clusters is None:
        return None
    named = [Cluster(f"c{i % 2}-{number}", tuple(some)) for i, some in enumerate(clusters)]
    return Document.of(f"d{number}", "w" * LENGTH, [(0, LENGTH)], named)


def told(chains: Chains) -> list[tuple[object, ...]]:
    """Write out every row."""
    parts, minimums = chains.parts.by_row(), chains.minimums.by_row()
    return [
        (
            int(chains.document[row]),
            chains.mention(row, parts).spans,
            int(chains.cluster[row]),
            minimums.get(row),
            UNKNOWN if chains.head is None else int(chains.head[row]),
        )
        for row in range(chains.start.size)
    ]


@given(documents)
def test_rows_say_what_the_documents_do(drawn: list[list[list[Mention]] | None]) -> None:
    given_documents = [made(clusters, number) for number, clusters in enumerate(drawn)]
    chains = Chains.of(given_documents)
    expected = []
    cluster_number = 0
    for number, document in enumerate(given_documents):
        for cluster in document.clusters if document else ():
            for m in cluster.mentions:
                head = UNKNOWN if m.head is None else m.head
                expected.append((number, m.spans, cluster_number, m.minimum, head))
            cluster_number += 1
    assert told(chains) == expected
    assert chains.lengths.tolist() == [UNKNOWN if d is None else LENGTH for d in given_documents]


@given(documents, st.integers(0, 4))
def test_joined_pieces_are_the_whole(drawn: list[list[list[Mention]] | None], cut: int) -> None:
    given_documents = [made(clusters, number) for number, clusters in enumerate(drawn)]
    for across in (False, True):
        whole = Chains.of(given_documents, cross_document=across)
        pieces = [
            Chains.of(some, cross_document=across) for some in (given_documents[:cut], given_documents[cut:])
        ]
        joined = Chains.joined(pieces)
        assert told(joined) == told(whole)
        for column in ("cluster_document", "lengths"):
            assert getattr(joined, column).tolist() == getattr(whole, column).tolist()
        if whole.entity is not None and joined.entity is not None:  # ids of two pieces are never the same
            assert joined.entity.tolist() == whole.entity.tolist()
