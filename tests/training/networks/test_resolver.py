"""The network in torch: what it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from referee.training.data.examples import Example, View, Vocabulary, collate, crop, example_of
from referee.training.losses import Weights, objective, teach
from referee.training.networks.encoder import Encoder
from referee.training.networks.resolver import Network
from referee.training.networks.shapes import Shape, Sizes, distance_buckets
from referee.training.trainer import answers, measure
from toy_story import KEPT, pieces, story

VOCABULARY = Vocabulary(KEPT)
SIZES = Sizes(
    ends=16, span=16, products=2, hidden=16, factors=4, spans_per_word=30.0, antecedents=10, dropout=0.0
)


def toy_network(seed: int = 1) -> Network:
    torch.manual_seed(seed)
    return Network(Encoder(Shape(1, 16, 2, KEPT.size), 0.0), SIZES)


def example(guideline: int = 0) -> Example:
    return example_of(story(), *pieces(story()), guideline=guideline)


def learn(network: Network, steps: int, examples: list[Example]) -> list[float]:
    optimizer = torch.optim.AdamW(network.parameters(), lr=5e-3)
    losses = []
    for _ in range(steps):
        lesson = collate(examples, [View()] * len(examples), VOCABULARY, "cpu")
        loss = objective(network(lesson.inputs), lesson, Weights())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses


def test_one_document_is_learnt_by_heart() -> None:
    network, documents = toy_network(), [example()]
    losses = learn(network, 120, documents)
    assert losses[-1] < losses[0] / 20
    said = answers(network, documents, VOCABULARY, "cpu", View())
    assert measure([documents[0].key], [said[0].clusters()]).conll == 1.0


def test_documents_of_a_batch_do_not_see_each_other() -> None:
    network = toy_network()
    documents = [example(), crop(example(1), 0, 20), example(1)]
    alone = [answers(network, [document], VOCABULARY, "cpu", View())[0] for document in documents]
    for one, together in zip(alone, answers(network, documents, VOCABULARY, "cpu", View()), strict=True):
        assert one.start == together.start
        known = one.scores[:, 1:] > -1e3
        assert np.allclose(one.scores, together.scores, atol=1e-4)
        assert (
            one.candidates[known] == together.candidates[: len(one.candidates), : known.shape[1]][known]
        ).all()


def test_a_cropped_document_keeps_its_mentions_and_forgets_links_to_what_is_gone() -> None:
    whole = example()
    part = crop(whole, 7, 17)
    assert part.length == 11
    assert part.mentions[:, :2].tolist() == [[0, 0], [2, 3], [5, 6], [7, 7]]
    assert part.mentions[:, 3].tolist() == [1, 1, 1, 1]
    alone = crop(whole, 0, 3)
    assert alone.mentions[:, 3].tolist() == [0, 0]
    assert part.subwords[part.ends].tolist() == whole.subwords[whole.ends[6:17]].tolist()


def test_a_network_comes_close_to_its_teachers() -> None:
    teachers, pupil, document = [toy_network(2), toy_network(3)], toy_network(4), example()
    for teacher in teachers:
        learn(teacher, 40, [document])
        teacher.eval()
    document.labelled = False
    lesson = collate([document], [View()], VOCABULARY, "cpu")
    optimizer = torch.optim.AdamW(pupil.parameters(), lr=5e-3)
    for _ in range(120):
        scored = pupil(lesson.inputs)
        with torch.no_grad():
            taught = teach(
                [teacher(lesson.inputs, (scored.index, scored.candidates)) for teacher in teachers]
            )
        loss = objective(scored, lesson, Weights(), taught)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    said = answers(pupil, [document], VOCABULARY, "cpu", View())
    assert measure([document.key], [said[0].clusters()]).conll > 0.9


def test_distances_are_in_buckets_of_both_directions() -> None:
    apart = np.array([0, 1, 7, 8, 127, 500, -1, -500])
    assert distance_buckets(512, 32)[apart + 511].tolist() == [0, 17, 23, 24, 31, 31, 1, 15]


def test_a_network_that_was_saved_is_the_same_network(tmp_path: Path) -> None:
    from referee.training.networks.resolver import load_network, save_network

    network = toy_network().half().float()
    save_network(network, KEPT, {}, tmp_path / "toy.safetensors")
    again = load_network(tmp_path / "toy.safetensors", "cpu")
    assert all(
        torch.equal(a, b)
        for a, b in zip(network.state_dict().values(), again.state_dict().values(), strict=True)
    )
