"""Coreference scores for Hugging Face evaluate; it needs no network.

evaluate copies this file and imports the copy, so that it imports the rest of Referee by its full name.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

import referee

DESCRIPTION = """\
MUC, B³, CEAFm, CEAFe, BLANC, LEA, mention detection and the CoNLL average, as the reference scorer of the
CoNLL-2012 shared task counts them."""
CITATION = (
    "Pradhan et al. (2014), Scoring coreference partitions of predicted mentions: a reference implementation"
)
INPUTS = """\
Args:
    predictions: For each document the clusters that were found, each a list of mentions [start, end], the
        end excluded.
    references: For each document the key's clusters, likewise.
    protocol: A preset or a signature; `conll` unless given.
Returns:
    Recall, precision and F1 of each metric under flat names, `muc/f1` and so on, between 0 and 1, and
    `conll/f1`.
Examples:
    >>> coreference = evaluate.load(referee.adaptors.COREFERENCE)
    >>> coreference.compute(predictions=[[[[0, 1], [4, 5]]]], references=[[[[0, 1], [4, 5]]]])["conll/f1"]
    1.0
"""


class Coreference(evaluate.Metric):
    """Scores clusters of mentions, document by document."""

    def _info(self) -> evaluate.MetricInfo:
        offset = datasets.Value("int64")
        clusters = datasets.Sequence(datasets.Sequence(datasets.Sequence(offset)))
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": clusters, "references": clusters}),
            homepage="https://github.com/referee-coref/referee",
        )

    def _compute(self, predictions: Any, references: Any, protocol: str = "conll") -> dict[str, float]:
        scorer = referee.Scorer(protocol=protocol)
        for response, key in zip(predictions, references, strict=True):
            scorer.update(key, response)
        return scorer.compute().log_dict()
