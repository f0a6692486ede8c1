"""What compatibility.py learns from: stories of templates, and annotated texts rewritten."""

from __future__ import annotations

import importlib
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from alike_stories import story_pairs
from referee.model import Cluster, Document, Mention
from referee.resolvers.across.compatibility.adjusting import INPUTS, Adjuster

MODELS = Path(__file__).parents[4] / "models" / "link-en"


@pytest.fixture
def stories(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(MODELS)
    return importlib.import_module("made_stories")


@pytest.fixture
def training(stories: Any) -> Any:
    del stories
    return importlib.import_module("compatibility")


def words_of(document: Document, thing: str) -> set[str]:
    found = next(cluster for cluster in document.clusters if cluster.id == thing)
    return {" ".join(document.words[mention.start : mention.end]) for mention in found.mentions}


def test_tellings_of_an_event_share_things_and_other_events_do_not(stories: Any) -> None:
    groups = list(stories.made_groups(Random(1), 20))
    assert [len(group) for group in groups] == [len(group) for group in stories.made_groups(Random(1), 20)]
    events = 0
    for group in groups:
        by_event: dict[str, list[set[str]]] = {}
        for document in group:
            things = {cluster.id for cluster in document.clusters}
            assert not [word for word in document.words if "{" in word or "|" in word]
            by_event.setdefault(document.id.rpartition("-")[0], []).append(things)
        for event, tellings in by_event.items():
            own = {thing for things in tellings for thing in things if thing[0].isdigit()}
            for other, others in by_event.items():
                assert event == other or not any(own & things for things in others)
            events += len(tellings) > 1 and bool(set.intersection(*tellings))
    assert events > 20


def test_templates_are_not_the_stories_by_which_the_result_is_judged(stories: Any) -> None:
    judged = {" ".join(text.words[at : at + 6]) for pair in story_pairs() for text in pair[1:]
              for at in range(len(text.words) - 6)}  # fmt: skip
    made = {" ".join(document.words[at : at + 6]) for group in stories.made_groups(Random(1), 60)
            for document in group for at in range(len(document.words) - 6)}  # fmt: skip
    assert len(judged & made) < 10


def test_names_numbers_and_days_are_exchanged_alike_wherever_they_occur(stories: Any) -> None:
    told = "On Tuesday Ann Kerr paid 45 dollars ; Kerr may lose 45 more ."
    words = told.split()
    rewriting = stories.Rewriting(stories.World(Random(1)), Random(1))
    changed = rewriting.words(words, {"ann", "kerr"})
    assert changed[3] == changed[8] not in ("Kerr", "Ann")
    assert changed[5] == changed[11] != "45"
    assert changed[1] != "Tuesday"
    same = [0, 4, 6, 7, 9, 10, 12, 13]
    assert [changed[at] for at in same] == [words[at] for at in same]
    document = Document.of("d", words, [(0, len(words))], [Cluster("x", (Mention.at(2, 4),))])
    other = rewriting.document(document, changed)
    assert other.id != "d"
    assert [cluster.id for cluster in other.clusters] == ["other x"]
    assert words_of(other, "other x") == {f"{changed[2]} {changed[3]}"}


def test_what_is_learnt_separates_and_leaves_trusted_scores(training: Any) -> None:
    random = np.random.default_rng(1)
    inputs = np.zeros((4000, len(INPUTS)), np.float32)
    conflict, trusted = INPUTS.index("number other"), np.repeat([0.0, 1.0], 2000)
    inputs[:, conflict] = random.random(4000) < 0.5
    inputs[:, INPUTS.index("subtopic")] = trusted  # the network sees which are which
    inputs[:, INPUTS.index("odds")] = 0.5
    same = np.where(trusted > 0, 1.0, 1.0 - inputs[:, conflict])
    pairs = training.Learning(inputs, same, np.ones(4000), trusted)
    added = Adjuster(training.learned(pairs, 1)).added(inputs)
    assert added[(trusted == 0) & (same == 0)].max() < -3
    assert added[(trusted == 0) & (same == 1)].min() > 0
    assert added[trusted == 1].min() > -0.1
