"""What the service says of itself holds: examples are answered, and the page's requests are too."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from jsonschema import Draft202012Validator

import referee
from referee.resolvers.neural.models import can_run, installed_models
from referee.service.openapi import READS, REFUSALS, WORK, openapi
from running_service import running

PAGE = Path(__file__).parents[2] / "docs" / "service.md"
CURL = re.compile(r"^    (curl (?:.*\\\n)*.*)$", re.MULTILINE)
TEXTS = ["Ann Lee won the prize. She smiled.", "Ann Lee lost the match."]

needs_a_model = pytest.mark.skipif(
    not (can_run() and installed_models()), reason="no model is installed: make models"
)


@pytest.fixture(scope="module")
def service() -> Iterator[httpx.Client]:
    with running(works=True) as client:
        yield client


def test_paths_are_those_of_the_service(service: httpx.Client) -> None:
    told = service.get("/openapi.json").json()
    assert told == openapi()
    assert {*told["paths"]} == {*WORK, *READS}
    for path in READS:
        assert service.get(path).status_code == 200
        assert service.post(path).status_code == 405
    for path in WORK:
        answer = service.get(path)
        assert answer.status_code == 405
        assert answer.json()["detail"] == "this path takes POST, not GET"


@needs_a_model
@pytest.mark.parametrize("path", WORK)
def test_examples_fit_their_schemas_and_are_answered(service: httpx.Client, path: str) -> None:
    told = openapi()
    content = told["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    schema = {**content["schema"], "components": told["components"]}
    assert not [*Draft202012Validator(schema).iter_errors(content["example"])]
    answer = service.post(path, json=content["example"])
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found.get("results") or found.get("files") or "problems" in found


@pytest.mark.parametrize("path", ["/resolve", "/link"])
@pytest.mark.parametrize("name", ["name", "strict", "texts", "resolver", "self", ""])
def test_words_of_the_functions_are_no_settings(service: httpx.Client, path: str, name: str) -> None:
    answer = service.post(path, json={"texts": TEXTS, "settings": {name: 1}})
    assert answer.status_code == 422
    other = service.post(path, json={"texts": TEXTS, "resolver": "x", "settings": {name: 1}})
    assert other.status_code == 422
    assert "there is no resolver 'x'" in other.json()["detail"]


@needs_a_model
def test_texts_are_linked_and_resolved_as_here(service: httpx.Client) -> None:
    with referee.connect(str(service.base_url)) as client:
        there, here = client.link(TEXTS), referee.link(TEXTS)
        assert there == here
        assert [repr(each.to_dict()) for each in there] == [repr(each.to_dict()) for each in here]
        assert there.recurring() == here.recurring()
        assert client.resolve(TEXTS) == referee.resolve(TEXTS)


@needs_a_model
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_what_the_page_asks_with_curl_is_answered(service: httpx.Client) -> None:
    commands = CURL.findall(PAGE.read_text("utf-8"))
    assert len(commands) == 3
    for command in commands:
        words = shlex.split(
            command.replace("\\\n", " ").replace("http://127.0.0.1:8080", str(service.base_url))
        )
        made = subprocess.run([*words, "-sS", "--fail-with-body"], capture_output=True, check=False)
        assert made.returncode == 0, made.stdout + made.stderr


def test_the_page_names_each_path_and_each_refusal() -> None:
    page = PAGE.read_text("utf-8")
    assert not [path for path in (*WORK, *READS) if f"{path}`" not in page]
    assert not [status for status in REFUSALS if status not in page]
