"""CogNIAC's salience: recency, grammatical role, parallelism, frequency."""

from __future__ import annotations

from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Kind, Markable
from referee.resolve.camp.parse_view import SUBJECTS

ROLES = {"dobj": "object", "dative": "object", "attr": "object", "pobj": "oblique", "poss": "oblique"}
GENDERED = frozenset(("masculine", "feminine"))


def role(markable: Markable) -> str:
    """Name a grammatical role: subject, object, oblique, or nothing."""
    return "subject" if markable.relation in SUBJECTS else ROLES.get(markable.relation, "")


def salience(discourse: Discourse, anaphor: Markable, other: Markable) -> float:
    """Say how much a reader has an antecedent in mind; the weights are in `data/rules.toml`."""
    weights = discourse.lexicon.weights
    entity = discourse.entity_of[other]
    gender = anaphor.properties.gender.value
    apart = anaphor.sentence - other.sentence
    value = weights["sentence"] * apart + weights["nested"] * other.depth
    value += weights.get(role(other), 0.0)
    value += weights["frequency"] * min(len(entity.markables) - 1, weights["largest"])
    if role(other) == role(anaphor) == "subject":
        value += weights["parallel"]
    if other.is_pronoun:
        value += weights["pronoun"]
    if other.kind is Kind.NOMINAL and other.determiner in ("a", "an") and apart:
        value += weights["indefinite"]
    if gender in GENDERED:
        value += _fit_for_person(discourse, other)
    elif gender == "neuter" and other.overloaded and other.label in ("", "PERSON"):
        value += weights["overloaded"]
    elif anaphor.properties.number.value == "plural":
        value += weights["plural" if entity.properties.number.value == "plural" else "singular"]
    if apart == 0:
        return value + weights["word"] * (anaphor.start - other.start)
    return value + weights["word_before"] * (discourse.parse.sentences[other.sentence][1] - other.start)


def _fit_for_person(discourse: Discourse, other: Markable) -> float:
    """Weigh an antecedent of he or she: a name is likely, one of unknown gender or kind less so."""
    weights, believed = discourse.lexicon.weights, discourse.entity_of[other].properties
    value = weights["name"] if other.kind is Kind.NAME else 0.0
    if believed.gender.value is None:
        value += weights["unknown_gender"]
    if other.overloaded and believed.animacy.value is None:
        value += weights["overloaded"]
    return value
