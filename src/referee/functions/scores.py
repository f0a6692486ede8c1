"""What `score` returns where there is more than one result: the results, and what was made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from referee.display import Rows
from referee.exceptions import RefereeError, did_you_mean
from referee.formats.failures import Failure
from referee.scoring.datasets import DataSets
from referee.scoring.result import Result
from referee.tables.rendering import Output, data_of
from referee.tables.scores import Parts, dataset_output, joined_notices, ranked_output, score_output

if TYPE_CHECKING:
    from referee.comparing.verdicts import Plan
    from referee.crossdoc.levels import Level
    from referee.tables.intervals import Estimate, Intervals


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Rows):
    """The results of several systems, in order; also by matching, group, scope or data set where asked for.

    Attributes:
        key: The key's name.
        results: A result for each system, and for each scope or matching where there are several.
        groups: For each system its results by group of units or kind of mentions, if `by` was given.
        estimates: Results with intervals, if `ci` was given.
        levels: Results with links within and across documents, if units are more than documents.
        data_sets: For each system its results by data set, if `response` was given.
        failures: Documents and data sets that could not be read.
        kinds: What groups are called if they are kinds of mentions and not of units.

    Examples:
        >>> import referee
        >>> key = [["Ann", "she"], ["Bo", "he"]]
        >>> scores = referee.score(key, key, [["Ann", "he"]], names=["good", "bad"])
        >>> [result.system for result in scores]
        ['good', 'bad']
        >>> scores["good"].muc.f1
        1.0
    """

    _output = "rendering:own_output"

    key: str
    results: Sequence[Result]
    by: str = ""
    groups: Sequence[Parts] | None = None
    estimates: Sequence[Estimate] = ()
    plan: Plan | None = None
    by_match: Mapping[str, Sequence[Result]] = field(default_factory=dict)
    levels: Sequence[Level] = ()
    data_sets: Sequence[DataSets] = ()
    macro: bool = False
    cautions: Sequence[str] = ()
    failures: Sequence[Failure] = ()
    kinds: str = ""

    def __len__(self) -> int:
        """Count the results."""
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        """Go through the results in order."""
        return iter(self.results)

    def __getitem__(self, system: str | int) -> Result:
        """Take a system's result, by its name or number."""
        if isinstance(system, int):
            return self.results[system]
        found = [result for result in self.results if result.system == system]
        if not found:
            near = did_you_mean(system, self.systems)
            raise RefereeError(f"no system '{system}'; there are {', '.join(self.systems)}{near}")
        return found[0]

    @property
    def systems(self) -> list[str]:
        """The systems' names."""
        return list(dict.fromkeys(result.system for result in self.results))

    @property
    def intervals(self) -> Mapping[str, Intervals]:
        """System → measure → the intervals of recall, precision and F1, if `ci` was given without `by`."""
        return {each.system: each.intervals for each in self.estimates if not each.group}

    @property
    def notices(self) -> list[str]:
        """What should be known about the input, each once."""
        return [*joined_notices(self.results), *self.cautions]

    @property
    def output(self) -> Output:
        """What the command prints, in each of its formats."""
        if not self.failures:
            return self._scores_output
        scores, failures = self._scores_output, [failure._asdict() for failure in self.failures]
        return replace(scores, data=lambda: {**dict(scores.data()), "failures": failures})

    @property
    def _scores_output(self) -> Output:
        if self.data_sets:
            return dataset_output(self.data_sets, macro=self.macro)
        if self.levels:
            from referee.tables.crossdoc import level_output  # when needed, as the other below

            return level_output(self.key, self.levels)
        if self.by_match:
            return ranked_output(self.key, list(self.by_match.values()))
        if self.kinds and self.groups:
            from referee.tables.kinds import kinds_output

            return kinds_output(self.key, self.results, self.groups, self.kinds, self.estimates, self.plan)
        if self.plan:
            from referee.tables.intervals import interval_output

            return interval_output(
                self.key, self.results, self.groups, self.by.capitalize(), self.estimates, self.plan
            )
        return score_output(self.key, self.results, self.groups, self.by.capitalize())

    def to_dict(self) -> Any:
        """Make a plain value for JSON, as `referee score --format json` prints it.

        Returns:
            Dictionaries, lists, strings and numbers.
        """
        return data_of(self.output)
