"""A key and a response brought together: what scoring, error analysis and all the rest start from.

Documents are paired, units chosen, and mentions numbered so that the same number means the same mention; a
batch of units at a time, so that memory stays flat and the work can be spread over processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.display import number_of
from referee.exceptions import FormatError, ProtocolError
from referee.matching.batch import ReadBatch, Repeats
from referee.matching.characters import chains_in_characters, edges_of, in_words
from referee.matching.corefud.matching import (
    CorefudMentions,
    NumberedMentions,
    OfficialMentions,
    ScorerDeviations,
)
from referee.matching.fitting import fit
from referee.matching.matcher import Matched, Matcher
from referee.matching.pairing import Pair, check_common_documents, pair_documents
from referee.matching.protocol import Protocol
from referee.matching.text_order import (
    TextOrder,
    ZeroList,
    across_sentences,
    has_zeros,
    with_key_zeros,
)
from referee.matching.units import DocumentUnits, Groups, Unit, check_scope, unit_labels
from referee.metrics.standard import UA_2021
from referee.model import UNKNOWN, Anaphora, Chains, Corpus

if TYPE_CHECKING:
    from referee.formats.conll.rows import Rows
    from referee.matching.anaphora.reading import BeyondIdentity
    from referee.matching.answers.losses import TextLoss

BATCH = 2**22  # bytes of key and response read at once: enough to keep numpy busy, and little memory


class _Sides(NamedTuple):
    """Key and response of a batch on their way to being matched."""

    read: tuple[Chains, Chains]  # in the key's words
    compared: tuple[Chains, Chains]  # in words, or in characters if words differ
    as_read: tuple[Chains, Chains]  # with the numbers that each side gives its own zeros
    zeros: tuple[ZeroList, ZeroList]
    orders: tuple[TextOrder, TextOrder]


class _Found(NamedTuple):
    """What matching brings."""

    sides: tuple[Chains, Chains]
    matched: Matched
    mentions: CorefudMentions | NumberedMentions
    notices: list[str]
    beyond: BeyondIdentity | None = None


@dataclass(frozen=True, slots=True)
class Aligned:
    """A key and a response, unit by unit; batches of them are read when asked for."""

    key: Corpus
    response: Corpus
    protocol: Protocol
    units: Sequence[Unit]
    matcher: Matcher
    notices: Sequence[str]
    losses: Sequence[TextLoss] = ()  # of documents that are a model's own copies, aligned to the key's

    @classmethod
    def of(
        cls,
        key: Corpus,
        response: Corpus,
        protocol: Protocol,
        *,
        parses: str | PathLike[str] | None = None,
        groups: Groups | None = None,
    ) -> Aligned:
        """Bring two corpora together, and say what that took."""
        key, response = key.of_kind(protocol.kind), response.of_kind(protocol.kind)
        copied: list[str] = []
        losses: Sequence[TextLoss] = ()
        if response.is_copy:
            from referee.matching.answers.placing import fitted_answers  # few responses are copies

            response, copied, losses = fitted_answers(key, response, strict=protocol.strict)
        pairs, notices = pair_documents(key, response, strict=protocol.strict)
        notices = copied + notices
        check_common_documents(key, response, pairs)
        if protocol.counting == UA_2021:
            pairs, notices = _without_missing(response, pairs, notices)
        notices += check_scope(key, response, protocol.scope)
        response, fitted = fit(key, response, pairs)
        if fitted and protocol.strict:
            raise FormatError(fitted[0])
        if protocol.needs_trees and (cut := [corpus for corpus in (key, response) if corpus.cut]):
            raise ProtocolError(
                f"{cut[0].name}: a running text has no words of its own, which "
                f"match='{protocol.match}' needs; give key and response with words"
            )
        units = _sort_into_units(key, pairs, protocol.scope, groups)
        matcher = Matcher.of(key, protocol, parses)
        return cls(key, response, protocol, units, matcher, notices + fitted, losses)

    @property
    def said(self) -> list[str]:
        """What should be known about how both sides were read and brought together."""
        return [*self.key.notices, *self.response.notices, *self.notices]

    @property
    def labels(self) -> Sequence[str]:
        """The names of the units."""
        return self.units.names if isinstance(self.units, DocumentUnits) else [u.name for u in self.units]

    def batches(self) -> Iterator[range]:
        """Cut the units into batches of about equal weight, in order."""
        first = weight = 0
        for number, unit in enumerate(self.units):
            weight += sum(
                self.key.weight(k) + (0 if r is None else self.response.weight(r)) for k, r in unit.pairs
            )
            if weight >= BATCH:
                yield range(first, number + 1)
                first, weight = number + 1, 0
        if first < len(self.units):
            yield range(first, len(self.units))

    def read(self, batch: range) -> ReadBatch:
        """Read and number the mentions of some units."""
        units = self.units[batch.start : batch.stop]
        pairs = [pair for unit in units for pair in unit.pairs]
        keys, responses = [k for k, _ in pairs], [r for _, r in pairs]
        anaphora = self._anaphora(keys, responses)
        if anaphora and not self.matcher.parses:
            sides = anaphora if self.protocol.by_ua else (anaphora[0].referring, anaphora[1].referring)
            key, response, rows = sides[0].chains, sides[1].chains, None
        else:
            key, rows = self.matcher.read_key(keys)
            response = self.response.chains(responses)
        if self.protocol.gaps == "fill":
            key, response = key.filled, response.filled
        notices = [*key.notices, *response.notices, *self._check_gaps(key, response)]
        ours, theirs = key, response
        if self._by_characters:
            edges = edges_of(self.key, keys)
            ours = chains_in_characters(key, edges)
            theirs = chains_in_characters(response, edges_of(self.response, responses))
            response = in_words(theirs, edges)
        notices += [] if self.protocol.by_corefud else self._check_lengths(keys, ours, theirs)
        zeros = self._zeros((keys, responses), (key, response))
        lengths = key.lengths, key.lengths if self._by_characters else response.lengths
        orders = TextOrder.pair(lengths, zeros, decimal=self.protocol.official)
        as_read = key, response  # with the numbers that each side gives its own zeros
        if has_zeros(response) and not self._by_characters:
            theirs = response = with_key_zeros(response, zeros, orders)
        brought = _Sides((key, response), (ours, theirs), as_read, zeros, orders)
        if anaphora and self.protocol.by_ua:
            found = self._by_ua(brought, anaphora)
        else:
            found = self._matched((keys, responses), brought, rows)
        units_of = np.repeat(np.arange(len(units)), [len(unit.pairs) for unit in units])
        matched, across = found.matched, self.protocol.scope != "document"
        made = ReadBatch(
            pairs, units_of, *found.sides, matched.numbers, across, matched.unread, matched.trees,
            [*notices, *found.notices], found.mentions, found.beyond,
        )  # fmt: skip
        return self._with_sets(made, anaphora) if anaphora and not found.beyond else made

    def _anaphora(
        self, keys: Sequence[int], responses: Sequence[int | None]
    ) -> tuple[Anaphora, Anaphora] | None:
        """Read what goes beyond identity, if it is asked for."""
        if not self.protocol.by_ua and self.protocol.sets == "drop":
            return None
        bridging = self.protocol.layer == "bridging"
        return (
            self.key.anaphora(keys, bridging=bridging), self.response.anaphora(responses, bridging=bridging)
        )  # fmt: skip

    def _matched(
        self, numbers: tuple[Sequence[int], Sequence[int | None]], sides: _Sides, rows: Rows | None
    ) -> _Found:
        """Match mentions by the rules of the reference scorer or of CorefUD."""
        if self.protocol.by_corefud:
            matched, mentions, said = self._corefud(numbers, sides.as_read, sides.zeros, sides.orders)
            return _Found(sides.read, matched, mentions, said)
        matched = self.matcher.number(numbers[0], *sides.compared, rows)
        drop = self.protocol.singletons == "drop"
        return _Found(
            sides.read, matched, NumberedMentions(sides.as_read, matched.numbers, sides.orders, drop), []
        )

    def _by_ua(self, sides: _Sides, anaphora: tuple[Anaphora, Anaphora]) -> _Found:
        """Match mentions by Universal Anaphora's rules; what refers to nothing is no mention afterwards."""
        from referee.matching.anaphora.reading import read_by_ua  # when needed: few scores are by them
        from referee.matching.anaphora.relations import notices_of

        compared = (
            replace(anaphora[0], chains=sides.compared[0]),
            replace(anaphora[1], chains=sides.compared[1]),
        )
        numbers, beyond = read_by_ua(compared, self.protocol)
        if beyond.relations is not None:  # in the key's words, for what shows them
            as_said = tuple(replace(a, chains=chains) for a, chains in zip(anaphora, sides.read, strict=True))
            beyond = beyond._replace(relations=beyond.relations._replace(sides=(as_said[0], as_said[1])))
        (key, response), (_, as_read) = (
            tuple(chains.of_clusters(side.refers) for chains, side in zip(two, anaphora, strict=True))
            for two in (sides.read, sides.as_read)
        )
        drop = self.protocol.singletons == "drop"
        mentions = NumberedMentions((key, as_read), numbers, sides.orders, drop)
        said = notices_of(anaphora, self.protocol, (self.key.name, self.response.name))
        return _Found((key, response), Matched(numbers, 0, ()), mentions, said, beyond)

    def _with_sets(self, batch: ReadBatch, anaphora: tuple[Anaphora, Anaphora]) -> ReadBatch:
        """Add sets to mentions that are matched."""
        from referee.matching.anaphora.reading import read_official_sets, read_sets

        if isinstance(batch.mentions, OfficialMentions):
            return replace(batch, beyond=read_official_sets(anaphora, batch.mentions))
        return replace(batch, beyond=read_sets(anaphora, batch.numbers, batch.sides))

    def _zeros(
        self, numbers: tuple[Sequence[int], Sequence[int | None]], sides: tuple[Chains, Chains]
    ) -> tuple[ZeroList, ZeroList]:
        """Read the words that are not written; if no mention has one, they are not needed."""
        if not any(map(has_zeros, sides)):
            none: ZeroList = [()] * len(numbers[0])
            return none, none
        keys: ZeroList = [self.key.zeros(number) for number in numbers[0]]
        responses: ZeroList = [() if number is None else self.response.zeros(number) for number in numbers[1]]
        if self.protocol.by_ua:
            keys, responses = ([across_sentences(zeros) for zeros in side] for side in (keys, responses))
        return keys, keys if self._by_characters else responses

    def _corefud(
        self,
        numbers: tuple[Sequence[int], Sequence[int | None]],
        sides: tuple[Chains, Chains],
        zeros: tuple[ZeroList, ZeroList],
        orders: tuple[TextOrder, TextOrder],
    ) -> tuple[Matched, CorefudMentions, list[str]]:
        from referee.matching.corefud.reading import CorefudReader  # when needed: it brings CoNLL-U's reader

        reader = CorefudReader(self.key, self.response, self.protocol)
        return reader.matched(numbers, sides, zeros, orders, same_words=self._by_characters)

    @property
    def _by_characters(self) -> bool:
        """Whether key and response have words of their own that need not be the same."""
        return self.key.cut or self.response.cut

    def _check_lengths(self, keys: Sequence[int], key: Chains, response: Chains) -> list[str]:
        """Positions are only comparable if both sides have the same words, or the same characters."""
        differ = (key.lengths != response.lengths) & (key.lengths != UNKNOWN) & (response.lengths != UNKNOWN)
        counted = "characters" if self._by_characters else "words"
        messages = [
            f"document {self.key.ids[keys[i]]}: {key.lengths[i]} {counted} in the key, {response.lengths[i]} "
            f"in the response ({self.response.name}): positions may not correspond"
            for i in np.flatnonzero(differ).tolist()
        ]
        must_agree = self.protocol.strict or self.protocol.match != "exact" or self._by_characters
        if messages and must_agree:
            raise FormatError(f"{messages[0]}; referee validate with the key shows the first difference")
        return messages

    def _check_gaps(self, key: Chains, response: Chains) -> list[str]:
        """Say so if the response has no gaps, as in a format that cannot hold them, and the key has."""
        if not key.parts.row.size or response.parts.row.size or self.protocol.match != "exact":
            return []
        return [
            f"{self.key.name}: has mentions of several spans, but {self.response.name} has none, so these do "
            "not match; gaps='fill' takes a mention from its first word to its last"
        ]

    def judge_repeats(self, repeats: Repeats) -> list[str]:
        """Refuse repeated mentions if the protocol is strict; else say what is done about them."""
        if self.protocol.official:  # a mention in several entities is among the deviations
            return []
        if self.protocol.by_ua:
            return _repeats_by_ua(
                repeats, self.key.name, self.response.name, once=self.protocol.sets != "drop"
            )
        notices = repeats.notices(self.key.name, self.response.name)
        if notices and self.protocol.strict:
            raise FormatError(f"{notices[0]}; protocol='strict' refuses that, referee validate lists them")
        return notices

    def judge_deviations(self, deviations: ScorerDeviations) -> list[str]:
        """Say which deviations of the official CorefUD scorer have, or could have, changed the score."""
        return deviations.notices(self.response.name, official=self.protocol.official)

    def judge_unread(self, unread: int) -> list[str]:
        """Say how many mentions of key and response are matched by maximum span."""
        return [
            f"{self.response.name}: {number_of(unread, 'mention')} scored by maximum span: bad parse"
        ] * bool(unread)


def _without_missing(
    response: Corpus, pairs: Sequence[Pair], notices: Sequence[str]
) -> tuple[list[Pair], list[str]]:
    """Leave out documents that the response lacks, as version 1 of Universal Anaphora's scorer does."""
    kept = [pair for pair in pairs if pair[1] is not None]
    if len(kept) == len(pairs):
        return kept, [*notices]
    left_out = number_of(len(pairs) - len(kept), "document")
    what = f"{response.name}: {left_out} missing, LEFT OUT of the score as in the scorer's first version"
    return kept, [*(notice for notice in notices if "missing, scored as empty" not in notice), what]


def _repeats_by_ua(repeats: Repeats, key: str, response: str, *, once: bool) -> list[str]:
    """Say how Universal Anaphora's rules count mentions that are annotated again."""
    how = "once in each entity" if once else "each time"
    return [
        f"{name}: {number_of(count, 'repeated mention')}, counted {how}; the last entity of a mention is the "
        "one that it is looked up in, and CEAF looks into all"
        for name, count in ((key, repeats.key), (response, repeats.response))
        if count
    ]


def _sort_into_units(key: Corpus, pairs: Sequence[Pair], scope: str, groups: Groups | None) -> Sequence[Unit]:
    """Sort the documents into the units that are scored as one partition."""
    if scope == "document":
        return DocumentUnits(key.ids, pairs)
    labels = unit_labels(key, scope, groups)
    members: dict[str, list[Pair]] = {}
    for pair in pairs:
        members.setdefault(labels[pair[0]], []).append(pair)
    return [Unit(name, some) for name, some in members.items()]
