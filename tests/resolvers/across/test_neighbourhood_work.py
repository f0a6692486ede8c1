"""Neighbourhoods in several processes and on a cluster: the same clusters, and what killed ones do."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import referee
from dask_cluster import DaskCluster
from fragile_scorer import Fragile
from referee import DaskEngine
from referee.exceptions import EngineError, SettingError
from referee.formats.failures import Failures
from referee.model import Document, DocumentCorpus
from referee.resolvers.across.across import Across
from referee.resolvers.across.model import AcrossModel
from referee.resolvers.across.passages import LowerStates
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.resolving import link_all
from referee.scoring.engines import HERE, Engine, Processes
from surface_scorer import SurfaceScorer

NAMES = ["Oslo", "Bergen", "Philadelphia", "Cheeks", "Sixers", "Nashville", "Lena", "Ortiz"]


def texts(count: int) -> list[Document]:
    """Texts of eight words, of which each shares names with others."""
    return [
        Document.of(f"d{number}", [NAMES[(number * step + step) % 8] for step in range(8)], [(0, 8)], [])
        for number in range(count)
    ]


def linked(engine: Engine, scorer: SurfaceScorer | None = None, **given: object) -> DocumentCorpus:
    resolver = AcrossResolver(scorer or SurfaceScorer(), together=16)
    return resolver.resolve(texts(9), engine=engine, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # workers need the scorers of the tests
        made = DaskCluster(tmp_path_factory.mktemp("cluster"))
        made.add_workers(2)
        yield made
        made.stop()


def test_the_same_clusters_and_joins_with_any_number_of_processes() -> None:
    here = linked(HERE)
    assert any(len(document.clusters) for document in here)
    for count in (2, 3):
        there = linked(Processes(count, "spawn"))
        assert list(there) == list(here)
        assert there == here  # the joins, too


def test_groups_and_given_mentions_go_along() -> None:
    groups = {f"d{number}": "ab"[number % 2] for number in range(9)}
    for more in ({"groups": groups}, {"words": [document.words for document in texts(9)]}):
        assert list(linked(Processes(2, "spawn"), **more)) == list(linked(HERE, **more))


def test_progress_tells_three_steps_of_each_text() -> None:
    for engine in (HERE, Processes(2, "spawn")):
        steps: list[int] = []
        linked(engine, progress=steps.append)
        assert sum(steps) == 3 * 9


def test_a_killed_process_is_said_and_no_text_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.resolvers.across.across.opened_scorer", lambda *_: Fragile())
    monkeypatch.setattr("referee.resolvers.across.resolver.TOGETHER", 16)
    corpus, failures = DocumentCorpus(texts(9), "texts"), Failures()
    with pytest.raises(EngineError, match="a process was killed: out of memory"):
        link_all(Across(scope="document"), corpus, failures, jobs=2)
    assert not failures.found


def test_a_killed_worker_of_a_cluster_loses_nothing(cluster: DaskCluster, tmp_path: Path) -> None:
    with DaskEngine(2, cluster.address) as engine:
        assert list(linked(engine, Fragile(tmp_path / "killed"))) == list(linked(HERE))
    assert (tmp_path / "killed").exists()


def test_a_resolver_that_does_not_divide_its_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Across, "takes_engines", False)
    with pytest.raises(SettingError, match="jobs= needs a resolver that divides its work"):
        referee.link(["Ann Lee won.", "Ann Lee lost."], jobs=2)


def test_a_model_in_memory_does_not_travel() -> None:
    model = AcrossModel.__new__(AcrossModel)
    model.folder = None
    with pytest.raises(SettingError, match="jobs= needs a model in a folder"):
        pickle.dumps(model)


def test_a_worker_must_have_the_same_model(tmp_path: Path) -> None:
    model = AcrossModel.__new__(AcrossModel)
    model.folder = tmp_path
    (tmp_path / "across.json").write_text("{}")
    packed = pickle.dumps(model)
    (tmp_path / "across.json").write_text("{ }")
    with pytest.raises(EngineError, match="a worker has other files in"):
        pickle.loads(packed)
    (tmp_path / "across.json").unlink()
    tmp_path.rmdir()
    with pytest.raises(EngineError, match="a worker has no model"):
        pickle.loads(packed)


def states() -> LowerStates:
    return LowerStates(None, [])  # type: ignore[arg-type]


def test_what_others_have_read_is_found_as_what_was_read_here() -> None:
    here, there = states(), states()
    rows = np.arange(24, dtype=np.float16).reshape(12, 2)
    for number in range(3):
        each = states()
        each.first[number, 0] = each.rows.add(rows[4 * number : 4 * number + 4])
        there.include(*each.handed_over())
        here.first[number, 0] = here.rows.add(rows[4 * number : 4 * number + 4])
        assert not each.first
        assert len(each.rows) == 0
    there.include(*states().handed_over())  # of a neighbourhood in which nothing was read
    for number in range(3):
        assert there.of(number, 0, 2).tolist() == here.of(number, 0, 2).tolist()
