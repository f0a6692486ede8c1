"""Scores taken apart by kinds: against a plain statement of the definitions, and as parts of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import score
from referee.comparing.stratified_scores import occupied, stratify, with_known_types
from referee.exceptions import ProtocolError, SettingError
from referee.language.entity_types import annotated_types
from referee.language.strata import STRATIFICATIONS
from referee.matching.protocol import Protocol
from referee.metrics.by_mention import CREDITS
from referee.model import Cluster, Document, DocumentCorpus, Mention
from referee.scoring.engines import Processes
from referee.scoring.task import Task
from strategies import Clusters, pairs_of_partitions

Types = Sequence[str | None]
Sets = list[set[int]]

TAGS = ("NN", "NNP", "PRP", "DT", "VB") * 3
SILENT = ("PRP", "DT")
STEP = 30  # words from one mention to the next: entities have all spans up to 420
WORDS = len(TAGS)
TYPES = st.lists(st.sampled_from(("person", "place", "event", None)), min_size=WORDS, max_size=WORDS)


def as_document(clusters: Clusters, types: Types = (None,) * WORDS, name: str = "d") -> Document:
    """Make a document of mentions of one word, far from each other, each with a type of its own."""
    made = tuple(
        Cluster(str(i), tuple(replace(Mention.at(STEP * m, STEP * m + 1), type=types[m]) for m in cluster))
        for i, cluster in enumerate(clusters)
    )
    tags = tuple(tag for each in TAGS for tag in (each, *["NN"] * (STEP - 1)))
    return Document.of(name, ("w",) * len(tags), ((0, len(tags)),), made, {"pos": tags})


def plain_type(entity: set[int], types: Types) -> str:
    """State T1: most votes, pronouns and demonstratives only among themselves; a tie goes to the first."""
    typed = [(m, types[m]) for m in sorted(entity) if types[m]]
    votes = [kind for m, kind in typed if TAGS[m] not in SILENT] or [kind for _, kind in typed]
    if not votes:
        return "untyped"
    most = max(Counter(votes).values())
    return next(str(kind) for kind in votes if votes.count(kind) == most)


def plain_span(entity: set[int]) -> str:
    words = STEP * (max(entity) - min(entity))
    names = {"up to 50 words": 50, "51–200 words": 200, "201–500 words": 500}
    return next((name for name, most in names.items() if words <= most), "over 500 words")


def links(entity: set[int]) -> set[tuple[int, int]]:
    return set(combinations(sorted(entity), 2))


def plain_counts(metric: str, entities: Sets, others: Sets) -> tuple[float, float]:
    """State T2: what is found of some entities among all others, and what there is to find."""
    found = possible = 0.0
    for entity in entities:
        for other in others:
            common = entity & other
            alone = len(entity) == len(other) == len(common) == 1
            found += {
                "mentions": len(common),
                "links": len(links(common)),
                "b_cubed": sum(len(common) / len(entity) for _ in common),
                "lea": len(entity) * (len(links(common)) + alone) / max(len(links(entity)), 1),
            }[metric]
        possible += len(links(entity)) if metric == "links" else len(entity)
    return found, possible


def typed_pair(pair: tuple[Clusters, Clusters], types: Types) -> tuple[DocumentCorpus, DocumentCorpus]:
    key, response = pair
    return DocumentCorpus([as_document(key, types)], "key"), DocumentCorpus([as_document(response)], "r")


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("name", ["entity-type", "entity-span"])
@given(pair=pairs_of_partitions(), types=TYPES)
def test_types_and_spans_are_what_the_definitions_say(
    name: str, singletons: str, pair: tuple[Clusters, Clusters], types: Types
) -> None:
    task = Task.of(*typed_pair(pair, types), protocol=Protocol(singletons=singletons))
    (found,) = stratify(task, STRATIFICATIONS[name], metrics=list(CREDITS))
    in_key = {m for cluster in pair[0] for m in cluster}
    known = [kind if m in in_key else None for m, kind in enumerate(types)]
    sides: list[Sets] = [
        [set(cluster) for cluster in side if singletons == "keep" or len(cluster) > 1] for side in pair
    ]

    def label(entity: set[int]) -> str:
        kind = plain_type(entity, known)
        return kind if name == "entity-type" else f"{kind} · {plain_span(entity)}"

    assert set(found) == {label(entity) for side in sides for entity in side}
    key, response = sides
    for kind, result in found.items():
        for metric in CREDITS:
            recall = plain_counts(metric, [each for each in key if label(each) == kind], response)
            precision = plain_counts(metric, [each for each in response if label(each) == kind], key)
            assert result.counts[metric][0] == pytest.approx([*recall, *precision], abs=1e-12)


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@given(pair=pairs_of_partitions(), types=TYPES)
def test_strict_types_are_those_of_both_sides(
    singletons: str, pair: tuple[Clusters, Clusters], types: Types
) -> None:
    task = Task.of(*typed_pair(pair, types), protocol=Protocol(singletons=singletons))
    (found,) = stratify(task, STRATIFICATIONS["entity-type-strict"], metrics=["mentions", "links"])
    in_key = {m for cluster in pair[0] for m in cluster}
    known = [kind if m in in_key else None for m, kind in enumerate(types)]
    key, response = (
        [set(cluster) for cluster in side if singletons == "keep" or len(cluster) > 1] for side in pair
    )
    for kind, result in found.items():
        ours, theirs = ([e for e in side if plain_type(e, known) == kind] for side in (key, response))
        for metric in ("mentions", "links"):
            recall, precision = plain_counts(metric, ours, theirs), plain_counts(metric, theirs, ours)
            assert result.counts[metric][0] == pytest.approx([*recall, *precision], abs=1e-12)


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("name", [name for name, by in STRATIFICATIONS.items() if not by.strict])
@given(pair=pairs_of_partitions(), types=TYPES)
def test_kinds_add_up_to_the_whole(
    name: str, singletons: str, pair: tuple[Clusters, Clusters], types: Types
) -> None:
    key, response = typed_pair(pair, types)
    protocol = Protocol(singletons=singletons)
    task = Task.of(key, response, protocol=protocol)
    (kinds,) = stratify(task, STRATIFICATIONS[name], metrics=list(CREDITS))
    whole = score(key, response, protocol=protocol, metric=list(CREDITS))
    for metric in CREDITS:
        total = sum((kind.counts[metric] for kind in kinds.values()), np.zeros((1, 4)))
        assert np.allclose(total, whole.counts[metric], rtol=1e-12)


def several(count: int) -> tuple[DocumentCorpus, DocumentCorpus]:
    """Documents of which every third has an event, found or not, beside a person."""
    key, response = [], []
    for number in range(count):
        third = number % 3 == 0
        clusters = [[0, 2, 5], *[[1, 3]] * third]
        types = ["person", "event", "person", "event", "person", "person", *[None] * 9]
        key.append(as_document(clusters, types, f"d{number:03}"))
        response.append(as_document([[0, 2], *[[1, 3]] * (number % 2)], name=f"d{number:03}"))
    return DocumentCorpus(key, "key"), DocumentCorpus(response, "r")


def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.matching.aligned.BATCH", 20_000)
    key, response = several(30)
    by = STRATIFICATIONS["entity-span"]
    (here,) = stratify(Task.of(key, response, protocol=Protocol()), by)
    (there,) = stratify(Task.of(key, response, protocol=Protocol(), jobs=Processes(2)), by)
    assert list(here) == list(there)
    assert all(
        np.array_equal(here[kind].counts[m], there[kind].counts[m]) for kind in here for m in ("links",)
    )


def test_documents_without_a_kind_are_left_out_of_its_resamples() -> None:
    key, response = several(30)
    (found,) = stratify(Task.of(key, response, protocol=Protocol()), STRATIFICATIONS["entity-type"])
    (events,) = occupied([found["event"]])
    assert len(events.units) == 10
    assert events.links.counts == found["event"].links.counts
    assert events.links.counts["recall_numerator"] == 5


def test_kinds_come_by_their_frequency_and_spans_in_order() -> None:
    key, response = several(3)
    task = Task.of(key, response, protocol=Protocol())
    (types,) = stratify(task, STRATIFICATIONS["entity-type"])
    assert list(types) == ["person", "event", "untyped"]
    (spans,) = stratify(task, STRATIFICATIONS["entity-span"])
    assert list(spans) == [
        f"{kind} · {span}"
        for kind, span in (("person", "51–200 words"), ("event", "51–200 words"), ("untyped", "51–200 words"))
    ]


def test_all_systems_have_all_kinds() -> None:
    key = DocumentCorpus([as_document([[0, 1]], ["person"] * WORDS)], "key")
    wrong = DocumentCorpus([as_document([[0, 1], [5, 6]])], "wrong")
    right, more = stratify(Task.of(key, [key, wrong], protocol=Protocol()), STRATIFICATIONS["entity-type"])
    assert list(right) == list(more) == ["person", "untyped"]
    assert right["untyped"].links.counts["precision_denominator"] == 0
    assert more["untyped"].links.counts["precision_denominator"] == 1
    assert {result.system for result in more.values()} == {"wrong"}


def test_a_response_is_typed_by_the_mentions_that_it_matches() -> None:
    words, tags = ("the", "old", "king", "he"), ("DT", "JJ", "NN", "PRP")
    heads = ("2", "2", "-", "-")

    def document(span: tuple[int, int], kind: str | None) -> Document:
        mentions = (replace(Mention.at(*span), type=kind), replace(Mention.at(3, 4), type=kind))
        return Document.of("d", words, [(0, 4)], [Cluster("1", mentions)], {"pos": tags, "head": heads})

    key, response = DocumentCorpus([document((0, 3), "person")]), DocumentCorpus([document((2, 3), None)])
    (found,) = stratify(Task.of(key, response, protocol=Protocol()), STRATIFICATIONS["entity-type"])
    assert found["person"].mentions.counts["recall_numerator"] == 1
    assert list(found) == ["person"]  # by its pronoun


def test_metrics_that_are_no_sums_over_mentions_are_refused() -> None:
    task = Task.of(*several(3), protocol=Protocol())
    for metric, label in (("ceaf_e", "CEAFe"), ("muc", "MUC"), ("nonsense", "nonsense")):
        with pytest.raises(SettingError, match=f"{label} is not a sum over mentions"):
            stratify(task, STRATIFICATIONS["entity-type"], metrics=[metric])


def test_a_key_without_types_is_refused_or_shown_by_span_alone() -> None:
    key = DocumentCorpus([as_document([[0, 1]])], "key")
    with pytest.raises(ProtocolError, match="key: no entity has a type; give types="):
        with_known_types(STRATIFICATIONS["entity-type"], key, annotated_types)
    by, said = with_known_types(STRATIFICATIONS["entity-span"], key, annotated_types)
    assert "long entities look easier" in said[0]
    (found,) = stratify(Task.of(key, key, protocol=Protocol()), by)
    assert list(found) == ["up to 50 words"]
    assert with_known_types(STRATIFICATIONS["distance"], key, annotated_types)[1] == ()


def test_entities_of_several_types_or_none_are_counted() -> None:
    key = DocumentCorpus(
        [as_document([[0, 1], [3, 4], [6]], ["person", "person", None, "place", "event", *[None] * 10])], "k"
    )
    _, said = with_known_types(STRATIFICATIONS["entity-type"], key, annotated_types)
    assert said == [
        "k: entities whose mentions have several types, of which the most frequent counts: 1 of 3",
        "k: entities without a type, called 'untyped': 1 of 3",
    ]
