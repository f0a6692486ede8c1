"""Why each wrong link is wrong: its cause, after the steps that would correct it (Kummerfeld & Klein 2013).

A link has the cause of its anaphor, or else of its antecedent, if the other side lacks that mention: its
boundaries are wrong, or it is missed or invented, alone or with its entity. If the other side has both, the
link is missed since an entity is split, or invented since two are merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.errors.link_errors import RECALL, LinkError
from referee.errors.step_classes import CAUSES, CONFLATED, DIVIDED
from referee.errors.study import Study, SystemErrors
from referee.errors.transformation_rules import REFEREE
from referee.errors.transformations import transformations
from referee.language.mention_types import Described

BETWEEN_ENTITIES = (DIVIDED, CONFLATED)


def with_causes(study: Study) -> Study:
    """Give every error its cause."""
    systems = []
    for system in study.systems:
        caused = [replace(error, cause=cause) for error, cause in link_causes(study, system)]
        count = len(system.recall)
        systems.append(replace(system, recall=tuple(caused[:count]), precision=tuple(caused[count:])))
    return replace(study, systems=systems)


def link_causes(study: Study, system: SystemErrors) -> Iterator[tuple[LinkError, str]]:
    """Go through a system's errors, each with its cause, by the rules by which every absence has a step."""
    study = study if study.rules == REFEREE else replace(study, rules=REFEREE)
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
