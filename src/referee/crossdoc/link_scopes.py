"""Which documents may share clusters: those of a scope, of predicted topics, or of groups."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

from referee.crossdoc.predicted_topics import predict_topics
from referee.exceptions import SettingError, did_you_mean
from referee.formats.io.opening import is_file
from referee.matching.units import SCOPES, read_groups, unit_labels
from referee.model import Corpus

CORPUS, PREDICTED = "corpus", "predicted"
LINK_SCOPES = (*SCOPES[:-1], PREDICTED)  # groups are given as such, without a name for the scope


def link_groups(corpus: Corpus, scope: str | PathLike[str] | Mapping[str, str]) -> dict[str, str]:
    """Give the group of each document: `scope` is a name, a file of groups, or {document: group}."""
    if scope == PREDICTED:
        return predict_topics(corpus)
    if isinstance(scope, str) and scope in LINK_SCOPES:
        return dict(zip(corpus.ids, unit_labels(corpus, scope), strict=True))
    if not isinstance(scope, Mapping):
        if not is_file(scope):
            near = did_you_mean(str(scope), LINK_SCOPES)
            raise SettingError(f"scope='{scope}' is neither one of {', '.join(LINK_SCOPES)} nor a file{near}")
        scope = read_groups(str(scope))
    return dict(zip(corpus.ids, unit_labels(corpus, SCOPES[-1], scope), strict=True))
