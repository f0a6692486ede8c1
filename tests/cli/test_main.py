"""The command line, as a newcomer uses it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import COMMANDS, main

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def test_help_names_every_command() -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    assert all(name in shown.output for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert f"  referee {command} " in shown.output


def test_score_prints_all_metrics_the_average_and_the_signature() -> None:
    shown = run("score", KEY, ALPHA)
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert lines[0] == "alpha: 2 documents"
    assert lines[1].split() == ["Recall", "Precision", "F1"]
    labels = ["Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"]
    assert [line.split()[0] for line in lines[3:11]] == labels
    assert lines[4].split()[1:] == ["72.15", "74.03", "73.08"]
    assert lines[-1] == f"conll-f1|{referee.Protocol().signature} = 75.08"


def test_several_systems_have_a_row_each_and_the_best_is_marked() -> None:
    shown = run("score", KEY, ALPHA, BETA).output.splitlines()
    assert shown[3].split()[:3] == ["alpha", "81.89*", "73.08"]
    assert shown[4].split()[:3] == ["beta", "76.58", "73.97*"]


def test_markdown_by_genre() -> None:
    shown = run("score", KEY, ALPHA, BETA, "--by", "genre", "--format", "markdown").output
    assert "| System | Genre | Mentions | MUC |" in shown
    assert "| beta | nw | **78.98** |" in shown


def test_by_document_for_one_system() -> None:
    shown = run("score", KEY, ALPHA, "--by", "document", "--metric", "muc").output
    assert "(nw/sample/harbour); part 000" in shown
    assert "*" not in shown


def test_json_has_every_count() -> None:
    value = json.loads(run("score", KEY, ALPHA, "--by", "genre", "-f", "json").output)
    result = value["results"][0]
    assert result["scores"]["muc"]["counts"]["recall_denominator"] == 79
    assert set(result["groups"]) == {"bc", "nw"}
    assert sum(unit["muc"][1] for unit in result["units"].values()) == 79


def test_csv_is_unrounded() -> None:
    rows = list(csv.DictReader(io.StringIO(run("score", KEY, ALPHA, "-f", "csv").output)))
    assert float(rows[1]["recall"]) == 57 / 79
    assert rows[-1]["metric"] == "conll"
    assert {row["metric"]: row["recall_numerator"] for row in rows}["muc"] == "57"
    assert {row["metric"]: row["recall_denominator"] for row in rows}["muc"] == "79"


@pytest.mark.parametrize(
    "arguments",
    [["score", KEY, ALPHA, BETA], ["score", KEY, ALPHA, BETA, "--match", "exact,mina"],
     ["score", KEY, ALPHA, "--by", "document", "-m", "blanc,lea,links"], ["score", KEY, ALPHA, BETA, "--ci"],
     ["compare", KEY, ALPHA, BETA, "--by", "genre"], ["agree", ALPHA, BETA], ["spans", KEY, "--stats"]],
    ids=" ".join,
)  # fmt: skip
def test_a_cell_of_csv_has_one_number(arguments: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(run(*arguments, "-f", "csv", "-q").output)))
    assert len({len(row) for row in rows}) == 1
    for cell in (cell for row in rows[1:] for cell in row):
        numbers = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])", cell.replace("part 000", ""))
        assert not numbers or numbers == [cell.lstrip("-")], cell


def test_latex_is_a_booktabs_table() -> None:
    shown = run("score", KEY, ALPHA, BETA, "-m", "muc,b3", "-f", "latex").output
    assert r"\multicolumn{3}{c}{B\textsuperscript{3}}" in shown
    assert r"\cmidrule(lr){2-4} \cmidrule(lr){5-7}" in shown
    assert shown.count(r"\\") == 4


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "scores.md"
    assert run("score", KEY, ALPHA, "-f", "markdown", "-o", str(target)).output == ""
    assert "| MUC | 72.15 |" in target.read_text(encoding="utf-8")
    assert run("score", KEY, ALPHA, "-o", str(tmp_path / "no" / "folder")).exit_code == 2


def test_a_signature_is_a_protocol() -> None:
    shown = run("score", KEY, ALPHA, "--singletons", "drop").output
    signature = shown.splitlines()[-1]
    assert run("score", KEY, ALPHA, "--protocol", signature).output == shown


def test_standard_input_once() -> None:
    text = Path(ALPHA).read_text(encoding="utf-8")
    shown = run("score", KEY, "-", stdin=text)
    assert shown.output.splitlines()[-1].endswith("= 75.08")
    assert run("score", "-", "-", stdin=text).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["score", KEY], 2, "give a key and one or more responses"),
        (["score", KEY, "nowhere.conll"], 1, "nowhere.conll: No such file or directory"),
        (["score", KEY, ALPHA, "--metric", "rouge"], 2, "no metric 'rouge'; choose from mentions"),
        (["score", KEY, ALPHA, "--protocol", "stric"], 2, "did you mean strict?"),
        (["score", KEY, str(SAMPLE / "README.md")], 1, "JSON lines or CoNLL"),
        (["convert", KEY, "out.docx"], 2, "cannot tell the format from the ending"),
        (["scroe", KEY, ALPHA], 2, "no command 'scroe'; did you mean score?"),
    ],
)
def test_errors_say_what_is_wrong(arguments: list[str], code: int, message: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == code
    assert message in shown.output


def test_genres_from_a_file(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_text("#begin document a\nhe\t(1)\nhim\t(1)\n#end document\n", encoding="utf-8")
    shown = run("score", str(key), str(key), "--by", "genre")
    assert "the name of a does not say its genre; give --genres" in shown.output
    genres = tmp_path / "genres.tsv"
    genres.write_text("a\tfairy tale\n", encoding="utf-8")
    assert "fairy tale" in run("score", str(key), str(key), "--by", "genre", "--genres", str(genres)).output


def test_validate_lists_all_problems(tmp_path: Path) -> None:
    rows = ["he\t(1)|(1)", "saw\t(2", "", "the\t(3", "dog\t2)", "run\t3)", "off\t4)"]
    path = tmp_path / "bad.conll"
    text = "\n".join(["#begin document d", *rows, "#end document", ""])
    path.write_text(text + text.replace("off\t4)", "far\t(4)"), encoding="utf-8")
    shown = run("validate", str(path))
    assert shown.exit_code == 1
    for message in (
        "bad.conll:8: cluster 4 is closed but never opened",
        "bad.conll:11: 'he' of cluster 1 is annotated again",
        "bad.conll:12: 'saw the dog' of cluster 2 runs over the end of its sentence",
        "bad.conll:14: 'the dog run' of cluster 3 crosses 'saw the dog' of cluster 2",
        "document d occurs here again",
        "bad.conll:2: 'he' of cluster 1 is annotated again",
        "8 problems found",
    ):
        assert message in shown.output


def test_validate_gives_problems_to_programs(tmp_path: Path) -> None:
    path = tmp_path / "bad.conll"
    path.write_text("#begin document d\nhe\t(1)|(1)\nran\t4)\n#end document\n", encoding="utf-8")
    (tmp_path / "odd.jsonl").write_text("{}\n", encoding="utf-8")
    shown = run("validate", str(path), str(tmp_path / "odd.jsonl"), "-f", "json")
    assert shown.exit_code == 1
    found = json.loads(shown.stdout)["problems"]
    assert {(Path(each["file"]).name, each["line"], each["kind"]) for each in found} >= {
        ("bad.conll", 3, "annotation"), ("bad.conll", 2, "repeated"), ("odd.jsonl", 1, "unreadable"),
    }  # fmt: skip
    assert found[0]["message"] == "cluster 4 is closed but never opened"
    rows = list(csv.DictReader(io.StringIO(run("validate", str(path), "-f", "csv").stdout)))
    assert [row["line"] for row in rows] == ["3", "2"]
    good = run("validate", KEY, "-f", "json")
    assert (good.exit_code, json.loads(good.stdout)["problems"]) == (0, [])
    assert run("validate", KEY).stdout == ""


def test_validate_compares_with_the_key(tmp_path: Path) -> None:
    text = Path(ALPHA).read_text(encoding="utf-8")
    changed = tmp_path / "changed.conll"
    changed.write_text(text.replace(" resigned ", " retired "), encoding="utf-8")
    shown = run("validate", str(changed), "--key", KEY)
    assert "'retired' where the key has 'resigned'" in shown.output
    assert shown.exit_code == 1
    assert run("validate", ALPHA, "--key", KEY).exit_code == 0


def test_convert_there_and_back(tmp_path: Path) -> None:
    there, back = str(tmp_path / "a.jsonl"), str(tmp_path / "a.conll")
    assert run("convert", ALPHA, there).exit_code == 0
    assert run("convert", there, back).exit_code == 0
    assert run("score", KEY, back, "-f", "csv").output.replace("a,", "alpha,") == run(
        "score", KEY, ALPHA, "-f", "csv"
    ).output.replace("a,", "alpha,").replace("alphalpha,", "alpha,")


def test_a_command_is_found_by_its_file_and_says_what_it_does() -> None:
    folder = Path(referee.__file__).parent / "cli"
    for name, said in COMMANDS.items():
        first = (folder / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]
        assert first.lower() == f'"""referee {name}: {said.lower()}"""'
    assert {"score", "compare", "errors", "report", "convert", "validate"} <= COMMANDS.keys()
    assert "terminal" not in COMMANDS
