"""What a head across documents owes to each group of features, and to the way in which it is trained.

    python bench/across_ablation.py DATA MODEL [--seeds 1 2 3]
    python bench/across_ablation.py DATA MODEL --ways [WAY …] [--epochs 24] [--seeds 1 2 3]

DATA has ecbplus/train and ecbplus/dev, MODEL is a folder whose encoder is used. Single heads without a reader
are trained on train and scored on dev: CoNLL F1 at topic level without singletons, τ the best of each (and λ,
where mentions are found). Rows of Markdown are printed: events, entities, all; mean and range over the seeds.

A group is left out by a constant in its columns while a head learns, whose weights are 0 when it answers: as
if each pair had the average. With --ways there are columns for given mentions, for those that are found, and
for how well they are found (F1). Two more ways are "from pairs alone": where both scorers learn, the loss is
that of pairs, and a pair has the log odds of its mentions added, as Cattan et al. (2021) do it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch
from scipy.special import logit
from torch import Tensor

from referee import formats
from referee.arrays import FloatArray, IntArray
from referee.model import Corpus, Document
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across.head import AcrossHead
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import MentionArrays
from referee.resolvers.across.model import AcrossModel, ComparedByModel, StudiedByModel, word_states
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import AROUND, DOCUMENTS, FEATURES, SURFACE
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.span_words import SpanWords
from referee.resolvers.across.threshold_search import best_trial, tried
from referee.resolvers.neural.running import Model
from referee.training.across import heads as head_learning
from referee.training.across.heads import HeadSettings, as_heads, train_heads
from referee.training.across.model import BEGUN, SPANS_PER_WORD
from referee.training.across.ways import WAYS, Phase
from referee.training.data.topics import (
    KindMaterial,
    TopicMaterial,
    TopicPart,
    no_shared_topics,
    topic_materials,
)
from referee.training.networks.across_head import COSINES, HeadNetwork

SUBTOPICS = ("subtopic", "subtopic_head", "subtopic_jaccard", "other_subtopic_head")
VECTORS = "vectors"
ALONE = " from pairs alone"
TRIED = (*WAYS, *(way + ALONE for way in ("continued", "end-to-end")))
UNSURE = 1e-6
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


class PairsAlone(head_learning._HeadTraining):
    """Learns as in the paper: from nothing beside pairs, whose scores have those of the mentions in them."""

    def loss(self, topic: TopicMaterial, phase: Phase) -> Tensor:
        """Leave out what annotated spans teach."""
        return super().loss(topic, phase._replace(mentions=phase.mentions and not phase.pairs))

    def pair_odds(self, kind: KindMaterial, part: TopicPart, rows: IntArray) -> Tensor:
        """Add how likely both are mentions."""
        states, spans = torch.from_numpy(part.states), kind.spans.moved(part.local)
        sure = self.head.mention_odds(states, spans).softmax(1)[:, kind.kind + 1].logit(UNSURE)
        first, second = (torch.from_numpy(side[rows]) for side in kind.pairs)
        return super().pair_odds(kind, part, rows) + sure[first] + sure[second]


class CountingModel(AcrossModel):
    """Answers as heads that have learned from pairs alone."""

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> StudiedByModel:
        """See documents."""
        return CountingStudy(self, documents, words)


class CountingStudy(StudiedByModel):
    """Documents whose mentions are compared so."""

    def compare(self, mentions: MentionArrays) -> ComparedByModel:
        """Prepare to compare mentions."""
        return CountingPairs(self, mentions)


class CountingPairs(ComparedByModel):
    """Mentions that are compared so."""

    def scores(self, pairs: RowPairs) -> FloatArray:
        """Add how likely both are mentions."""
        sure = logit(np.clip(self.mentions.score, UNSURE, 1 - UNSURE))
        odds: FloatArray = super().scores(pairs) + sure[pairs.first] + sure[pairs.second]
        return odds


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

    def predicted(
        self, head: AcrossHead, answers: type[AcrossModel] = AcrossModel, **begun: float
    ) -> list[float]:
        """Score mentions that are found, of each kind; and then how well they are found."""
        settings = {kind: {**BEGUN, **begun} for kind in MENTION_KINDS}
        linked, arrays = list[float](), list[float]()
        for kind in MENTION_KINDS:
            resolver = AcrossResolver(answers.of(self.model, [head], settings), kind)
            shares = (2 * max(SPANS_PER_WORD),) if kind == "all" else SPANS_PER_WORD
            best = best_trial(tried(resolver, self.dev, spans_per_word=shares))
            linked.append(best.conll)
            if kind != "all":
                settings[kind]["spans_per_word"] = best.spans_per_word or max(SPANS_PER_WORD)
            arrays.append(self.arrays(AcrossModel.of(self.model, [head], settings), kind))
        return [*linked, *arrays]

    def arrays(self, model: AcrossModel, kind: str) -> float:
        """Compare the mentions that a model finds with all annotated ones: F1."""
        key = self.dev.of_kind(kind)
        studied = model.study(list(key), every_word(key))
        right = count = 0
        for number, document in enumerate(key):
            own = studied.mentions(number, kind)
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


def scored_way(
    judge: Judge, topics: Sequence[TopicMaterial], way: str, seed: int, epochs: int = 24
) -> list[float]:
    """Train a head in a way, and score it."""
    name, alone, _ = way.partition(ALONE)
    with patch.object(head_learning, "_HeadTraining", PairsAlone if alone else head_learning._HeadTraining):
        head = as_heads(train_heads(topics, HeadSettings(way=name, seeds=(seed,), epochs=epochs, longer=1)))[
            0
        ]
    given = judge.given(head)
    return given + (
        judge.predicted(head, CountingModel, mention_threshold=0.0) if alone else judge.predicted(head)
    )


def main() -> int:
    """Measure, and print rows as they come."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--ways", nargs="*", choices=TRIED, help="ways of training  [default: all]")
    parser.add_argument("--epochs", type=int, default=24, help="of each phase (with --ways)")
    parser.add_argument("--seeds", type=int, nargs="+", default=(1, 2, 3))
    options = parser.parse_args()
    train, dev = (formats.read(options.data / "ecbplus" / part) for part in ("train", "dev"))
    no_shared_topics(train, dev)
    model = Model(options.model)
    topics = topic_materials(train, lambda text: word_states(model, text))
    judge = Judge(model, dev)
    if options.ways is not None:
        for way in options.ways or TRIED:
            runs = [scored_way(judge, topics, way, seed, options.epochs) for seed in options.seeds]
            print(table_row(way, runs), flush=True)
        return 0
    for name, group in GROUPS.items():
        heads = [trained_without(topics, group, seed) for seed in options.seeds]
        print(table_row(name, [judge.given(head) for head in heads]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
