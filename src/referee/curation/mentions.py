"""Which mentions of several annotators are the same mention.

Mentions of the same words are the same. A mention that another annotator lacks, and one of that annotator
that the first lacks, are the same mention with other boundaries by the rule that `referee errors` has for
wrong boundaries: they have the same head and no third has it; where heads are not known, they begin together,
or else end together. What is so joined directly or over others is one mention, unless an annotator would have
two mentions in it: then all stay apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from referee.analysis.span_pairing import pair_spans
from referee.language.mention_types import Described, describe
from referee.model import Document, Mention, linked_groups


@dataclass(frozen=True)
class Candidate:
    """A mention that some annotators marked, not all of them with the same words perhaps."""

    by: Mapping[str, Mention]  # annotator → his mention

    @cached_property
    def votes(self) -> list[tuple[Mention, int]]:
        """The mentions that annotators chose, and how many did: most first, of equally many the longest."""
        counted = Counter(self.by.values())
        return sorted(counted.items(), key=lambda each: (-each[1], -size_of(each[0]), each[0]))

    @property
    def mention(self) -> Mention:
        """The mention that most chose; of equally many the longest."""
        return self.votes[0][0]

    @property
    def tied(self) -> list[Mention]:
        """The mentions that equally many chose, if several have most votes."""
        most = [mention for mention, count in self.votes if count == self.votes[0][1]]
        return most if len(most) > 1 else []


def size_of(mention: Mention) -> int:
    """Count the words of a mention."""
    return sum(end - start for start, end in mention.spans)


def candidates(text: Document, marked: Mapping[str, Iterable[Mention]]) -> list[Candidate]:
    """Align the mentions of annotators, each of which an annotator has once; in the order of the text."""
    every = sorted({mention for mentions in marked.values() for mention in mentions})
    described = dict(zip(every, describe(text, every), strict=True))
    own = {name: {mention: mention for mention in mentions} for name, mentions in marked.items()}
    sets = {name: set(mentions) for name, mentions in own.items()}
    names = {mention: str(number) for number, mention in enumerate(every)}
    links = [
        (names[one], names[other])
        for first, second in combinations(sets, 2)
        for one, other in _with_other_words(sets[first], sets[second], described)
    ]
    roots = linked_groups(names.values(), links)
    groups: dict[str, list[Mention]] = {}
    for mention in every:
        groups.setdefault(roots[names[mention]], []).append(mention)
    found = [each for group in groups.values() for each in _of_group(group, own)]
    return sorted(found, key=lambda each: each.mention)


def _with_other_words(
    one: set[Mention], other: set[Mention], described: Mapping[Mention, Described]
) -> list[tuple[Mention, Mention]]:
    """Pair what only one of two annotators has."""
    ours, theirs = ([described[mention] for mention in sorted(some)] for some in (one - other, other - one))
    pairs = zip(*(each.tolist() for each in pair_spans(ours, theirs, as_the_tool=False)), strict=True)
    return [(ours[a].mention, theirs[b].mention) for a, b in pairs]


def _of_group(group: Sequence[Mention], marked: Mapping[str, Mapping[Mention, Mention]]) -> list[Candidate]:
    """Make one mention of a group, or, where an annotator has several of it, one of each.

    Each annotator keeps his own value: equal mentions may differ in type, head and minimum span.
    """
    by = {mention: [name for name, own in marked.items() if mention in own] for mention in group}
    times = Counter(name for names in by.values() for name in names)
    if max(times.values()) > 1:
        return [Candidate({name: marked[name][m] for name in names}) for m, names in by.items()]
    chosen = {name: marked[name][mention] for mention, names in by.items() for name in names}
    return [Candidate({name: chosen[name] for name in marked if name in chosen})]
