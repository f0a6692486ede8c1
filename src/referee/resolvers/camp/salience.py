"""CogNIAC's salience: what makes a reader think of an antecedent, and how much each of it weighs.

The features are facts of a pronoun and a candidate; `data/salience.toml` has their weights for he and she,
for it, and for they. Weights add up, and their exponentials are the odds of the candidates: so the order is a
preorder, in which near ties can be seen, and a probability comes with every link.
"""

from __future__ import annotations

from math import log

from referee.language.english import INDEFINITE_ARTICLES, QUANTIFIERS
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import TENTATIVE, Kind, Markable
from referee.resolvers.camp.parse_view import SUBJECTS

ROLES = {"dobj": "object", "dative": "object", "pobj": "oblique", "poss": "possessor", "attr": "predicate"}
GENDERED = frozenset(("masculine", "feminine"))
FAR = 3  # sentences from which on all are equally far; the weights were fitted with it and with EARLY
EARLY = 4  # words from the beginning of a sentence
INDEFINITE = INDEFINITE_ARTICLES | QUANTIFIERS - {"all", "both", "other", "such"}


def role(markable: Markable) -> str:
    """Name a grammatical role; `other` if it is none of the usual ones."""
    return "subject" if markable.relation in SUBJECTS else ROLES.get(markable.relation, "other")


def pronoun_class(anaphor: Markable) -> str:
    """Say whose weights hold: those of a person, of it, or of they."""
    if anaphor.properties.gender.value in GENDERED:
        return "person"
    return "it" if anaphor.properties.gender.value == "neuter" else "they"


def features(discourse: Discourse, anaphor: Markable, other: Markable) -> dict[str, float]:
    """List what speaks for and against an antecedent."""
    facts = {f"role {role(other)}": 1.0}
    for some in (_distance, _roles, _phrase, _entity, _beliefs):
        facts |= some(discourse, anaphor, other)
    return {name: value for name, value in facts.items() if value}


def _distance(discourse: Discourse, anaphor: Markable, other: Markable) -> dict[str, float]:
    """Recency: in sentences, within a sentence in words; a candidate may also come later."""
    if other.start > anaphor.start:
        return {"cataphora": 1.0}
    sentences = anaphor.sentence - other.sentence
    words = anaphor.start - other.start
    return {
        f"sentences {min(sentences, FAR)}": 1.0,
        "more sentences": float(max(0, sentences - FAR)),
        "words between": log(words) if sentences == 0 else 0.0,
        "early in its sentence": float(
            sentences > 0 and other.start - discourse.parse.sentences[other.sentence][0] < EARLY
        ),
    }


def _roles(discourse: Discourse, anaphor: Markable, other: Markable) -> dict[str, float]:
    """Parallelism and the tree: the same role, the subject of the clause or of the one above."""
    parse = discourse.parse
    role_here, role_there = role(anaphor), role(other)
    clause, around = parse.clause(anaphor.head), parse.clause(other.head)
    above = parse.clause(clause)
    return {
        f"parallel {role_here}": float(role_here == role_there),
        "parallel in the next clause": float(
            role_here == role_there and 0 < anaphor.sentence - other.sentence <= 1
        ),
        "possessor in its subject's clause": float(
            role_here == "possessor" and role_there == "subject" and clause == around
        ),
        "subject of the clause above": float(role_there == "subject" and clause != around == above),
        "object before a possessor": float(
            role_here == "possessor" and role_there in ("object", "oblique") and clause == around
        ),
    }


def _phrase(discourse: Discourse, anaphor: Markable, other: Markable) -> dict[str, float]:
    """What the candidate is made of, and where it stands."""
    same_word = other.is_pronoun and other.properties == anaphor.properties
    nominal = other.kind is Kind.NOMINAL
    return {
        "pronoun": float(other.is_pronoun),
        "same pronoun": float(same_word),
        "name": float(other.kind is Kind.NAME),
        "demonstrative": float(other.kind is Kind.DEMONSTRATIVE),
        "indefinite": float(nominal and other.determiner in INDEFINITE),
        "definite": float(nominal and (other.determiner is not None or other.possessor is not None)),
        "bare": float(nominal and other.determiner is None and other.possessor is None),
        "nested": float(other.depth),
        "coordinated": float(other.coordinated),
        "in and": float(other.relation == "conj"),
        "across quotation marks": float(discourse.quoted[anaphor.head] != discourse.quoted[other.head]),
    }


def _entity(discourse: Discourse, _anaphor: Markable, other: Markable) -> dict[str, float]:
    """How present the entity is in the text so far."""
    entity = discourse.entity_of[other]
    first = entity.first.sentence == 0
    return {"mentions": log(len(entity.markables)), "of the first sentence": float(first)}


def _beliefs(discourse: Discourse, anaphor: Markable, other: Markable) -> dict[str, float]:
    """How well what is believed of the entity fits."""
    believed = discourse.entity_of[other].properties
    gender = anaphor.properties.gender.value
    return {
        "unknown gender": float(believed.gender.value is None),
        "tentative gender": float(believed.gender == (gender, TENTATIVE)),
        "unlikely gender": float(believed.gender.value not in (None, gender)),
        "unknown animacy": float(believed.animacy.value is None),
        "overloaded": float(discourse.entity_of[other].overloaded),
        "plural": float(believed.number.value == "plural"),
        "singular": float(believed.number.value == "singular"),
        "unknown number": float(believed.number.value is None),
        "animate": float(believed.animacy.value == "animate"),
        "place": float(other.label in ("GPE", "LOC", "FAC")),
        "organisation": float(other.label in ("ORG", "NORP")),
        "time or amount": float(other.label in ("DATE", "TIME", "MONEY", "QUANTITY", "CARDINAL")),
    }


def salience(discourse: Discourse, anaphor: Markable, other: Markable) -> float:
    """Add up the weights of what speaks for and against an antecedent."""
    weights = discourse.lexicon.salience[pronoun_class(anaphor)]
    return sum(weights.get(name, 0.0) * value for name, value in features(discourse, anaphor, other).items())
