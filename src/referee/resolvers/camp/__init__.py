"""CAMP: coreference by rules, in components that run in order and that each can be judged alone."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from referee.resolvers.base import GUIDELINES, PRECISION, THRESHOLD, Resolver, ResolverEntry, Setting


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.camp.camp import Camp

    return Camp(**settings)


def _is_ready() -> bool:
    return find_spec("spacy") is not None


GUIDELINE_NAMES = ("ontonotes", "gum", "litbank")  # as in data/guidelines.toml
SETTINGS = (
    replace(PRECISION, default=80.0),
    replace(THRESHOLD, bounds=(0, 1)),
    Setting(
        "recall", bool, "Accept every link that any rule makes.", False, excludes=("precision", "threshold")
    ),
    replace(GUIDELINES, default="ontonotes", choices=GUIDELINE_NAMES),
    Setting("only", tuple, "Run only these components.", (), value="NAMES"),
    Setting("until", str, "Run the components up to this one.", value="NAME"),
    Setting("skip", tuple, "Leave these components out.", (), value="NAMES"),
    Setting("rules", Path, "TOML file with additional words and other weights.", value="FILE"),
    Setting(
        "nlp", str, "The spaCy pipeline for parsing.", otherwise="the best installed one", value="NAME",
        local=True,
    ),
    Setting(
        "layers", Path,
        "CoNLL-U file or folder whose tags, trees, entities and speakers are used instead of spaCy's.",
        value="PATH",
    ),
    Setting(
        "corpus_layers", tuple,
        "Layers of the corpus itself to use instead of spaCy's: pos, lemma, head, deprel, entity, speaker.",
        (), value="NAMES",
    ),
)  # fmt: skip
RESOLVERS = {
    "camp": ResolverEntry(
        "rules in components, each of which can be judged alone", _make, SETTINGS, _is_ready
    )
}
