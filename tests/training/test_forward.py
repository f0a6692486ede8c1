"""The head in numpy gives the scores of torch, whole and in parts, and leaves out only what is hopeless."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from referee.resolvers.neural import forward
from referee.resolvers.neural.features import IMPOSSIBLE
from referee.training.data.examples import Example, View, Vocabulary, collate, example_of
from referee.training.networks.encoder import Encoder
from referee.training.networks.resolver import Network
from referee.training.networks.shapes import Shape, Sizes
from toy_story import KEPT, pieces, story

SIZES = Sizes(
    ends=16, span=16, products=2, hidden=16, factors=4, spans_per_word=30.0, antecedents=10, dropout=0.0
)
ALL = -1e3  # a bar that every pair clears
NONE = np.zeros(0, np.int64)


def rough_network(seed: int = 1) -> Network:
    """A network in which every table has something to say."""
    torch.manual_seed(seed)
    network = Network(Encoder(Shape(1, 16, 2, KEPT.size), 0.0), SIZES)
    network.eval()
    for name, weight in network.head.named_parameters():
        if name.startswith(("rough", "length", "guideline", "pairs")):
            torch.nn.init.normal_(weight)
    return network


def example() -> Example:
    return example_of(story(), *pieces(story()))


def head_of(
    network: Network, spans_per_word: float = SIZES.spans_per_word, antecedents: int = SIZES.antecedents
) -> Any:
    weights = {name: weight.detach().numpy() for name, weight in network.head.state_dict().items()}
    return forward.NumpyHead(weights, spans_per_word, antecedents)


def scorer_of(head: Any, states: Any, words: Any, cuts: tuple[int, ...] = ()) -> forward.PairScorer:
    bounds = [0, *cuts, len(states)]
    sections = [slice(a, b) for a, b in pairwise(bounds)]
    candidates = []
    for section in sections:
        spans = head.top_spans(states[section], words.section(section))
        candidates.append(head.candidates(states[section], words, section, spans))
    return forward.PairScorer(head, words, candidates)


def scores_by_pair(part: forward.Antecedents, begin: int = 0) -> dict[tuple[int, int], float]:
    rows = enumerate(zip(part.candidates.tolist(), part.scores.tolist(), strict=True), begin)
    return {
        (row, candidate): score
        for row, (candidates, scores) in rows
        for candidate, score in zip(candidates, scores, strict=True)
        if score > IMPOSSIBLE / 2
    }


def test_numpy_gives_the_scores_of_torch() -> None:
    network = rough_network()
    inputs = collate([example()], [View()], Vocabulary(KEPT), "cpu").inputs
    with torch.no_grad():
        scored = network(inputs)
        states = network.read(inputs).numpy() + network.head.guideline.weight[0].numpy()
    words = type(inputs.words)(*(column.numpy() for column in inputs.words))
    scorer = scorer_of(head_of(network), states, words)
    assert scorer.spans.start.tolist() == scored.spans.start.tolist()
    assert scorer.spans.end.tolist() == scored.spans.end.tolist()
    assert np.allclose(scorer.mention, scored.mention.numpy(), atol=1e-4)
    ours = scores_by_pair(scorer.antecedents(slice(0, scorer.count), NONE, ALL))
    theirs = scores_by_pair(forward.Antecedents(scored.candidates.numpy(), scored.scores[:, 1:].numpy()))
    assert len(ours) > 1000
    assert ours == pytest.approx(theirs, abs=1e-4)


def random_scorer(
    cuts: tuple[int, ...] = (), spans_per_word: float = 1.0, antecedents: int = 200
) -> forward.PairScorer:
    words = example().columns[0]
    states = np.random.default_rng(1).normal(size=(words.form.size, 16)).astype(np.float32)
    return scorer_of(head_of(rough_network(), spans_per_word, antecedents), states, words, cuts)


def test_parts_of_a_long_text_give_the_scores_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = random_scorer()
    whole = scores_by_pair(scorer.antecedents(slice(0, scorer.count), NONE, ALL))
    monkeypatch.setattr(forward, "PART", 8)
    monkeypatch.setattr(forward, "AT_ONCE", 5)
    parts: dict[tuple[int, int], float] = {}
    for own in scorer.parts():
        parts |= scores_by_pair(scorer.antecedents(own, NONE, ALL), own.start)
    assert parts == pytest.approx(whole, abs=1e-4)


def test_what_is_out_of_reach_is_compared_if_it_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = random_scorer()
    whole = scores_by_pair(scorer.antecedents(slice(0, scorer.count), NONE, ALL))
    monkeypatch.setattr(forward, "REACH", 3)
    own = slice(12, 16)
    part = scores_by_pair(scorer.antecedents(own, np.array([1, 4]), ALL), own.start)
    assert part == pytest.approx(
        {
            (row, other): score
            for (row, other), score in whole.items()
            if row in range(12, 16) and (other in (1, 4) or other >= 9)
        },
        abs=1e-4,
    )


def test_only_pairs_below_the_bar_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "PART", 16)
    scorer = random_scorer()
    network_adds = 30.0  # more than the toy network ever does, so that no pair above the bar is missed
    monkeypatch.setattr(forward, "LIFT", network_adds)
    left_out = 0
    for own in scorer.parts():
        everything = scores_by_pair(scorer.antecedents(own, NONE, ALL), own.start)
        for least in (-25.0, 20.0, 30.0):
            some = scores_by_pair(scorer.antecedents(own, NONE, least), own.start)
            assert some == pytest.approx({pair: everything[pair] for pair in some}, abs=1e-5)
            assert {pair for pair, score in everything.items() if score > least} <= some.keys()
            left_out += len(everything) - len(some)
    assert left_out > 0


def test_the_best_antecedents_of_each_span_are_kept() -> None:
    row = np.array([0, 1, 1, 1, 3, 3])
    score = np.array([1, 2, 9, 5, -8, -2], np.float32)
    best, rank = forward._pruned(row, score, -5.0, 2)
    assert best.tolist() == [0, 2, 3, 5]
    assert rank.tolist() == [0, 0, 1, 0]


def test_sections_of_whole_sentences_give_the_spans_of_the_whole() -> None:
    sentence = example().columns[0].sentence
    cut = int(np.flatnonzero(np.diff(sentence))[1]) + 1
    whole, parts = random_scorer(spans_per_word=99.0), random_scorer((cut,), spans_per_word=99.0)
    for name in whole.spans._fields:
        assert getattr(whole.spans, name).tolist() == getattr(parts.spans, name).tolist(), name
    assert np.allclose(whole.mention, parts.mention, atol=1e-5)


@pytest.mark.parametrize("block", [1, 7, 64])
def test_spans_do_not_depend_on_blocks(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = example().columns[0]
    states = np.random.default_rng(1).normal(size=(words.form.size, 16)).astype(np.float32)
    head = head_of(rough_network(), 1.5)
    whole = head.top_spans(states, words)
    monkeypatch.setattr(forward, "BLOCK", block)
    parts = head.top_spans(states, words)
    assert whole.start.tolist() == parts.start.tolist()
    assert whole.end.tolist() == parts.end.tolist()
    assert len(whole.start) == int(1.5 * len(states)) + 5
