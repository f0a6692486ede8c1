"""Disagreements in the kinds that errors have: between two annotators, and of each with what was merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.analysis.study import Study, study_of
from referee.analysis.transformations import CLASSES, count_transformations
from referee.curation.texts import Sides
from referee.matching.protocol import Protocol
from referee.model import Document, DocumentCorpus
from referee.scoring.evaluate import Progress
from referee.scoring.task import Task

KINDS = CLASSES
MERGED = "merged"
Counts = Mapping[tuple[str, str], Mapping[str, int]]  # whom to change, to what → steps of each kind


def against(
    key: Sequence[Document], texts: Sequence[Sides], names: Sequence[str], protocol: Protocol, called: str
) -> Study:
    """Compare annotators with one of them, or with the merged documents, as errors of systems are found."""
    responses = [DocumentCorpus([each.by[name] for each in texts], name) for name in names]
    return study_of(Task.of(DocumentCorpus(key, called), responses, names=names, protocol=protocol))


def counted_pairs(
    texts: Sequence[Sides], names: Sequence[str], protocol: Protocol, progress: Progress
) -> Counts:
    """Count the steps from the second annotator of each pair to the first, by kind."""
    found: dict[tuple[str, str], Mapping[str, int]] = {}
    for number, name in enumerate(names[:-1]):
        others = names[number + 1 :]
        study = against([each.by[name] for each in texts], texts, others, protocol, name)
        found |= {(each.name, name): count_transformations(study, each) for each in study.systems}
        progress(len(others))
    return found


def counted_merged(study: Study) -> Counts:
    """Count the steps from each annotator to the merged documents, by kind."""
    return {(each.name, MERGED): count_transformations(study, each) for each in study.systems}
