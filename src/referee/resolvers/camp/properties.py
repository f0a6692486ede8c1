"""Makes markables of spans: their kind, the type of their name, the words around their head, properties.

Number, gender and animacy are beliefs, each with a confidence: from lists of words, titles and first names,
from the types of names, and from the tags.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.model.mentions import Span
from referee.resolvers.camp.detection import PRONOUN_LISTS, is_pronoun_word
from referee.resolvers.camp.lexicon import Guidelines, Lexicon
from referee.resolvers.camp.markables import TENTATIVE, Kind, Markable, Property
from referee.resolvers.camp.name_genders import told_genders
from referee.resolvers.camp.name_types import NAME_LABELS, NameTypes
from referee.resolvers.camp.parse_view import NAME_TAGS, NOUN_TAGS, Parse

CERTAIN, SURE, LIKELY = 1.0, 0.9, 0.7  # only their order counts, and that all exclude: see TENTATIVE
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
BEFORE_HEAD = frozenset(("compound", "amod", "nmod", "nummod", "poss"))
NAME_WORD_TAGS = frozenset(("NNP", "NNPS", "CD", "NN", "JJ", "NNS"))
BEHIND_HEAD = frozenset(("prep", "relcl", "acl", "appos"))


def make_markables(
    parse: Parse, spans: Mapping[Span, int], lexicon: Lexicon, guidelines: Guidelines
) -> list[Markable]:
    """Describe spans in the order of the text, the longer first."""
    types = NameTypes(parse, lexicon)
    known = NameKnowledge(parse, lexicon)
    markables: list[Markable] = []
    for (start, end), head in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        label = types.label(parse, head)
        markable = _described(parse, (start, end), head, label, lexicon)
        markable.number = len(markables)
        believe(markable, parse, known)
        markables.append(markable)
    named = _with_roles(parse, markables) if guidelines.loose_clauses else markables
    _nest(named)
    return named


def _described(parse: Parse, span: Span, head: int, label: str, lexicon: Lexicon) -> Markable:
    start, end = span
    children = parse.children[head]
    conjuncts = [child for child in children if parse.relations[child] == "conj"]
    core = [
        word
        for word in range(start, head + 1)
        if word == head or (parse.heads[word] == head and parse.relations[word] in BEFORE_HEAD)
    ]
    titles = lexicon["titles"] | lexicon["masculine_titles"] | lexicon["feminine_titles"]
    named = _name_words(parse, core, label, lexicon)
    determiner = next((c for c in children if parse.relations[c] in ("det", "predet")), None)
    return Markable(
        number=0,
        start=start,
        end=end,
        head=head,
        sentence=parse.sentence_of[head],
        kind=_kind(parse.lower[head], parse.tags[head], label, lexicon),
        label=label,
        words=tuple(parse.lower[start:end]),
        lemma=parse.lemmas[head],
        relation=parse.relations[head],
        determiner=None if determiner is None else parse.lower[determiner],
        possessor=parse.child(head, "poss"),
        coordinated=bool(conjuncts) and end > max(conjuncts),
        name=tuple(word for word in named if word not in titles),
        titles=tuple(word for word in named if word in titles),
        modifiers=frozenset(parse.lemmas[w] for w in core if w != head and parse.tags[w] != "PRP$"),
        complements=_complements(parse, head),
    )


def _name_words(parse: Parse, core: list[int], label: str, lexicon: Lexicon) -> list[str]:
    """List the words of a name; my dear Clara has one."""
    if label == "PERSON":  # Tom's aunt Clara is not named Tom
        core = [word for word in core if parse.relations[word] != "poss" or word == core[-1]]
    tags = NAME_TAGS if label == "PERSON" and parse.tags[core[-1]] in NAME_TAGS else NAME_WORD_TAGS
    named = [parse.lower[word] for word in core if parse.tags[word] in tags]
    begin = next((n for n, word in enumerate(named[:-1]) if word not in lexicon["epithets"]), len(named) - 1)
    return named[begin:] if label == "PERSON" else named


def _kind(word: str, tag: str, label: str, lexicon: Lexicon) -> Kind:
    if any(is_pronoun_word(word, tag, lexicon[name]) for name in PRONOUN_LISTS):
        return Kind.PRONOUN
    if tag == "DT":
        return Kind.DEMONSTRATIVE
    return Kind.NAME if tag in NAME_TAGS or label in NAME_LABELS else Kind.NOMINAL


def _complements(parse: Parse, head: int) -> frozenset[str]:
    """List the lemmas behind a head that narrow what it means."""
    behind = [c for c in parse.children[head] if c > head and parse.relations[c] in BEHIND_HEAD]
    return frozenset(
        parse.lemmas[word]
        for child in behind
        for word in parse.below(child)
        if parse.tags[word] in NOUN_TAGS or parse.tags[word][:1] == "V" or parse.tags[word] in ("JJ", "CD")
    )


def _with_roles(parse: Parse, markables: list[Markable]) -> list[Markable]:
    """Join a role and the name behind it: in her nephew Tom, Tom is not a mention by itself."""
    outer = {markable.head: markable for markable in markables if markable.kind is Kind.NOMINAL}
    left = []
    for markable in markables:
        noun = outer.get(parse.heads[markable.head])
        if (
            markable.relation == "appos"
            and markable.kind is Kind.NAME
            and noun
            and _is_role(parse, noun, markable)
        ):
            noun.kind, noun.label, noun.name = Kind.NAME, markable.label, markable.name
            noun.properties.take(markable.properties)
        else:
            left.append(markable)
    for number, markable in enumerate(left):
        markable.number = number
    return left


def _is_role(parse: Parse, noun: Markable, name: Markable) -> bool:
    """Whether a name ends a noun's phrase: directly, or a full name behind whose role it is and a comma."""
    between = parse.words[noun.head + 1 : name.start]
    owned = between == [","] and noun.possessor is not None and len(name.name) > 1
    return (not between or owned) and noun.end == name.end and name.label == "PERSON"


def _nest(markables: list[Markable]) -> None:
    """Note what is around and inside of each markable; they come in order, the outer before the inner."""
    around: list[Markable] = []
    for markable in markables:
        around = [outer for outer in around if outer.end > markable.start]
        for outer in around:
            if outer.end >= markable.end:
                outer.nested.append(markable)
                markable.nested.append(outer)
                markable.depth += 1
        around.append(markable)


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
        if known.is_not_a_person(markable, words):
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


def _number(markable: Markable, tag: str, lexicon: Lexicon) -> Property:
    """Find the number: groups may be either, and so may people's names in the plural."""
    if markable.coordinated or markable.head_word == "people":
        return PLURAL
    if tag in ("NNS", "NNPS"):
        return Property() if markable.label == "PERSON" and tag == "NNPS" else PLURAL
    if markable.label in ("ORG", "NORP") or markable.lemma in lexicon["groups"]:
        return Property()
    return SINGULAR


class NameKnowledge:
    """What a text says about its names: the last words of people's full names are not first names."""

    def __init__(self, parse: Parse, lexicon: Lexicon) -> None:
        """Collect the surnames of a text."""
        self.lexicon = lexicon
        self.told = told_genders(parse, lexicon)
        self.surnames = {
            parse.lower[name.end - 1]
            for name in parse.names
            if name.label == "PERSON" and name.end - name.start > 1
        }

    def gender(self, words: tuple[str, ...]) -> Property:
        """Find the gender of a name from its title, or else from its first name."""
        lexicon = self.lexicon
        for word in words:
            if word in lexicon["masculine_titles"]:
                return Property("masculine", CERTAIN)
            if word in lexicon["feminine_titles"]:
                return Property("feminine", CERTAIN)
        name = [word for word in words if word not in lexicon["titles"]]
        if name and (told := self.told.get(name[0])):
            return Property(told, LIKELY)
        if len(name) == 1 and name[0] in self.surnames:
            return Property()
        given = name[:-1] if len(name) > 1 else name  # the last of several is a surname
        listed = next((lexicon.first_names[word] for word in given if word in lexicon.first_names), "either")
        if listed == "either":
            return Property()
        known = len(name) > 1 or name[0] in lexicon.frequent_names
        return Property(listed, SURE if known else TENTATIVE)  # alone, a rare one may be a surname

    def has_title(self, words: tuple[str, ...]) -> bool:
        """Whether a name begins with a title."""
        lexicon = self.lexicon
        lists = ("titles", "masculine_titles", "feminine_titles")
        return any(word in lexicon[name] for word in words[:2] for name in lists)

    def is_not_a_person(self, markable: Markable, words: tuple[str, ...]) -> bool:
        """Whether a name is surely not a person's: a known word, a determiner, or more than two words."""
        lexicon = self.lexicon
        named = [word for word in words if word.isalpha() and word != "the"]
        known = lexicon.nouns.get(markable.head_word, "persons") != "persons"
        thing = known or markable.determiner is not None or len(named) > 2
        as_person = len(named) == 2 and named[0] in lexicon.first_names and named[0] not in lexicon.nouns
        return thing and not as_person
