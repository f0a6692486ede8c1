"""What a report is made of, before any browser sees it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import referee
from made_corpora import Clusters, corpus, document
from open_page import PATHS
from referee.analysis.transformation_rules import CAUSES
from referee.analysis.transformations import CLASSES
from referee.model import Cluster, Document, DocumentCorpus, Mention, cut_text
from studies import report

KEY, ALPHA, BETA = PATHS


def data_of(key: DocumentCorpus, *responses: DocumentCorpus) -> dict[str, Any]:
    names = [chr(ord("a") + number) for number in range(len(responses))]
    return dict(report(key, responses, names=names).data)


def sample() -> dict[str, Any]:
    return dict(report(KEY, [ALPHA, BETA]).data)


def test_the_value_is_plain_json() -> None:
    data = sample()
    assert json.loads(json.dumps(data)) == data


def test_there_are_as_many_errors_as_muc_counts() -> None:
    data = sample()
    counted = Counter((error[0], error[1]) for doc in data["documents"] for error in doc["errors"])
    for system, path in enumerate((ALPHA, BETA)):
        counts = referee.score(KEY, path).muc.counts
        for side, name in enumerate(("recall", "precision")):
            assert counted[system, side] == counts[f"{name}_denominator"] - counts[f"{name}_numerator"] > 0


def test_scores_are_those_of_the_scorer() -> None:
    data = sample()
    result = referee.score(KEY, ALPHA)
    at = data["metrics"].index("B³")
    assert data["scores"][0]["values"][0][at][2] == pytest.approx(result.b_cubed.f1, abs=1e-6)
    assert data["scores"][0]["conll"][0] == pytest.approx(result.conll, abs=1e-6)
    by_document = [part.conll for part in result.by(result.units).values()]
    shown = [unit["scores"][0] for unit in sorted(data["units"], key=lambda unit: str(unit["label"]))]
    assert shown == pytest.approx(by_document, abs=1e-6)


def test_possible_errors_are_all_links_of_the_key_and_all_that_a_system_made() -> None:
    data = sample()
    counts = referee.score(KEY, BETA).muc.counts
    assert sum(count for *_, count in data["possible"]["recall"]) == counts["recall_denominator"]
    assert sum(count for *_, count in data["possible"]["precision"][1]) == counts["precision_denominator"]


def test_response_entities_have_the_number_of_the_key_entity_that_they_fit() -> None:
    key = corpus([[(0, 1), (2, 3), (4, 5)], [(1, 2), (3, 4)]])
    doc = data_of(key, corpus([[(1, 2), (3, 4)], [(0, 1), (2, 3)], [(4, 5), (6, 7)], [(8, 9)]]))["documents"][
        0
    ]
    by_first = {doc["mentions"][mentions[0]][0]: number for number, mentions in doc["responses"][0]}
    assert by_first == {0: 1, 1: 2, 4: 3, 8: 4}


CASES: dict[str, tuple[Clusters, Clusters, int]] = {
    "entity split": ([[(0, 1), (2, 3)]], [[(0, 1)], [(2, 3)]], 0),
    "mention missed": ([[(0, 1), (2, 3), (5, 6)]], [[(0, 1), (2, 3)]], 0),
    "entity missed": ([[(0, 1), (2, 3)]], [], 0),
    "entities merged": ([[(0, 1)], [(2, 3)]], [[(0, 1), (2, 3)]], 1),
    "mention invented": ([[(0, 1), (2, 3)]], [[(0, 1), (2, 3), (5, 6)]], 1),
    "entity invented": ([[(0, 1)]], [[(0, 1)], [(3, 4), (5, 6)]], 1),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_link_has_the_cause_of_what_is_wrong_with_it(kind: str) -> None:
    key, response, side = CASES[kind]
    data = data_of(corpus(key), corpus(response))
    ((_, found_side, found, anaphor, antecedent, *_),) = data["documents"][0]["errors"]
    assert (found_side, data["kinds"][found]) == (side, kind)
    assert anaphor > antecedent


def test_wrong_boundaries_make_errors_of_both_sides() -> None:
    data = data_of(corpus([[(0, 1), (2, 4)]]), corpus([[(0, 1), (3, 4)]]))
    assert [data["kinds"][kind] for _, _, kind, *_ in data["documents"][0]["errors"]] == ["boundary"] * 2
    assert data["gains"][0][data["kinds"].index("boundary")] == pytest.approx(
        1 - referee.score([["a", "b"]], [["a", "c"]]).conll
    )


def test_every_cause_has_a_case_and_a_name_of_its_own() -> None:
    assert {*CASES, "boundary"} == set(CAUSES.values())
    assert list(CAUSES) == list(CLASSES)
    assert not set(CAUSES.values()) & set(CLASSES)


def test_types_come_from_parts_of_speech_or_are_untyped() -> None:
    tags = "NNP VBD PRP DT NN . X X X X"
    typed = data_of(corpus([[(0, 1), (2, 3), (3, 5)]], pos=tags), corpus([]))
    assert [typed["types"][t] for t in typed["documents"][0]["types"]] == ["name", "pronoun", "noun"]
    untyped = data_of(corpus([[(0, 1), (2, 3)]]), corpus([]))
    assert untyped["types"] == ["untyped"]
    assert any("untyped" in notice for notice in untyped["notices"])


def test_an_error_says_what_its_mentions_have_in_common() -> None:
    words, tags = (
        "the National Hockey League met ; NHL players of the League",
        "DT NNP NNP NNP VBD : NNP NNS IN DT NNP",
    )
    data = data_of(corpus([[(0, 4), (6, 7), (9, 11)]], words=words, pos=tags), corpus([]))
    found = [
        (data["overlaps"][overlap], [data["hints"][hint] for hint in hints])
        for *_, overlap, hints in ((*error[:7], error[7:]) for error in data["documents"][0]["errors"])
    ]
    assert found == [("acronym", ["acronym"]), ("none", [])]


def test_a_missing_document_is_an_empty_one() -> None:
    other = DocumentCorpus([Document.of("other", ("a",), ((0, 1),), ())], "other")
    key = DocumentCorpus([document([[(0, 1), (2, 3)]]), *other.documents], "key")
    data = data_of(key, other)
    assert data["documents"][0]["responses"] == [[]]
    assert len(data["documents"][0]["errors"]) == 1
    assert any("missing" in notice for notice in data["notices"])


def test_a_running_text_is_cut_at_every_mention_of_any_side() -> None:
    def running(*spans: tuple[int, int]) -> DocumentCorpus:
        cluster = Cluster("0", tuple(Mention.at(*span) for span in spans))
        return DocumentCorpus([cut_text("d", "Anna's dog saw her.", [cluster])], "running")

    doc = data_of(running((0, 4), (15, 18)), running((0, 6), (15, 18)))["documents"][0]
    tokens = doc["tokens"].split("\n")
    texts = ["".join(tokens[start:end]) for start, end in doc["mentions"]]
    assert texts == ["Anna", "Anna's", "her"]


def test_turns_of_speakers_are_kept_where_there_are_any() -> None:
    spoken = data_of(corpus([[(0, 1), (2, 3)]], speaker="X X Y Y Y X X - - -"), corpus([]))["documents"][0]
    assert spoken["speakers"] == [[0, "X"], [2, "Y"], [5, "X"], [7, "-"]]
    silent = data_of(corpus([[(0, 1), (2, 3)]], speaker="- - - - - - - - - -"), corpus([]))["documents"][0]
    assert silent["speakers"] == []


def test_a_token_may_be_a_line_break() -> None:
    made = Document.of(
        "d", ("a", "\n", "b\nc"), ((0, 3),), (Cluster("0", (Mention.at(0, 1), Mention.at(2, 3))),)
    )
    doc = data_of(DocumentCorpus([made]), corpus([]))["documents"][0]
    assert doc["tokens"].split("\n") == ["a", " ", "b c"]


def test_broken_mentions_keep_their_spans() -> None:
    broken = Mention(((0, 1), (3, 5)))
    made = Document.of("d", tuple("abcdef"), ((0, 6),), (Cluster("0", (broken, Mention.at(5, 6))),))
    doc = data_of(DocumentCorpus([made]), corpus([]))["documents"][0]
    assert doc["mentions"] == [[0, 1, 3, 5], [5, 6]]
