"""referee.gap: GAP's score of pronouns and names, with gender bias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from referee import formats
from referee.exceptions import SettingError
from referee.model import Corpus
from referee.scoring.gap import GapScore, gap_score
from referee.scoring.task import system_names


@overload
def gap(key: Any, response: Any, /, *, names: Sequence[str] | None = None) -> GapScore: ...
@overload
def gap(key: Any, *responses: Any, names: Sequence[str] | None = None) -> list[GapScore]: ...
def gap(key: Any, *responses: Any, names: Sequence[str] | None = None) -> GapScore | list[GapScore]:
    """Score decisions about the names in GAP's texts, overall and by gender.

    A name is what the pronoun refers to if the pronoun's cluster has a mention that contains the name or is
    contained in it.

    Args:
        key: GAP's data, gap-*.tsv as it is published, as a path or read.
        *responses: A system's output in GAP's form (ID, TRUE or FALSE for A, for B), or coreference of the
            same texts: paths, corpora, or what else `read` takes.
        names: What the systems are called; otherwise after their files.

    Returns:
        A `GapScore` for one response, a list of them for several.

    Raises:
        FormatError: If the key is not GAP's data, or a response has other texts.

    Examples:
        >>> import referee
        >>> from referee.formats.corpora.gap import GapCorpus, GapExample
        >>> from referee.model import cut_text
        >>> example = GapExample("d", "he", (8, 10), ((0, 3), (4, 7)), (True, False))
        >>> key = GapCorpus([example], [cut_text("d", "Jim Ann he", example.clusters)], "gap")
        >>> referee.gap(key, key).overall.f1
        1.0
    """
    if not responses:
        raise SettingError("give a key and one or more responses")
    texts = formats.opened(key)
    paths = [each if isinstance(each, Corpus) else str(each) for each in responses]
    called = names or (system_names(paths) if all(isinstance(p, Corpus | str) for p in responses) else None)
    called = called or [f"response {number}" for number in range(1, len(responses) + 1)]
    scores = [gap_score(texts, each, name=name) for each, name in zip(responses, called, strict=True)]
    return scores[0] if len(scores) == 1 else scores
