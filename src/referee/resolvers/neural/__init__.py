"""A small neural resolver: weights in a separate package, run by onnxruntime and numpy, offline."""

from dataclasses import replace
from math import inf
from typing import Any

from referee.resolvers.base import GUIDELINES, Resolver, ResolverEntry, Setting


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.neural.neural import Neural

    return Neural(**settings)


def _is_ready() -> bool:
    from referee.resolvers.neural.models import can_run, installed_models

    return can_run() and bool(installed_models())


MODEL = Setting(
    "model", str, "A model's folder, or the name of one that is installed.",
    otherwise="the one installed", value="NAME|FOLDER",
)  # fmt: skip
KEEP, DROP = ("keep", "drop")
FOUND, GOLD = ("predicted", "gold")  # mentions: which the resolver finds, or which a corpus has
MENTIONS = Setting(
    "mentions", str, "gold: link the mentions that a corpus has, and look for no others.", FOUND,
    choices=(FOUND, GOLD),
)  # fmt: skip
THREADS = Setting("threads", int, "Threads to work in; 0 takes all cores.", 0, bounds=(0, inf))
SETTINGS = (
    MODEL,
    replace(GUIDELINES, otherwise="the model's first"),
    Setting(
        "threshold", float,
        "What a link must score, in log odds: above 0 fewer and surer links, below 0 more.",
        otherwise="the model's", value="NUMBER",
    ),
    MENTIONS,
    Setting(
        "singletons", str, "Keep mentions that are linked to nothing, as clusters of one, or drop them.",
        DROP, choices=(KEEP, DROP),
    ),
    THREADS,
)  # fmt: skip
RESOLVERS = {
    "neural": ResolverEntry("a small network, trained on annotated texts", _make, SETTINGS, _is_ready)
}
