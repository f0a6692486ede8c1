"""Mentions of several spans: their gaps are kept, or filled on both sides."""

from __future__ import annotations

import pytest

from corpora import corpus as corpus_folder
from referee import Cluster, Document, Mention, Protocol, ProtocolError, Scorer, formats, score
from referee.model import Chains, DocumentCorpus, Text, Zero

WORDS = ("She", "checked", "herself", "in", "today")
GAP, WHOLE, OTHER = Mention(((1, 2), (3, 4))), Mention.at(1, 4), Mention.at(0, 1)


def corpus(*clusters: tuple[Mention, ...]) -> DocumentCorpus:
    made = tuple(Cluster(str(number), mentions) for number, mentions in enumerate(clusters))
    return DocumentCorpus([Document.of("d", WORDS, ((0, 5),), made)])


def common(key: DocumentCorpus, response: DocumentCorpus, gaps: str) -> int:
    result = score(key, response, protocol=Protocol(gaps=gaps), metric=("mentions",))
    return int(result.mentions.counts["recall_numerator"])


@pytest.mark.parametrize(("gaps", "found"), [("keep", 1), ("fill", 2)])
def test_a_mention_with_a_gap_is_another_unless_gaps_are_filled(gaps: str, found: int) -> None:
    assert common(corpus((GAP, OTHER)), corpus((WHOLE, OTHER)), gaps) == found
    assert common(corpus((WHOLE, OTHER)), corpus((GAP, OTHER)), gaps) == found
    assert common(corpus((GAP, OTHER)), corpus((GAP, OTHER)), gaps) == 2


def test_a_word_that_is_not_written_stays_apart() -> None:
    text = Text("d", (*WORDS, "pro"), ((0, 5),), zeros=(Zero(2),))
    with_zero, gap = Mention(((1, 2), (5, 6))), Mention(((0, 1), (2, 3)))
    chains = Chains.of([Document(text, (Cluster("0", (with_zero, gap)),))]).filled
    assert chains.parts.by_row() == {0: with_zero.spans}
    assert [(int(s), int(e)) for s, e in zip(chains.start, chains.end, strict=True)] == [(1, 6), (0, 3)]


def test_a_response_without_gaps_is_told_how_to_fill_them() -> None:
    key, response = corpus((GAP, OTHER)), corpus((WHOLE, OTHER))

    def said(protocol: Protocol, one: DocumentCorpus, other: DocumentCorpus) -> bool:
        notices = score(one, other, protocol=protocol).notices
        return any("gaps='fill' takes a mention from its first word to its last" in each for each in notices)

    assert said(Protocol(), key, response)
    assert not said(Protocol(gaps="fill"), key, response)
    assert not said(Protocol(), key, key)
    assert not said(Protocol(), response, key)


def test_the_signature_has_it_where_gaps_are_filled() -> None:
    assert "gaps" not in Protocol().signature
    assert "|gaps:fill|" in Protocol(gaps="fill").signature
    assert Protocol.parse("crossdoc").gaps == "fill"  # as the paper's code
    assert Protocol.parse(Protocol(gaps="fill").signature).gaps == "fill"


def test_bare_clusters_cannot_be_filled() -> None:
    with pytest.raises(ProtocolError, match="gaps='fill' needs the documents"):
        Scorer(protocol="gaps:fill")


def test_ecbplus_has_forty_gaps_and_the_papers_numbers_stay(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = corpus_folder("ecbplus")
    parts = [formats.read(folder / part) for part in ("train", "dev")]
    gaps = [m for part in parts for d in part for c in d.clusters for m in c.mentions if len(m.spans) > 1]
    assert len(gaps) == 40
    path = tmp_path_factory.mktemp("gold") / "gold.conll"
    dev = parts[1]
    formats.write(dev, path, cross_document=True)  # from the first word to the last, as systems exchange it
    gold = formats.read(path)
    filled, kept = (
        score(dev, gold, protocol=Protocol(scope="topic", gaps=gaps), metric=("mentions",))
        for gaps in ("fill", "keep")
    )
    assert filled.mentions.f1 == 1.0
    counts = kept.mentions.counts
    assert counts["recall_denominator"] - counts["recall_numerator"] == 7
