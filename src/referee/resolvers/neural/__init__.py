"""A small neural resolver: weights in a package of their own, run by onnxruntime and numpy, offline."""

from typing import Any

from referee.resolvers.base import Resolver, ResolverEntry


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.neural.neural import Neural

    return Neural(**settings)


def _is_ready() -> bool:
    from referee.resolvers.neural.models import can_run, installed_models

    return can_run() and bool(installed_models())


SETTINGS = ("model", "guidelines", "least", "mentions", "singletons", "threads")
RESOLVERS = {
    "neural": ResolverEntry("a small network, trained on annotated texts", _make, SETTINGS, _is_ready)
}
