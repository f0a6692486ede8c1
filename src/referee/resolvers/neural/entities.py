"""Entities as they grow: what is known of them, and how well a mention fits one.

The network compares mentions two by two. A person reads entities: whether one is called he or she, by which
names, who is speaking, when it was last mentioned. Here that is put into numbers, by which
`entity_decisions` decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referee.language import english
from referee.language.languages import ENGLISH
from referee.language.word_classes import HE, IT, ME, SHE, THEY, WE, YOU, WordClasses, classes_of
from referee.resolvers.camp.lexicon import Lexicon, lexicon
from referee.resolvers.neural.features import SpanFeatures, WordFeatures
from referee.resolvers.neural.speech import find_speech, marked_speech

OTHER_PRONOUN, NOUN = 8, 9  # further classes in which an entity's mentions are counted; 0 for names
CLASSES = 10
MALE, FEMALE = 1, 2  # genders that can be seen; 0 for none
OTHER_TITLE = 3
RECENT = 3  # mentions of an entity that may be nested with another
NO_SCORE = -10.0  # of an entity that is not there


class Facts(NamedTuple):
    """What is known of each span, column by column."""

    start: list[int]
    end: list[int]
    pronoun: list[int]  # its class, or 0
    is_name: list[bool]
    gender: list[int]
    plural: list[bool]
    title: list[int]  # the gender that it shows, OTHER_TITLE, or 0
    words: list[frozenset[str]]  # content words
    form: list[int]
    head: list[int]
    determiner: list[int]
    sentence: list[int]
    turn: list[int]  # this and the next are as in `Speech`
    says: list[int]
    speaker: list[int]


def span_facts(
    words: Sequence[str], described: WordFeatures, spans: SpanFeatures, language: str = ENGLISH
) -> Facts:
    """Collect what is known of spans."""
    lower, known, classes = [word.lower() for word in words], lexicon(), classes_of(language)
    speech = find_speech(words) if language == ENGLISH else marked_speech(words, described, classes)
    heads = np.maximum(np.minimum(spans.last, described.until[spans.core] - 1), spans.core)
    pronouns = spans.pronoun.tolist()
    is_name = ((spans.pronoun == 0) & (described.capital[heads] > 0)).tolist()
    phrases = zip(spans.core.tolist(), heads.tolist(), pronouns, is_name, strict=True)
    looks = [
        _looks(lower[core : head + 1], pronoun, named, known)
        if language == ENGLISH
        else _looks_elsewhere(lower[core : head + 1], pronoun, named, classes, known)
        for core, head, pronoun, named in phrases
    ]
    gender, plural, title, content = (
        (list(column) for column in zip(*looks, strict=True)) if looks else ([],) * 4
    )
    return Facts(
        spans.start.tolist(), spans.end.tolist(), pronouns, is_name, gender, plural, title, content,
        spans.form.tolist(), spans.head.tolist(), spans.determiner.tolist(), spans.sentence.tolist(),
        speech.turn[spans.start].tolist(), speech.says[heads].tolist(), spans.speaker.tolist(),
    )  # fmt: skip


def _looks(
    words: Sequence[str], pronoun: int, is_name: bool, known: Lexicon
) -> tuple[int, bool, int, frozenset[str]]:
    """Give the gender, number, title and content words that can be seen of a phrase up to its head."""
    if pronoun:
        return MALE * (pronoun == HE) + FEMALE * (pronoun == SHE), pronoun in (THEY, WE), 0, frozenset()
    owned = max(
        (place for place, word in enumerate(words[:-1], 1) if word in english.POSSESSIVE_MARKS), default=0
    )
    words = words[owned:]  # Norway's Erik Dahl is Erik Dahl
    title = _title(words[0], known) if is_name else 0
    gender = title % OTHER_TITLE or (_of_first_name(words, title, known) if is_name else 0)
    gender = gender or _of_noun(words[-1], known)
    many = not is_name and words[-1].endswith("s") and not words[-1].endswith("ss")
    content = frozenset(word for word in words if word[:1].isalnum() and word not in english.DETERMINERS)
    return gender, many or "and" in words, title, content


def _looks_elsewhere(
    words: Sequence[str], pronoun: int, is_name: bool, classes: WordClasses, known: Lexicon
) -> tuple[int, bool, int, frozenset[str]]:
    """Give the same of a phrase in another language, by its own words for people."""
    if pronoun:
        return MALE * (pronoun == HE) + FEMALE * (pronoun == SHE), pronoun in (THEY, WE), 0, frozenset()
    genders = [MALE * (word in classes.masculine) + FEMALE * (word in classes.feminine) for word in words]
    gender = next(filter(None, reversed(genders)), 0)
    title = genders[0] if is_name and len(words) > 1 else 0
    gender = gender or (_of_first_name(words, 0, known) if is_name else 0)
    heavy = (word for word in words if word[:1].isalnum() and word not in classes.light)
    content = frozenset(classes.base(word) for word in heavy)
    return gender, not classes.joining.isdisjoint(words), title, content


def _title(word: str, known: Lexicon) -> int:
    if word in known["masculine_titles"]:
        return MALE
    if word in known["feminine_titles"]:
        return FEMALE
    return OTHER_TITLE * (word in known["titles"])


def _of_first_name(words: Sequence[str], title: int, known: Lexicon) -> int:
    """Give the gender of a first name; one that stands alone must hardly ever be a surname."""
    first = int(title > 0 and len(words) > 1)
    alone = len(words) == first + 1
    if alone and words[first] not in known.frequent_names:
        return 0
    return {"masculine": MALE, "feminine": FEMALE}.get(known.first_names.get(words[first], ""), 0)


def _of_noun(noun: str, known: Lexicon) -> int:
    single = noun[:-1] if noun.endswith("s") and len(noun) > 3 else noun
    if noun in known["masculine_nouns"] or single in known["masculine_nouns"]:
        return MALE
    return FEMALE * (noun in known["feminine_nouns"] or single in known["feminine_nouns"])


class Entity:
    """The mentions of an entity so far, and what they say of it."""

    __slots__ = (
        "counts", "forms", "genders", "heads", "last", "last_noun", "mentions", "names", "noun_forms",
        "noun_heads", "plural", "said", "single", "speakers", "spoke", "spoken_to", "spoken_turns", "titles",
    )  # fmt: skip

    def __init__(self, facts: Facts, span: int) -> None:
        """Begin with one mention."""
        self.mentions: list[int] = []
        self.names: dict[frozenset[str], int] = {}  # content words of names → how often
        self.forms: set[int] = set()  # of names
        self.heads: set[int] = set()
        self.noun_heads: set[int] = set()
        self.noun_forms: set[int] = set()
        self.counts = [0] * CLASSES
        self.genders, self.titles = [0, 0, 0], [0, 0, 0, 0]
        self.single = self.plural = 0
        self.last, self.last_noun = span, -1
        self.spoken_turns: set[int] = set()  # turns with one of its I, with one of its you, that it says
        self.spoken_to: set[int] = set()
        self.said: set[int] = set()
        self.spoke: set[int] = set()  # the first and the last of these together
        self.speakers: set[int] = set()  # of its I, where the text names speakers
        self.add(facts, span)

    def add(self, facts: Facts, span: int) -> None:
        """Take in a mention."""
        pronoun, turn = facts.pronoun[span], facts.turn[span]
        self.mentions.append(span)
        self.last = span
        self.genders[facts.gender[span]] += 1
        if pronoun:
            self.counts[min(pronoun, OTHER_PRONOUN)] += 1
        else:
            self._add_noun(facts, span)
        if facts.plural[span]:
            self.plural += 1
        elif facts.is_name[span] or pronoun in (ME, HE, SHE, IT):
            self.single += 1
        self._add_turn(facts.says[span], turn if pronoun == ME else 0, turn if pronoun == YOU else 0)
        is_label = 0 < facts.says[span] == turn  # of who speaks, before what is said
        if facts.speaker[span] and (pronoun == ME or is_label):
            self.speakers.add(facts.speaker[span])

    def _add_turn(self, says: int, speaking: int, spoken_to: int) -> None:
        """Remember the turns, 0 for none, that a mention names the speaker of, is I in, is you in."""
        for turn, turns in (
            (says, self.said), (says, self.spoke), (speaking, self.spoken_turns), (speaking, self.spoke),
            (spoken_to, self.spoken_to),
        ):  # fmt: skip
            if turn:
                turns.add(turn)

    def _add_noun(self, facts: Facts, span: int) -> None:
        self.last_noun = span
        self.heads.add(facts.head[span])
        if facts.is_name[span]:
            self.counts[0] += 1
            self.names[facts.words[span]] = self.names.get(facts.words[span], 0) + 1
            self.forms.add(facts.form[span])
            self.titles[facts.title[span]] += 1
        else:
            self.counts[NOUN] += 1
            self.noun_heads.add(facts.head[span])
            self.noun_forms.add(facts.form[span])


class PairScores(NamedTuple):
    """What the pairs of a mention with an entity's mentions score, each and together; and those of others."""

    each: Sequence[float]
    together: float
    best_other: float
    rest: float  # of all others


def fit(facts: Facts, span: int, entity: Entity, scores: PairScores) -> list[float]:
    """Describe how well a mention fits an entity."""
    each, together, best_other, rest = scores
    ahead = max(NO_SCORE, min(-NO_SCORE, together - best_other))
    return [
        together, max(each), sum(each) / len(each), min(each), len(each) / len(entity.mentions),
        math.log1p(len(entity.mentions)), math.log1p(len(each)), ahead, rest,
        *_described(facts, span),
        facts.determiner[span] == _QUANTIFIED,
        *map(math.log1p, entity.counts),
        *_agreement(facts, span, entity),
        *_names(facts, span, entity),
        *_recency(facts, span, entity),
        *_speech(facts, span, entity),
        *_nesting(facts, span, entity),
    ]  # fmt: skip


_DEFINITE, _INDEFINITE, _QUANTIFIED = 1, 2, 4  # determiners, as `features` numbers them


def alone(facts: Facts, span: int, total: float, best: float) -> list[float]:
    """Describe how well a mention would begin an entity, or be none: `total` and `best` of all entities."""
    return [total, best, *_described(facts, span), math.log1p(span), facts.turn[span] > 0]


def _described(facts: Facts, span: int) -> list[float]:
    pronoun, determiner = facts.pronoun[span], facts.determiner[span]
    is_name = facts.is_name[span]
    return [
        *(pronoun == each for each in range(ME, OTHER_PRONOUN)),
        pronoun >= OTHER_PRONOUN, is_name, not pronoun and not is_name,
        determiner == _DEFINITE, determiner == _INDEFINITE,
    ]  # fmt: skip


def _agreement(facts: Facts, span: int, entity: Entity) -> list[float]:
    """Compare gender and number."""
    gender, plural, pronoun = facts.gender[span], facts.plural[span], facts.pronoun[span]
    same, opposite = (entity.genders[gender], entity.genders[3 - gender]) if gender else (0, 0)
    return [
        math.log1p(opposite), math.log1p(same), not gender and not pronoun,
        math.log1p(max(0, opposite - same)),
        math.log1p(entity.genders[MALE]) if pronoun == IT else 0.0,
        math.log1p(entity.genders[FEMALE]) if pronoun == IT else 0.0,
        math.log1p(entity.counts[IT]) if gender else 0.0,
        math.log1p(entity.counts[THEY]) if gender else 0.0,
        plural, math.log1p(entity.plural), math.log1p(entity.single),
        math.log1p(entity.single) if plural else 0.0,
        math.log1p(entity.plural) if not plural and not pronoun else 0.0,
    ]  # fmt: skip


def _names(facts: Facts, span: int, entity: Entity) -> list[float]:
    """Compare names with names, and nouns with nouns."""
    if facts.pronoun[span]:
        return [0.0] * 11
    if not facts.is_name[span]:
        same_head, has_nouns = facts.head[span] in entity.noun_heads, entity.counts[NOUN] > 0
        other_noun = 0.5 if not has_nouns else float(not same_head)
        same_form = facts.form[span] in entity.noun_forms
        return [0.0] * 8 + [same_form + same_head, facts.head[span] in entity.heads, other_noun]
    words, title, count = facts.words[span], facts.title[span], entity.counts[0]
    shared = [(len(words & name), name, often) for name, often in entity.names.items()]
    likeness = max((both / max(1, len(words | name)) for both, name, _ in shared), default=0.0)
    sharing = sum(often for both, _, often in shared if both) / max(1, count)
    other_title = title in (MALE, FEMALE) and entity.titles[3 - title] > 0
    return [
        facts.form[span] in entity.forms, likeness,
        any(both in (len(words), len(name)) for both, name, _ in shared), sharing,
        count > 0 and not sharing, not count, facts.head[span] in entity.heads, other_title, 0.0, 0.0, 0.0,
    ]  # fmt: skip


def _recency(facts: Facts, span: int, entity: Entity) -> list[float]:
    """Say how long ago the entity was mentioned: by anything, by a name or noun, first of all."""
    sentence = facts.sentence[span]
    since = max(0, sentence - facts.sentence[entity.last])
    noun = -1.0 if entity.last_noun < 0 else math.log1p(max(0, sentence - facts.sentence[entity.last_noun]))
    first = math.log1p(max(0, sentence - facts.sentence[entity.mentions[0]]))
    return [math.log1p(max(0, span - entity.last)), math.log1p(since), since == 0, noun, first]


def _speech(facts: Facts, span: int, entity: Entity) -> list[float]:
    """Say who speaks where the mention is, and to whom, as far as the words show."""
    pronoun, turn, says, speaker = (
        column[span] for column in (facts.pronoun, facts.turn, facts.says, facts.speaker)
    )
    spoke = entity.spoke
    narrating = sum(not facts.turn[each] and facts.pronoun[each] in (ME, WE) for each in entity.mentions[-8:])
    return [
        turn > 0,
        *(turn > 0 and turn in turns for turns in (entity.said, entity.spoken_turns, entity.spoken_to)),
        turn > 0 and turn - 1 in spoke, turn > 0 and turn - 2 in spoke,
        turn > 0 and turn - 1 in entity.spoken_to,
        says > 0 and says in entity.spoken_turns, says > 0 and says - 1 in spoke,
        says > 0 and says in entity.spoken_to,
        not turn and pronoun in (ME, YOU), math.log1p(narrating),
        pronoun == ME and speaker > 0 and speaker in entity.speakers,
        pronoun == ME and speaker > 0 and bool(entity.speakers - {speaker}),
    ]  # fmt: skip


def _nesting(facts: Facts, span: int, entity: Entity) -> list[float]:
    """Say whether the mention lies in one of the entity's last mentions, or has one inside."""
    inside = outside = False
    for each in entity.mentions[-RECENT:]:
        if facts.end[each] >= facts.start[span] and facts.start[each] <= facts.end[span]:
            inside = facts.start[each] <= facts.start[span]
            outside = not inside
    return [inside, outside]


def log_sum(scores: Sequence[float]) -> float:
    """Add up what scores stand for: log(Σ exp).

    >>> round(log_sum([0.0, 0.0]), 3)
    0.693
    """
    most = max(scores)
    return most + math.log(sum(math.exp(score - most) for score in scores))
