"""What is no request, or a wrong one, is answered so: no failure of the service, and nothing hangs.

`bench/service.py` sends 10,000 of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

import httpx
import pytest

from malformed_requests import malformed, statuses
from referee.service.settings import ServiceSettings
from running_service import running
from service_resolvers import install_odd

COUNT, KINDS = 360, 12


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        install_odd(tmp_path_factory.mktemp("packages"), patch)
        with running(ServiceSettings(resolver="odd"), works=True) as client:
            yield client


def test_what_is_wrong_is_refused_and_the_next_request_is_answered(service: httpx.Client) -> None:
    found = asyncio.run(statuses(service.base_url.host, service.base_url.port or 0, malformed(COUNT, seed=7)))
    assert {wrong.kind: [] for wrong, _ in found}.keys() == {wrong.kind for wrong in malformed(KINDS)}
    bad = [(wrong, status) for wrong, status in found if status is None or status >= 500]
    assert not [each for each in bad if each[1] != 501]  # a package that is not installed is no failure
    refused = Counter(status for _, status in found)
    assert {400, 403, 404, 405, 413, 415, 421, 422} <= refused.keys()
    assert refused[400] + refused[422] > COUNT / 3
    assert service.post("/resolve", json={"texts": "Ann slept"}).status_code == 200
    figures = service.get("/metrics").text
    assert "referee_restarts_total 0\n" in figures
    assert 'status="500"' not in figures
    assert 'status="499"' in figures  # of those that were cut
