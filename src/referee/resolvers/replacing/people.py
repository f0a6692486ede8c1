"""Which entities are people, by pronouns, titles, first names and nouns: models need not know types."""

from __future__ import annotations

from referee.language.english import (
    AFTER_NOUN,
    FEMININE,
    FIRST_PLURAL,
    FIRST_SINGULAR,
    MASCULINE,
    NEUTER,
    OLD_SECOND,
    PEOPLE_PRONOUNS,
    SECOND,
    THIRD_PLURAL,
)
from referee.model import Cluster, Document, Mention
from referee.resolvers.replacing.naming import called, is_pronominal
from referee.resolvers.replacing.words import WordsOf, is_several, known, singular_noun

HUMAN = (MASCULINE | FEMININE | FIRST_SINGULAR | FIRST_PLURAL | SECOND | OLD_SECOND | PEOPLE_PRONOUNS) | {
    "who", "whom", "one",
}  # fmt: skip
_PARTITIVE = frozenset("one some many most all each any none both several two three others those".split())  # noqa: SIM905
_OTHERS = frozenset(("others", "those"))
_GROUPS = frozenset("family crowd staff couple crew gang jury tribe band household audience mob folk".split())  # noqa: SIM905
_BEHIND_HEAD = AFTER_NOUN | {
    "like",
    "than",
    "about",
    "around",
    "near",
    "called",
    "named",
    "known",
    "including",
}
_OF_PLACES = frozenset("in at from to near of through into toward towards".split())  # noqa: SIM905


def people_of(document: Document) -> tuple[Cluster, ...]:
    """Choose the clusters that are people, or groups of people."""
    words = WordsOf(document.text)
    return tuple(cluster for cluster in document.clusters if is_person(words, cluster))


def is_person(words: WordsOf, cluster: Cluster) -> bool:
    """Whether an entity is a person or several: the evidence of its mentions is added up."""
    return sum(_evidence(words, mention) for mention in cluster.mentions) > 0


def _evidence(words: WordsOf, mention: Mention) -> int:
    """Say what one mention shows: more than 0 for a person, less for a thing, 0 for neither."""
    text = words.text
    if mention.end > text.length:
        return 0
    lower = text.words[mention.start].lower()
    if mention.end - mention.start == 1 and (is_pronominal(text, mention) or lower in PEOPLE_PRONOUNS):
        return 2 * (lower in HUMAN) - 2 * (lower in NEUTER) + (lower in THIRD_PLURAL)
    made = called(words, Cluster("", (mention,)))
    span = made.words if made else (mention.start, mention.end)
    if made and made.is_name:
        return 2 * _of_name(words, *span)
    return 2 * _of_noun(words, *span)


def _of_name(words: WordsOf, start: int, end: int) -> int:
    """Look for a title or a first name in a name; one unknown word is a person's unless it is in a place."""
    lists = known()
    written = words.text.words
    lower = [word.lower() for word in written[start:end]]
    if lower[0] in lists["titles"] | lists["masculine_titles"] | lists["feminine_titles"]:
        return 1 if "of" not in lower else 0
    if lower[0] == "the" and end - start == 2 and is_several(lower[1]):  # a family, or mountains
        return int(singular_noun(lower[1]) not in lists.nouns)
    is_first = lower[0] in lists.first_names and lower[0] not in lists.nouns
    if (
        lower[-1] in lists["company_endings"]
        or lower[0] == "the"
        or (lower[-1] in lists["places"] and not is_first)
    ):
        return -1
    if lower[0] in lists.first_names and (len(lower) == 1 or lower[0] in lists.frequent_names):
        return 1
    if len(lower) == 1 and lower[0] not in lists.nouns and lower[0] not in lists.countries:
        return int(start == 0 or written[start - 1].lower() not in _OF_PLACES)
    return int(lower[0] in lists.first_names and len(lower) in (2, 3))


def _of_noun(words: WordsOf, start: int, end: int) -> int:
    """Look the head of a noun phrase up; of "one of the boys" that is the boys."""
    lower = [word.lower() for word in words.text.words[start:end]]
    if len(lower) > 2 and lower[1] == "of" and (lower[0] in _PARTITIVE or is_several(lower[0])):
        lower = lower[2:]
    head = next((at - 1 for at, word in enumerate(lower) if at and word in _BEHIND_HEAD), len(lower) - 1)
    if lower[0] in _PARTITIVE and not head:
        return int(lower[0] in _OTHERS)
    return _of_head(lower[head])


def _of_head(noun: str) -> int:
    lists, single = known(), singular_noun(noun)
    human = lists["people_nouns"] | lists["masculine_nouns"] | lists["feminine_nouns"] | _GROUPS
    if {noun, single} & human:
        return 1
    kind = lists.nouns.get(single) or lists.nouns.get(noun)
    return {"persons": 1, "things": -1}.get(kind or "", 0)
