"""CogNIAC's pronouns: candidates that agree and that binding allows, ordered by salience.

A pronoun is left unresolved where it means nothing (it rains), and where no entity is likelier by the odds
that the caution asks for than that it has no antecedent.
"""

from __future__ import annotations

from math import exp

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable, Properties
from referee.resolvers.camp.parse_view import SUBJECTS, Parse
from referee.resolvers.camp.salience import pronoun_class, role, salience

CLAUSES = frozenset(("ccomp", "xcomp", "advcl", "csubj", "acl", "relcl"))
NEAREST = 400  # markables: OntoGUM and FantasyCoref have at most 136 within reach; more is not a text
NOT_REFERRING = frozenset(("DATE", "TIME", "CARDINAL", "PERCENT", "ORDINAL"))
NOT_IT = NOT_REFERRING | {"MONEY", "QUANTITY"}


def resolve_pronouns(discourse: Discourse) -> None:
    """Link each pronoun of the third person with the most salient antecedent.

    A pronoun whose antecedent is found, as a reflexive's, is left alone: to choose again would make two
    entities one.
    """
    found = {link.anaphor for link in discourse.links if link.antecedent.person == 3}
    for markable in discourse.markables:
        if not markable.is_pronoun or markable.person != 3 or markable in found:
            continue
        if is_pleonastic(discourse, markable):
            discourse.miss(markable, (), "it refers to nothing here")
        else:
            resolve_pronoun(discourse, markable)


def resolve_pronoun(discourse: Discourse, anaphor: Markable) -> None:
    """Choose the likeliest entity; whether it is likely enough is a matter of caution."""
    scored = [(salience(discourse, anaphor, other), other) for other in candidates_of(discourse, anaphor)]
    if not scored:
        return
    alone = exp(discourse.lexicon.salience[pronoun_class(anaphor)]["no antecedent"])
    shares: dict[int, float] = {}  # of an entity, by its number: all its mentions speak for it
    for value, other in scored:
        first = discourse.entity_of[other].first.number
        shares[first] = shares.get(first, 0.0) + exp(value)
    whole = alone + sum(shares.values())
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    best = ranked[0][0]
    value, antecedent = max(
        ((v, o) for v, o in scored if discourse.entity_of[o].first.number == best), key=lambda item: item[0]
    )
    probability = ranked[0][1] / whole
    reason = f"{probability:.0%} of {len(ranked)}, salience {value:.2f}"
    if ranked[0][1] > alone * exp(discourse.boldness.caution):
        discourse.link(anaphor, antecedent, "salience", reason, probability)
    else:
        rivals = tuple(discourse.markables[number] for number, _ in ranked[:2])
        discourse.miss(anaphor, rivals, f"no clear antecedent: {reason}")


def candidates_of(discourse: Discourse, anaphor: Markable) -> list[Markable]:
    """List markables near by that could be the antecedent: earlier ones, and the subject behind a phrase."""
    window = int(discourse.lexicon.windows["it" if pronoun_class(anaphor) == "it" else "pronoun"])
    near = range(max(0, anaphor.sentence - window), anaphor.sentence + 1)
    before = [
        other for sentence in near for other in discourse.by_sentence[sentence] if other.start < anaphor.start
    ]
    earlier = [other for other in before[-NEAREST:] if _may_be(discourse, anaphor, other)]
    later = fronted_subject(discourse, anaphor)
    return [*earlier, later] if later and _may_be(discourse, anaphor, later) else earlier


def _may_be(discourse: Discourse, anaphor: Markable, other: Markable) -> bool:
    if other.is_pronoun and other.person != 3:
        return False
    far = anaphor.sentence - other.sentence > discourse.lexicon.windows["demonstrative"]
    if far and other.kind is Kind.DEMONSTRATIVE:
        return False
    if other in anaphor.nested or discourse.together(anaphor, other):
        return False
    if anaphor in discourse.others and discourse.together(discourse.others[anaphor], other):
        return False
    believed, entity = discourse.entity_of[anaphor].properties, discourse.entity_of[other].properties
    kind = pronoun_class(anaphor)
    clash = believed.clash(entity)
    if (
        clash and not (clash == "number" and kind == "they" and _may_be_they(entity, other))
    ) or other.label in (NOT_IT if kind == "it" else NOT_REFERRING):
        return False
    if kind == "it" and entity.animacy.value == "animate":
        return False
    if kind == "person" and not _may_be_person(entity.animacy.value, entity.gender.value, other):
        return False
    return bound(discourse, anaphor, other)


def _may_be_person(animacy: str | None, gender: str | None, other: Markable) -> bool:
    """Whether he or she may mean it: a person, or a name that may be a person's."""
    return (
        animacy == "animate"
        or gender is not None
        or (other.kind is Kind.NAME and (other.overloaded or other.label in ("", "PERSON")))
    )


def _may_be_they(entity: Properties, other: Markable) -> bool:
    """Whether they may mean one person, whose gender is not known: the referee, someone."""
    return other.kind is not Kind.NAME and entity.animacy.value == "animate" and entity.gender.value is None


def bound(discourse: Discourse, anaphor: Markable, other: Markable) -> bool:
    """Whether binding lets a pronoun have an antecedent: a reflexive in its clause, others outside of it."""
    parse = discourse.parse
    same_clause = parse.clause(anaphor.head) == parse.clause(other.head)
    if anaphor.head_word in discourse.lexicon["reflexives"]:
        return same_clause
    possessive = parse.tags[anaphor.head] == "PRP$" or anaphor.relation == "poss"  # taggers mistake her
    return possessive or not same_clause or role(other) in ("other", "possessor", "predicate")


def fronted_subject(discourse: Discourse, anaphor: Markable) -> Markable | None:
    """Find the subject that a pronoun in a phrase before it may mean: in his youth, Byron …"""
    parse = discourse.parse
    word = anaphor.head
    while parse.heads[word] != word:
        relation, word = parse.relations[word], parse.heads[word]
        if relation in ("prep", "advcl") and parse.tags[word][:1] == "V" and word > anaphor.head:
            subject = next((c for c in parse.children[word] if parse.relations[c] in SUBJECTS), None)
            return discourse.by_head.get(subject) if subject and subject > anaphor.end else None
    return None


def is_pleonastic(discourse: Discourse, markable: Markable) -> bool:
    """Whether an it means nothing: it rains, it seems that, it is late, it is clear that, it took."""
    parse, lexicon = discourse.parse, discourse.lexicon
    if markable.head_word != "it" or markable.relation not in ("nsubj", "nsubjpass", "expl"):
        return False
    verb = parse.heads[markable.head]
    lemma = parse.lemmas[verb]
    below = {parse.relations[child] for child in parse.children[verb]}
    if lemma in lexicon["weather"]:
        return True
    if lemma in lexicon["raising"] or lemma == "take":
        return bool(below & {"ccomp", "xcomp"})
    return lemma == "be" and _states_a_clause(parse, verb, lexicon["conditions"])


def _states_a_clause(parse: Parse, verb: int, conditions: frozenset[str]) -> bool:
    """Whether a form of be has a complement that a clause belongs to, or a time or weather."""
    complements = [c for c in parse.children[verb] if parse.relations[c] in ("acomp", "attr")]
    clause_behind = any(parse.relations[c] in CLAUSES and c > verb for c in parse.children[verb])
    return any(
        clause_behind
        or parse.lemmas[complement] in conditions
        or any(parse.relations[c] in CLAUSES for c in parse.children[complement])
        for complement in complements
    )
