"""Requests wait in line; what takes too long, ends its process or has lost its caller holds up nobody."""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import referee
from referee.service import lanes
from referee.service.settings import Limits, ServiceSettings
from running_service import running
from service_resolvers import install_odd

LIMITS = Limits(seconds=3, waiting=4)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        install_odd(tmp_path_factory.mktemp("packages"), patch)
        patch.setattr(lanes, "PATIENCE", 0.2)
        with running(ServiceSettings(limits=LIMITS, resolver="odd"), works=True) as client:
            yield client


def asked(service: httpx.Client, text: str) -> httpx.Response:
    return service.post("/resolve", json={"texts": text})


def done(service: httpx.Client, text: str) -> bool:
    """Ask until it is done: a process that was ended takes a while to start again."""
    for _ in range(20):
        if (answer := asked(service, text)).status_code != 503:
            return answer.status_code == 200
    return False


def metric(service: httpx.Client, name: str) -> float:
    lines = service.get("/metrics").text.splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))


def test_a_resolver_may_print(service: httpx.Client) -> None:
    answer = asked(service, "Ann slept")
    assert answer.status_code == 200
    assert answer.json()["results"][0]["tokens"] == ["Ann", "slept"]


def test_work_that_takes_too_long_is_ended_and_the_next_is_done(service: httpx.Client) -> None:
    before, started = metric(service, "referee_restarts_total"), time.monotonic()
    answer = asked(service, "sleep 60")
    assert answer.status_code == 504
    assert "took more than 3 seconds" in answer.json()["detail"]
    assert time.monotonic() - started < 30
    assert done(service, "Ann slept")
    assert metric(service, "referee_restarts_total") == before + 1


def test_a_process_that_ends_is_started_again(service: httpx.Client) -> None:
    answer = asked(service, "die now")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert done(service, "Ann slept")


def test_too_much_memory_is_too_large(service: httpx.Client) -> None:
    assert asked(service, "hoard all").status_code == 413


def test_an_unexpected_error_says_nothing_of_itself(service: httpx.Client) -> None:
    answer = asked(service, "fail now")
    assert answer.status_code == 500
    assert "private" not in answer.text
    assert "ValueError" not in answer.text


def test_what_is_more_than_the_queue_is_told_to_come_again(service: httpx.Client) -> None:
    with ThreadPoolExecutor(12) as threads:
        answers = [*threads.map(lambda _: asked(service, "sleep 0.2"), range(12))]
    statuses = sorted(answer.status_code for answer in answers)
    assert {*statuses} == {200, 429}
    assert statuses.count(200) >= LIMITS.waiting
    assert all(int(each.headers["retry-after"]) >= 1 for each in answers if each.status_code == 429)
    assert metric(service, "referee_waiting") == 0


def asked_together(service: httpx.Client, texts: list[str]) -> list[httpx.Response]:
    """Ask several things while the process is busy, so that they wait and are handed over together."""
    with ThreadPoolExecutor(len(texts) + 1) as threads:
        first = threads.submit(asked, service, "sleep 0.5")
        time.sleep(0.2)
        answers = []
        for text in texts:
            answers.append(threads.submit(asked, service, text))
            time.sleep(0.02)  # in this order
        assert first.result().status_code == 200
        return [answer.result() for answer in answers]


def test_each_of_those_that_are_handed_over_together_gets_its_own_answer(service: httpx.Client) -> None:
    texts = ["Ann slept", "Bo woke up", "Cy"]
    assert [each.content for each in asked_together(service, texts)] == [
        asked(service, text).content for text in texts
    ]


@pytest.mark.parametrize(("order", "status"), [("die now", 503), ("fail now", 500), ("sleep 60", 504)])
def test_one_that_goes_wrong_spoils_none_of_the_others(
    service: httpx.Client, order: str, status: int
) -> None:
    answers = asked_together(service, ["Ann slept", order, "Bo woke up"])
    assert [each.status_code for each in answers] == [200, status, 200]
    assert answers[2].json()["results"][0]["tokens"] == ["Bo", "woke", "up"]


@pytest.mark.usefixtures("service")
def test_nothing_stays_on_the_disk(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path))
        with running(ServiceSettings(limits=LIMITS, resolver="odd"), works=True) as other:
            assert done(other, "Ann slept")
            assert asked(other, "die now").status_code == 503
            assert done(other, "Ann slept")
            file = {"name": "a.conll", "text": "x"}
            assert other.post("/validate", json={"files": [file]}).status_code == 200
            assert [*tmp_path.rglob("*")]
            assert not [*tmp_path.rglob("*.conll")]
        assert not [*tmp_path.iterdir()]


def leave(service: httpx.Client, text: str) -> None:
    """Send a request and go away without an answer."""
    body = b'{"texts": "%s"}' % text.encode()
    head = b"POST /resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with socket.create_connection((service.base_url.host, service.base_url.port or 0)) as line:
        line.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        time.sleep(0.1)


def test_a_waiting_request_whose_caller_goes_away_is_dropped(service: httpx.Client) -> None:
    started = time.monotonic()
    first = threading.Thread(target=asked, args=(service, "sleep 1"))
    first.start()
    time.sleep(0.2)
    for _ in range(3):
        leave(service, "sleep 2.5")
    time.sleep(0.1)
    assert metric(service, "referee_waiting") == 1
    assert done(service, "Ann slept")
    assert time.monotonic() - started < 2.5
    first.join()


def test_the_work_of_a_caller_who_went_away_is_ended(service: httpx.Client) -> None:
    before = metric(service, "referee_restarts_total")
    leave(service, "sleep 2.9")
    assert done(service, "Ann slept")
    assert metric(service, "referee_restarts_total") == before + 1


@pytest.mark.parametrize(
    "order", ["read /etc/hostname", "list /etc", "write /tmp/x", "connect 1", "run true"]
)
def test_work_cannot_reach_out_of_its_folder(service: httpx.Client, order: str, tmp_path: Path) -> None:
    if order.startswith("write"):
        order = f"write {tmp_path / 'written'}"
    answer = asked(service, order)
    assert answer.status_code == 500
    assert not (tmp_path / "written").exists()


def test_every_side_of_the_service_counts(service: httpx.Client) -> None:
    text = service.get("/metrics").text
    assert 'referee_requests_total{path="/resolve",status="200"}' in text
    service.get("/nobody/knows/this")
    assert "nobody" not in service.get("/metrics").text
    assert metric(service, "referee_words_total") > 0
    assert metric(service, "referee_memory_bytes") > 2**20


def test_a_client_comes_again_when_the_service_is_busy(service: httpx.Client) -> None:
    client = referee.connect(str(service.base_url))
    with ThreadPoolExecutor(8) as threads:
        found = [*threads.map(lambda _: client.resolve("sleep 0.1").clusters, range(8))]
    assert found == [[[(0, 1)]]] * 8
