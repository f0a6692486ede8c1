"""Mention scorers that are trained by themselves: what they learn, from whom, and as parts of a head."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from referee.model import Text
from referee.resolvers.across.head import AcrossHead
from referee.resolvers.across.span_words import all_spans
from referee.training.across import mentions as mention_learning
from referee.training.across.mentions import (
    MentionSettings,
    SpanData,
    annotated_spans,
    chances_together,
    span_chances,
    train_mentions,
)
from referee.training.loop import layer_rates
from referee.training.networks.across_head import HeadNetwork
from referee.training.networks.encoder import Encoder
from referee.training.networks.mention import MentionNetwork, low_rank, with_mentions
from referee.training.networks.shapes import PassageInput, Shape
from three_topics import three_topics

NO_ENDS = np.zeros((0, 2), np.int64)
WORDS = ("the", "storm", "hit", "Arlen", "and", "Berit", "saw", "it", ".")
WIDTH = 24
QUICK = MentionSettings(steps=60, head_rate=1e-2, words=60, average=0.9)
TOY = Shape(layers=2, width=16, heads=2, pieces=40, positions=32)


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(5)


def state(word: str) -> Any:
    return np.random.default_rng(sum(map(ord, word))).normal(size=WIDTH)


def told(count: int, seed: int = 0) -> SpanData:
    """Texts of words by chance, in which `storm` is an event and a name an entity."""
    random = np.random.default_rng(seed)
    texts = [Text(str(number), tuple(random.choice(WORDS, 7)), ((0, 3), (3, 7))) for number in range(count)]
    spans = [all_spans(text) for text in texts]
    inputs = [PassageInput(np.stack([state(word) for word in text.words]), NO_ENDS) for text in texts]
    likely = [
        np.eye(3, dtype=np.float32)[[kind(text, *ends) for ends in zip(own.first, own.last, strict=True)]]
        for text, own in zip(texts, spans, strict=True)
    ]
    return SpanData(texts, spans, inputs, likely)


def kind(text: Text, first: int, last: int) -> int:
    word = text.words[first] if first == last else ""
    return 1 if word == "storm" else 2 if word in ("Arlen", "Berit") else 0


def right(network: MentionNetwork, lesson: SpanData) -> float:
    """The share of mentions that are found as what they are."""
    chances, wanted = (np.concatenate(each) for each in (span_chances(network, lesson), lesson.likely))
    mention = wanted[:, 0] == 0
    return float((chances[mention].argmax(1) == wanted[mention].argmax(1)).mean())


def test_a_scorer_learns_what_is_annotated() -> None:
    lesson, said = told(30), list[str]()
    network = MentionNetwork(WIDTH, 16, hidden=8, dropout=0.0)
    assert right(network, told(9, 1)) < 0.5
    train_mentions(network, lesson, replace(QUICK, steps=100), report=said.append)
    assert right(network, told(9, 1)) > 0.8
    assert not network.training
    assert [line.partition("  loss")[0] for line in said] == ["step 100 of 100"]


def test_a_scorer_learns_from_others_and_from_annotation_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others say that nothing is a mention: without annotation a pupil finds none."""
    untold = told(12, 2)
    nothing = [np.eye(3, dtype=np.float32)[np.zeros(own.size, np.int64)] for own in untold.spans]
    lesson, taught = told(12), untold._replace(likely=nothing)
    seen, loss = list[bool](), mention_learning._loss

    def watched(network: MentionNetwork, own: SpanData, rows: Any) -> Any:
        seen.append(own is lesson)
        return loss(network, own, rows)

    monkeypatch.setattr(mention_learning, "_loss", watched)
    network = MentionNetwork(WIDTH, 16)
    train_mentions(network, lesson, replace(QUICK, steps=30, taught=60, annotated_every=10), taught)
    assert right(network, lesson) == 0.0
    assert [seen.count(each) for each in (True, False)] == [3, 30]
    pupil, teacher = (MentionNetwork(WIDTH, 16, dropout=0.0) for _ in range(2))
    train_mentions(teacher, lesson, QUICK)
    taught = untold._replace(likely=span_chances(teacher, untold))
    train_mentions(pupil, lesson, replace(QUICK, taught=60, annotated_every=1000), taught)
    assert right(pupil, lesson) > 0.8


def test_the_same_seed_gives_the_same_weights() -> None:
    def weights(seed: int) -> dict[str, Any]:
        torch.manual_seed(3)
        network = MentionNetwork(WIDTH, 8)
        return train_mentions(network, told(5), replace(QUICK, steps=5, seed=seed)).arrays()

    one, two, other = weights(1), weights(1), weights(2)
    assert all((one[name] == two[name]).all() for name in one)
    assert any((one[name] != other[name]).any() for name in one)


def test_the_first_label_of_a_span_counts_and_all_spans_have_one() -> None:
    corpus = three_topics(["quake"])
    texts, spans, likely = annotated_spans(corpus)
    events, entities = (list(corpus.of_kind(each)) for each in ("events", "entities"))
    assert [text.id for text in texts] == [document.id for document in events]
    for number, own in enumerate(spans):
        label = dict(zip(zip(own.first, own.last, strict=True), likely[number].argmax(1), strict=True))
        for wanted, document in ((1, events[number]), (2, entities[number])):
            assert document.mentions
            assert {label[mention.start, mention.end - 1] for mention in document.mentions} == {wanted}
        named = len(events[number].mentions) + len(entities[number].mentions)
        assert sum(each > 0 for each in label.values()) == named
        assert likely[number].sum() == own.size == len(label)


def test_chances_are_averaged_text_by_text() -> None:
    one, two = ([np.array([[1.0, 0, 0]]), np.array([[each, 0, 1 - each]])] for each in (0.5, 0.0))
    first, second = chances_together([one, two])
    assert first.tolist() == [[1, 0, 0]]
    assert second.tolist() == [[0.25, 0, 0.75]]


def as_head(network: MentionNetwork, width: int) -> AcrossHead:
    return AcrossHead(with_mentions(HeadNetwork(width).arrays(), network))


def test_texts_that_are_judged_together_do_not_see_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    network, lesson = MentionNetwork(WIDTH, 16).eval(), told(6)
    together = span_chances(network, lesson)
    monkeypatch.setattr(mention_learning, "TOGETHER", 1)
    for one, two in zip(together, span_chances(network, lesson), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-6)


@pytest.mark.parametrize("rank", [0, WIDTH, 6])
def test_a_head_says_what_the_scorer_says(rank: int, tmp_path: Path) -> None:
    """Also after its products were narrowed, written and read; as many numbers as there were lose nothing."""
    from safetensors.numpy import load_file, save_file

    lesson = told(6)
    network = train_mentions(MentionNetwork(WIDTH, 16, hidden=8), lesson, replace(QUICK, steps=20))
    states = np.concatenate([text.rows for text in lesson.inputs]).astype(np.float32)
    own = low_rank(network, states, rank) if rank else network
    save_file(with_mentions(HeadNetwork(WIDTH).arrays(), own), tmp_path / "head.safetensors")
    head = AcrossHead(load_file(tmp_path / "head.safetensors"))
    assert head.mention_width == WIDTH
    for text, spans, wanted in zip(lesson.inputs, lesson.spans, span_chances(own, lesson), strict=True):
        odds = head.mention_odds(text.rows.astype(np.float32), spans)
        np.testing.assert_allclose(np.exp(odds), wanted, atol=5e-3)
    apart = max(
        np.abs(a - b).max()
        for a, b in zip(span_chances(own, lesson), span_chances(network, lesson), strict=True)
    )
    assert apart < 1e-4 if rank != 6 else 1e-3 < apart < 0.5


def test_narrowed_products_are_right_where_states_are() -> None:
    """States of rank three need three numbers."""
    random = np.random.default_rng(4)
    flat = (random.normal(size=(50, 3)) @ random.normal(size=(3, WIDTH))).astype(np.float32)
    network = MentionNetwork(WIDTH, 8).eval()
    spans = all_spans(Text("", tuple("word" for _ in flat), ((0, len(flat)),)))
    one, two = (
        each([PassageInput(flat, NO_ENDS)], spans).detach().numpy()
        for each in (network, low_rank(network, flat, 3))
    )
    np.testing.assert_allclose(one, two, atol=0.02)


def test_a_scorer_with_an_encoder_reads_pieces_and_changes_its_layers() -> None:
    weights = {name: weight.numpy() for name, weight in Encoder(TOY).state_dict().items()}
    lesson = told(10)
    numbers = {word: 3 + row for row, word in enumerate(WORDS)}
    rows = [np.array([[1, 0], *([numbers[word], 0] for word in text.words), [2, 0]]) for text in lesson.texts]
    ends = np.repeat(np.arange(1, 8), 2).reshape(-1, 2)
    lesson = lesson._replace(inputs=[PassageInput(row, ends) for row in rows])
    network = MentionNetwork.with_encoder(
        replace(TOY, layers=1), weights, 16, dropout=0.0, left_out=0.1, blank=30
    )
    assert network.encoder is not None
    assert len(network.encoder.layers) == 1
    assert (network.encoder.layers[0].up.weight.detach().numpy() == weights["layers.0.up.weight"]).all()
    rates = {group["base"] for group in layer_rates(network, 0.5, 0.1, lambda _: 2.0)}
    assert rates == {0.5, 0.05, 2.0}
    train_mentions(network, lesson, replace(QUICK, steps=80, rate=1e-3))
    assert right(network, lesson) > 0.8
    assert (network.encoder.layers[0].up.weight.detach().numpy() != weights["layers.0.up.weight"]).any()
    longer = [PassageInput(np.concatenate([rows[0], rows[0][1:]]), ends), lesson.inputs[1]]
    alone, beside = (network.states(each) for each in ([lesson.inputs[1]], longer))
    np.testing.assert_allclose(alone.detach(), beside[7:].detach(), atol=1e-5)
