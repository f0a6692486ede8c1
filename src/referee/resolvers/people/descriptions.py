"""People who are called by nouns, told apart and made one by who answers whom.

Nobody answers himself: where the father speaks and then the son does, they are two, and an entity that holds
both is parted. In 60 tales, books and other texts five entities were parted so, and all were two people's.

The Jew is Fagin, and the girl is Nancy: where two people talk, the one is named at the first turn, and two
turns later described. So a noun that stands two turns from a name again and again, and never beside it, means
that person. In fourteen novels four pairs were found so: three were right, and one joined the whelp with an
entity that held him and his father.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from referee.language import english
from referee.resolvers.people.conversations import NEAR, NOBODY
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.settling import Found, named_mentions
from referee.resolvers.people.speakers import LED_IN, Scene, Turn

OFTEN = 3  # times that a noun and a name say turns with another one between
RARELY = 0.1  # for each of these, how often they say turns one after the other


def with_descriptions(
    layout: Layout, mentions: Sequence[Found], turns: Sequence[Turn], scene: Scene
) -> list[Found]:
    """Join entities that are called by a noun with the people that they are."""
    said = [_named_speaker(scene, turn) for turn in turns]
    beside, across = _counted(said, turns, 1), _counted(said, turns, 2)
    by_name = _called_by_name(layout, mentions)
    means: dict[int, int] = {}
    for (one, other), count in sorted(across.items(), key=lambda each: (-each[1], each[0])):
        noun, person = (one, other) if other in by_name else (other, one)
        genders = {scene.genders.get(noun, 0), scene.genders.get(person, 0)} - {0}
        if count < OFTEN or beside[one, other] > RARELY * count or len(genders) > 1:
            continue
        if person in by_name and noun not in by_name and noun not in means:
            means[noun] = person
    return [each._replace(entity=means.get(each.entity, each.entity)) for each in mentions]


def with_answers(layout: Layout, mentions: Sequence[Found], turns: Sequence[Turn]) -> list[Found]:
    """Part entities in which one noun answers another; what else is in them goes with the last one before."""
    scene, result = Scene(layout.words, layout.lower, mentions, (), {}), list(mentions)
    apart: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    nouns = [_speaking_noun(scene, turn) for turn in turns]
    for (last, (who, noun)), (turn, (other, answer)) in pairwise(zip(turns, nouns, strict=True)):
        if who == other != NOBODY and noun != answer and turn.paragraph - last.paragraph <= 1:
            apart[who][noun].add(answer)
            apart[who][answer].add(noun)
    free = 1 + max((mention.entity for mention in mentions), default=-1)
    for entity, answers in apart.items():
        side = _two_sides(answers)
        last_side = 0
        for number, (start, end, own) in enumerate(mentions):
            if own == entity:
                last_side = next((side[word] for word in layout.lower[start:end] if word in side), last_side)
                result[number] = result[number]._replace(entity=free if last_side else entity)
        free += 1
    return result


def _speaking_noun(scene: Scene, turn: Turn) -> tuple[int, str]:
    """Give the entity and the noun of who says a turn, by a phrase that ends with it."""
    words = [quote.speaker for quote in turn.quotes if turn.start - LED_IN <= quote.speaker < turn.end]
    mention = scene.mention_at(words[0]) if words and scene.lower[words[0]] not in english.PERSONAL else None
    return (mention[2], scene.lower[words[0]]) if mention and mention[1] == words[0] + 1 else (NOBODY, "")


def _two_sides(answers: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Divide nouns in two, so that those who answer each other are on two sides, from the busiest on."""
    side: dict[str, int] = {}
    for first in sorted(answers, key=lambda noun: (-len(answers[noun]), noun)):
        waiting = [first]
        side.setdefault(first, 0)
        while waiting:
            noun = waiting.pop()
            new = sorted(set(answers[noun]) - side.keys())
            side.update(dict.fromkeys(new, 1 - side[noun]))
            waiting += new
    return side


def _named_speaker(scene: Scene, turn: Turn) -> int:
    """Give the entity of the noun or name that says who speaks."""
    words = [quote.speaker for quote in turn.quotes if turn.start - LED_IN <= quote.speaker < turn.end]
    return scene.entity_at(words[0]) if words and scene.lower[words[0]] not in english.PERSONAL else NOBODY


def _counted(said: Sequence[int], turns: Sequence[Turn], step: int) -> Counter[tuple[int, int]]:
    """Count pairs of speakers who are some turns apart; with one between, it is another's turn."""
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(step, len(turns)):
        one, other = sorted((said[number - step], said[number]))
        near = turns[number].paragraph - turns[number - step].paragraph < step + NEAR - 1 + (step > 1)
        if NOBODY not in (one, other) and one != other and near and said[number - 1] != said[number]:
            counts[one, other] += 1
    return counts


def _called_by_name(layout: Layout, mentions: Sequence[Found]) -> set[int]:
    """List the entities that have names, most of them without an article: the Jew is a noun."""
    counted: Counter[int] = Counter()
    for mention, occurrence in named_mentions(layout, mentions).items():
        start = layout.names[occurrence].start
        counted[mentions[mention].entity] += -1 if start and layout.lower[start - 1] == "the" else 1
    return {entity for entity, count in counted.items() if count > 0}
