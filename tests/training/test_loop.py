"""The one training loop: its schedule, its average, where it begins, when it ends and what it reports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from referee.training.constants import LARGEST_GRADIENT
from referee.training.loop import (
    Average,
    Optimization,
    Schedule,
    one_thread,
    parameter_group,
    reporting,
    take_steps,
)


def learning(schedule: Schedule, rate: float = 0.1, decay: float = 0.5) -> Optimization:
    weight = torch.nn.Parameter(torch.tensor([4.0]))
    return Optimization([parameter_group([weight], rate)], Average([weight], decay), schedule)


def test_rates_rise_and_fall() -> None:
    schedule = Schedule(warmup=0.2, first=0.1, least=0.05)
    assert [round(schedule.factor(done), 3) for done in (0.0, 0.1, 0.2, 0.6, 1.0)] == [
        0.1,
        0.54,
        0.8,
        0.4,
        0.05,
    ]
    assert Schedule(warmup=0.0).factor(0.25) == 0.75


def test_each_step_has_the_rate_of_its_share_of_the_run() -> None:
    optimization, rates = learning(Schedule(warmup=0.0)), list[float]()

    def loss(_: int) -> torch.Tensor:
        rates.append(optimization.optimizer.param_groups[0]["lr"])
        return optimization.average.live[0].sum()

    take_steps(optimization, range(9), loss, 4, begin=1, after_step=reporting(None, 1, 4))
    assert rates == pytest.approx([0.075, 0.05, 0.025])


def test_another_share_than_that_of_steps_decides_the_rate_and_is_never_more_than_all() -> None:
    optimization, rates = learning(Schedule(warmup=0.0)), list[float]()

    def loss(_: int) -> torch.Tensor:
        rates.append(optimization.optimizer.param_groups[0]["lr"])
        return optimization.average.live[0].sum()

    take_steps(optimization, range(9), loss, 3, done=lambda step: 0.6 * step, after_step=lambda *_: False)
    assert rates == pytest.approx([0.1, 0.04, 0.0])


def test_a_run_ends_when_it_is_told_to_and_draws_no_batch_in_vain() -> None:
    optimization, drawn = learning(Schedule()), list[int]()

    def batches() -> Iterator[int]:
        for number in range(100):
            drawn.append(number)
            yield number

    ends = [10, 3]
    for most in ends:
        drawn.clear()
        take_steps(
            optimization, batches(), lambda _: optimization.average.live[0].sum(), 10,
            after_step=lambda step, _, most=most: step == most,  # type: ignore[misc]
        )  # fmt: skip
        assert drawn == [*range(most)]


def test_the_average_follows_fast_at_first_and_is_exchanged() -> None:
    weight = torch.nn.Parameter(torch.tensor([0.0]))
    average = Average([weight], 0.99)
    with torch.no_grad():
        weight += 11.0
    average.update()
    assert average.mean[0].item() == pytest.approx(11.0 * (1 - 2 / 11))
    average.swap()
    assert (weight.item(), average.mean[0].item()) == (pytest.approx(9.0), 11.0)


def test_large_gradients_are_clipped() -> None:
    optimization = learning(Schedule())
    take_steps(
        optimization, [0], lambda _: 1e6 * optimization.average.live[0].sum(), 1, after_step=lambda *_: True
    )
    gradient = optimization.average.live[0].grad
    assert gradient is not None
    assert gradient.norm().item() == pytest.approx(LARGEST_GRADIENT)


def test_the_loss_is_reported_now_and_then() -> None:
    said = list[str]()
    after_step = reporting(said.append, 2, 5, "toy: ")
    assert [after_step(step, torch.tensor(step / 3)) for step in range(1, 6)] == [False] * 5
    assert said == ["toy: step 2 of 5  loss 0.6667", "toy: step 4 of 5  loss 1.3333"]


def test_the_number_of_threads_is_put_back() -> None:
    before = torch.get_num_threads()
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before
