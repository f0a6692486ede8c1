"""Ways of training heads: what learns in each phase, from which pairs, and that each way learns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from referee import score
from referee.exceptions import ProtocolError
from referee.matching.protocol import Protocol
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across import model as model_module
from referee.resolvers.across.head import LINKED_KINDS, MENTION_PARTS, AcrossHead
from referee.resolvers.across.model import AcrossModel, word_states
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.neural.running import Model
from referee.training.across.heads import HeadSettings, _HeadTraining, as_heads, save_heads, train_heads
from referee.training.across.model import BEGUN
from referee.training.across.ways import APART, WAYS
from referee.training.data.topics import TopicMaterial, topic_materials
from referee.training.networks.across_head import HeadNetwork
from three_topics import WIDTH, HashedWords, three_topics

SHORT: dict[str, Any] = {"epochs": 40, "rate": 5e-3, "documents": 1.0, "dropout": 0.1, "seeds": (1,)}
ENCODER = cast("Model", HashedWords())
SETTINGS = {kind: dict(BEGUN) for kind in MENTION_KINDS}
SHARED = [f"{part}.weight" for part in (*MENTION_PARTS, "width")]


def materials(*names: str) -> list[TopicMaterial]:
    return topic_materials(three_topics(names), lambda text: word_states(ENCODER, text))


def lesson(way: str, **how: Any) -> _HeadTraining:
    return _HeadTraining(materials("quake"), HeadSettings(**{**SHORT, "epochs": 3, **how}, way=way), 1, None)


def copied(taught: _HeadTraining) -> dict[str, Any]:
    return {name: weight.clone() for name, weight in taught.head.state_dict().items()}


def moved(before: Mapping[str, Any], taught: _HeadTraining) -> set[str]:
    return {name for name, weight in taught.head.state_dict().items() if (weight != before[name]).any()}


def conll(model: AcrossModel, kind: str, *, given: bool) -> float:
    key = three_topics(["quake", "theft"]).of_kind(kind)
    topics = {document.id: document.id.partition("/")[0] for document in key}
    response = AcrossResolver(model, kind).resolve(list(key), topics, given=given)
    return score(key, response, protocol=Protocol(scope="topic", singletons="drop", kind=kind)).conll


@pytest.mark.parametrize("way", WAYS)
def test_each_way_learns_saves_and_answers_as_it_was_trained(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks = train_heads(materials("quake", "theft"), HeadSettings(**SHORT, way=way))
    monkeypatch.setattr(model_module, "Encoder", lambda *_: ENCODER)
    save_heads(tmp_path, networks, SETTINGS)
    opened = AcrossModel(tmp_path)
    untaught = AcrossModel.of(ENCODER, as_heads([HeadNetwork(WIDTH)]), SETTINGS)
    for kind in LINKED_KINDS:
        for given in (True, False):
            assert conll(opened, kind, given=given) > 0.95
            assert conll(untaught, kind, given=given) < 0.9
    topic = materials("strike")[0]
    head = AcrossHead({name: weight.numpy() for name, weight in networks[0].state_dict().items()})
    states = torch.from_numpy(topic.states)
    with torch.no_grad():
        odds = torch.log_softmax(networks[0].mention_odds(states, topic.spans), 1).numpy()
        vectors = networks[0].vectors(states, topic.kinds[0].spans).numpy()
    np.testing.assert_allclose(head.mention_odds(topic.states[:-1], topic.spans), odds, atol=1e-4)
    np.testing.assert_allclose(head.vectors(topic.states[:-1], topic.kinds[0].spans), vectors, atol=1e-4)


@pytest.mark.parametrize("way", WAYS)
def test_scorers_share_how_they_see_spans_but_where_they_are_apart(way: str) -> None:
    arrays = train_heads(materials("quake"), HeadSettings(epochs=1, seeds=(1,), way=way))[0].arrays()
    for name in SHARED:
        assert (arrays[f"mention.{name}"] == arrays[f"span.{name}"]).all() == (way != APART)
    assert "mention.head.weight" not in arrays


def test_a_mention_scorer_learns_first_and_then_no_more_or_with_the_other() -> None:
    of_mentions = {f"mention.{name}" for name in (*SHARED, "out.weight", "out.bias")}
    shared = {f"span.{name}" for name in SHARED}
    for way in ("pipeline", "continued"):
        taught = lesson(way)
        first, second = WAYS[way]
        begun = copied(taught)
        taught.go_through(first)
        assert moved(begun, taught) == of_mentions | shared
        begun = copied(taught)
        taught.go_through(second)
        changed = moved(begun, taught)
        assert {"span.head.weight", "narrow.weight", "sum.weight", "told.weight", "out.bias"} <= changed
        assert changed & (of_mentions | shared) == (set() if way == "pipeline" else of_mentions | shared)


def test_pairs_are_those_of_spans_that_the_mention_scorer_keeps() -> None:
    taught = lesson("continued", spans_per_word=(0.2, 0.4), epochs=10)
    taught.go_through(WAYS["pipeline"][0])
    topic = taught.topics[0]
    settings = {kind: {**BEGUN, "mention_threshold": 0.0} for kind in LINKED_KINDS}
    settings["events"]["spans_per_word"], settings["entities"]["spans_per_word"] = 0.2, 0.4
    model = AcrossModel.of(ENCODER, as_heads([taught.head]), settings)
    documents = list(three_topics(["quake"]))
    studied = model.study(documents, [each.words for each in documents])
    for number, document in enumerate(documents):
        chosen = taught.likeliest(topic.part(np.array([number])))
        assert 0 < chosen[0].size <= round(0.2 * len(document.words))
        for kind, rows in zip(LINKED_KINDS, chosen, strict=True):
            wanted = studied.mentions(number, kind)
            assert topic.located.start[rows].tolist() == wanted.start.tolist()
            assert (topic.located.end[rows] - 1).tolist() == wanted.end.tolist()
    every = topic.part(np.unique(topic.document))
    kinds = taught.kinds(topic, every, WAYS["end-to-end"][0])
    for own, rows in zip(kinds, taught.likeliest(every), strict=True):
        assert (topic.document[rows] == own.document).all()
        assert (topic.spans.first[rows] == own.spans.first).all()
    assert taught.kinds(topic, every, WAYS[APART][-1]) is topic.kinds
    assert taught.kinds(topic, every, WAYS["pipeline"][0]) == []


def test_a_part_of_a_topic_is_read_as_the_whole() -> None:
    topic = materials("quake")[0]
    network = lesson("end-to-end").head.eval()
    part = topic.part(np.array([1, 4]))
    own = topic.kinds[1]
    inside = np.isin(own.document, [1, 4])
    states = [torch.from_numpy(each.states) for each in (topic, part)]
    with torch.no_grad():
        whole, some = (
            network.mention_odds(states[0], topic.spans),
            network.mention_odds(states[1], part.spans),
        )
        torch.testing.assert_close(whole[part.rows], some)
        whole, some = (
            network.vectors(states[0], own.spans), network.vectors(states[1], own.spans.moved(part.local)),
        )  # fmt: skip
    torch.testing.assert_close(whole[inside], some[inside])
    assert {*topic.document[part.rows].tolist()} == {1, 4}
    assert len(part.states) == 1 + sum(len(list(three_topics(["quake"]))[row].words) for row in (1, 4))


def test_only_annotated_mentions_of_one_cluster_are_the_same() -> None:
    topic = materials("quake")[0]
    documents = list(three_topics(["quake"]))
    for number, name in enumerate(LINKED_KINDS):
        cluster_of = {
            (row, mention.start, mention.end): cluster.id
            for row, document in enumerate(three_topics(["quake"]).of_kind(name))
            for cluster in document.clusters
            for mention in cluster.mentions
        }
        rows = np.flatnonzero(topic.located.end - topic.located.start <= 2)
        kind = topic.as_mentions(number, rows)
        spans = [tuple(column[row] for column in topic.located) for row in rows]
        wanted = [
            spans[one] in cluster_of and cluster_of[spans[one]] == cluster_of.get(spans[other])
            for one, other in zip(*kind.pairs, strict=True)
        ]
        assert kind.same.astype(bool).tolist() == wanted
        assert 0 < kind.same.sum() == topic.kinds[number].same.sum()
        assert [documents[row].words[start:end] for row, start, end in spans[:2]] == [
            ("The",),
            ("The", "quake"),
        ]


def test_a_span_is_told_as_the_mention_that_it_is() -> None:
    topic = materials("theft")[0]
    for number, given in enumerate(topic.kinds):
        rows = np.flatnonzero(topic.label == number + 1)
        kept = topic.as_mentions(number, rows)
        order = np.argsort(given.spans.first)
        place = np.argsort(order)
        assert (kept.spans.first == given.spans.first[order]).all()
        assert (kept.spans.head == given.spans.head[order]).all()
        pairs = {
            frozenset(place[[one, other]].tolist()): row
            for row, (one, other) in enumerate(zip(*given.pairs, strict=True))
        }
        same = [pairs[frozenset(pair)] for pair in zip(*map(np.ndarray.tolist, kept.pairs), strict=True)]
        np.testing.assert_array_equal(kept.same, given.same[same])
        np.testing.assert_allclose(kept.features, given.features[same], atol=2e-3)
        np.testing.assert_allclose(kept.cosines, given.cosines[same], atol=1e-5)


def test_where_nothing_is_kept_nothing_is_learned() -> None:
    taught = lesson("pipeline", spans_per_word=(0.0, 0.0))
    begun = copied(taught)
    taught.go_through(WAYS["pipeline"][1])
    assert moved(begun, taught) == set()


def test_a_way_that_there_is_not() -> None:
    with pytest.raises(
        ProtocolError, match="way must be one of apart, pipeline, continued, end-to-end, not 'along'"
    ):
        HeadSettings(way="along")


def test_the_mention_scorer_learns_longer_while_it_learns_alone() -> None:
    told: list[str] = []
    train_heads(materials("quake"), HeadSettings(epochs=4, longer=3, seeds=(1,)), told.append)
    assert [line.partition("  ")[0] for line in told] == [
        "step 4 of 12", "step 8 of 12", "step 12 of 12", "step 4 of 4",
    ]  # fmt: skip
