"""The English model of free texts is a model like the others, with guidelines of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.resolvers.neural.models import facts_of, threshold_of

for library in ("onnxruntime", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")

FOLDER = Path(__file__).parents[3] / "models" / "en" / "referee_coref_en"
pytestmark = pytest.mark.skipif(not (FOLDER / "encoder.onnx").exists(), reason="the weights are not here")
LAB = "Mutant mice were small. The mutant mice died early, and the mutation was found in all of them."


def clusters(text: str, guidelines: str | None = None) -> list[list[str]]:
    found = referee.resolve(text, "neural", model=str(FOLDER), threads=1, guidelines=guidelines)
    return [[str(mention) for mention in cluster] for cluster in found.get_clusters()]


def test_people_are_kept_apart() -> None:
    text = "Anna Reed called Tom Hale. He did not answer, so she wrote to him."
    assert clusters(text) == [["Anna Reed", "she"], ["Tom Hale", "He", "him"]]


def test_generic_nouns_corefer_by_the_guidelines_of_biology() -> None:
    assert ["Mutant mice", "The mutant mice", "them"] in clusters(LAB, guidelines="craft")


def test_each_of_its_guidelines_has_a_threshold_and_no_source_is_non_commercial() -> None:
    facts = facts_of(FOLDER)
    assert {threshold_of(facts, name) for name in facts["guidelines"]} == {-0.75, -0.5, 0.25}
    assert facts["licence"] == "CC-BY-SA-4.0"
    assert not any("NC" in source["licence"] for source in facts["trained_on"])
