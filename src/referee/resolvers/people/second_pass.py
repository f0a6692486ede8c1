"""The second pass over a whole text: people by their names, then who speaks, then who is meant by I."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.language import english
from referee.model import Document, Mention
from referee.resolvers.people.called import (
    with_epithets,
    with_family,
    with_neopronouns,
    with_others,
    with_owned,
    with_singular_they,
)
from referee.resolvers.people.conversations import NOBODY
from referee.resolvers.people.descriptions import with_answers, with_descriptions
from referee.resolvers.people.layout import Layout, layout_of
from referee.resolvers.people.names import FEMALE, MALE
from referee.resolvers.people.quotations import Quote
from referee.resolvers.people.relatives import with_kinds_apart, with_relatives
from referee.resolvers.people.settling import Found, find_people, gender_of_pronoun, named_mentions, settled
from referee.resolvers.people.speakers import NAMED, Scene, Turn, find_speakers, find_turns, quoted_words

NARRATED, TURNS = 200, 5  # words of narration for each I of a narrator at most, and turns at least
MOSTLY = 0.4  # of the narrator's I that a resolver has put into one entity
PHRASE = 5  # words of a speaker whom no resolver found
CALLED = 3  # times that others call the narrator by name, and for each time that the name says something
BY_LABEL, BY_NAME_ELSEWHERE = 100, 10  # for how many I a label, or the name elsewhere, counts
BY_NAME = 0.9  # the score of a link by names alone
_ADDRESSED = english.SECOND | english.OLD_SECOND
_SPEAKING = 3  # counted beside the genders: I, and titles of either gender


def found_in(document: Document) -> list[Found]:
    """List the mentions of a document in order; those of several parts count from end to end."""
    return sorted(
        Found(mention.start, mention.end, number)
        for number, cluster in enumerate(document.clusters)
        for mention in cluster.mentions
        if mention.end <= document.text.length
    )


def with_people(document: Document, layout: Layout | None = None, *, add: bool = True) -> list[list[Mention]]:
    """Give the clusters of a document so that each person is one; without `add` no mention is added.

    `layout` is that of the text, where it is known already.
    """
    layout = layout or layout_of(document.text)
    known = {(mention.start, mention.end): mention for mention in document.mentions}
    clusters: dict[int, list[Mention]] = defaultdict(list)
    for start, end, entity in sorted(set(second_pass(layout, found_in(document)))):
        if (start, end) in known or add:
            mention = known.get((start, end)) or Mention(((start, end),), score=BY_NAME)
            clusters[entity].append(_linked(mention, is_first=not clusters[entity]))
    return list(clusters.values())


def _linked(mention: Mention, *, is_first: bool) -> Mention:
    """Give a mention the score of its link; the first of a cluster has none."""
    score = None if is_first else BY_NAME if mention.link_score is None else mention.link_score
    return replace(mention, link_score=score)


def second_pass(layout: Layout, found: Sequence[Found]) -> list[Found]:
    """Give mentions, in order, their entities: those of people by names, I by who speaks, relatives."""
    speaking = _with_speakers(layout, with_epithets(layout, found))
    related = with_relatives(layout, with_kinds_apart(layout, speaking))
    return with_neopronouns(layout, with_singular_they(layout, related))


def _with_speakers(layout: Layout, found: Sequence[Found]) -> list[Found]:
    turns = [] if layout.labels else find_turns(layout)
    found = with_answers(layout, found, turns)
    mentions = sorted(settled(layout, found, find_people(layout, found)))
    if layout.labels:
        return _spoken_by_labels(layout, mentions)
    if layout.laid_out:
        mentions = with_descriptions(layout, mentions, turns, scene_of(layout, mentions, turns))
        mentions = _with_narrator(layout, mentions, turns)
    unfound = _unfound_speakers(layout, mentions, turns)
    scene = scene_of(layout, sorted([*mentions, *unfound]), turns)
    scene.genders |= dict.fromkeys((speaker.entity for speaker in unfound), 0)
    find_speakers(scene, turns)
    if not layout.laid_out:  # whose turn it is was guessed, but not who is called by a noun
        turns = [turn for turn in turns if turn.how == NAMED and _is_noun(layout, turn.quotes)]
    result = _spoken(layout, mentions, turns)
    speaking = {mention.entity for mention in result}
    return sorted([*result, *(speaker for speaker in unfound if speaker.entity in speaking)])


def _unfound_speakers(layout: Layout, mentions: Sequence[Found], turns: Sequence[Turn]) -> list[Found]:
    """Make entities of those who speak but were linked to nothing: says Mr. Holm; said the old waiter."""
    taken = {word for mention in mentions for word in range(mention.start, mention.end)}
    free = 1 + max((mention.entity for mention in mentions), default=-1)
    named = {name.end: name.start for name in layout.names}
    found: list[Found] = []
    for quote in (quote for turn in turns for quote in turn.quotes if quote.speaker >= 0):
        said_the = quote.end + 1 < quote.speaker and layout.lower[quote.end + 2] == "the"
        word = quote.speaker
        start = named.get(word + 1, quote.end + 2 if said_the and word - quote.end < PHRASE else word + 1)
        if start <= word and taken.isdisjoint(range(start, word + 1)):
            found.append(Found(start, word + 1, free + len(found)))
            taken.add(word)
    return found


def _is_noun(layout: Layout, quotes: Sequence[Quote]) -> bool:
    """Whether the speaker of quotations is called by a name or a noun."""
    return any(quote.speaker >= 0 and layout.lower[quote.speaker] not in english.PERSONAL for quote in quotes)


def turns_of(layout: Layout, mentions: Sequence[Found]) -> list[Turn]:
    """Find the turns of a text that was resolved, and who says them."""
    turns = find_turns(layout)
    find_speakers(scene_of(layout, mentions, turns), turns)
    return turns


def scene_of(layout: Layout, mentions: Sequence[Found], turns: Sequence[Turn]) -> Scene:
    """Put together what is known when speakers are looked for."""
    return Scene(
        layout.words, layout.lower, mentions, quoted_words(layout, turns), people_of(layout, mentions)
    )


def people_of(layout: Layout, mentions: Sequence[Found]) -> dict[int, int]:
    """Give the gender, 0 for none, of each entity that is called as people are more often than it."""
    lower = layout.lower
    counted: dict[int, Counter[int]] = defaultdict(Counter)
    for start, end, entity in mentions:
        if end - start == 1 and lower[start] in english.THIRD - english.THIRD_PLURAL:
            counted[entity][gender_of_pronoun(lower[start])] += 1
        elif _is_first(lower, start, end):
            counted[entity][_SPEAKING] += 1
    for mention, occurrence in named_mentions(layout, mentions).items():
        name = layout.names[occurrence].name
        if name.title or name.gender:
            counted[mentions[mention].entity][name.gender or _SPEAKING] += 1
    return {
        entity: 0 if counts[MALE] == counts[FEMALE] else MALE if counts[MALE] > counts[FEMALE] else FEMALE
        for entity, counts in counted.items()
        if counts[MALE] + counts[FEMALE] + counts[_SPEAKING] > counts[0]
    }


def _is_first(lower: Sequence[str], start: int, end: int) -> bool:
    return end - start == 1 and lower[start] in english.FIRST_SINGULAR


def _with_narrator(layout: Layout, mentions: list[Found], turns: Sequence[Turn]) -> list[Found]:
    """Make the narrator one entity, with the name that others call the narrator by."""
    quoted = quoted_words(layout, turns)
    told = [m for m in mentions if _is_first(layout.lower, m.start, m.end) and not quoted[m.start]]
    narrator = _narrator(told, len(quoted) - sum(quoted), len(turns))
    if narrator == NOBODY:
        return mentions
    narrated = set(told)
    mentions = [each._replace(entity=narrator) if each in narrated else each for each in mentions]
    scene = scene_of(layout, mentions, turns)
    find_speakers(scene, turns)
    name = _name_of_narrator(scene, turns, narrator)
    for turn in turns:
        turn.speaker = turn.hearer = NOBODY
    return [each._replace(entity=narrator) if each.entity == name else each for each in mentions]


def _narrator(told: Sequence[Found], narration: int, turns: int) -> int:
    """Find the entity of the I outside of quotations, if somebody narrates: most of these are in it."""
    if turns < TURNS or len(told) * NARRATED < narration or not told:
        return NOBODY
    entity, count = Counter(mention.entity for mention in told).most_common(1)[0]
    return entity if count >= MOSTLY * len(told) else NOBODY


def _name_of_narrator(scene: Scene, turns: Sequence[Turn], narrator: int) -> int:
    """Find the person whom those who speak with the narrator call by name, and who hardly speaks by name."""
    called = Counter(
        turn.hearer
        for number, turn in enumerate(turns)
        if turn.hearer not in (NOBODY, narrator)
        and any(near.speaker == narrator for near in turns[max(0, number - 1) : number + 2])
    )
    named = Counter(
        scene.entity_at(quote.speaker)
        for turn in turns
        for quote in turn.quotes
        if turn.how == NAMED and quote.speaker >= 0
    )
    likely = (who for who, count in called.most_common() if count >= CALLED and named[who] * CALLED < count)
    return next(likely, NOBODY)


def _spoken(layout: Layout, mentions: Sequence[Found], turns: Sequence[Turn]) -> list[Found]:
    """Put I in a quotation into the entity of who speaks, and you into that of who is spoken to."""
    speakers: dict[int, int] = {}
    hearers: dict[int, int] = {}
    for turn in turns:
        for quote in turn.quotes:
            inside = range(quote.start, quote.end + 1)
            speakers.update(dict.fromkeys(inside, turn.speaker))
            hearers.update(dict.fromkeys(inside, turn.hearer))
    return [_meant_by(layout, each, speakers, hearers) for each in mentions]


def _meant_by(
    layout: Layout, mention: Found, speakers: Mapping[int, int], hearers: Mapping[int, int]
) -> Found:
    """Give I the entity of the speaker of a word, and you that of the hearer, where these are known."""
    start, end, entity = mention
    word = layout.lower[start] if end - start == 1 else ""
    people = speakers if word in english.FIRST_SINGULAR else hearers if word in _ADDRESSED else {}
    meant = people.get(start, NOBODY)
    return mention._replace(entity=entity if meant == NOBODY else meant)


def _spoken_by_labels(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Put I into the entity of the speaker whom a label names, and you into that of who is spoken to."""
    entities = _entities_of_speakers(layout, mentions)
    speakers = {word: entities[name] for word, name in enumerate(layout.speakers) if name}
    hearers = {
        word: entities[name] for word, name in enumerate(hearers_of(layout.speakers, layout.hearers)) if name
    }
    labels = {(start, end): entities[name] for start, end, name in layout.labels}
    meant = [_meant_by(layout, each, speakers, hearers) for each in mentions]
    result = [each._replace(entity=labels.get((each.start, each.end), each.entity)) for each in meant]
    result = with_owned(layout, result, speakers, hearers)
    result = with_family(layout, with_others(layout, result, speakers, hearers))
    taken = {word for start, end, _ in mentions for word in range(start, end)}
    added = [
        Found(start, end, entities[name])
        for start, end, name in layout.labels
        if len(name) > 1 and taken.isdisjoint(range(start, end))
    ]
    return sorted(result + added)


def hearers_of(speakers: Sequence[str], greeted: Mapping[str, str]) -> list[str]:
    """Say who is spoken to at each word: who is greeted, or spoke last before, or speaks next.

    >>> hearers_of(["ann", "ann", "", "bo", "cy"], {})
    ['bo', 'bo', '', 'ann', 'bo']
    """
    hearers = [greeted.get(name, "") for name in speakers]
    for words in (range(len(hearers)), range(len(hearers) - 1, -1, -1)):
        last = other = ""
        for word in words:
            name = speakers[word]
            if name and name != last:
                last, other = name, last
            hearers[word] = hearers[word] or (other if name else "")
    return hearers


def _entities_of_speakers(layout: Layout, mentions: Sequence[Found]) -> dict[str, int]:
    """Give each speaker the entity of the labels, of the name elsewhere, of most I, or a new one."""
    votes: dict[str, Counter[int]] = {name: Counter() for _, _, name in layout.labels}
    label_at = {end: name for _, end, name in layout.labels}
    named = {part.lower(): name for name in votes for part in (name, name.split()[0])}
    others: set[tuple[str, int]] = set()  # speakers, and whom they speak about
    for start, end, entity in mentions:
        spelled, speaker = " ".join(layout.lower[start:end]), layout.speakers[start]
        if end in label_at:
            votes[label_at[end]][entity] += BY_LABEL
        elif spelled in named:
            votes[named[spelled]][entity] += BY_NAME_ELSEWHERE
        elif spelled in english.FIRST_SINGULAR and speaker:
            votes[speaker][entity] += 1
        elif spelled not in english.PERSONAL or spelled in english.MASCULINE | english.FEMININE:
            others.add((speaker, entity))
    free = 1 + max((mention.entity for mention in mentions), default=-1)
    entities: dict[str, int] = {}
    for name in sorted(votes, key=lambda name: -max(votes[name].values(), default=0)):
        likely = [who for who, count in votes[name].most_common() if count >= BY_NAME_ELSEWHERE]
        likely += [who for who, _ in votes[name].most_common() if (name, who) not in others]
        entities[name] = next((who for who in likely if who not in entities.values()), free + len(entities))
    return entities
