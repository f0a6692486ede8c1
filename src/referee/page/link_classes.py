"""The class of each wrong link, after the transformations that would correct it (Kummerfeld & Klein 2013).

A link has the class of its anaphor, or else of its antecedent, if the other side lacks that mention: span
error, missing mention or missing entity, extra mention or extra entity. If the other side has both, the link
divides an entity (recall) or conflates two (precision).
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.errors.link_errors import RECALL, LinkError
from referee.errors.step_classes import CONFLATED, DIVIDED
from referee.errors.study import Study, SystemErrors
from referee.errors.transformations import transformations
from referee.language.mention_types import Described

BETWEEN_ENTITIES = (DIVIDED, CONFLATED)


def link_classes(study: Study, system: SystemErrors) -> Iterator[tuple[LinkError, str]]:
    """Go through a system's errors, each with its class."""
    absent = {
        mention: step.kind
        for step in transformations(study, system)
        if step.kind not in BETWEEN_ENTITIES
        for mention in step.mentions
    }
    for error in (*system.recall, *system.precision):
        yield error, _class(error, absent)


def _class(error: LinkError, absent: dict[Described, str]) -> str:
    between = DIVIDED if error.side == RECALL else CONFLATED
    return absent.get(error.anaphor) or absent.get(error.antecedent) or between
