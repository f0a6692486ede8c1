"""referee.components: what each component of camp finds, alone and with those before it."""

from __future__ import annotations

from typing import Any

from referee import formats
from referee.exceptions import ProtocolError
from referee.resolvers.base import resolver_named
from referee.resolvers.camp.camp import Camp
from referee.resolvers.camp.component_study import ComponentRow, study_components
from referee.scoring.evaluate import Bar, no_bar


def components(key: Any, *, progress: Bar = no_bar, **settings: Any) -> list[ComponentRow]:
    """Resolve the texts of a corpus by rules, and score each component alone and cumulatively.

    Args:
        key: The annotated corpus: a path, a corpus, documents, or what else `read` takes.
        progress: What makes a progress bar, given a number of steps and a label.
        **settings: Settings of the resolver `camp`.

    Returns:
        A row for each component: its scores alone and with all earlier ones, and the links that it adds.

    Raises:
        FormatError: If a file cannot be read.
        ProtocolError: If `camp` has no such setting, or there are no documents.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> rows = referee.components(key)  # doctest: +SKIP
        >>> rows[0].scores[0].muc.recall  # doctest: +SKIP
        0.0
    """
    corpus, camp = formats.opened(key), resolver_named("camp", **settings)
    assert isinstance(camp, Camp)
    if not len(corpus):
        raise ProtocolError(f"{corpus.name}: no documents")
    with progress(len(corpus), "resolving") as advance:
        return study_components(corpus, camp, advance)
