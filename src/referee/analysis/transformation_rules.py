"""The classes of steps from response to key (Kummerfeld & Klein 2013), and the rules that sort errors into
them.

A step counts corrections, and the cause of a wrong link counts links, so their numbers differ, and so do
their names (`CAUSES`).

The paper leaves some choices open. Each is a switch here, and two sets of them have names:

    referee            the largest part of an entity is the entity; a pronoun counts as any mention does
    kummerfeld-klein   what the authors' tool does, so that its counts can be compared with others
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from referee.analysis.link_errors import PRECISION, RECALL, SIDES
from referee.exceptions import SettingError
from referee.language import english
from referee.language.mention_types import Described

SPAN, CONFLATED, DIVIDED = "span error", "conflated entities", "divided entity"
EXTRA_MENTION, EXTRA_ENTITY = "extra mention", "extra entity"
MISSING_ENTITY, MISSING_MENTION = "missing entity", "missing mention"

CAUSES = {  # the step that corrects a link → what is wrong with the link
    SPAN: "boundary",
    CONFLATED: "entities merged",
    EXTRA_MENTION: "mention invented",
    EXTRA_ENTITY: "entity invented",
    MISSING_ENTITY: "entity missed",
    MISSING_MENTION: "mention missed",
    DIVIDED: "entity split",
}
SIDES_OF = {  # the step → the side of the links that it corrects
    SPAN: SIDES,
    **dict.fromkeys((CONFLATED, EXTRA_MENTION, EXTRA_ENTITY), (PRECISION,)),
    **dict.fromkeys((MISSING_ENTITY, MISSING_MENTION, DIVIDED), (RECALL,)),
}


# What the authors' tool takes for a pronoun: a mention of one word that has such a tag, or is such a word.
PRONOUN_TAGS = frozenset(("PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT", "PRON", "DET"))
_MORE_WORDS = """
    ya thyself one what when where how whoever whomever all few several some many most none noone whatever
    something nothing everything
"""
PRONOUN_WORDS = (
    (english.PERSONAL - {"themself"})
    | english.COLLOQUIAL_THIRD_PLURAL
    | english.DEMONSTRATIVES
    | english.RELATIVES
    | english.PEOPLE_PRONOUNS
    | frozenset(_MORE_WORDS.split())
)


@dataclass(frozen=True, slots=True)
class TransformationRules:
    """The choices behind the classes of steps."""

    name: str
    first_is_entity: bool = False
    """Whether the part with the first mention that is not a pronoun is the entity, not the largest part.

    The other parts are the ones that are split off or merged in. If just that mention is missing (or extra)
    it is not counted itself, and all the rest is divided (or conflated).
    """
    pronouns_prove_nothing: bool = False
    """Whether an entity can be missing or extra although pronouns of it are there, if two others are not."""
    spans_of_constituents: bool = False
    """Whether wrong spans are paired as the tool does.

    First those that differ by an article, a possessive mark or punctuation alone; then those with the same
    head, which is the last word for mentions that are not constituents.
    """
    drop_singletons: bool = False
    """Whether response entities of one mention are left out before anything is counted."""


REFEREE = TransformationRules("referee")
KUMMERFELD_KLEIN = TransformationRules(
    "kummerfeld-klein",
    first_is_entity=True,
    pronouns_prove_nothing=True,
    spans_of_constituents=True,
    drop_singletons=True,
)
CLASSES = {rules.name: rules for rules in (REFEREE, KUMMERFELD_KLEIN)}


def named_classes(classes: TransformationRules | str) -> TransformationRules:
    """Find the rules that sort errors into classes by their name."""
    if isinstance(classes, TransformationRules):
        return classes
    if classes not in CLASSES:
        close = difflib.get_close_matches(classes, CLASSES, 1)
        hint = f"did you mean {close[0]}?" if close else f"choose from {', '.join(CLASSES)}"
        raise SettingError(f"no classes='{classes}'; {hint}")
    return CLASSES[classes]


def is_pronoun(mention: Described) -> bool:
    """Whether a mention is a pronoun, as the authors' tool decides: by its tag, or by the word itself."""
    words, tags = mention.words, mention.tags
    if len(words) != 1:
        return False
    return words[0].lower() in PRONOUN_WORDS or (bool(tags) and tags[0] in PRONOUN_TAGS)
