"""A key and a response brought together: what scoring, error analysis and all the rest start from.

Documents are paired, units chosen, and mentions numbered so that the same number means the same mention; a
batch of units at a time, so that memory stays flat and the work can be spread over processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.arrays import IntArray, distinct
from referee.display import number_of
from referee.exceptions import FormatError, ProtocolError
from referee.matching.characters import chains_in_characters, edges_of, in_words
from referee.matching.corefud.matching import CorefudMentions, NumberedMentions, ScorerDeviations
from referee.matching.fitting import fit
from referee.matching.matcher import Matched, Matcher
from referee.matching.matchings import Numbers
from referee.matching.pairing import Pair, check_common_documents, pair_documents
from referee.matching.protocol import Protocol
from referee.matching.text_order import TextOrder, ZeroList, has_zeros, with_key_zeros
from referee.matching.units import DocumentUnits, Groups, Unit, check_scope, unit_labels
from referee.metrics.contingency import Membership
from referee.metrics.mention_metrics import MentionRows
from referee.model import UNKNOWN, Chains, Corpus

if TYPE_CHECKING:
    from referee.matching.answers.losses import TextLoss

BATCH = 2**22  # bytes of key and response read at once: enough to keep numpy busy, and little memory


class Repeats(NamedTuple):
    """How many mentions key and response annotate again."""

    key: int
    response: int

    def __add__(self, other: tuple[int, ...]) -> Repeats:  # type: ignore[override]
        """Add up what two batches have."""
        return Repeats(self.key + other[0], self.response + other[1])

    def notices(self, key: str, response: str) -> list[str]:
        """Say it, and what is done about it."""
        said = []
        if self.key:
            said.append(
                f"{key}: {number_of(self.key, 'repeated mention')}, counted as the reference "
                f"scorer counts them"
            )
        if self.response:
            said.append(
                f"{response}: {number_of(self.response, 'repeated mention')}; of those in the key "
                f"the first counts"
            )
        return said


@dataclass(frozen=True)
class Batch:
    """The mentions of some units, key and response in the key's words, numbered alike.

    One that was just read is a `ReadBatch`, which knows what metrics of mentions ask, too.
    """

    pairs: Sequence[Pair]  # the documents, unit by unit
    unit_of_document: IntArray
    key: Chains
    response: Chains
    numbers: Numbers
    across: bool  # whether a unit may hold several documents
    unread: int  # mentions whose tree cannot be read
    trees: Sequence[bytes]  # a digest of each document's trees, if mentions were matched by way of any
    notices: Sequence[str]

    @cached_property
    def sides(self) -> tuple[Membership, Membership]:
        """Key and response: which mention is in which cluster of which unit."""
        units = self.unit_of_document if self.across else None
        return _memberships(self.key, self.response, self.numbers, units)

    @cached_property
    def by_document(self) -> tuple[Membership, Membership]:
        """The same with every document as a unit of its own: links from document to document are cut."""
        return _memberships(self.key, self.response, self.numbers)

    @staticmethod
    def joined(batches: Sequence[Batch]) -> Batch:
        """Put batches that follow each other into one."""
        if len(batches) == 1:
            return batches[0]
        units = [int(batch.unit_of_document.max(initial=-1)) + 1 for batch in batches]
        numbers: list[Numbers] = []
        before = 0
        for batch in batches:
            number, first = distinct(np.concatenate(batch.numbers))
            ours, theirs = np.split(before + number, [batch.key.start.size])
            numbers.append((ours, theirs))
            before += first.size
        ours, theirs = (np.concatenate(column) for column in zip(*numbers, strict=True))
        return Batch(
            [pair for batch in batches for pair in batch.pairs],
            np.concatenate([sum(units[:i]) + batch.unit_of_document for i, batch in enumerate(batches)]),
            Chains.joined([batch.key for batch in batches]),
            Chains.joined([batch.response for batch in batches]),
            (ours, theirs),
            batches[0].across,
            sum(batch.unread for batch in batches),
            [digest for batch in batches for digest in batch.trees],
            [notice for batch in batches for notice in batch.notices],
        )


@dataclass(frozen=True)
class ReadBatch(Batch):
    """A batch that was just read, with what is known about its mentions beside their clusters."""

    mentions: CorefudMentions | NumberedMentions

    def mention_rows(self) -> tuple[MentionRows, MentionRows]:
        """List the mentions with their words and partners, unit by unit, for metrics that look at them."""
        unit = self.unit_of_document
        ours, theirs = self.mentions.rows
        return replace(ours, unit=unit[ours.unit]), replace(theirs, unit=unit[theirs.unit])


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
        mentions: CorefudMentions | NumberedMentions
        if self.protocol.by_corefud:
            matched, mentions, said = self._corefud((keys, responses), as_read, zeros, orders)
            notices += said
        else:
            matched = self.matcher.number(keys, ours, theirs, rows)
            drop = self.protocol.singletons == "drop"
            mentions = NumberedMentions(as_read, matched.numbers, orders, drop)
        unit_of_document = np.repeat(np.arange(len(units)), [len(unit.pairs) for unit in units])
        across = self.protocol.scope != "document"
        return ReadBatch(
            pairs, unit_of_document, key, response, matched.numbers, across, matched.unread, matched.trees,
            notices, mentions,
        )  # fmt: skip

    def _zeros(
        self, numbers: tuple[Sequence[int], Sequence[int | None]], sides: tuple[Chains, Chains]
    ) -> tuple[ZeroList, ZeroList]:
        """Read the words that are not written; if no mention has one, they are not needed."""
        if not any(map(has_zeros, sides)):
            none: ZeroList = [()] * len(numbers[0])
            return none, none
        keys = [self.key.zeros(number) for number in numbers[0]]
        responses = [() if number is None else self.response.zeros(number) for number in numbers[1]]
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


def _sort_into_units(key: Corpus, pairs: Sequence[Pair], scope: str, groups: Groups | None) -> Sequence[Unit]:
    """Sort the documents into the units that are scored as one partition."""
    if scope == "document":
        return DocumentUnits(key.ids, pairs)
    labels = unit_labels(key, scope, groups)
    members: dict[str, list[Pair]] = {}
    for pair in pairs:
        members.setdefault(labels[pair[0]], []).append(pair)
    return [Unit(name, some) for name, some in members.items()]


def _memberships(
    key: Chains, response: Chains, numbers: Numbers, unit_of_document: IntArray | None = None
) -> tuple[Membership, Membership]:
    """Put matched mentions into their clusters: one unit per document, or larger ones as given."""
    if unit_of_document is not None:
        return (
            _in_units(key, numbers[0], unit_of_document),
            _in_units(response, numbers[1], unit_of_document),
        )
    units = key.lengths.size
    return (
        Membership(numbers[0], key.cluster, key.cluster_document, units),
        Membership(numbers[1], response.cluster, response.cluster_document, units),
    )


def _in_units(side: Chains, mention: IntArray, unit_of_document: IntArray) -> Membership:
    """Join what clusters have in the documents of one unit; links from unit to unit are cut."""
    unit = unit_of_document[side.cluster_document]
    cluster, first = _joined_clusters(side, unit)
    units = int(unit_of_document.max(initial=-1)) + 1
    return Membership(mention, cluster[side.cluster], unit[first], units)


def _joined_clusters(side: Chains, unit: IntArray) -> tuple[IntArray, IntArray]:
    """Number the entities of each unit, given the unit of each cluster; also say each one's first cluster."""
    entity = side.entity if side.entity is not None else np.arange(side.cluster_document.size)
    return distinct(unit, entity)
