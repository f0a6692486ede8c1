"""Many data sets at one go: responses by name, and the mean over data sets, in every form."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from nasty_conllu import nasty_pair
from referee import formats, score
from referee.cli import main
from referee.exceptions import FormatError
from referee.scoring.datasets import DataSets, matching_files, score_datasets
from referee.scoring.metric_scores import Score
from referee.scoring.task import Task
from referee.tables.scores import dataset_output

METRICS = ("muc", "b_cubed", "ceaf_e")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three data sets, and a system's responses: one of them in another format."""
    for folder in ("dev", "runs"):
        (tmp_path / folder).mkdir()
    for number, seed in enumerate((3001, 3004, 3007)):
        key, response = nasty_pair(seed)
        (tmp_path / "dev" / f"set{number}.conllu").write_text(key)
        (tmp_path / "runs" / f"set{number}.conllu").write_text(response)
    last = tmp_path / "runs" / "set2.conllu"
    formats.write(formats.read(last), tmp_path / "runs" / "set2.jsonl")
    last.unlink()
    return tmp_path


def keys(data: Path) -> list[str]:
    """List the keys."""
    return [str(path) for path in sorted((data / "dev").iterdir())]


def run(*words: str) -> str:
    """Run the command line."""
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_each_key_finds_the_response_of_its_name(data: Path) -> None:
    found = matching_files(keys(data), str(data / "runs"))
    assert [Path(path).name for path in found.values()] == ["set0.conllu", "set1.conllu", "set2.jsonl"]


def test_what_is_missing_or_ambiguous_is_named(data: Path) -> None:
    (data / "runs" / "set0.conllu").unlink()
    with pytest.raises(FormatError, match=r"no response to 1 of 3 keys: .*set0.conllu"):
        matching_files(keys(data), str(data / "runs"))
    for ending in ("conll", "jsonl"):
        (data / "runs" / f"set0.{ending}").write_text("")
    with pytest.raises(FormatError, match=r"set0.conll, .*set0.jsonl could all be the response"):
        matching_files(keys(data), str(data / "runs"))
    with pytest.raises(FormatError, match="no such folder"):
        matching_files(keys(data), str(data / "nowhere"))


def test_the_mean_gives_each_data_set_the_same_weight(data: Path) -> None:
    (own,) = score_datasets(keys(data), [str(data / "runs")], Task.of, METRICS)
    alone = [
        score(formats.read(key), formats.read(path, role="response"), metric=METRICS)
        for key, path in matching_files(keys(data), str(data / "runs")).items()
    ]
    assert own.system == "runs"
    assert [result.conll for result in own.results.values()] == [result.conll for result in alone]
    assert own.conll == pytest.approx(sum(result.conll for result in alone) / 3)
    assert own.mean("muc", "recall") == pytest.approx(sum(result.muc.recall for result in alone) / 3)


def test_the_mean_of_zeros_is_over_data_sets_that_have_some() -> None:
    def zeros(right: int, key: int, response: int) -> Score:
        names = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
        counted = dict(zip(names, (right, key, right, response), strict=True))
        return Score(right / max(1, key), right / max(1, response), 0.0, counted)

    results = {}
    for number, each in enumerate([zeros(1, 2, 4), zeros(0, 0, 3), zeros(0, 0, 0)]):
        result = score([["a", "b"]], [["a", "b"]])
        object.__setattr__(result, "scores", {**result.scores, "zeros": each})
        results[str(number)] = result
    system = DataSets("runs", results)
    assert system.with_zeros == ["0", "1"]
    assert (system.mean("zeros", "recall"), system.mean("zeros", "precision")) == (1 / 4, 1 / 8)
    assert DataSets("runs", {"2": results["2"]}).mean("zeros", "recall") == 0
    note = "the mean of zeros is over 2 data sets; the others have none"
    (table,) = dataset_output([system, system], macro=True).tables()
    assert table.notes.count(note) == 1
    (alone,) = dataset_output([DataSets("runs", {"0": results["0"]})], macro=True).tables()
    assert not any("zeros" in each for each in alone.notes)


def test_all_forms_have_the_mean(data: Path) -> None:
    words = ["score", *keys(data), "--response", str(data / "runs"), "--macro", "-q"]
    value = json.loads(run(*words, "-f", "json"))
    mean = value["macro"]["runs"]["conll"]
    assert mean == pytest.approx(sum(result["conll"] for result in value["results"]) / 3)
    assert [result["data_set"] for result in value["results"]] == ["set0", "set1", "set2"]
    shown = f"{100 * mean:.2f}"
    for form in ("text", "markdown", "latex"):
        assert shown in run(*words, "-f", form)
    rows = list(csv.DictReader(io.StringIO(run(*words, "-f", "csv"))))
    (last,) = [row for row in rows if (row["data_set"], row["metric"]) == ("mean", "conll")]
    assert float(last["f1"]) == mean
    assert "mean" not in run(*words[:-2], "-q")


def test_several_systems_are_side_by_side(data: Path) -> None:
    words = [
        "score",
        *keys(data),
        "--response",
        str(data / "runs"),
        "--response",
        str(data / "dev"),
        "--macro",
    ]
    lines = run(*words, "-q").splitlines()
    assert sum(line.startswith(("runs ", "dev ")) for line in lines) == 8
    assert any("macro-conll-f1 of dev over 3 data sets" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give a key and one or more responses"),
        (["x.conllu", "--macro"], "--macro does nothing without --response"),
        (["--response", "runs", "--ci"], "no --by, --ci"),
    ],
)
def test_what_does_not_go_together_is_refused(data: Path, words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["score", keys(data)[0], *words])
    assert done.exit_code == 2
    assert said in done.output


def test_the_protocol_is_the_usual_one_of_the_key(data: Path) -> None:
    key, response = keys(data)[0], str(data / "runs" / "set0.conllu")
    told = json.loads(run("score", key, response, "-q", "-f", "json"))["results"][0]["protocol"]
    assert told["counting"] == "crac"
    assert {"match": "head", "singletons": "drop", "zeros": "dependent"}.items() <= told.items()
    words = ["--match", "partial", "--singletons", "keep", "--zeros", "linear", "--metric", "mor,zero"]
    value = json.loads(run("score", key, response, "-q", "-f", "json", *words))["results"][0]
    assert {"match": "partial", "singletons": "keep", "zeros": "linear"}.items() <= value["protocol"].items()
    assert [*value["scores"]] == ["mention_overlap", "zeros"]
    plain = json.loads(run("score", key, response, "-q", "-f", "json", "-p", "conll"))["results"][0]
    assert "counting" not in plain["protocol"]
    assert (
        json.loads(run("score", key, response, "-q", "-f", "json", "-p", value["signature"]))["results"][0][
            "protocol"
        ]
        == value["protocol"]
    )


def test_several_matchings_are_in_one_table(data: Path) -> None:
    table = run(
        "score", keys(data)[0], str(data / "runs" / "set0.conllu"), "--match", "exact,head,partial", "-q"
    )
    assert "partial" in table
