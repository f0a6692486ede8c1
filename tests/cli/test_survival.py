"""A run survives its documents: the others are done, failures are listed and recorded, the exit is 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import main
from referee.cli.survival import SHOWN

GERMAN = "Der alte Mann ging mit seinem Hund durch die Stadt, und er sah, dass die Leute nicht da waren. " * 8
ENGLISH = "Clara opened the door of the house. She smiled at the old man, and he smiled at her. " * 8
ROWS = "#begin document ({0}); part 000\n{0}\t0\t0\tHe\t(1{1}\n{0}\t0\t1\tsaw\t{2}\n\n#end document\n"
GOOD, BAD = (")", "-"), ("", "(2)|2)")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


def conll(**documents: tuple[str, str]) -> str:
    return "".join(ROWS.format(name, *cells) for name, cells in documents.items())


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder with two good texts, and others that cannot be read or resolved."""
    folder = tmp_path / "texts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text(ENGLISH, "utf-8")
    (folder / "sub" / "a.txt").write_text(ENGLISH, "utf-8")
    (folder / "german.txt").write_text(GERMAN, "utf-8")
    (folder / "latin.txt").write_bytes(b"Clara drank her caf\xe9.\n")
    (folder / "null.txt").write_bytes(b"a\0b")
    return folder


BROKEN = {
    "german.txt": "this does not look like English",
    "latin.txt": "line 1: not UTF-8",
    "null.txt": "a binary",
}


def check(shown: Result, failed: int) -> None:
    assert shown.exit_code == 1, shown.output
    assert isinstance(shown.exception, SystemExit)
    assert f"{failed} document{'s' * (failed > 1)} failed:\n" in shown.stderr


@pytest.mark.parametrize("engine", [[], ["--jobs", "2"], ["--jobs", "2", "--engine", "dask"]], ids=len)
def test_texts_that_fail_are_listed_and_the_others_resolved(
    texts: Path, tmp_path: Path, engine: list[str]
) -> None:
    pytest.importorskip("en_core_web_sm")
    if engine[2:]:
        pytest.importorskip("distributed")
    out, record = tmp_path / "out.jsonl", tmp_path / "run.json"
    shown = run("resolve", texts, "-o", out, "--resolver", "camp", "--record", record, *engine)
    check(shown, 3)
    assert referee.read(out).ids == ["a", "sub/a"]
    written = json.loads(record.read_text("utf-8"))
    reasons = {Path(each["document"]).name: each["reason"] for each in written["failures"]}
    assert reasons.keys() == BROKEN.keys()
    for name, reason in BROKEN.items():
        assert reasons[name].startswith(reason)
        assert f"{name}" in shown.stderr
    assert written["resolved"] == 2


def test_a_folder_gets_the_others_on_every_run(texts: Path, tmp_path: Path) -> None:
    pytest.importorskip("en_core_web_sm")
    for said in ("2 of 5 files written", "0 of 5 files written, 2 finished before"):
        shown = run("resolve", texts, "-o", f"{tmp_path / 'out'}/", "--resolver", "camp")
        check(shown, 3)
        assert said in shown.stderr
        record = json.loads((tmp_path / "out" / ".run.record").read_text("utf-8"))
        assert len(record["failures"]) == 3
    assert sorted(referee.read(tmp_path / "out").ids) == ["a", "sub/a"]


def test_strict_stops_at_the_first_and_writes_nothing(texts: Path, tmp_path: Path) -> None:
    out, record = tmp_path / "out.jsonl", tmp_path / "run.json"
    shown = run("resolve", texts, "-o", out, "--resolver", "camp", "--strict", "--record", record)
    assert shown.exit_code == 1
    assert "failed:" not in shown.stderr
    assert "latin.txt:1: not UTF-8" in json.loads(record.read_text("utf-8"))["error"]
    assert not out.exists()


def test_if_every_text_fails_nothing_is_written(texts: Path, tmp_path: Path) -> None:
    bad = [texts / "latin.txt", texts / "null.txt"]
    check(run("resolve", *bad, "-o", tmp_path / "out.jsonl", "--resolver", "camp"), 2)
    alone = run("resolve", bad[0], "-o", tmp_path / "out.jsonl", "--resolver", "camp")
    assert (alone.exit_code, "failed:" in alone.stderr) == (1, False)
    assert f"Error: {bad[0]}: line 1: not UTF-8" in alone.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_an_input_that_is_not_there_is_said_before_the_work(texts: Path, tmp_path: Path) -> None:
    shown = run("resolve", texts / "a.txt", tmp_path / "none.txt", "-o", tmp_path / "out.jsonl")
    assert shown.exit_code == 1
    assert "none.txt: No such file" in shown.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_many_failures_are_cut_unless_all_are_wanted(tmp_path: Path) -> None:
    for number in range(SHOWN + 2):
        (tmp_path / f"{number}.txt").write_bytes(b"\xff")
    assert "and 2 more; --verbose shows all" in run("resolve", tmp_path, "--resolver", "camp").stderr
    assert "more; --verbose" not in run("resolve", tmp_path, "--resolver", "camp", "-v").stderr


def test_folders_and_lines_that_fail_are_left_out_of_a_conversion(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out.jsonl"
    folder.mkdir()
    (folder / "a.conll").write_text(conll(x=GOOD, y=BAD, z=GOOD), "utf-8")
    (folder / "b.conll").write_bytes(b"caf\xe9")
    (folder / "c.conll").write_bytes("#begin document".encode("utf-16"))
    shown = run("convert", folder, out, "--record", tmp_path / "run.json")
    check(shown, 3)
    assert referee.read(out).ids == ["(x); part 000", "(z); part 000"]
    record = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert (record["documents"], len(record["failures"])) == (2, 3)
    out.write_text(out.read_text("utf-8").replace("\n", "\n{\n", 1), "utf-8")
    shown = run("convert", out, tmp_path / "again.conll")
    check(shown, 1)
    assert "out.jsonl:2" in shown.stderr
    assert len(referee.read(tmp_path / "again.conll")) == 2
    assert run("convert", out, tmp_path / "never.conll", "--strict").exit_code == 1
    assert not (tmp_path / "never.conll").exists()


@pytest.mark.parametrize("engine", [[], ["--jobs", "2"]], ids=len)
def test_a_score_is_of_the_documents_that_can_be_read(tmp_path: Path, engine: list[str]) -> None:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(conll(x=GOOD, y=GOOD, z=GOOD), "utf-8")
    response.write_text(conll(x=GOOD, y=BAD, z=GOOD), "utf-8")
    shown = run("score", key, response, "-m", "b3", "-f", "json", *engine)
    check(shown, 1)
    assert "it is scored as empty" in shown.stderr
    value = json.loads(shown.stdout)
    assert [Path(each["document"]).name for each in value["failures"]] == ["response.conll:7"]
    scores = value["results"][0]["scores"]["b_cubed"]
    assert (scores["recall"], scores["precision"]) == (2 / 3, 1)
    swapped = run("score", response, key, "-m", "b3", "-f", "json", *engine)
    check(swapped, 1)
    assert "it is not scored" in swapped.stderr
    assert len(json.loads(swapped.stdout)["results"][0]["units"]) == 2
    for strict in (["--strict"], ["--protocol", "strict"]):
        refused = run("score", key, response, *strict)
        assert (refused.exit_code, refused.stdout) == (1, "")


def test_data_sets_that_fail_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name, cells in (("one", GOOD), ("two", GOOD), ("three", BAD)):
        (tmp_path / f"{name}.conll").write_text(conll(x=GOOD), "utf-8")
        (tmp_path / "out" / f"{name}.conll").write_text(conll(x=cells), "utf-8")
    (tmp_path / "out" / "two.conll").write_bytes(b"\xff\xff")
    keys = [tmp_path / f"{name}.conll" for name in ("one", "two", "three")]
    shown = run("score", *keys, "--response", tmp_path / "out", "--macro", "-m", "conll")
    check(shown, 2)
    assert "one" in shown.stdout
    assert "two" not in shown.stdout


def test_python_warns_keeps_places_and_lists_failures(tmp_path: Path) -> None:
    pytest.importorskip("en_core_web_sm")
    with pytest.warns(referee.exceptions.FailureWarning, match=r"^1 document failed: 1: this does not look"):
        results = referee.resolve([ENGLISH, GERMAN, ENGLISH], resolver="camp")
    assert [bool(each.clusters) for each in results] == [True, False, True]
    assert results[1].failure.startswith("this does not look like English")
    assert [failure.document for failure in results.failures] == ["1"]
    with pytest.raises(referee.FormatError, match="English"):
        referee.resolve([ENGLISH, GERMAN], resolver="camp", strict=True)
    path = tmp_path / "two.conll"
    path.write_text(conll(x=GOOD, y=BAD), "utf-8")
    with pytest.warns(referee.exceptions.FailureWarning, match="two.conll"):
        corpus = referee.resolve(referee.read(path), resolver="camp")
    assert (len(corpus), len(corpus.failures)) == (1, 1)
    with pytest.warns(referee.exceptions.FailureWarning, match="it is scored as empty"):
        result = referee.score(path, path)
    assert len(result.failures) == 2
