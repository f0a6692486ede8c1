"""Lists errors one by one, each with its cause: sorted, or a sample of them to look at.

The cause of a wrong link is named after the step that would correct it (Kummerfeld & Klein 2013). A link has
the cause of its anaphor, or else of its antecedent, if the other side lacks that mention: its boundaries are
wrong, or it is missed or invented, alone or with its entity. If the other side has both, the link is missed
since an entity is split, or invented since two are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.analysis.link_errors import RECALL, LinkError
from referee.analysis.relation_links import LAYER_CAUSES
from referee.analysis.study import Study, SystemErrors
from referee.analysis.transformation_rules import CAUSES, CONFLATED, DIVIDED, REFEREE
from referee.analysis.transformations import transformations
from referee.exceptions import SettingError
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
    if study.protocol.layer in LAYER_CAUSES:
        yield from ((error, error.cause) for error in (*system.recall, *system.precision))
        return
    study = study if study.classes == REFEREE else replace(study, classes=REFEREE)
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


SORTS = ("document", "class", "types", "system")


def list_errors(
    study: Study,
    *,
    sort: Sequence[str] = (),
    draw: int | None = None,
    seed: int = 1,
    limit: int | None = None,
) -> list[LinkError]:
    """List the errors of all systems, each with its cause; system by system unless another order is given.

    `draw` takes so many at random, each as likely as any other; the same seed draws the same. They are
    then sorted, and the first `limit` of them taken.
    """
    errors = [e for system in with_causes(study).systems for e in (*system.recall, *system.precision)]
    if draw is not None and draw < len(errors):
        drawn = np.random.default_rng(seed).choice(len(errors), draw, replace=False)
        errors = [errors[index] for index in np.sort(drawn).tolist()]
    keys = _keys(study)
    for name in reversed(sort):
        if name not in keys:
            raise SettingError(f"errors are sorted by {', '.join(SORTS)}, not by '{name}'")
        errors.sort(key=keys[name])
    return errors[:limit]


def _keys(study: Study) -> dict[str, Callable[[LinkError], Any]]:
    """What errors are sorted by; those that are alike stay in their order."""
    documents = {document.id: index for index, document in enumerate(study.documents)}
    causes = list(study.causes)
    systems = [system.name for system in study.systems]
    return {
        "document": lambda error: (
            documents[error.document],
            error.anaphor.mention,
            error.antecedent.mention,
        ),
        "class": lambda error: causes.index(error.cause),
        "types": lambda error: error.types,
        "system": lambda error: systems.index(error.system),
    }
