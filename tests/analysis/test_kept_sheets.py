"""Every table of errors, of systems that differ in all that tables count, stays as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import kept
from noisy_anaphora import noisy
from referee import Cluster, Document, Mention
from referee.analysis.selection import select
from referee.analysis.sheets.breakdown import BREAKDOWNS, breakdown
from referee.analysis.sheets.catalogue import TABLES, all_tables, make_sheets, usual_tables
from referee.analysis.sheets.relations import relation_gains
from referee.analysis.study import Study
from referee.exceptions import RefereeError
from referee.matching.protocol import PRESETS
from referee.model import DocumentCorpus, Relation
from referee.model.mentions import BRIDGING
from studies import analyse

NOUNS = ("town", "month", "car", "child", "river", "king", "dog", "tree", "ship")
PHRASES = (
    "Ann/NNP/PERSON Holt/NNP", "Holt/NNP/PERSON", "IBM/NNP/ORG", "she/PRP", "her/PRP$", "herself/PRP",
    "International/NNP/ORG Business/NNP Machines/NNPS", "the/DT old/JJ president/NN", "a/DT president/NN",
    "who/WP", "the/DT company/NN", "London/NNP/GPE", "June/NNP/DATE", "seven/CD/CARDINAL", "France/NNP/LOC",
    "this/DT", "Ford/NNP/PRODUCT", *(f"the/DT {noun}/NN" for noun in NOUNS),
)  # fmt: skip
IDS = ("(nw/a/1); part 000", "(bc/b/2); part 000", "elsewhere", "(nw/c/3); part 000")


def story(id_: str, chance: Random) -> Document:
    """Put phrases one after the other, near and far, and make entities of them that know no sense."""
    words: list[str] = []
    tags: list[str] = []
    labels: list[str] = []
    edges = [0]
    members: dict[int, list[Mention]] = {}
    for _ in range(45):
        phrase = [word.split("/") for word in chance.choice(PHRASES).split()]
        start = len(words)
        gap = chance.choice((0, 1, 2, 9, 30 if chance.random() < 0.2 else 3))
        label = f"({phrase[0][2]}" if len(phrase[0]) > 2 else ""
        marks = [f"{label}*" if label else "*", *["*"] * (len(phrase) - 1)]
        marks[-1] += ")" if label else ""
        words += [*(word for word, *_ in phrase), *["goes"] * gap]
        tags += [*(tag for _, tag, *_ in phrase), *["VBZ"] * gap]
        labels += [*marks, *["*"] * gap]
        members.setdefault(chance.randrange(9), []).append(Mention.at(start, start + len(phrase)))
        if gap > 2:
            edges.append(len(words))
    edges = sorted({*edges, len(words)})
    layers = {"pos": tags, "entity": labels}
    clusters = [
        Cluster(str(name), tuple(sorted(some)), ("person", "place", None)[name % 3])
        for name, some in sorted(members.items())
    ]
    sentences = [*pairwise(edges)]
    made = Document.of(
        id_, words, sentences, clusters, {name: tuple(layer) for name, layer in layers.items()}
    )
    alone, *others = clusters
    relations = tuple(
        Relation(BRIDGING, cluster.id, (anchor.id,), chance.choice(("part", "set", "")),
                 chance.choice(cluster.mentions).spans, (chance.choice(anchor.mentions).spans,))
        for cluster, anchor in zip(others, clusters, strict=False)
    )  # fmt: skip
    nothing = tuple(Cluster(f"{n}-Pseudo", (mention,)) for n, mention in enumerate(alone.mentions))
    return replace(made, clusters=tuple(others), relations=relations, non_referring=nothing)


def system(key: Document, chance: Random, rate: float) -> Document:
    """Make errors, also about what refers to nothing: half of it is missed, and one entity taken for it."""
    made = noisy(key, chance, rate)
    empty, *clusters = made.clusters
    nothing = [*key.non_referring[::2], *(Cluster(f"{m.start}-Pseudo", (m,)) for m in empty.mentions)]
    return replace(made, clusters=tuple(clusters), non_referring=tuple(nothing) if rate < 0.9 else ())


def corpora() -> list[DocumentCorpus]:
    chance = Random(11)
    keys = [story(id_, chance) for id_ in IDS]
    responses = [[system(key, chance, rate) for key in keys] for rate in (0.15, 0.4, 0.9)]
    return [DocumentCorpus(side, name) for name, side in zip("kabc", [keys, *responses], strict=True)]


@pytest.fixture(scope="module")
def sides() -> list[DocumentCorpus]:
    return corpora()


def bare(corpus: DocumentCorpus) -> DocumentCorpus:
    return DocumentCorpus(
        [replace(d, text=replace(d.text, layers={})) for d in corpus.documents], corpus.name
    )


def last_before(corpus: DocumentCorpus) -> Mapping[tuple[str, Mention], Mention]:
    """Let a system say, for most mentions, the mention before it in its cluster, or the first."""
    return {
        (document.id, mention): cluster.mentions[0 if number % 3 else number - 1]
        for document in corpus.documents
        for cluster in document.clusters
        for number, mention in enumerate(cluster.mentions)
        if number and number % 4
    }


def told(study: Study) -> dict[str, Any]:
    """List all tables of a study, what is left out of them, and which are shown unless others are named."""
    sheets, left_out = make_sheets(study, [*TABLES])
    found: dict[str, Any] = {f"{n} {sheet.name}": asdict(sheet) for n, sheet in enumerate(sheets)}
    found |= {"left out": left_out, "all": all_tables(study)}
    found |= {f"usual {common}": usual_tables(study, common=common) for common in (False, True)}
    for name in BREAKDOWNS:
        try:
            found[f"by {name}"] = asdict(breakdown(study, name, {IDS[2]: "wb"}))
        except RefereeError as error:
            found[f"by {name}"] = str(error)
    if study.protocol.layer != "identity":
        found["gains"] = [relation_gains(study, system) for system in study.systems]
    return found


BRIDGES = replace(PRESETS["ua"], layer="bridging")
STUDIES: dict[str, dict[str, Any]] = {
    "three": {},
    "one": {"systems": [3]},
    "by distance": {"systems": [1, 2], "spanning_tree": "distance"},
    "two trees": {"systems": [1, 2], "precision_spanning_tree": "distance"},
    "other classes": {"systems": [1, 2], "classes": "kummerfeld-klein"},
    "own antecedents": {"systems": [1, 2], "antecedents": True},
    "untyped": {"systems": [1, 2], "bare": True},
    "nouns": {"systems": [1, 2], "condition": "anaphor=noun"},
    "bridging": {"protocol": BRIDGES},
    "some bridging": {"systems": [1, 2], "protocol": BRIDGES, "condition": "side=recall"},
    "non-referring": {"protocol": replace(BRIDGES, layer="non-referring")},
}  # fmt: skip


@pytest.mark.parametrize("name", STUDIES)
def test_all_tables(name: str, sides: list[DocumentCorpus]) -> None:
    settings = dict(STUDIES[name])
    key, *responses = (sides[number] for number in (0, *settings.pop("systems", [1, 2, 3])))
    if settings.pop("bare", False):
        key, responses = bare(key), [bare(response) for response in responses]
    if settings.pop("antecedents", False):
        settings["antecedents"] = [last_before(responses[0]), None]
    condition = settings.pop("condition", "")
    study = analyse(key, responses, **settings)
    kept.check(f"sheets_{name.replace(' ', '_')}", told(select(study, condition) if condition else study))
