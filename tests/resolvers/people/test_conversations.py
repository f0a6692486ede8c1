"""The likeliest speakers of a conversation, compared with those of all sequences that there are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from referee.resolvers.people.conversations import (
    AGAIN,
    AGAIN_SOON,
    ANSWERS,
    HIMSELF,
    NEAR,
    NOBODY,
    UNSEEN,
    Part,
    likely_speakers,
)


def worth(parts: Sequence[Part], speakers: Sequence[int]) -> float:
    """Say what a sequence of speakers is worth, turn by turn."""
    total = 0.0
    for number, (part, who) in enumerate(zip(parts, speakers, strict=True)):
        total += UNSEEN if who == NOBODY else part.weights[who]
        if not number or who == NOBODY or (gap := part.first - parts[number - 1].last) > NEAR:
            continue
        spoke, called = speakers[number - 1], parts[number - 1].called
        if who == spoke:
            total += HIMSELF * (gap <= 1)
            continue
        total += ANSWERS * (who == called)
        if number > 1 and who == speakers[number - 2]:
            gap_before = parts[number - 1].first - parts[number - 2].last
            if gap_before <= NEAR:
                total += AGAIN if gap == gap_before == 1 else AGAIN_SOON
    return total


def made_up(seed: int) -> list[Part]:
    """Make turns of up to three people, some of them paragraphs apart, and some calling somebody."""
    chance = random.Random(seed)
    parts, place = [], 0
    for _ in range(chance.randint(1, 6)):
        weights = {who: chance.uniform(-3, 3) for who in chance.sample(range(3), chance.randint(0, 3))}
        first = place + chance.choice((1, 1, 1, 2, 3))
        place = first + chance.choice((0, 0, 2))
        parts.append(Part(weights, chance.choice((NOBODY, 0, 1)), first, place))
    return parts


@pytest.mark.parametrize("seed", range(200))
def test_no_other_sequence_of_speakers_is_likelier(seed: int) -> None:
    parts = made_up(seed)
    possible = product(*([*part.weights, NOBODY] for part in parts))
    best = max(worth(parts, speakers) for speakers in possible)
    assert worth(parts, likely_speakers(parts)) == pytest.approx(best)


def test_nobody_speaks_where_nothing_is_said() -> None:
    assert likely_speakers([]) == []
    assert likely_speakers([Part({})]) == [NOBODY]
