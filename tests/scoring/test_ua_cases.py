"""The shared cases: pairs in CONLL-UA with the counts of Universal Anaphora's scorer, in all its modes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

import naive_sets
import referee
from corpora import DATA
from naive_sets import Side
from noisy_anaphora import side_of
from referee import Document

FOLDER = DATA / "ua-cases"
V2 = {"protocol": "ua", "zeros": "drop"}
KEPT = {"singletons": "keep", "sets": "keep"}
MODES: dict[str, dict[str, Any]] = {
    "1 default": {"protocol": "ua-2021"},
    "1 remove_split_antecedents": {"protocol": "ua-2021", "sets": "drop"},
    "1 remove_singletons remove_split_antecedents": {
        "protocol": "ua-2021", "sets": "drop", "singletons": "drop",
    },
    "1 remove_singletons": {"protocol": "ua-2021", "singletons": "drop"},  # no file that it reads has sets
    "1 min": {"protocol": "ua-2021", "match": "min"},
    "1 only_split_antecedent": {"protocol": "ua-2021", "sets": "only"},
    "1 evaluate_discourse_deixis": {"protocol": "ua-2021", "layer": "deixis"},
    "2 (none)": {**V2, "singletons": "drop", "sets": "drop"},
    "2 -z": {"protocol": "ua", "singletons": "drop", "sets": "drop"},
    "2 -s": {**V2, "sets": "drop"},
    "2 -s -l": {**V2, **KEPT},
    "2 -s -l -z": {"protocol": "ua"},
    "2 -s -l -p": {**V2, **KEPT, "match": "partial"},
    "2 -s -l -z -p": {"protocol": "ua", "match": "partial"},
    "2 -s -p --partial-match-method craft": {**V2, "sets": "drop", "match": "craft"},
    "2 -s -l --only-split-antecedent": {**V2, "sets": "only"},
    "2 -d": {"protocol": "ua", "layer": "deixis"},
    "2 -d -p": {"protocol": "ua", "layer": "deixis", "match": "partial"},
    "2 -s -l --allow-boundary-crossing": {**V2, **KEPT},
    "2 -s -l -z -p --allow-boundary-crossing": {"protocol": "ua", "match": "partial"},
}  # fmt: skip
METRICS = {
    "muc": "muc", "b_cubed": "b_cubed", "ceafe": "ceaf_e", "ceafm": "ceaf_m", "lea": "lea", "blancc": "blanc",
    "blancn": "blanc",
}  # fmt: skip
# Chance, too, though `order` does not have them: `test_the_scorers_links_of_sets_are_chance` shows why.
CHANCE = {("everything-1", "2 -s -l"): ["blancc"], ("everything-1", "2 -s -l -p"): ["blancc"]}
LAYERS = {
    "bridging": ("bridging_recognition", "bridging_mention", "bridging_entity"),
    "non-referring": ("non_referring",),
}


@cache
def corpora(key: Path, response: Path) -> tuple[referee.Corpus, referee.Corpus]:
    """Read a pair once for all modes."""
    return referee.read(key), referee.read(response, role="response")


def counts(paths: tuple[Path, Path], how: dict[str, Any], metrics: list[str]) -> dict[str, list[float]]:
    result = referee.score(*corpora(*paths), metric=metrics, **how)
    return {name: result.counts[name].sum(axis=0).tolist() for name in metrics}


def differences(name: str, case: dict[str, Any]) -> list[str]:
    """Compare all runs of a pair that do not depend on chance and did not fail."""
    paths = FOLDER / f"{name}.key.conllua", FOLDER / f"{name}.response.conllua"
    found = []
    for run, expected in case["runs"].items():
        if "error" in expected:
            continue
        how = MODES[run]
        chance = [*case["order"].get(run, ()), *CHANCE.get((name, run), ())]
        found += _of_metrics(run, expected, chance, counts(paths, how, [*set(METRICS.values())]))
        if how.get("layer") != "deixis" and how.get("sets") != "only":
            found += _of_layers(run, expected, paths, how)
    return found


def _of_metrics(
    run: str, expected: dict[str, Any], chance: list[str], ours: dict[str, list[float]]
) -> list[str]:
    found = []
    for theirs, name in METRICS.items():
        row = ours[name]
        row = row[4:] if theirs == "blancn" else row[:4]
        wanted = expected[theirs]
        if theirs not in chance and isinstance(wanted, list) and row != pytest.approx(wanted, abs=1e-9):
            found.append(f"{run}: {theirs} {row}, not {wanted}")
    return found


def _of_layers(
    run: str, expected: dict[str, Any], paths: tuple[Path, Path], how: dict[str, str]
) -> list[str]:
    found = []
    for layer, names in LAYERS.items():
        sets = {"sets": "drop"} if how.get("sets") == "only" else {}
        ours = counts(paths, {**how, **sets, "layer": layer}, list(names))
        wanted = expected[layer]
        for name in names:
            said = wanted[name.removeprefix("bridging_")] if layer == "bridging" else wanted
            tp, fn, fp = said["tp"], said["fn"], said["fp"]
            if ours[name] != [tp, tp + fn, tp, tp + fp]:
                found.append(f"{run}: {name} {ours[name]}, not {said}")
    return found


@cache
def cases() -> dict[str, Any]:
    path = FOLDER / "expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@pytest.mark.skipif(not cases(), reason="no shared cases")
@pytest.mark.parametrize("name", cases())
def test_counts_are_those_of_the_scorer(name: str) -> None:
    assert differences(name, cases()[name]) == []


def sides(name: str, *, zeros: str) -> Iterator[tuple[Side, Side]]:
    """Read a pair document by document; zeros stay among the members of sets."""
    key, response = ([*referee.read(FOLDER / f"{name}.{side}.conllua")] for side in ("key", "response"))
    others = {document.id: document for document in response}
    for document in key:
        yield _side(document, zeros=zeros), _side(others[document.id], zeros=zeros)


def _side(document: Document, *, zeros: str) -> Side:
    """List entities that refer, given that elements of sets may refer to nothing; zeros by their position."""
    text = document.text

    def position(spans: Any) -> Any:
        zero = spans[0][0] - text.length
        return spans if zero < 0 else ("zero", text.zeros[zero].before, text.zeros[zero].ordinal)

    refers = {cluster.id for cluster in document.clusters}
    relations = tuple(relation for relation in document.relations if relation.anaphor in refers)
    everything = replace(
        document, clusters=(*document.clusters, *document.non_referring), relations=relations
    )
    entities = side_of(everything)
    return [
        (
            [m for m in map(position, mentions) if zeros == "keep" or m[0] != "zero"],
            members and [[position(m) for m in member] for member in members],
        )
        for mentions, members in entities[: len(entities) - len(document.non_referring)]
    ]


def links_by_order(key: Side, response: Side) -> set[float]:
    """Count BLANC's coreference links as the scorer's loop does, for every order of each entity's mentions.

    The loop goes through the pairs of a list that was a Python set, and replaces a set of the key by its
    partner only where it comes first in a pair. Second in a pair, it is a mention that the response lacks.
    """
    owner = {mention: number for number, (mentions, _) in enumerate(response) for mention in mentions}
    found = naive_sets.partners("together", key, response)
    totals = {0.0}
    for number, (mentions, members) in enumerate(key):
        things = [(owner.get(mention, -1), 1.0, False) for mention in mentions]
        things += [(*found.get(number, (-1, 0.0)), True)] if members is not None else []
        orders = permutations(things) if members is not None else [tuple(things)]
        counted = {_links(order) for order in orders}
        totals = {round(a + b, 9) for a, b in product(totals, counted)}
    return totals


def _links(order: tuple[tuple[int, float, bool], ...]) -> float:
    return sum(
        share
        for at, (entity, share, _) in enumerate(order)
        for other, _, is_set in order[at + 1 :]
        if entity >= 0 and not is_set and other == entity
    )


ORDERED = {"2 -s -l": "drop", "2 -s -l -z": "keep"}  # runs that match mentions exactly → what zeros do


@pytest.mark.skipif(not cases(), reason="no shared cases")
@pytest.mark.parametrize("run", ORDERED)
def test_the_scorers_links_of_sets_are_chance(run: str) -> None:
    """What is called chance changes with the order; ours is the count with sets first, theirs is another."""
    varying = set()
    for name, case in cases().items():
        expected = case["runs"].get(run, {}).get("blancc")
        if not isinstance(expected, list):
            continue
        totals = {0.0}
        for key, response in sides(name, zeros=ORDERED[run]):
            totals = {round(a + b, 9) for a, b in product(totals, links_by_order(key, response))}
        paths = FOLDER / f"{name}.key.conllua", FOLDER / f"{name}.response.conllua"
        ours = counts(paths, MODES[run], ["blanc"])["blanc"][0]
        assert ours == pytest.approx(max(totals), abs=1e-8), name
        assert any(expected[0] == pytest.approx(total, abs=1e-8) for total in totals), name
        if len(totals) > 1:
            varying.add(name)
    called = {name for name, case in cases().items() if "blancc" in case["order"].get(run, ())}
    called |= {name for name, chance_run in CHANCE if chance_run == run}
    assert called <= varying


@pytest.mark.skipif(not cases(), reason="no shared cases")
def test_partial_matching_changes_no_link_of_the_pair_that_is_chance() -> None:
    """So the orders of the exact run are those of the partial one."""
    paths = FOLDER / "everything-1.key.conllua", FOLDER / "everything-1.response.conllua"
    exact, partial = (counts(paths, MODES[run], ["blanc"])["blanc"] for run in ("2 -s -l", "2 -s -l -p"))
    assert exact == partial
    assert exact[0] == pytest.approx(1.6)
