"""Tuning: a trial scores what resolving with its choice scores, and the best is found."""

from __future__ import annotations

import pytest

from referee import score
from referee.exceptions import ProtocolError
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, DocumentCorpus, Mention
from referee.resolvers.across import threshold_search
from referee.resolvers.across.mention_table import MentionTable
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.threshold_search import Trial, best_trial, tried, with_best
from surface_scorer import SurfaceScorer

TEXTS = {
    "1": ("sport", "Philadelphia fired coach Maurice Cheeks after nine defeats"),
    "2": ("sport", "Cheeks was fired by Philadelphia on Saturday"),
    "3": ("storm", "Heavy flooding closed schools around Nashville"),
    "4": ("storm", "Nashville floods closed the school"),
}
KEY: dict[str, dict[str, tuple[int, ...]]] = {  # document → cluster → words
    "1": {"city": (0,), "firing": (1,), "man": (3, 4)},
    "2": {"man": (0,), "firing": (2,), "city": (4,)},
    "3": {"flood": (1,), "closing": (2,), "place": (5,)},
    "4": {"place": (0,), "flood": (1,), "closing": (2,)},
}


def key() -> DocumentCorpus:
    documents = []
    for id_, (topic, words) in TEXTS.items():
        own = tuple(words.split())
        clusters = [
            Cluster(name, tuple(Mention.at(at, at + 1) for at in places)) for name, places in KEY[id_].items()
        ]
        documents.append(Document.of(id_, own, ((0, len(own)),), clusters, topic=topic))
    return DocumentCorpus(documents, "made", cross_document=True)


GROUPS = {id_: topic for id_, (topic, _) in TEXTS.items()}
PROTOCOL = Protocol(scope="topic", singletons="drop", gaps="fill")


@pytest.mark.parametrize("given", [True, False])
def test_a_trial_scores_what_resolving_scores(given: bool) -> None:
    for trial in tried(
        AcrossResolver(SurfaceScorer()),
        key(),
        given=given,
        spans_per_word=(1.0,),
        thresholds=(0.3, 0.6, 0.99),
    ):
        resolver = AcrossResolver(SurfaceScorer(), threshold=trial.threshold)
        response = resolver.resolve(list(key()), GROUPS, given=given)
        assert trial.conll == score(key(), response, protocol=PROTOCOL).conll
        assert trial.spans_per_word == (None if given else 1.0)


def test_fewer_spans_are_the_surest_of_each_topic() -> None:
    few, none, all_ = (
        tried(AcrossResolver(SurfaceScorer()), key(), spans_per_word=(share,), thresholds=(0.5,))[0].conll
        for share in (0.3, 0.0, 1.0)
    )
    assert none == 0
    assert 0 < few < all_


def test_the_surest_are_chosen_in_each_topic() -> None:
    resolver = AcrossResolver(SurfaceScorer())
    studied = resolver.scorer.study(list(key()), [])
    table = MentionTable.of(studied, "all", given=False)
    topics = list(threshold_search._scored(resolver, table, studied.compare(table.arrays), GROUPS))
    chosen = threshold_search._surest(table, topics, 0.15)
    words = [
        table.documents[number].words[start]
        for number, start in zip(table.arrays.document, table.arrays.start, strict=True)
    ]
    assert [word for word, own in zip(words, chosen, strict=True) if own] == ["Philadelphia"] * 2 + [
        "Nashville"
    ] * 2


def test_the_best_of_equal_trials_has_the_fewest_spans_and_the_highest_threshold() -> None:
    given = [(0.3, 0.5, 0.7), (0.2, 0.5, 0.7), (0.2, 0.6, 0.7), (0.4, 0.9, 0.6)]
    trials = [Trial(*each, precision=0.9) for each in given]
    assert best_trial(trials) == Trial(0.2, 0.6, 0.7, 0.9)
    assert with_best(AcrossResolver(SurfaceScorer()), trials).merge_threshold == 0.6


def test_a_topic_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_search, "MOST_PAIRS", 10)
    with pytest.raises(ProtocolError, match="too many to compare all"):
        tried(AcrossResolver(SurfaceScorer()), key())
