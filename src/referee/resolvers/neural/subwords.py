"""Words as subword tokens, in one way for training and for running, and long texts as windows of them.

A text that is longer than an encoder can read is encoded in windows that overlap; each subword is read where
its context is widest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import IntArray, run_starts
from referee.exceptions import FormatError, MissingExtra
from referee.resolvers.neural.features import CAPITAL_CLASSES, WordFeatures

MAX_SUBWORDS = 8  # of a word; the rest of a longer one is not read
WIDTH = 510  # subwords in a window, without the two special tokens around them
OVERLAP = 32  # subwords that neighbouring windows share; on OntoGUM and LitBank more gives nothing
SECTION = 2000  # words of a text whose vectors are held at a time: 3 MB
UNIGRAM = "Unigram"  # the other kind of tokenizer beside WordPiece
SPECIAL_TOKENS = (("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[PAD]", "<pad>"))  # as BERT and as MPNet name them


class SubwordTokenizer:
    """A tokenizer: what begins a window, ends it and pads it, and the subwords of words."""

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
        vocabulary = vocabulary_of(tokenizer)
        first, last, padding = (
            next((vocabulary[name] for name in names if name in vocabulary), None) for names in SPECIAL_TOKENS
        )
        model = tokenizer["model"]
        unknown = model.get("unk_id", vocabulary.get(model.get("unk_token")))
        if first is None or last is None or padding is None or unknown is None:
            raise FormatError(
                f"{where}: it needs tokens that begin, end and pad a text, and one for unknown words"
            )
        self.special_tokens: tuple[int, int, int] = (first, last, padding)
        self.unknown: int = unknown
        self.known: dict[str, list[int]] = {}

    def cut(self, words: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Cut words into subwords; say which is each word's first and last one."""
        return subwords_of(words, self.tokenizer, self.known, self.unknown)


def vocabulary_of(tokenizer: Mapping[str, Any]) -> dict[str, int]:
    """Number the subwords of a tokenizer's file, of WordPiece or of a Unigram model.

    >>> vocabulary_of({"model": {"type": "Unigram", "vocab": [["<s>", 0.0], ["a", -1.5]]}})
    {'<s>': 0, 'a': 1}
    """
    known = tokenizer["model"]["vocab"]
    if tokenizer["model"].get("type") == UNIGRAM:
        return {piece: number for number, (piece, _) in enumerate(known)}
    return dict(known)


def subwords_of(
    words: Sequence[str], tokenizer: Any, known: dict[str, list[int]], unknown: int
) -> tuple[IntArray, IntArray]:
    """Cut words into subwords, each word once: `known` are those that were cut before."""
    new = [word for word in dict.fromkeys(words) if word not in known]
    for word, encoded in zip(new, tokenizer.encode_batch(new, add_special_tokens=False), strict=True):
        known[word] = encoded.ids[:MAX_SUBWORDS] or [unknown]
    cut = [known[word] for word in words]
    ends = np.cumsum([len(ids) for ids in cut])
    return np.concatenate([np.array(ids) for ids in cut]), np.stack([np.r_[0, ends[:-1]], ends - 1], 1)


class Windows(NamedTuple):
    """Rows of subwords between special tokens, the length of each, and where a text's subwords are read."""

    rows: IntArray  # window, column → subword; the padding after a row's end
    lengths: IntArray  # window → columns in use
    read: IntArray  # subword of the text → its index among all rows laid end to end
    starts: IntArray  # window → its first subword


def window_starts(subwords: int, width: int = WIDTH, overlap: int = OVERLAP) -> IntArray:
    """Say where windows begin: as few as cover the text, evenly spaced as far as that allows.

    >>> window_starts(1000, 510, 96).tolist()
    [0, 245, 490]
    >>> window_starts(300, 510, 96).tolist()
    [0]
    """
    count = 1 if subwords <= width else -(-(subwords - overlap) // (width - overlap))
    return np.linspace(0, max(subwords - width, 0), count).astype(np.int64)


def windows(
    subwords: IntArray, special_tokens: tuple[int, int, int], width: int = WIDTH, overlap: int = OVERLAP
) -> Windows:
    """Cut a text's subwords into windows; `special_tokens` begin a window, end it and pad it.

    >>> cut = windows(np.array([5, 6, 7, 8]), (1, 2, 0), width=3, overlap=1)
    >>> cut.rows.tolist(), cut.read.tolist()
    ([[1, 5, 6, 7, 2], [1, 6, 7, 8, 2]], [1, 2, 7, 8])
    """
    first, last, padding = special_tokens
    starts = window_starts(subwords.size, width, overlap)
    length = min(width, subwords.size)
    rows = np.full((starts.size, length + 2), padding, np.int64)
    rows[:, 0] = first
    rows[:, 1:-1] = subwords[starts[:, None] + np.arange(length)]
    rows[:, -1] = last
    # A subword belongs to the last window in which it is past the middle of the overlap.
    middles = (starts[1:] + starts[:-1] + length) // 2
    window = np.searchsorted(middles, np.arange(subwords.size), side="right")
    read = window * (length + 2) + np.arange(subwords.size) - starts[window] + 1
    return Windows(rows, np.full(starts.size, length + 2), read, starts)


def subword_kinds(words: WordFeatures, ends: IntArray, cut: Windows) -> IntArray:
    """Give each subword's kind, window by window: its word's capital, and the guideline."""
    kind = words.capital + CAPITAL_CLASSES * words.guideline
    by_subword = np.repeat(kind, ends[:, 1] - ends[:, 0] + 1)
    inner = by_subword[cut.starts[:, None] + np.arange(cut.rows.shape[1] - 2)]
    return np.pad(inner, ((0, 0), (1, 1)), constant_values=CAPITAL_CLASSES * int(words.guideline[0]))


def sections(sentences: IntArray, most: int = SECTION) -> Iterator[slice]:
    """Cut a text into sections of whole sentences; one that is too long itself is cut like the rest.

    >>> [(part.start, part.stop) for part in sections(np.array([0, 0, 1, 1, 2, 3, 3, 3, 3, 3]), 4)]
    [(0, 4), (4, 5), (5, 9), (9, 10)]
    """
    begins, begin = np.append(np.flatnonzero(run_starts(sentences)), sentences.size), 0
    while begin < sentences.size:
        last = int(begins[np.searchsorted(begins, begin + most, side="right") - 1])
        end = last if last > begin else begin + most
        yield slice(begin, end)
        begin = end
