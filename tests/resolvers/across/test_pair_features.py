"""What is told of two mentions without an encoder, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from referee.arrays import FloatArray
from referee.language.stems import head_index, word_stem
from referee.model import Document
from referee.resolvers.across import similarity as likeness_module
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.pair_features import FEATURES, DescribedMentions, Located, describe_mentions
from referee.resolvers.across.similarity import CorpusSimilarity, shared, weighted_rows

TEXTS = (
    "Police in Arlen shot two men . Both men died in Arlen .",
    "The shooting of 2 men by police shocked Arlen .",
    "A walkout closed the harbour of Cosk today .",
    "In Cosk the walkout goes on at the harbour .",
)
MENTIONS = (
    (0, 3, 4),
    (0, 4, 6),
    (0, 7, 9),
    (1, 0, 2),
    (1, 3, 5),
    (2, 0, 2),
    (3, 2, 4),
    (0, 11, 12),
    (1, 8, 9),
)
SHOT, TWO_MEN, BOTH_MEN, SHOOTING, MEN, A_WALKOUT, THE_WALKOUT, ARLEN, THERE = range(9)


@pytest.fixture(scope="module")
def described() -> DescribedMentions:
    texts = []
    for number, words in enumerate(TEXTS):
        own = tuple(words.split())
        ends = [i + 1 for i, word in enumerate(own) if word == "."]
        texts.append(Document.of(str(number), own, tuple(zip([0, *ends], ends, strict=False)), ()).text)
    columns = np.array(MENTIONS).T
    known = CorpusSimilarity.of([text.words for text in texts])
    return describe_mentions(texts, known, Located(columns[0], columns[1], columns[2]))


def told(described: DescribedMentions, one: int, other: int) -> dict[str, float]:
    row = described.features(RowPairs(np.array([one]), np.array([other])))[0]
    return dict(zip(FEATURES, row.tolist(), strict=True))


def test_how_heads_are_written(described: DescribedMentions) -> None:
    texts = [Document.of("d", ("It", "was", "1984", "in", "x2", "."), ((0, 6),), ()).text]
    columns = np.array([[0, 0, 0], [0, 2, 4], [1, 3, 5]])
    made = describe_mentions(texts, described.similarity, Located(columns[0], columns[1], columns[2]))
    assert made.columns["digit"].tolist() == [0, 1, 0]
    assert made.columns["capital"].tolist() == [1, 0, 0]
    assert made.columns["pointing"].tolist() == [1, 0, 0]


def test_all_features_are_numbers_and_the_same_in_both_directions(described: DescribedMentions) -> None:
    pairs = all_pairs(len(MENTIONS))
    features = described.features(pairs)
    assert features.shape == (pairs.size, len(FEATURES))
    assert len({*FEATURES}) == len(FEATURES)
    assert np.isfinite(features).all()
    turned = described.features(RowPairs(pairs.second, pairs.first))
    same = [name not in ("shared_rarity",) for name in FEATURES]
    np.testing.assert_allclose(features[:, same], turned[:, same], atol=1e-6)


def test_a_root_joins_a_verb_and_its_noun(described: DescribedMentions) -> None:
    alike = told(described, SHOT, SHOOTING)
    assert (alike["same_head"], alike["same_text"], alike["jaccard"], alike["contained"]) == (1, 0, 1, 1)
    assert alike["shared_rarity"] == alike["rarity"] > 0
    other = told(described, SHOT, A_WALKOUT)
    assert (other["same_head"], other["jaccard"], other["shared_rarity"]) == (0, 0, 0)


def test_a_determiner_makes_no_other_words(described: DescribedMentions) -> None:
    assert told(described, A_WALKOUT, THE_WALKOUT)["same_text"] == 1
    men = told(described, TWO_MEN, MEN)  # {two, man} and {2, man}
    assert men["same_text"] == 0
    assert men["jaccard"] == pytest.approx(1 / 3)
    assert men["contained"] == pytest.approx(1 / 2)
    assert men["head_inside"] == 1


def test_documents_of_one_subtopic(described: DescribedMentions) -> None:
    alike, other = told(described, SHOT, SHOOTING), told(described, ARLEN, A_WALKOUT)
    assert (alike["subtopic"], alike["subtopic_head"], alike["other_subtopic_head"]) == (1, 1, 0)
    assert (other["subtopic"], other["like_grams"]) == (0, 0)
    assert 0 < alike["like_roots"] < 1
    assert alike["same_document"] == 0
    inside = told(described, SHOT, BOTH_MEN)
    assert (inside["same_document"], inside["like_roots"]) == pytest.approx((1, 1))
    assert (inside["same_sentence"], told(described, SHOT, TWO_MEN)["same_sentence"]) == (0, 1)


def test_contexts_share_rare_words(described: DescribedMentions) -> None:
    shot = told(described, SHOT, SHOOTING)  # police, arlen, two, men · 2, men, police, shock, arlen
    assert 0 < shot["context"] < 1
    assert shot["names"] > 0  # Arlen
    assert told(described, SHOT, A_WALKOUT)["context"] == 0


def test_capitals_and_widths(described: DescribedMentions) -> None:
    named = told(described, ARLEN, THERE)
    assert (named["capitals"], named["one_capital"], named["widths"], named["width_apart"]) == pytest.approx(
        (1, 0, 0.2, 0)
    )
    mixed = told(described, ARLEN, TWO_MEN)
    assert (mixed["capitals"], mixed["one_capital"], mixed["width_apart"]) == pytest.approx((0, 1, 0.1))


def test_few_pairs_of_many_rows_are_multiplied_as_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    rows = weighted_rows([random.integers(0, 50, 12).tolist() for _ in range(400)], 1)
    first, second = random.integers(0, 400, (2, 300))
    table: FloatArray = (rows @ rows.T).toarray()
    np.testing.assert_allclose(shared(rows, first, second), table[first, second], atol=1e-9)
    assert 400 * 400 * 0.2 < 8 * 300 + 2**16  # so far all at once
    monkeypatch.setattr(likeness_module, "DENSE", 0)
    np.testing.assert_allclose(shared(rows, first, second), table[first, second], atol=1e-9)


def test_heads_and_roots_of_words() -> None:
    words = ["the", "new", "head", "coach", "of", "the", "Sixers", "'s", "first", "team"]
    assert words[head_index(words, 0, 7)] == "coach"
    assert words[head_index(words, 5, 10)] == "team"
    assert head_index(["the"], 0, 1) == 0
    assert [word_stem(word) for word in ("Deaths", "killing", "glass", "running")] == [
        "die",
        "kill",
        "glass",
        "run",
    ]
