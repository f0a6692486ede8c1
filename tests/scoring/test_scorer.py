"""Scoring from Python, and the result."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import referee
from referee import Document, RefereeError

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, RESPONSE = [["a", "b", "c"], ["d", "e", "f", "g"]], [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_clusters_documents_corpora_and_paths_score_alike() -> None:
    paths = SAMPLE / "key.conll", SAMPLE / "alpha.conll"
    corpora = [referee.read(path) for path in paths]
    documents: list[list[Document]] = [list(corpus) for corpus in corpora]
    scorer = referee.Scorer()
    for key, response in zip(*documents, strict=True):
        scorer.update(*([c.mentions for c in d.clusters] for d in (key, response)), name=key.id)
    expected = referee.score(*paths).to_dict()["units"]
    assert referee.score(str(paths[0]), str(paths[1])).to_dict()["units"] == expected
    assert referee.score(*corpora).to_dict()["units"] == expected
    assert referee.score(*documents).to_dict()["units"] == expected
    assert scorer.result().to_dict()["units"] == expected


def test_one_document() -> None:
    document = referee.read(SAMPLE / "key.conll").document(0)
    assert referee.score(document, document).b_cubed.f1 == 1


def test_mixed_kinds_are_refused() -> None:
    with pytest.raises(RefereeError, match="of one kind"):
        referee.score(SAMPLE / "key.conll", RESPONSE)


def test_a_string_is_not_a_list_of_clusters() -> None:
    with pytest.raises(RefereeError, match="not a string"):
        referee.Scorer().update("abc", [["a"]])


def test_results_can_be_asked_for_again_and_again() -> None:
    scorer = referee.Scorer()
    scorer.update(KEY, KEY)
    assert scorer.result().conll == 1
    scorer.update(KEY, [])
    assert len(scorer.result().units) == 2
    assert scorer.result().b_cubed.recall == 0.5


def test_an_empty_scorer_says_what_to_do() -> None:
    with pytest.raises(RefereeError, match="call update"):
        referee.Scorer().result()


def test_a_scorer_can_be_reset() -> None:
    scorer = referee.Scorer()
    scorer.update(KEY, [])
    scorer.reset()
    scorer.update(KEY, KEY)
    assert scorer.result().conll == 1


def test_empty_clusters_do_not_count() -> None:
    assert referee.score([*KEY, []], [*KEY, [], []]).ceaf_e.f1 == 1


def test_the_result_shows_itself() -> None:
    result = referee.score(KEY, RESPONSE)
    assert "MUC          R  40.00  P  40.00  F1  40.00" in repr(result)
    assert result.signature in repr(result)
    html = result._repr_html_()
    assert "<td>36.76</td>" in html
    assert html.count("<tr>") == 9
    assert result.muc.counts["recall_numerator"] == 2
    with pytest.raises(AttributeError, match="no score 'rouge'; this result has mentions, muc"):
        _ = result.rouge


def test_html_is_escaped() -> None:
    scorer = referee.Scorer(name="<script>alert(1)</script>")
    scorer.update(KEY, RESPONSE)
    assert "<script>" not in scorer.result()._repr_html_()


def test_the_result_is_a_plain_value() -> None:
    value = json.loads(json.dumps(referee.score(KEY, RESPONSE).to_dict()))
    assert value["scores"]["blanc"]["counts"]["apart_precision_denominator"] == 20
    assert value["units"]["1"]["b_cubed"] == [pytest.approx(35 / 12), 7, 4, 8]
    assert value["protocol"]["version"] == referee.__version__


def test_the_conll_average_needs_its_metrics() -> None:
    result = referee.score(KEY, RESPONSE, metrics=["muc"])
    assert not result.has_conll
    with pytest.raises(RefereeError, match="needs b_cubed, ceaf_e"):
        _ = result.conll


def test_groups_add_up() -> None:
    result = referee.score(SAMPLE / "key.conll", SAMPLE / "beta.conll")
    parts = result.by(["x", "y"])
    for name, score in result.scores.items():
        columns = zip(*(part.scores[name].counts.values() for part in parts.values()), strict=True)
        assert [sum(column) for column in columns] == pytest.approx(list(score.counts.values()))


def test_to_frame() -> None:
    pytest.importorskip("pandas")
    frame = referee.score(KEY, RESPONSE).to_frame()
    assert frame.loc["B³", "precision"] == 0.5
    assert list(frame.columns) == ["recall", "precision", "f1"]


def test_to_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RefereeError, match="pip install 'referee-coref\\[pandas\\]'"):
        referee.score(KEY, RESPONSE).to_frame()
