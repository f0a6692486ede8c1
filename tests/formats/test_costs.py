"""Costs by size: a document with deeply nested mentions costs about what its file is long, in each format.

What is compared is the processor time of two sizes: four times the mentions may take eight times as long, not
sixteen.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import Cluster, Document, DocumentCorpus, Mention, formats

SMALL, LARGE = 400, 1600  # mentions
BOUND = 8.0  # a linear cost has 4, a quadratic one 16
LONG_IN_ITSELF = {  # formats that repeat what is covered or open at every word: the file is quadratic
    "webanno", "brat", "label-studio", "json-answer",
}  # fmt: skip
NEEDS_MORE = {"topic-conll", "mentions-json"}  # topics; a file beside it
FORMATS = sorted(set(formats.writable()) - LONG_IN_ITSELF - NEEDS_MORE)
SHAPES: dict[str, Callable[[int, int], Mention]] = {
    "around each other": lambda number, count: Mention.at(number, 2 * count - number),
    "from one word": lambda number, _: Mention.at(0, number + 1),
}


def nested(count: int, shape: str) -> DocumentCorpus:
    """Make a document of one sentence, in which each mention is in another one."""
    words = tuple(f"w{number}" for number in range(2 * count))
    clusters = tuple(Cluster(str(n), (SHAPES[shape](n, count),)) for n in range(count))
    return DocumentCorpus([Document.of("d", words, ((0, len(words)),), clusters)], "nested")


def seconds(name: str, count: int, shape: str, folder: Path) -> float:
    """Write and read such a document, and take the time."""
    form = formats.FORMATS[name]
    path = folder / f"{count}{(*form.suffixes, '.x')[0]}"
    corpus = nested(count, shape)
    started = time.process_time()
    gc.disable()  # a search for garbage goes through all that earlier tests have left
    try:
        formats.write(corpus, path, name, cross_document=form.across)
        read = formats.read(path)
        assert read.chains([0]).start.size + (name == "mentions-documents") * count == count
        assert read.document(0).text.length == 2 * count
    finally:
        gc.enable()
    return time.process_time() - started


@pytest.mark.filterwarnings(
    "ignore:.*left out.*mentions:referee.exceptions.LossWarning"
)  # of documents alone
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", FORMATS)
def test_nesting_costs_what_a_file_is_long(name: str, shape: str, tmp_path: Path) -> None:
    seconds(name, 10, shape, tmp_path)  # loads what is needed
    for _ in range(4):  # another process may have had the machine for a while
        ratio = seconds(name, LARGE, shape, tmp_path) / seconds(name, SMALL, shape, tmp_path)
        if ratio < BOUND:
            return
    raise AssertionError(f"{LARGE // SMALL} times the mentions took {ratio:.1f} times as long")
