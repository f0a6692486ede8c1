"""Resolves coreference across documents: mentions, scores of their pairs, average linkage.

Mentions are compared within groups of documents: topics that are given or predicted, or one group for the
whole corpus. In a small group all pairs are scored, as Cattan et al. (2021) do it. A large one is divided
into neighbourhoods, as what two documents both mention is mostly mentioned in documents that are alike: the
pairs of documents that are most alike are put together first (Kruskal 1956), as long as no neighbourhood
becomes too large. What each neighbourhood makes one is compared as a whole with what others made.

Neighbourhoods come one after the other, so that no more than one is held at a time. The vectors of their
mentions, which would fill the memory, wait in a file until what was linked in several is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import cast

import numpy as np
from scipy.cluster.hierarchy import DisjointSet
from scipy.special import expit

from referee.arrays import FloatArray, Grouped, IntArray, by_first_sight, find, first_of_each
from referee.exceptions import SettingError
from referee.model import Document
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across.cluster_parts import Looks, joined_parts
from referee.resolvers.across.compatibility.same_names import joins_by_name
from referee.resolvers.across.constants import COMPARED, FAINT, IMPOSSIBLE, TOGETHER
from referee.resolvers.across.linkage import Join, after_joins, average_linkage
from referee.resolvers.across.linked_corpus import LinkedCorpus, LinkedTable
from referee.resolvers.across.mention_table import MentionTable, found_mentions, word_buckets
from referee.resolvers.across.mentions import (
    AcrossScorer,
    ComparedMentions,
    MentionArrays,
    Naming,
    Rereading,
    SimilarDocuments,
    StudiedDocuments,
    joined_mentions,
    stacked,
)  # fmt: skip
from referee.resolvers.across.neighbourhood_work import (
    HoodWork,
    LinkedPart,
    divided,
    hoods_elsewhere,
    is_elsewhere,
)
from referee.resolvers.across.neighbours import RowPairs, Vectors, all_pairs, joined_pairs
from referee.resolvers.across.passages import RowFile
from referee.resolvers.across.progress import Done, Steps, unwatched
from referee.resolvers.across.workers import one_blas_thread
from referee.scoring.engines import HERE, Engine


class LinkedMentions:
    """What was added, in its order: columns without vectors, clusters."""

    def __init__(self) -> None:
        """Begin with none."""
        self._columns, self._labels = list[MentionArrays](), list[IntArray]()
        self._vectors, self._clusters = RowFile(), 0
        self.size = 0
        self.joins = list[Join]()  # how clusters came about, as far as it was told

    def add(self, mentions: MentionArrays, label: IntArray) -> None:
        """Add mentions, and the cluster of each, numbered from 0."""
        self._vectors.add(mentions.vector)
        self._columns.append(mentions._replace(vector=mentions.vector[:, :0].copy()))
        self._labels.append(label + self._clusters)
        self._clusters += int(label.max(initial=-1)) + 1
        self.size += mentions.size

    def note(self, joins: Iterable[Join]) -> None:
        """Keep how the clusters of what is added next came about."""
        self.joins += [Join(self.size + a, self.size + b, average) for a, b, average in joins]

    @property
    def parts(self) -> int:
        """The number of times that mentions were added."""
        return len(self._labels)

    @property
    def label(self) -> IntArray:
        """The cluster of each mention."""
        return np.concatenate([np.zeros(0, np.int64), *self._labels])

    def columns(self) -> MentionArrays:
        """Put the columns together, without vectors."""
        return stacked([*self._columns])

    def mentions(self) -> MentionArrays:
        """Put the columns together; vectors are read from the file when they are asked for."""
        return self.columns()._replace(vector=cast(Vectors, self._vectors))


def neighbourhoods(
    alike: SimilarDocuments, words: IntArray, group: IntArray, most: int
) -> list[list[IntArray]]:
    """Divide each group of documents into neighbourhoods of at most `most` words, given those of each.

    >>> from referee.resolvers.across.neighbours import RowPairs
    >>> pairs = RowPairs(np.array([0, 0, 1]), np.array([1, 2, 3]))
    >>> alike = SimilarDocuments(pairs, np.array([0.2, 0.9, 0.8]))
    >>> divided = neighbourhoods(alike, np.full(5, 4), np.zeros(5, np.int64), most=8)
    >>> [[hood.tolist() for hood in hoods] for hoods in divided]
    [[[0, 2], [1, 3], [4]]]
    """
    groups = Grouped.of(group)
    large = np.zeros(words.size, np.bool_)
    first = np.arange(words.size)
    for number in range(groups.sizes.size):
        documents = groups[number]
        large[documents] = words[documents].sum() > most
        first[documents] = np.where(large[documents], documents, documents[0])
    joined = _joined(alike, words, np.where(large, group, -1), most)
    first = np.where(large, joined, first)
    return [_divided(groups[number], first) for number in range(groups.sizes.size)]


def _divided(documents: IntArray, first: IntArray) -> list[IntArray]:
    hoods = Grouped.of(first[documents])
    return [documents[hoods[number]] for number in range(hoods.sizes.size)]


def _joined(alike: SimilarDocuments, words: IntArray, group: IntArray, most: int) -> IntArray:
    """Put documents of one group together, the most alike first: the first one of each neighbourhood."""
    pairs = alike.pairs
    inside = np.flatnonzero((group[pairs.first] == group[pairs.second]) & (group[pairs.first] >= 0))
    order = inside[np.lexsort((pairs.second[inside], pairs.first[inside], -alike.similarity[inside]))]
    together, sizes = DisjointSet(range(words.size)), words.tolist()
    for one, other in zip(pairs.first[order].tolist(), pairs.second[order].tolist(), strict=True):
        a, b = together[one], together[other]
        if a != b and sizes[a] + sizes[b] <= most:
            together.merge(a, b)
            sizes[together[a]] = sizes[a] + sizes[b]
    root = np.array([together[document] for document in range(words.size)], np.int64)
    number, first = by_first_sight(root)
    return first[number]


SCORED_AT_ONCE = 2**16  # pairs: bounds memory, some 130 bytes of features for each
FAR_AT_ONCE = 2**12  # pairs of mentions of anywhere, whose vectors are read for that: bounds memory
OUTWEIGHS = -(2.0**20)  # so that the average of a million pairs, all others certain, is below a threshold
FEW_OF = 4  # mentions: if one of so many is asked for, others are not described


@dataclass(frozen=True)
class AcrossResolver:
    """Links mentions across documents by a model's scores."""

    scorer: AcrossScorer
    kind: str = "all"
    threshold: float | None = None  # the model's for the kind, unless given
    together: int = TOGETHER
    singletons: bool = False  # whether mentions that were found, and linked to nothing, are kept

    def __post_init__(self) -> None:
        """Refuse kinds that there are not."""
        if self.kind not in MENTION_KINDS:
            raise SettingError(
                f"there is no kind of mention '{self.kind}'; there are {', '.join(MENTION_KINDS)}"
            )

    def resolve(
        self,
        documents: Sequence[Document],
        groups: Mapping[str, str] | None = None,
        *,
        given: bool = False,
        words: Sequence[Sequence[str]] | None = None,
        progress: Callable[[int], None] | None = None,
        engine: Engine = HERE,
    ) -> LinkedCorpus:
        """Give documents clusters that reach across them, within `groups` (document → group) if given.

        The mentions that they have stay if `given`; otherwise mentions are found, and those that are not
        linked are left out unless `singletons` are kept. `words` are all words of each document, annotated or
        not. `progress` is called for three steps of each document: when its mentions are found, when those of
        its neighbourhood are linked, and when neighbourhoods are joined. An `engine` with several processes
        does neighbourhoods in these.
        """
        with one_blas_thread():
            studied = self.scorer.study(documents, words or [document.words for document in documents])
            linked = self.linked_groups(
                studied, group_numbers(documents, groups), given=given, progress=progress, engine=engine
            )
        table = MentionTable(documents, linked.columns(), given)
        chosen = np.ones(table.size, np.bool_)
        if not given:
            chosen = table.linked(linked.label, singletons=self.singletons)
        return LinkedCorpus(LinkedTable(table, linked.label, chosen, linked.joins))

    def linked_groups(
        self,
        studied: StudiedDocuments,
        group: IntArray,
        *,
        given: bool = False,
        progress: Callable[[int], None] | None = None,
        engine: Engine = HERE,
    ) -> LinkedMentions:
        """Link the mentions of each group of documents; documents of group −1 are left out."""
        linked = LinkedMentions()
        for within, label in self.each_group(studied, group, given=given, progress=progress, engine=engine):
            linked.note(within.joins)
            linked.add(within.columns(), label)
        return linked

    def each_group(
        self,
        studied: StudiedDocuments,
        group: IntArray,
        *,
        given: bool = False,
        progress: Callable[[int], None] | None = None,
        engine: Engine = HERE,
    ) -> Iterator[tuple[LinkedMentions, IntArray]]:
        """Link the mentions of each group of documents but −1: mentions with their vectors, and clusters."""
        divided = self.divided(studied, group)
        linked = self._linked_hoods(studied, [*chain(*divided)], given, progress, engine)
        for hoods in divided:
            within = LinkedMentions()
            for part in chain.from_iterable(islice(linked, len(hoods))):
                within.note(part.joins)
                within.add(part.mentions, part.label)
            steps = Steps(sum(hood.size for hood in hoods), progress)
            label = self._joined(studied, within, steps)
            steps(1)
            if isinstance(studied, Naming):
                named = joins_by_name(label, studied.names(within.columns()))
                within.joins += named
                label = after_joins(label, named)
            yield within, label

    def divided(self, studied: StudiedDocuments, group: IntArray) -> list[list[IntArray]]:
        """Divide each group of documents but −1 into neighbourhoods."""
        lengths = np.array([document.text.length for document in studied.documents], np.int64)
        return neighbourhoods(studied.alike, lengths, group, self.together)[int((group < 0).any()) :]

    def found(
        self, studied: StudiedDocuments, hoods: Sequence[IntArray], progress: Callable[[int], None] | None,
        *, given: bool = False,
    ) -> Iterator[tuple[IntArray, list[MentionArrays]]]:  # fmt: skip
        """Give the mentions of each neighbourhood, as they are found: so many as are compared at once."""
        numbers = (number for hood in hoods for number in hood.tolist())
        found = found_mentions(studied, numbers, self.kind, given=given)
        for hood in hoods:
            parts = list[MentionArrays]()
            for few in islice(found, hood.size):
                parts.append(few)
                if progress:
                    progress(1)
            yield hood, [*divided(stacked(parts), COMPARED)]

    def _linked_hoods(
        self, studied: StudiedDocuments, hoods: Sequence[IntArray], given: bool,
        progress: Callable[[int], None] | None, engine: Engine,
    ) -> Iterator[list[LinkedPart]]:  # fmt: skip
        """Link the mentions of each neighbourhood, here or elsewhere."""
        if is_elsewhere(engine):
            yield from hoods_elsewhere(HoodWork(self, studied, hoods, given, COMPARED), engine, progress)
            return
        for hood, parts in self.found(studied, hoods, progress, given=given):
            linked = [self.linked_part(studied, few) for few in parts]
            if progress:
                progress(hood.size)
            yield linked

    def linked_part(self, studied: StudiedDocuments, mentions: MentionArrays) -> LinkedPart:
        """Link mentions, all pairs compared."""
        joins = list[Join]()
        return LinkedPart(mentions, self.linked(studied, mentions, joins), joins)

    @property
    def merge_threshold(self) -> float:
        """How likely mentions of two clusters must be the same on average (τ)."""
        return self.scorer.threshold(self.kind) if self.threshold is None else self.threshold

    def linked(
        self, studied: StudiedDocuments, mentions: MentionArrays, joins: list[Join] | None = None
    ) -> IntArray:
        """Number the cluster of each mention, all pairs compared."""
        pairs = all_pairs(mentions.size)
        likely = self.probabilities(studied.compare(mentions), pairs)
        return average_linkage(pairs, likely, mentions.size, self.merge_threshold, joins=joins)

    def probabilities(
        self,
        mentions: ComparedMentions,
        pairs: RowPairs,
        at_once: int = SCORED_AT_ONCE,
        done: Done = unwatched,
    ) -> FloatArray:
        """Say how likely each pair is the same, by all that the model can do; pairs are sorted."""
        odds = first_look(mentions, pairs, at_once)
        if isinstance(mentions, Rereading):  # read those together that are not quite unlikely
            worth = np.flatnonzero(expit(odds) >= FAINT)
            odds[worth] = mentions.second_look(pairs.chosen(worth), odds[worth], done)
        return likelihoods(odds)

    def _joined(self, studied: StudiedDocuments, group: LinkedMentions, done: Done) -> IntArray:
        """Join what neighbourhoods made one: the labels of mentions."""
        if group.parts == 1 or not group.label.size:
            return group.label
        mentions = group.mentions()
        looks = self.looks(studied, mentions)
        buckets = word_buckets(studied.documents, mentions, first_of_each(group.label))
        return joined_parts(
            group.label, mentions.vector, buckets, looks, studied.workers, joins=group.joins, done=done
        )

    def looks(self, studied: StudiedDocuments, mentions: MentionArrays) -> Looks:
        """Say how mentions of anywhere are compared: at first sight, and when they are read."""
        size, all_compared = mentions.size, studied.compare(mentions)

        def compared(pairs: RowPairs) -> tuple[ComparedMentions, RowPairs]:
            """Choose the mentions of pairs if they are few of all, so that others need no description."""
            rows, local = np.unique(np.concatenate(pairs), return_inverse=True)
            if rows.size > size // FEW_OF:
                return all_compared, pairs
            return studied.compare(joined_mentions([mentions], rows)), RowPairs(*local.reshape(2, -1))

        def first(pairs: RowPairs, done: Done) -> FloatArray:
            return likelihoods(first_look(*compared(pairs), FAR_AT_ONCE, done))

        def second(pairs: RowPairs, done: Done) -> FloatArray:
            once = joined_pairs([pairs], size)
            index = find(np.minimum(*pairs) * size + np.maximum(*pairs), once.first * size + once.second)[0]
            return self.probabilities(*compared(once), FAR_AT_ONCE, done)[index]

        return Looks(first, second if isinstance(all_compared, Rereading) else None, self.merge_threshold)


def likelihoods(odds: FloatArray) -> FloatArray:
    """Say how likely pairs are the same by log odds; what is impossible outweighs all other pairs.

    >>> likelihoods(np.array([0.0, IMPOSSIBLE])).tolist()
    [0.5, -1048576.0]
    """
    return np.where(odds > IMPOSSIBLE, expit(odds), OUTWEIGHS)


def first_look(
    mentions: ComparedMentions, pairs: RowPairs, at_once: int = SCORED_AT_ONCE, done: Done = unwatched
) -> FloatArray:
    """Compare pairs, some at a time: log odds."""
    parts = [np.zeros(0)]
    for at in range(0, pairs.size, at_once):
        parts.append(mentions.scores(pairs.chosen(slice(at, at + at_once))))
        done(min((at + at_once) / pairs.size, 1.0))
    return np.concatenate(parts)


def group_numbers(documents: Sequence[Document], groups: Mapping[str, str] | None) -> IntArray:
    """Number the group of each document; None is one group for all."""
    names = ["" if groups is None else groups[document.id] for document in documents]
    return np.unique(np.array([*names, ""]), return_inverse=True)[1][:-1].astype(np.int64)
