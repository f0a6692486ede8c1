"""Fits the weights of CAMP's salience: python scripts/fit_salience.py DATA, a folder of corpora.

A pronoun's antecedent is chosen with a probability that grows with the sum of its features' weights; the
weights are those under which the keys' antecedents are most likely, with a penalty on large ones. Fitted to
two thirds of OntoGUM's training part, twenty books of LitBank that are not among those set apart, and GAP's
development part. Writes data/salience.toml.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from referee import formats
from referee.arrays import FloatArray
from referee.model import Text
from referee.resolvers.base import raw_text
from referee.resolvers.camp.camp import Camp
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import DATA, PRONOUN_CLASSES
from referee.resolvers.camp.markables import Markable
from referee.resolvers.camp.pipeline import run_components
from referee.resolvers.camp.pronouns import candidates_of, is_pleonastic, resolve_pronoun
from referee.resolvers.camp.salience import features, pronoun_class

PENALTY = 1.0
HEADER = (
    "# Weights of salience, in log odds: of he and she, of it, and of they. Written by\n"
    "# scripts/fit_salience.py; a feature that is not listed weighs nothing.\n"
)
Right = Callable[[Discourse, Markable, Markable], bool | None]  # None where the key does not say


class Choice(NamedTuple):
    """A pronoun: the features of its candidates, which of them are right, and how much it counts."""

    kind: str
    candidates: list[dict[str, float]]
    right: list[bool]
    weight: float


def choices(discourse: Discourse, right: Right, weight: float) -> Iterator[Choice]:
    """Resolve a text's pronouns one by one, and yield what could have been chosen."""
    run_components(discourse, ["genre", "names", "syntax", "quotes", "proper", "nouns"])
    for anaphor in discourse.markables:
        if not anaphor.is_pronoun or anaphor.person != 3 or is_pleonastic(discourse, anaphor):
            continue
        candidates = candidates_of(discourse, anaphor)
        labels = [right(discourse, anaphor, other) for other in candidates]
        if candidates and None not in labels:
            described = [features(discourse, anaphor, other) for other in candidates]
            yield Choice(pronoun_class(anaphor), described, [bool(label) for label in labels], weight)
        resolve_pronoun(discourse, anaphor)


def of_corpus(paths: list[Path], guidelines: str, weight: float) -> Iterator[Choice]:
    """Yield the choices of annotated documents."""
    camp = Camp(recall=True, guidelines=guidelines)
    for document in (document for path in paths for document in formats.read(path)):
        clusters = [cluster.mentions for cluster in document.clusters if len(cluster.mentions) > 1]
        entity = {(m.start, m.end): number for number, some in enumerate(clusters) for m in some}

        def right(_: Discourse, anaphor: Markable, other: Markable, entity: dict = entity) -> bool:  # type: ignore[type-arg]
            own = entity.get((anaphor.start, anaphor.end))
            return own is not None and own == entity.get((other.start, other.end))

        for _, parsed in camp.parsed([document.text]):
            yield from choices(camp.discourse(parsed), right, weight)


def of_gap(path: Path) -> Iterator[Choice]:
    """Yield the choices of GAP's pronouns that mean one of the two names."""
    camp = Camp(recall=True)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            name = next((name for name in "AB" if row[f"{name}-coref"] == "TRUE"), None)
            for _, parsed in camp.parsed([raw_text(row["ID"], row["Text"])]):
                pronoun = words_at(parsed, int(row["Pronoun-offset"]), row["Pronoun"])
                meant = words_at(parsed, int(row[f"{name}-offset"]), row[name]) if name else None
                found = choices(camp.discourse(parsed), gap_key(pronoun, meant), 1.0)
                yield from (choice for choice in found if any(choice.right))  # GAP says of two names only


def words_at(text: Text, start: int, string: str) -> tuple[int, int]:
    """Find the words that characters are in."""
    inside = [n for n, (a, b) in enumerate(text.characters) if a < start + len(string) and start < b]
    return inside[0], inside[-1] + 1


def gap_key(pronoun: tuple[int, int], meant: tuple[int, int] | None) -> Right:
    """Make a key of one pronoun: any mention of the entity that has the name is right."""

    def right(discourse: Discourse, anaphor: Markable, other: Markable) -> bool | None:
        if (anaphor.start, anaphor.end) != pronoun or meant is None:
            return None
        return any(  # a long phrase around the name is another mention
            (m.start <= meant[0] and meant[1] <= m.end and m.end - m.start < 8)
            or (meant[0] <= m.start and m.end <= meant[1])
            for m in discourse.entity_of[other].markables
        )

    return right


def fitted(some: list[Choice]) -> dict[str, float]:
    """Find the weights under which what is right is most likely; the last one is that of no antecedent."""
    names = sorted({name for choice in some for described in choice.candidates for name in described})
    column = {name: number for number, name in enumerate([*names, "no antecedent"])}
    lines: list[dict[str, float]] = []
    right: list[bool] = []
    starts: list[int] = []
    weights: list[float] = []
    for choice in some:
        starts.append(len(lines))
        weights.append(choice.weight)
        lines += [*choice.candidates, {"no antecedent": 1.0}]
        right += [*choice.right, not any(choice.right)]
    table = np.zeros((len(lines), len(column)))
    for number, described in enumerate(lines):
        for name, value in described.items():
            table[number, column[name]] = value
    of_choice = np.repeat(np.arange(len(some)), np.diff([*starts, len(lines)]))
    good, importance = np.array(right), np.array(weights)

    def loss(theta: FloatArray) -> tuple[float, FloatArray]:
        scores = table @ theta
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[of_choice])
        whole, wanted = np.add.reduceat(odds, starts), np.add.reduceat(odds * good, starts)
        pull = odds * good / np.maximum(wanted, 1e-300)[of_choice] - odds / whole[of_choice]
        value = -(importance * (np.log(np.maximum(wanted, 1e-300)) - np.log(whole))).sum()
        return value + PENALTY * theta @ theta / 2, PENALTY * theta - (pull * importance[of_choice]) @ table

    theta = minimize(loss, np.zeros(len(column)), jac=True, method="L-BFGS-B").x
    return {name: round(float(theta[number]), 3) for name, number in column.items()}


def main(data: Path) -> None:
    """Fit and write the weights."""
    ontogum = sorted((data / "ontogum/train/conll").glob("*.conll"))
    litbank = sorted((data / "litbank").glob("*.conll"))
    collected = [
        *of_corpus([path for number, path in enumerate(ontogum) if number % 3 < 2], "ontonotes", 1.0),
        *of_corpus([path for number, path in enumerate(litbank) if number % 8 in (3, 6)], "litbank", 0.5),
        *of_gap(data / "gap/gap-development.tsv"),
    ]
    parts = [HEADER]
    for kind in PRONOUN_CLASSES:
        weights = fitted([choice for choice in collected if choice.kind == kind])
        ordered = sorted(weights.items(), key=lambda item: -item[1])
        parts.append(f"\n[{kind}]\n" + "".join(f'"{name}" = {value:g}\n' for name, value in ordered if value))
    (DATA / "salience.toml").write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
