"""Decisions about entities in other languages than English, where the scorer of entities knows less.

It was trained on texts of all languages together. By some guidelines less of what it adds to the pairs is
right: how much of it counts is a fact of a model, `entity_shares`. And it knows few words: whoever is called
by a word for children is not called by one for old people, and who is called she is not he. The latter gives
0.1 CoNLL on French novels and 0.8 on *Manon Lescaut*, which nothing was learnt from; on Dutch and Japanese
development texts it changes nothing. Names that were kept apart in the same way cost a Dutch corpus what they
gave in a French one.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.language.word_classes import HE, SHE, WordClasses
from referee.resolvers.neural.entities import Entity, Facts
from referee.resolvers.neural.entity_decisions import EntityDecisions, EntityScorer, Options

_YOUNG, _OLD = 1, 2


class CautiousDecisions(EntityDecisions):
    """Decisions with a share of the scorer's corrections; he is not she, and the young are not the old."""

    def __init__(
        self, scorer: EntityScorer, facts: Facts, threshold: float, known: WordClasses, share: float
    ) -> None:
        """Take what is known of the words of the language."""
        super().__init__(scorer, facts, threshold)
        self.share = share
        young, old = (frozenset(map(known.base, words)) for words in (known.young, known.old))
        people = young | old | frozenset(map(known.base, known.masculine | known.feminine))
        phrases = zip(facts.is_name, facts.words, strict=True)
        self.ages = [  # le vieux, le vieil homme and le petit Jean, but no petit château
            age_of(words, young, old) if is_name or words <= people else 0 for is_name, words in phrases
        ]

    def compare(self, span: int, options: Options) -> FloatArray:
        """Score the entities that a mention may join above none; what it cannot be is out of question."""
        above = super().compare(span, options)
        above += (1 - self.share) * (np.array(options.together[: len(above)]) - above)
        for number, option in enumerate(options.best):
            if self._is_of_another_age(span, option.entity) or self._is_of_another_gender(
                span, option.entity
            ):
                above[number] = -math.inf
        return above

    def _is_of_another_age(self, span: int, entity: Entity) -> bool:
        own = self.ages[span]
        return own > 0 and any(self.ages[each] not in (0, own) for each in entity.mentions)

    def _is_of_another_gender(self, span: int, entity: Entity) -> bool:
        """Whether he is to join an entity that is called she and never he, or she one that is called he."""
        own = self.facts.pronoun[span]
        other = {HE: SHE, SHE: HE}.get(own)
        return other is not None and entity.counts[other] > 0 and not entity.counts[own]


def age_of(words: Collection[str], young: Collection[str], old: Collection[str]) -> int:
    """Say which of two ages the words of a phrase show; 0 for none, or for both.

    >>> age_of({"petit", "vieux"}, {"petit"}, {"vieux"}), age_of({"vieux", "roi"}, {"petit"}, {"vieux"})
    (0, 2)
    """
    shown = {_YOUNG * (word in young) + _OLD * (word in old) for word in words} - {0}
    return shown.pop() if len(shown) == 1 else 0


def without_unsure(clusters: IntArray, mention: FloatArray, least: float) -> IntArray:
    """Take clusters apart whose mentions score less on the average; -1 is the number of none.

    >>> without_unsure(np.array([0, 1, 0, 1, -1]), np.array([2.0, -3.0, 1.0, 0.5, 9.0]), -0.5).tolist()
    [0, -1, 0, -1, -1]
    """
    linked = clusters >= 0
    if not linked.any():
        return clusters
    sums = np.bincount(clusters[linked], mention[linked])
    means = sums / np.maximum(np.bincount(clusters[linked]), 1)
    return np.where(linked & (means[clusters] > least), clusters, -1)
