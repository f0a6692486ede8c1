"""Tables of minimum spans: each mention, lengths, and agreement with annotated minimum spans."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.language.span_survey import LONG, MinimumSpan, SpanStatistics
from referee.tables.score_tables import percent
from referee.tables.table import Cell, Column, Table

WIDEST = 60  # characters of a mention that a table shows


def span_table(spans: Sequence[MinimumSpan], kind: str) -> Table:
    """Show each mention with its minimum span and the reason."""
    heads = ("Document", "Tokens", "Mention", f"Minimum ({kind})", "Why")
    has_minimum = any(span.mention.minimum for span in spans) and kind != "min"
    columns = [Column(head, left=True) for head in (*heads, *(["Holds MIN"] * has_minimum))]
    rows = [
        [
            Cell(span.document),
            Cell(_places(span)),
            Cell(_cut(span.words)),
            Cell(_cut(span.minimum_words)),
            Cell(span.reason),
            *([Cell({True: "yes", False: "no", None: ""}[span.contains_annotated])] * has_minimum),
        ]
        for span in spans
    ]
    return Table(columns, rows)


def _places(span: MinimumSpan) -> str:
    return ",".join(f"{start}-{end - 1}" for start, end in span.mention.spans)


def _cut(words: str) -> str:
    return words if len(words) <= WIDEST else f"{words[: WIDEST - 1]}…"


def length_table(found: SpanStatistics) -> Table:
    """Show mean lengths, the share of long spans, and how many spans are how long (Table 1 and Figure 8)."""
    buckets = [str(length) for length in range(1, LONG + 1)] + [f"≥{LONG + 1}"]
    columns = [
        Column("Span", left=True), Column("Mentions"), Column("Mean length"), Column(f">{LONG} (%)"),
        *(Column(bucket, "Mentions of length") for bucket in buckets),
    ]  # fmt: skip
    rows = []
    for lengths in (found.maximum, found.minimum):
        counts = [lengths.counts[length] for length in range(1, LONG + 1)]
        words = [
            lengths.label, str(lengths.spans), f"{lengths.mean:.2f}", percent(lengths.share_long),
            *map(str, [*counts, lengths.spans - sum(counts)]),
        ]  # fmt: skip
        rows.append([Cell(word) for word in words])
    share = percent(found.colliding / max(found.minimum.spans, 1))
    note = f"{found.colliding} mentions ({share} %) share their {found.minimum.label} span with another one"
    return Table(columns, rows, "", ("", note))


def compatibility_table(found: SpanStatistics) -> Table:
    """Show the share of minimum spans that contain the annotated MIN (Table 2)."""
    share = percent(found.containing / max(found.annotated, 1))
    columns = [Column("Span", left=True), Column("Mentions with MIN"), Column("Contain it"), Column("%")]
    words = [found.minimum.label, str(found.annotated), str(found.containing), share]
    return Table(columns, [[Cell(word) for word in words]])


def span_json(spans: Sequence[MinimumSpan], kind: str) -> str:
    """Write every mention with its spans."""
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
    return json.dumps({"schema": 1, "kind": kind, "mentions": values}, indent=1, ensure_ascii=False)


def statistics_json(found: SpanStatistics) -> str:
    """Write lengths, collisions and agreement."""
    lengths = {
        lengths.label: {
            "mentions": lengths.spans,
            "mean": lengths.mean,
            "share_longer_than_three": lengths.share_long,
            "histogram": dict(sorted(lengths.counts.items())),
        }
        for lengths in (found.maximum, found.minimum)
    }
    rest = {"colliding": found.colliding, "with_min": found.annotated, "containing_min": found.containing}
    return json.dumps({"schema": 1, "lengths": lengths, **rest}, indent=1, ensure_ascii=False)
