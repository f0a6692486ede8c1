"""Running a model: words in, clusters with scores out, by onnxruntime and numpy alone.

Mentions that are given: only to be linked.

Mentions that are linked to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.exceptions import MissingExtra
from referee.resolvers.neural.deciding import REACH, Decisions, Memory
from referee.resolvers.neural.features import MAX_SPAN_WIDTH, Columns, describe_words
from referee.resolvers.neural.forward import Chosen, Floats, Kept, NumpyHead, Rivals, gelu
from referee.resolvers.neural.models import ENCODER, HEAD, TOKENIZER, facts_in
from referee.resolvers.neural.subwords import cut_into_pieces, piece_kinds, sections, windows

LEAST_GIVEN = -1.0  # by this links of OntoGUM's and LitBank's own mentions both get better
Ends = tuple[IntArray, IntArray]  # the first and the last word of each mention, in the order of the text


def ends_within(given: Ends, own: slice) -> Ends:
    """Take the mentions that begin in a section of a text, counted from its first word; they end with it.

    >>> start, end = ends_within((np.array([1, 4, 6]), np.array([2, 9, 6])), slice(4, 8))
    >>> start.tolist(), end.tolist()
    ([0, 2], [3, 2])
    """
    start, end = given
    here = (start >= own.start) & (start < own.stop)
    return start[here] - own.start, np.minimum(end[here], own.stop - 1) - own.start


def given_spans(head: NumpyHead, states: Floats, start: IntArray, end: IntArray) -> Kept:
    """Score given spans as `NumpyHead.spans` scores all; a longer one counts as one of MAX_SPAN_WIDTH words.

    None scores less than LEAST_GIVEN: that it is a mention is known, though not that it is linked.
    """
    first, last = gelu(head.linear("first", states[start])), gelu(head.linear("last", states[end]))
    size = first.shape[1]
    score = ((first @ head.w["ends.weight"][:size].T) * last).sum(1) / np.float32(size**0.5)
    score += head.linear("first_score", first)[:, 0] + head.linear("last_score", last)[:, 0]
    score += head.w["length.weight"][np.minimum(end - start, MAX_SPAN_WIDTH - 1), 0]
    return Kept(start, end, np.maximum(score, np.float32(LEAST_GIVEN)))


class LoneSpans:
    """The spans of a text that are entities of themselves; nothing is looked for without a threshold."""

    def __init__(self, head: NumpyHead, alone: float | None) -> None:
        """Begin with none; `alone` is what a span must score."""
        self.head, self.alone = head, alone
        self.sections: list[Kept] = []

    def look(self, states: Floats, words: Columns, own: slice) -> None:
        """Look at a section of the text; the states are those of its words."""
        if self.alone is not None:
            section = Columns(*(column[own] for column in words))
            entity = self.head.spans(states, section, output=1, least=self.alone)
            self.sections.append(Kept(entity.start + own.start, entity.end + own.start, entity.score))

    def unlinked(self, start: IntArray, end: IntArray) -> Kept | None:
        """Leave out the spans that are linked."""
        if self.alone is None:
            return None
        linked = set(zip(start.tolist(), end.tolist(), strict=True))
        seen = [np.concatenate(column) for column in zip(*self.sections, strict=True)]
        left = [ends not in linked for ends in zip(seen[0].tolist(), seen[1].tolist(), strict=True)]
        return Kept(*(column[np.array(left, np.bool_)] for column in seen))


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
        self.about: dict[str, Any] = facts_in(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Threads that wait for the next window would take the cores from numpy, and from other programs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(str(folder / ENCODER), options)
        self.tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self.head = NumpyHead(load_file(folder / HEAD), self.about["kept"], self.about["antecedents"])
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
