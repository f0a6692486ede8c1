"""I and you of those who talk, in novels in other languages than English.

A network decides link by link, and hardly ever joins what is said with who says it. Here *I* in a turn is its
speaker's, and *you* is whoever spoke before or answers, where words beside the turns name these people
(`language.dialogue`). A turn without such words is said by whoever is named two turns before or behind it:
two people talk by turns. Where nobody is named, the I of a turn stays, and is not *you* in it. Nouns that
stand for a named person are made one with that person first (`answering`), and who was asked answers. All
else stays as it is. On two French novels that gives 1.6 CoNLL, on *Manon Lescaut* 0.5, on one in Dutch
nothing. Deciding all turns at once, as for English, gave no more, and made novels worse that the network had
learnt from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.language.dialogue import Told, told_in
from referee.language.word_classes import ME, YOU, WordClasses, class_of, classes_of, is_surely_you
from referee.model import Document, Mention
from referee.resolvers.people.answering import Said, joined_answers
from referee.resolvers.people.second_pass import BY_NAME

_EDGES = frozenset((",", "!", "?", ".", "…", ";", "»", "”", '"', "—", "–", "-"))
_BEGINS = _EDGES | {"«", "“", "„"}


@dataclass(slots=True)
class Turn:
    """What one person says: the numbers of its mentions, who says it and to whom, as entities if known."""

    mentions: list[int] = field(default_factory=list)
    speaker: int | None = None
    called: int | None = None
    named: int = 0  # words by which the speaker is named
    by_pronoun: int | None = None  # the entity of she who says it, which is known less surely


def with_dialogues(document: Document, language: str) -> list[list[Mention]]:
    """Give the clusters of a document with I and you at those who talk.

    >>> from referee.model import Cluster
    >>> words = "« Je viens » , dit Paul . « Tu mens » , dit Anne .".split()
    >>> spans = [(1, 2), (6, 7)], [(9, 10), (14, 15)]  # both wrong
    >>> wrong = [Cluster(str(n), tuple(Mention.at(*span) for span in each)) for n, each in enumerate(spans)]
    >>> both = with_dialogues(Document.of("d", words, [(0, 8), (8, 16)], wrong), "fr")
    >>> [[words[mention.start] for mention in cluster] for cluster in both]
    [['Je', 'Paul', 'Tu'], ['Anne']]
    """
    known = classes_of(language)
    clusters = [list(cluster.mentions) for cluster in document.clusters]
    if not known.saying:
        return clusters
    entity = {mention: number for number, cluster in enumerate(clusters) for mention in cluster}
    mentions = sorted(entity, key=lambda mention: (mention.start, mention.end))
    told, words, before = told_in(document.text, language), document.words, [entity[m] for m in mentions]
    turns = _turns(words, mentions, before, told, known)
    said = {number: Said(turn.speaker, turn.called) for number, turn in turns.items()}
    joined = joined_answers(words, mentions, before, said, known)
    turns = _turns(words, mentions, joined, told, known)
    result: dict[int, list[Mention]] = defaultdict(list)
    moved = _moved(words, mentions, joined, turns, known)
    for number, mention in enumerate(mentions):
        old = entity[mention]
        new = moved.get(number, joined[number])
        result[new].append(mention if new == old else replace(mention, link_score=BY_NAME))
    return [[replace(first, link_score=None), *others] for first, *others in result.values()]


def _turns(
    words: Sequence[str], mentions: Sequence[Mention], entity: Sequence[int], told: Told, known: WordClasses
) -> dict[int, Turn]:
    """Collect turns by their numbers, with who is named beside them, and who is called in them."""
    turns = {number: Turn() for number in sorted(set(told.turn.tolist()) - {0})}
    for number, mention in enumerate(mentions):
        if inside := turns.get(int(told.turn[mention.start])):
            inside.mentions.append(number)
            if inside.called is None and _calls(words, mention, known):
                inside.called = entity[number]
            if _says_own_name(words, mention, known):
                inside.speaker, inside.named = entity[number], len(words)
        said = turns.get(int(told.says[mention.end - 1]))
        if said and _class(words, mention, known):
            said.by_pronoun = entity[number]
        elif said and mention.end - mention.start > said.named:
            said.speaker, said.named = entity[number], mention.end - mention.start
    return turns


def _says_own_name(words: Sequence[str], mention: Mention, known: WordClasses) -> bool:
    """Whether a mention is the name that somebody says to be called: je m'appelle Rémi; ich heiße Otto."""
    verb = mention.start - 1
    says = verb > 0 and words[verb].lower() in known.naming and words[mention.start][:1].isupper()
    return (
        says and class_of(words[verb - 1], known) == ME and words[verb - 1].lower() not in known.determiners
    )


def _calls(words: Sequence[str], mention: Mention, known: WordClasses) -> bool:
    """Whether a mention calls somebody: a name, or a word for people, set off by commas and the like."""
    before, behind = words[mention.start - 1 : mention.start], words[mention.end : mention.end + 1]
    if not (_BEGINS.intersection(before) and _EDGES.intersection(behind) and "," in (*before, *behind)):
        return False
    own = words[mention.start : mention.end]
    people = known.masculine | known.feminine
    return not _class(words, mention, known) and (
        own[-1][:1].isupper() or not people.isdisjoint(word.lower() for word in own)
    )


def _moved(
    words: Sequence[str],
    mentions: Sequence[Mention],
    entity: Sequence[int],
    turns: dict[int, Turn],
    known: WordClasses,
) -> dict[int, int]:
    """Give the numbers of I and you with the entities that they are by who talks."""
    named = {number: turn.speaker for number, turn in turns.items() if turn.speaker is not None}
    kinds = {
        number: [(each, _class(words, mentions[each], known)) for each in turn.mentions]
        for number, turn in turns.items()
    }
    found, spoken_to = _most(entity, kinds, ME), _most(entity, kinds, YOU)
    moved = {}
    for number, turn in turns.items():
        beside = (named.get(number - 1), named.get(number + 1))
        by_turns = (named.get(number - 2), named.get(number + 2))
        by_words = named.get(number)
        if by_words is None:
            by_words = next((who for who in by_turns if who not in (None, *beside)), None)
        speaker = found.get(number, turn.by_pronoun) if by_words is None else by_words
        before = turns.get(number - 1, Turn())
        if by_words is None and speaker is not None and speaker in (before.speaker, before.by_pronoun):
            speaker = spoken_to.get(number - 1, speaker)  # who was asked answers
        near = (turn.called, *beside, found.get(number - 1), found.get(number + 1))
        hearer = next((who for who in near if who not in (None, speaker)), None)
        for each, kind in kinds[number]:
            is_you = kind == YOU and is_surely_you(words, mentions[each].start, known)
            is_you = is_you and (by_words is not None or entity[each] == speaker)
            who = speaker if kind == ME else hearer if is_you else None
            if who is not None:
                moved[each] = who
    return moved


def _most(
    entity: Sequence[int], kinds: Mapping[int, Sequence[tuple[int, int]]], wanted: int
) -> dict[int, int]:
    """Give for each turn the entity, as it was found, that most of its pronouns of a class are in."""
    counts = {
        number: Counter(entity[each] for each, kind in inside if kind == wanted)
        for number, inside in kinds.items()
    }
    return {number: count.most_common(1)[0][0] for number, count in counts.items() if count}


def _class(words: Sequence[str], mention: Mention, known: WordClasses) -> int:
    """Give the class of a pronoun, 0 for other mentions."""
    return class_of(words[mention.start], known) if mention.end - mention.start == 1 else 0
