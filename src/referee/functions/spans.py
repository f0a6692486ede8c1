"""referee.spans: the minimum span of each mention, and statistics over them."""

from __future__ import annotations

from os import fspath
from typing import Any

from referee import formats
from referee.formats.io.opening import opened_once
from referee.language.span_survey import MinimumSpans, minimum_spans
from referee.scoring.task import PathName


def spans(
    key: Any, *, match: str = "mina", parses: PathName | None = None, on_bad_parse: str | None = None,
    plot: PathName | None = None,
) -> MinimumSpans:  # fmt: skip
    """Find the minimum span of each distinct mention, and why it is that.

    Args:
        key: The annotated corpus: a path, a corpus, documents, or what else `read` takes.
        match: Which minimum spans: `mina` and `head` are found in parse trees, `min` is annotated.
        parses: A file or folder of Penn trees for the key; otherwise its parse column is taken.
        on_bad_parse: Whether trees that cannot be read are refused (`refuse`), or their mentions keep
            their maximum spans (`skip`).
        plot: A file to draw the lengths into; it needs the extra `plot`.

    Returns:
        A list of `MinimumSpan`, in document order; `statistics()` counts their lengths.

    Raises:
        FormatError: If a file or a tree cannot be read, or the figure not written.
        ProtocolError: If there is no such kind, or the key has neither trees nor annotated spans.

    Examples:
        >>> import referee
        >>> mention = referee.Mention(((0, 2),), minimum=((1, 2),))
        >>> key = referee.Document.of("d", ["the", "sea"], [(0, 2)], [referee.Cluster("1", (mention,))])
        >>> [(span.words, span.minimum_words) for span in referee.spans(key, match="min")]
        [('the sea', 'sea')]
        >>> referee.spans(key, match="min").statistics().minimum.mean
        1.0
    """
    found = minimum_spans(formats.opened(key), match, opened_once(parses), skip_bad=on_bad_parse == "skip")
    if plot is not None:
        from referee.tables.spans import plot_lengths  # needs matplotlib

        plot_lengths(found.statistics(), fspath(plot))
    return found
