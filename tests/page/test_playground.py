"""The playground of `referee serve`: the page of the workbench, for a text that one writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from bench_page import STATE
from chromium import Browser
from open_page import count, text
from referee.resolvers.base import resolvers
from referee.service.pages import PLAYGROUND, playground
from running_service import running

STORY = Path(referee.__file__).parent / "sample" / "story.txt"


def test_a_text_is_resolved_and_looked_at(chromium: Browser) -> None:
    if not resolvers()["neural"].is_ready():
        pytest.skip("no model is installed: make models installs it")
    story = STORY.read_text("utf-8")
    with running(mounted=[playground()], works=True) as client:
        address = str(client.base_url)
        chromium.complaints.clear()
        chromium.requests.clear()
        chromium.open(f"{address}{PLAYGROUND}")
        chromium.wait("document.getElementById('try').open")
        chromium.click("#try-go")
        assert "first" in text(chromium, "#try-said")
        chromium.run("document.getElementById('try-text').focus()")
        chromium.send("Input.insertText", text=story)
        chromium.click("#try-go")
        chromium.wait("!document.getElementById('try').open && !!document.querySelector('#canvas .w')")
        found = referee.resolve(story, resolver="neural")
        mentions = sum(len(cluster.mentions) for cluster in found.document.clusters)
        assert chromium.run(STATE.format("bench.doc.mentions.size")) == mentions
        assert chromium.run(STATE.format("bench.doc.text(0, 4)")) == "The Lighthouse at Carrow"
        chromium.press("d")
        assert count(chromium, "#canvas .w.chosen") > 0
        chromium.press("x")
        chromium.wait("document.getElementById('toasts').textContent.includes('referee workbench')")
        assert chromium.run(STATE.format("bench.doc.mentions.size")) == mentions
        assert chromium.complaints == []
        assert all(each.startswith((address, "about:", "data:")) for each in chromium.requests)
