"""Studies of errors under CorefUD's protocols start from the pairs that matching made."""

from __future__ import annotations

from pathlib import Path

import pytest

from nasty_conllu import nasty_pair
from referee import formats, score
from referee.analysis.transformations import gains
from referee.comparing.stratified_scores import stratify
from referee.language.strata import STRATIFICATIONS
from referee.matching.protocol import Protocol
from referee.model import Corpus
from referee.scoring.task import Task
from studies import analyse, report

SEEDS = (3001, 3004, 3010)


@pytest.fixture(params=SEEDS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Corpus, Corpus]:
    """A key and a response with zeros that only one of them has."""
    paths = tmp_path / "key.conllu", tmp_path / "response.conllu"
    for path, text in zip(paths, nasty_pair(request.param), strict=True):
        path.write_text(text)
    return formats.read(paths[0]), formats.read(paths[1], role="response")


@pytest.mark.parametrize("name", ["crac", "corefud"])
def test_a_study_scores_the_pairs_one_to_one(pair: tuple[Corpus, Corpus], name: str) -> None:
    study = analyse(pair[0], pair[1], protocol=Protocol.parse(name))
    assert "counting:" in study.signature
    system = study.systems[0]
    apart = score(*pair, protocol=Protocol.parse("corefud"))
    if name == "corefud" and not any("repeated" in notice for notice in apart.notices):
        assert gains(study, system)[""].conll == pytest.approx(apart.conll)
    assert len(system.recall) <= len(study.maximum)


@pytest.mark.parametrize("name", ["crac", "corefud"])
def test_reports_and_breakdowns_are_made(pair: tuple[Corpus, Corpus], name: str) -> None:
    made = report(*pair, protocol=Protocol.parse(name))
    assert [scores["label"] for scores in made.data["scores"]] == ["heads", "exact spans", "partial spans"]
    assert made.html
    (strata,) = stratify(Task.of(*pair, protocol=name), next(iter(STRATIFICATIONS.values())))
    assert sum(part.counts["b_cubed"][:, 1].sum() for part in strata.values()) > 0


def test_the_usual_protocol_of_the_key_is_taken(pair: tuple[Corpus, Corpus]) -> None:
    assert analyse(*pair).protocol == Protocol.parse("crac")
