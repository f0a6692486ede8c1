"""Names, in two components: La Hack and CogNIAC's proper nouns.

La Hack links two forms of one name: a name and its parts, titles, initials, short forms, acronyms, companies'
endings. CogNIAC's component looks at names of one word that La Hack left alone, if one entity only has a
longer name with it.
"""

from __future__ import annotations

from collections import defaultdict

from referee.language.english import INDEFINITE_ARTICLES, NICKNAMES, POSSESSIVE_MARKS, QUANTIFIERS
from referee.resolvers.camp.discourse import Discourse, Entity
from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.markables import Kind, Markable

PARTICLES = frozenset(("of", "the", "and", "for", "de", "la", "in", "on", "&"))
IGNORED = POSSESSIVE_MARKS | {"the", ",", "."}
UNLIKE = INDEFINITE_ARTICLES | QUANTIFIERS - {"all", "other", "such"} | {"most", "many"}
EXCLUDING = frozenset(("PERSON", "GPE", "DATE", "ORG", "LOC"))  # types of which a name has one
WORD_LABELS = frozenset(("PERSON", "ORG", "GPE", "FAC", "LOC", ""))


def match_names(discourse: Discourse) -> None:
    """Link each name with the nearest earlier one that it may be another form of."""
    earlier: dict[str, dict[tuple[str, ...], Markable]] = defaultdict(dict)  # key → spelling → the latest
    for markable in discourse.markables:
        if markable.kind is not Kind.NAME or markable.coordinated or not markable.name:
            continue
        keys = _keys(discourse, markable)
        candidates = {other.number: other for key in keys for other in earlier[key].values()}
        for number in sorted(candidates, reverse=True):
            other = candidates[number]
            rule = same_name(discourse, markable, other)
            if rule and (discourse.together(markable, other) or discourse.compatible(markable, other)):
                discourse.link(markable, other, rule, f"{' '.join(markable.name)} ~ {' '.join(other.name)}")
                break
        for key in keys:
            earlier[key][spelling(markable)] = markable


def _keys(discourse: Discourse, markable: Markable) -> set[str]:
    """List the keys of a name: words and acronyms. Two forms of one name share at least one."""
    keys = {word for word in markable.name if word not in PARTICLES}
    if country := _country(discourse, markable):
        keys.add(f"#{country}")
    keys |= {short for word in markable.name for short in _short_forms(word)}
    if len(markable.name) > 1:
        keys.add(f"={initials(markable.name)}")
    else:
        keys.add(f"={markable.name[0].replace('.', '')}")
    return keys


def same_name(discourse: Discourse, one: Markable, other: Markable) -> str | None:
    """Name the rule by which two names are forms of one; None if there is none."""
    types = {one.label, other.label}
    country = _country(discourse, one)
    if country and country == _country(discourse, other) and spelling(one) != spelling(other):
        return "country's name"
    if one.name != other.name and len(types - {""}) > 1 and types <= EXCLUDING:
        return None
    if spelling(one) == spelling(other):
        return "same words"
    if _are_different(one, other):
        return None
    if one.name == other.name:
        if one.titles != other.titles:
            return None if one.titles and other.titles else "title"  # Dr. Holt and Miss Holt are two
        return "same person's name" if "PERSON" in types else "same name"
    short, long = sorted((one, other), key=lambda markable: len(markable.name))
    if "PERSON" in types or one.titles or other.titles:
        is_unique = _is_the_one(discourse, one, other)
        return "unique first name" if is_unique else _same_person(short, long)
    return _same_thing(short, long, discourse.lexicon) or _acronym(discourse, short, long)


def _are_different(one: Markable, other: Markable) -> bool:
    """Whether two phrases with one name are different things: the Duke of York and the Duke of Kent."""
    if one.determiner != other.determiner and UNLIKE & {one.determiner, other.determiner}:
        return True
    if "PERSON" not in (one.label, other.label) and (one.possessor is None) != (other.possessor is None):
        return True
    return bool(one.complements and other.complements and one.complements.isdisjoint(other.complements))


def _same_person(short: Markable, long: Markable) -> str | None:
    """Compare names of people: surname or first name alone, the middle left out, initials, short forms."""
    few, many = short.name, long.name
    if len(few) == 1 < len(many):
        if few[0] == many[-1]:
            return "surname"
        if not short.titles and (few[0] == many[0] or few[0] in _short_forms(many[0])):
            return "first name"
    if len(few) > 1 and few[-1] == many[-1]:
        first, full = few[0].rstrip("."), many[0].rstrip(".")
        if first == full:
            return "middle name left out"
        if first in _short_forms(full):
            return "short form"
        if 1 in (len(first), len(full)) and first[0] == full[0]:
            return "initial"
    return None


def _is_the_one(discourse: Discourse, one: Markable, full: Markable) -> bool:
    """Whether a first name is that of the one person who was introduced by it: Nora Finch … Nora."""
    first = full.name[0]
    introduced = full.label == "PERSON" and full.words[len(full.titles)] == first
    alone = one.name == (first,) and one.determiner is None and one.possessor is None
    known = first in discourse.lexicon.first_names and len(discourse.surnames[first]) == 1
    return introduced and alone and known


def _same_thing(short: Markable, long: Markable, lexicon: Lexicon) -> str | None:
    """Compare names of organisations: with and without what companies end in."""
    few, many = (
        tuple(w for w in markable.name if w not in lexicon["company_endings"]) for markable in (short, long)
    )
    if few and few == many:
        return "company's ending"
    return None


def _acronym(discourse: Discourse, short: Markable, long: Markable) -> str | None:
    word = short.name[0].replace(".", "")
    written = discourse.parse.words[short.head]
    if len(short.name) == 1 < len(long.name) and len(word) > 1 and written.isupper():
        return "acronym" if word == initials(long.name) else None
    return None


def initials(name: tuple[str, ...]) -> str:
    """Spell the acronym of a name.

    >>> initials(("university", "of", "west", "anglia"))
    'uwa'
    """
    return "".join(word[0] for word in name if word not in PARTICLES)


def spelling(markable: Markable) -> tuple[str, ...]:
    """Write a name without its article, possessive and punctuation."""
    return tuple(word for word in markable.words if word not in IGNORED)


def _country(discourse: Discourse, markable: Markable) -> str | None:
    """Name the country that a name is one of several names of: America, the U.S."""
    return discourse.lexicon.countries.get(" ".join(spelling(markable)))


def _short_forms(word: str) -> set[str]:
    return {name for family in NICKNAMES if word in family for name in family}


def resolve_names(discourse: Discourse) -> None:
    """Link a name of one word with the one entity whose longer name it begins or ends; of two, with none."""
    edges: dict[str, list[Markable]] = defaultdict(list)  # word → names that begin or end with it
    for markable in discourse.markables:
        if markable.kind is not Kind.NAME or markable.coordinated or not markable.name:
            continue
        if len(markable.name) == 1 and discourse.entity_of[markable].first is markable:
            _resolve(discourse, markable, edges[markable.name[0]])
        elif len(markable.name) > 1:
            for word in {markable.name[0], markable.name[-1]} - PARTICLES:
                edges[word].append(markable)


def _resolve(discourse: Discourse, markable: Markable, longer: list[Markable]) -> None:
    if markable.label not in WORD_LABELS or markable.determiner or markable.possessor is not None:
        return
    possible: dict[Entity, Markable] = {}
    for other in longer:
        if other.label == "PERSON" and not discourse.together(markable, other):
            possible[discourse.entity_of[other]] = other
    if len(possible) > 1:
        discourse.miss(markable, tuple(possible.values())[:2], "a tie between entities with this name")
    for other in possible.values() if len(possible) == 1 else ():
        if discourse.compatible(markable, other):
            discourse.link(markable, other, "part of one name", " ".join(other.name))
