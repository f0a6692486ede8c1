"""Scores bare clusters, one document or a batch of them, as `score` and `compare` take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from referee.exceptions import RefereeError, SettingError
from referee.formats.objects.libraries import is_object
from referee.formats.objects.spacy_docs import has_span_groups
from referee.functions.task_options import TaskOptions
from referee.model import Corpus
from referee.scoring.given import is_batch, is_named_batch, listed
from referee.scoring.result import Result
from referee.scoring.scorer import Scorer

__all__ = ["cluster_results", "is_of_clusters", "listed"]
OF_DOCUMENTS = (
    "zeros",
    "heads",
    "parses",
    "on_bad_parse",
    "scope",
    "kind",
    "ids",
    "gaps",
    "sets",
    "layer",
    "repair",
)  # options


def is_of_clusters(sides: Sequence[Any]) -> bool:
    """Whether what is scored is bare clusters; spaCy's documents may be scored against these, too."""
    documents = [isinstance(side, str | PathLike | Corpus) or is_object(side) for side in sides]
    if all(documents):
        return False
    if any(each and not _has_clusters(side) for each, side in zip(documents, sides, strict=True)):
        raise RefereeError("key and response must be of one kind: both clusters, or both documents or paths")
    return True


def _has_clusters(side: Any) -> bool:
    """Whether it can be scored against bare clusters too: spaCy's documents count tokens as spans do."""
    return all(map(has_span_groups, side)) if isinstance(side, list) else has_span_groups(side)


def cluster_results(sides: Sequence[Any], how: TaskOptions, metrics: Sequence[str]) -> list[Result]:
    """Score each response's clusters against the key's."""
    if given := [name for name in OF_DOCUMENTS if getattr(how, name) not in (None, False)]:
        raise SettingError(f"{given[0]}= needs documents: bare clusters are taken as they are")
    many = len(sides) > 2
    names = how.names or [f"response {n}" if many else "response" for n in range(1, len(sides))]
    results = []
    for name, side in zip(names, sides[1:], strict=True):
        scorer = Scorer(protocol=how.named_protocol(), metric=metrics, name=name)
        for keys, responses in _documents(sides[0], side):
            scorer.update(keys, responses)
        results.append(scorer.compute())
    return results


def _documents(key: Any, response: Any) -> list[tuple[Any, Any]]:
    """One document, or the pairs of a batch; documents with names are paired by these."""
    mappings = isinstance(key, Mapping) and isinstance(response, Mapping)
    if mappings and (is_named_batch(key) or is_named_batch(response)):
        if unpaired := [*(key.keys() ^ response.keys())]:
            raise RefereeError(
                f"document '{unpaired[0]}' is on one side only; give an item for each, empty ones too"
            )
        return [(clusters, response[name]) for name, clusters in key.items()]
    if not is_batch(key) and not is_batch(response):
        return [(key, response)]
    if not isinstance(key, list) or not isinstance(response, list):
        raise RefereeError("key and response must both be one document, or both a batch of documents")
    if len(key) != len(response):
        raise RefereeError(
            f"the key is a batch of {len(key)} documents, the response of {len(response)}; give one item for "
            "each document, empty ones too"
        )
    return list(zip(key, response, strict=True))
