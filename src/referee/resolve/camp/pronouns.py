"""CogNIAC's pronouns: candidates that agree, ordered by salience; a tie is left unresolved."""

from __future__ import annotations

from referee.resolve.camp.binding import bound, is_pleonastic
from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Kind, Markable
from referee.resolve.camp.salience import GENDERED, salience

NOT_REFERRING = frozenset(("DATE", "TIME", "CARDINAL", "PERCENT", "ORDINAL"))
NOT_IT = NOT_REFERRING | {"MONEY", "QUANTITY"}


def resolve_pronouns(discourse: Discourse) -> None:
    """Link each pronoun of the third person with the most salient antecedent."""
    for markable in discourse.markables:
        if markable.is_pronoun and markable.person == 3 and not is_pleonastic(discourse, markable):
            _resolve(discourse, markable)


def _resolve(discourse: Discourse, anaphor: Markable) -> None:
    ranked = sorted(
        ((salience(discourse, anaphor, other), other) for other in _candidates(discourse, anaphor)),
        key=lambda scored: -scored[0],
    )
    if not ranked:
        return
    best, antecedent = ranked[0]
    rivals = [(value, other) for value, other in ranked[1:] if not discourse.together(other, antecedent)]
    neuter = anaphor.properties.gender.value == "neuter"
    least = discourse.lexicon.weights["least_it" if neuter else "least"]
    if best <= least:
        discourse.miss(anaphor, (antecedent,), f"salience {best:.2f} is not above {least:g}")
    elif rivals and best - rivals[0][0] < discourse.caution:
        discourse.miss(anaphor, (antecedent, rivals[0][1]), f"a tie: {best:.2f} and {rivals[0][0]:.2f}")
    else:
        lead = f", next {rivals[0][0]:.2f}" if rivals else ", no other"
        discourse.link(anaphor, antecedent, "salience", f"{best:.2f}{lead}")


def _candidates(discourse: Discourse, anaphor: Markable) -> list[Markable]:
    """List earlier markables near by that could be the antecedent."""
    neuter = anaphor.properties.gender.value == "neuter"
    window = int(discourse.lexicon.windows["it" if neuter else "pronoun"])
    near = range(max(0, anaphor.sentence - window), anaphor.sentence + 1)
    return [
        other
        for sentence in near
        for other in discourse.by_sentence[sentence]
        if other.start < anaphor.start and _may_be(discourse, anaphor, other)
    ]


def _may_be(discourse: Discourse, anaphor: Markable, other: Markable) -> bool:
    if other.kind is Kind.DEMONSTRATIVE or (other.is_pronoun and other.person != 3):
        return False
    if other in anaphor.nested or discourse.together(anaphor, other):
        return False
    believed, entity = discourse.entity_of[anaphor].properties, discourse.entity_of[other].properties
    neuter = anaphor.properties.gender.value == "neuter"
    if not believed.agree(entity) or other.label in (NOT_IT if neuter else NOT_REFERRING):
        return False
    if neuter and entity.animacy.value == "animate":
        return False
    if anaphor.properties.gender.value in GENDERED and not _may_be_person(
        entity.animacy.value, entity.gender.value, other
    ):
        return False
    return bound(discourse, anaphor, other)


def _may_be_person(animacy: str | None, gender: str | None, other: Markable) -> bool:
    """Whether he or she may mean it: a person, or a name that may be a person's."""
    return (
        animacy == "animate"
        or gender is not None
        or (other.kind is Kind.NAME and (other.overloaded or other.label in ("", "PERSON")))
    )
