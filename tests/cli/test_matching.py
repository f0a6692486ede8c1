"""Matchings and minimum spans on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import main

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
DATA = Path(__file__).parents[1] / "data"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_ranks_stand_beside_the_scores_and_changed_ones_are_marked() -> None:
    shown = run("score", KEY, ALPHA, BETA, "--match", "exact,mina,head").output.splitlines()
    rows = [line.replace("* ", "  ").split("  ") for line in shown[3:9]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert [row[:2] for row in cells] == [
        [system, match] for match in ("exact", "mina", "head") for system in ("alpha", "beta")
    ]
    assert [row[3] for row in cells[:4]] == ["73.08 (2)", "73.97 (1)", "96.15 (1↑)", "75.34 (2↓)"]
    assert [row[-1].rstrip("*") for row in cells[:4]] == ["75.08 (1)", "64.34 (2)", "95.74 (1)", "65.52 (2)"]
    assert [line.split("|")[0] for line in shown[-3:]] == ["match:exact", "match:mina", "match:head"]


def test_alpha_beats_beta_by_more_once_boundaries_are_forgiven() -> None:
    results = json.loads(run("score", KEY, ALPHA, BETA, "--match", "exact,mina", "-f", "json").output)[
        "results"
    ]
    averages = {(r["protocol"]["match"], r["system"]): r["conll"] for r in results}
    gap = {match: averages[match, "alpha"] - averages[match, "beta"] for match in ("exact", "mina")}
    assert gap["mina"] > 2 * gap["exact"] > 0


def test_csv_has_a_column_for_the_matching() -> None:
    rows = list(
        csv.DictReader(io.StringIO(run("score", KEY, ALPHA, "--match", "exact,head", "-f", "csv").output))
    )
    assert {row["match"] for row in rows} == {"exact", "head"}


@pytest.mark.parametrize("match", ["exact", "mina", "head"])
def test_the_key_against_itself_is_perfect(match: str) -> None:
    scores = json.loads(run("score", KEY, KEY, "--match", match, "-f", "json").output)["results"][0]["scores"]
    assert {score["f1"] for score in scores.values()} == {1}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--match", "min"], 1, "has no annotated minimum spans, which --match min needs"),
        (
            ["--match", "fuzzy"],
            2,
            "no matching 'fuzzy'; choose from exact, mina, head, min, mina-coval, partial",
        ),
        (["--match", "mina,mina"], 2, "names one twice"),
        (["--match", "exact,mina", "--by", "document"], 2, "--by allows only one --match"),
        (
            ["--match", "exact", "--on-bad-parse", "skip"],
            2,
            "--on-bad-parse skip needs a matching by trees: --match mina or --match head",
        ),
        (["--match", "mina", "--parses", "no-such-file"], 2, "no-such-file"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str], code: int, message: str) -> None:
    shown = run("score", KEY, ALPHA, *arguments)
    assert shown.exit_code == code
    assert message in shown.output


def test_skipped_parses_are_counted_on_standard_error_and_in_the_signature(tmp_path: Path) -> None:
    broken = tmp_path / "key.conll"
    broken.write_text(
        Path(KEY).read_text(encoding="utf-8").replace("(TOP(S(NP(NP*", "(TOP(S(NP(NP", 1), "utf-8"
    )
    refused = run("score", str(broken), ALPHA, "--match", "mina")
    assert refused.exit_code == 1
    assert f"{broken}:2: sentence 1 of (nw/sample/harbour); part 000: the parse" in refused.output
    skipped = run("score", str(broken), ALPHA, "--match", "mina", "--on-bad-parse", "skip")
    assert skipped.exit_code == 0
    assert "mentions scored by maximum span: bad parse" in skipped.stderr
    assert "bad_parses:skip" in skipped.stdout
    assert "cannot be read" in run("spans", str(broken), "--on-bad-parse", "skip", "-f", "csv").stdout


def test_spans_lists_each_mention_and_why() -> None:
    rows = list(csv.DictReader(io.StringIO(run("spans", KEY, "--format", "csv").output)))
    assert len(rows) == 127
    assert rows[0]["minimum"] == "The head"
    assert rows[0]["why"] == "NP terminal at depth 1"
    assert json.loads(run("spans", KEY, "--format", "json").output)["mentions"][0]["minimum"] == [0, 1]


def test_stats_and_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "lengths.png"
    shown = run("spans", KEY, "--stats", "--plot", str(picture))
    assert [line.split()[:3] for line in shown.output.splitlines()[3:5]] == [
        ["maximum", "127", "2.60"],
        ["mina", "127", "1.80"],
    ]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert json.loads(run("spans", KEY, "--stats", "-f", "json").output)["lengths"]["mina"]["mentions"] == 127
    refused = run("spans", KEY, "--plot", str(tmp_path / "lengths.nonsense"))
    assert refused.exit_code == 1
    assert "lengths.nonsense" in refused.output


def test_against_min() -> None:
    key, trees = str(DATA / "muc" / "key.sgm"), str(DATA / "muc" / "key.ptb")
    shown = run("spans", key, "--parses", trees, "--against-min").output.splitlines()
    assert shown[-1].split() == ["mina", "3", "3", "100.00"]
    heads = run("spans", key, "--parses", trees, "--against-min", "--match", "head").output.splitlines()
    assert heads[-1].split() == ["head", "3", "2", "66.67"]
    refused = run("spans", KEY, "--against-min")
    assert refused.exit_code == 1
    assert "has no annotated minimum spans" in refused.output
