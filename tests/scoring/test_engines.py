"""Who does the work changes no bit, and is told of what goes wrong in the same words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from dask_cluster import DaskCluster, dask_cluster, interrupt, processes_of, wait_until
from referee import FormatError, MissingExtra, formats, score
from referee.cli import main
from referee.exceptions import RefereeError
from referee.matching import aligned
from referee.scoring import dask_engine
from referee.scoring.dask_engine import DaskEngine
from referee.scoring.engines import ENGINES, Engine
from referee.scoring.evaluate import evaluate
from referee.scoring.task import Task
from systems import documents, spoiled

pytest.importorskip("distributed", reason="the oldest versions are tested without Dask")
SAMPLE = Path(referee.__file__).parent / "sample" / "key.conll"
SLOW = """
import os, time
from pathlib import Path

def work(batch):
    (Path(__file__).parent / f"started-{os.getpid()}").touch()
    time.sleep(120)
"""
INTERRUPTED = """
import sys, slow
from referee.cli import main
from referee.matching import aligned
from referee.scoring import dask_engine, engines

if __name__ == "__main__":
    aligned.BATCH = 1
    for engine in (dask_engine.DaskEngine, engines.Processes):
        engine.map = (lambda old: lambda self, work, batches: old(self, slow.work, batches))(engine.map)
    main(sys.argv[1:])
"""

KILLED = """
import os, signal, sys, time
from referee.scoring.engines import Processes

def work(batch):
    if batch[0] == 0:  # the one that holds the lock of the pipe is killed, while the other waits for it
        frame = sys._getframe()
        while "result_queue" not in frame.f_locals:
            frame = frame.f_back
        frame.f_locals["result_queue"]._wlock.acquire()
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    print(list(Processes(2, "fork").map(work, [range(1, 2), range(1), range(2, 3)])))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and two systems, as files."""
    folder = tmp_path_factory.mktemp("runs")
    key = documents(40)
    formats.write(key, folder / "key.conll")
    for number, name in enumerate(("a", "b")):
        formats.write(spoiled(key, 0.2, number), folder / f"{name}.conll")
    return folder


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def local() -> Iterator[DaskEngine]:
    with DaskEngine(2) as engine:
        yield engine


@pytest.fixture
def remote(cluster: DaskCluster) -> Iterator[DaskEngine]:
    with DaskEngine(1, cluster.address) as engine:
        yield engine


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "BATCH", 1)  # a batch for each document


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def paths(folder: Path, *names: str) -> list[str]:
    return [str(folder / f"{name}.conll") for name in names]


COMMANDS = {
    "score": ("score", "--by", "document"),
    "compare": ("compare", "--samples", "100"),
    "errors": ("errors", "-t", "all"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_print_the_same_whoever_works(
    runs: Path, cluster: DaskCluster, local: DaskEngine, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [COMMANDS[command][0], *paths(runs, "key", "a", "b"), *COMMANDS[command][1:], "-f", "json", "-q"]
    expected = run(*words)
    assert expected.exit_code == 0
    assert expected.output.startswith(("{", "["))
    assert run(*words, "--jobs", "2").output == expected.output
    remote = ("--engine", "dask", "--scheduler", cluster.address)
    assert run(*words, *remote).output == expected.output
    monkeypatch.setitem(ENGINES, "dask", lambda *_: local)  # one start is enough
    monkeypatch.setattr(local, "close", lambda: None)
    assert run(*words, "--engine", "dask").output == expected.output


def test_the_report_is_the_same(runs: Path, cluster: DaskCluster, tmp_path: Path) -> None:
    words = ["report", *paths(runs, "key", "a"), "-q", "-o"]
    assert run(*words, str(tmp_path / "one.html")).exit_code == 0
    options = ("--engine", "dask", "--scheduler", cluster.address)
    assert run(*words, str(tmp_path / "cluster.html"), *options).exit_code == 0
    assert (tmp_path / "cluster.html").read_bytes() == (tmp_path / "one.html").read_bytes()


def test_a_local_cluster_is_of_this_machine_alone(local: DaskEngine, runs: Path) -> None:
    referee.score(*paths(runs, "key", "a"), jobs=local)
    client = local.connected()
    workers = client.scheduler_info(n_workers=-1)["workers"]
    assert [worker["nthreads"] for worker in workers.values()] == [1, 1]
    listening = [_listening(pid) for pid in (os.getpid(), *client.run(os.getpid).values())]
    assert all(listening)
    assert {address for addresses in listening for address in addresses} == {"0100007F"}  # 127.0.0.1


def _listening(pid: int) -> list[str]:
    """List the addresses, in hexadecimal, at which a process listens."""
    sockets = {f"socket:[{row[9]}]": row[1] for row in _connections() if row[3] == "0A"}
    opened = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it may be closed by now
            opened.append(str(link.readlink()))
    return [sockets[name].split(":")[0] for name in opened if name in sockets]


def _connections() -> list[list[str]]:
    return [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]


def test_a_killed_worker_loses_nothing(runs: Path, cluster: DaskCluster, remote: DaskEngine) -> None:
    key, response = (referee.read(path) for path in paths(runs, "key", "a"))
    killed: list[int] = []

    def kill(_: int) -> None:
        if not killed:
            killed.append(cluster.workers[-1].pid)
            cluster.kill_worker()
            cluster.add_workers(1)

    assert evaluate(Task.of(key, response, jobs=remote), progress=kill) == evaluate(Task.of(key, response))
    assert killed


def test_all_workers_may_be_replaced(runs: Path, cluster: DaskCluster, remote: DaskEngine) -> None:
    """Then the work itself is gone, and travels once more."""
    key, response = (referee.read(path) for path in paths(runs, "key", "b"))
    steps: list[int] = []

    def kill(step: int) -> None:
        if not steps:
            for _ in range(len(cluster.workers)):
                cluster.kill_worker()
            cluster.add_workers(2)
        steps.append(step)

    assert evaluate(Task.of(key, response, jobs=remote), progress=kill) == evaluate(Task.of(key, response))
    assert steps == [1] * len(key)


def test_workers_of_several_threads_do_not_mix_files(runs: Path, cluster: DaskCluster) -> None:
    cluster.add_workers(1, threads=4)
    expected = referee.score(*paths(runs, "key", "a"))
    with DaskEngine(1, cluster.address) as engine:
        engine.connected().wait_for_workers(3, timeout=60)
        assert referee.score(*paths(runs, "key", "a"), jobs=engine) == expected
    cluster.kill_worker()


def test_a_worker_of_another_version_is_refused(
    runs: Path, remote: DaskEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_engine, "__version__", "0.0.1")
    message = rf"tcp://.*: this worker has Referee {referee.__version__}, but the work was planned by 0.0.1"
    with pytest.raises(RefereeError, match=message):
        referee.score(*paths(runs, "key", "a"), jobs=remote)


@pytest.fixture(params=["one", "processes", "remote"])
def engine(request: pytest.FixtureRequest) -> Engine:
    name: str = request.param
    if name == "remote":
        remote: Engine = request.getfixturevalue("remote")
        return remote
    return ENGINES["processes"](1 if name == "one" else 2)


def test_a_file_that_changes_is_named(runs: Path, engine: Engine, tmp_path: Path) -> None:
    content = (runs / "a.conll").read_bytes()
    (tmp_path / "a.conll").write_bytes(content)
    key, response = referee.read(runs / "key.conll"), referee.read(tmp_path / "a.conll")
    (tmp_path / "a.conll").write_bytes(content.replace(b"w1\t", b"w2\t", 1) + b"\n")
    with pytest.raises(FormatError, match=r"a\.conll: has changed since it was opened"):
        score(key, response, jobs=engine)


def test_a_bad_document_is_told_by_file_and_line(runs: Path, engine: Engine, tmp_path: Path) -> None:
    lines = (runs / "a.conll").read_text(encoding="utf-8").splitlines(keepends=True)
    bad = [number for number, line in enumerate(lines, start=1) if line.endswith("\t-\n")]
    for number in (bad[len(bad) // 2], bad[-1]):
        lines[number - 1] = lines[number - 1].replace("\t-\n", "\t9)\n")
    (tmp_path / "bad.conll").write_text("".join(lines), encoding="utf-8")
    with pytest.raises(FormatError, match=rf"bad\.conll:{bad[len(bad) // 2]}: "):
        referee.score(runs / "key.conll", tmp_path / "bad.conll", jobs=engine, strict=True)
    with pytest.warns(referee.FailureWarning, match="^2 documents failed: "):
        result = referee.score(runs / "key.conll", tmp_path / "bad.conll", jobs=engine)
    told = [failure.reason.split(":")[0] for failure in result.failures]
    assert told == [f"line {number}" for number in (bad[len(bad) // 2], bad[-1])]


@pytest.mark.parametrize("options", [("--jobs", "2"), ("--jobs", "2", "--engine", "dask")])
def test_ctrl_c_leaves_nothing_behind(runs: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    (tmp_path / "interrupted.py").write_text(INTERRUPTED, encoding="utf-8")
    words = ["score", *paths(runs, "key", "a"), "-o", str(tmp_path / "out.txt"), *options]
    command = [sys.executable, str(tmp_path / "interrupted.py"), *words]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    process = subprocess.Popen(
        command, start_new_session=True, stderr=subprocess.PIPE, text=True, env=environment
    )
    wait_until(lambda: len(list(tmp_path.glob("started-*"))) == 2)
    interrupt(process.pid)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.split() == ["Aborted!"]
    wait_until(lambda: not processes_of(process.pid))
    assert not list(tmp_path.glob("*out.txt*"))


def test_a_worker_that_waits_for_one_that_was_killed_ends_too(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED, "utf-8")
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=30)
    assert "EngineError: a process was killed: out of memory? use fewer jobs" in ended.stderr


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--scheduler here needs --engine dask" in run("score", "k", "r", "--scheduler", "here").output
    monkeypatch.setattr(dask_engine, "PATIENCE", 0.2)
    nowhere = run("score", *2 * [str(SAMPLE)], "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert nowhere.exit_code == 1
    assert nowhere.output.startswith("Error: tcp://127.0.0.1:9: no Dask scheduler answers at this address")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        MissingExtra, match=r"^Dask is not installed: pip install 'referee-coref\[cluster\]'$"
    ):
        ENGINES["dask"](2)
