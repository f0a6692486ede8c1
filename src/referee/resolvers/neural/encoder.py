"""An encoder, run by onnxruntime: words in, a vector for each of them out.

Models that resolve single texts and models that link several have one each, in the same files of their
folders: encoder.onnx, tokenizer.json and model.json.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import MissingExtra
from referee.resolvers.neural.features import WordFeatures
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ENCODER, TOKENIZER, facts_in
from referee.resolvers.neural.subwords import sections, subword_kinds, subwords_of, windows

Encode = Callable[[IntArray, IntArray], Floats]  # a window's subwords and their kinds → states


class Encoder:
    """The encoder of a model's folder, opened: encoder.onnx, tokenizer.json and model.json."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """Load the encoder."""
        try:
            import onnxruntime
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
        self.special_tokens = tuple(self.about["special_tokens"])
        self.known: dict[str, list[int]] = {}

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Cut words into subwords; say which is each word's first and last one."""
        return subwords_of(words, self.tokenizer, self.known, self.about["unknown"])

    def states(
        self, words: WordFeatures, subwords: IntArray, ends: IntArray, encode: Encode | None = None
    ) -> Iterator[tuple[slice, Floats]]:
        """Encode a text section by section: which words these are, and a vector for each of them.

        Windows are encoded once, in order, by the model or by `encode`.
        """
        encode = encode or self.encode
        cut = windows(subwords, self.special_tokens)
        kinds = subword_kinds(words, ends, cut)
        read, columns = cut.read[ends], cut.rows.shape[1]
        recent: dict[int, Floats] = {}  # two sections may share a window
        for section in sections(words.sentence):
            needed = range(read[section.start, 0] // columns, read[section.stop - 1, 1] // columns + 1)
            recent = {
                window: recent[window] if window in recent else encode(cut.rows[window], kinds[window])
                for window in needed
            }
            by_subword = np.concatenate(list(recent.values()))
            first, last = (read[section] - needed.start * columns).T
            yield section, (by_subword[first] + by_subword[last]) * np.float32(0.5)

    def encode(self, row: IntArray, kinds: IntArray) -> Floats:
        """Encode one window; several at once would be no faster: one keeps a processor busy."""
        return self.run(["states"], row, kinds)[0]

    def run(self, results: Sequence[str], row: IntArray, kinds: IntArray) -> list[Floats]:
        """Encode one window: its states, its lower states, or both."""
        given = {"rows": row[None], "kinds": kinds[None]}
        return [states[0] for states in self.session.run(results, given)]
