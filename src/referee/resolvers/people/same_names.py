"""One name is one person over a whole text, in other languages than English.

A resolver compares a mention with some pages before it. Who is named again after many pages, or in other
words (*Anna Berger*, *Berger*), may become another entity. Here an entity whose names are all one that
elsewhere is the name of a larger entity joins that one. A surname that two first names share is neither's
(*Anna Berger*, *Paul Berger*), *meneer Bos* is not *mevrouw Bos*, and who is called he is not she. On *Manon
Lescaut* that gives B³ +0.5, on a Dutch novel 0.05 CoNLL, and nothing on 23 texts that the network had seen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

from referee.language.word_classes import HE, SHE, WordClasses, class_of, classes_of
from referee.model import Document, Mention
from referee.resolvers.people.second_pass import BY_NAME

OFTEN, MOSTLY = 3, 0.6  # of the mentions with a name are in the larger entity, and that is their share
AGAIN = 2  # mentions with the name in the smaller one
AS_NOUN = 0.3  # of the places where a noun stands, a determiner is before it
LONGEST = 3  # words before a name that belong to it: titles and adjectives

Name: TypeAlias = tuple[str, ...]  # its words in small letters, without titles


class NameFinder:
    """Which words of a text are names: those with a capital, that are hardly ever written small."""

    def __init__(self, words: Sequence[str], known: WordClasses) -> None:
        """Count how words are written."""
        self.words, self.known = words, known
        self.lower = [word.lower() for word in words]
        self.small = Counter(word for word in words if word[:1].islower())
        self.large = Counter(word.lower() for word in words if word[:1].isupper())
        self.behind = Counter(word for before, word in pairwise(self.lower) if before in known.determiners)

    def is_name(self, at: int) -> bool:
        """Whether a word is a name; where all nouns have a capital, no determiner may often precede it."""
        word, lower, known = self.words[at], self.lower[at], self.known
        if not word[:1].isupper() or self.large[lower] <= self.small[lower]:
            return False
        if lower in known.masculine or lower in known.feminine or lower in known.determiners:
            return False
        is_noun = known.capital_nouns and self.behind[lower] > AS_NOUN * self.large[lower]
        return not is_noun and not class_of(word, known)

    def name_of(self, mention: Mention) -> Name:
        """Give the name at the end of a mention, with nothing but titles and the like before it; () for none.

        >>> words = "Mme Anna Berger et la fille de Berger".split()
        >>> names = NameFinder(words, classes_of("fr"))
        >>> names.name_of(Mention.at(0, 3)), names.name_of(Mention.at(4, 8))
        (('anna', 'berger'), ())
        """
        start = mention.end
        while start > mention.start and self.is_name(start - 1):
            start -= 1
        known, before = self.known, self.lower[mention.start : start]
        parts = (known.after_noun, known.joining)
        if len(before) > LONGEST or any(word in part for part in parts for word in before[1:]):
            return ()
        is_other = before and known.determiners.get(before[0], 0) > 1  # une Berger, sa Berger
        return () if is_other else tuple(self.lower[start : mention.end])

    def title_of(self, mention: Mention) -> int:
        """Say by its title whether a name is a man's or a woman's; 0 for neither."""
        before = self.lower[mention.start : mention.end - 1]
        he, she = (
            any(word in part for word in before) for part in (self.known.masculine, self.known.feminine)
        )
        return HE * (he and not she) or SHE * (she and not he)


@dataclass(slots=True)
class Shown:
    """What an entity shows: how often it has each name, and the genders of its pronouns and titles."""

    names: Counter[Name] = field(default_factory=Counter)
    genders: Counter[int] = field(default_factory=Counter)
    titles: Counter[int] = field(default_factory=Counter)

    @property
    def gender(self) -> int:
        """The gender by titles, or else by most pronouns."""
        shown = (self.titles or self.genders).most_common(1)
        return shown[0][0] if shown else 0


def with_same_names(document: Document, language: str) -> list[list[Mention]]:
    """Give a document's clusters, where those of one name are one.

    >>> from referee.model import Cluster
    >>> words = "Anna Berger . Anna . Anna . Dann kam Berger . Berger ging .".split()
    >>> spans = [(0, 2), (3, 4), (5, 6)], [(9, 10), (11, 12)]
    >>> two = [Cluster(str(n), tuple(Mention.at(*span) for span in each)) for n, each in enumerate(spans)]
    >>> [len(cluster) for cluster in with_same_names(Document.of("d", words, [(0, 14)], two), "de")]
    [5]
    """
    known = classes_of(language)
    finder = NameFinder(document.words, known)
    clusters = [list(cluster.mentions) for cluster in document.clusters]
    names = {
        mention: name for mentions in clusters for mention in mentions if (name := finder.name_of(mention))
    }
    persons = _persons(set(names.values()))
    shown = [_shown(mentions, names, persons, finder) for mentions in clusters]
    joined: dict[int, list[Mention]] = defaultdict(list)
    means = _means(shown)
    for number, mentions in enumerate(clusters):
        target = means.get(number, number)
        moved = target != number
        joined[target] += (
            [replace(each, link_score=each.link_score or BY_NAME) for each in mentions] if moved else mentions
        )
    result = (sorted(mentions, key=lambda each: (each.start, each.end)) for mentions in joined.values())
    return [[replace(first, link_score=None), *others] for first, *others in result]


def _persons(names: set[Name]) -> dict[Name, Name]:
    """Say for each name whose it is: the full name that alone begins or ends with it, or else itself."""
    full: dict[str, set[Name]] = defaultdict(set)
    for name in names:
        if len(name) > 1:
            full[name[0]].add(name)
            full[name[-1]].add(name)
    only = {word: next(iter(those)) for word, those in full.items() if len(those) == 1}
    return {name: only.get(name[0], name) if len(name) == 1 else name for name in names}


def _shown(
    mentions: Sequence[Mention], names: dict[Mention, Name], persons: dict[Name, Name], finder: NameFinder
) -> Shown:
    shown = Shown()
    for mention in mentions:
        if name := names.get(mention):
            shown.names[persons[name]] += 1
            if title := finder.title_of(mention):
                shown.titles[title] += 1
        elif mention.end - mention.start == 1:
            kind = class_of(finder.words[mention.start], finder.known)
            if kind in (HE, SHE):
                shown.genders[kind] += 1
    return shown


def _means(shown: Sequence[Shown]) -> dict[int, int]:
    """Say which entities are others: the number of each → that of the larger one of its name."""
    holders: dict[Name, Counter[int]] = defaultdict(Counter)
    for number, each in enumerate(shown):
        for name, count in each.names.items():
            holders[name][number] = count
    means: dict[int, int] = {}
    for name, counts in holders.items():
        largest, count = counts.most_common(1)[0]
        leads = shown[largest].names.most_common(1)[0][0] == name
        if count < OFTEN or count < MOSTLY * counts.total() or not leads:
            continue
        for number, again in counts.items():
            alone = number != largest and again >= AGAIN and len(shown[number].names) == 1
            if alone and {shown[number].gender, shown[largest].gender} != {HE, SHE}:
                means[number] = largest
    return means
