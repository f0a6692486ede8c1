"""Running a model: words in, clusters with scores out, by onnxruntime and numpy alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.exceptions import MissingExtra
from referee.resolve.neural.deciding import REACH, Decisions, Memory
from referee.resolve.neural.forward import Chosen, Floats, Kept, NumpyHead, Rivals
from referee.resolve.neural.given_mentions import Ends, ends_within, given_spans
from referee.resolve.neural.lone_mentions import LoneSpans
from referee.resolve.neural.surface import Columns, describe_words
from referee.resolve.neural.windows import piece_kinds, sections, windows
from referee.resolve.neural.word_pieces import cut_into_pieces

Encode = Callable[[IntArray, IntArray], Floats]  # a window's pieces and their kinds → states
LIKELY = -3.0  # what a span scores that is remembered though it is not linked


class Linked(NamedTuple):
    """The mentions of a text: first and last word (inclusive), cluster, and how sure each is.

    Scores are log odds: `score` that the best antecedent is one, `mention` that the span is a mention.
    """

    start: IntArray
    end: IntArray
    cluster: IntArray
    score: FloatArray
    mention: FloatArray
    number: IntArray  # which of the spans that were compared, or given, it is
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
        # Threads that wait for the next window would take the cores from numpy, and from other programs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(str(folder / "encoder.onnx"), options)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.head = NumpyHead(
            load_file(folder / "head.safetensors"), self.about["kept"], self.about["antecedents"]
        )
        self.marks = tuple(self.about["marks"])
        self.pieces: dict[str, list[int]] = {}

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Cut words into pieces; say which is each word's first and last one."""
        return cut_into_pieces(words, self.tokenizer, self.pieces, self.about["unknown"])

    def states(
        self, words: Columns, pieces: IntArray, ends: IntArray, encode: Encode | None = None
    ) -> Iterator[tuple[slice, Floats]]:
        """Encode a text section by section: which words these are, and a vector for each of them.

        Windows are encoded once, in order, by the model or by `encode`.
        """
        encode = encode or self.encode
        cut = windows(pieces, self.marks)
        kinds = piece_kinds(words, ends, cut)
        read, columns = cut.read[ends], cut.rows.shape[1]
        recent: dict[int, Floats] = {}  # two sections may share a window
        for own in sections(words.sentence):
            needed = range(read[own.start, 0] // columns, read[own.stop - 1, 1] // columns + 1)
            recent = {
                window: recent[window] if window in recent else encode(cut.rows[window], kinds[window])
                for window in needed
            }
            by_piece = np.concatenate(list(recent.values()))
            first, last = (read[own] - needed.start * columns).T
            yield own, (by_piece[first] + by_piece[last]) * np.float32(0.5)

    def encode(self, row: IntArray, kinds: IntArray) -> Floats:
        """Encode one window; several at once would be no faster: one keeps a processor busy."""
        return self.run(["states"], row, kinds)[0]

    def run(self, results: Sequence[str], row: IntArray, kinds: IntArray) -> list[Floats]:
        """Encode one window: its states, its lower states, or both."""
        given = {"rows": row[None], "kinds": kinds[None]}
        return [states[0] for states in self.session.run(results, given)]

    def resolve(
        self, words: Sequence[str], sentences: IntArray, speakers: Sequence[str] = (), *, guideline: int = 0,
        least: float = 0.0, given: Ends | None = None, alone: float | None = None,
    ) -> Linked:  # fmt: skip
        """Resolve one text; `sentences` numbers the sentence of each word.

        `given` are mentions to be linked, and no others are looked for; `alone` is what a mention must score
        that is linked to nothing, and without it there are none.
        """
        described = describe_words(words, sentences, speakers, guideline)
        lone = LoneSpans(self.head, alone)
        rivals = Rivals(self.head, described, list(self.choose(words, described, guideline, given, lone)))
        entities = Decisions(least)
        memory = Memory(described, rivals.spans, rivals.mention > LIKELY)
        scores = [np.zeros(0)]
        for own in rivals.parts():
            memory.enter(entities.clusters, own.start - REACH)
            part = rivals.part(own, memory.recall(own), least)
            entities.decide(part.scores.astype(np.float64), part.candidates)
            scores.append(part.scores.max(1).astype(np.float64))
        chosen = np.flatnonzero(entities.clusters >= 0)
        spans, best = rivals.spans, np.concatenate(scores)
        ends = spans.start[chosen], spans.end[chosen]
        mention = rivals.mention[chosen].astype(np.float64)
        return Linked(*ends, entities.clusters[chosen], best[chosen], mention, chosen, lone.unlinked(*ends))

    def choose(
        self, words: Sequence[str], described: Columns, guideline: int, given: Ends | None, lone: LoneSpans
    ) -> Iterator[Chosen]:
        """Choose the spans that may be mentions, or take those given, section by section."""
        for own, states in self.states(described, *self.cut(words)):
            states += self.head.w["guideline.weight"][guideline]
            lone.look(states, described, own)
            kept = None if given is None else given_spans(self.head, states, *ends_within(given, own))
            yield self.head.choose(states, described, own, self.about["least_mention"], kept)
