"""Highly syntactic coreference: reflexives; appositions and predicates where the guidelines count them."""

from __future__ import annotations

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import SUBJECTS

SUBJECTLESS = frozenset(("xcomp", "conj", "advcl", "pcomp"))  # clauses whose subject may be another's
COPULAS = frozenset(("be", "become", "remain"))


def match_syntax(discourse: Discourse) -> None:
    """Link what the tree itself ties together."""
    for markable in discourse.markables:
        if markable.is_pronoun and markable.head_word in discourse.lexicon["reflexives"]:
            _link_reflexive(discourse, markable)
        elif markable.relation == "appos" and discourse.guidelines.appositions:
            _link_apposition(discourse, markable)
        elif markable.relation == "attr" and discourse.guidelines.predicates:
            _link_predicate(discourse, markable)


def _link_reflexive(discourse: Discourse, markable: Markable) -> None:
    """She saw herself: the subject of the clause, if it agrees; otherwise who is asked to do it."""
    parse = discourse.parse
    verb = parse.clause(markable.head)
    rule = "reflexive"
    while (subject := _subject(discourse, verb)) is None and parse.relations[verb] in SUBJECTLESS:
        controller = _object(discourse, parse.heads[verb]) if parse.relations[verb] == "xcomp" else None
        rule, verb = "reflexive above", parse.clause(verb)
        if controller and controller.person == markable.person and discourse.compatible(controller, markable):
            subject = controller
            break
    if subject and subject.person == markable.person:
        _try(discourse, markable, subject, rule)


def _object(discourse: Discourse, verb: int) -> Markable | None:
    word = discourse.parse.child(verb, "dobj")
    return None if word is None else discourse.by_head.get(word)


def _link_apposition(discourse: Discourse, markable: Markable) -> None:
    """Byron, the poet: what stands beside a noun, unless it is one of several in a list."""
    noun = discourse.by_head.get(discourse.parse.heads[markable.head])
    if noun and not markable.coordinated and not noun.coordinated:
        _try(discourse, markable, noun, "apposition")


def _link_predicate(discourse: Discourse, markable: Markable) -> None:
    """Byron was a poet: what the subject is said to be, unless it is denied or asked."""
    parse = discourse.parse
    verb = parse.heads[markable.head]
    subject = _subject(discourse, verb)
    denied = parse.child(verb, "neg") is not None
    if subject and parse.lemmas[verb] in COPULAS and not denied and subject.kind is not Kind.DEMONSTRATIVE:
        _try(discourse, markable, subject, "predicate")


def _subject(discourse: Discourse, verb: int) -> Markable | None:
    parse = discourse.parse
    subject = next((c for c in parse.children[verb] if parse.relations[c] in SUBJECTS), None)
    return None if subject is None else discourse.by_head.get(subject)


def _try(discourse: Discourse, markable: Markable, other: Markable, rule: str) -> None:
    if not discourse.together(markable, other) and discourse.compatible(markable, other):
        discourse.link(markable, other, rule, f"of {' '.join(other.words)}")
