"""Why each wrong link is wrong: its cause, after the steps that would correct it (Kummerfeld & Klein 2013).

A link has the cause of its anaphor, or else of its antecedent, if the other side lacks that mention: its
boundaries are wrong, or it is missed or invented, alone or with its entity. If the other side has both, the
link is missed since an entity is split, or invented since two are merged.

A cause counts links and a step (`errors.transformations`) counts corrections, so the numbers of a cause and
of its step differ; that is why they have names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.errors.link_errors import RECALL, LinkError
from referee.errors.study import Study, SystemErrors
from referee.errors.transformations import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    SPAN,
    transformations,
)
from referee.language.mention_types import Described

CAUSES = {  # the step that corrects the link → what is wrong with it
    SPAN: "boundary",
    CONFLATED: "entities merged",
    EXTRA_MENTION: "mention invented",
    EXTRA_ENTITY: "entity invented",
    MISSING_ENTITY: "entity missed",
    MISSING_MENTION: "mention missed",
    DIVIDED: "entity split",
}
BETWEEN_ENTITIES = (DIVIDED, CONFLATED)


def link_causes(study: Study, system: SystemErrors) -> Iterator[tuple[LinkError, str]]:
    """Go through a system's errors, each with its cause."""
    absent = {
        mention: CAUSES[step.kind]
        for step in transformations(study, system)
        if step.kind not in BETWEEN_ENTITIES
        for mention in step.mentions
    }
    for error in (*system.recall, *system.precision):
        yield error, _cause(error, absent)


def _cause(error: LinkError, absent: dict[Described, str]) -> str:
    between = CAUSES[DIVIDED if error.side == RECALL else CONFLATED]
    return absent.get(error.anaphor) or absent.get(error.antecedent) or between
