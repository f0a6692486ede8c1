"""People who are called by other words than their names: xe and zir; the Pole, the 20-year-old.

Neopronouns a network has hardly seen. Within a text they are one person's, since that is what they were
chosen for: the one who is named before the first. Two forms must occur: an accent (ze book) has only one.

The Pole and the 20-year-old of a report a network takes for the person of whom it has read most. They are
whoever the sentences before are about, but for those who are from elsewhere: in an entity with another name,
such an epithet parts the entity and takes along the pronouns behind it, up to the next name or epithet.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence

from referee.language import english
from referee.language.first_names import frequent_first_names
from referee.language.nouns import PERSONS, kinds_of_nouns
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.names import FEMALE, MALE, Occurrence
from referee.resolvers.people.quotations import SAYING
from referee.resolvers.people.settling import Found, gender_of_pronoun, named_mentions

_AGE = re.compile(r"\d{1,3}-year-old")
_FROM = ("an", "ese", "man", "woman", "ard")  # ends of words that say where somebody is from, and
_NATIONS = "briton croat czech dane finn greek pole scot serb slovak swede swiss thai turk"
_RELATIVES = "father brother son husband uncle nephew", "mother sister daughter wife aunt niece"
FAMILY = dict.fromkeys(_RELATIVES[0].split(), MALE) | dict.fromkeys(_RELATIVES[1].split(), FEMALE)
_SPEAKER, _HEARER = "speaker", "hearer"
_OWNERS = {"my": _SPEAKER, "our": _SPEAKER, "your": _HEARER}
# My friend, your servant: by these one often means who is spoken to, or oneself.
_ADDRESSES = "dear darling love lord lady friend child boy girl son servant sir honey"
THEY = 2  # times that somebody is called they, and never otherwise
_ACTS = """
    is was has had will would can could may did does won lost took led beat ran came got made left fell held
    scored wins beats leads takes who
"""
_VERBS = SAYING | frozenset(_ACTS.split())
_FOLLOWING = english.MASCULINE | english.FEMININE | english.FIRST_SINGULAR


def with_neopronouns(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Give neopronouns the entities of those whose they are; the name is added where nothing else has it."""
    result = list(mentions)
    for forms in english.NEOPRONOUNS:
        places = [place for place, word in enumerate(layout.lower) if word in forms]
        if len({layout.lower[place] for place in places}) > 1 and (name := _named_before(layout, places[0])):
            spans = {(place, place + 1) for place in places}
            result = [mention for mention in result if (mention.start, mention.end) not in spans]
            added, entity = _entity_of(layout, result, name)
            result = sorted([*result, *added, *(Found(*span, entity) for span in spans)])
    return result


def with_epithets(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Part entities at epithets that are somebody else's than the name before them.

    Where there are such epithets, one that is in no entity is joined with that name, if nobody else is named
    there and it acts. (Everywhere, that lost 0.04 on OntoGUM dev.)
    """
    result = list(mentions)
    called = {(m.start, m.end): word for m in mentions if (word := _epithet(layout, m.start, m.end))}
    if not called:
        return result
    origins: dict[str, str] = {}  # the words of names → where these people are from
    named = named_mentions(layout, result)
    for (start, end), word in sorted((_unfound(layout) | called).items()):
        if (start, end) not in called:
            if meant := _named_before(layout, start):
                origins.update(dict.fromkeys(meant.name.words, word))
                if _is_person(meant) and _acts(layout, end) and _is_only_person(layout, meant, start):
                    added, entity = _entity_of(layout, result, meant)
                    result = sorted([*result, *added, Found(start, end, entity)])
                    named = named_mentions(layout, result)
            continue
        at = next(number for number, m in enumerate(result) if (m.start, m.end) == (start, end))
        same = [number for number, m in enumerate(result) if m.entity == result[at].entity]
        names = {number: layout.names[named[number]] for number in same if number in named}
        others = {part for part, origin in origins.items() if origin != word and word[0].isupper()}
        meant = _named_before(layout, start, set(names.values()), others)
        pronouns = [number for number in same if _follows(layout, result[number])]
        before = [name.name.words for number, name in names.items() if number < at]
        if meant is None or all(layout.lower[result[n].start] in english.FIRST_SINGULAR for n in pronouns):
            continue
        if word[0].isupper():
            origins.update(dict.fromkeys(meant.name.words, word))
        if before and set(before[-1]).isdisjoint(meant.name.words):
            added, entity = _entity_of(layout, result, meant)
            ends = (n for n in same if n > at and (n in names or (result[n].start, result[n].end) in called))
            behind = range(at + 1, next(ends, len(result)))
            for number in [at, *(number for number in pronouns if number in behind)]:
                result[number] = result[number]._replace(entity=entity)
            result = sorted([*result, *added])
            named = named_mentions(layout, result)
    return result


def _unfound(layout: Layout) -> dict[tuple[int, int], str]:
    """List epithets wherever they are: "The German won" says who the Brazilian is not."""
    return {
        (start, start + 2): layout.words[start + 1]
        for start in range(len(layout.words) - 2)
        if _epithet(layout, start, start + 2) and not layout.words[start + 2][:1].isupper()
    }


def with_singular_they(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Join an entity that is called they alone with the person who begins the sentence before its first they.

    That person is called neither he nor she anywhere, and that sentence has no other names and no mention
    that may be several.
    """
    lower, sentences = layout.lower, [word for word, begins in enumerate(layout.begins) if begins]
    entities: dict[int, list[Found]] = defaultdict(list)
    for mention in mentions:
        entities[mention.entity].append(mention)
    by_start = {name.start: name for name in layout.names}
    result = list(mentions)
    for number, members in entities.items():
        if len(members) < THEY or not all(_is_they(lower, each) for each in members):
            continue
        own = bisect_right(sentences, members[0].start) - 1
        person = by_start.get(sentences[own - 1]) if own > 0 else None
        if person is None or not _is_person(person):
            continue
        inside = range(sentences[own - 1], members[0].start)
        added, entity = _entity_of(layout, result, person)
        pronouns = {lower[each.start] for each in entities.get(entity, ()) if each.end - each.start == 1}
        others = [name for name in layout.names if name.start in inside and name.name != person.name]
        several = [m for m in mentions if m.start in inside and lower[m.end - 1].endswith("s")]
        if not others and not several and pronouns.isdisjoint(english.THIRD - english.THIRD_PLURAL):
            result = sorted(
                [*(m._replace(entity=entity) if m.entity == number else m for m in result), *added]
            )
    return result


def _is_they(lower: Sequence[str], mention: Found) -> bool:
    return mention.end - mention.start == 1 and lower[mention.start] in english.THIRD_PLURAL


def with_owned(
    layout: Layout, mentions: Sequence[Found], speakers: Mapping[int, int], hearers: Mapping[int, int]
) -> list[Found]:
    """Part my boss, and your boss, from those who talk: one's boss is neither oneself nor who is told of it.

    Who is called so again, or by the other (your boss), is the same person.
    """
    talking = {*speakers.values(), *hearers.values()}
    owned: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, (start, end, _) in enumerate(mentions):
        people = _OWNERS.get(layout.lower[start], "") if end - start > 1 else ""
        noun = layout.lower[end - 1]
        if people and start in speakers and _is_owned(noun):
            owner = speakers[start] if people == _SPEAKER else hearers.get(start, -1)
            owned[owner, noun].append(number)
    result = list(mentions)
    free = 1 + max(talking | {mention.entity for mention in mentions}, default=-1)
    for numbers in owned.values():
        others = [mentions[number].entity for number in numbers if mentions[number].entity not in talking]
        meant = others[0] if others else free
        free += not others
        for number in numbers:
            if mentions[number].entity in talking:
                result[number] = result[number]._replace(entity=meant)
    return result


def with_others(layout: Layout, mentions: Sequence[Found], *talking: Mapping[int, int]) -> list[Found]:
    """Part he and she from those who talk, by word: nobody is he or she in what he says, or is told.

    These are whoever is named before them, but for those who talk, or is called my boss or your boss there;
    without such a person they stay.
    """
    names = {word.lower() for *_, speaker in layout.labels for word in speaker.split()}
    for name in layout.names:  # Thank you, Mr. Dahl.
        before, behind = layout.words[name.start - 1 : name.start], layout.words[name.end : name.end + 1]
        if "".join(before) == "," and "".join(behind) in ",.?!":
            names.update(name.name.words)
    result = list(mentions)
    for number, (start, end, entity) in enumerate(mentions):
        gender = gender_of_pronoun(layout.lower[start]) if end - start == 1 else 0
        talks = gender and any(people.get(start) == entity for people in talking)
        person = _named_before(layout, start, others=names) if talks else None
        owned = _owned_before(layout, result[:number], gender, talking) if talks else None
        if owned and not (person and person.start > owned.start):
            result[number] = result[number]._replace(entity=owned.entity)
        elif person and person.name.gender in (0, gender):
            added, meant = _entity_of(layout, result, person)
            result[number] = result[number]._replace(entity=meant)
            result += added
    return sorted(result)


def _is_owned(noun: str) -> bool:
    return noun not in _ADDRESSES.split() and (noun in FAMILY or kinds_of_nouns().get(noun) == PERSONS)


def _owned_before(
    layout: Layout, before: Sequence[Found], gender: int, talking: Sequence[Mapping[int, int]]
) -> Found | None:
    """Find the last who is called my boss or your boss, and may be a he, or a she, but none who talks."""
    people = {entity for each in talking for entity in each.values()}
    for mention in reversed(before):
        start, end, entity = mention
        noun = layout.lower[end - 1]
        if end - start > 1 and layout.lower[start] in _OWNERS and _is_owned(noun):
            return mention if entity not in people and FAMILY.get(noun, gender) == gender else None
    return None


def with_family(layout: Layout, mentions: Sequence[Found]) -> list[Found]:
    """Join the relatives of one person in a conversation: my sister, says Ann; your sister, says Ben to her.

    Those that were not found are added, and entities of other genders stay apart.
    """
    lower, result = layout.lower, list(mentions)
    entity_at = {(start, end): entity for start, end, entity in mentions}
    genders: dict[int, set[int]] = defaultdict(set)
    for start, end, entity in mentions:
        if end - start == 1 and (gender := gender_of_pronoun(lower[start])):
            genders[entity].add(gender)
    places: dict[tuple[int, str], list[int]] = defaultdict(list)
    for word in range(1, len(lower)):
        owner = entity_at.get((word - 1, word))
        if owner is not None and lower[word] in FAMILY and lower[word - 1] in english.POSSESSIVE_DETERMINERS:
            places[owner, lower[word]].append(word)
    for (_, relative), words in places.items():
        known = [entity_at[span] for word in words if (span := (word - 1, word + 1)) in entity_at]
        one = {entity for entity in known if genders[entity] <= {FAMILY[relative]}}
        if len(words) > 1 and one:
            joined = min(one)
            result = [each._replace(entity=joined) if each.entity in one else each for each in result]
            result += [Found(w - 1, w + 1, joined) for w in words if (w - 1, w + 1) not in entity_at]
    return sorted(result)


def _epithet(layout: Layout, start: int, end: int) -> str:
    """Give the word behind "the" that says where somebody is from, or how old somebody is."""
    if end - start not in (2, 6) or layout.lower[start] != "the":
        return ""
    word = "".join(layout.words[start + 1 : end])  # of 20-year-old the parts may be words
    origin = word[0].isupper() and (word.endswith(_FROM) or word.lower() in _NATIONS.split())
    return word if origin or _AGE.fullmatch(word) else ""


def _follows(layout: Layout, mention: Found) -> bool:
    return mention.end - mention.start == 1 and layout.lower[mention.start] in _FOLLOWING


def _named_before(
    layout: Layout, place: int, known: Container[Occurrence] = (), others: Container[str] = ()
) -> Occurrence | None:
    """Find who is named before a word: the last in its sentence, else the first in the sentence before.

    Names that are `known` are people's, as those are that look so; words in `others` are of somebody else.
    """
    sentences = [word for word, begins in enumerate(layout.begins) if begins]
    own = bisect_right(sentences, place) - 1
    names = [
        name
        for name in layout.names
        if name.end <= place
        and name.name.words[-1] not in others
        and layout.lower[name.start - 1 : name.start] != ["the"]  # the Portuguese is no name
    ]
    for back in range(own, -1, -1):
        inside = [name for name in names if name.start >= sentences[back]]
        if people := [name for name in inside if name in known or _is_person(name)] or inside:
            return people[-1 if back == own else 0]
    return None


def _acts(layout: Layout, place: int) -> bool:
    """Whether a verb stands at a place, as far as its form shows: the Pole finished; not the Polish team."""
    return layout.lower[place] in _VERBS or layout.lower[place].endswith("ed")


def _is_only_person(layout: Layout, person: Occurrence, place: int) -> bool:
    """Whether nobody else is named from the beginning of a person's sentence to a place."""
    begin = max(word for word in range(person.start + 1) if layout.begins[word])
    inside = [name for name in layout.names if begin <= name.start and name.end <= place]
    return all(name.name == person.name for name in inside if _is_person(name))


def _is_person(occurrence: Occurrence) -> bool:
    name = occurrence.name
    return name.title != "" or len(name.words) > 1 or name.words[0] in frequent_first_names()


def _entity_of(layout: Layout, mentions: Sequence[Found], person: Occurrence) -> tuple[list[Found], int]:
    """Give the entity of a name, or where it is in none, a new one with all places of the name."""
    entities = {
        layout.names[occurrence].name: mentions[number].entity
        for number, occurrence in sorted(named_mentions(layout, mentions).items(), reverse=True)
    }
    if person.name in entities:
        return [], entities[person.name]
    free = 1 + max((mention.entity for mention in mentions), default=-1)
    same = [name for name in layout.names if name.name == person.name]
    return [Found(name.start, name.end, free) for name in same], free
