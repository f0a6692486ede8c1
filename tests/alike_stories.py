"""Pairs of invented news items about two events of one sort, each with a second telling of the first event.

They are in data/alike/stories.txt, written by hand: what belongs together is marked. Things of one story must
not be joined with things of the other; those of the second telling must be joined with those of the first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from referee.language.cutting.texts import cut_raw
from referee.model import Cluster, Document, Mention, Text

FILE = Path(__file__).parent / "data" / "alike" / "stories.txt"
NEWS, GROUPS = FILE.with_name("news.txt"), FILE.with_name("groups.txt")
KINDS = {"n": "names", "d": "days", "s": "sums", "e": "events"}
FIRST, OTHER, AGAIN = "a", "b", "again"
_MARK = re.compile(r"\[([^\[\]|]+)\|([a-z]\.[a-z0-9]+)\]")

Link = tuple[tuple[str, int, int], tuple[str, int, int]]


class Pair(NamedTuple):
    """Two events of one sort: a text about the first, one about the other, and the first told again."""

    name: str
    first: Document
    other: Document
    again: Document


def story_pairs(path: Path = FILE) -> list[Pair]:
    """Read the pairs; words are cut as those of any running text, clusters are named as things are marked."""
    texts: dict[str, dict[str, str]] = {}
    part = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("= "):
            texts[name := line[2:]] = {}
        elif line.startswith("- "):
            part = line[2:]
        elif line and texts:
            texts[name][part] = line
    return [
        Pair(name, *(_document(f"{name}-{part}", parts[part]) for part in (FIRST, OTHER, AGAIN)))
        for name, parts in texts.items()
    ]


def news_texts(path: Path = NEWS) -> list[Document]:
    """Read news items about events of their own, which mention the same people, places and organisations."""
    texts, group, name = list[Document](), "", ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("= "):
            group = line[2:]
        elif line.startswith("- "):
            name = f"{group}-{line[2:]}"
        elif line and name:
            texts.append(_document(name, line))
    return texts


def news_groups() -> dict[str, list[Document]]:
    """Read groups of news items, some of them about one story."""
    groups = defaultdict[str, list[Document]](list)
    for text in news_texts(GROUPS):
        groups[text.id.partition("-")[0]].append(text)
    return dict(groups)


def mixed_things(texts: Sequence[Document], response: Mapping[str, Document]) -> set[tuple[str, str]]:
    """List the pairs of things that are in one cluster, also of one text."""
    found = Found(texts, response)
    within = ({thing for _, thing in together} for together in found.things.values())
    return {pair for things in within for pair in combinations(sorted(things), 2)}


def told_again(texts: Sequence[Document]) -> set[str]:
    """List what several texts mention; people, places and organisations by name in each."""
    texts_with = Counter(
        thing
        for text in texts
        for thing in {cluster.id for cluster in text.clusters}
        if thing in named_things(text) or not thing.startswith("n.")
    )
    return {thing for thing, count in texts_with.items() if count > 1}


def joined_again(texts: Sequence[Document], response: Mapping[str, Document]) -> set[str]:
    """List what several texts mention and the response has in a cluster of several texts."""
    within = Found(texts, response).things.values()
    return {
        thing for things in within for thing in told_again(texts) if sum(t == thing for _, t in things) > 1
    }


def links_across(documents: Iterable[Document]) -> set[Link]:
    """List the pairs of mentions in two documents that are of one cluster."""
    clusters = defaultdict[str, list[tuple[str, int, int]]](list)
    for document in documents:
        for cluster in document.clusters:
            clusters[cluster.id] += [(document.id, m.start, m.end) for m in cluster.mentions]
    pairs = (pair for mentions in clusters.values() for pair in combinations(sorted(mentions), 2))
    return {(one, other) for one, other in pairs if one[0] != other[0]}


def _document(name: str, marked: str) -> Document:
    plain, spans, before = "", list[tuple[int, int, str]](), 0
    for mark in _MARK.finditer(marked):
        plain += marked[before : mark.start()]
        spans.append((len(plain), len(plain) + len(mark[1]), mark[2]))
        plain += mark[1]
        before = mark.end()
    text = cut_raw(Text(name, (), (), running=plain + marked[before:]))
    starts = {start: number for number, (start, _) in enumerate(text.characters)}
    ends = {end: number for number, (_, end) in enumerate(text.characters)}
    things = defaultdict[str, list[Mention]](list)
    for start, end, thing in spans:
        things[thing].append(Mention.at(starts[start], ends[end] + 1))
    return Document(text, tuple(Cluster(thing, tuple(mentions)) for thing, mentions in things.items()))


def named_things(document: Document) -> set[str]:
    """List the people, places and organisations that a text calls by a name."""
    words = document.text.words
    return {
        cluster.id
        for cluster in document.clusters
        if cluster.id.startswith("n.")
        and any(words[mention.end - 1][:1].isupper() for mention in cluster.mentions)
    }


class Found:
    """What a response to some texts made of the things that are marked in them.

    A mention of the response is one of a thing if it ends with the same word; more words before do no harm.
    """

    def __init__(self, keys: Sequence[Document], response: Mapping[str, Document]) -> None:
        """Take texts that are marked, and the response by the name of each text."""
        self.clusters = defaultdict[tuple[str, str], set[str]](set)  # text and thing → clusters
        self.things = defaultdict[str, set[tuple[str, str]]](set)  # cluster → texts and things
        for key in keys:
            ends = {m.end: cluster.id for cluster in key.clusters for m in cluster.mentions}
            for cluster in response[key.id].clusters:
                for mention in cluster.mentions:
                    if mention.end in ends:
                        self.clusters[key.id, ends[mention.end]].add(cluster.id)
                        self.things[cluster.id].add((key.id, ends[mention.end]))

    def joined(self, one: Document, other: Document) -> Iterator[tuple[str, str]]:
        """List things of one text with the things of the other that they were joined with."""
        for thing in dict.fromkeys(cluster.id for cluster in one.clusters):
            for cluster in self.clusters.get((one.id, thing), ()):
                for text, partner in self.things[cluster]:
                    if text == other.id:
                        yield thing, partner


def wrongly_joined(pair: Pair, found: Found) -> set[str]:
    """List the things of both events that were joined with another thing of the other event."""
    wrong = {(a, b) for a, b in found.joined(pair.first, pair.other) if a != b}
    return {a for a, _ in wrong} | {b for _, b in wrong}


def things_of_two_events(pair: Pair) -> set[str]:
    """List what could be joined wrongly."""
    first, other = ({cluster.id for cluster in each.clusters} for each in (pair.first, pair.other))
    return first ^ other


def things_told_twice(pair: Pair) -> set[str]:
    """List what both tellings of the first event mention; people, places and organisations by name."""
    first, again = ({cluster.id for cluster in each.clusters} for each in (pair.first, pair.again))
    named = named_things(pair.first) & named_things(pair.again)
    return {thing for thing in first & again if thing in named or not thing.startswith("n.")}


def rightly_joined(pair: Pair, found: Found) -> set[str]:
    """List what was joined with its second telling."""
    return {a for a, b in found.joined(pair.first, pair.again) if a == b} & things_told_twice(pair)
