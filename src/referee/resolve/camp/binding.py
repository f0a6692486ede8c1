"""What a pronoun cannot mean: binding, i-within-i, and an it that means nothing."""

from __future__ import annotations

from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Markable
from referee.resolve.camp.parse_view import SUBJECTS, Parse
from referee.resolve.camp.salience import role

CLAUSES = frozenset(("ccomp", "xcomp", "advcl", "csubj", "acl", "relcl"))


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
