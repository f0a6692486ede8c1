"""Names, in two components: La Hack and CogNIAC's proper nouns.

La Hack links two forms of one name: a name and its parts, titles, initials, short forms, acronyms, companies'
endings. CogNIAC's component looks at names of one word that La Hack left alone, if one entity only has a
longer name with it.
"""

from __future__ import annotations

from collections import defaultdict

from referee.language.english import INDEFINITE_ARTICLES, POSSESSIVE_MARKS, QUANTIFIERS
from referee.resolvers.camp.discourse import Discourse, Entity
from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.person_names import short_forms

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
        for other in sorted(candidates.values(), key=lambda other: _nearness(markable, other), reverse=True):
            rule = same_name(discourse, markable, other)
            if rule and (discourse.together(markable, other) or discourse.compatible(markable, other)):
                discourse.link(markable, other, rule, f"{' '.join(markable.name)} ~ {' '.join(other.name)}")
                break
        for key in keys:
            earlier[key][spelling(markable)] = markable


def _nearness(markable: Markable, other: Markable) -> tuple[bool, int]:
    """Order the candidates of a name: of Mr. Holt who is called so, before Mr. Peter Holt."""
    return bool(markable.titles) and spelling(markable) == spelling(other), other.number


def _keys(discourse: Discourse, markable: Markable) -> set[str]:
    """List the keys of a name: words and acronyms. Two forms of one name share at least one."""
    keys = {word for word in markable.name if word not in PARTICLES}
    if country := _country(discourse, markable):
        keys.add(f"#{country}")
    keys |= {short for word in markable.name for short in short_forms(word)}
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
            if (one.titles and other.titles) or _is_mother(discourse, one, other):
                return None  # Dr. Holt and Miss Holt are two
            return "title"
        return "same person's name" if "PERSON" in types else "same name"
    short, long = sorted((one, other), key=lambda markable: len(markable.name))
    if "PERSON" in types or one.titles or other.titles:
        if _is_mother(discourse, short, long):
            return None
        is_unique = _is_the_one(discourse, short, long)
        return "unique first name" if is_unique else _same_person(discourse, short, long)
    return _same_thing(short, long, discourse.lexicon) or _acronym(discourse, short, long)


def _are_different(one: Markable, other: Markable) -> bool:
    """Whether two phrases with one name are different things: the Duke of York and the Duke of Kent."""
    if one.determiner != other.determiner and UNLIKE & {one.determiner, other.determiner}:
        return True
    if "PERSON" not in (one.label, other.label) and (one.possessor is None) != (other.possessor is None):
        return True
    return bool(one.complements and other.complements and one.complements.isdisjoint(other.complements))


def _is_mother(discourse: Discourse, one: Markable, other: Markable) -> bool:
    """Whether one is Mrs. or Miss Holt, and the other may be someone else of this surname."""
    lexicon, people = discourse.lexicon, discourse.people
    wed = lexicon["married_titles"] | lexicon["unmarried_titles"]
    woman, named = sorted((one, other), key=lambda markable: wed.isdisjoint(markable.titles))
    if wed.isdisjoint(woman.titles) or not wed.isdisjoint(named.titles):
        return False
    if people.is_husbands(woman):
        return True
    if woman.name[-1] != named.name[-1] or len(woman.name) > 1 < len(named.name):
        return False
    first = named.name[0] if len(named.name) > 1 else None
    return people.is_family(named.name[-1], woman.titles, first)


def _same_person(discourse: Discourse, short: Markable, long: Markable) -> str | None:
    """Compare names of people: surname or first name alone, the middle left out, initials, short forms."""
    few, many = short.name, long.name
    if len(few) == 1 < len(many):
        if few[0] == many[-1]:
            return "surname"
        if few[0] == many[0] or few[0] in short_forms(many[0]):
            first_title = discourse.lexicon["first_name_titles"].issuperset(short.titles)
            return "first name" if first_title else None
    if len(few) == len(many) == 1 and few[0] in short_forms(many[0]):
        titles = {*short.titles, *long.titles}
        return "short form" if titles <= discourse.lexicon["first_name_titles"] else None
    if len(few) > 1 and few[-1] == many[-1]:
        first, full = few[0].rstrip("."), many[0].rstrip(".")
        if first == full:
            return "middle name left out"
        if first in short_forms(full):
            return "short form"
        if 1 in (len(first), len(full)) and first[0] == full[0]:
            return "initial"
    return None


def _is_the_one(discourse: Discourse, one: Markable, full: Markable) -> bool:
    """Whether a first name is that of the one person whom the text calls so: Nora, Sir John, Nora Finch."""
    first, lexicon = full.name[0], discourse.lexicon
    introduced = full.label == "PERSON" and full.words[len(full.titles)] == first
    alone = one.name == (first,) and one.determiner is None and one.possessor is None
    titled = lexicon["first_name_titles"].issuperset(one.titles)
    known = first in lexicon.first_names or one.label == "PERSON"
    return introduced and alone and titled and known and discourse.people.has_one_surname(first)


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
        if other.label != "PERSON" or _is_mother(discourse, markable, other):
            continue
        if not discourse.together(markable, other):
            possible[discourse.entity_of[other]] = other
    if len(possible) > 1:
        discourse.miss(markable, tuple(possible.values())[:2], "a tie between entities with this name")
    for other in possible.values() if len(possible) == 1 else ():
        if discourse.compatible(markable, other):
            discourse.link(markable, other, "part of one name", " ".join(other.name))
