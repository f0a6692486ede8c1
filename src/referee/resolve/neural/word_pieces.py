"""Words as the pieces of a tokenizer: cut in one way, for training and for running."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError, MissingExtra

LONGEST_WORD = 8  # pieces
MARK_NAMES = (("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[PAD]", "<pad>"))  # as BERT and as MPNet name them


class WordPieces:
    """A tokenizer: what begins a window, ends it and pads it, and the pieces of words."""

    def __init__(self, tokenizer: Mapping[str, Any], where: str) -> None:
        """Load the content of a tokenizer's file; `where` is named in what goes wrong."""
        try:
            from tokenizers import Tokenizer
        except ImportError as missing:
            raise MissingExtra("tokenizers", "train") from missing
        try:
            self.tokenizer = Tokenizer.from_str(json.dumps(tokenizer))
        except Exception as error:  # the library raises plain exceptions
            raise FormatError(f"{where}: not a tokenizer that can be loaded: {error}") from error
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        vocabulary = tokenizer["model"]["vocab"]
        first, last, padding = (
            next((vocabulary[name] for name in names if name in vocabulary), None) for names in MARK_NAMES
        )
        unknown = vocabulary.get(tokenizer["model"].get("unk_token"))
        if first is None or last is None or padding is None or unknown is None:
            raise FormatError(
                f"{where}: pieces that begin, end and pad a text are needed, and one for unknown words"
            )
        self.marks: tuple[int, int, int] = (first, last, padding)
        self.unknown: int = unknown
        self.known: dict[str, list[int]] = {}

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Cut words into pieces; say which is each word's first and last one."""
        return cut_into_pieces(words, self.tokenizer, self.known, self.unknown)


def cut_into_pieces(
    words: Sequence[str], tokenizer: Any, known: dict[str, list[int]], unknown: int
) -> tuple[IntArray, IntArray]:
    """Cut words into pieces, each word once: `known` are those that were cut before."""
    new = [word for word in dict.fromkeys(words) if word not in known]
    for word, encoded in zip(new, tokenizer.encode_batch(new, add_special_tokens=False), strict=True):
        known[word] = encoded.ids[:LONGEST_WORD] or [unknown]
    cut = [known[word] for word in words]
    ends = np.cumsum([len(ids) for ids in cut])
    return np.concatenate([np.array(ids) for ids in cut]), np.stack([np.r_[0, ends[:-1]], ends - 1], 1)
