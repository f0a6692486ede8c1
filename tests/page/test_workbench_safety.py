"""Texts run nothing in the workbench, nothing leaves the machine, and strangers get nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

import referee
from bench_page import Hands, workbench_page
from chromium import Browser
from referee.model import Cluster, Document, Mention

RUNS = "<img src=x onerror=window.ran=1>"
BREAKS = "\"'><script>window.ran=2</script>"
MARKS = "‮</style></title>${window.ran=3}"
WORDS = [RUNS, BREAKS, "javascript:window.ran=4", MARKS, "&lt;b&gt;", "\u2028", RUNS, "she", "."]
NAME = BREAKS + RUNS


@contextmanager
def blank_page() -> Iterator[str]:
    """Serve an empty page of another origin."""

    class Blank(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>another</title>")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def hostile(chromium: Browser, tmp_path: Path) -> Iterator[Hands]:
    clusters = [
        Cluster(NAME, (Mention.at(0, 2), Mention.at(7, 8)), RUNS),
        Cluster("2", (Mention.at(3, 5), replace(Mention.at(6, 7), link_score=0.2))),
    ]
    text = Document.of(NAME, WORDS, [(0, 6), (6, 9)], clusters)
    other = Document.of(NAME, WORDS, [(0, 6), (6, 9)], [Cluster(NAME, (Mention.at(0, 1), Mention.at(6, 7)))])
    folder = tmp_path / "<img src=x onerror=window.ran=5>"
    folder.mkdir()
    for name, document in (("<script>a", text), ("<script>key", other), ("<script>b", other)):
        referee.write([document], folder / f"{name}.jsonl")
    source, key, system = (folder / f"<script>{name}.jsonl" for name in ("a", "key", "b"))
    with workbench_page(chromium, source, key=key, systems=[system], who=NAME) as hands:
        yield hands


def test_hostile_words_and_names_run_nothing(hostile: Hands, tmp_path: Path) -> None:
    page = hostile.page
    before = page.run("document.querySelectorAll('script, img, style, iframe').length")
    hostile.press("j", "1", "2", "3", "4", "5", "6", "d", "o", "i", "a", "1", "j")
    for keys, written in (("m", ""), ("g", ""), ("F2", NAME), ("y", BREAKS), ("?", "")):
        page.press("Escape", "j", keys)
        if written:
            hostile.write(written)
            hostile.press("Enter")
        page.press("Escape")
    assert hostile.export("jsonlines", tmp_path / "files").exists()
    hostile.open()
    assert page.run("document.querySelectorAll('script, img, style, iframe').length") == before == 1
    assert page.run("window.ran") is None
    shown = page.run("[...document.querySelectorAll('.w')].map(word => word.firstChild.data)")
    assert shown == WORDS


def test_markup_that_got_into_the_page_would_run_nothing(hostile: Hands) -> None:
    page = hostile.page
    page.run(f"document.body.insertAdjacentHTML('beforeend', {json.dumps(RUNS)})")
    page.run(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 6'}))"
    )
    page.wait("document.querySelector('body > img').complete")
    page.settle()
    assert page.run("window.ran") is None
    assert all("Content Security Policy" in said for said in page.complaints)
    assert len(page.complaints) >= 2
    page.complaints.clear()


def test_a_page_of_another_origin_gets_nothing_and_changes_nothing(hostile: Hands) -> None:
    page, opened = hostile.page, hostile.opened
    api, token = f"http://127.0.0.1:{opened.port}/workbench/api/", opened.address.partition("#token=")[2]
    edit = {"revision": 0, "edit": {"op": "detach", "mention": "m0"}}
    with blank_page() as elsewhere, page.another_tab():
        page.open(elsewhere)
        for options in ({}, {"headers": {"Authorization": f"Bearer {token}"}}, {"credentials": "include"}):
            asked = f"fetch('{api}state', {json.dumps(options)}).then(a => a.text(), () => 'refused')"
            assert page.run(asked) == "refused"
        for kind in ("text/plain", "application/x-www-form-urlencoded"):
            sent = {"method": "POST", "mode": "no-cors", "headers": {"Content-Type": kind}}
            sent["body"] = json.dumps(edit)
            page.run(f"fetch('{api}documents/0/edits', {json.dumps(sent)}).catch(() => 0).then(() => 1)")
        page.run(
            "new Promise(done => { const frame = document.createElement('iframe'); frame.onload = done;"
            f" frame.src = {json.dumps(opened.address)}; document.body.append(frame); }})"
        )
        assert page.run("frames[0].length") == 0
        assert page.run("(() => { try { return frames[0].document } catch { return null } })()") is None
    assert hostile.document.history.revision == 0
    page.complaints.clear()
    page.requests.clear()


def test_wrong_names_of_the_host_and_callers_without_the_token_get_nothing(hostile: Hands) -> None:
    opened = hostile.opened
    token = opened.address.partition("#token=")[2]
    given = {"Authorization": f"Bearer {token}", "X-Referee": "1"}
    undo = {"revision": 0}
    with httpx.Client(base_url=f"http://127.0.0.1:{opened.port}/workbench/", trust_env=False) as stranger:
        assert stranger.get("api/state", headers=given).status_code == 200
        for path in (
            "api/state",
            "api/documents/0",
            "api/export?format=jsonlines",
            "api/documents/0/overlay",
        ):
            for wrong, status in (
                ({}, 401),
                ({"Authorization": "Bearer guessed"}, 401),
                ({**given, "Host": "evil.example"}, 421),
                ({**given, "Host": f"evil.example:{opened.port}"}, 421),
                ({**given, "Origin": "http://evil.example"}, 403),
                ({**given, "Origin": "null"}, 403),
            ):
                answer = stranger.get(path, headers=wrong)
                assert (answer.status_code, "img" in answer.text) == (status, False)
                assert stranger.post(path, headers=wrong, json=undo).status_code == status
        page = stranger.get("")
        assert "'unsafe-inline'" not in page.headers["content-security-policy"]
        assert page.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert "onerror" not in page.text  # the page alone holds nothing of the document
