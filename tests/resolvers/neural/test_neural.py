"""The neural resolver as people use it, with a toy model whose links can be told beforehand."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.exceptions import FormatError, ProtocolError, RefereeError, SettingError, SettingWarning
from referee.model import Cluster, Document, DocumentCorpus, Mention, Text, Zero
from referee.resolvers.base import resolver_named
from referee.resolvers.neural.tuning import DevText, Knobs, Point, Tuner
from referee.resolvers.resolved import Resolved
from toy_model import LINK, MENTIONED, write_toy

for library in ("onnxruntime", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")

STORY = 'Clara  opened the door.\n\nShe smiled. 😀 Peter saw her dog. "It is his."'


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_toy(tmp_path_factory.mktemp("toy")))


def resolved(text: Any, toy: str, **settings: Any) -> Resolved:
    result = referee.resolve(text, resolver="neural", model=toy, **settings)
    assert isinstance(result, Resolved)
    return result


def odds(score: float) -> float:
    return 1 / (1 + exp(-score))


def test_clusters_count_characters_of_the_text_as_it_was_given(toy: str) -> None:
    result = resolved(STORY, toy)
    assert result.get_clusters() == [["Clara", "She", "her"], ["Peter", "his"], ["dog", "It"]]
    assert result.get_clusters(as_strings=False)[0] == [(0, 5), (25, 28), (49, 52)]
    assert result.document.id == "0"
    assert result.text == STORY


def test_scores_are_probabilities_of_mentions_and_of_links(toy: str) -> None:
    first, second, _ = resolved(STORY, toy).entities[0].mentions
    assert first.score == second.score == pytest.approx(odds(MENTIONED))
    assert first.link_score is None
    assert second.link_score == pytest.approx(odds(LINK))


def test_a_calibration_is_applied(tmp_path: Path) -> None:
    fitted = {"link": {"slope": 0.5, "intercept": -0.25}, "mention": {"slope": 0.1, "intercept": 0.0}}
    toy = write_toy(tmp_path, calibration=fitted)
    mention = resolved(STORY, str(toy)).entities[0].mentions[1]
    assert mention.link_score == pytest.approx(odds(0.5 * LINK - 0.25))
    assert mention.score == pytest.approx(odds(0.1 * MENTIONED))


def test_singletons_are_mentions_that_are_linked_to_nothing(toy: str) -> None:
    result = resolved(STORY, toy, singletons="keep")
    assert result.get_clusters() == [["Clara", "She", "her"], ["door"], ["Peter", "his"], ["dog", "It"]]
    assert [cluster.id for cluster in result.document.clusters] == ["0", "1", "2", "3"]
    assert result.entities[1].mentions[0].score == pytest.approx(odds(MENTIONED))
    assert result.entities[1].mentions[0].link_score is None
    assert resolved("Anna left.", toy, singletons="keep").get_clusters() == [["Anna"]]


def test_a_model_may_want_more_of_singletons_and_links(tmp_path: Path) -> None:
    asked = str(write_toy(tmp_path, singleton_threshold=MENTIONED + 1, threshold=LINK - 0.5))
    assert len(resolved(STORY, asked, singletons="keep").get_clusters()) == 3
    assert resolved(STORY, asked, threshold=LINK + 2).get_clusters() == []


def test_the_knob_gives_fewer_and_surer_links_or_more(toy: str) -> None:
    assert resolved("Clara met her.", toy, threshold=LINK + 0.1).get_clusters() == []
    assert resolved("Clara met him.", toy).get_clusters() == []
    assert resolved("Clara met him.", toy, threshold=-LINK - 0.1).get_clusters() == [["Clara", "him"]]


CURVE = {"threshold": [-LINK - 1, LINK - 1, LINK + 1], "precision": [60.0, 80.0, 100.0]}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> str:
    curves = {"litbank": {"predicted": CURVE, "gold": CURVE}}
    return str(write_toy(tmp_path_factory.mktemp("measured"), precision=curves))


def test_a_precision_becomes_the_threshold_that_had_it(measured: str) -> None:
    how = {"guidelines": "litbank"}
    found = {
        precision: resolved("Clara met him. She smiled.", measured, precision=precision, **how)
        for precision in (60, 80, 100)
    }
    lengths = [sum(map(len, each.get_clusters())) for each in found.values()]
    assert lengths == [3, 2, 0]
    threshold = (LINK - 1 + LINK + 1) / 2
    same = resolved("Clara met him. She smiled.", measured, threshold=threshold, **how)
    assert resolved("Clara met him. She smiled.", measured, precision=90, **how) == same


def test_a_precision_beyond_the_curve_is_reported(tmp_path: Path) -> None:
    curve = {"threshold": [0.0, 1.0], "precision": [70.0, 90.0]}
    toy = str(write_toy(tmp_path, precision={"ontonotes": {"predicted": curve}}))
    with pytest.warns(SettingWarning, match=r"precision=95 is more than was measured: .* 90.0 %"):
        resolved(STORY, toy, precision=95)
    assert resolver_named("neural", model=toy, precision=80).notices == []


def test_a_precision_that_was_not_measured_is_refused(toy: str, measured: str) -> None:
    with pytest.raises(SettingError, match=r"not measured for guidelines='ontonotes' and mentions='predic"):
        resolved(STORY, toy, precision=90)
    with pytest.raises(SettingError, match="give threshold="):
        resolved(STORY, measured, precision=90)
    assert resolved(STORY, measured, precision=80, guidelines="litbank").get_clusters()


def test_tuning_measures_the_precision_of_links(toy: str) -> None:
    words = ["Clara", "smiled", ".", "She", "saw", "him", ".", "Peter", "left", "."]
    clara = Cluster("0", (Mention.at(0, 1), Mention.at(3, 4)))
    document = Document.of("d", words, [(0, 3), (3, 7), (7, 10)], [clara])
    tuner = Tuner(Path(toy), [DevText(document)])
    curves = tuner.precision_curves(tuner.knobs)
    assert set(curves) == {"ontonotes"}
    for mentions, curve in curves["ontonotes"].items():
        for threshold, precision in zip(*curve, strict=True):
            how: dict[str, Any] = {"model": toy, "mentions": mentions, "threshold": threshold}
            response = referee.resolve(DocumentCorpus([document], "key"), resolver="neural", **how)
            assert precision == 100 * referee.score([document], response).muc.precision
    assert curves["ontonotes"]["predicted"].precision[0] < 100


def test_each_guidelines_may_have_a_threshold_of_its_own(tmp_path: Path) -> None:
    toy = str(write_toy(tmp_path, threshold=LINK + 1, thresholds={"litbank": LINK - 1}))
    assert not resolved(STORY, toy, guidelines="ontonotes").get_clusters()
    assert resolved(STORY, toy, guidelines="litbank").get_clusters()
    assert not resolved(STORY, toy, guidelines="litbank", threshold=LINK + 1).get_clusters()


def test_of_thresholds_that_are_nearly_as_good_the_one_nearest_to_the_common_one_is_taken(toy: str) -> None:
    def point(threshold: float, *scores: float) -> Point:
        return Point(Knobs(threshold, -3.0, 0.3), 0.5, 0.5, 0.5, dict(enumerate(scores)))

    curve = [
        point(-1.0, 0.70, 0.61),
        point(0.0, 0.699, 0.60),
        point(1.0, 0.60, 0.64),
        point(2.0, 0.5, 0.6401),
    ]
    document = Document.of(
        "d", ["Clara", "saw", "her"], [(0, 3)], [Cluster("0", (Mention.at(0, 1), Mention.at(2, 3)))]
    )
    both = Tuner(Path(toy), [DevText(document), DevText(document, 1)])
    assert both.thresholds(curve, curve[1]) == {"ontonotes": 0.0, "litbank": 1.0}
    assert Tuner(Path(toy), [DevText(document, 1)]).thresholds(curve, curve[1]) == {}
    scored = both.point(both.knobs)
    assert scored.by_guideline.keys() == {0, 1}
    assert scored.by_guideline[0] == pytest.approx(scored.conll)


def test_guidelines_are_told_to_the_model(toy: str) -> None:
    assert ["dog", "It"] not in resolved(STORY, toy, guidelines="litbank").get_clusters()
    assert resolved(STORY, toy, guidelines="ontonotes") == resolved(STORY, toy)
    with pytest.raises(SettingError, match=r"must be one of ontonotes, litbank .* did you mean litbank"):
        resolved(STORY, toy, guidelines="litbnk")


def test_speakers_are_used_where_they_are_known(toy: str) -> None:
    words = ["I", "left", ".", "I", "came", ".", "I", "won", "."]
    spans = [(0, 3), (3, 6), (6, 9)]

    def clusters(*speakers: str) -> list[int]:
        layer = tuple(speaker for speaker in speakers for _ in range(3))
        result = resolved(Document.of("d", words, spans, [], {"speaker": layer}), toy)
        return [mention.start for cluster in result.document.clusters for mention in cluster.mentions]

    assert clusters("Clara", "Peter", "Clara") == [0, 6]
    assert clusters("Clara", "-", "-") == [0, 3, 6]
    assert clusters("-", "-", "-") == [0, 3, 6]


def test_a_corpus_keeps_its_words_sentences_and_layers(toy: str) -> None:
    document = Document.of(
        "d", ["Clara", "won", ".", "She", "slept", "."], [(0, 3), (3, 6)], [], {"x": ("y",) * 6}
    )
    response = referee.resolve(DocumentCorpus([document]), resolver="neural", model=toy)
    assert response.documents[0].text == document.text
    assert [mention.spans for mention in response.documents[0].mentions] == [((0, 1),), ((3, 4),)]


def keyed() -> Document:
    """A key with a mention of several words, one of a word that is not written, and one of several spans."""
    text = Text("d", ("Clara", "Holt", "met", "Peter", "and", "Anna", "pro"), ((0, 6),), zeros=(Zero(3),))
    clusters = (
        Cluster("a", (Mention(((0, 2),), type="person"), Mention(((5, 6),)), Mention(((6, 7),)))),
        Cluster("b", (Mention(((3, 4), (5, 6)), head=3),)),
    )
    return Document(text, clusters)


def test_given_mentions_are_linked_and_no_others(toy: str) -> None:
    result = resolved(keyed(), toy, mentions="gold", threshold=-9.0)
    (cluster,) = result.document.clusters
    assert [(mention.spans, mention.type) for mention in cluster.mentions] == [
        (((0, 2),), "person"), (((5, 6),), None),
    ]  # fmt: skip
    assert cluster.mentions[1].link_score == pytest.approx(odds(-1.0 + MENTIONED - 12.0 + 2 * LINK), rel=1e-3)


def test_given_mentions_that_are_linked_to_nothing_are_kept_on_demand(toy: str) -> None:
    clusters = resolved(keyed(), toy, mentions="gold", singletons="keep", threshold=-9.0).document.clusters
    assert sorted(mention.spans for cluster in clusters for mention in cluster.mentions) == [
        ((0, 2),), ((3, 4), (5, 6)), ((5, 6),),
    ]  # fmt: skip
    alone = resolved(keyed(), toy, mentions="gold", singletons="keep", threshold=9.0).document.clusters
    assert [len(cluster.mentions) for cluster in alone] == [1, 1, 1]
    assert alone[1].mentions[0].head == 3


def test_gold_mentions_need_a_corpus(toy: str) -> None:
    with pytest.raises(ProtocolError, match="0: mentions='gold' needs a corpus with mentions"):
        resolved(STORY, toy, mentions="gold")
    with pytest.raises(ProtocolError, match="mentions='golden' must be one of predicted, gold"):
        resolved(STORY, toy, mentions="golden")
    assert resolved(Document(keyed().text, ()), toy, mentions="gold").document.clusters == ()


def test_words_that_are_given_are_cut_into_sentences(toy: str) -> None:
    neural = resolver_named("neural", model=toy)
    one = neural.predict(["Clara", "won", ".", "She", "slept"], is_split_into_words=True)
    assert isinstance(one, Resolved)
    assert one.get_clusters(as_strings=False) == [[(0, 1), (3, 4)]]
    assert neural.predict("Clara fed her dog.").get_clusters() == [["Clara", "her"]]


@pytest.mark.parametrize(
    "text", ["", " \n ", "Hi", "😀", "...", "\u200b", "a" * 5000, "d\udcf6g she", "\ud800"]
)
def test_odd_texts_are_no_error(toy: str, text: str) -> None:
    assert resolved(text, toy).get_clusters() == []


def test_a_long_text_is_resolved_to_its_end(toy: str) -> None:
    text = "Clara opened the old door. " * 400 + "She left."
    last = resolved(text, toy).document.clusters[0].mentions[-1]
    assert last.start == 400 * 6


def test_a_model_that_finds_nothing_is_refused(tmp_path: Path) -> None:
    silent = str(write_toy(tmp_path, bias=-100.0))
    with pytest.raises(RefereeError, match=r"finds nothing in its test sentence.*onnxruntime \d"):
        resolved("Clara fed her dog.", silent)
    own = str(write_toy(tmp_path / "own", self_test="Peter lost his keys."))
    assert resolved("Clara fed her dog.", own).get_clusters() == [["Clara", "her"]]
    with pytest.raises(RefereeError, match="finds nothing"):
        resolved("Clara fed her dog.", str(write_toy(tmp_path / "other", self_test="Nobody was there.")))


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="model='nowhere' is neither a folder nor an installed model"):
        resolved(STORY, "nowhere")
    with pytest.raises(FormatError, match=r"not a model: encoder\.onnx is missing"):
        resolved(STORY, str(tmp_path))
    for name, content in (
        ("model.json", "[]"),
        ("model.json", "{"),
        ("encoder.onnx", "x"),
        ("tokenizer.json", "{"),
    ):
        broken = write_toy(tmp_path / f"{name}{len(content)}")
        (broken / name).write_text(content, "utf-8")
        with pytest.raises(FormatError, match=str(broken)):
            resolved(STORY, str(broken))
    unlike = write_toy(tmp_path / "unlike")
    (unlike / "model.json").write_text("{}", "utf-8")
    with pytest.raises(FormatError, match="unlike: not a model that can be opened: 'special_tokens'"):
        resolved(STORY, str(unlike))


def test_a_spacy_pipeline_gets_clusters(toy: str) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    nlp = spacy.blank("en")
    nlp.add_pipe("referee", config={"resolver": "neural", "settings": {"model": toy}})
    doc = nlp("\n Clara  left.\n\nShe won.")
    assert doc._.coref_clusters == [[(2, 7), (16, 19)]]
    assert [span.text for span in doc.spans["coref_clusters_1"]] == ["Clara", "She"]
    assert doc._.resolved_text == "\n Clara  left.\n\nClara won."
    assert [nlp(text)._.coref_clusters for text in ("", "\n ")] == [[], []]


def test_given_mentions_and_singletons_of_a_long_text_are_counted_from_its_beginning(toy: str) -> None:
    words = ["Clara", "left", "the", "door", "."] * 300 + ["She", "won", "."]
    edges = [*range(0, 1501, 5), 1503]
    clusters = [
        Cluster("a", (Mention.at(0, 1), Mention.at(1500, 1501))),
        Cluster("b", (Mention.at(1498, 1502),)),
    ]
    document = Document.of("d", words, list(pairwise(edges)), clusters)
    (linked,) = resolved(document, toy, mentions="gold").document.clusters
    assert [mention.start for mention in linked.mentions] == [0, 1500]
    alone = resolved(document, toy, mentions="gold", singletons="keep").document.clusters[1]
    assert [mention.spans for mention in alone.mentions] == [((1498, 1502),)]
    lone = resolved(document.text, toy, singletons="keep").document.clusters[1:]
    assert [cluster.mentions[0].start for cluster in lone] == list(range(3, 1500, 5))
