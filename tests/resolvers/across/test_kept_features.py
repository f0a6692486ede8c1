"""What the heads across documents are shown of our fifteen texts and the sample stays as it was."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import kept
import referee
from referee import formats
from referee.model import Text
from referee.resolvers.across.head import MENTION_PARTS, AcrossHead, unit_states
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import FEATURES, Located, describe_mentions
from referee.resolvers.across.reader import ReadPairs
from referee.resolvers.across.similarity import CorpusSimilarity
from referee.resolvers.across.span_words import all_spans
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
    start = (draw.random(160) * (longest - 14)).astype(int)
    end = start + draw.choice([1, 1, 2, 2, 3, 4, 9, 14], 160)
    described = describe_mentions(texts(), similarity(len(texts())), Located(document, start, end))
    pairs = RowPairs(*np.triu_indices(160, 1))
    features = described.features(pairs)
    for rows in (slice(0, 40), slice(40, 9000)):
        assert np.allclose(described.features(pairs.chosen(rows)), features[rows], atol=1e-5)
    shown = kept.columns(features)
    kept.check(
        "across_features", {name: [column[at] for column in shown] for at, name in enumerate(FEATURES)}
    )


def test_what_heads_and_readers_make_of_them() -> None:
    """Networks with weights by chance; where torch is installed, they are compared with its own."""
    draw = np.random.default_rng(7)

    def weights(**shapes: tuple[int, ...]) -> dict[str, npt.NDArray[np.floating]]:
        return {name.replace("_", "."): draw.normal(0, 0.5, shape) for name, shape in shapes.items()}

    wide, size, kinds, features = 6, 5, 3, 4
    parts = {f"span_{part}_weight": (size, wide) for part in (*MENTION_PARTS, "head")}
    parts |= {f"mention_{part}_weight": (size, wide) for part in MENTION_PARTS}
    head = AcrossHead(
        weights(
            **parts,
            mention_width_weight=(9, size), mention_hidden_weight=(size, size), mention_hidden_bias=(size,),
            mention_out_weight=(3, size), mention_out_bias=(3,), span_width_weight=(9, size),
            narrow_weight=(size, size), narrow_bias=(size,), sum_weight=(size, size),
            kind_weight=(kinds, size),
            shift=(features,), scale=(features,), told_weight=(size, features + 2), told_bias=(size,),
            apart_weight=(size, size), product_weight=(size, size), hidden_weight=(size, size),
            hidden_bias=(size,), out_weight=(1, size), out_bias=(1,),
        )
    )  # fmt: skip
    reader = ReadPairs(
        weights(
            g_first_weight=(size, wide), g_last_weight=(size, wide), g_mean_weight=(size, wide),
            g_first_bias=(size,),
            w_0_weight=(size, size), w_1_weight=(size, size), w_2_weight=(size, size),
            kind_weight=(kinds, size),
            f_weight=(size, features), f_bias=(size,), mean=(features,), std=(features,),
            o_2_weight=(size, size), o_2_bias=(size,), o_5_weight=(1, size), o_5_bias=(1,),
        )
    )  # fmt: skip
    text = texts()[0]
    spans = all_spans(Text("some", text.words[:40], ((0, 25), (25, 40))))
    spans = spans.chosen(np.flatnonzero(spans.width < 6))
    states = draw.normal(0, 1, (40, wide)).astype(np.float32)
    kind = np.arange(spans.size) % kinds
    pairs = RowPairs(*(side[::37] for side in np.triu_indices(spans.size, 1)))
    given = draw.normal(0, 1, (pairs.size, features)).astype(np.float32)
    vectors = head.vectors(states, spans)
    read = reader.vectors(states, spans.first, spans.last)
    unit = unit_states(states, spans)
    cosines = np.stack([(side[pairs.first] * side[pairs.second]).sum(1) for side in unit], 1)
    assert head.mention_width == wide
    kept.check(
        "across_heads",
        {
            "mentions": kept.columns(head.mention_odds(states, spans)),
            "vectors": kept.columns(vectors),
            "cosines": kept.columns(cosines),
            "pairs": kept.columns(head.pair_odds(vectors, head.alone(vectors, kind), cosines, given, pairs)),
            "read": kept.columns(read),
            "read pairs": kept.columns(reader.odds(read, kind, given, pairs)),
        },
    )
