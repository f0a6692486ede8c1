"""Words of scripts without blanks: SudachiPy cuts Japanese, PyThaiNLP cuts Thai.

Measured on the development texts (`bench/languages.py`): how many of the mentions that people marked begin
and end where words do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

from referee.exceptions import RefereeError, need_package
from referee.model import Span

_PART = re.compile(
    r"[^\n。！？]{0,2000}[\n。！？]?"
)  # what a segmenter is given at once: Sudachi takes 49,149 bytes
_INK = re.compile(
    "[^\\s\u00ad\u200b\u200e\u200f\u2060\ufeff](?:.*[^\\s\u00ad\u200b\u200e\u200f\u2060\ufeff])?", re.S
)


def japanese_words(text: str) -> list[Span]:
    """Say where the words of a Japanese text are: the short units of Sudachi's small dictionary."""
    need_package("sudachipy", "japanese", "SudachiPy")
    need_package("sudachidict_small", "japanese", "sudachidict-small")
    from sudachipy import SplitMode

    # It is cheap, and of this call alone, because threads cannot share it.
    tokenizer = _japanese_dictionary().tokenizer(mode=SplitMode.A)
    return _spans(text, lambda part: (morpheme.surface() for morpheme in tokenizer.tokenize(part)))


def thai_words(text: str) -> list[Span]:
    """Say where the words of a Thai text are: the longest of a dictionary that leave least over (newmm)."""
    need_package("pythainlp", "thai", "PyThaiNLP")
    os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")  # or it makes a folder at home
    from pythainlp.tokenize.newmm import segment

    return _spans(text, lambda part: segment(part, safe_mode=True))


SEGMENTERS: dict[str, Callable[[str], list[Span]]] = {"ja": japanese_words, "th": thai_words}


def _spans(text: str, cut: Callable[[str], Iterable[str]]) -> list[Span]:
    """Cut a text part by part, and leave out blanks."""
    return list(_without_blanks(text, cut))


def _without_blanks(text: str, cut: Callable[[str], Iterable[str]]) -> Iterator[Span]:
    for part in _PART.finditer(text):
        if not part[0].strip():
            continue
        words = list(cut(part[0]))
        if "".join(words) != part[0]:
            raise RefereeError("the segmenter changed the text, so that words cannot be found in it")
        for start, end in pairwise(accumulate(map(len, words), initial=part.start())):
            if ink := _INK.search(text, start, end):
                yield ink.span()


@cache
def _japanese_dictionary() -> Any:
    from sudachipy import Dictionary

    return Dictionary(dict="small")
