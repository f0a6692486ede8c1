"""The shared cases: pairs in CONLL-UA with the counts of Universal Anaphora's scorer, in all its modes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import referee
from corpora import DATA

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
# Chance, too: the scorer finds a set of BLANC's links only where it comes first in a Python set, and in these
# runs, in which an entity loses all its mentions, it does not. By the rule it is found.
CHANCE = {("everything-1", "2 -s -l"): ["blancc"], ("everything-1", "2 -s -l -p"): ["blancc"]}
LAYERS = {
    "bridging": ("bridging_recognition", "bridging_mention", "bridging_entity"),
    "non-referring": ("non_referring",),
}


def counts(paths: tuple[Path, Path], how: dict[str, Any], metrics: list[str]) -> dict[str, list[float]]:
    result = referee.score(*paths, metric=metrics, **how)
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


def cases() -> dict[str, Any]:
    path = FOLDER / "expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@pytest.mark.skipif(not cases(), reason="no shared cases")
@pytest.mark.parametrize("name", cases())
def test_counts_are_those_of_the_scorer(name: str) -> None:
    assert differences(name, cases()[name]) == []
