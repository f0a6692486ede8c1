"""What a head across documents owes to each group of features, and to the way in which it is trained.

    python bench/across_ablation.py DATA MODEL [--seeds 1 2 3]
    python bench/across_ablation.py DATA MODEL --ways [WAY …] [--seeds 1 2 3]

DATA has ecbplus/train and ecbplus/dev, MODEL is a folder whose encoder is used. Single heads without a reader
are trained on train and scored on dev: CoNLL F1 at topic level without singletons, τ the best of each (and λ,
where mentions are found). Rows of Markdown are printed: events, entities, all; mean and range over the seeds.

A group is left out by a constant in its columns while a head learns, whose weights are 0 when it answers: as
if each pair had the average. With --ways there are columns for given mentions, for those that are found, and
for how well they are found (F1).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch
from torch import Tensor

from referee import formats
from referee.model import Corpus
from referee.resolve.across import head_learning
from referee.resolve.across.across_head import AcrossHead
from referee.resolve.across.across_training import BEGUN, KEPT
from referee.resolve.across.corpus_resolver import MENTION_KINDS, AcrossResolver
from referee.resolve.across.head_learning import HeadSettings, as_heads, train_heads
from referee.resolve.across.head_network import COSINES, HeadNetwork
from referee.resolve.across.mention_table import every_word
from referee.resolve.across.model import AcrossModel, word_states
from referee.resolve.across.pair_features import AROUND, DOCUMENTS, FEATURES, SURFACE
from referee.resolve.across.span_words import SpanWords
from referee.resolve.across.threshold_search import best_trial, tried
from referee.resolve.across.topic_material import TopicMaterial, no_shared_topics, topic_materials
from referee.resolve.across.training_ways import WAYS
from referee.resolve.neural.running import Model

SUBTOPICS = ("subtopic", "subtopic_head", "subtopic_jaccard", "other_subtopic_head")
VECTORS = "vectors"
GROUPS = {
    "all of it": (),
    "without the prior of subtopics": SUBTOPICS,
    "without anything of documents": {*DOCUMENTS, *SUBTOPICS},
    "without surface": {*SURFACE, *SUBTOPICS[1:], "shared_rarity"},
    "without context": {*AROUND, *(f"{name}_sum" for name in AROUND), "like_sentence"},
    "without vectors": (VECTORS,),
}


class WithoutVectors(HeadNetwork):
    """A head that sees no vector of a mention."""

    def vectors(self, states: Tensor, spans: SpanWords) -> Tensor:
        """Give each mention the same."""
        del states
        return torch.zeros(spans.size, self.narrow.out_features)


def without(topics: Sequence[TopicMaterial], group: Collection[str]) -> list[TopicMaterial]:
    """Make columns of features constant; without vectors there are no cosines of them either."""
    columns = [FEATURES.index(name) for name in group if name != VECTORS]
    changed = []
    for topic in topics:
        kinds = []
        for kind in topic.kinds:
            features = kind.features.copy()
            features[:, columns] = 0
            cosines = kind.cosines * (VECTORS not in group)
            kinds.append(kind._replace(features=features, cosines=cosines))
        changed.append(topic._replace(kinds=kinds))
    return changed


def trained_without(topics: Sequence[TopicMaterial], group: Collection[str], seed: int) -> AcrossHead:
    """Train a head that knows nothing of a group."""
    with patch.object(head_learning, "HeadNetwork", WithoutVectors if VECTORS in group else HeadNetwork):
        network = train_heads(without(topics, group), HeadSettings(seeds=(seed,)))[0]
    arrays = network.arrays()
    arrays["told.weight"][:, [FEATURES.index(name) for name in group if name != VECTORS]] = 0
    if VECTORS in group:
        arrays["told.weight"][:, -COSINES:] = 0
        arrays["narrow.weight"][:], arrays["narrow.bias"][:] = 0, 0
    return AcrossHead(arrays)


class Judge:
    """A development part on which heads are scored."""

    def __init__(self, model: Model, dev: Corpus) -> None:
        """Take an encoder and a corpus with topics."""
        self.model, self.dev = model, dev

    def given(self, head: AcrossHead) -> list[float]:
        """Score annotated mentions of each kind."""
        model = AcrossModel.of(self.model, [head], {kind: dict(BEGUN) for kind in MENTION_KINDS})
        resolvers = [AcrossResolver(model, kind) for kind in MENTION_KINDS]
        return [best_trial(tried(resolver, self.dev, given=True)).conll for resolver in resolvers]

    def predicted(self, head: AcrossHead) -> list[float]:
        """Score mentions that are found, of each kind; and then how well they are found."""
        settings = {kind: dict(BEGUN) for kind in MENTION_KINDS}
        linked, spotted = list[float](), list[float]()
        for kind in MENTION_KINDS:
            resolver = AcrossResolver(AcrossModel.of(self.model, [head], settings), kind)
            shares = (2 * max(KEPT),) if kind == "all" else KEPT  # of both kinds, what each has kept
            best = best_trial(tried(resolver, self.dev, kept=shares))
            linked.append(best.conll)
            if kind != "all":
                settings[kind]["kept"] = best.kept or max(KEPT)
            spotted.append(self.spotted(AcrossModel.of(self.model, [head], settings), kind))
        return [*linked, *spotted]

    def spotted(self, model: AcrossModel, kind: str) -> float:
        """Compare the mentions that a model finds with all annotated ones: F1."""
        key = self.dev.only(kind)
        model.study(list(key), every_word(key))
        right = count = 0
        for document in key:
            own = model.mentions(document, kind)
            ends = {*zip(own.start.tolist(), (own.end + 1).tolist(), strict=True)}
            wanted = {(mention.start, mention.end) for mention in document.mentions}
            right += 2 * len(ends & wanted)
            count += len(ends) + len(wanted)
        return right / count


def table_row(name: str, runs: Sequence[Sequence[float]]) -> str:
    """Write a row: mean and range of each column over the runs."""
    columns = 100 * np.array(runs).T
    cells = [f"{each.mean():.1f} ({each.min():.1f}-{each.max():.1f})" for each in columns]
    return f"| {name} | {' | '.join(cells)} |"


def scored_rows(
    judge: Judge, topics: Sequence[TopicMaterial], seeds: Sequence[int], ways: Sequence[str]
) -> Iterator[tuple[str, list[list[float]]]]:
    """Score each way of training, or each group that is left out."""
    for way in ways:
        settings = [HeadSettings(way=way, seeds=(seed,)) for seed in seeds]
        heads = [as_heads(train_heads(topics, each))[0] for each in settings]
        yield way, [judge.given(head) + judge.predicted(head) for head in heads]
    for name, group in GROUPS.items() if not ways else ():
        yield name, [judge.given(trained_without(topics, group, seed)) for seed in seeds]


def main() -> int:
    """Measure, and print rows as they come."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--ways", nargs="*", choices=[*WAYS], help="ways of training  [default: all]")
    parser.add_argument("--seeds", type=int, nargs="+", default=(1, 2, 3))
    options = parser.parse_args()
    ways = [] if options.ways is None else options.ways or [*WAYS]
    train, dev = (formats.read(options.data / "ecbplus" / part) for part in ("train", "dev"))
    no_shared_topics(train, dev)
    model = Model(options.model)
    topics = topic_materials(train, lambda text: word_states(model, text))
    for name, runs in scored_rows(Judge(model, dev), topics, options.seeds, ways):
        print(table_row(name, runs), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
