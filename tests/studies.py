"""Studies and reports of responses that are given in a list, as many tests have them."""

from __future__ import annotations

from typing import Any

from referee.analysis.study import Study, study_of
from referee.page.gather import Report, report_of
from referee.scoring.task import Task

OF_TASK = ("names", "protocol", "parses", "groups", "jobs")


def _task(key: Any, responses: Any, settings: dict[str, Any]) -> Task:
    task = Task.of(key, responses, **{name: settings.pop(name) for name in OF_TASK if name in settings})
    return task.with_layers(settings.pop("layers", None), settings.pop("nlp", None))


def analyse(key: Any, responses: Any, **settings: Any) -> Study:
    return study_of(_task(key, responses, settings), **settings)


def report(key: Any, responses: Any, **settings: Any) -> Report:
    return report_of(_task(key, responses, settings), **settings)
