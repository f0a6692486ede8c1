"""Link errors: the paper's example, and the counts that MUC must agree with, on any partitions."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.analysis.links import LinkError
from referee.analysis.mention_types import Described
from referee.analysis.study import analyse
from referee.analysis.trees import TREES
from referee.model import Cluster, Document, DocumentCorpus, Mention

LENGTH = 12
OBAMA, HE, PRESIDENT, HIS = Mention.at(0, 1), Mention.at(2, 3), Mention.at(4, 6), Mention.at(7, 8)
SPURIOUS = Mention.at(3, 4), Mention.at(6, 7)
WORDS = ("Obama", "says", "he", "is", "the", "president", "and", "his", "term", "ends")
TAGS = ("NNP", "VBZ", "PRP", "VBZ", "DT", "NN", "CC", "PRP$", "NN", "VBZ")


def document(clusters: Sequence[Sequence[Mention]], id_: str = "d") -> Document:
    named = tuple(Cluster(str(number), tuple(mentions)) for number, mentions in enumerate(clusters))
    return Document(id_, tuple("w" * LENGTH), ((0, LENGTH),), named)


def obama(clusters: Sequence[Sequence[Mention]]) -> DocumentCorpus:
    named = tuple(Cluster(str(number), tuple(mentions)) for number, mentions in enumerate(clusters))
    return DocumentCorpus([Document("obama", WORDS, ((0, 10),), named, {"pos": TAGS})])


def texts(errors: Sequence[LinkError]) -> list[tuple[str, str]]:
    return [(error.anaphor.text, error.antecedent.text) for error in errors]


@pytest.mark.parametrize(
    ("tree", "error"),
    [("distance", ("the president", "he")), ("accessibility", ("the president", "Obama"))],
)
def test_obama_example_of_sections_2_and_3(tree: str, error: tuple[str, str]) -> None:
    key = obama([[OBAMA, HE, PRESIDENT, HIS]])
    response = obama([[OBAMA, HE], [PRESIDENT, HIS, SPURIOUS[0]], [SPURIOUS[1]]])
    study = analyse(key, [response], tree=tree)
    assert texts(study.systems[0].recall) == [error]
    assert len(study.maximum) == 3


def test_an_error_says_all_about_itself() -> None:
    key = obama([[OBAMA, HE, PRESIDENT, HIS]])
    (error,) = analyse(key, [obama([[OBAMA, HE], [PRESIDENT, HIS]])], names=["mine"]).systems[0].recall
    assert (error.document, error.side, error.system, error.entity) == ("obama", "recall", "mine", 0)
    assert error.types == ("noun", "name")
    assert error.anaphor.head_word == "president"


mentions = st.builds(
    lambda start, size: Mention.at(start, min(start + size, LENGTH)),
    st.integers(0, LENGTH - 1), st.integers(1, 3),
)  # fmt: skip
# Mentions recur within and between clusters: the reference scorer has rules for that, and so have we.
partitions = st.lists(st.lists(mentions, min_size=1, max_size=6), max_size=4)
corpora = st.lists(st.tuples(partitions, partitions), min_size=1, max_size=3)


def sides(
    drawn: list[tuple[list[list[Mention]], list[list[Mention]]]],
) -> tuple[DocumentCorpus, DocumentCorpus]:
    keys = [document(key, f"d{number}") for number, (key, _) in enumerate(drawn)]
    responses = [document(response, f"d{number}") for number, (_, response) in enumerate(drawn)]
    return DocumentCorpus(keys), DocumentCorpus(responses)


def last_is_first(entity: Sequence[Described]) -> list[int]:
    return [0] * (len(entity) - 1)


@pytest.mark.parametrize("tree", [*TREES.values(), last_is_first])
@given(corpora)
def test_errors_are_what_muc_misses(tree, drawn) -> None:  # type: ignore[no-untyped-def]
    key, response = sides(drawn)
    counts = referee.score(key, response, metrics=["muc"]).muc.counts
    study = analyse(key, [response], tree=tree)
    (system,) = study.systems
    assert len(system.recall) == counts["recall_denominator"] - counts["recall_numerator"]
    assert len(system.precision) == counts["precision_denominator"] - counts["precision_numerator"]
    assert len(study.maximum) == counts["recall_denominator"]
    assert sum(system.decisions.values()) == counts["precision_denominator"]
