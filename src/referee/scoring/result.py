"""The result of scoring one response: counts per unit, and all that follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from referee import __version__
from referee.arrays import FloatArray
from referee.exceptions import FormatError, MissingExtra, ProtocolError
from referee.matching.protocol import CHOICES, Protocol
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.standard import CONLL_METRICS

if TYPE_CHECKING:
    import pandas

SCHEMA = 1  # of the JSON form; a change that breaks readers raises it


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1, between 0 and 1, and the counts that they come from."""

    recall: float
    precision: float
    f1: float
    counts: Mapping[str, float]


@dataclass(frozen=True, repr=False)
class Result:
    """Scores of one response under one protocol. Metrics are attributes: `result.muc.f1`."""

    system: str
    units: Sequence[str]
    counts: Mapping[str, FloatArray]  # metric → one row of counts per unit
    protocol: Protocol
    notices: Sequence[str] = ()
    key: str = ""  # a name for the key, the same for the same clusters; empty if it is not known
    lengths: Sequence[int] = ()  # of each unit's documents together, if they are known
    version: str = __version__  # of the Referee that counted
    scores: Mapping[str, Score] = field(init=False)

    def __post_init__(self) -> None:
        """Add up the units. Sums are exactly rounded, so the order of documents changes no digit."""
        object.__setattr__(self, "scores", {name: _score(name, rows) for name, rows in self.counts.items()})

    def __getattr__(self, name: str) -> Score:
        """Find a metric's score."""
        if name in CATALOGUE and name in self.scores:
            return self.scores[name]
        raise AttributeError(f"no score '{name}'; this result has {', '.join(self.counts)}")

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
    def signature(self) -> str:
        """The line to print beside a score."""
        return self.protocol.signature.rsplit("|", 1)[0] + f"|version:{self.version}"

    def where(self, chosen: Sequence[int]) -> Result:
        """Score some of the units only."""
        rows = np.asarray(chosen, np.int64)
        return Result(
            self.system,
            [self.units[row] for row in chosen],
            {name: counts[rows] for name, counts in self.counts.items()},
            self.protocol,
            lengths=[self.lengths[row] for row in chosen] if self.lengths else (),
            version=self.version,
        )

    def by(self, labels: Sequence[str]) -> dict[str, Result]:
        """Score groups of units apart, given a label for each."""
        groups: dict[str, list[int]] = {}
        for row, label in enumerate(labels):
            groups.setdefault(label, []).append(row)
        return {label: self.where(groups[label]) for label in sorted(groups)}

    def to_dict(self, *, units: bool = True) -> dict[str, Any]:
        """Make a plain value for JSON: every numerator and denominator, of each unit too unless told not."""
        value: dict[str, Any] = {
            "schema": SCHEMA,
            "system": self.system,
            "signature": self.signature,
            "protocol": dict(part.split(":", 1) for part in self.signature.split("|")),
            "scores": {
                name: {"recall": s.recall, "precision": s.precision, "f1": s.f1, "counts": dict(s.counts)}
                for name, s in self.scores.items()
            },
        }
        if self.has_conll:
            value["conll"] = self.conll
        if self.key:
            value["key"] = self.key
        if units:
            value["columns"] = {name: list(CATALOGUE[name].columns) for name in self.counts}
            value["units"] = {
                unit: {name: _plain(rows[i]) for name, rows in self.counts.items()}
                for i, unit in enumerate(self.units)
            }
        if units and self.lengths:
            value["lengths"] = dict(zip(self.units, self.lengths, strict=True))
        return value

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Result:
        """Make a result of what `to_dict` wrote, units included."""
        if value.get("schema") != SCHEMA:
            raise FormatError(f"a result of schema {value.get('schema')}; this Referee reads schema {SCHEMA}")
        try:
            units = list(value["units"])
            choices = dict(value["protocol"])
            version = choices.pop("version")
            unknown = choices.keys() - CHOICES.keys()
            if unknown:
                raise FormatError(
                    f"made by Referee {version}, whose protocol says {min(unknown)}: {__version__} "
                    "does not know that; score again"
                )
            return cls(
                value["system"],
                units,
                {name: _rows(name, columns, value["units"]) for name, columns in value["columns"].items()},
                Protocol(**choices),
                key=value.get("key", ""),
                lengths=[value["lengths"][unit] for unit in units] if "lengths" in value else (),
                version=version,
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"not a whole result, as score --format json writes it: {error!r}") from error

    def to_frame(self) -> pandas.DataFrame:
        """Make a pandas table: a row per metric."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("pandas", "pandas") from error
        rows = {
            CATALOGUE[name].label: {"recall": s.recall, "precision": s.precision, "f1": s.f1}
            for name, s in self.scores.items()
        }
        return pandas.DataFrame.from_dict(rows, orient="index")

    def __repr__(self) -> str:
        """Show the scores as people read them."""
        lines = [f"{self.system}: {len(self.units)} unit{'s' * (len(self.units) != 1)}"]
        for name, s in self.scores.items():
            numbers = (f"{100 * value:6.2f}" for value in (s.recall, s.precision, s.f1))
            lines.append(
                f"  {CATALOGUE[name].label:<12} R {next(numbers)}  P {next(numbers)}  F1 {next(numbers)}"
            )
        if self.has_conll:
            lines.append(f"  {'CoNLL':<32}F1 {100 * self.conll:6.2f}")
        return "\n".join([*lines, f"  {self.signature}"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{CATALOGUE[name].label}</th>"
            + "".join(f"<td>{100 * value:.2f}</td>" for value in (s.recall, s.precision, s.f1))
            + "</tr>"
            for name, s in self.scores.items()
        )
        if self.has_conll:
            rows += f"<tr><th>CoNLL</th><td></td><td></td><td><b>{100 * self.conll:.2f}</b></td></tr>"
        return (
            f"<table><caption>{escape(self.system)}</caption>"
            "<thead><tr><th></th><th>Recall</th><th>Precision</th><th>F1</th></tr></thead>"
            f"<tbody>{rows}</tbody></table><small>{escape(self.signature)}</small>"
        )


def _score(name: str, rows: FloatArray) -> Score:
    totals = np.array([fsum(column) for column in rows.T.tolist()])
    recall, precision, f1 = CATALOGUE[name].scale(totals).tolist()
    return Score(recall, precision, f1, dict(zip(CATALOGUE[name].columns, _plain(totals), strict=True)))


def _rows(name: str, columns: Sequence[str], units: Mapping[str, Any]) -> FloatArray:
    """Read a metric's counts back."""
    if name not in CATALOGUE or list(columns) != list(CATALOGUE[name].columns):
        raise ValueError(f"metric {name} is unknown, or its columns are")
    return np.array([unit[name] for unit in units.values()], np.float64).reshape(len(units), len(columns))


def _plain(numbers: FloatArray) -> list[float]:
    """Write whole numbers as such."""
    return [int(number) if number.is_integer() else number for number in numbers.tolist()]
