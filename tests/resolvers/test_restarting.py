"""A run that is killed in the middle and run again leaves the same bytes as one that was left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import slow_parts
from dask_cluster import processes_of, wait_until
from referee import formats
from referee.cli.resolve import FOLDER_RECORD
from systems import documents

pytest.importorskip("distributed", reason="the oldest versions are tested without Dask")
PARTS, IN_EACH = 8, 6
ENGINES = {"one": (), "processes": ("--jobs", "2"), "dask": ("--jobs", "2", "--engine", "dask")}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files of some documents each, so that an output is half written for a while."""
    folder = tmp_path_factory.mktemp("inputs")
    made = documents(PARTS * IN_EACH)
    paths = [folder / f"{number}.conll" for number in range(PARTS)]
    for number, path in enumerate(paths):
        formats.write(made[number * IN_EACH : (number + 1) * IN_EACH], path)
    return list(map(str, paths))


@pytest.fixture(scope="module")
def undisturbed(inputs: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    process = begun(inputs, folder)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    return written(folder)


def begun(inputs: list[str], folder: Path, *options: str) -> subprocess.Popen[str]:
    """Start a run in a session of its own."""
    words = ["resolve", "--resolver", "camp", *inputs, "-o", f"{folder / 'out'}/", *options]
    paths = [str(Path(slow_parts.__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SLOW_PARTS": str(folder)}
    return subprocess.Popen(
        [sys.executable, slow_parts.__file__, *words],
        start_new_session=True, env=environment, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def written(folder: Path) -> dict[str, bytes]:
    """Read all outputs and their records, but not that of the run, which says what this run has done."""
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir() if path.name != FOLDER_RECORD}


def finished(folder: Path) -> int:
    return len(list((folder / "out").glob(".*.finished")))


def workers(folder: Path) -> dict[int, list[str]]:
    """List the processes that have resolved documents, and which."""
    files = list(folder.glob("working-*"))
    return {int(file.name.split("-")[1]): file.read_text("utf-8").splitlines() for file in files}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_is_killed_goes_on_where_it_was(
    engine: str, inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    process = begun(inputs, tmp_path, *ENGINES[engine])
    wait_until(lambda: (tmp_path / "out").exists() and finished(tmp_path) >= 2)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    wait_until(lambda: not processes_of(process.pid))  # its workers have ended, too
    before = finished(tmp_path)
    assert 2 <= before < PARTS
    again = begun(inputs, tmp_path, *ENGINES[engine])
    _, said = again.communicate(timeout=60)
    assert again.returncode == 0, said
    assert f"{PARTS - before} of {PARTS} files written, {before} finished before" in said
    assert written(tmp_path) == undisturbed


@pytest.mark.parametrize("engine", ["processes", "dask"])
def test_a_worker_that_is_killed_loses_nothing(
    engine: str, inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    process = begun(inputs, tmp_path, *ENGINES[engine])
    wait_until(lambda: bool(workers(tmp_path)) and finished(tmp_path) >= 1)
    os.kill(min(workers(tmp_path)), signal.SIGKILL)
    _, said = process.communicate(timeout=120)
    if engine == "processes":
        assert process.returncode == 1
        assert said.startswith("Error: a process was killed: out of memory? use fewer jobs")
        assert 1 <= finished(tmp_path) < PARTS
        process = begun(inputs, tmp_path)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    done = written(tmp_path)
    assert {name: done[name] for name in undisturbed} == undisturbed
    left = done.keys() - undisturbed.keys()  # by the worker; no part, and gone with the next run
    assert all(name.endswith(".unfinished") for name in left)
    assert len([text for texts in workers(tmp_path).values() for text in texts]) < 2 * PARTS * IN_EACH


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_is_told_to_end_leaves_nothing_behind(
    engine: str, inputs: list[str], tmp_path: Path
) -> None:
    process = begun(inputs, tmp_path, *ENGINES[engine])
    wait_until(lambda: (tmp_path / "out").exists() and finished(tmp_path) >= 1)
    wait_until(lambda: bool(list((tmp_path / "out").glob("*.unfinished"))))
    os.kill(process.pid, signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, said
    assert "Traceback" not in said
    wait_until(lambda: not processes_of(process.pid))
    assert not list((tmp_path / "out").glob("*.unfinished"))


def test_two_runs_into_one_folder_do_not_disturb_each_other(
    inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    first = begun(inputs, tmp_path)
    wait_until(lambda: bool(list((tmp_path / "out").glob("*.unfinished"))))
    second = begun(inputs[::-1], tmp_path)
    for process in (first, second):
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    assert written(tmp_path) == undisturbed
