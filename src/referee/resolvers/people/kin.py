"""Relatives in other languages than English: *seine Mutter* is one person, and not he himself.

A phrase for a relative has an owner, who is never the relative. What is the same relative of the same owner,
*sa femme* and *son épouse*, is one person where there can be only one, or where the same word is said again;
a son and a husband of one owner are two, and so are *my husband* and *your brother*, or anybody's dog. The
words stand in the table of a language, `[relatives]`. In whole novels and plays, whose owners are mixed up
too often, that costs up to 0.5 CoNLL, so that only shorter texts are looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

from referee.language.word_classes import DETERMINERS, HE, ME, SHE, YOU, WordClasses, class_of, classes_of
from referee.model import Document, Mention
from referee.resolvers.people.second_pass import BY_NAME

LONG = 2000  # words of a text in which owners are not known well enough
ONLY = frozenset(("mother", "father", "wife", "husband"))  # kinds of which somebody has one
ANIMAL = "animal"  # the kind of what is owned, and is nobody's relative
BETWEEN = 2  # words between the determiner and the noun
_POSSESSIVE = DETERMINERS.index("possessive") + 1


class Phrase(NamedTuple):
    """A phrase such as "sa pauvre mère": its words, the end excluded, and whose relative it is."""

    start: int
    end: int
    owner: int
    person: int  # the class of its determiner
    kind: str
    noun: str


@dataclass(slots=True)
class Entities:
    """The entity of each mention; a mention that is made here is `new`."""

    of: dict[Mention, int]
    new: set[Mention]
    free: int

    def begin(self) -> int:
        """Give the number of an entity that is not there yet."""
        self.free += 1
        return self.free - 1


def with_kin(document: Document, language: str, *, add: bool = True) -> list[list[Mention]]:
    """Give a document's clusters, where relatives are one person each; without `add` no mention is added.

    >>> from referee.model import Cluster
    >>> words = "Hans rief seine Mutter , aber seine Mutter schlief . Sie".split()
    >>> one = Cluster("0", tuple(Mention.at(*span) for span in ((0, 1), (2, 3), (2, 4), (6, 7))))
    >>> apart = with_kin(Document.of("d", words, [(0, 10)], [one]), "de")
    >>> [[" ".join(words[mention.start : mention.end]) for mention in cluster] for cluster in apart]
    [['Hans', 'seine', 'seine'], ['seine Mutter', 'seine Mutter']]
    """
    known = classes_of(language)
    clusters = [list(cluster.mentions) for cluster in document.clusters]
    if not known.relatives or document.text.length >= LONG:
        return clusters
    of = {mention: number for number, mentions in enumerate(clusters) for mention in mentions}
    entities = Entities(dict(of), set(), len(clusters))
    words = document.words[: document.text.length]
    phrases = _phrases(words, entities, known)
    _keep_owners_out(entities, phrases)
    _keep_kinds_apart(entities, phrases)
    _join_same(words, entities, phrases, known, add=add)
    result: dict[int, list[Mention]] = defaultdict(list)
    for mention in sorted(entities.of, key=lambda each: (each.start, each.end)):
        number = entities.of[mention]
        moved = of.get(mention) != number
        result[number].append(replace(mention, link_score=BY_NAME) if moved else mention)
    return [[replace(first, link_score=None), *others] for first, *others in result.values()]


def _phrases(words: Sequence[str], entities: Entities, known: WordClasses) -> list[Phrase]:
    """Find phrases for relatives whose determiner is a mention."""
    lower, found = [word.lower() for word in words], []
    for mention, owner in entities.of.items():
        start = mention.start
        if mention.end - start != 1 or known.determiners.get(lower[start]) != _POSSESSIVE:
            continue
        for at in range(start + 1, min(start + 2 + BETWEEN, len(words))):
            if kind := known.relatives.get(known.base(lower[at])):
                person = class_of(words[start], known)
                found.append(Phrase(start, at + 1, owner, person, kind, known.base(lower[at])))
                break
            if lower[at] in known.after_noun or not lower[at].isalpha():
                break
    return sorted(found)


def _mentions_of(entities: Entities, phrase: Phrase) -> list[Mention]:
    """List the mentions that are a phrase, or begin with it: seine Mutter, seine Mutter Anna."""
    return [each for each in entities.of if each.start == phrase.start and each.end >= phrase.end]


def _keep_owners_out(entities: Entities, phrases: Sequence[Phrase]) -> None:
    """Take phrases out of the entity of their owner; those of one kind together."""
    began: dict[tuple[int, str], int] = {}
    for phrase in phrases:
        for mention in _mentions_of(entities, phrase):
            if entities.of[mention] == phrase.owner:
                key = phrase.owner, phrase.kind
                began[key] = began.get(key) or entities.begin()
                entities.of[mention] = began[key]


def _keep_kinds_apart(entities: Entities, phrases: Sequence[Phrase]) -> None:
    """Part entities in which an owner's relatives are of two kinds; others go with the last one before."""
    by_entity: dict[int, list[tuple[Mention, Phrase]]] = defaultdict(list)
    for phrase in phrases:
        for mention in _mentions_of(entities, phrase):
            by_entity[entities.of[mention]].append((mention, phrase))
    for entity, inside in by_entity.items():
        first = {phrase.kind: phrase for _, phrase in reversed(inside)}
        if len(first) < 2 or not all(_are_apart(*pair) for pair in combinations(first.values(), 2)):
            continue
        kind_of = {mention: phrase.kind for mention, phrase in inside}
        last = inside[0][1].kind
        numbers = {kind: entity if kind == last else entities.begin() for kind in first}
        for mention in sorted(entities.of, key=lambda each: (each.start, each.end)):
            if entities.of[mention] == entity:
                last = kind_of.get(mention, last)
                entities.of[mention] = numbers[last]


def _are_apart(one: Phrase, other: Phrase) -> bool:
    """Whether phrases of two kinds mean two: of one owner, of me and you, or one of them is an animal."""
    is_animal = ANIMAL in (one.kind, other.kind)
    return one.owner == other.owner or {one.person, other.person} == {ME, YOU} or is_animal


def _join_same(
    words: Sequence[str], entities: Entities, phrases: Sequence[Phrase], known: WordClasses, *, add: bool
) -> None:
    """Join what is the same relative of the same owner; a phrase that was not found is a mention by `add`."""
    groups: dict[tuple[int, str, str], list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        groups[phrase.owner, phrase.kind, "" if phrase.kind in ONLY else phrase.noun].append(phrase)
    for group in groups.values():
        found = [(phrase, _mentions_of(entities, phrase)) for phrase in group]
        numbers = Counter(entities.of[mention] for _, mentions in found for mention in mentions)
        if len(group) < 2:
            continue
        target = numbers.most_common(1)[0][0] if numbers else entities.begin()
        for number in numbers:
            if number != target and _may_be_one(words, entities, number, target, known):
                entities.of |= {mention: target for mention, old in entities.of.items() if old == number}
        for phrase, mentions in found:
            if add and not mentions:
                entities.of[Mention(((phrase.start, phrase.end),), score=BY_NAME)] = target


def _may_be_one(words: Sequence[str], entities: Entities, one: int, other: int, known: WordClasses) -> bool:
    """Whether no pronoun says that two entities are a man and a woman."""
    shown: dict[int, Counter[int]] = {one: Counter(), other: Counter()}
    for mention, number in entities.of.items():
        if number in shown and mention.end - mention.start == 1:
            shown[number][class_of(words[mention.start], known)] += 1
    he, she = ({n for n, counts in shown.items() if counts[kind]} for kind in (HE, SHE))
    return not (he and she and he != she)
