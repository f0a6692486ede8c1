"""What the heads across documents are shown of our fifteen texts and the sample stays as it was."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import kept
import referee
from referee import formats
from referee.model import Text
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import FEATURES, Located, describe_mentions
from referee.resolvers.across.similarity import CorpusSimilarity
from referee.resolvers.neural.cutting import cut_raw
from stated_texts import TEXTS

SAMPLE = Path(referee.__file__).parent / "sample"


@cache
def texts() -> list[Text]:
    sample = [document.text for document in formats.read(str(SAMPLE / "key.conll"))]
    return [cut_raw(Text(name, (), (), running=running)) for name, running in TEXTS.items()] + sample


@cache
def similarity(count: int) -> CorpusSimilarity:
    return CorpusSimilarity.of([text.words for text in texts()[-count:]])


def test_how_alike_documents_are() -> None:
    shown = {}
    for count in (2, 5, len(texts())):
        known = similarity(count)
        shown[str(count)] = [
            *([rows.nnz, *kept.columns(rows.sum(axis=1))] for rows in (known.roots, known.grams)),
            [side.tolist() for side in known.alike.pairs],
            kept.columns(known.alike.similarity),
            known.group,
            sorted((round(known.rarity(root), 6), root) for root in ("lighthous", "harbour", "board", "x")),
        ]
    kept.check("across_similarity", shown)


def test_features_of_pairs() -> None:
    draw = np.random.default_rng(5)
    document = np.sort(draw.integers(0, len(texts()), 160))
    longest = np.array([texts()[number].length for number in document.tolist()])
    start = (draw.random(160) * (longest - 4)).astype(int)
    end = start + draw.integers(1, 5, 160)
    described = describe_mentions(texts(), similarity(len(texts())), Located(document, start, end))
    pairs = RowPairs(*np.triu_indices(160, 1))
    features = described.features(pairs)
    for rows in (slice(0, 40), slice(40, 9000)):
        assert np.allclose(described.features(pairs.chosen(rows)), features[rows], atol=1e-5)
    shown = kept.columns(features)
    kept.check(
        "across_features", {name: [column[at] for column in shown] for at, name in enumerate(FEATURES)}
    )
