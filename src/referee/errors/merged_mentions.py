"""The mentions of key and response as one list, wrong spans paired, for transformations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.arrays import BoolArray, IntArray, look_up, outer_join
from referee.errors.entities import Entities, MutualPartition
from referee.errors.span_pairing import pair_spans
from referee.errors.transformation_rules import REFEREE, TransformationRules
from referee.language.mention_types import Described


@dataclass(frozen=True, slots=True)
class MergedMentions:
    """The mentions of both sides; two that differ by a span error are one."""

    key_row: IntArray  # mention → its row in the key's entities, −1 if it has none
    response_row: IntArray
    key: IntArray  # mention → its key entity, −1 if it has none
    response: IntArray
    unit: IntArray
    moved: BoolArray  # mention → whether its span is wrong

    @classmethod
    def of(
        cls,
        comparison: MutualPartition,
        key: Sequence[Described],
        response: Sequence[Described],
        rules: TransformationRules = REFEREE,
    ) -> MergedMentions:
        """Put the mentions of two sides together, and pair the wrong spans."""
        keys, responses = comparison.key, comparison.response
        key_rows, response_rows = _rows(keys), _rows(responses, in_several=rules.drop_singletons)
        in_key, in_response = outer_join(keys.number[key_rows], responses.number[response_rows])
        key_row, response_row = look_up(key_rows, in_key), look_up(response_rows, in_response)

        missing, extra = np.flatnonzero(response_row < 0), np.flatnonzero(key_row < 0)
        ours, theirs = pair_spans(
            [key[row] for row in key_row[missing].tolist()],
            [response[row] for row in response_row[extra].tolist()],
            as_the_tool=rules.spans_of_constituents,
        )
        moved, kept = np.zeros(key_row.size, np.bool_), np.ones(key_row.size, np.bool_)
        response_row[missing[ours]] = response_row[extra[theirs]]
        moved[missing[ours]], kept[extra[theirs]] = True, False
        return cls._of_rows(comparison, key_row[kept], response_row[kept], moved[kept])

    @classmethod
    def _of_rows(
        cls, comparison: MutualPartition, key_row: IntArray, response_row: IntArray, moved: BoolArray
    ) -> MergedMentions:
        keys, responses = comparison.key, comparison.response
        return cls(
            key_row=key_row,
            response_row=response_row,
            key=look_up(keys.cluster, key_row),
            response=look_up(responses.cluster, response_row),
            unit=np.maximum(look_up(keys.unit, key_row), look_up(responses.unit, response_row)),
            moved=moved,
        )


def _rows(side: Entities, *, in_several: bool = False) -> IntArray:
    """List the occurrences that can be matched, those in entities of several mentions if told so."""
    wanted = side.owner
    if in_several:
        size = np.bincount(side.cluster[side.owner], minlength=int(side.cluster.max(initial=-1)) + 1)
        wanted = wanted & (size[side.cluster] > 1)
    return np.flatnonzero(wanted)
