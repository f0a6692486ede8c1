"""The scorer of entities learns along its own decisions, from what a network says of pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from referee.exceptions import FormatError
from referee.resolvers.neural.entities import Entity, Facts
from referee.resolvers.neural.entity_decisions import (
    MOST,
    EntityDecisions,
    EntityScorer,
    Option,
)
from referee.resolvers.neural.features import IMPOSSIBLE
from referee.resolvers.neural.forward import Floats
from referee.resolvers.neural.models import ENTITIES
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training import constants
from referee.training.data.scored_pairs import (
    ScoredDocument,
    load_pairs,
    save_pairs,
    score_pairs,
    scored_document,
)
from referee.training.entity_scorer import (
    CollectedDecisions,
    EntityComparison,
    Examples,
    PairsAlone,
    Scaling,
    right_options,
    scorer_weights,
    train_entity_scorer,
    train_network,
)
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.networks.encoder import Encoder
from referee.training.trainer import new_network
from toy_encoder import write_encoder
from toy_facts import facts
from toy_story import CLUSTERS, story
from toy_training import settings

MEN, WOMEN = ("Tom", "he", "him"), ("Ann", "she", "her")
ENGLISH = Path(__file__).parents[2] / "models" / "en" / "referee_coref_en"
MENTIONS_BEFORE = 5  # which of the numbers is the logarithm of an entity's mentions


def people(seed: int, count: int = 12) -> ScoredDocument:
    """Mention a man and a woman in turns; pairs favour the other one, and the key does not."""
    random = np.random.default_rng(seed)
    key = np.r_[1, 2, random.integers(1, 3, count - 2)]
    names = [
        (MEN, WOMEN)[cluster - 1][0 if place < 2 else random.integers(1, 3)]
        for place, cluster in enumerate(key)
    ]
    known = facts(" and ".join(names), *((2 * place, 2 * place) for place in range(count)))
    other = key[:, None] != key
    scores = np.where(other, 1.5, 1.0) + random.normal(0, 0.2, (count, count))
    scores[np.triu_indices(count)] = IMPOSSIBLE
    scores[1, 0] = -2.0
    return ScoredDocument(known, key.tolist(), scores, np.tile(np.arange(count), (count, 1)))


def clusters(scorer: EntityScorer, document: ScoredDocument) -> list[int]:
    decisions = EntityDecisions(scorer, document.facts)
    decisions.decide(document.scores, document.candidates)
    return [int(cluster) for cluster in decisions.clusters]


@pytest.fixture(scope="module")
def learned() -> dict[str, Floats]:
    return train_entity_scorer([people(seed) for seed in range(12)], epochs=100)


def test_a_rule_that_pairs_contradict_is_learned(learned: dict[str, Floats]) -> None:
    for seed in range(100, 105):
        document = people(seed)
        first, second = clusters(EntityScorer(learned), document)[:2]
        assert first >= 0
        assert second >= 0
        right = [(first, second)[cluster - 1] for cluster in document.key]
        assert clusters(EntityScorer(learned), document) == right
        assert clusters(PairsAlone(), document) != right


def test_weights_are_as_the_english_model_has_them(learned: dict[str, Floats], tmp_path: Path) -> None:
    save_file(learned, tmp_path / ENTITIES)
    written, english = (
        {name: (weight.shape, weight.dtype) for name, weight in load_file(folder / ENTITIES).items()}
        for folder in (tmp_path, ENGLISH)
    )
    assert written == english
    assert EntityScorer.in_folder(tmp_path) is not None


def collected(threshold: float) -> list[EntityComparison]:
    return CollectedDecisions(PairsAlone(), people(1), threshold).comparisons


def test_examples_follow_the_decisions_that_were_taken() -> None:
    sizes = [round(float(np.expm1(row.fits[0, MENTIONS_BEFORE]))) for row in collected(-9.0)]
    assert sizes == list(range(1, 12))  # everything is one entity
    assert all(len(row.fits) == min(place, MOST) for place, row in enumerate(collected(99.0), 1))


def test_a_scorer_decides_as_the_networks_do_and_a_share_of_it_is_nearer_to_the_pairs() -> None:
    rows = [
        row for seed in range(3) for row in CollectedDecisions(PairsAlone(), people(seed), 0.0).comparisons
    ]
    examples = Examples.of(rows)
    network = train_network(examples, seed=1, epochs=30)
    scores = network(examples, np.arange(len(rows))).detach().numpy()
    whole, half, none = (
        EntityScorer(scorer_weights([network] * 2, examples.scaling, share)) for share in (1.0, 0.5, 0.0)
    )
    for row, expected in zip(rows, scores, strict=True):
        seen, pairs = (row.fits.tolist(), row.alone.tolist()), row.fits[:, 0]
        above = whole.scores(*seen)
        assert above == pytest.approx(expected[1 : 1 + len(pairs)] - expected[0], abs=1e-4)
        assert none.scores(*seen) == pytest.approx(pairs, abs=1e-5)
        assert half.scores(*seen) - pairs == pytest.approx((above - pairs) / 2, abs=1e-4)


def test_what_is_rare_is_limited_but_yes_and_no_are_not() -> None:
    rows = np.zeros((5000, 3), np.float32)
    rows[0] = 1.0, 99.0, 0.5
    rows[:, 1] += np.linspace(-1, 1, 5000)
    scaling = Scaling.of(rows)
    assert scaling.lowest.tolist()[0] == 0.0
    assert scaling.highest.tolist()[0] == 1.0
    assert scaling.highest.tolist()[1] < 1.01
    assert float(scaling.spread.min()) >= constants.SMALLEST_SPREAD


NAMES = facts(" ".join("abcdefghi"), *((place, place) for place in range(9)))


def option(*mentions: int, known: Facts = NAMES) -> Option:
    entity = Entity(known, mentions[0])
    for mention in mentions[1:]:
        entity.add(known, mention)
    return Option(entity, [0.0])


@pytest.mark.parametrize(
    ("options", "right"),
    [
        ([(0,), (2,)], [True, False]),
        ([(0,), (0, 1)], [False, True]),  # most of the cluster
        ([(0,), (1,)], [True, True]),
        ([(0, 2, 3)], [False]),  # less than 0.34 of it
        ([(0, 1, 2, 3)], [True]),
        ([(0, 1, 2, 3), (0, 1)], [False, True]),
        ([(4,), (2,)], [False, False]),  # not of any cluster
    ],
)
def test_right_is_the_entity_with_most_of_the_cluster(
    options: list[tuple[int, ...]], right: list[bool]
) -> None:
    key = [1, 1, 2, 3, 0, 1]
    assert right_options(key, 5, [option(*mentions) for mentions in options]) == right


def test_a_span_without_a_cluster_joins_nothing() -> None:
    assert right_options([0, 0], 1, [option(0)]) == [False]


def test_documents_without_pairs_are_refused() -> None:
    document = people(1)
    hopeless = document._replace(scores=np.full_like(document.scores, IMPOSSIBLE))
    with pytest.raises(FormatError, match="no pair of mentions"):
        train_entity_scorer([hopeless])


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], ScoredDocument]:
    """Ask a network that has learned nothing about the story; pairs must score more than a number."""
    folder = read_encoder_folder(write_encoder(tmp_path), 1)
    network = new_network(Encoder.of(folder.shape, folder.weights, 0.0), settings(), "cpu")
    tokenizer = SubwordTokenizer(folder.tokenizer, "toy")

    def ask(lowest: float) -> ScoredDocument:
        monkeypatch.setattr(constants, "ENTITY_LOWEST", lowest)
        path = tmp_path / "pairs.safetensors"
        save_pairs({"a/b": score_pairs(network, story(), 1, tokenizer)}, path)
        ((name, pairs),) = load_pairs(path)
        assert name == "a/b"
        return scored_document(pairs, story(), 1)

    return ask


def ends(scored: ScoredDocument) -> list[tuple[int, int]]:
    return [(start, end + 1) for start, end in zip(scored.facts.start, scored.facts.end, strict=True)]


def pairs_of(scored: ScoredDocument) -> dict[tuple[tuple[int, int], ...], float]:
    """List the pairs that are possible, by the words of both spans."""
    spans = ends(scored)
    return {
        (spans[row], spans[scored.candidates[row, column]]): scored.scores[row, column]
        for row, column in np.argwhere(scored.scores > IMPOSSIBLE / 2).tolist()
    }


def test_spans_of_a_document_have_their_clusters_in_the_key(asked: Callable[[float], ScoredDocument]) -> None:
    scored = asked(-99.0)
    found: dict[int, set[tuple[int, int]]] = {}
    for cluster, span in zip(scored.key, ends(scored), strict=True):
        found.setdefault(cluster, set()).add(span)
    unlinked = found.pop(0)
    assert found
    assert all(any(spans <= set(own) for own in CLUSTERS.values()) for spans in found.values())
    assert not unlinked & {span for own in CLUSTERS.values() for span in own}


def test_only_spans_with_pairs_or_likely_mentions_remain(asked: Callable[[float], ScoredDocument]) -> None:
    every, none = asked(-99.0), asked(99.0)
    pairs = pairs_of(every)
    middle = float(np.quantile(list(pairs.values()), 0.95))
    some = asked(middle)
    assert pairs_of(some) == {pair: score for pair, score in pairs.items() if score > middle}
    assert not pairs_of(none)
    assert len(none.key) < len(some.key) < len(every.key)


def test_what_a_network_says_can_be_learned_from(asked: Callable[[float], ScoredDocument]) -> None:
    assert train_entity_scorer([asked(-99.0)], epochs=1).keys() == load_file(ENGLISH / ENTITIES).keys()
