"""Costs by size: nested mentions in every format, rows of marks and endless sentences for CAMP.

python bench/costs.py [--check]: seconds of processor time for 1,000, 2,000 and 4,000 mentions, marks or
words. With --check the last may take at most ten times as long as the first; four times is linear, sixteen
times is quadratic.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import referee
from referee import Cluster, Document, DocumentCorpus, Mention, formats

SIZES = (1_000, 2_000, 4_000)
WORST = 10.0
MARK = '"'
# Formats whose files are quadratic, as they repeat what is covered at every word; or that need more files.
LEFT_OUT = {"webanno", "brat", "label-studio", "json-answer", "topic-conll", "mentions-json"}
TEXTS: dict[str, Callable[[int], str]] = {
    "quotation marks in a row": lambda n: f"Ann said that she left. {MARK * n} She saw the man.",
    "quotation marks with blanks": lambda n: f"Ann said that she left. {(MARK + ' ') * n} She saw the man.",
    "one sentence": lambda n: f"Ann said that she left {'and the man saw her ' * (n // 4)}.",
}


def nested(count: int) -> DocumentCorpus:
    """Make a document in which each mention is in another one."""
    words = tuple(f"w{number}" for number in range(2 * count))
    clusters = tuple(Cluster(str(n), (Mention.at(n, 2 * count - n),)) for n in range(count))
    return DocumentCorpus([Document.of("d", words, ((0, len(words)),), clusters)], "nested")


def written_and_read(name: str, count: int, folder: Path) -> float:
    """Take the time for one format."""
    form, corpus = formats.FORMATS[name], nested(count)
    path = folder / f"{name}{count}{(*form.suffixes, '.x')[0]}"
    started = time.process_time()
    formats.write(corpus, path, name, cross_document=form.across)
    list(formats.read(path))
    return time.process_time() - started


def resolved(text: str) -> float:
    """Take the time that CAMP needs."""
    started = time.process_time()
    referee.resolve(text, resolver="camp")
    return time.process_time() - started


def shown(name: str, seconds: list[float]) -> float:
    """Print one line; give the ratio of the largest to the smallest."""
    ratio = seconds[-1] / seconds[0]
    print(
        f"{name:28}",
        *(f"{value:8.2f} s" for value in seconds),
        f"   × {ratio:.1f}",
        flush=True,
    )
    return ratio


def main() -> None:
    """Print the table."""
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(set(formats.writable()) - LEFT_OUT):
            written_and_read(name, 10, Path(folder))
            ratios.append(shown(name, [written_and_read(name, size, Path(folder)) for size in SIZES]))
    if find_spec("spacy"):
        resolved("Ann left. She was late.")
        for name, text in TEXTS.items():
            ratios.append(shown(name, [resolved(text(size)) for size in SIZES]))
    if "--check" in sys.argv and max(ratios) > WORST:
        sys.exit(f"four times the size takes {max(ratios):.1f} times as long")


if __name__ == "__main__":
    main()
