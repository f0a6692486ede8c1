"""The metrics page: its worked examples and its playground compute what Referee computes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import referee
from chromium import Browser

METRICS = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
HALF = 0.00501  # of the last digit that the page shows
RATES = ("recall", "precision", "f1")
SHOWN = """Object.fromEntries([...document.querySelectorAll(".playground tbody tr")].map(row =>
    [row.dataset.metric, [...row.cells].slice(1, 4).map(cell => cell.textContent)]))"""
DRAG_E = """for (const [event, name] of [["dragstart", "[data-mention=e]"], ["drop", "[data-target='2']"]])
    document.querySelector(`[data-side=response] ${name}`).dispatchEvent(
    new DragEvent(event, {dataTransfer: new DataTransfer(), bubbles: true}))"""
SIDES = """["key", "response"].map(side => [...document.querySelectorAll(
    `[data-side=${side}] .entity`)].filter(box => !isNaN(box.dataset.target)).map(
    box => [...box.querySelectorAll(".mention")].map(chip => chip.dataset.mention)))"""


def random_partition(draw: random.Random) -> list[list[str]]:
    """Put some of the letters a to i into up to five entities."""
    entities: dict[int, list[str]] = {}
    for letter in "abcdefghi":
        entities.setdefault(draw.randrange(6), []).append(letter)
    return [entity for number, entity in entities.items() if number]  # those of 0 are left out


def test_worked_examples_count_as_referee_does(site: Path, chromium: Browser) -> None:
    chromium.open((site / "metrics.html").as_uri())
    draw = random.Random(5)
    for _ in range(60):
        key, response = random_partition(draw), random_partition(draw)
        told = [" | ".join(" ".join(cluster) for cluster in side) for side in (key, response)]
        shown = chromium.run(f"workedExample({json.dumps(told[0])}, {json.dumps(told[1])})")
        result = referee.score(key, response)
        for name in METRICS:
            score = getattr(result, name)
            here = [shown[name][rate] for rate in ("recall", "precision", "f1")]
            assert here == pytest.approx([score.recall, score.precision, score.f1]), (name, told)
        assert shown["conll"]["f1"] == pytest.approx(result.conll), told


def test_a_worked_example_can_be_changed(site: Path, chromium: Browser) -> None:
    chromium.open((site / "metrics.html").as_uri())
    verdict = "document.querySelector('.worked-example[data-metric=muc] .verdict').textContent"
    assert chromium.run(verdict) == "MUC: recall 40, precision 40, F1 40"
    chromium.run(
        "{const input = document.querySelector('.worked-example[data-metric=lea] input[name=response]');"
        " input.value = 'a b c | d e f g'; input.dispatchEvent(new Event('input'));}"
    )
    assert chromium.run(verdict) == "MUC: recall 100, precision 100, F1 100"
    chromium.run(
        "{const input = document.querySelector('.worked-example[data-metric=muc] input[name=key]');"
        " input.value = 'a a'; input.dispatchEvent(new Event('input'));}"
    )
    problem = chromium.run("document.querySelector('.worked-example[data-metric=muc] .problem').textContent")
    assert problem == "a is there twice; each mention belongs to one entity"


def written(clusters: Sequence[Sequence[str]]) -> str:
    return " | ".join(" ".join(cluster) for cluster in clusters)


def assert_scores_are_those_of_referee(chromium: Browser) -> None:
    """Compare what the playground shows with the scores of the entities that it shows."""
    key, response = chromium.run(SIDES)
    result, shown = referee.score(key, response), chromium.run(SHOWN)
    for name in METRICS:
        expected = [100 * getattr(getattr(result, name), rate) for rate in RATES]
        assert list(map(float, shown[name])) == pytest.approx(expected, abs=HALF), (name, key, response)
    assert float(shown["conll"][2]) == pytest.approx(100 * result.conll, abs=HALF)


def test_the_playground_scores_random_entities_as_referee_does(site: Path, chromium: Browser) -> None:
    chromium.open((site / "metrics.html").as_uri())
    draw = random.Random(24)
    for _ in range(60):
        key, response = random_partition(draw), random_partition(draw)
        detail = json.dumps({"key": written(key), "response": written(response)})
        chromium.run(f"document.dispatchEvent(new CustomEvent('clusters', {{detail: {detail}}}))")
        assert chromium.run(SIDES) == [key, response]
        assert_scores_are_those_of_referee(chromium)


def test_a_mention_is_moved_by_clicks_keys_and_dragging(site: Path, chromium: Browser) -> None:
    chromium.open((site / "metrics.html").as_uri())
    assert chromium.run(SIDES)[1] == [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]
    chromium.click("[data-side=response] [data-mention=c]")
    chromium.click("[data-side=response] [data-target='0'] .here")
    assert chromium.run(SIDES)[1] == [["a", "b", "c"], ["d"], ["f", "g", "h", "i"]]
    assert chromium.run("document.activeElement.dataset.mention") == "c"
    chromium.press("ArrowRight")
    assert chromium.run(SIDES)[1] == [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]
    chromium.run(DRAG_E)
    assert chromium.run(SIDES)[1] == [["a", "b"], ["c", "d"], ["e", "f", "g", "h", "i"]]
    assert_scores_are_those_of_referee(chromium)
    example = "document.querySelector('.worked-example input[name=response]').value"
    assert chromium.run(example) == "a b | c d | e f g h i"


def test_random_moves_leave_scores_that_are_right(site: Path, chromium: Browser) -> None:
    chromium.open((site / "metrics.html").as_uri())
    draw = random.Random(7)
    for _ in range(40):
        side, mention = draw.choice(("key", "response")), draw.choice("abcdefghi")
        key = draw.choice(("ArrowLeft", "ArrowRight"))
        chromium.run(f"document.querySelector('[data-side={side}] [data-mention={mention}]').focus()")
        chromium.press(key)
        assert_scores_are_those_of_referee(chromium)


def test_a_mention_can_be_added(site: Path, chromium: Browser) -> None:
    chromium.open((site / "metrics.html").as_uri())
    chromium.click(".playground .more-mentions")
    chromium.click("[data-side=key] [data-mention=j]")
    chromium.click("[data-side=key] [data-target=new] .here")
    assert chromium.run(SIDES)[0][-1] == ["j"]
    assert_scores_are_those_of_referee(chromium)
