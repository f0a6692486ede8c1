"""What `referee resolve` does with a folder as its output: a file for each input, none of them twice."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.cli.terminal import mention_done, progress_bar, tell
from referee.formats import FORMATS
from referee.resolvers.part_files import planned_parts, recipe_for, resolve_parts
from referee.scoring.engines import Engine


def is_part_folder(output: str | None, to: str | None) -> bool:
    """Whether an output is a folder to be filled file by file, and no format's own folder of documents."""
    if output is None or (to and FORMATS[to].contents):
        return False
    return output.endswith(("/", os.sep)) or Path(output).is_dir()


def resolve_into_folder(
    inputs: Sequence[str],
    folder: str,
    to: str | None,
    resolver: str,
    settings: Mapping[str, Any],
    engine: Engine,
    *,
    scores: bool,
) -> None:
    """Resolve file by file, and say what was done, done anew and finished before."""
    parts, form = planned_parts(inputs, folder, to)
    recipe = recipe_for(resolver, settings, form, scores=scores)
    written = finished = 0
    said: list[str] = []
    with progress_bar(len(parts), "resolving") as advance:
        for part in resolve_parts(parts, recipe, engine):
            said += [f"{part.target}: done anew: {part.redone}"] if part.redone else []
            said += part.notices
            finished += part.finished_before
            written += not part.finished_before
            advance(1)
    tell(said)
    mention_done(
        f"{folder}: {written} of {len(parts)} files written" + f", {finished} were finished" * (finished > 0)
    )
