"""Told to stop, the service finishes what it works on, takes nothing more, and ends with status 0."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from service_resolvers import install_odd

COMMAND = (sys.executable, "-m", "referee", "serve", "--port", "0", "--resolver", "odd")
TOKEN = "a-token-of-the-tests"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """Run the command, and give its process, its address and its log."""
    with pytest.MonkeyPatch.context() as patch:
        install_odd(tmp_path, patch)
    log, paths = tmp_path / "log", os.pathsep.join([str(tmp_path), *sys.path])
    (tmp_path / "temporary").mkdir()
    environment = {
        **os.environ, "PYTHONPATH": paths, "REFEREE_TOKEN": TOKEN, "TMPDIR": str(tmp_path / "temporary"),
    }  # fmt: skip
    with log.open("wb") as written, subprocess.Popen(COMMAND, stderr=written, env=environment) as process:
        address = None
        while address is None and process.poll() is None:
            time.sleep(0.05)
            address = re.search(r"http://[\d.:]+", log.read_text("utf-8"))
        assert address is not None, log.read_text("utf-8")
        try:
            yield process, address[0], log
        finally:
            process.kill()


def asked(address: str, text: str) -> int:
    given = {"authorization": f"Bearer {TOKEN}"}
    made = httpx.post(f"{address}/resolve", json={"texts": text}, headers=given, timeout=60, trust_env=False)
    return made.status_code


def test_what_runs_is_finished(served: tuple[subprocess.Popen[bytes], str, Path]) -> None:
    process, address, log = served
    assert asked(address, "Ann slept") == 200
    with ThreadPoolExecutor(3) as threads:
        running = [threads.submit(asked, address, "sleep 1") for _ in range(3)]
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        with pytest.raises(httpx.ConnectError):
            asked(address, "Ann slept")
        assert [each.result() for each in running] == [200, 200, 200]
    assert process.wait(30) == 0
    said = log.read_text("utf-8")
    assert "referee has stopped" in said
    assert TOKEN not in said
    assert not [*(log.parent / "temporary").iterdir()]


def test_a_second_signal_does_not_wait(served: tuple[subprocess.Popen[bytes], str, Path]) -> None:
    process, address, _ = served
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(asked, address, "sleep 50")
        time.sleep(0.5)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.wait(40)
        assert time.monotonic() - started < 30
        try:
            status = running.result()
        except httpx.HTTPError:  # the connection was closed before an answer
            status = 503
        assert status == 503
