"""What a comparison says: the plan it follows, intervals, verdicts, and all systems side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np

from referee.arrays import FloatArray
from referee.display import Rows
from referee.exceptions import SettingError
from referee.metrics.standard import CONLL
from referee.scoring.result import SCHEMA, Result

TESTS = {"permutation": "approximate randomisation", "bootstrap": "paired bootstrap"}
CORRECTIONS = ("holm", "none")
# Metrics that systems are not ranked by: they do not look at clusters, or at the anchors' entities.
OF_MENTIONS = ("mentions", "detection", "bridging_recognition", "bridging_mention")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to resample and what to call significant. Without a correction named, Holm's is used if needed.

    Examples:
        >>> import referee
        >>> referee.Plan(level=0.99).alpha
        0.01
    """

    test: str = "permutation"
    samples: int = 10_000
    seed: int = 1
    level: float = 0.95
    correction: str = "holm"

    def __post_init__(self) -> None:
        """Refuse plans that cannot be followed."""
        for name, value, choices in (
            ("test", self.test, tuple(TESTS)),
            ("correction", self.correction, CORRECTIONS),
        ):
            if value not in choices:
                raise SettingError(f"{name} must be {' or '.join(choices)}, not '{value}'")
        if not 0 < self.level < 1:
            raise SettingError(f"the level must be between 0 and 1, not {self.level}")
        if self.samples < 1 or self.seed < 0:
            raise SettingError("samples must be at least 1, and the seed not negative")

    @property
    def alpha(self) -> float:
        """The chance of an error that is accepted."""
        return round(1 - self.level, 12)

    def corrects(self, systems: int) -> bool:
        """Whether p-values of so many systems are corrected: one comparison needs no correction."""
        return self.correction == "holm" and systems > 2


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """The range in which a score may lie; not a number if there are too few units.

    Examples:
        >>> import referee
        >>> referee.Interval(0.4, 0.6).known
        True
    """

    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether there were enough units."""
        return not (isnan(self.low) or isnan(self.high))

    def __eq__(self, other: object) -> bool:
        """Whether both have the same ends; intervals that are not known are alike."""
        if not isinstance(other, Interval):
            return NotImplemented
        return self._ends == other._ends

    def __hash__(self) -> int:
        """Equal intervals have one hash."""
        return hash(self._ends)

    @property
    def _ends(self) -> tuple[float | None, ...]:
        return tuple(None if isnan(end) else end for end in (self.low, self.high))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one system in one measure; the baseline has no gain and no p-value.

    Examples:
        >>> import referee
        >>> referee.Verdict(0.7, referee.Interval(0.6, 0.8), gain=0.1, significant=True).mark
        '↑'
    """

    f1: float
    interval: Interval
    gain: float = 0.0
    gain_interval: Interval | None = None
    p: float | None = None  # as tested
    adjusted: float | None = None  # corrected for the number of systems, if it is
    significant: bool = False

    @property
    def numbers(self) -> dict[str, float]:
        """All numbers by name, ends of intervals too; those of the gain only where there is one."""
        numbers = {"f1": self.f1, "low": self.interval.low, "high": self.interval.high}
        if self.gain_interval is None or self.adjusted is None:
            return numbers
        gain = self.gain_interval
        return numbers | {"gain": self.gain, "gain_low": gain.low, "gain_high": gain.high, "p": self.adjusted}

    @property
    def mark(self) -> str:
        """Mark a significant gain or loss by one sign."""
        return "" if not self.significant else "↑" if self.gain > 0 else "↓"


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Rows):
    """Systems side by side, each judged against the first.

    Examples:
        >>> import referee
        >>> key = [[["a", "b"]], [["c", "d"]]]
        >>> referee.compare(key, [[], []], key, names=["old", "new"], samples=100).systems
        ['old', 'new']
    """

    _output = "comparison:one_comparison"

    results: Sequence[Result]
    plan: Plan
    verdicts: Sequence[Mapping[str, Verdict]]  # system → measure → verdict
    ranks: FloatArray  # system × rank → share of resamples in the headline measure
    exact: bool  # whether every way to swap was tried

    @property
    def systems(self) -> list[str]:
        """The systems' names."""
        return [result.system for result in self.results]

    @property
    def measures(self) -> tuple[str, ...]:
        """The metrics, then the CoNLL average if its three are here."""
        return tuple(self.verdicts[0])

    @property
    def headline(self) -> str:
        """The measure that systems are ranked by."""
        return headline(self.measures)

    @property
    def units(self) -> int:
        """How many units were resampled."""
        return len(self.results[0].units)

    @property
    def corrected(self) -> bool:
        """Whether p-values are corrected."""
        return self.plan.corrects(len(self.results))

    @cached_property
    def order(self) -> list[int]:
        """The systems' ranks in the headline measure, equal ones sharing the better rank."""
        scores = [verdict[self.headline].f1 for verdict in self.verdicts]
        return [1 + sum(other > score for other in scores) for score in scores]

    def __eq__(self, other: object) -> bool:
        """Whether the same was compared, in the same way, with the same outcome."""
        if not isinstance(other, Comparison):
            return NotImplemented
        return self._told == other._told and np.array_equal(self.ranks, other.ranks)

    def __hash__(self) -> int:
        """Equal comparisons have one hash."""
        return hash((tuple(self.results), self.plan))

    @property
    def _told(self) -> tuple[object, ...]:
        """All but the ranks."""
        return list(self.results), self.plan, [dict(verdict) for verdict in self.verdicts], self.exact

    def to_dict(self) -> dict[str, Any]:
        """Make a plain value for JSON: every system's rank, and each measure's verdict."""
        rows = zip(self.systems, self.order, self.ranks.tolist(), self.verdicts, strict=True)
        return {
            "schema": SCHEMA,
            "plan": asdict(self.plan),
            "signature": self.results[0].signature,
            "key": self.results[0].key,
            "units": self.units,
            "corrected": self.corrected,
            "exact": self.exact,
            "systems": [
                {
                    "system": system,
                    "rank": rank,
                    "ranks": shares,
                    "metrics": {name: _plain(asdict(found)) for name, found in verdict.items()},
                }
                for system, rank, shares, verdict in rows
            ],
        }

    def log_dict(self) -> dict[str, float]:
        """Give F1, intervals, gains and p-values flat, as experiment trackers log them: floats alone.

        Returns:
            For each system and measure `"beta/muc/f1"`, `…/low` and `…/high`; for each system but the
            baseline also `…/gain`, `…/gain_low`, `…/gain_high` and `…/p`, corrected if p-values are. What is
            not known, as the intervals of too few units, is left out.
        """
        logged = {
            f"{system}/{measure}/{name}": float(value)
            for system, verdict in zip(self.systems, self.verdicts, strict=True)
            for measure, found in verdict.items()
            for name, value in found.numbers.items()
        }
        return {name: value for name, value in logged.items() if not isnan(value)}


def headline(measures: Sequence[str]) -> str:
    """Choose what to rank by: the CoNLL average, or the first metric that looks at clusters."""
    if CONLL in measures:
        return CONLL
    return next((name for name in measures if name not in OF_MENTIONS), measures[0])


def _plain(value: Any) -> Any:
    """Write what is not a number as null, as JSON wants it."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return None if isinstance(value, float) and isnan(value) else value
