"""Each file is opened and recognised once by a command, so that a key may come through a pipe."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee import formats
from referee.cli import main
from referee.formats import reading
from referee.formats.io.opening import SeekableFile

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
# Commands that read a key, with what follows it.
OF_KEYS = {
    "score": ["score", ALPHA, BETA],
    "score in three ways": ["score", ALPHA, BETA, "--match", "exact,mina,head"],
    "score with intervals": ["score", ALPHA, BETA, "--ci", "--samples", "100"],
    "compare": ["compare", ALPHA, BETA, "--samples", "100"],
    "compare by mention type": ["compare", ALPHA, BETA, "--by", "mention-type", "--samples", "100"],
    "compare by all": [
        "compare", ALPHA, BETA, "--samples", "100", "--match", "exact,head", "--by", "mention-type",
        "--by", "distance", "--by", "length",
    ],
    "errors": ["errors", ALPHA, BETA, "--common"],
    "errors in a list": ["errors", ALPHA, "--list", "--context"],
    "report": ["report", ALPHA, BETA, "-o", "report.html"],
    "agree": ["agree", ALPHA, BETA],
    "spans": ["spans", "--stats"],
    "stats": ["stats"],
}  # fmt: skip


def words_of(command: str, key: str) -> list[str]:
    """Put the key after the command's name."""
    name, *others = OF_KEYS[command]
    return [name, key, *others]


def run(words: list[str], given: bytes | None = None) -> Result:
    done = CliRunner().invoke(main, words, input=given)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Counter[str]]:
    """Count how often each path is opened and recognised."""
    counts: dict[str, Counter[str]] = {"opened": Counter(), "recognised": Counter()}
    open_file, recognise = SeekableFile.__init__, reading.recognise

    def counting_open(self: SeekableFile, path: str) -> None:
        counts["opened"][path] += 1
        open_file(self, path)

    def counting_recognise(file: SeekableFile, *more: str) -> str | None:
        counts["recognised"][file.path] += 1
        return recognise(file, *more)

    monkeypatch.setattr(SeekableFile, "__init__", counting_open)
    monkeypatch.setattr(reading, "recognise", counting_recognise)
    monkeypatch.chdir(tmp_path)
    return counts


@pytest.mark.parametrize("command", OF_KEYS)
def test_each_file_is_opened_and_recognised_once(command: str, counted: dict[str, Counter[str]]) -> None:
    words = words_of(command, KEY)
    run(words)
    expected = {path: 1 for path in words if path in (KEY, ALPHA, BETA)}
    assert counted == {"opened": expected, "recognised": expected}


def test_a_packed_key_is_unpacked_once(counted: dict[str, Counter[str]], tmp_path: Path) -> None:
    packed = tmp_path / "key.conll.gz"
    packed.write_bytes(gzip.compress(Path(KEY).read_bytes()))
    for command in ("score", "compare by mention type", "errors", "report"):
        counted["opened"].clear()
        run(words_of(command, str(packed)))
        assert counted["opened"][str(packed)] == 1


@pytest.mark.parametrize("command", OF_KEYS)
def test_a_key_may_come_from_standard_input(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("stdin.conll").write_bytes(Path(KEY).read_bytes())
    shown = []
    for key, given in (("stdin.conll", None), ("-", Path(KEY).read_bytes())):
        done = run(words_of(command, key), given)
        page = Path("report.html").read_text() if command == "report" else ""
        shown.append([done.stdout.splitlines()[1:], page])  # the first line may name the file
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "command", ["score", "compare by mention type", "errors", "report", "agree", "spans"]
)
def test_a_key_may_come_from_a_named_pipe(command: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(Path(KEY).read_bytes()), daemon=True)
    writer.start()
    words = [sys.executable, "-m", "referee", *words_of(command, str(pipe))]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert command == "report" or done.stdout


def test_a_key_in_conllu_from_a_pipe_is_scored_by_its_usual_protocol(tmp_path: Path) -> None:
    formats.write(formats.read(KEY), tmp_path / "key.conllu")
    shown = run(["score", "-", ALPHA, "-f", "json"], (tmp_path / "key.conllu").read_bytes()).stdout
    assert json.loads(shown)["results"][0]["protocol"]["counting"] == "crac"


@pytest.mark.parametrize("way", ["standard input", "named pipe", "packed", "byte order mark"])
def test_saved_results_may_come_from_a_pipe_or_packed(way: str, tmp_path: Path) -> None:
    for system in (ALPHA, BETA):
        run(["score", KEY, system, "-f", "json", "-o", str(tmp_path / f"{Path(system).stem}.json")])
    first, other = tmp_path / "alpha.json", tmp_path / "beta.json"
    expected = run(["compare", str(first), str(other), "--samples", "100"]).stdout
    saved, given = first.read_bytes(), None
    first.unlink()
    if way == "standard input":
        first, given = Path("-"), saved
    elif way == "named pipe":
        os.mkfifo(first)
        threading.Thread(target=lambda: first.write_bytes(saved), daemon=True).start()
    else:
        first.write_bytes(gzip.compress(saved) if way == "packed" else b"\xef\xbb\xbf" + saved)
    assert run(["compare", str(first), str(other), "--samples", "100"], given).stdout == expected


GAP = """ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL
f1\tAnn Lee met Bea, and she sang.\tshe\t21\tAnn Lee\t0\tTRUE\tBea\t12\tFALSE\tu
"""
CLUSTERS = {
    "doc_key": "f1",
    "sentences": [[*["Ann", "Lee", "met", "Bea", ",", "and", "she", "sang", "."]]],
    "clusters": [[[0, 1], [6, 6]]],
}


@pytest.mark.parametrize("given", [json.dumps(CLUSTERS), "f1\tTRUE\tFALSE\n"])
def test_a_response_to_gap_may_come_from_standard_input(
    given: str, counted: dict[str, Counter[str]], tmp_path: Path
) -> None:
    (tmp_path / "gap.tsv").write_text(GAP)
    shown = run(["gap", "gap.tsv", "-", "-f", "csv"], given.encode()).stdout
    assert counted["opened"] == {"gap.tsv": 1, "-": 1}
    assert "stdin,overall,1.0,1.0,1.0" in shown
