"""What an entity has to do with the turns of speech around a mention, said in other words."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.language.word_classes import HE, ME, WE, YOU
from referee.resolvers.neural.entities import _speech

TURNS = st.sets(st.integers(1, 4), max_size=3)


@settings(max_examples=200)
@given(
    st.integers(0, 5), st.integers(0, 5), st.integers(0, 2), st.sampled_from([0, ME, YOU, HE]),
    TURNS, TURNS, TURNS, st.sets(st.integers(1, 2)),
    st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0, ME, WE])), max_size=10),
)  # fmt: skip
def test_who_speaks_where_a_mention_is(
    turn: int, says: int, speaker: int, pronoun: int, said: set[int], spoken: set[int], to: set[int],
    speakers: set[int], before: list[tuple[int, int]],
) -> None:  # fmt: skip
    """0 is no turn, and nobody; of the entity's last eight mentions those of a narrator are counted."""
    facts = SimpleNamespace(
        pronoun=[*(each for _, each in before), pronoun], turn=[*(each for each, _ in before), turn],
        says=[0] * len(before) + [says], speaker=[0] * len(before) + [speaker],
    )  # fmt: skip
    entity = SimpleNamespace(
        said=said, spoken_turns=spoken, spoken_to=to, spoke=said | spoken, speakers=speakers,
        mentions=[*range(len(before))],
    )  # fmt: skip
    narrating = [each for told, each in before[-8:] if told == 0 and each in (ME, WE)]
    is_me = pronoun == ME and speaker != 0
    either = said | spoken
    expected: list[float] = [
        turn != 0, turn in said, turn in spoken, turn in to, turn - 1 in either, turn - 2 in either,
        turn - 1 in to, says in spoken, says - 1 in either, says in to,
        turn == 0 and pronoun in (ME, YOU), math.log(1 + len(narrating)),
        is_me and speaker in speakers, is_me and any(other != speaker for other in speakers),
    ]  # fmt: skip
    found: Any = _speech(facts, len(before), entity)  # type: ignore[arg-type]
    assert [*map(float, found)] == pytest.approx([*map(float, expected)])
