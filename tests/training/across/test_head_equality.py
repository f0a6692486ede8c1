"""Heads learn three made-up topics, are saved, opened again and cluster as a plain average linkage does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from referee import score
from referee.arrays import IntArray
from referee.exceptions import FormatError, ProtocolError
from referee.matching.protocol import Protocol
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across import model as model_module
from referee.resolvers.across.head import LINKED_KINDS, AcrossHead, unit_states
from referee.resolvers.across.mention_table import MentionTable
from referee.resolvers.across.model import AcrossModel, word_states
from referee.resolvers.across.neighbours import all_pairs
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.neural.running import Model
from referee.training.across import heads as head_learning
from referee.training.across.heads import HeadSettings, as_heads, save_heads, train_heads
from referee.training.across.model import BEGUN, train_across
from referee.training.data.topics import TopicMaterial, topic_materials
from referee.training.networks.across_head import HeadNetwork
from three_topics import WIDTH, HashedWords, three_topics

SHORT = HeadSettings(epochs=40, rate=5e-3, seeds=(1, 2), documents=1.0, dropout=0.1)
ENCODER = cast("Model", HashedWords())
SETTINGS = {kind: dict(BEGUN) for kind in MENTION_KINDS}


def materials(*names: str) -> list[TopicMaterial]:
    return topic_materials(three_topics(names), lambda text: word_states(ENCODER, text))


@pytest.fixture(scope="module")
def networks() -> list[HeadNetwork]:
    return train_heads(materials("quake", "theft"), SHORT)


@pytest.fixture(scope="module")
def learned(networks: list[HeadNetwork]) -> AcrossModel:
    return AcrossModel.of(ENCODER, as_heads(networks), SETTINGS)


def test_heads_learn_what_they_were_shown(learned: AcrossModel) -> None:
    key = three_topics(["quake", "theft"])
    for kind in LINKED_KINDS:
        own = key.of_kind(kind)
        response = AcrossResolver(learned, kind).resolve(list(own), given=True)
        protocol = Protocol(scope="corpus", singletons="drop", kind=kind)
        assert score(own, response, protocol=protocol).conll > 0.95
        before = AcrossModel.of(ENCODER, as_heads([HeadNetwork(WIDTH)]), SETTINGS)
        untaught = AcrossResolver(before, kind).resolve(list(own), given=True)
        assert score(own, untaught, protocol=protocol).conll < 0.9


def test_mentions_and_their_kinds_are_found(learned: AcrossModel) -> None:
    key = three_topics(["quake"])
    documents = list(key)
    studied = learned.study(documents, [each.words for each in documents])
    for number, document in enumerate(documents):
        arrays = studied.mentions(number, "all")
        kinds = {document.words[at]: kind for at, kind in zip(arrays.start, arrays.kind, strict=True)}
        wanted = {
            document.words[m.start]: int(c.id.startswith("entity"))
            for c in document.clusters
            for m in c.mentions
        }
        assert kinds == wanted


def test_few_mentions_are_kept_where_few_are_wanted(networks: list[HeadNetwork]) -> None:
    one = {**SETTINGS, "entities": {**BEGUN, "spans_per_word": 0.125}}
    few = AcrossModel.of(ENCODER, as_heads(networks), one)
    documents = list(three_topics(["quake"]))
    studied = few.study(documents, [each.words for each in documents])
    assert studied.mentions(0, "entities").size == round(0.125 * len(documents[0].words)) == 1


def test_an_event_is_no_entity(learned: AcrossModel) -> None:
    documents = list(three_topics(["quake"]))
    studied = learned.study(documents, [each.words for each in documents])
    table = MentionTable.of(studied, "all", given=True)
    kind = table.arrays.kind
    pairs = all_pairs(table.size)
    scores = studied.compare(table.arrays).scores(pairs)
    mixed = kind[pairs.first] != kind[pairs.second]
    assert mixed.any()
    assert (scores[mixed] == model_module.NEVER).all()
    assert (scores[~mixed] > model_module.NEVER).all()


def test_heads_answer_in_numpy_as_in_torch(networks: list[HeadNetwork]) -> None:
    topic = materials("strike")[0]
    network = networks[0]
    head = AcrossHead({name: weight.numpy() for name, weight in network.state_dict().items()})
    states = torch.from_numpy(topic.states)
    with torch.no_grad():
        theirs = torch.log_softmax(network.mention_odds(states, topic.spans), 1).numpy()
        np.testing.assert_allclose(head.mention_odds(topic.states[:-1], topic.spans), theirs, atol=1e-4)
        for kind in topic.kinds:
            vector = network.vectors(states, kind.spans)
            np.testing.assert_allclose(head.vectors(topic.states[:-1], kind.spans), vector.numpy(), atol=1e-4)
            told = kind.features.astype(np.float32)
            first, second = kind.pairs
            wanted = network.pair_odds(
                vector[first],
                vector[second],
                kind.kind,
                torch.from_numpy(kind.cosines),
                torch.from_numpy(told),
            )
            kinds = np.full(kind.spans.size, kind.kind)
            alone = head.alone(vector.numpy(), kinds)
            ours = head.pair_odds(vector.numpy(), alone, kind.cosines, told, kind.pairs)
            np.testing.assert_allclose(ours, wanted.numpy(), atol=1e-3)


def test_what_is_saved_is_what_is_opened(
    networks: list[HeadNetwork], learned: AcrossModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_module, "Encoder", lambda *_: ENCODER)
    with pytest.raises(FormatError, match=r"has no across\.safetensors, so it cannot link across documents"):
        AcrossModel(tmp_path)
    save_heads(tmp_path, networks, SETTINGS)
    opened = AcrossModel(tmp_path)
    assert opened.threshold("events") == BEGUN["threshold"]
    documents = list(three_topics())
    scores = []
    for each in (opened, learned):
        studied = each.study(documents, [document.words for document in documents])
        table = MentionTable.of(studied, "all", given=True)
        scores.append(studied.compare(table.arrays).scores(all_pairs(table.size)))
    np.testing.assert_array_equal(scores[0], scores[1])


def test_clusters_are_those_of_a_plain_average_linkage(learned: AcrossModel) -> None:
    documents = list(three_topics())
    studied = learned.study(documents, [document.words for document in documents])
    table = MentionTable.of(studied, "all", given=True)
    resolver = AcrossResolver(learned, "all")
    pairs = all_pairs(table.size)
    likely = np.zeros((table.size, table.size))
    likely[pairs.first, pairs.second] = resolver.probabilities(studied.compare(table.arrays), pairs)
    ours = resolver.linked(studied, table.arrays)
    wanted = plainly_linked(likely + likely.T, resolver.merge_threshold)
    assert len({*zip(ours.tolist(), wanted.tolist(), strict=True)}) == ours.max() + 1 == wanted.max() + 1


def plainly_linked(likely: Any, least: float) -> IntArray:
    """Merge the two clusters with the highest average, again and again."""
    clusters = [[number] for number in range(len(likely))]
    while True:
        offers = [
            (float(likely[np.ix_(one, other)].mean()), a, b)
            for b, other in enumerate(clusters)
            for a, one in enumerate(clusters[:b])
        ]
        best, a, b = max(offers)
        if best < least:
            break
        clusters[a] += clusters.pop(b)
    label = np.zeros(len(likely), np.int64)
    for number, members in enumerate(clusters):
        label[members] = number
    return label


def test_the_same_seed_makes_the_same_head_on_any_number_of_cores() -> None:
    topics = materials("quake")
    quick = HeadSettings(epochs=2, seeds=(7,))
    torch.set_num_threads(1)
    one = train_heads(topics, quick)[0].arrays()
    torch.set_num_threads(2)
    two = train_heads(topics, quick)[0].arrays()
    other = train_heads(topics, HeadSettings(epochs=2, seeds=(8,)))[0].arrays()
    assert torch.get_num_threads() == 2
    assert all((one[name] == two[name]).all() for name in one)
    assert any((one[name] != other[name]).any() for name in one)


def test_negatives_that_are_drawn_weigh_as_all() -> None:
    topic = materials("quake")[0]
    lesson = head_learning._HeadTraining([topic], HeadSettings(negatives=5), 1, None)
    kind = topic.kinds[1]
    rows, weight = lesson.drawn(kind, np.unique(topic.document))
    same = kind.same[rows] > 0
    assert (~same).sum() == 5
    assert same.sum() == kind.same.sum()
    ratio = float(weight.numpy()[~same].sum() / weight.numpy()[same].sum())
    assert ratio == pytest.approx((kind.same == 0).sum() / kind.same.sum())
    some, _ = lesson.drawn(kind, np.unique(topic.document)[:3])
    assert {*kind.document[kind.pairs.first[some]]} <= {*np.unique(topic.document)[:3]}


def test_a_topic_of_both_parts_is_refused(tmp_path: Path) -> None:
    train, dev = three_topics(["quake", "theft"]), three_topics(["theft", "strike"])
    with pytest.raises(ProtocolError, match="topics of both train and dev: theft; divide them by topic"):
        train_across(train, dev, tmp_path, tmp_path)


def test_cosines_are_those_of_heads_and_of_whole_spans() -> None:
    topic = materials("quake")[0]
    spans = topic.kinds[0].spans
    head, mean = unit_states(topic.states, spans)
    own = topic.states[spans.first[0] : spans.last[0] + 1].mean(0)
    np.testing.assert_allclose(mean[0], own / np.linalg.norm(own), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(head, axis=1), 1, atol=1e-5)
