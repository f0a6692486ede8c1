"""What is tuned of a model: links within documents or across them, with the settings of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee import formats
from referee.exceptions import FormatError, SettingError
from referee.resolvers.across import KIND
from referee.resolvers.base import DeclaredSettings
from referee.resolvers.neural import MENTIONS, THREADS
from referee.resolvers.neural.models import ABOUT, ACROSS

TUNED = {
    "neural": DeclaredSettings("links within documents", (THREADS,)),
    "across": DeclaredSettings("links across documents", (KIND, MENTIONS)),
}
FACTS = {"neural": ABOUT, "across": ACROSS}  # the file that has what is tuned


def tuned_resolver(model: Path, dev: Sequence[str], chosen: str | None = None) -> str:
    """Say for which resolver a model is tuned: the one that is chosen, or the one that it is for.

    A model that links both within and across documents is tuned for what the development part has.
    """
    there = [name for name, file in FACTS.items() if (model / file).is_file()]
    if not there:
        raise FormatError(f"{model}: not a model: it has neither {' nor '.join(FACTS.values())}")
    if chosen and chosen not in there:
        raise SettingError(f"resolver='{chosen}' needs {FACTS[chosen]}, which {model} does not have")
    if chosen or len(there) == 1:
        return chosen or there[0]
    has_guidelines = "=" in dev[0] and not Path(dev[0]).exists()
    return "across" if not has_guidelines and formats.read(dev[0]).cross_document else "neural"
