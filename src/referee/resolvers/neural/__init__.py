"""A small neural resolver: weights in a separate package, run by onnxruntime and numpy, offline."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any

from referee.language.languages import ENGLISH
from referee.resolvers.base import GUIDELINES, PRECISION, THRESHOLD, Resolver, ResolverEntry, Setting


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.neural.neural import Neural

    return Neural(**settings)


def _is_ready() -> bool:
    from referee.resolvers.neural.models import can_run, installed_models

    return can_run() and bool(installed_models())


def _guidelines(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """List the guidelines that the model, or one of those installed, was trained on."""
    from referee.resolvers.neural.models import known_guidelines

    return known_guidelines(settings.get("model"))


def _languages(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """List the languages that the model, or one of those installed, knows, and `any`."""
    from referee.resolvers.neural.models import known_languages

    return *(known_languages(settings.get("model")) or (ENGLISH,)), ANY


ANY = "any"  # language: whatever it is
MODEL = Setting(
    "model", str, "A model's folder, or the name of one that is installed.",
    otherwise="the first installed that knows the language", value="NAME|FOLDER", local=True,
)  # fmt: skip
KEEP, DROP = ("keep", "drop")
FOUND, GOLD = ("predicted", "gold")  # mentions: which the resolver finds, or which a corpus has
EVERYTHING, RECURRING, PEOPLE = "everything", "recurring", "people"
FIND = Setting(
    "find", str,
    "What is found: everything, also what is mentioned once; what recurs; or people alone. The guidelines "
    "are then chosen by the text, unless they are given.",
    otherwise="recurring", choices=(EVERYTHING, RECURRING, PEOPLE), excludes=("singletons",),
)  # fmt: skip
MENTIONS = Setting(
    "mentions", str, "gold: link the mentions of the corpus and find no others.", FOUND,
    choices=(FOUND, GOLD),
)  # fmt: skip
SINGLETONS = Setting(
    "singletons", str, "Keep or drop mentions that are linked to nothing.", DROP, choices=(KEEP, DROP)
)
THREADS = Setting("threads", int, "Number of threads; 0 uses all cores.", 0, bounds=(0, inf), local=True)
LANGUAGE = Setting(
    "language", str,
    "The language of the texts. Without it, a text in a language that no model knows is refused; any: it is "
    "resolved all the same.",
    otherwise="recognised", choices_with=_languages, value="CODE",
)  # fmt: skip
SETTINGS = (
    MODEL,
    LANGUAGE,
    FIND,
    replace(
        GUIDELINES, otherwise="of raw text: litbank for a novel, if the model has it; else the model's first",
        choices_with=_guidelines,
    ),
    replace(PRECISION, otherwise="where F1 was highest"),
    replace(THRESHOLD, otherwise="the model's"),
    MENTIONS,
    SINGLETONS,
    Setting(
        "links_only", bool,
        "Leave out the second pass, which makes people and their speech consistent over the whole text.",
        False,
    ),
    THREADS,
)  # fmt: skip
RESOLVERS = {
    "neural": ResolverEntry("a small network, trained on annotated texts", _make, SETTINGS, _is_ready)
}
