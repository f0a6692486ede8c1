"""The middle: batches, units, and texts with other words."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, Protocol, ProtocolError, score
from referee.matching import aligned as room
from referee.matching.aligned import Aligned
from referee.matching.batch import Batch, ReadBatch
from referee.matching.matcher import Matcher
from referee.matching.units import DocumentUnits
from referee.metrics.contingency import Membership
from referee.model import cut_text
from referee.scoring.evaluate import score_aligned
from small_corpora import DOCUMENTS, Clusters, corpus, crossing_clusters
from studies import analyse

TEXT = "Ann's dog bit Bo. He wept."
KEY = cut_text("d", TEXT, [Cluster("0", (Mention.at(14, 16), Mention.at(18, 20)))])


def grouping(side: Membership) -> set[tuple[int, frozenset[int]]]:
    """Tell a membership by what is together: unit and mentions of each cluster."""
    clusters: dict[int, set[int]] = {}
    for mention, cluster in zip(side.mention.tolist(), side.cluster.tolist(), strict=True):
        clusters.setdefault(cluster, set()).add(mention)
    return {(int(side.unit_of_cluster[c]), frozenset(some)) for c, some in clusters.items()}


@pytest.mark.parametrize("scope", ["document", "topic", "corpus"])
@given(key=crossing_clusters(), response=crossing_clusters(), cuts=st.sets(st.integers(0, 5)))
def test_joined_batches_are_one_large_one(
    scope: str, key: Clusters, response: Clusters, cuts: set[int]
) -> None:
    sides = corpus(key, DOCUMENTS), corpus(response, DOCUMENTS)
    both = Aligned.of(*sides, Protocol(scope=scope))
    whole = both.read(range(len(both.units)))
    edges = sorted({0, *(cut for cut in cuts if cut < len(both.units)), len(both.units)})
    pieces = Batch.joined([both.read(range(*edge)) for edge in pairwise(edges)])
    assert pieces.pairs == whole.pairs
    assert pieces.unit_of_document.tolist() == whole.unit_of_document.tolist()
    numbers = dict(
        zip(np.concatenate(whole.numbers).tolist(), np.concatenate(pieces.numbers).tolist(), strict=True)
    )
    for one, other in zip(whole.sides, pieces.sides, strict=True):
        renumbered = replace(one, mention=np.array([numbers[m] for m in one.mention.tolist()], np.int64))
        assert grouping(renumbered) == grouping(other)


@given(key=crossing_clusters(), response=crossing_clusters())
def test_a_mention_has_a_partner_if_the_other_side_has_its_number(key: Clusters, response: Clusters) -> None:
    both = Aligned.of(corpus(key, DOCUMENTS), corpus(response, DOCUMENTS), Protocol())
    batch = both.read(range(len(both.units)))
    assert isinstance(batch, ReadBatch)
    sides = batch.mention_rows()
    for side, other in (sides, sides[::-1]):
        there = {*other.number.tolist()}
        expected = [number if number in there else -1 for number in side.number.tolist()]
        assert side.partner.tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.none() | st.integers(0, 9)), max_size=8), st.integers(1, 40))
def test_a_batch_ends_with_the_unit_that_makes_it_heavy_enough(
    sizes: list[tuple[int, int | None]], batch: int
) -> None:
    words = [tuple("w" * size) for size, _ in sizes], [tuple("w" * (size or 0)) for _, size in sizes]
    key, response = (
        DocumentCorpus(
            [Document.of(f"d{n}", some, ((0, len(some)),), ()) for n, some in enumerate(side)], "made"
        )
        for side in words
    )
    pairs = [(number, None if size is None else number) for number, (_, size) in enumerate(sizes)]
    matcher = Matcher.of(key, Protocol(), None)
    both = Aligned(key, response, Protocol(), DocumentUnits(key.ids, pairs), matcher, [])
    expected: list[list[int]] = []
    left = 0
    for number, (ours, theirs) in enumerate(sizes):
        expected += [[]] * (left <= 0)
        left = (batch if left <= 0 else left) - 10 * ours - 10 * (theirs or 0)
        expected[-1] = [*expected[-1], number]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "BATCH", batch)
        assert [[*some] for some in both.batches()] == expected


def test_a_response_with_other_words_is_told_in_the_words_of_the_key() -> None:
    """The same mentions in a text that was cut elsewhere, and one that covers part of a word."""
    clusters = [Cluster("0", (Mention.at(14, 16), Mention.at(18, 20), Mention.at(6, 8)))]
    response = cut_text("d", TEXT, clusters)
    assert response.words != KEY.words
    both = Aligned.of(DocumentCorpus([KEY]), DocumentCorpus([response]), Protocol())
    read = both.read(range(1))
    spelled = [KEY.text.spelled([span]) for span in zip(read.response.start, read.response.end, strict=True)]
    assert spelled == ["Bo", "He", "dog"]  # "do" is told as the word that holds it
    result = score_aligned(both)
    assert result.mentions.recall == 1
    assert result.mentions.precision == pytest.approx(2 / 3)


def test_characters_and_words_give_the_same_scores() -> None:
    words = tuple(KEY.words)
    tokenised = Document.of("d", words, [(0, len(words))], KEY.clusters)
    for key, response in ((tokenised, KEY), (KEY, tokenised)):
        assert score(DocumentCorpus([key]), DocumentCorpus([response])).conll == 1


def test_other_characters_are_refused() -> None:
    other = cut_text("d", TEXT + "!", [])
    with pytest.raises(FormatError, match="21 characters in the key, 22 in the response"):
        score(DocumentCorpus([KEY]), DocumentCorpus([other]))


@pytest.mark.parametrize(
    ("key", "response", "refused"), [(1, 1, False), (1, 0, True), (0, 1, True), (0, 0, True)]
)
def test_without_a_common_name_only_files_of_the_reference_scorer_are_scored(
    key: int, response: int, refused: bool
) -> None:
    def side(name: str, by_reference: int) -> DocumentCorpus:
        documents = [Document.of(f"{name}{number}", ("a",), ((0, 1),), ()) for number in range(2)]
        made = DocumentCorpus(documents, name)
        made.reference_names = bool(by_reference)
        return made

    sides = side("d", key), side("e", response)
    if refused:
        with pytest.raises(FormatError, match="give them the same names"):
            Aligned.of(*sides, Protocol())
    else:
        assert Aligned.of(*sides, Protocol()).labels == ["d0", "d1"]


def test_trees_need_words() -> None:
    with pytest.raises(
        ProtocolError, match="a running text has no words of its own, which match='mina' needs"
    ):
        score(DocumentCorpus([KEY]), DocumentCorpus([KEY]), protocol=Protocol(match="mina"))


@given(st.lists(st.tuples(st.integers(0, 24), st.integers(1, 6)), min_size=1, max_size=6))
def test_mentions_anywhere_in_a_running_text_match_themselves(drawn: list[tuple[int, int]]) -> None:
    spans = {(start, min(start + size, len(TEXT))) for start, size in drawn}
    spans = {(s, e) for s, e in spans if TEXT[s].strip() and TEXT[e - 1].strip()}
    response = cut_text(
        "d", TEXT, [Cluster("0", tuple(Mention.at(*span) for span in sorted(spans)))] * bool(spans)
    )
    result = score(DocumentCorpus([response]), DocumentCorpus([response]))
    assert result.mentions.counts["recall_numerator"] == len(spans)
    against = score(DocumentCorpus([KEY]), DocumentCorpus([response]))
    assert against.mentions.counts["recall_numerator"] == len(spans & {(14, 16), (18, 20)})


@pytest.mark.parametrize("repeated", ["key", "response"])
def test_a_strict_protocol_refuses_repeated_mentions_everywhere(repeated: str) -> None:
    once = Document.of("d", "abcd", [(0, 4)], [Cluster("0", (Mention.at(0, 1), Mention.at(2, 3)))])
    twice = replace(once, clusters=(*once.clusters, Cluster("1", (Mention.at(0, 1),))))
    sides = (twice, once) if repeated == "key" else (once, twice)
    key, response = (
        DocumentCorpus([side], name) for side, name in zip(sides, ("key", "response"), strict=True)
    )
    strict = Protocol(input="strict")
    for work in (score, analyse):
        with pytest.raises(FormatError, match=f"{repeated}: 1 repeated mention.*protocol='strict' refuses"):
            work(key, response, protocol=strict)


def test_mentions_with_gaps_are_told_in_the_words_of_the_key() -> None:
    split = Mention(((0, 3), (6, 9)))  # "Ann … dog"
    response = cut_text("d", TEXT, [Cluster("0", (split, Mention.at(14, 16)))])
    read = Aligned.of(DocumentCorpus([KEY]), DocumentCorpus([response]), Protocol()).read(range(1))
    parts = read.response.parts.by_row()
    assert [KEY.text.spelled(read.response.mention(row, parts).spans) for row in (0, 1)] == ["Ann dog", "Bo"]
    assert (int(read.response.start[0]), int(read.response.end[0])) == (0, 4)


@pytest.mark.parametrize(("missing", "said"), [(3, "d0, d1, d2"), (4, "d0, d1, d2 and 1 more")])
def test_three_names_are_shown_of_many(missing: int, said: str) -> None:
    documents = [Document.of(f"d{i}", "ab", [(0, 2)], []) for i in range(missing + 1)]
    result = score(DocumentCorpus(documents), DocumentCorpus(documents[-1:], "r"))
    assert any(notice.endswith(f"scored as empty: {said}") for notice in result.notices)
