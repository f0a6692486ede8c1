"""The overview and the list of documents in a real browser: scores, plots, filters, search, keys."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from pathlib import Path

import referee
from chromium import Browser
from made_corpora import document
from open_page import (
    HARBOUR,
    INTERVIEW,
    PATHS,
    address,
    count,
    data,
    follow,
    link,
    opened,
    text,
)
from referee import score
from referee.comparing.significance import compare_results
from referee.comparing.verdicts import Plan
from referee.model import DocumentCorpus
from studies import analyse, report


def test_it_opens_on_scores_matrices_and_plots(page: Browser) -> None:
    assert "alpha, beta against key" in text(page, "h1")
    assert f"{100 * referee.score(PATHS[0], PATHS[1]).conll:.2f}" in text(page, ".scores")
    assert count(page, ".heat") == 4
    assert count(page, ".shared .column") == 3
    totals = page.run("[...document.querySelectorAll('.bars .whole .count')].map(e => +e.innerText)")
    assert sum(totals) == sum(len(doc["errors"]) for doc in data(page)["documents"])


def test_the_plot_counts_the_errors_that_systems_share(page: Browser) -> None:
    page.click("#filter-side-1")  # recall only
    study = analyse(referee.read(PATHS[0]), [referee.read(path) for path in PATHS[1:]])
    alpha, beta = ({error.link for error in system.recall} for system in study.systems)
    wanted = {
        (True, False): len(alpha - beta),
        (False, True): len(beta - alpha),
        (True, True): len(alpha & beta),
    }
    columns = page.run(
        "[...document.querySelectorAll('.shared .column')].map(c => [+c.querySelector('text').textContent,"
        " [...c.querySelectorAll('circle')].map(d => d.classList.contains('member'))])"
    )
    assert {tuple(members): number for number, members in columns} == wanted


def test_a_filter_holds_everywhere_and_stands_in_the_address(page: Browser) -> None:
    page.click("#filter-system-1")
    assert count(page, ".heat") == 2
    assert "beta" not in text(page, ".scores")
    page.press("d")
    assert "B R" not in text(page, ".listing")
    page.press("]")
    assert count(page, ".mark[data-lane='1']") == 0
    assert count(page, ".mark[data-lane='0']") > 0
    assert address(page)["system"] == "alpha"
    here = page.run("location.hash")
    page.press("x")
    assert count(page, ".mark[data-lane='1']") > 0
    follow(page, here)
    assert count(page, ".mark[data-lane='1']") == 0


def test_class_and_type_filters_leave_only_their_errors(page: Browser) -> None:
    value = data(page)
    kind, pronoun = value["kinds"].index("mention missed"), value["types"].index("pronoun")
    wanted = sum(
        error[2] == kind and doc["types"][error[3]] == pronoun
        for doc in value["documents"]
        for error in doc["errors"]
    )
    follow(page, link(view="overview", kind="mention missed", anaphor="pronoun"))
    assert text(page, "#filter-count").startswith(f"{wanted} of ")
    assert count(page, ".examples .badge") == wanted


def test_a_cell_of_the_matrix_filters_by_its_types(page: Browser) -> None:
    number = int(text(page, ".heat button").split("/")[0])
    page.click(".heat button")
    assert {"anaphor", "antecedent"} <= address(page).keys()
    assert int(text(page, ".heat button").split("/")[0]) == number


def test_a_column_of_the_plot_filters_by_who_made_the_error(page: Browser) -> None:
    shared = page.run(
        "[...document.querySelectorAll('.column')].findIndex(c => c.querySelectorAll('.member').length > 2)"
    )
    number = int(page.run(f"document.querySelectorAll('.column text')[{shared}].textContent"))
    page.run(f"document.querySelectorAll('.column')[{shared}].dispatchEvent(new MouseEvent('click'))")
    page.settle()
    assert text(page, "#filter-count").startswith(f"{2 * number} of ")
    assert "alpha and beta" in text(page, "#filter-groups")


def test_documents_are_listed_with_scores_and_can_be_sorted(page: Browser) -> None:
    page.press("d")
    assert count(page, ".listing tbody tr") == 2
    scores = [
        referee.score(PATHS[0], PATHS[1]).by([HARBOUR, INTERVIEW])[name].conll
        for name in (HARBOUR, INTERVIEW)
    ]
    assert all(f"{100 * score:.2f}" in text(page, ".listing") for score in scores)
    page.click("[id='sort-score 0']")
    first = text(page, ".listing tbody th")
    assert first == (HARBOUR, INTERVIEW)[scores[1] > scores[0]]
    page.click(".listing tbody a")
    assert address(page)["doc"] == first


def several(wrong: int) -> DocumentCorpus:
    """Ten documents, of which the first few have a wrong link."""
    documents = [document([[(0, 1), (2, 3), (4, 5)], [(6, 7), (8, 9)]]) for _ in range(10)]
    off = [document([[(0, 1), (2, 3)], [(4, 5), (6, 7), (8, 9)]]) for _ in range(wrong)]
    return DocumentCorpus(
        [made.with_text(id=f"d{i}") for i, made in enumerate([*off, *documents[wrong:]])], "made"
    )


def test_scores_have_intervals_and_systems_are_compared_with_the_first(
    chromium: Browser, tmp_path: Path
) -> None:
    key, bad, good, perfect = (several(wrong) for wrong in (0, 9, 8, 0))
    made = report(key, [bad, good, perfect], names=["bad", "good", "perfect"])
    results = [score(key, response) for response in (bad, good, perfect)]
    named = [
        replace(result, system=name) for result, name in zip(results, ("bad", "good", "perfect"), strict=True)
    ]
    verdicts = compare_results(named, Plan()).verdicts
    made.save(tmp_path / "r.html")
    for page in opened(chromium, tmp_path / "r.html"):
        own = verdicts[1]["conll"]
        edges = f"{100 * own.interval.low:.2f} – {100 * own.interval.high:.2f}"
        assert edges in text(page, ".scores")
        rows = page.run(
            "[...document.querySelectorAll('.gains tbody tr:not(.group-head)')].map(r => r.innerText)"
        )
        assert [("↑" in row) for row in rows] == [verdicts[1]["muc"].mark == "↑", True]
        last = verdicts[2]["conll"]
        assert last.adjusted is not None
        assert f"+{100 * last.gain:.2f} ↑" in rows[1]
        assert f"p = {last.adjusted:.3f}" in rows[1] or "p < 0.001" in rows[1]
        page.press("1")
        assert (
            count(page, ".gains tbody tr:not(.group-head)") == 2
        )  # the first is compared with, shown or not


def test_what_is_filtered_can_be_kept(page: Browser, tmp_path: Path) -> None:
    page.send("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    follow(page, link(view="overview", side="precision", system="beta"))
    page.click("#export")
    target = tmp_path / "errors.csv"
    for _ in range(100):
        if target.exists() and target.stat().st_size:
            break
        time.sleep(0.05)
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = int(text(page, "#filter-count").split()[0])
    assert len(rows) == shown > 0
    study = analyse(referee.read(PATHS[0]), [referee.read(PATHS[2])])
    wanted = {
        (error.document, error.anaphor.mention.start, error.antecedent.mention.end)
        for error in study.systems[0].precision
    }
    assert {(r["document"], int(r["anaphor_start"]), int(r["antecedent_end"])) for r in rows} == wanted
    assert {(r["system"], r["side"]) for r in rows} == {("beta", "precision")}
