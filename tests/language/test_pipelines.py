"""spaCy pipelines: any that tags and parses English will do, and what is missing is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import referee
from referee.exceptions import RefereeError, SettingError
from referee.language import pipelines
from referee.language.added_layers import layered
from referee.language.pipelines import INSTALL, english_pipelines, load_pipeline

spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")

STORY = "Clara smiled . She left ."
TAGS = {"Clara": "NNP", "smiled": "VBD", "left": "VBD", "She": "PRP", "she": "PRP", "was": "VBD", ".": "."}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make a pipeline that knows a few words and a parser that was trained on two sentences."""
    from spacy.training import Example

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("attribute_ruler")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    parse: dict[str, Any] = {"heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "punct"]}
    sentences = ("Clara smiled .", "She left .")
    examples = [Example.from_dict(nlp.make_doc(sentence), parse) for sentence in sentences]
    nlp.initialize(lambda: examples)
    for word, tag in TAGS.items():
        ruler.add([[{"TEXT": word}]], {"TAG": tag})
    for _ in range(30):
        nlp.update(examples)
    folder = tmp_path_factory.mktemp("pipeline")
    nlp.to_disk(folder)
    return str(folder)


@pytest.fixture(params=["installed", "small"])
def pipeline(request: pytest.FixtureRequest) -> str:
    if request.param == "small":
        return str(request.getfixturevalue("small"))
    if not english_pipelines():
        pytest.skip("no English pipeline is installed")
    return english_pipelines()[0]


def test_camp_resolves_by_any_pipeline(pipeline: str) -> None:
    resolved = referee.resolve(STORY, resolver="camp", nlp=pipeline)
    assert resolved.get_clusters() == [["Clara", "She"]]


def test_layers_come_from_any_pipeline(pipeline: str) -> None:
    document = referee.Document.of("d", STORY.split(), [(0, 3), (3, 6)], [])
    corpus = layered(referee.model.DocumentCorpus([document], "key"), nlp=pipeline)
    (filled,) = corpus
    assert filled.layers["pos"] == ("NNP", "VBD", ".", "PRP", "VBD", ".")
    assert filled.layers["head"][0] == "1"


def test_a_pipeline_that_does_not_parse_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(SettingError, match="has no tagger and no parser; a pipeline with both is needed"):
        load_pipeline(str(tmp_path))


def test_a_pipeline_that_is_not_there_is_named_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipelines, "english_pipelines", lambda: ["en_core_web_sm"])
    with pytest.raises(SettingError, match=r"nlp='en_nowhere' is not .*installed; there are en_core_web_sm"):
        load_pipeline("en_nowhere")
    monkeypatch.setattr(pipelines, "english_pipelines", list)
    pipelines._loaded.cache_clear()
    with pytest.raises(RefereeError, match=INSTALL):
        load_pipeline()


def test_larger_pipelines_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["de_core_news_lg", "en_core_web_sm", "en_mine", "en_core_web_trf", "en_core_web_md"]
    monkeypatch.setattr("spacy.util.get_installed_models", lambda: names)
    assert english_pipelines() == ["en_core_web_trf", "en_core_web_md", "en_core_web_sm", "en_mine"]
