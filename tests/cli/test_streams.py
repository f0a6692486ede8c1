"""Standard streams that are closed or full: an error in one line, never a result lost in silence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import referee

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha"))
RESULTS = {  # commands whose result goes to standard output
    "score": ["score", KEY, ALPHA],
    "score in JSON": ["score", KEY, ALPHA, "-f", "json"],
    "errors": ["errors", KEY, ALPHA, "--list"],
    "stats": ["stats", KEY],
    "convert": ["convert", KEY, "-", "--to", "jsonlines"],
    "help": ["score", "--help"],
}
TO_FILES = {  # commands whose result goes to a file
    "score": ["score", KEY, ALPHA, "-o", "out"],
    "report": ["report", KEY, ALPHA, "-o", "out"],
    "convert": ["convert", KEY, "out", "--to", "jsonlines"],
}


def run(words: list[str], streams: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that closes or redirects streams."""
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-m", "referee", *words]
    return subprocess.run(shell, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("streams", [">&-", ">&- <&-", ">/dev/full"])
@pytest.mark.parametrize("command", RESULTS)
def test_a_result_that_cannot_be_written_is_an_error(command: str, streams: str, tmp_path: Path) -> None:
    if streams.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    done = run(RESULTS[command], streams, tmp_path)
    assert done.returncode == 1
    *_, last = done.stderr.splitlines()
    assert last in ("Error: standard output: Bad file descriptor",
                    "Error: standard output: No space left on device")  # fmt: skip
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module", params=TO_FILES)
def to_a_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """A command and what it writes where all streams are open."""
    folder = tmp_path_factory.mktemp("open")
    usual = run(TO_FILES[request.param], "", folder)
    assert usual.returncode == 0, usual.stderr
    return request.param, (folder / "out").read_bytes()


@pytest.mark.parametrize("streams", [">&-", "<&-", "2>&-", ">&- 2>&- <&-"])
def test_a_result_in_a_file_needs_no_streams(
    to_a_file: tuple[str, bytes], streams: str, tmp_path: Path
) -> None:
    """And no file takes the number of a closed stream, or notices would be written into it."""
    command, usual = to_a_file
    done = run(TO_FILES[command], streams, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").read_bytes() == usual


def test_notices_that_nobody_can_read_do_not_fail(tmp_path: Path) -> None:
    usual, done = (run(RESULTS["score"], streams, tmp_path) for streams in ("", "2>&-"))
    assert (done.returncode, done.stdout) == (0, usual.stdout)


def test_a_closed_standard_input_is_named(tmp_path: Path) -> None:
    done = run(["stats", "-"], "<&-", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "Error: standard input is closed; give a file instead of '-'\n"
