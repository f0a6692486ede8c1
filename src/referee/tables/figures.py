"""Figures of a comparison, ready for a paper: PNG, PDF or SVG, whatever the file's name ends in.

Fonts are embedded: as TrueType (type 42) in PDF, which is what conferences ask for, and as outlines in SVG.
Needs matplotlib: the extra `plot`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.comparing.breakdowns import by_length, unit_scores
from referee.comparing.verdicts import Comparison, Interval
from referee.exceptions import FormatError, MissingExtra
from referee.tables.comparison import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Draw = Callable[[Comparison], Figure]

# Okabe & Ito's colours, which the colour-blind can distinguish; the baseline is grey.
COLOURS = ("#666666", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
ENDINGS = (".pdf", ".png", ".svg")
WIDTH = 5.5  # inches
STYLE = {
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "referee",  # the same figure has the same bytes
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
}


def save_plots(comparison: Comparison, folder: str, endings: Sequence[str] = (".pdf",)) -> list[Path]:
    """Draw every figure of a comparison into a folder, in every format asked for."""
    unknown = [ending for ending in endings if ending not in ENDINGS]
    if unknown:
        raise FormatError(f"cannot draw {', '.join(unknown)}; choose from {', '.join(ENDINGS)}")
    figures: dict[str, Draw] = {"scores": score_figure, "ranks": rank_figure}
    if comparison.results[0].lengths:
        figures["length"] = length_figure
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return [
            save_figure(draw(comparison), Path(folder, name + end))
            for name, draw in figures.items()
            for end in endings
        ]
    except OSError as error:
        raise FormatError(f"{folder}: {error.strerror or error}") from error


def save_figure(figure: Figure, path: Path) -> Path:
    """Write a figure, with its fonts and without the time of day."""
    with _matplotlib().rc_context(STYLE):
        undated = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix, {})
        figure.savefig(path, dpi=200, bbox_inches="tight", metadata=undated)
    return path


def _styled(draw: Draw) -> Draw:
    """Draw in Referee's style, and leave the reader's own as it is."""

    @wraps(draw)
    def styled(comparison: Comparison) -> Figure:
        with _matplotlib().rc_context(STYLE):
            return draw(comparison)

    return styled


@_styled
def score_figure(comparison: Comparison) -> Figure:
    """Draw each system's F1 in each measure, with its interval."""
    measures = comparison.measures[::-1]
    systems = len(comparison.systems)
    figure, axes = _figure(0.7 + len(measures) * max(0.18 * systems, 0.3))
    for number, verdict in enumerate(comparison.verdicts):
        shift = 0.7 * ((systems - 1) / 2 - number) / systems
        rows = [row + shift for row in range(len(measures))]
        points = [verdict[name].f1 for name in measures]
        bars = _bars(points, [verdict[name].interval for name in measures])
        axes.errorbar([100 * point for point in points], rows, xerr=bars, **_dots(number, comparison.systems))
    axes.set_yticks(range(len(measures)), [label(name) for name in measures])
    axes.set_xlabel(f"F1 with {100 * comparison.plan.level:g} % interval")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    _legend(axes, systems)
    return figure


@_styled
def length_figure(comparison: Comparison) -> Figure:
    """Draw the headline measure against document length: each document, and groups of like length."""
    figure, axes = _figure(3.4)
    measure, points = unit_scores(comparison.results)
    sizes = comparison.results[0].lengths
    for number, of_system in enumerate(points):
        colour = COLOURS[number % len(COLOURS)]
        axes.scatter(sizes, [100 * point for point in of_system], s=6, color=colour, alpha=0.25, linewidths=0)
    ordered, first = sorted(sizes), 0
    breakdown = by_length(comparison.results, comparison.plan)
    groups = list(breakdown.comparisons.items())
    middles = []
    for name, _ in groups:
        middles.append(ordered[first + breakdown.sizes[name] // 2])
        first += breakdown.sizes[name]
    for number in range(len(points)):
        found = [group.verdicts[number][measure] for _, group in groups]
        shifted = [middle * 1.015 ** (number - (len(points) - 1) / 2) for middle in middles]
        values = [verdict.f1 for verdict in found]
        bars = _bars(values, [verdict.interval for verdict in found])
        style = _dots(number, comparison.systems) | {"linestyle": "-"}
        axes.errorbar(shifted, [100 * value for value in values], yerr=bars, **style)
    if max(sizes) > 4 * max(min(sizes), 1):
        _round_ticks(axes, sizes)
    axes.set_xlabel("Document length")
    axes.set_ylabel(f"{label(measure)} F1")
    axes.grid(color="#dddddd", linewidth=0.6)
    _legend(axes, len(points))
    return figure


def _round_ticks(axes: Axes, sizes: Sequence[int]) -> None:
    """Stretch short lengths, with 1, 2 and 5 times powers of ten on the axis, written out."""
    axes.set_xscale("log")
    candidates = [digit * 10**power for power in range(8) for digit in (1, 2, 5)]
    ticks = [tick for tick in candidates if min(sizes) <= tick <= max(sizes)]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()


@_styled
def rank_figure(comparison: Comparison) -> Figure:
    """Draw how often each system has each rank over the resamples."""
    systems = len(comparison.systems)
    figure, axes = _figure(0.8 + 0.32 * systems)
    order = sorted(range(systems), key=lambda number: -comparison.order[number])
    left = [0.0] * systems
    for rank in range(systems):
        shares = [100 * float(comparison.ranks[number, rank]) for number in order]
        shade = 0.25 + 0.6 * rank / max(systems - 1, 1)
        axes.barh(
            range(systems), shares, left=left, color=str(shade), edgecolor="white", label=_nth(rank + 1)
        )
        for row, (share, start) in enumerate(zip(shares, left, strict=True)):
            if share >= 6:
                ink = "white" if shade < 0.6 else "black"
                axes.text(start + share / 2, row, f"{share:.0f}", ha="center", va="center", color=ink)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(systems), [comparison.systems[number] for number in order])
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"% of resamples with this rank in {label(comparison.headline)}")
    _legend(axes, systems)
    return figure


def _nth(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def _bars(points: Sequence[float], intervals: Sequence[Interval]) -> list[list[float]]:
    """How far intervals reach to either side, in percent."""
    return [
        [100 * max(point - interval.low, 0) for point, interval in zip(points, intervals, strict=True)],
        [100 * max(interval.high - point, 0) for point, interval in zip(points, intervals, strict=True)],
    ]


def _dots(number: int, systems: Sequence[str]) -> dict[str, Any]:
    return {
        "color": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "linestyle": "none",
        "markersize": 4,
        "linewidth": 1.2,
        "capsize": 2,
        "label": systems[number],
    }


def _legend(axes: Axes, entries: int) -> None:
    """Put the legend above, where it hides nothing."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=min(entries, 4), frameon=False)


def _figure(height: float) -> tuple[Figure, Axes]:
    """Make a figure without changing pyplot's global state."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height))
    return figure, figure.add_subplot()


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    return matplotlib
