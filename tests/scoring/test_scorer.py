"""Scoring from Python, and the result."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee import Document, RefereeError, Result
from strategies import clusters_with_repeats

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
    assert scorer.compute().to_dict()["units"] == expected


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
    assert scorer.compute().conll == 1
    scorer.update(KEY, [])
    assert len(scorer.compute().units) == 2
    assert scorer.compute().b_cubed.recall == 0.5


def test_an_empty_scorer_says_what_to_do() -> None:
    with pytest.raises(RefereeError, match="call update"):
        referee.Scorer().compute()


def test_a_scorer_can_be_reset() -> None:
    scorer = referee.Scorer()
    scorer.update(KEY, [])
    scorer.reset()
    scorer.update(KEY, KEY)
    assert scorer.compute().conll == 1


def test_a_name_is_given_once() -> None:
    scorer = referee.Scorer()
    scorer.update(KEY, RESPONSE, name="nw/a")
    with pytest.raises(RefereeError, match="a unit named 'nw/a' has been scored already"):
        scorer.update(KEY, KEY, name="nw/a")
    assert scorer.compute() == Result.from_dict(scorer.compute().to_dict())


def test_numbers_make_way_for_names() -> None:
    scorer = referee.Scorer()
    for name in ("2", None, None, "unit 2", "1"):
        scorer.update(KEY, RESPONSE, name=name)
    assert scorer.compute().units == ["2", "unit unit 2", "3", "unit 2", "1"]


Fed = tuple[list[list[int]], list[list[int]]]


@given(
    st.lists(st.tuples(clusters_with_repeats(), clusters_with_repeats()), min_size=1, max_size=6), st.data()
)
def test_merged_scorers_equal_one_that_saw_everything(fed: list[Fed], data: st.DataObject) -> None:
    names = data.draw(st.lists(st.none() | st.sampled_from("abcdef"), min_size=len(fed), max_size=len(fed)))
    names = [name if names.index(name) == i else None for i, name in enumerate(names)]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(fed)), min_size=2, max_size=2)))
    one, parts = referee.Scorer(), [referee.Scorer() for _ in range(3)]
    for i, (pair, name) in enumerate(zip(fed, names, strict=True)):
        one.update(*pair, name=name)
        part = parts[sum(i >= cut for cut in cuts)]
        part.update(*pair, name=name)
        if data.draw(st.booleans()):
            part.compute()  # asking in between changes nothing
    whole = parts[0]
    for part in parts[1:]:
        whole.merge_state(pickle.loads(pickle.dumps(part)))
    assert whole.compute() == one.compute()


def test_scorers_that_differ_are_not_merged() -> None:
    scorer = referee.Scorer()
    scorer.update(KEY, KEY, name="a")
    for other, said in (
        (referee.Scorer(metric=["muc"]), "unlike metrics"),
        (referee.Scorer(protocol="strict"), "unlike protocol"),
    ):
        with pytest.raises(RefereeError, match=said):
            scorer.merge_state(other)
    same = referee.Scorer()
    same.update(KEY, KEY, name="a")
    with pytest.raises(RefereeError, match="a unit named 'a'"):
        scorer.merge_state(same)


def test_keys_of_bare_clusters_are_told_apart() -> None:
    base, turned = referee.score(KEY, RESPONSE), referee.score([c[::-1] for c in KEY[::-1]], KEY)
    assert base.key == turned.key != ""
    swapped = [["a", "b", "d"], ["c", "e", "f", "g"]]  # the same sizes
    with pytest.raises(RefereeError, match=r"the key's clusters are .* score both against the same key"):
        referee.compare(base, referee.score(swapped, RESPONSE))


def test_equal_mentions_have_equal_names() -> None:
    whole, other = [[(0, 1.0), True]], [[(0, np.int64(1)), 1]]
    assert referee.score(whole, whole).key == referee.score(other, other).key


def test_a_key_without_lasting_names_has_none() -> None:
    clusters = [[object(), object()], [object()]]
    result = referee.score(clusters, clusters)
    assert (result.conll, result.key) == (1, "")


def test_a_scored_file_compares_with_scored_clusters() -> None:
    paths = SAMPLE / "key.conll", SAMPLE / "alpha.conll"
    scorer = referee.Scorer()
    for key, response in zip(*map(referee.read, paths), strict=True):
        scorer.update(key, response, name=key.id)
    whole = referee.score(paths[0], paths[1])
    assert referee.compare(whole, scorer.compute()).verdicts[1]["conll"].gain == 0


def test_empty_clusters_do_not_count() -> None:
    result = referee.score([*KEY, []], [*KEY, [], []])
    assert result.ceaf_e.f1 == 1
    assert result.key == referee.score(KEY, KEY).key


def test_the_result_shows_itself() -> None:
    result = referee.score(KEY, RESPONSE)
    assert "MUC        40.00      40.00  40.00" in repr(result)
    assert result.signature in repr(result)
    html = result._repr_html_()
    assert ">36.76</td>" in html
    assert html.count("<tr>") == 9
    assert result.muc.counts["recall_numerator"] == 2


def test_html_is_escaped() -> None:
    scorer = referee.Scorer(name="<script>alert(1)</script>")
    scorer.update(KEY, RESPONSE)
    assert "<script>" not in scorer.compute()._repr_html_()


def test_the_result_is_a_plain_value() -> None:
    value = json.loads(json.dumps(referee.score(KEY, RESPONSE).to_dict()))
    assert value["scores"]["blanc"]["counts"]["apart_precision_denominator"] == 20
    assert value["units"]["1"]["b_cubed"] == [pytest.approx(35 / 12), 7, 4, 8]
    assert value["protocol"]["version"] == referee.__version__


def test_the_conll_average_needs_its_metrics() -> None:
    result = referee.score(KEY, RESPONSE, metric=["muc"])
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
    frame = referee.score(KEY, RESPONSE).to_frame().set_index("metric")
    assert frame.loc["b_cubed", "precision"] == 0.5
    assert frame.loc["muc", "recall_denominator"] == 5
    assert frame.loc["conll", "f1"] == referee.score(KEY, RESPONSE).conll
    assert "conll" not in set(referee.score(KEY, RESPONSE, metric=["muc"]).to_frame().metric)


def test_frames_of_units_add_up() -> None:
    pytest.importorskip("pandas")
    result = referee.score(SAMPLE / "key.conll", SAMPLE / "beta.conll", metric=["muc"])
    frame = result.to_frame(units=True)
    assert list(frame.document) == list(result.units)
    assert frame.recall_numerator.sum() == result.muc.counts["recall_numerator"]
    pytest.importorskip("polars")
    assert result.to_polars(units=True).rows() == list(frame.itertuples(index=False, name=None))


def test_to_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RefereeError, match="pip install 'referee-coref\\[pandas\\]'"):
        referee.score(KEY, RESPONSE).to_frame()
