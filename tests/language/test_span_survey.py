"""Minimum spans of a whole key: lengths, collisions, agreement with MIN; and the promises on real data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import referee
from corpora import corpus
from referee import (
    Document,
    DocumentCorpus,
    FormatError,
    Mention,
    Protocol,
    ProtocolError,
    Scorer,
    read,
    score,
)
from referee.language.span_survey import minimum_spans

SAMPLE = Path(referee.__file__).parent / "sample" / "key.conll"
DATA = Path(__file__).parents[1] / "data"


def test_every_mention_has_a_minimum_span_inside_it() -> None:
    found = list(minimum_spans(read(SAMPLE)))
    assert len(found) == 127
    for span in found:
        assert set(span.tokens) <= set(range(span.mention.start, span.mention.end))
    assert ("The head of the Port Ellery Harbour Authority", "The head") in {
        (span.words, span.minimum_words) for span in found
    }


def test_heads_are_one_word() -> None:
    found = list(minimum_spans(read(SAMPLE), "head"))
    assert {len(span.tokens) for span in found} == {1}
    assert found[0].minimum_words == "head"


def test_muc_with_trees_is_compared_with_its_annotated_minimum() -> None:
    found = minimum_spans(read(DATA / "muc" / "key.sgm"), "mina", DATA / "muc" / "key.ptb")
    assert [span.minimum_words for span in found if span.mention.minimum] == [
        "The dock workers ' unions",
        "Ellen Marsh … the mayor",
        "a fair offer",
    ]
    counted = found.statistics()
    assert (counted.containing, counted.annotated) == (3, 3)
    heads = minimum_spans(read(DATA / "muc" / "key.sgm"), "head", DATA / "muc" / "key.ptb")
    assert heads.statistics().containing == 2  # "Marsh" is not all of "Ellen Marsh"


def test_trees_of_another_text_are_refused(tmp_path: Path) -> None:
    trees = (DATA / "muc" / "key.ptb").read_text(encoding="utf-8").replace("mayor", "major")
    (tmp_path / "key.ptb").write_text(trees, encoding="utf-8")
    with pytest.raises(FormatError, match=r"key.ptb:3: sentence 3 of harbour-01 does not align with the key"):
        list(minimum_spans(read(DATA / "muc" / "key.sgm"), "mina", tmp_path / "key.ptb"))
    with pytest.raises(ProtocolError, match="running text has no parse trees; give parses="):
        list(minimum_spans(read(DATA / "muc" / "key.sgm")))


def test_annotated_minimum_spans_are_themselves() -> None:
    found = {span.words: span for span in minimum_spans(read(DATA / "arrau"), "min")}
    assert found["The old ferry to Ellery"].tokens == (2,)
    assert found["it"].reason == "whole: no MIN is annotated"


def test_lengths() -> None:
    lengths = minimum_spans(read(DATA / "arrau"), "min").statistics().maximum
    assert lengths.counts == {1: 2, 4: 1, 5: 1}
    assert (lengths.spans, lengths.mean, lengths.share_long) == (4, 11 / 4, 0.5)


def test_ontogum_mina_changes_no_score_of_gold_mentions_and_hardly_collides() -> None:
    folder = corpus("ontogum")
    key = read(folder / "train" / "conll", folder / "dev" / "conll")
    maximum, least = score(key, key), score(key, key, match="mina", parses=folder)
    assert maximum.to_dict()["scores"] == least.to_dict()["scores"]
    counted = minimum_spans(key, "mina", folder).statistics()
    assert counted.maximum.spans == 27131
    assert counted.colliding / counted.maximum.spans < 0.005
    assert (round(counted.maximum.mean, 2), round(counted.minimum.mean, 2)) == (2.09, 1.54)


@pytest.mark.parametrize("kind", ["mina", "head"])
@pytest.mark.parametrize("system", ["alpha", "beta"])
def test_scores_are_those_of_renamed_mentions(system: str, kind: str) -> None:
    """Give each response mention its partner's span, one pair at a time, and score exactly."""
    key, response = (list(read(SAMPLE.with_name(f"{name}.conll"))) for name in ("key", system))
    scorer = Scorer()
    for ours, theirs in zip(key, response, strict=True):
        spans = [_minimums(replace(ours, clusters=side.clusters), kind) for side in (ours, theirs)]
        partner = _partners(*spans)
        renamed = [[partner.get(mention, mention) for mention in c.mentions] for c in theirs.clusters]
        scorer.update([c.mentions for c in ours.clusters], renamed)
    found = score(key, response, protocol=Protocol(match=kind))
    assert found.to_dict(units=False)["scores"] == scorer.compute().to_dict(units=False)["scores"]


def _minimums(document: Document, kind: str) -> dict[Mention, tuple[int, ...]]:
    return {span.mention: span.tokens for span in minimum_spans(DocumentCorpus([document]), kind)}


def _partners(
    key: dict[Mention, tuple[int, ...]], response: dict[Mention, tuple[int, ...]]
) -> dict[Mention, Mention]:
    def cost(pair: tuple[Mention, Mention]) -> tuple[bool, int, int, Mention, Mention]:
        ours, theirs = (set(range(mention.start, mention.end)) for mention in pair)
        return pair[0] != pair[1], -len(ours & theirs), len(ours ^ theirs), *pair

    pairs = sorted(((k, r) for k in key for r in response if key[k] == response[r]), key=cost)
    partner: dict[Mention, Mention] = {}
    for k, r in pairs:
        if k not in partner.values() and r not in partner:
            partner[r] = k
    return partner
