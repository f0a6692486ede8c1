"""Nouns that mean somebody who is named elsewhere, by who answers whom, in other languages than English.

    « Entrez, monsieur l'abbé. » – « Merci », dit le prêtre.

Who is called in one turn answers in the next, and of two who talk by turns the same one speaks two turns
later. So an entity of nouns alone that stands in such places again and again for a person with a name, and
hardly ever beside that person, is that person. In two French novels two entities were joined so, both rightly
(*le gouverneur* is Roger, *le prêtre* the abbé Bernard); in one in Dutch, in *Manon Lescaut* and in 23 others
from which the network had learnt, none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.language.word_classes import HE, SHE, WordClasses, class_of
from referee.model import Mention

OFTEN = 4  # places where one of two entities stands for the other, and
MORE = 2  # how many times as many as those where they stand beside each other
NAMED = 2  # mentions of an entity that are names
AS_NOUN = 0.3  # of the places where a noun stands, a determiner is before it


class Said(NamedTuple):
    """Who says a turn, and who is called in it, as entities; None where that is not known."""

    speaker: int | None
    called: int | None


def joined_answers(
    words: Sequence[str],
    mentions: Sequence[Mention],
    entity: Sequence[int],
    turns: Mapping[int, Said],
    known: WordClasses,
) -> list[int]:
    """Give each mention its entity, where nouns and names that stand for each other are one."""
    instead, beside = _counted(turns)
    named = _named(words, mentions, entity, known)
    genders = _genders(words, mentions, entity, known)
    means: dict[int, int] = {}
    for (one, other), count in sorted(instead.items(), key=lambda each: (-each[1], each[0])):
        noun, person = (one, other) if other in named else (other, one)
        if count < OFTEN or count < MORE * beside[one, other]:
            continue
        shown = {genders.get(noun, 0), genders.get(person, 0)} - {0}
        if person in named and noun not in named and noun not in means and len(shown) < 2:
            means[noun] = person
    return [means.get(each, each) for each in entity]


def _counted(turns: Mapping[int, Said]) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Count for pairs of entities how often one stands where the other should, and beside the other."""
    instead: Counter[tuple[int, int]] = Counter()
    beside: Counter[tuple[int, int]] = Counter()
    nobody = Said(None, None)
    for number, (speaker, called) in turns.items():
        before, behind = (turns.get(near, nobody).speaker for near in (number - 1, number + 1))
        _count(instead, turns.get(number - 2, nobody).speaker, speaker)
        _count(instead, called, before)
        _count(instead, called, behind)
        _count(beside, before, speaker)
        _count(beside, called, speaker)
    return instead, beside


def _count(counts: Counter[tuple[int, int]], one: int | None, other: int | None) -> None:
    if one is not None and other is not None and one != other:
        counts[min(one, other), max(one, other)] += 1


def _named(
    words: Sequence[str], mentions: Sequence[Mention], entity: Sequence[int], known: WordClasses
) -> set[int]:
    """List the entities that have names: words with a capital that are hardly ever written small."""
    lower = [word.lower() for word in words]
    small = Counter(word for word in words if word[:1].islower())
    large = Counter(word.lower() for word in words if word[:1].isupper())
    behind = Counter(word for before, word in pairwise(lower) if before in known.determiners)
    people = known.masculine | known.feminine
    counts: Counter[int] = Counter()
    for mention, number in zip(mentions, entity, strict=True):
        last = lower[mention.end - 1]
        is_noun = known.capital_nouns and behind[last] > AS_NOUN * large[last]
        is_large = words[mention.end - 1][:1].isupper() and large[last] > small[last] and last not in people
        counts[number] += is_large and not is_noun and not _class(words, mention, known)
    return {number for number, count in counts.items() if count >= NAMED}


def _genders(
    words: Sequence[str], mentions: Sequence[Mention], entity: Sequence[int], known: WordClasses
) -> dict[int, int]:
    """Give the pronoun, he or she, that most of an entity's are."""
    counted: dict[int, Counter[int]] = defaultdict(Counter)
    for mention, number in zip(mentions, entity, strict=True):
        if (kind := _class(words, mention, known)) in (HE, SHE):
            counted[number][kind] += 1
    return {number: counts.most_common(1)[0][0] for number, counts in counted.items()}


def _class(words: Sequence[str], mention: Mention, known: WordClasses) -> int:
    return class_of(words[mention.start], known) if mention.end - mention.start == 1 else 0
