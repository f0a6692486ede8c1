"""CogNIAC's common nouns: definite phrases that repeat an earlier one, and possessives of one possessor."""

from __future__ import annotations

from collections import defaultdict

from referee.language.english import CLITICS, DEMONSTRATIVES, INDEFINITE_ARTICLES
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable

DEFINITE = DEMONSTRATIVES | {"the"}
IGNORED = DEFINITE | INDEFINITE_ARTICLES | CLITICS  # where two phrases are compared


def match_nouns(discourse: Discourse) -> None:
    """Link definite noun phrases with the nearest earlier phrase that has their head and says no less."""
    earlier: dict[str, list[Markable]] = defaultdict(list)
    most = int(discourse.lexicon.limits["same head"])
    for markable in discourse.markables:
        if markable.coordinated or markable.is_pronoun:
            continue
        if markable.kind is not Kind.NAME and not _is_anaphoric_already(discourse, markable):
            _resolve(discourse, markable, earlier[markable.lemma][-most:][::-1])
        earlier[markable.lemma].append(markable)


def _is_anaphoric_already(discourse: Discourse, markable: Markable) -> bool:
    return discourse.entity_of[markable].first is not markable


def _resolve(discourse: Discourse, markable: Markable, candidates: list[Markable]) -> None:
    possible = [
        other
        for other in candidates
        if not discourse.together(markable, other) and discourse.compatible(markable, other)
    ]
    for rule in RULES[markable.kind]:
        for other in possible:
            if rule(discourse, markable, other):
                name = rule.__name__.strip("_").replace("_", " ")
                discourse.link(markable, other, name, f"{markable.lemma}, {len(candidates)} earlier")
                return


def is_definite(markable: Markable) -> bool:
    """Whether a phrase says that its hearer knows what is meant."""
    return markable.determiner in DEFINITE


def _content(markable: Markable) -> tuple[str, ...]:
    return tuple(word for word in markable.words if word not in IGNORED)


def _same_string(discourse: Discourse, markable: Markable, other: Markable) -> bool:
    """The old house … the old house: but bare nouns hardly ever refer to the same thing."""
    del discourse
    return (
        other.kind is Kind.NOMINAL
        and is_definite(markable)
        and markable.possessor is None
        and _content(markable) == _content(other)
    )


def _same_possessor(discourse: Discourse, markable: Markable, other: Markable) -> bool:
    """His house … Byron's house, once his and Byron's are one entity."""
    if markable.possessor is None or other.possessor is None or markable.complements:
        return False
    possessor = discourse.parse.lemmas[markable.possessor]
    return markable.modifiers - {possessor} <= other.modifiers | other.complements and same_possessor(
        discourse, markable, other
    )


def _same_head(discourse: Discourse, markable: Markable, other: Markable) -> bool:
    """The house … the old house: whatever the later phrase says, the earlier one has said."""
    if markable.lemma in discourse.lexicon["empty_nouns"]:
        return False
    definite = is_definite(markable) or markable.possessor is not None
    near = markable.sentence - other.sentence <= discourse.lexicon.windows["noun"]
    if not definite or not near or (markable.possessor is not None) != (other.possessor is not None):
        return False
    if markable.possessor is not None and not same_possessor(discourse, markable, other):
        return False
    said = other.modifiers | other.complements | set(other.words)
    return markable.modifiers <= said and markable.complements <= other.complements | other.modifiers


def same_possessor(discourse: Discourse, one: Markable, other: Markable) -> bool:
    """Whether the possessors of two phrases are one entity."""
    owners = [discourse.by_head.get(m.possessor) for m in (one, other) if m.possessor is not None]
    return len(owners) == 2 and None not in owners and discourse.together(owners[0], owners[1])  # type: ignore[arg-type]


def _this_one(discourse: Discourse, markable: Markable, other: Markable) -> bool:
    """This letter, just behind Clara's long letter: a demonstrative need not describe."""
    pointing = markable.determiner in DEMONSTRATIVES and markable.possessor is None
    near = markable.sentence - other.sentence <= discourse.lexicon.windows["pointing"]
    return pointing and near and not markable.complements and other.kind is Kind.NOMINAL


def _owned_before(discourse: Discourse, markable: Markable, other: Markable) -> bool:
    """The house, just behind Clara's old house."""
    owned = other.possessor is not None and markable.possessor is None and markable.determiner == "the"
    near = (
        markable.sentence - other.sentence <= discourse.lexicon.windows["pointing"]
        and markable.lemma not in discourse.lexicon["empty_nouns"]
    )
    said = other.modifiers | other.complements | set(other.words)
    return owned and near and not markable.complements and markable.modifiers <= said


def _same_demonstrative(discourse: Discourse, markable: Markable, other: Markable) -> bool:
    """That was late. That was wrong: the same demonstrative close by."""
    return (
        other.kind is Kind.DEMONSTRATIVE
        and markable.sentence - other.sentence <= discourse.lexicon.windows["demonstrative"]
        and len(markable.words) == len(other.words) == 1
    )


RULES = {
    Kind.NOMINAL: (_same_string, _same_possessor, _same_head, _owned_before, _this_one),
    Kind.DEMONSTRATIVE: (_same_demonstrative,),
}
