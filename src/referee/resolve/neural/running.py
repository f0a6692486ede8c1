"""Running a model: words in, clusters with scores out, by onnxruntime and numpy alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.exceptions import MissingExtra
from referee.resolve.neural.deciding import Decisions
from referee.resolve.neural.forward import Floats, Kept, NumpyHead, Rivals
from referee.resolve.neural.given_mentions import Ends, given_spans
from referee.resolve.neural.lone_mentions import unlinked
from referee.resolve.neural.surface import Columns, describe_words
from referee.resolve.neural.windows import piece_kinds, windows

LONGEST_WORD = 8  # pieces
AT_A_TIME = 4  # windows


class Linked(NamedTuple):
    """The mentions of a text: first and last word (inclusive), cluster, and how sure each is.

    Scores are log odds: `score` that the best antecedent is one, `mention` that the span is a mention.
    """

    start: IntArray
    end: IntArray
    cluster: IntArray
    score: FloatArray
    mention: FloatArray
    alone: Kept | None = None  # mentions that are linked to nothing, if they were asked for


class Model:
    """A model's folder, opened: encoder.onnx, head.safetensors, tokenizer.json and model.json."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """Load the encoder and the head."""
        try:
            import onnxruntime
            from safetensors.numpy import load_file
            from tokenizers import Tokenizer
        except ImportError as missing:
            raise MissingExtra("the neural resolver", "resolve") from missing
        self.about: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(folder / "encoder.onnx"), options)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.head = NumpyHead(
            load_file(folder / "head.safetensors"), self.about["kept"], self.about["antecedents"]
        )
        self.marks = tuple(self.about["marks"])
        self.pieces: dict[str, list[int]] = {}

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Cut words into pieces; say which is each word's first and last one."""
        unknown = [word for word in dict.fromkeys(words) if word not in self.pieces]
        for word, encoded in zip(
            unknown, self.tokenizer.encode_batch(unknown, add_special_tokens=False), strict=True
        ):
            self.pieces[word] = encoded.ids[:LONGEST_WORD] or [self.about["unknown"]]
        cut = [self.pieces[word] for word in words]
        ends = np.cumsum([len(ids) for ids in cut])
        return np.concatenate([np.array(ids) for ids in cut]), np.stack([np.r_[0, ends[:-1]], ends - 1], 1)

    def states(self, words: Columns, pieces: IntArray, ends: IntArray) -> Floats:
        """Encode a text, a few windows at a time: a vector for each word."""
        cut = windows(pieces, self.marks)
        kinds = piece_kinds(words, ends, cut)
        by_piece = np.empty((pieces.size, self.about["width"]), np.float32)
        columns = cut.rows.shape[1]
        for first in range(0, len(cut.rows), AT_A_TIME):
            own = slice(first, first + AT_A_TIME)
            rows = cut.rows[own]
            given = {"rows": rows, "kinds": kinds[own], "used": np.ones_like(rows, np.bool_)}
            states = self.session.run(None, given)[0].reshape(-1, by_piece.shape[1])
            here = np.flatnonzero(cut.read // columns // AT_A_TIME == first // AT_A_TIME)
            by_piece[here] = states[cut.read[here] - first * columns]
        return (by_piece[ends[:, 0]] + by_piece[ends[:, 1]]) * np.float32(0.5)

    def resolve(
        self, words: Sequence[str], sentences: IntArray, speakers: Sequence[str] = (), *, guideline: int = 0,
        least: float = 0.0, given: Ends | None = None, alone: float | None = None,
    ) -> Linked:  # fmt: skip
        """Resolve one text; `sentences` numbers the sentence of each word.

        `given` are mentions to be linked, and no others are looked for; `alone` is what a mention must score
        that is linked to nothing, and without it there are none.
        """
        described = describe_words(words, sentences, speakers, guideline)
        states = self.states(described, *self.cut(words))
        states += self.head.w["guideline.weight"][guideline]
        if given is None:
            kept = self.head.spans(states, described, least=self.about["least_mention"])
        else:
            kept = given_spans(self.head, states, *given)
        compared = Rivals(self.head, states, described, kept)
        entities = Decisions(least)
        scores = [_decided(compared, own, entities) for own in compared.parts()]
        chosen = np.flatnonzero(entities.clusters >= 0)
        best = np.concatenate([np.zeros(0), *scores])
        ends = kept.start[chosen], kept.end[chosen]
        mention = compared.mention[chosen].astype(np.float64)
        linked = Linked(*ends, entities.clusters[chosen], best[chosen], mention)
        if alone is None:
            return linked
        entity = self.head.spans(states, described, output=1, least=alone)
        return linked._replace(alone=unlinked(entity, linked.start, linked.end))


def _decided(compared: Rivals, own: slice, entities: Decisions) -> FloatArray:
    part = compared.part(own, entities.remembered(own.start))
    entities.decide(part.scores.astype(np.float64), part.candidates)
    return part.scores.max(1).astype(np.float64)
