"""What follows the encoder, in numpy: mention scores, vectors of mentions, and scores of pairs.

The pairwise scorer is that of Cattan et al. (2021, §4.2) made symmetric, over g₁ + g₂, |g₁ − g₂| and g₁∘g₂,
beside what the words, the contexts and the documents of two mentions say. Several heads that were trained
from different seeds vote: their log odds are averaged.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.span_words import PARTS, SpanWords

Floats = npt.NDArray[np.float32]
MENTION_PARTS = tuple(part for part in PARTS if part != "head")
LINKED_KINDS = ("events", "entities")


class AcrossHead:
    """One trained head: its arrays by name."""

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        """Take the arrays, in whatever precision."""
        self.w = {name: np.asarray(weight, np.float32) for name, weight in weights.items()}
        self.together = np.concatenate([self.w[f"span.{part}.weight"] for part in PARTS], 1).T
        self.mixing = np.concatenate([self.w[f"mention.{part}.weight"] for part in MENTION_PARTS]).T

    @property
    def mention_width(self) -> int:
        """How wide the states are that mentions are found by: those after several layers, or the last."""
        return self.w.get("mention.words.weight", self.mixing.T).shape[1]

    def mention_odds(self, states: Floats, spans: SpanWords) -> Floats:
        """Score spans as not a mention, as an event, as an entity: log probabilities.

        There are more spans than words, so each word is multiplied once; one that there is not says nothing.
        """
        if "mention.words.weight" in self.w:
            states = states @ self.w["mention.words.weight"].T
        mixed = np.split(states @ self.mixing, len(MENTION_PARTS), axis=1)
        by_part = dict(zip(MENTION_PARTS, mixed, strict=True))
        total = _means(by_part.pop("mean"), spans)
        for part, rows in by_part.items():
            total += _padded(rows)[getattr(spans, part)]
        total += self.w["mention.width.weight"][spans.width]
        np.maximum(total, 0, out=total)
        if "mention.hidden.weight" in self.w:
            total = np.maximum(self._linear("mention.hidden", total), 0)
        scores = self._linear("mention.out", total)
        scores -= scores.max(1, keepdims=True)
        odds: Floats = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        return odds

    def vectors(self, states: Floats, spans: SpanWords) -> Floats:
        """Give each mention the vector that pairs are compared by; there are fewer of them than words."""
        padded, means = _padded(states), _means(states, spans)
        rows = [means if part == "mean" else padded[getattr(spans, part)] for part in PARTS]
        total = np.concatenate(rows, 1) @ self.together + self.w["span.width.weight"][spans.width]
        return np.tanh(self._linear("narrow", np.maximum(total, 0, out=total)))

    def alone(self, vector: Floats, kind: IntArray) -> Floats:
        """Say of each mention what it adds to every pair that it is in."""
        added: Floats = vector @ self.w["sum.weight"].T
        added += self.w["kind.weight"][kind] / 2
        return added

    def pair_odds(
        self, vector: Floats, alone: Floats, cosines: Floats, features: Floats, pairs: RowPairs
    ) -> Floats:
        """Compare pairs of mentions of one kind: log odds."""
        scaled = np.concatenate([(features - self.w["shift"]) / self.w["scale"], cosines], 1)
        one, other = vector[pairs.first], vector[pairs.second]
        hidden = self._linear("told", scaled)
        hidden += alone[pairs.first]
        hidden += alone[pairs.second]
        hidden += np.abs(one - other) @ self.w["apart.weight"].T
        hidden += (one * other) @ self.w["product.weight"].T
        hidden = np.maximum(self._linear("hidden", np.maximum(hidden, 0)), 0)
        odds: Floats = self._linear("out", hidden)[:, 0]
        return odds

    def _linear(self, name: str, rows: Floats) -> Floats:
        result: Floats = rows @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"]
        return result


def _padded(rows: Floats) -> Floats:
    """Put a row of zeros at the end, where −1 leads."""
    return np.concatenate([rows, np.zeros((1, rows.shape[1]), np.float32)])


def unit_states(states: Floats, spans: SpanWords) -> tuple[Floats, Floats]:
    """Scale the states of heads and the averages of spans to length one, so that products are cosines."""
    return _unit(states[spans.head]), _unit(_means(states, spans))


def _means(rows: Floats, spans: SpanWords) -> Floats:
    """Average the rows of each span."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, 0, dtype=np.float64)])
    mean = sums[spans.last + 1]
    mean -= sums[spans.first]
    mean /= (spans.last - spans.first + 1)[:, None]
    return mean.astype(np.float32)


def _unit(rows: Floats) -> Floats:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Floats = (rows / np.maximum(length, 1e-6)).astype(np.float32)
    return scaled
