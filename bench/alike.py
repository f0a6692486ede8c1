"""Measures whether two events of one sort are kept apart, and one event told twice is put together.

    python bench/alike.py MODEL [--scope corpus] [--show]

The texts are tests/data/alike/stories.txt. Each pair of texts is linked by itself: the two events, and the
two tellings of the first; then all texts together. With --show, what went wrong is listed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import referee
from alike_stories import (
    KINDS,
    Found,
    links_across,
    news_texts,
    rightly_joined,
    story_pairs,
    things_of_two_events,
    things_told_twice,
    wrongly_joined,
)
from referee.model import Document, DocumentCorpus

Counts = Counter[str]  # how many things of each kind


def main() -> None:
    """Print both counts by kind, of pairs linked alone and of all texts together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--scope", default="corpus")
    parser.add_argument("--show", action="store_true", help="list what went wrong")
    given = parser.parse_args()
    pairs = story_pairs()
    every = found([text for pair in pairs for text in pair[1:]], given)
    for alone in (True, False):
        wrong, apart, right, told = Counts(), Counts(), Counts(), Counts()
        for pair in pairs:
            joined = wrongly_joined(pair, found([pair.first, pair.other], given) if alone else every)
            together = rightly_joined(pair, found([pair.first, pair.again], given) if alone else every)
            wrong += kinds(joined)
            apart += kinds(things_of_two_events(pair))
            right += kinds(together)
            told += kinds(things_told_twice(pair))
            if given.show and alone:
                missed = sorted(things_told_twice(pair) - together)
                print(f"{pair.name}: joined wrongly {sorted(joined)}; not joined {missed}")
        print("each pair by itself" if alone else "all texts together")
        print("  joined with another event's:", shown(wrong, apart))
        print("  joined with their second telling:", shown(right, told))
    news(given)


def news(given: argparse.Namespace) -> None:
    """Print how many links between texts about different events are found, and how many of them are right."""
    texts = news_texts()
    key = DocumentCorpus(texts, "news", cross_document=True)
    wanted = links_across(texts)
    for mentions in ("gold", "predicted"):
        found = referee.link(key, model=given.model, scope=given.scope, kind="entities", mentions=mentions)
        links = links_across(ending_alike(texts, list(found)))
        right = len(links & wanted)
        print(
            f"news, {mentions} mentions: {right} of {len(wanted)} links found; {right} of {len(links)} right"
        )


def ending_alike(keys: Sequence[Document], found: Sequence[Document]) -> list[Document]:
    """Give found mentions the spans of the marked ones that end with the same word, and leave out others."""
    texts = []
    for key, document in zip(keys, found, strict=True):
        marked = {mention.end: mention for mention in key.mentions}
        clusters = (
            replace(each, mentions=tuple(sorted({marked[m.end] for m in each.mentions if m.end in marked})))
            for each in document.clusters
        )
        texts.append(Document(key.text, tuple(cluster for cluster in clusters if cluster.mentions)))
    return texts


def found(texts: Sequence[Document], given: argparse.Namespace) -> Found:
    """Link texts without their marks."""
    corpus = DocumentCorpus([Document(text.text, ()) for text in texts], "stories", cross_document=True)
    response = referee.link(corpus, model=given.model, scope=given.scope)
    return Found(texts, {document.id: document for document in response})


def kinds(things: Iterable[str]) -> Counts:
    """Count things by kind."""
    return Counter(KINDS[thing[0]] for thing in things)


def shown(counted: Counts, of: Counts) -> str:
    """Write counts by kind, and of all kinds."""
    parts = [f"{name} {counted[name]} of {of[name]}" for name in KINDS.values()]
    return f"{counted.total()} of {of.total()} ({', '.join(parts)})"


if __name__ == "__main__":
    main()
