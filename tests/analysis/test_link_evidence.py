"""What would tell a link: the head alone, the arguments, other words, times."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.analysis.link_evidence import LinkEvidence
from referee.analysis.study import Study
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, DocumentCorpus, Mention
from studies import analyse

TEXTS = {"1": "Cheeks was fired Monday .", "2": "They fire O'Brien ; Cheeks was sacked today ."}


def corpus(clusters: Sequence[str]) -> DocumentCorpus:
    """Each cluster as document:word of its mentions."""
    documents = []
    for id_, words in TEXTS.items():
        own = [
            Cluster(
                str(number),
                tuple(Mention.at(int(at[2:]), int(at[2:]) + 1) for at in each.split() if at[0] == id_),
            )
            for number, each in enumerate(clusters)
        ]
        tokens = tuple(words.split())
        documents.append(
            Document.of(
                id_, tokens, ((0, len(tokens)),), [cluster for cluster in own if cluster.mentions], topic="t"
            )
        )
    return DocumentCorpus(documents, "made", cross_document=True)


def study(key: Sequence[str], response: Sequence[str]) -> Study:
    return analyse(corpus(key), corpus(response), protocol=Protocol(scope="topic"))


ALONE = ("1:0", "1:2", "1:3", "2:1", "2:4", "2:6", "2:7")


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (("1:0 2:4",), "head"),
        (("1:2 2:1",), "head"),  # fired, fire
        (("1:2 2:6", "2:1"), "other words"),  # fired, sacked
        (("1:3 2:7",), "times"),  # Monday, today
    ],
)
def test_missed_links(key: tuple[str, ...], told: str) -> None:
    made = study(key, ALONE)
    (error,) = made.systems[0].recall
    assert LinkEvidence(made).of(error) == told


def test_a_head_of_several_entities_needs_arguments() -> None:
    made = study(("1:2 2:6", "2:1 2:2"), ("1:2 2:1", "2:6", "2:2"))
    (wrong,) = made.systems[0].precision
    assert {wrong.anaphor.text, wrong.antecedent.text} == {"fired", "fire"}
    assert LinkEvidence(made).of(wrong) == "arguments"


def test_a_head_that_the_key_has_once_at_most_is_told_by_itself() -> None:
    made = study(("1:2 2:6",), ("1:2 2:1", "2:6"))
    assert LinkEvidence(made).of(made.systems[0].precision[0]) == "head"
