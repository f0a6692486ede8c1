"""The metric inside torchmetrics itself: `make test-training` has it; elsewhere these are skipped."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import referee

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

DOCUMENTS = [
    ([[(0, 1), (4, 5)], [(7, 8)]], [[(0, 1), (4, 5), (7, 8)]]),
    ([[(2, 3), (7, 9)]], []),
    ([[(0, 2), (3, 4), (5, 6)]], [[(0, 2), (3, 4)], [(5, 6)]]),
]
KEYS, RESPONSES = [key for key, _ in DOCUMENTS], [response for _, response in DOCUMENTS]


def expected(documents: list[Any] = DOCUMENTS) -> dict[str, float]:
    scorer = referee.Scorer()
    for key, response in documents:
        scorer.update(key, response)
    return scorer.compute().log_dict()


def metric(**settings: Any) -> Any:
    from referee.adaptors.torchmetrics import CorefMetric

    return CorefMetric(**settings)


def values(found: dict[str, Any]) -> dict[str, float]:
    return {name: value.item() for name, value in found.items()}


def test_batches_add_up() -> None:
    made = metric()
    made.update(RESPONSES[:1], KEYS[:1])
    made.update(RESPONSES[1:], KEYS[1:])
    made.update([], [])
    assert values(made.compute()) == pytest.approx(expected(), abs=1e-7)


def test_forward_gives_the_scores_of_the_batch() -> None:
    made = metric()
    assert values(made(RESPONSES[:1], KEYS[:1])) == pytest.approx(expected(DOCUMENTS[:1]), abs=1e-7)
    made(RESPONSES[1:], KEYS[1:])
    assert values(made.compute()) == pytest.approx(expected(), abs=1e-7)
    made.reset()
    made.update(RESPONSES[:1], KEYS[:1])
    assert values(made.compute()) == pytest.approx(expected(DOCUMENTS[:1]), abs=1e-7)


def test_states_merge() -> None:
    one, other = metric(), metric()
    one.update(RESPONSES[:2], KEYS[:2])
    other.update(RESPONSES[2:], KEYS[2:])
    one.merge_state(other)
    assert values(one.compute()) == pytest.approx(expected(), abs=1e-7)


def test_it_is_a_metric_of_a_collection_and_can_be_copied() -> None:
    made = torchmetrics.MetricCollection({"coref": metric(metric="muc")})
    made.update(RESPONSES, KEYS)
    for each in (made, copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        found = each.compute()
        assert [name for name in found if name.endswith("muc/f1")]


def _process(rank: int, address: str, results: Any) -> None:
    torch.distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=2)
    made = metric()
    share = slice(0, 1) if rank else slice(1, None)
    made.update(RESPONSES[share], KEYS[share])
    results[rank] = values(made.compute())
    torch.distributed.destroy_process_group()


def test_processes_are_added_up(tmp_path: Any) -> None:
    with torch.multiprocessing.Manager() as manager:
        results = manager.dict()
        torch.multiprocessing.spawn(_process, (f"file://{tmp_path}/meeting", results), nprocs=2)
        assert results[0] == results[1] == pytest.approx(expected(), abs=1e-7)


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(referee.RefereeError, match="b_cubd"):
        metric(metric=["b_cubd"])
    with pytest.raises(ValueError, match="shorter"):
        metric().update(RESPONSES, KEYS[:1])
