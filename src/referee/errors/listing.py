"""Lists errors one by one: sorted, or a sample of them to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from referee.errors.link_causes import with_causes
from referee.errors.link_errors import LinkError
from referee.errors.step_classes import CAUSES
from referee.errors.study import Study
from referee.exceptions import RefereeError

SORTS = ("document", "class", "types", "system")


def list_errors(
    study: Study,
    *,
    sort: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 1,
    limit: int | None = None,
) -> list[LinkError]:
    """List the errors of all systems, each with its cause; system by system unless another order is given.

    `sample` draws so many at random, each as likely as any other; the same seed draws the same. They are
    then sorted, and the first `limit` of them kept.
    """
    errors = [e for system in with_causes(study).systems for e in (*system.recall, *system.precision)]
    if sample is not None and sample < len(errors):
        drawn = np.random.default_rng(seed).choice(len(errors), sample, replace=False)
        errors = [errors[index] for index in np.sort(drawn).tolist()]
    keys = _keys(study)
    for name in reversed(sort):
        if name not in keys:
            raise RefereeError(f"errors are sorted by {', '.join(SORTS)}, not by '{name}'")
        errors.sort(key=keys[name])
    return errors[:limit]


def _keys(study: Study) -> dict[str, Callable[[LinkError], Any]]:
    """What errors are sorted by; those that are alike stay in their order."""
    documents = {document.id: index for index, document in enumerate(study.documents)}
    causes = list(CAUSES.values())
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
