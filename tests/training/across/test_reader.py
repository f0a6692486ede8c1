"""A reader learns what heads cannot see, does so again with the same seed, teaches, is saved and opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from referee.model import Document
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across.model import AcrossModel, word_states
from referee.resolvers.neural.running import Model
from referee.training.across import reader as reader_learning
from referee.training.across.heads import HeadSettings, as_heads, train_heads
from referee.training.across.model import BEGUN
from referee.training.across.reader import (
    BOTH,
    ENTITIES,
    EVENTS,
    ReaderSettings,
    block_odds,
    near_odds,
    read_blocks,
    train_reader,
)
from referee.training.data.passages import (
    ReaderMaterial,
    annotated_texts,
    found_texts,
    passage_pairs,
    with_inputs,
)
from referee.training.data.topics import topic_materials
from referee.training.networks.encoder import Encoder
from referee.training.networks.reader import ReaderNetwork, ReaderSizes, ReaderStart, load_reader, save_reader
from referee.training.networks.shapes import Shape
from three_topics import WIDTH, HashedWords
from told_by_context import NAMES, HashedStates, one_passage, told_by_context

TOPICS = ("quake", "theft")
SIZES = ReaderSizes(vector=32, hidden=64, dropout=0.0, layer_dropout=0.0, feature_dropout=0.0)
SHORT = ReaderSettings(
    steps=150, rate=2e-3, decay=1.0, head_rate=2e-3, lengths=(28,), subwords=1200, taught=1200, average=0.97,
    rounded=False, sizes=SIZES,
)  # fmt: skip
QUICK = replace(SHORT, steps=3, subwords=100)
SAID: list[str] = []


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """What is this small is slower on several threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def material(*topics: str, kinds: Sequence[int] = (0, 1)) -> ReaderMaterial:
    known, told = annotated_texts(told_by_context(topics or TOPICS))
    told = told.chosen(np.flatnonzero(np.isin(told.kind, kinds)))
    return with_inputs(passage_pairs(known, told, one_passage), HashedStates(known.texts))


def start() -> ReaderStart:
    """Make layers that look at some pieces more than at others, as those of an encoder do."""
    torch.manual_seed(1)
    weights = Encoder(Shape(3, WIDTH, 2, pieces=1)).state_dict()
    larger = {
        name: weight.numpy() * (3 if name.endswith("mix.weight") else 1) for name, weight in weights.items()
    }
    return ReaderStart(Shape(3, WIDTH, 2, pieces=0), larger, lower=1)


@pytest.fixture(scope="module")
def learned() -> ReaderNetwork:
    return train_reader(start(), material(), SHORT, report=SAID.append)


def two_by_two(own: ReaderMaterial) -> list[list[int]]:
    return [[a, b] for b in range(len(own.inputs)) for a in range(b)]


def right(odds: Any, own: ReaderMaterial, kind: int) -> float:
    """Which part of the pairs of two passages is judged as it should be."""
    pairs = own.pairs
    chosen = pairs.mentions.kind[pairs.pairs.first] == kind
    chosen &= pairs.home[pairs.pairs.first] != pairs.home[pairs.pairs.second]
    return float(((odds > 0) == (pairs.same > 0))[chosen].mean())


def test_a_reader_learns_what_only_the_context_tells(learned: ReaderNetwork) -> None:
    own = material()
    events, times = block_odds(learned, own, two_by_two(own), EVENTS)
    assert right(events, own, 0) > 0.95
    assert (times[own.pairs.mentions.kind[own.pairs.pairs.first] == 1] == 0).all()  # entities are not judged
    assert right(block_odds(learned, own, two_by_two(own), ENTITIES)[0], own, 1) > 0.95
    both, _ = block_odds(learned, own, two_by_two(own), BOTH)
    assert min(right(both, own, 0), right(both, own, 1)) > 0.95


def test_heads_do_not_learn_it() -> None:
    encoder = cast("Model", HashedWords())
    topics = topic_materials(told_by_context(TOPICS), lambda text: word_states(encoder, text))
    head = as_heads(train_heads(topics, HeadSettings(epochs=40, rate=5e-3, seeds=(1,), documents=1.0)))[0]
    judged, same = [], []
    for topic in topics:
        kind = topic.kinds[0]
        vector = head.vectors(topic.states[:-1], kind.spans)
        told = kind.features.astype(np.float32)
        judged.append(
            head.pair_odds(
                vector, head.alone(vector, np.zeros(len(vector), np.int64)), kind.cosines, told, kind.pairs
            )
            > 0
        )
        same.append(kind.same > 0)
    assert (np.concatenate(judged) == np.concatenate(same)).mean() < 0.7


def test_the_loss_falls_and_is_told(learned: ReaderNetwork) -> None:
    assert [line.partition("  ")[0] for line in SAID] == ["reader: step 100 of 150"]
    own = material()
    before = ReaderNetwork.beginning(start(), SIZES).eval()
    losses = []
    for network in (before, learned):
        odds, rows, _ = read_blocks(network, own, two_by_two(own), BOTH)
        same = torch.from_numpy(own.pairs.same[rows])
        losses.append(float(torch.nn.functional.binary_cross_entropy_with_logits(odds, same).detach()))
    assert losses[1] < losses[0] / 4


def test_the_same_seed_makes_the_same_reader_on_any_number_of_cores() -> None:
    own = material("quake")
    rounding = replace(QUICK, rounded=True)
    torch.set_num_threads(1)
    one = train_reader(start(), own, rounding).as_arrays()
    torch.set_num_threads(2)
    two = train_reader(start(), own, rounding).as_arrays()
    assert torch.get_num_threads() == 2
    torch.set_num_threads(1)
    other = train_reader(start(), own, replace(rounding, seed=2)).as_arrays()
    assert all((one[name] == two[name]).all() for name in one)
    assert any((one[name] != other[name]).any() for name in one)


def test_rounding_is_for_the_end_of_training_alone() -> None:
    own = material("quake")
    plain, rounded = (
        train_reader(start(), own, replace(QUICK, steps=4, rounded=each)) for each in (False, True)
    )
    assert not any(getattr(module, "rounded", False) for module in rounded.modules())
    moved = [
        (a != b).any() for a, b in zip(plain.as_arrays().values(), rounded.as_arrays().values(), strict=True)
    ]
    assert any(moved)


def test_a_reader_begins_as_a_copy_of_the_upper_layers() -> None:
    network = ReaderNetwork.beginning(start(), SIZES).as_arrays()
    layers = {name.partition(".")[2] for name in network if name.startswith("enc.")}
    assert {name.split(".")[1] for name in layers} == {"1", "2"}
    for name in layers:
        np.testing.assert_array_equal(network[f"enc.{name}"], start().weights[name])
    assert not network["mark.weight"].any()
    assert not network["apart"].any()


def test_what_is_saved_is_what_is_opened(learned: ReaderNetwork, tmp_path: Path) -> None:
    save_reader(learned, tmp_path / "reader.safetensors")
    opened = load_reader(tmp_path / "reader.safetensors").as_arrays()
    for name, weight in learned.as_arrays().items():
        np.testing.assert_array_equal(opened[name], weight.astype(np.float16))


def test_a_pupil_learns_from_what_its_teachers_say(learned: ReaderNetwork) -> None:
    """Nothing else tells the pupil of entities: what is annotated for it has events alone."""
    own = material()
    untold = own._replace(pairs=replace(own.pairs, same=np.full_like(own.pairs.same, np.nan)))
    said = near_odds(learned, untold)
    assert np.isfinite(said).all()
    odds, _ = block_odds(learned, own, two_by_two(own))
    across = own.pairs.home[own.pairs.pairs.first] != own.pairs.home[own.pairs.pairs.second]
    np.testing.assert_allclose(said[across], odds[across], atol=1e-4)
    taught = own._replace(pairs=replace(own.pairs, same=(1 / (1 + np.exp(-said))).astype(np.float32)))
    short = replace(SHORT, steps=60, subwords=100, taught=400)
    events = material("strike", kinds=(0,))
    pupil, untaught = (train_reader(start(), events, short, each) for each in (taught, None))
    assert right(block_odds(pupil, own, two_by_two(own), ENTITIES)[0], own, 1) > 0.95
    assert right(block_odds(untaught, own, two_by_two(own), ENTITIES)[0], own, 1) < 0.8


def test_annotated_passages_come_every_so_many_steps_where_others_are_taught() -> None:
    own = material("quake")
    unknown = own._replace(pairs=replace(own.pairs, same=np.full_like(own.pairs.same, np.nan)))
    network = ReaderNetwork.beginning(start(), SIZES)
    seldom = replace(QUICK, annotated_every=3)
    both = reader_learning._ReaderTraining(network, unknown, seldom, own, None)
    assert [bool(both.loss(step).isnan()) for step in range(4)] == [True, False, False, True]
    alone = reader_learning._ReaderTraining(network, unknown, seldom, None, None)
    assert alone.loss(1).isnan()


def test_pieces_are_left_out_in_training_alone() -> None:
    own = material("quake")
    rows, _ = reader_learning._collated(own, [[0, 1]], BOTH)
    network = ReaderNetwork.beginning(start(), replace(SIZES, subword_dropout=0.5))
    whole = ReaderNetwork.beginning(start(), SIZES).eval().states(rows)
    assert not torch.equal(network.train().states(rows), network.states(rows))
    assert torch.equal(network.eval().states(rows), whole)
    everything = ReaderNetwork.beginning(start(), replace(SIZES, subword_dropout=1.0)).train().states(rows)
    assert torch.allclose(
        everything, everything[:, :1].expand_as(everything), atol=1e-5
    )  # nothing to tell them by


def test_mentions_are_found_in_texts_that_nobody_annotated() -> None:
    encoder, corpus = cast("Model", HashedWords()), told_by_context(TOPICS)
    topics = topic_materials(corpus, lambda text: word_states(encoder, text))
    heads = as_heads(train_heads(topics, HeadSettings(epochs=40, rate=5e-3, seeds=(1,), documents=1.0)))
    scorer = AcrossModel.of(encoder, heads, {kind: dict(BEGUN) for kind in MENTION_KINDS})
    plain = [Document(document.text, ()) for document in corpus]
    known, told = found_texts(plain, [document.text.topic or "" for document in plain], scorer)
    words = {
        (known.texts[text].words[start], kind)
        for text, start, kind in zip(told.located.document, told.located.start, told.kind, strict=True)
    }
    assert words == {("tremor", 0), ("robbery", 0), *((name, 1) for name in NAMES)}
    assert (told.meant == -1).all()


def test_blocks_are_of_one_topic_and_fit_into_a_row() -> None:
    own = material()
    topic = [0] * 8 + [1] * 8
    blocks = reader_learning._Blocks(own, replace(SHORT, lengths=(60,)), np.random.default_rng(1))
    drawn = blocks.drawn(60 * 16)
    assert sorted(seen for block in drawn for seen in block) != sorted(range(16))
    for block in drawn:
        assert len({*block}) == len(block) == 4  # of 14 pieces each
        assert len({topic[number] for number in block}) == 1
    pairs = reader_learning._Blocks(own, replace(SHORT, two=True), np.random.default_rng(1)).drawn(14 * 100)
    assert {len(block) for block in pairs} == {1, 2}
    assert len({frozenset(block) for block in pairs}) == len(pairs)  # each once, before any comes again


def test_what_else_is_in_a_batch_does_not_matter(learned: ReaderNetwork) -> None:
    own = material()
    alone, _ = block_odds(learned, own, [[3, 0]])
    beside, _ = block_odds(learned, own, [[3, 0], [8, 9, 10, 11]])
    read = alone != 0
    np.testing.assert_allclose(beside[read], alone[read], atol=1e-3)
    longer, _ = block_odds(learned, own, [[3, 0, 5]])
    assert not np.allclose(longer[read], alone[read], atol=1e-3)  # but what is in a row does


def test_what_is_read_twice_is_averaged(learned: ReaderNetwork) -> None:
    own = material()
    one, other = (block_odds(learned, own, [block])[0] for block in ([0, 1], [0, 2]))
    both, times = block_odds(learned, own, [[0, 1], [0, 2]])
    twice = times == 2
    assert twice.any()
    np.testing.assert_allclose(both[twice], (one + other)[twice] / 2, atol=1e-4)


def test_marks_are_those_of_the_kinds_that_are_judged() -> None:
    own = material("quake")
    inside = [part.copy() for part in own.inside]
    inside[0][2] = True  # an event within an entity
    marked = own._replace(inside=inside)
    wanted = {BOTH: [1, 2, 2], EVENTS: [1, 0, 0], ENTITIES: [2, 2, 2]}
    for mode, marks in wanted.items():
        rows, _ = reader_learning._collated(marked, [[1, 0]], mode)
        assert rows.marks[0, [14 + 2, 14 + 5, 14 + 11]].tolist() == marks
        assert rows.marks[0, [14, 14 + 1, 14 + 3]].tolist() == [0, 0, 0]
        assert rows.passage[0].tolist() == [0] * 14 + [1] * 14
