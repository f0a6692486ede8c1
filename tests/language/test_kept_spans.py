"""Minimum spans, heads, types and damaged trees of the sample stay as they were."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

import kept
import referee
from referee import formats
from referee.language.agreement import is_past_or_modal, singular_verb
from referee.language.coval_spans import coval_spans
from referee.language.heads import read_trees
from referee.language.mention_types import describe
from referee.language.narration import narration_of
from referee.language.overlap import overlap
from referee.language.span_survey import minimum_spans
from referee.language.stems import head_stem, word_stem
from referee.language.trees.treebank import read_penn
from referee.model import Cluster, Document, DocumentCorpus, Mention
from stated_texts import TEXTS

SAMPLE = Path(referee.__file__).parent / "sample"
WIDEST = 9
PARTS = ["", "(", ")", "((", " ", "(NP ", "(-NONE- *)", "x", ")(", "(S", "\n", "(NP (NN a) b)"]


@cache
def corpus() -> DocumentCorpus:
    """Documents of the sample whose mentions are all spans of a few words."""
    made = []
    for document in list(formats.read(str(SAMPLE / "key.conll")))[:2]:
        ends = [
            (start, end)
            for first, last in document.text.sentences
            for start in range(first, last)
            for end in range(start + 1, min(last, start + WIDEST) + 1)
        ]
        spans = [Mention.at(*span) for number, span in enumerate(ends) if number % 5 == 0]
        made.append(Document(document.text, (Cluster("0", tuple(spans)),)))
    return DocumentCorpus(made, "made")


@pytest.mark.parametrize("match", ["mina", "head"])
def test_minimum_spans_of_all_spans(match: str) -> None:
    found = minimum_spans(corpus(), match)
    shown = [f"{each.mention.start}-{each.mention.end} {each.tokens} {each.reason}" for each in found]
    counted = found.statistics()
    statistics = (counted.maximum, counted.minimum, counted.colliding, counted.containing, counted.annotated)
    kept.check(
        f"spans_{match}",
        {"spans": shown, "statistics": str(statistics).split(), "words": found[7].minimum_words},
    )


def test_minimum_spans_as_coval_finds_them() -> None:
    shown = {}
    for document in corpus():
        starts, ends = np.array([(each.start, each.end) for each in document.mentions]).T
        found = coval_spans(read_trees(document), starts, ends)
        shown[document.id] = [found.offsets, found.tokens, found.identity]
    kept.check("spans_coval", shown)


def test_heads_types_and_overlap_of_mentions() -> None:
    shown = {}
    for document in formats.read(str(SAMPLE / "key.conll")):
        described = describe(document, document.mentions)
        types = [
            f"{each.text}: {each.type} {each.head} {each.pronoun} {each.entity_type}" for each in described
        ]
        alike = [
            f"{a} {b} {overlap(one, other)}"
            for (a, one), (b, other) in combinations(list(enumerate(described))[:40], 2)
            if overlap(one, other)
        ]
        shown[document.id] = [types, alike]
    kept.check("mention_types", shown)


def test_damaged_trees() -> None:
    tree = "(ROOT (S (NP (DT The) (JJ old) (NN man)) (VP (VBD saw) (NP (NP (NNP Ann)) (PP (IN of) "
    tree += "(NP (NNP York))))) (. .)))"
    draw = Random(4)
    shown = {}
    for number in range(60):
        at = draw.randrange(len(tree))
        damaged = tree[:at] + draw.choice(PARTS) + tree[at + draw.choice((0, 0, 1, 2)) :]
        texts = [f"{tree}\n{damaged}\n{tree}".encode(), damaged.encode()]
        try:
            read_penn(texts)
            said = "sound"
        except referee.RefereeError as error:
            said = str(error)
        trees = read_penn(texts, skip_bad=True)
        shown[f"{number}: {damaged}"] = [
            said,
            trees.start,
            trees.end,
            trees.holder,
            [str(bad) for bad in trees.bad],
        ]
    kept.check("damaged_trees", shown)


def test_words() -> None:
    words = sorted({word for running in TEXTS.values() for word in running.split()})
    shown = {
        word: [word_stem(word), singular_verb(word.lower()), is_past_or_modal(word.lower())] for word in words
    }
    kept.check("stems", shown)
    kept.check(
        "narration",
        {
            name: [list(narration_of(running.split())), head_stem(running.split()[:7])]
            for name, running in TEXTS.items()
        },
    )
