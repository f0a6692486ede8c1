"""A comparison as a value: what it tells in a notebook, as JSON and as a table."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace

import pytest

import referee
from referee import Comparison, Interval, Plan, RefereeError, Result, score
from referee.comparing.significance import compare_results
from referee.model import DocumentCorpus
from systems import documents, spoiled

QUICK = Plan(samples=200)


def results(units: int = 40) -> list[Result]:
    key = documents(units)
    return [
        replace(score(DocumentCorpus(key), DocumentCorpus(spoiled(key, rate, 5))), system=name)
        for name, rate in (("base", 0.2), ("<best>", 0.05), ("worst", 0.4))
    ]


FOUND = compare_results(results(), QUICK)


def test_one_result_is_nothing_to_compare() -> None:
    with pytest.raises(RefereeError, match=r"compare needs two or more results, the baseline first"):
        compare_results(results()[0])  # type: ignore[arg-type]
    for given in ([], results()[:1]):
        with pytest.raises(RefereeError, match=r"only one system|give a key and two or more responses"):
            referee.compare(*given)


def test_results_may_come_from_an_iterator() -> None:
    assert compare_results(iter(results()), QUICK) == FOUND


def test_the_repr_is_the_table_of_the_command_line() -> None:
    text = repr(FOUND)
    assert text.startswith("F1\n")
    assert "CoNLL F1" in text
    verdict = FOUND.verdicts[1]["conll"]
    assert f"[{100 * verdict.interval.low:.2f}, {100 * verdict.interval.high:.2f}]" in text
    assert f"{100 * verdict.gain:+.2f}" in text


def test_what_is_not_known_is_not_shown() -> None:
    few = compare_results(results(3), QUICK)
    assert "nan" not in repr(few) + few._repr_html_()
    assert json.loads(json.dumps(few.to_dict(), allow_nan=False))["systems"][0]["metrics"]["muc"][
        "interval"
    ] == {"low": None, "high": None}


def test_the_notebook_has_a_cell_for_each_system_and_measure() -> None:
    html = FOUND._repr_html_()
    assert html.count("<td") == 3 * (1 + len(FOUND.measures)) + 3 * 7
    assert "&lt;best&gt;" in html
    assert "<best>" not in html
    assert "approximate randomisation" in html


def test_a_comparison_is_logged_flat() -> None:
    logged = FOUND.log_dict()
    verdict = FOUND.verdicts[1]["conll"]
    assert (logged["<best>/conll/gain"], logged["<best>/conll/p"]) == (verdict.gain, verdict.adjusted)
    assert "base/conll/gain" not in logged
    assert {type(value) for value in logged.values()} == {float}
    few = compare_results(results(3), QUICK).log_dict()
    assert "base/conll/f1" in few
    assert "base/conll/low" not in few


def test_to_dict_tells_everything() -> None:
    value = json.loads(json.dumps(FOUND.to_dict()))
    assert (value["schema"], value["units"], value["corrected"], value["exact"]) == (1, 40, True, False)
    assert value["plan"] == {
        "test": "permutation", "samples": 200, "seed": 1, "level": 0.95, "correction": "holm",
    }  # fmt: skip
    assert [system["rank"] for system in value["systems"]] == [2, 1, 3]
    verdict = FOUND.verdicts[2]["lea"]
    assert value["systems"][2]["metrics"]["lea"]["gain"] == verdict.gain
    assert value["key"] == FOUND.results[0].key != ""


def test_to_frame() -> None:
    pytest.importorskip("pandas")
    frame = FOUND.to_frame()
    assert len(frame) == 3 * len(FOUND.measures)
    verdict = FOUND.verdicts[1]["conll"]
    assert verdict.gain_interval is not None
    rows = {(row["system"], row["metric"]): row for row in frame.to_dict(orient="records")}
    row = rows["<best>", "conll"]
    assert [row["f1"], row["low"], row["high"]] == [verdict.f1, verdict.interval.low, verdict.interval.high]
    assert [row["gain"], row["gain_low"], row["p"]] == [verdict.gain, verdict.gain_interval.low, verdict.p]
    assert (row["p_adjusted"], row["significant"]) == (verdict.adjusted, True)
    assert math.isnan(rows["base", "conll"]["gain"])


def test_to_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(RefereeError, match="pip install 'referee-coref\\[pandas\\]'"):
        FOUND.to_frame()


def test_each_part_of_a_comparison_counts() -> None:
    changed: list[Comparison] = [
        replace(FOUND, results=FOUND.results[::-1]), replace(FOUND, plan=Plan(samples=7)),
        replace(FOUND, verdicts=FOUND.verdicts[::-1]), replace(FOUND, ranks=FOUND.ranks[::-1]),
        replace(FOUND, exact=True),
    ]  # fmt: skip
    assert replace(FOUND) == FOUND
    assert hash(FOUND) == hash(replace(FOUND))
    assert all(other != FOUND for other in changed)


def test_intervals_compare_by_their_ends() -> None:
    assert Interval(0.5, math.nan) == Interval(0.5, float("nan"))
    assert Interval(0.5, 0.6) != Interval(0.5, 0.7)
    assert (Interval(0.5, 0.6) == (0.5, 0.6)) is False
    assert not Interval(0.1, math.nan).known
    assert Interval(0.1, 0.2).known
