"""Finds the documents that keep a task from being scored, so that the others can be.

A key's document that cannot be read is not scored. A response's is scored as empty, as a missing one is, so
that all systems are scored on the same documents. It is looked for only after scoring has failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.exceptions import FormatError
from referee.formats.failures import Failures, failure_of, is_of_the_run
from referee.matching.aligned import Aligned
from referee.model import Corpus, SelectedDocuments
from referee.scoring.task import Task

NOT_SCORED, EMPTY = "it is not scored", "it is scored as empty"


def without_unreadable(task: Task, failures: Failures, error: FormatError) -> Task:
    """Leave out of a task what cannot be read; an error that does not go away in this way is raised again."""
    if failures.strict or task.protocol.strict or is_of_the_run(error):
        raise error
    before = len(failures.found)
    responses = [_readable(response, failures, EMPTY) for response in task.responses]
    key = _readable(task.key, failures, NOT_SCORED)
    whole = [(task.key, key), *zip(task.responses, responses, strict=True)]
    if any(len(given) and not len(left) for given, left in whole):  # nothing of a file is left: it is refused
        del failures.found[before:]
        raise error
    cleared = replace(task, key=key, responses=responses)
    if task.protocol.scope == "document":
        faulty = {number for aligned in cleared.aligned() for number in _faulty_units(aligned, failures)}
        cleared = replace(cleared, key=_chosen(key, [n for n in range(len(key)) if n not in faulty]))
    if len(failures.found) == before or not len(cleared.key):
        del failures.found[before:]
        raise error
    return cleared


def _readable(corpus: Corpus, failures: Failures, consequence: str) -> Corpus:
    numbers = []
    for number in range(len(corpus)):
        try:
            corpus.chains([number])
        except FormatError as error:
            _note(failures, corpus.location(number), error, consequence)
        else:
            numbers.append(number)
    return _chosen(corpus, numbers)


def _chosen(corpus: Corpus, numbers: Sequence[int]) -> Corpus:
    if len(numbers) == len(corpus):
        return corpus
    return SelectedDocuments(corpus, numbers, [corpus.ids[number] for number in numbers])


def _faulty_units(aligned: Aligned, failures: Failures) -> Iterator[int]:
    """List the key's documents that cannot be brought together with their responses."""
    for unit in range(len(aligned.units)):
        try:
            aligned.read(range(unit, unit + 1))
        except FormatError as error:
            number = aligned.units[unit].pairs[0][0]
            _note(failures, aligned.key.location(number), error, NOT_SCORED)
            yield number


def _note(failures: Failures, where: str, error: FormatError, consequence: str) -> None:
    failure = failure_of(where, error)
    failures.found.append(failure._replace(reason=f"{failure.reason}; {consequence}"))
