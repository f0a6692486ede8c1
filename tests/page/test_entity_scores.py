"""Scores by type and span in the report: their numbers, and the heat map in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import referee
from chromium import Browser
from open_page import PATHS, count, link, opened, text
from referee.exceptions import ProtocolError, SettingError
from referee.model import Cluster, Document, DocumentCorpus, Mention
from referee.page.entity_scores import COLUMNS

AXE = Path(__file__).parents[2] / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
DOCUMENTS = 10


def corpus(kinds: tuple[str | None, ...], ends: int) -> DocumentCorpus:
    """Make documents of a short entity, and a long one without its last mentions."""
    documents = []
    for number in range(DOCUMENTS):
        starts = ([0, 4], [2, 90, 300][: 3 - ends * (number % 2)])
        clusters = [
            Cluster(str(i), tuple(replace(Mention.at(start, start + 1), type=kind) for start in some))
            for i, (some, kind) in enumerate(zip(starts, kinds, strict=True))
        ]
        documents.append(Document.of(f"d{number}", ("w",) * 310, [(0, 310)], clusters))
    return DocumentCorpus(documents, "made")


KEY = corpus(("place", "person"), ends=0)
RESPONSES = corpus((None, None), ends=1), KEY


def scores() -> dict[str, Any]:
    found: dict[str, Any] = referee.report(KEY, *RESPONSES, names=["worse", "right"]).data["entityScores"]
    return found


def test_numbers_are_those_of_score() -> None:
    value = scores()
    assert value["rows"] == [["person", 30], ["place", 20], ["all", 50]]
    (groups,) = referee.score(KEY, RESPONSES[0], by="entity-type", ci=True).groups or ()
    for (kind, _), row in zip(value["rows"][:2], value["values"][0], strict=False):
        for metric, cell in zip(("mentions", "links"), row, strict=False):
            score = groups[kind][metric]
            assert cell[1:4] == pytest.approx([score.recall, score.precision, score.f1], abs=1e-6)
            assert cell[4] <= cell[3] <= cell[5]
    whole = referee.score(KEY, RESPONSES[0], metric=["mentions", "links"])
    assert [cell[3] for cell in value["values"][0][2][:2]] == pytest.approx(
        [whole.mentions.f1, whole.links.f1], abs=1e-6
    )


def test_spans_are_within_types_and_what_the_key_lacks_is_null() -> None:
    value = scores()
    by_column = dict(zip(COLUMNS, value["values"][0][0], strict=True))
    assert by_column["links", "201–500 words"][0] == 30
    assert by_column["links", "up to 50 words"] is None
    assert [cell and cell[0] for cell in value["values"][1][2]] == [50, 50, 20, None, 30, None]
    assert all(cell is None or cell[3] == 1 for row in value["values"][1] for cell in row)


def test_without_types_there_is_no_table(tmp_path: Path) -> None:
    assert referee.report(PATHS[0], PATHS[1]).data["entityScores"] is None
    bare = corpus((None, None), ends=0)
    referee.write(bare, tmp_path / "bare.jsonl")
    with pytest.raises(ProtocolError, match="no entity has a type"):
        referee.report(bare, bare, types=tmp_path / "bare.jsonl")


def test_types_are_refused_where_units_are_no_documents() -> None:
    with pytest.raises(SettingError, match="types='entity' needs documents as units"):
        referee.report(PATHS[0], PATHS[1], types="entity", scope="corpus", ids="corpus")


def test_types_of_named_entities_make_a_table_with_notices() -> None:
    data = referee.report(PATHS[0], PATHS[1], types="entity").data
    assert [kind for kind, _ in data["entityScores"]["rows"]] == ["PERSON", "ORG", "GPE", "untyped", "all"]
    assert any("entities without a type" in notice for notice in data["notices"])


def test_a_type_for_each_entity_does_not_take_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.page.entity_scores.MOST_TYPES", 1)
    data = referee.report(KEY, KEY).data
    assert [kind for kind, _ in data["entityScores"]["rows"]] == ["person", "all"]
    assert data["entityScores"]["rows"][1][1] == 50
    assert "made: scores by type leave out 1 of 2 types, the rarest" in data["notices"]


@pytest.fixture
def page_with_types(chromium: Browser, tmp_path: Path) -> Any:
    referee.report(KEY, *RESPONSES, names=["worse", "right"]).save(tmp_path / "r.html")
    yield from opened(chromium, tmp_path / "r.html")


def test_a_map_for_each_system_shows_numbers_and_colours(page_with_types: Browser) -> None:
    assert count(page_with_types, ".heat.types") == 2
    first = text(page_with_types, ".heat.types tbody tr td").split("\n")
    value = scores()["values"][0][0][0]
    assert first[0] == f"{100 * value[3]:.1f}"
    assert first[1] == f"{100 * value[4]:.1f} – {100 * value[5]:.1f}"
    style = page_with_types.run("document.querySelector('.heat.types td').style.cssText")
    assert re.search(r"--share: ?(\d+\.\d)%", style)[1] == first[0]  # type: ignore[index]
    assert "none in the key" in page_with_types.run(
        "[...document.querySelectorAll('.heat.types td')].find(c => c.innerText === '·').title"
    )


def test_a_filter_of_systems_holds_for_the_maps(page_with_types: Browser) -> None:
    page_with_types.run(f"location.hash = '{link(view='overview', system='right')}'")
    page_with_types.settle()
    assert count(page_with_types, ".heat.types") == 1
    assert "right" in text(page_with_types, "figure:has(.types) figcaption")


@pytest.fixture
def page_with_axe(page_with_types: Browser) -> Iterator[Browser]:
    """Let another script into the page, which its policy keeps out otherwise."""
    if not AXE.exists():
        pytest.skip("axe-core is not here: make test fetches it where there is npm")
    page_with_types.send("Page.setBypassCSP", enabled=True)
    page_with_types.run("location.reload()")
    page_with_types.wait("!!document.querySelector('.heat.types')")
    page_with_types.run(f"{AXE.read_text('utf-8')}; 1")
    yield page_with_types
    page_with_types.send("Page.setBypassCSP", enabled=False)
    page_with_types.resize(1200, 800)


@pytest.mark.parametrize("width", [1200, 500])
def test_axe_finds_nothing_in_the_maps(page_with_axe: Browser, width: int) -> None:
    page_with_axe.resize(width, 900)
    for theme in ("light", "dark"):
        page_with_axe.run(f"document.documentElement.dataset.theme = '{theme}'")
        found = page_with_axe.run(
            "axe.run('figure:has(.types)', {resultTypes: ['violations']}).then(result => result.violations"
            ".map(each => [each.id, each.nodes[0].html]))"
        )
        assert found == []
