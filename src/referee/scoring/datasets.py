"""Scores many data sets at one go: each key against the response of the same name, and the mean over all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.failures import Failures, refuse_if_none_is_left
from referee.formats.io.opening import stem
from referee.matching.protocol import Protocol
from referee.scoring.evaluate import Bar, evaluate, metric_names, no_bar
from referee.scoring.result import Result
from referee.scoring.task import Task, system_names

SHOWN = 3  # names of missing files that are shown
ZEROS = "zeros"  # the metric of words that are not written


@dataclass(frozen=True, slots=True)
class DataSets:
    """The results of one system on several data sets, by their names."""

    system: str
    results: Mapping[str, Result]

    def mean(self, metric: str, number: str) -> float:
        """Average a metric's recall, precision or F1 over data sets, each with the same weight.

        A data set of which neither key nor response has words that are not written says nothing of zeros.
        """
        names = self.with_zeros if metric == ZEROS else list(self.results)
        values: list[float] = [getattr(self.results[name].scores[metric], number) for name in names]
        return sum(values) / max(1, len(values))

    @property
    def with_zeros(self) -> list[str]:
        """Name the data sets that have zeros, in the key or in the response."""
        counted = {name: result.scores[ZEROS].counts for name, result in self.results.items()}
        sides = ("recall_denominator", "precision_denominator")
        return [name for name, counts in counted.items() if any(counts[side] for side in sides)]

    @property
    def conll(self) -> float:
        """The shared task's figure: the mean of the CoNLL average over data sets."""
        return sum(result.conll for result in self.results.values()) / len(self.results)

    @property
    def has_conll(self) -> bool:
        """Whether every data set has the metrics of the CoNLL average."""
        return all(result.has_conll for result in self.results.values())


def score_datasets(
    keys: Sequence[str],
    folders: Sequence[str],
    opened: Callable[[str, Sequence[str]], Task],
    metrics: Sequence[str] = (),
    failures: Failures | None = None,
    *,
    bar: Bar = no_bar,
) -> list[DataSets]:
    """Score each key against its response in each folder; the folders are systems.

    `opened` makes the task of a key and its responses, when its turn comes. All keys are scored by the first
    one's protocol: a mean over several would say nothing. A data set that cannot be scored for all systems is
    left out for all, and goes to `failures`, if given.
    """
    failures = failures or Failures(strict=True)
    found = [matching_files(keys, folder) for folder in folders]
    results: list[dict[str, Result]] = [{} for _ in folders]
    protocol: Protocol | None = None
    for key, name in zip(keys, system_names(keys), strict=True):
        files = [responses[key] for responses in found]
        try:
            task = replace(opened(key, files), systems=[system_names([file])[0] for file in files])
            task = task.under(protocol := protocol or task.protocol)
            scored = _evaluated(task, metric_names(metrics, protocol), failures, bar)
        except FormatError as error:
            failures.add(key, error)
            continue
        for of_system, result in zip(results, scored, strict=True):
            of_system[name] = result
    refuse_if_none_is_left(len(results[0]), failures.found)
    return [DataSets(*each) for each in zip(_folder_names(folders), results, strict=True)]


def _evaluated(task: Task, metrics: Sequence[str], failures: Failures, bar: Bar) -> list[Result]:
    """Score a data set, without documents that cannot be read."""
    with bar(len(task.key) * len(task.responses), "scoring") as advance:
        try:
            return evaluate(task, metrics, progress=advance)
        except FormatError as error:
            from referee.scoring.unreadable import without_unreadable  # few data sets need it

            return evaluate(without_unreadable(task, failures, error), metrics)


def matching_files(keys: Sequence[str], folder: str) -> dict[str, str]:
    """Find the response to each key in a folder: by its file name, or that in another format."""
    if not Path(folder).is_dir():
        raise FormatError(f"{folder}: no such folder; give one with a response for each key")
    files = sorted(file for file in Path(folder).iterdir() if file.is_file())
    by_name = {file.name: str(file) for file in files}
    by_stem: dict[str, list[str]] = {}
    for file in files:
        by_stem.setdefault(stem(file.name), []).append(str(file))
    responses: dict[str, str] = {}
    missing: list[str] = []
    for key in keys:
        alike = by_stem.get(stem(key), [])
        if Path(key).name in by_name:
            responses[key] = by_name[Path(key).name]
        elif len(alike) == 1:
            responses[key] = alike[0]
        elif alike:
            raise FormatError(f"{folder}: {', '.join(alike)} could all be the response to {key}; keep one")
        else:
            missing.append(key)
    if missing:
        more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
        raise FormatError(
            f"{folder}: no response to {len(missing)} of {len(keys)} keys: {', '.join(missing[:SHOWN])}"
            f"{more}; a response has the file name of its key, or the same name with another ending"
        )
    return responses


def _folder_names(folders: Sequence[str]) -> list[str]:
    short = [Path(folder).name or folder for folder in folders]
    return short if len(set(short)) == len(short) else list(folders)
