"""The result of scoring one response: counts per unit, and all that follows from them.

A result is written as a plain value and read back from one; what is damaged is refused in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from referee import __version__
from referee.arrays import FloatArray
from referee.display import Rows, pandas_frame, polars_frame
from referee.exceptions import FormatError, ProtocolError, RefereeError, did_you_mean
from referee.formats.failures import Failure
from referee.matching.protocol import CHOICES, DATA, Protocol, signature_of
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS
from referee.scoring import result as checked
from referee.scoring.metric_scores import MetricScores, Score

if TYPE_CHECKING:
    import pandas
    import polars

AT_ONCE = 2**14  # numbers that are added up at once
SCHEMA = 1  # of every JSON form; a change that breaks readers raises it


@dataclass(frozen=True, repr=False, eq=False)
class Result(MetricScores, Rows):
    """Scores of one response under one protocol.

    Metrics are attributes, `result.muc.f1`; those of installed packages are taken by name,
    `result["my_metric"].f1`. Units may share a name, as in a resample; but what is saved names each once.

    Examples:
        >>> import referee
        >>> result = referee.score([["a", "b"], ["c"]], [["a", "b", "c"]])
        >>> result.muc.recall, result.muc.precision
        (1.0, 0.5)
    """

    _output = "scores:result_output"

    system: str
    units: Sequence[str]
    counts: Mapping[str, FloatArray]  # metric → one row of counts per unit
    protocol: Protocol
    notices: Sequence[str] = ()
    key: str = ""  # a name for the key, the same for the same clusters; empty if it is not known
    lengths: Sequence[int] = ()  # of each unit's documents together, if they are known
    version: str = __version__  # of the Referee that counted
    trees: str = ""  # a short hash of the parse trees, if mentions were matched by way of any
    groups: str = ""  # a short hash of what says which documents are one unit, if something did
    alignment: Mapping[str, Any] = field(
        default_factory=dict
    )  # what aligning a model's own copy of the text lost
    failures: Sequence[Failure] = ()  # documents that could not be read
    scores: Mapping[str, Score] = field(init=False)

    def __post_init__(self) -> None:
        """Add up the units. Sums are exactly rounded, so the order of documents changes no digit."""
        counting = self.protocol.counting
        scores = {name: _score(name, rows, counting) for name, rows in self.counts.items()}
        object.__setattr__(self, "scores", scores)

    def __getitem__(self, metric: str) -> Score:
        """Take the score of a metric by its name: also of one that an installed package adds."""
        if metric not in self.scores:
            raise KeyError(self._absent(metric))
        return self.scores[metric]

    if not TYPE_CHECKING:  # mypy would otherwise take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            """Explain why the attribute does not exist."""
            if name.startswith("_") or name in type(self).__dataclass_fields__:  # asked for before it is made
                raise AttributeError(name)
            raise AttributeError(self._absent(name))

    def __dir__(self) -> list[str]:
        """List the attributes; of the metrics, those that were counted."""
        return [name for name in super().__dir__() if name not in CATALOGUE.ours or name in self.scores]

    def _absent(self, name: str) -> str:
        """Say which scores there are, and how to get one that is missing."""
        known = ", ".join(self.scores)
        if name in self.scores:
            return f"'{name}' comes from an installed package: use result['{name}']"
        if name in CATALOGUE:
            return f"'{name}' was not computed: this result has {known}; score with metric='{name}'"
        return f"no score '{name}'; this result has {known}" + did_you_mean(
            name, [*dir(type(self)), *self.scores]
        )

    def __eq__(self, other: object) -> bool:
        """Whether all was counted alike."""
        if not isinstance(other, Result):
            return NotImplemented
        return self._told == other._told and all(
            np.array_equal(rows, other.counts[name]) for name, rows in self.counts.items()
        )

    def __hash__(self) -> int:
        """Equal results have one hash."""
        return hash((self.system, tuple(self.units), self.signature))

    @property
    def _told(self) -> tuple[object, ...]:
        """All but the counts."""
        lists = (list(self.units), list(self.notices), list(self.lengths))
        return self.system, self.protocol, self.settings, self.key, self.counts.keys(), *lists

    @property
    def conll(self) -> float:
        """The CoNLL average: the mean F1 of MUC, B³ and CEAFe."""
        missing = [name for name in CONLL_METRICS if name not in self.scores]
        if missing:
            raise ProtocolError(f"the CoNLL average needs {', '.join(missing)} as well")
        return sum(self.scores[name].f1 for name in CONLL_METRICS) / len(CONLL_METRICS)

    @property
    def has_conll(self) -> bool:
        """Whether the metrics of the CoNLL average are all here."""
        return all(name in self.scores for name in CONLL_METRICS)

    @property
    def settings(self) -> dict[str, str]:
        """All that the counts depend on besides key and response, by name: choices, data and the version."""
        data = {name: getattr(self, name) for name in DATA if getattr(self, name)}
        return self.protocol.choices | data | {"version": self.version}

    @property
    def signature(self) -> str:
        """The line to print with a score: all choices behind it."""
        return signature_of(self.settings)

    def where(self, chosen: Sequence[int]) -> Result:
        """Score some of the units only."""
        rows = np.asarray(chosen, np.int64)
        return replace(
            self,
            units=[self.units[row] for row in chosen],
            counts={name: counts[rows] for name, counts in self.counts.items()},
            notices=(),
            alignment={},
            key="",
            lengths=[self.lengths[row] for row in chosen] if self.lengths else (),
        )

    def by(self, labels: Sequence[str]) -> dict[str, Result]:
        """Score each group of units, given a label for each."""
        groups: dict[str, list[int]] = {}
        for row, label in enumerate(labels):
            groups.setdefault(label, []).append(row)
        return {label: self.where(groups[label]) for label in sorted(groups)}

    def to_dict(self, *, units: bool = True) -> dict[str, Any]:
        """Make a plain value for JSON: every numerator and denominator, and with `units` of each unit."""
        value: dict[str, Any] = {
            "schema": SCHEMA,
            "system": self.system,
            "signature": self.signature,
            "protocol": self.settings,
            "scores": {
                name: {"recall": s.recall, "precision": s.precision, "f1": s.f1, "counts": dict(s.counts)}
                for name, s in self.scores.items()
            },
        }
        if self.has_conll:
            value["conll"] = self.conll
        if self.key:
            value["key"] = self.key
        if self.notices:
            value["notices"] = list(self.notices)
        if self.failures:
            value["failures"] = [failure._asdict() for failure in self.failures]
        if self.alignment:
            value["alignment"] = dict(self.alignment)
        return value | self._units_to_dict() if units else value

    def _units_to_dict(self) -> dict[str, Any]:
        twice = [unit for unit, times in Counter(self.units).items() if times > 1]
        if twice:
            raise RefereeError(
                f"{self.system}: several units are named '{twice[0]}', and only one could be saved; "
                "give each a name of its own, or leave them out with units=False"
            )
        value: dict[str, Any] = {
            "columns": {name: list(CATALOGUE[name].columns) for name in self.counts},
            "units": {
                unit: {name: _plain(rows[i]) for name, rows in self.counts.items()}
                for i, unit in enumerate(self.units)
            },
        }
        if self.lengths:
            value["lengths"] = dict(zip(self.units, self.lengths, strict=True))
        return value

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Result:
        """Make a result of what `to_dict` wrote, units included."""
        value = checked.mapping(value, "it")
        if value.get("schema") != SCHEMA:
            raise FormatError(f"a result of schema {value.get('schema')}; this Referee reads schema {SCHEMA}")
        settings = _settings(value.get("protocol"))
        units = checked.mapping(value.get("units"), "units")
        columns = checked.mapping(value.get("columns"), "columns")
        if not units or not columns:
            raise FormatError("not a whole result: it has no units or no metrics; score again")
        lengths = checked.mapping(value["lengths"], "lengths") if "lengths" in value else {}
        if lengths and lengths.keys() != units.keys():
            raise FormatError("not a whole result: units and lengths do not have the same names; score again")
        data: dict[str, Any] = {name: settings.get(name, "") for name in DATA}
        try:
            protocol = Protocol(**{name: settings[name] for name in CHOICES if name in settings})
        except ProtocolError as error:
            raise FormatError(f"not a whole result: {error}; score again") from error
        return cls(
            checked.text(value.get("system"), "system"),
            list(units),
            {name: checked.count_rows(name, columns[name], units) for name in columns},
            protocol,
            checked.texts(value.get("notices", []), "notices"),
            key=checked.text(value.get("key", ""), "key"),
            lengths=[checked.length(lengths[unit], f"the length of {unit}") for unit in units if lengths],
            version=settings["version"],
            alignment=checked.mapping(value.get("alignment", {}), "alignment"),
            **data,
        )

    def log_dict(self) -> dict[str, float]:
        """Give all scores flat, as experiment trackers log them: names with slashes, floats alone.

        Returns:
            `{"muc/recall": …, "muc/precision": …, "muc/f1": …, …}` for each metric, and `"conll/f1"` if its
            three metrics are here; all between 0 and 1.

        >>> from referee import score
        >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], metric=["muc"]).log_dict()
        {'muc/recall': 1.0, 'muc/precision': 0.5, 'muc/f1': 0.6666666666666666}
        """
        logged = {
            f"{name}/{number}": float(getattr(score, number))
            for name, score in self.scores.items()
            for number in ("recall", "precision", "f1")
        }
        return logged | {"conll/f1": float(self.conll)} if self.has_conll else logged

    def to_frame(self, *, units: bool = False) -> pandas.DataFrame:
        """Make a pandas data frame: a row for each metric, or with `units` for each unit and metric.

        Columns are system, unit (if asked for, under the name of the protocol's scope: `document`), metric,
        recall, precision, f1, and every numerator and denominator. The CoNLL average has an F1 alone.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return pandas_frame(*self._unit_records()) if units else super().to_frame()

    def to_polars(self, *, units: bool = False) -> polars.DataFrame:
        """Make a polars data frame, as `to_frame` makes one of pandas.

        Raises:
            MissingExtra: polars is not installed.
        """
        return polars_frame(*self._unit_records()) if units else super().to_polars()

    def _unit_records(self) -> tuple[list[str], list[list[object]]]:
        heads, rows = import_module("referee.tables.scores").unit_records(self)
        return heads, rows


def _score(name: str, rows: FloatArray, counting: str) -> Score:
    totals = np.array([_exact_sum(column) for column in rows.T])
    recall, precision, f1 = CATALOGUE[name].scale_under(counting)(totals).tolist()
    return Score(recall, precision, f1, dict(zip(CATALOGUE[name].columns, _plain(totals), strict=True)))


def _exact_sum(column: FloatArray) -> float:
    """Add up without a list of all: there may be millions."""
    parts = range(0, column.size, AT_ONCE)
    return fsum(chain.from_iterable(column[first : first + AT_ONCE].tolist() for first in parts))


def _settings(value: object) -> dict[str, str]:
    """Read what `settings` gave."""
    settings = {name: checked.text(part, name) for name, part in checked.mapping(value, "protocol").items()}
    if "version" not in settings:
        raise FormatError("not a whole result: its protocol has no version; score again")
    unknown = settings.keys() - {*CHOICES, *DATA, "version"}
    if unknown:
        raise FormatError(
            f"made by Referee {settings['version']}, whose protocol says {min(unknown)}: {__version__} "
            "does not know that; score again"
        )
    return settings


def _plain(numbers: FloatArray) -> list[float]:
    """Write whole numbers as such."""
    return [int(number) if number.is_integer() else number for number in numbers.tolist()]


LARGEST = 2**53  # beyond it a double skips whole numbers
SMALLEST = 1e-100  # no metric counts in smaller parts, and what is divided by them overflows


def mapping(value: object, name: str) -> Mapping[str, Any]:
    """Read an object of JSON."""
    if not isinstance(value, Mapping) or not all(isinstance(part, str) for part in value):
        raise damaged(name, "an object", value)
    return value


def text(value: object, name: str) -> str:
    """Read a string."""
    if not isinstance(value, str):
        raise damaged(name, "a string", value)
    return value


def texts(value: object, name: str) -> list[str]:
    """Read a list of strings."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise damaged(name, "a list of strings", value)
    return [text(part, name) for part in value]


def count(value: object, name: str) -> float:
    """Read a count: not negative, and neither too small nor too large to add up."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise damaged(name, "a count", value)
    if value != 0 and not SMALLEST <= value < LARGEST:
        raise damaged(name, "a count", value)
    return value


def length(value: object, name: str) -> int:
    """Read a document's length; −1 is that of a document whose text is not known."""
    if isinstance(value, bool) or not isinstance(value, int) or not -LARGEST < value < LARGEST:
        raise damaged(name, "a whole number", value)
    return value


def count_rows(metric: str, columns: object, units: Mapping[str, Any]) -> FloatArray:
    """Read a metric's counts, a row for each unit."""
    if metric not in CATALOGUE:
        raise FormatError(f"metric '{metric}' is unknown; score again with one of {', '.join(CATALOGUE)}")
    expected = list(CATALOGUE[metric].columns)
    if texts(columns, f"the columns of {metric}") != expected:
        raise FormatError(f"the columns of {metric} are not {', '.join(expected)}; score again")
    return np.array([_row(metric, unit, units[unit], len(expected)) for unit in units], np.float64)


def _row(metric: str, unit: str, value: object, width: int) -> list[float]:
    name = f"{metric} of unit {unit}"
    row = mapping(value, f"unit {unit}").get(metric)
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != width:
        raise damaged(name, f"a list of {width} counts", row)
    return [count(part, name) for part in row]


def damaged(name: str, expected: str, value: object) -> FormatError:
    """Say what should be there."""
    shown = repr(value)
    shown = shown if len(shown) <= 40 else f"{shown[:40]}…"
    return FormatError(f"not a whole result: {name} must be {expected}, not {shown}; score again")
