"""referee.baseline: responses that need no training."""

from __future__ import annotations

from typing import Any

from referee import formats
from referee.crossdoc.link_scopes import link_groups
from referee.exceptions import ProtocolError, SettingError, did_you_mean
from referee.model import DocumentCorpus
from referee.resolvers.baselines import BASELINES, respond
from referee.scoring.evaluate import Bar, no_bar


def baseline(
    baseline: str, key: Any, *, kind: str = "all", scope: str | None = None, ids: str | None = None,
    progress: Bar = no_bar,
) -> DocumentCorpus:  # fmt: skip
    """Link the mentions of a corpus by a simple rule.

    Head lemmas come from the corpus's columns lemma and head, or from spaCy.

    Args:
        baseline: Which rule: `singletons`, `one-cluster`, `same-string`, `head-lemma` and others.
        key: The annotated corpus: a path, a corpus, documents, or what else `read` takes.
        kind: Take `all` mentions, `events` or `entities`, where a corpus distinguishes them.
        scope: Which documents may share clusters: `document`, `block`, `subtopic`, `topic`, `corpus`,
            `predicted` topics, or a file; otherwise as the baseline says.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        The response, a corpus that `write` and `score` take.

    Raises:
        FormatError: If a file cannot be read.
        ProtocolError: If there is no such baseline, or the corpus does not know such a scope.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> response = referee.baseline("one-cluster", key)
        >>> referee.score(key, response).muc.f1
        1.0
    """
    if baseline not in BASELINES:
        near = did_you_mean(baseline, BASELINES)
        raise SettingError(f"no baseline '{baseline}'; there are {', '.join(BASELINES)}{near}")
    read = formats.opened(key, ids=ids or "document").of_kind(kind)
    scope = scope or (BASELINES[baseline].scope if read.cross_document else "document")
    if scope != "document" and not read.cross_document:
        raise ProtocolError(f"{read.name}: its clusters hold within a document only: scope='document'")
    with progress(len(read), "linking") as advance:
        return respond(read, baseline, link_groups(read, scope), progress=advance)
