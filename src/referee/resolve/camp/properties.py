"""What is believed of a markable: number, gender, animacy and person, each with a confidence."""

from __future__ import annotations

from referee.resolve.camp.lexicon import Lexicon
from referee.resolve.camp.markables import TENTATIVE, Kind, Markable, Property
from referee.resolve.camp.parse_view import NAME_TAGS, Parse

CERTAIN, SURE, LIKELY = 1.0, 0.9, 0.7
ANIMATE, INANIMATE = Property("animate", SURE), Property("inanimate", LIKELY)
SINGULAR, PLURAL = Property("singular", SURE), Property("plural", SURE)
NEUTER = Property("neuter", LIKELY)
# By the pronoun's list: person, number, gender, animacy.
PRONOUNS: dict[str, tuple[int, str | None, str | None, str | None]] = {
    "masculine_pronouns": (3, "singular", "masculine", "animate"),
    "feminine_pronouns": (3, "singular", "feminine", "animate"),
    "neuter_pronouns": (3, "singular", "neuter", "inanimate"),
    "plural_pronouns": (3, "plural", None, None),
    "first_pronouns": (1, "singular", None, "animate"),
    "we_pronouns": (1, "plural", None, "animate"),
    "you_pronouns": (2, None, None, "animate"),
}
NOT_PEOPLE = frozenset(("DATE", "LAW", "LANGUAGE", "EVENT", "TIME", "MONEY", "PERCENT", "QUANTITY"))
MAYBE_PEOPLE = frozenset(("GPE", "ORG", "LOC", "FAC", "PRODUCT", "WORK_OF_ART", "NORP", ""))


class NameKnowledge:
    """What a text tells of its names: the last words of people's full names are no first names."""

    def __init__(self, parse: Parse, lexicon: Lexicon) -> None:
        """Collect the surnames of a text."""
        self.lexicon = lexicon
        self.surnames = {
            parse.lower[name.end - 1]
            for name in parse.names
            if name.label == "PERSON" and name.end - name.start > 1
        }

    def gender(self, words: tuple[str, ...]) -> Property:
        """Tell the gender of a name from its title, or else from its first name."""
        lexicon = self.lexicon
        for word in words:
            if word in lexicon["masculine_titles"]:
                return Property("masculine", CERTAIN)
            if word in lexicon["feminine_titles"]:
                return Property("feminine", CERTAIN)
        own = [word for word in words if word not in lexicon["titles"]]
        if len(own) == 1 and own[0] in self.surnames:
            return Property()
        given = own[:-1] if len(own) > 1 else own  # the last of several is a surname
        listed = next((lexicon.first_names[word] for word in given if word in lexicon.first_names), "either")
        if listed == "either":
            return Property()
        known = len(own) > 1 or own[0] in lexicon.frequent_names
        return Property(listed, SURE if known else TENTATIVE)  # alone, a rare one may be a surname

    def has_title(self, words: tuple[str, ...]) -> bool:
        """Whether a name begins with a title."""
        lexicon = self.lexicon
        lists = ("titles", "masculine_titles", "feminine_titles")
        return any(word in lexicon[name] for word in words[:2] for name in lists)

    def is_no_person(self, markable: Markable, words: tuple[str, ...]) -> bool:
        """Whether a name is surely not a person's: a known word, a determiner, or more than two words."""
        lexicon = self.lexicon
        named = [word for word in words if word.isalpha() and word != "the"]
        known = lexicon.nouns.get(markable.head_word, "persons") != "persons"
        thing = known or markable.determiner is not None or len(named) > 2
        as_person = len(named) == 2 and named[0] in lexicon.first_names and named[0] not in lexicon.nouns
        return thing and not as_person


def believe(markable: Markable, parse: Parse, known: NameKnowledge) -> None:
    """Fill in the properties of a markable."""
    if markable.kind is Kind.PRONOUN:
        _of_pronoun(markable, known.lexicon)
    elif markable.kind is Kind.DEMONSTRATIVE:
        _of_demonstrative(markable)
    else:
        markable.properties.number = _number(markable, parse.tags[markable.head], known.lexicon)
        if markable.kind is Kind.NAME:
            _of_name(markable, known, parse)
        else:
            _of_noun(markable, known.lexicon)


def _of_pronoun(markable: Markable, lexicon: Lexicon) -> None:
    for name, (person, *values) in PRONOUNS.items():
        if markable.head_word in lexicon[name]:
            number, gender, animacy = (Property(value, CERTAIN if value else 0.0) for value in values)
            properties = markable.properties
            markable.person, properties.number = person, number
            properties.gender, properties.animacy = gender, animacy
            return


def _of_demonstrative(markable: Markable) -> None:
    if markable.head_word in ("these", "those"):
        markable.properties.number = PLURAL
    else:
        properties = markable.properties
        properties.number, properties.gender, properties.animacy = SINGULAR, NEUTER, INANIMATE


def _number(markable: Markable, tag: str, lexicon: Lexicon) -> Property:
    """Tell the number: groups may be either, and so may people's names in the plural."""
    if markable.coordinated or markable.head_word == "people":
        return PLURAL
    if tag in ("NNS", "NNPS"):
        return Property() if markable.label == "PERSON" and tag == "NNPS" else PLURAL
    if markable.label in ("ORG", "NORP") or markable.lemma in lexicon["groups"]:
        return Property()
    return SINGULAR


def _of_name(markable: Markable, known: NameKnowledge, parse: Parse) -> None:
    properties = markable.properties
    whole = range(markable.start, markable.head + 1)
    words = tuple(parse.lower[word] for word in whole)
    named = tuple(parse.lower[word] for word in whole if parse.tags[word] in NAME_TAGS)
    if markable.label == "PERSON" or known.has_title(words):
        properties.animacy, properties.gender = ANIMATE, known.gender(named)
    elif markable.label in NOT_PEOPLE:
        properties.animacy, properties.gender = INANIMATE, NEUTER
    elif markable.label in MAYBE_PEOPLE:
        if known.is_no_person(markable, words):
            properties.animacy, properties.gender = INANIMATE, NEUTER
        else:
            markable.overloaded = True
            if properties.number.value == "plural" and not markable.coordinated:
                properties.number = Property()
    else:
        properties.gender = known.gender(named)


def _of_noun(markable: Markable, lexicon: Lexicon) -> None:
    properties, lemma = markable.properties, markable.lemma
    for gender in ("masculine", "feminine"):
        if lemma in lexicon[f"{gender}_nouns"]:
            properties.gender, properties.animacy = Property(gender, SURE), ANIMATE
            return
    listed = lexicon.nouns.get(lemma, "unclear")
    if listed == "persons" or lemma in lexicon["people_nouns"]:
        properties.animacy = ANIMATE
    elif listed == "things":
        properties.animacy, properties.gender = INANIMATE, NEUTER
