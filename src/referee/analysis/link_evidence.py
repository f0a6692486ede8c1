"""The evidence for a link across documents: the head, the arguments, or neither.

After the qualitative analysis of Cattan et al. (2021, §5.4), who found that errors come from trust in the
same words ("fired" of two coaches), from other words for the same thing ("fired", "shown the door"), and from
times that are relative to a date ("today", "Saturday").

    head          both have the same head, and only one entity of the unit has it
    arguments     both have the same head, as have other entities: only who, where and when distinguish them
    other words   their heads differ
    times         both are times

A head is the parsed one where the text has layers, and otherwise guessed from the words.
"""

from __future__ import annotations

from collections import defaultdict

from referee.analysis.link_errors import LinkError
from referee.analysis.study import Study
from referee.language.hints import DATE_WORDS, is_date
from referee.language.mention_types import Described
from referee.language.stems import head_stem, word_stem

BY_HEAD, BY_ARGUMENTS, OTHER_WORDS, TIMES = "head", "arguments", "other words", "times"
EVIDENCE = (BY_HEAD, BY_ARGUMENTS, OTHER_WORDS, TIMES)
TIME_STEMS = frozenset(map(word_stem, DATE_WORDS))


class LinkEvidence:
    """Knows which heads the key's entities of each unit have."""

    def __init__(self, study: Study) -> None:
        """Collect the heads."""
        self._units: dict[str, int] = {}  # document → unit
        self._entities: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        key = study.systems[0].comparison.key
        for each, unit, cluster in zip(study.mentions, key.unit.tolist(), key.cluster.tolist(), strict=True):
            self._units[each.document_id] = unit
            self._entities[unit, head_of(each)].add(cluster)

    def of(self, error: LinkError) -> str:
        """Name the evidence for a link."""
        anaphor, antecedent = error.link
        if _is_time(anaphor) and _is_time(antecedent):
            return TIMES
        head = head_of(anaphor)
        if not head or head != head_of(antecedent):
            return OTHER_WORDS
        units = {self._units.get(each.document_id) for each in error.link} - {None}
        entities = {entity for unit in units if unit is not None for entity in self._entities[unit, head]}
        return BY_ARGUMENTS if len(entities) > 1 else BY_HEAD


def head_of(mention: Described) -> str:
    """Give the stem of a mention's head; empty for words beyond the text."""
    return word_stem(mention.head_word) if mention.head_word else head_stem(mention.words)


def _is_time(mention: Described) -> bool:
    return is_date(mention) or (not mention.head_word and head_of(mention) in TIME_STEMS)
