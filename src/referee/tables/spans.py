"""Tables of minimum spans: each mention, lengths, and agreement with annotated minimum spans.

The lengths are also drawn, as in Figure 8 of Moosavi et al. (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.display import number_of
from referee.exceptions import FormatError, MissingExtra
from referee.language.span_survey import LONG, Lengths, MinimumSpan, MinimumSpans, SpanStatistics
from referee.tables.rendering import Output, Records
from referee.tables.scores import count_cell, percent, score_cell
from referee.tables.table import Cell, Column, Table, field_name

WIDEST = 60  # characters of a mention that a table shows
MAY_BE_LONG = ("Mention", "Minimum")


def span_table(spans: Sequence[MinimumSpan], match: str) -> Table:
    """Show each mention with its minimum span and the reason."""
    titles = _titles(spans, match)
    heads = [f"Minimum ({match})" if title == "Minimum" else title for title in titles]
    rows = [
        [Cell(_cut(said) if title in MAY_BE_LONG else said) for title, said in zip(titles, row, strict=True)]
        for row in _span_rows(spans, match)
    ]
    return Table([Column(head, left=True) for head in heads], rows)


def span_records(spans: Sequence[MinimumSpan], match: str) -> Records:
    """List each mention with its minimum span and the reason, however long they are."""
    return [field_name(title) for title in _titles(spans, match)], _span_rows(spans, match)


def _titles(spans: Sequence[MinimumSpan], match: str) -> list[str]:
    has_minimum = any(span.mention.minimum for span in spans) and match != "min"
    return ["Document", "Tokens", "Mention", "Minimum", "Why", *["Holds MIN"] * has_minimum]


def _span_rows(spans: Sequence[MinimumSpan], match: str) -> list[list[str]]:
    width = len(_titles(spans, match))
    return [
        [
            span.document,
            ",".join(f"{start}-{end - 1}" for start, end in span.mention.spans),
            span.words,
            span.minimum_words,
            span.reason,
            {True: "yes", False: "no", None: ""}[span.contains_annotated],
        ][:width]
        for span in spans
    ]


def _cut(words: str) -> str:
    return words if len(words) <= WIDEST else f"{words[: WIDEST - 1]}…"


def length_table(surveyed: SpanStatistics) -> Table:
    """Show mean lengths, the share of long spans, and how many spans are how long (Table 1 and Figure 8)."""
    of_length = "Mentions of length"
    columns = [
        Column("Span", left=True), Column("Mentions"), Column("Mean length"),
        Column(f">{LONG} (%)", key="share_longer_than_three"),
        *(Column(str(length), of_length) for length in range(1, LONG + 1)),
        Column(f"≥{LONG + 1}", of_length, key=f"mentions_of_length_{LONG + 1}_or_more"),
    ]  # fmt: skip
    rows = []
    for lengths in (surveyed.maximum, surveyed.minimum):
        counts = [lengths.counts[length] for length in range(1, LONG + 1)]
        mean = Cell(f"{lengths.mean:.2f}", value=lengths.mean)
        first = [Cell(lengths.label), count_cell(lengths.spans), mean, score_cell(lengths.share_long)]
        rows.append([*first, *map(count_cell, [*counts, lengths.spans - sum(counts)])])
    share = percent(surveyed.colliding / max(surveyed.minimum.spans, 1))
    kind = surveyed.minimum.label
    note = f"{number_of(surveyed.colliding, 'mention')} ({share} %) share their {kind} span with another one"
    return Table(columns, rows, "", ("", note))


def compatibility_table(surveyed: SpanStatistics) -> Table:
    """Show the share of minimum spans that contain the annotated MIN (Table 2)."""
    share = score_cell(surveyed.containing / max(surveyed.annotated, 1))
    columns = [Column("Span", left=True), Column("Mentions with MIN"), Column("Contain it"),
               Column("%", key="share")]  # fmt: skip
    cells = [
        Cell(surveyed.minimum.label),
        count_cell(surveyed.annotated),
        count_cell(surveyed.containing),
        share,
    ]
    return Table(columns, [cells])


def minimum_spans_output(spans: MinimumSpans) -> Output:
    """Show each mention of a corpus with its minimum span."""
    return Output(
        lambda: [span_table(spans, spans.match)],
        lambda: span_data(spans),
        lambda: span_records(spans, spans.match),
    )


def span_data(spans: MinimumSpans) -> dict[str, Any]:
    """Give every mention with its spans."""
    values = [
        {
            "document": span.document,
            "spans": span.mention.spans,
            "minimum": span.tokens,
            "words": span.words,
            "minimum_words": span.minimum_words,
            "why": span.reason,
            "annotated": span.mention.minimum,
            "contains_annotated": span.contains_annotated,
        }
        for span in spans
    ]
    return {"notices": spans.notices, "match": spans.match, "mentions": values}


def statistics_output(surveyed: SpanStatistics, *, against_min: bool = False) -> Output:
    """Show lengths, or agreement with the annotated minimum; as data both."""
    table = compatibility_table if against_min else length_table
    return Output(lambda: [table(surveyed)], lambda: statistics_data(surveyed))


def statistics_data(surveyed: SpanStatistics) -> dict[str, Any]:
    """Give lengths, collisions and agreement."""
    lengths = {
        lengths.label: {
            "mentions": lengths.spans,
            "mean": lengths.mean,
            "share_longer_than_three": lengths.share_long,
            "histogram": dict(sorted(lengths.counts.items())),
        }
        for lengths in (surveyed.maximum, surveyed.minimum)
    }
    rest = {
        "colliding": surveyed.colliding,
        "with_min": surveyed.annotated,
        "containing_min": surveyed.containing,
    }
    return {"notices": list(surveyed.notices), "lengths": lengths, **rest}


LAST = 10  # lengths from here on are one bar


def plot_lengths(found: SpanStatistics, path: str) -> None:
    """Draw a bar for each length, maximum and minimum spans side by side."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    for offset, colour, lengths in ((-0.2, "#b8c4d6", found.maximum), (0.2, "#1f4e8c", found.minimum)):
        places = [length + offset for length in range(1, LAST + 1)]
        label = f"{lengths.label} (mean {lengths.mean:.2f})"
        axes.bar(places, _bars(lengths), width=0.38, color=colour, label=label)
    axes.set_xticks(range(1, LAST + 1), [*map(str, range(1, LAST)), f"≥{LAST}"])
    axes.set_xlabel("tokens")
    axes.set_ylabel("mentions")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    try:
        figure.savefig(path, dpi=160)
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: {error}") from error


def _bars(lengths: Lengths) -> list[int]:
    counts = [lengths.counts[length] for length in range(1, LAST)]
    return [*counts, lengths.spans - sum(counts)]
