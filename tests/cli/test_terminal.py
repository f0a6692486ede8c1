"""Where output goes: odd bytes, full disks, colours, quiet, and functions that fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import main
from referee.cli.terminal import in_options, save_words
from referee.encoding import ODD

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
REFEREE = [sys.executable, "-m", "referee"]
needs_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def run(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(main, arguments, env=env)


@pytest.fixture
def odd(tmp_path: Path) -> str:
    """A key whose document and words are no UTF-8."""
    rows = b"caf\xe9 (1)\nsaw -\ncaf\xe9s (1)\n"
    path = tmp_path / "odd.conll"
    path.write_bytes(b"#begin document (nw/d\xe9); part 000\n" + rows + b"\n#end document\n")
    return str(path)


@pytest.mark.parametrize("form", ["text", "csv", "markdown", "latex", "json"])
def test_odd_bytes_go_out_as_they_came_in(form: str, odd: str, tmp_path: Path) -> None:
    arguments = ["score", odd, odd, "--by", "document", "-f", form]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    shown = subprocess.run([*REFEREE, *arguments], capture_output=True, env=strict, check=False)
    assert shown.returncode == 0, shown.stderr
    target = tmp_path / "out"
    assert run(*arguments, "-o", str(target)).exit_code == 0
    assert target.read_bytes() == shown.stdout
    if form == "json":
        assert "(nw/d\udce9); part 000" in json.loads(shown.stdout)["results"][0]["units"]
    else:
        assert b"nw/d\xe9)" in shown.stdout


def test_an_encoding_that_lacks_characters_gets_escapes(odd: str) -> None:
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1:strict"}
    command = [*REFEREE, "score", odd, odd, "--by", "document"]
    shown = subprocess.run(command, capture_output=True, env=latin, check=False)
    assert shown.returncode == 0
    assert b"B\xb3" in shown.stdout
    assert rb"\u2500" in shown.stdout
    ascii_ = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    shown = subprocess.run(command, capture_output=True, env=ascii_, check=False)
    assert b"nw/d\xe9)" in shown.stdout
    assert "B³".encode() in shown.stdout


@needs_full_disk
@pytest.mark.parametrize(
    "arguments",
    [["score", KEY, ALPHA], ["convert", KEY, "-", "--to", "conll"], ["--help"], ["spans", KEY, "-f", "json"]],
    ids=lambda arguments: arguments[0],
)
def test_a_full_disk_is_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        shown = subprocess.run([*REFEREE, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert shown.returncode == 1
    assert shown.stderr.decode().splitlines() == ["Error: standard output: No space left on device"]


@needs_full_disk
def test_a_full_disk_for_messages_is_no_traceback_either() -> None:
    with Path("/dev/full").open("wb") as full:
        shown = subprocess.run(
            [*REFEREE, "score", "a", "b"], stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert (shown.returncode, shown.stdout) == (1, b"")


def test_a_closed_pipe_is_silent() -> None:
    command = [*REFEREE, "spans", KEY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "scores.txt"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    assert run("score", KEY, "nowhere", "-o", str(target)).exit_code == 1
    assert target.read_text(encoding="utf-8") == "old"
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    assert run("score", KEY, ALPHA, "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert "CoNLL" in target.read_text(encoding="utf-8")
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "scores.txt"]


def test_lone_surrogates_of_other_kinds_go_out_as_bytes_too(tmp_path: Path) -> None:
    save_words("a\ud800b\udcffc", str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == b"a\xed\xa0\x80b\xffc\n"
    assert "a\ud800b\udcffc".encode("utf-8", ODD) == b"a\xed\xa0\x80b\xffc"


def test_quiet_shows_results_only(tmp_path: Path) -> None:
    twice = tmp_path / "twice.conll"
    twice.write_text("#begin document d\nhe (1)|(1)\nhim (1)\n\n#end document\n", encoding="utf-8")
    loud, quiet = run("score", str(twice), str(twice)), run("score", str(twice), str(twice), "--quiet")
    assert "note: " in loud.stderr
    assert (quiet.stderr, quiet.stdout) == ("", loud.stdout)
    assert "no such file" in run("score", KEY, "nowhere", "-q").stderr.lower()


def test_colours_are_forced_or_forbidden() -> None:
    arguments = ("score", KEY, ALPHA, BETA)
    assert "\x1b[1m" not in run(*arguments).stdout
    assert "\x1b[1m" in run(*arguments, FORCE_COLOR="1").stdout
    plain = run(*arguments, FORCE_COLOR="1", NO_COLOR="1", COLUMNS="200").stdout
    assert plain == run(*arguments).stdout


def test_a_narrow_terminal_gets_narrow_tables() -> None:
    shown = run("score", KEY, ALPHA, BETA, FORCE_COLOR="1", NO_COLOR="1", COLUMNS="60").stdout
    signature = referee.Protocol().signature
    assert max(len(line) for line in shown.splitlines() if line != signature) <= 60
    assert "CoNLL" in shown


@pytest.mark.parametrize("command", ["score", "compare", "errors", "agree"])
def test_notices_are_in_json_too(command: str, tmp_path: Path) -> None:
    words = "#begin document d\nhe (1)|(1)\nhim (1)\n\n#end document\n"
    paths = [tmp_path / f"{name}.conll" for name in "abc"]
    for path in paths:
        path.write_text(words, encoding="utf-8")
    shown = run(command, *map(str, paths), "-f", "json", "--verbose")
    told = [line.removeprefix("note: ") for line in shown.stderr.splitlines()]
    assert told
    assert [in_options(notice) for notice in json.loads(shown.stdout)["notices"]] == told


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("give key_variable='K' or insecure=True", "give --key-variable K or --insecure"),
        ("on_bad_parse='skip' and bad_parses='skip'", "--on-bad-parse skip and --on-bad-parse skip"),
        ("groups= of scope='group', form='conll'", "--scope FILE of --scope group, --to conll"),
        ("threshold=… and units=False", "threshold=… and units=False"),
    ],
)  # fmt: skip
def test_keywords_become_options(message: str, said: str) -> None:
    assert in_options(message) == said


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["score", KEY, ALPHA, "-m", "b_cubd"], "b_cubed"),
        (["score", KEY, ALPHA, "-m", "muk"], "muc"),
        (["score", KEY, ALPHA, "--match", "haed"], "head"),
        (["score", KEY, ALPHA, "-p", "crosdoc"], "crossdoc"),
        (["errors", KEY, ALPHA, "-t", "gain"], "gains"),
        (["compare", KEY, ALPHA, BETA, "--baseline", "bete"], "beta"),
    ],
)
def test_the_nearest_name_is_suggested(arguments: list[str], meant: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert f"did you mean {meant}?" in " ".join(shown.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (["compare", "no", "such", "files", "--plot", "x"], "matplotlib"),
        (["spans", "no-such-file", "--plot", "x.png"], "matplotlib"),
        (["errors", "no-such-file", "x", "--nlp", "spacy"], "spacy"),
        (["topics", "no-such-file"], "sklearn"),
    ],
)
def test_a_missing_extra_is_named_before_any_work(
    arguments: list[str], package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    shown = run(*arguments)
    assert shown.exit_code == 1
    assert "is not installed: pip install 'referee-coref[" in shown.stderr


def test_completion_names_commands_without_loading_them() -> None:
    asked = {
        **os.environ,
        "_REFEREE_COMPLETE": "bash_complete",
        "COMP_WORDS": "referee co",
        "COMP_CWORD": "1",
    }
    code = "from referee.cli import main\ntry: main(prog_name='referee')\n"
    code += "finally: import sys; print('numpy' in sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=asked, check=False
    )
    assert shown.stdout.split() == ["plain,compare", "plain,components", "plain,convert", "False"]


@pytest.mark.parametrize("surrogate", [0xDCF6, 0xD800])
def test_odd_words_and_trees_that_cannot_be_read(surrogate: int, tmp_path: Path) -> None:
    """A lone surrogate, from odd bytes or from JSON, goes wherever words go."""
    word = f"d{chr(surrogate)}g"
    value = {"doc_key": "d", "sentences": [["The", word, "ran"]], "clusters": [[[0, 1], [2, 2]]]}
    (tmp_path / "key.jsonl").write_text(json.dumps(value) + "\n", encoding="utf-8")
    (tmp_path / "trees.ptb").write_text("(TOP (NP (DT The) (NN x)\n", encoding="utf-8")
    key = str(tmp_path / "key.jsonl")
    for arguments in (["spans", key, "--parses", str(tmp_path / "trees.ptb"), "--on-bad-parse", "skip"],
                      ["errors", key, key, "--list"], ["score", key, key, "--by", "document"]):  # fmt: skip
        shown = run(*arguments)
        assert shown.exception is None or isinstance(shown.exception, SystemExit), shown.exception
