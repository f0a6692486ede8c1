"""CAMP: coreference by rules, in components that run in order and that each can be judged alone."""

from typing import Any

from referee.resolvers.base import Resolver, ResolverEntry


def _make(**settings: Any) -> Resolver:
    from referee.resolvers.camp.camp import Camp

    return Camp(**settings)


SETTINGS = ("precision", "recall", "guidelines", "only", "until", "skip", "rules", "nlp", "layers")
RESOLVERS = {"camp": ResolverEntry("rules in components, each of which can be judged alone", _make, SETTINGS)}
