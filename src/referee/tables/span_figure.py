"""A picture of how long maximum and minimum spans are (Figure 8 of Moosavi et al., 2019)."""

from __future__ import annotations

from referee.exceptions import FormatError, MissingExtra
from referee.language.span_survey import Lengths, SpanStatistics

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
