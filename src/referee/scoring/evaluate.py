"""Scores the responses of a task: counts batch by batch, and sums.

A score of 0 is never silent: a notice says if there was nothing to score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.encoding import encoded
from referee.exceptions import ProtocolError, SettingError, did_you_mean
from referee.matching.aligned import Aligned
from referee.matching.anaphora.reading import BeyondIdentity
from referee.matching.batch import ReadBatch, Repeats
from referee.matching.corefud.matching import OfficialMentions, ScorerDeviations
from referee.matching.matchings import MATCHINGS
from referee.matching.protocol import RELATION_LAYERS, Protocol
from referee.metrics.catalogue import CATALOGUE, mention_metrics, relation_metrics, table_metrics
from referee.metrics.contingency import Contingency, Membership, without_singletons
from referee.metrics.each_way import Ways, count_each_way
from referee.metrics.mention_metrics import MENTION_METRICS, MentionMetric
from referee.metrics.relations import RELATION_METRICS, RelationMetric
from referee.metrics.sets import UNCHANGED, can_count_sets, count_only_sets, count_with_sets
from referee.metrics.standard import CONLL, CONLL_METRICS, CROSSDOC_METRICS, DEFAULT_METRICS, Metric
from referee.scoring.engines import HERE, Engine
from referee.scoring.fingerprints import HashArray, fingerprints, name_of_key, short_hash
from referee.scoring.result import Result
from referee.scoring.task import Task

Counts = dict[str, FloatArray]
LINK_METRICS = ("blanc", "links")  # the CorefUD scorer counts them from the key's side alone
COREFUD_METRICS = (*DEFAULT_METRICS, *MENTION_METRICS)
SET_METRICS = tuple(name for name in DEFAULT_METRICS if name not in UNCHANGED)
LAYER_METRICS = {
    layer: tuple(name for name, metric in RELATION_METRICS.items() if metric.layer == layer)
    for layer in RELATION_LAYERS
}
SHORT_NAMES = {
    "b3": "b_cubed", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "mor": "mention_overlap",
    "zero": "zeros",
}  # fmt: skip
Progress = Callable[[int], None]  # is called with the number of steps that have just been done
Bar = Callable[[int, str], AbstractContextManager[Progress]]  # (steps, label) → what counts them


@contextmanager
def no_bar(_total: int, _label: str) -> Iterator[Progress]:
    """Show no progress."""
    yield ignore_progress


def ignore_progress(_steps: int) -> None:
    """Do nothing when steps are done."""


def evaluate(
    task: Task, metrics: Sequence[str] = DEFAULT_METRICS, *, progress: Progress = ignore_progress
) -> list[Result]:
    """Score each response of a task; `progress` counts the documents."""
    check_metrics(metrics)
    return [
        replace(score_aligned(aligned, metrics, task.engine, progress), system=system)
        for system, aligned in zip(task.systems, task.aligned(), strict=True)
    ]


def score_aligned(
    aligned: Aligned,
    metrics: Sequence[str] = DEFAULT_METRICS,
    engine: Engine = HERE,
    progress: Progress = ignore_progress,
) -> Result:
    """Score responses that are aligned with the key."""
    check_defined(metrics, aligned.protocol)
    parts: list[_Tallied] = []
    joined = _Joined(len(aligned.units))
    for part in engine.map(_Tally(aligned, tuple(metrics)), list(aligned.batches())):
        parts.append(joined.add(part))
        progress(part.documents)
    repeats = sum((part.seen.repeats for part in parts), Repeats(0, 0))
    return Result(
        aligned.response.name,
        aligned.labels,
        {name: joined.counts[name] for name in metrics},
        aligned.protocol,
        [
            *aligned.said,
            *(notice for part in parts for notice in part.notices),
            *aligned.judge_repeats(repeats),
            *aligned.judge_deviations(sum((part.deviations for part in parts), ScorerDeviations())),
            *aligned.judge_unread(sum(part.unread for part in parts)),
            *nothing_in_common(
                aligned.key.name,
                aligned.response.name,
                key_mentions=sum(part.seen.key for part in parts),
                response_mentions=sum(part.seen.response for part in parts),
                common=sum(part.seen.common for part in parts),
            ),
        ],
        key=name_of_key(aligned.labels, joined.prints),
        lengths=joined.lengths.tolist(),
        trees=short_hash(trees) if (trees := [digest for part in parts for digest in part.trees]) else "",
        groups=name_of_groups(aligned),
        alignment=_alignment_data(aligned),
    )


class _Joined:
    """What batches have for each unit, put into one array each: millions of units are in memory once."""

    def __init__(self, units: int) -> None:
        self.counts: dict[str, FloatArray] = {}
        self.prints: HashArray = np.zeros(units, np.uint64)
        self.lengths: IntArray = np.zeros(units, np.int64)
        self._done = 0

    def add(self, part: _Tallied) -> _Tallied:
        """Take what the next batch has for each unit, and return the rest."""
        rows = slice(self._done, self._done + part.lengths.size)
        for name, counts in part.counts.items():
            if name not in self.counts:
                self.counts[name] = np.zeros((self.lengths.size, counts.shape[1]))
            self.counts[name][rows] = counts
        self.prints[rows], self.lengths[rows] = part.prints, part.lengths
        self._done = rows.stop
        return part._replace(counts={}, prints=self.prints[:0], lengths=self.lengths[:0])


def _alignment_data(aligned: Aligned) -> dict[str, Any]:
    """Say what was lost in aligning a model's own copy of the text; nothing for other responses."""
    if not aligned.losses:
        return {}
    from referee.matching.answers.losses import alignment_data

    return alignment_data(aligned.losses)


def name_of_groups(aligned: Aligned) -> str:
    """Name the groups of documents that are scored as one, in any order; empty if none were given."""
    if aligned.protocol.scope != "group":
        return ""
    lines = [f"{aligned.key.ids[k]}\t{unit.name}" for unit in aligned.units for k, _ in unit.pairs]
    return short_hash(map(encoded, sorted(lines)))


def metric_names(words: Sequence[str], protocol: Protocol) -> Sequence[str]:
    """Read metrics, under short names too and several in a word; without any, what the protocol calls for.

    >>> metric_names(["muc,b3", "CEAFe"], Protocol())
    ['muc', 'b_cubed', 'ceaf_e']
    >>> metric_names(["conll,lea"], Protocol())  # the average of three, which are shown with it
    ['muc', 'b_cubed', 'ceaf_e', 'lea']
    """
    default: Sequence[str] = DEFAULT_METRICS if protocol.scope == "document" else CROSSDOC_METRICS
    default = COREFUD_METRICS if protocol.by_corefud else default
    default = SET_METRICS if protocol.sets == "only" else default
    default = LAYER_METRICS.get(protocol.layer, default)
    names = [name for word in words for name in word.lower().replace("-", "_").split(",") if name]
    several = {CONLL: CONLL_METRICS}
    known = [each for name in names for each in several.get(name, (SHORT_NAMES.get(name, name),))]
    return list(dict.fromkeys(known)) or default


def check_metrics(metrics: Sequence[str]) -> None:
    """Refuse metrics that do not exist."""
    unknown = [name for name in metrics if name not in CATALOGUE]
    if unknown or not metrics:
        near = did_you_mean(unknown[0], CATALOGUE) if unknown else ""
        raise SettingError(f"no metric '{', '.join(unknown)}'; choose from {', '.join(CATALOGUE)}{near}")


def check_defined(metrics: Sequence[str], protocol: Protocol) -> None:
    """Refuse metrics that are not defined for the layer, or for sets."""
    for name in metrics:
        metric = CATALOGUE[name]
        layer = metric.layer if isinstance(metric, RelationMetric) else None
        if (layer or protocol.layer) != protocol.layer or (
            layer is None and protocol.layer in RELATION_LAYERS
        ):
            known = ", ".join(LAYER_METRICS.get(protocol.layer, ())) or f"give layer='{layer}'"
            raise SettingError(f"metric '{name}' is not one of layer='{protocol.layer}': {known}")
        about_mentions = isinstance(metric, MentionMetric) or name in UNCHANGED  # sets are not mentions
        if protocol.sets != "drop" and layer is None and not (about_mentions or can_count_sets(name)):
            raise SettingError(f"metric '{name}' does not count sets; give sets='drop' with it")
        if protocol.sets == "only" and about_mentions:
            raise SettingError(f"metric '{name}' does not count sets, which sets='only' asks for")


class Seen(NamedTuple):
    """How many distinct mentions key and response have, how many are in both, and how many come again."""

    key: int
    response: int
    common: int
    repeats: Repeats


class _Tallied(NamedTuple):
    """What comes out of a batch."""

    counts: Counts
    documents: int
    notices: Sequence[str]
    seen: Seen
    unread: int  # mentions whose tree cannot be read
    trees: Sequence[bytes]  # a digest of each document's trees, if any were read
    prints: HashArray  # of the key's units, by which keys are known
    lengths: IntArray
    deviations: ScorerDeviations


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts a batch in some metrics."""

    aligned: Aligned
    metrics: tuple[str, ...]

    def __call__(self, batch: range) -> _Tallied:
        read = self.aligned.read(batch)
        counts, seen = tally(*read.sides, self.aligned.protocol, self.metrics, read)
        self.aligned.judge_repeats(seen.repeats)
        units = read.unit_of_document if read.across else None
        lengths = np.bincount(read.unit_of_document, read.key.lengths, len(batch)).astype(np.int64)
        prints = fingerprints(read.key, units)
        return _Tallied(
            counts, len(read.pairs), read.notices, seen, read.unread, read.trees, prints, lengths,
            read.mentions.deviations,
        )  # fmt: skip


def tally(
    key: Membership,
    response: Membership,
    protocol: Protocol,
    metrics: Sequence[str],
    batch: ReadBatch | None = None,
) -> tuple[Counts, Seen]:
    """Count a stack of units in all metrics, and the mentions that there are.

    Some metrics look at the mentions of the batch, which bare clusters do not have.
    """
    of_mentions = mention_metrics(metrics)
    beyond = batch.beyond if batch is not None else None
    if beyond is not None:
        counts, seen = tally_beyond(beyond, protocol, metrics)
    else:
        counts, seen = _tally_tables(key, response, protocol, table_metrics(metrics), batch)
    if of_mentions and batch is None:
        raise ProtocolError(f"metric {next(iter(of_mentions))} needs documents: bare clusters have no words")
    if of_mentions and batch is not None:
        rows = batch.mention_rows()
        counts |= {name: metric.count(*rows, key.units) for name, metric in of_mentions.items()}
    return counts, seen


def tally_beyond(beyond: BeyondIdentity, protocol: Protocol, metrics: Sequence[str]) -> tuple[Counts, Seen]:
    """Count with sets, or by Universal Anaphora's rules."""
    table = beyond.plain.pairs
    seen = Seen(
        int(table.key_mentions.sum()), int(table.response_mentions.sum()), int(table.owned.sum()),
        Repeats(*beyond.repeats),
    )  # fmt: skip
    counted: Counts = {}
    for name in table_metrics(metrics):
        if protocol.sets == "only":
            counted[name] = count_only_sets(name, beyond.ways, beyond.sets)
        elif protocol.sets == "drop" or name in UNCHANGED:
            counted[name] = beyond.plain.counted(name)
        else:
            tables = beyond.tables, beyond.ways, beyond.sets, beyond.clusters
            counted[name] = count_with_sets(name, *tables)
    if beyond.relations is not None:
        for name, metric in relation_metrics(metrics).items():
            counted[name] = metric.count(beyond.relations.rows, table.units)
    return counted, seen


def _tally_tables(
    key: Membership,
    response: Membership,
    protocol: Protocol,
    metrics: Mapping[str, Metric],
    batch: ReadBatch | None,
) -> tuple[Counts, Seen]:
    if batch is not None and isinstance(batch.mentions, OfficialMentions):
        return _tally_ways(batch.mentions.ways, list(metrics), from_key=LINK_METRICS)
    before = key, response
    if protocol.singletons == "drop":
        key, response = without_singletons(key), without_singletons(response)
    if not protocol.by_corefud and MATCHINGS[protocol.match].many_to_many:  # what is alike is not a repeat
        dropped = {False: Ways.one_to_one(key, response), True: Ways.one_to_one(*before)}
        each = {
            name: count_each_way(name, dropped[metric.before_dropping]) for name, metric in metrics.items()
        }
        return each, _tally_ways(dropped[False], ())[1]
    table = Contingency.of(key, response)
    keys, responses = int(table.key_mentions.sum()), int(table.response_mentions.sum())
    repeats = Repeats(key.mention.size - keys, response.mention.size - responses)
    seen = Seen(keys, responses, int(table.owned.sum()), repeats)
    whole = any(metric.before_dropping for metric in metrics.values()) and protocol.singletons == "drop"
    tables = {False: table, True: Contingency.of(*before) if whole else table}
    counted = {name: metric.count(tables[metric.before_dropping]) for name, metric in metrics.items()}
    return counted, seen


def _tally_ways(ways: Ways, metrics: Sequence[str], from_key: Sequence[str] = ()) -> tuple[Counts, Seen]:
    """Count where recall and precision match mentions independently of each other."""
    keys, responses = (np.unique(side.mention) for side in ways.pairs)
    common = np.intersect1d(keys, responses, assume_unique=True).size
    seen = Seen(keys.size, responses.size, common, Repeats(0, 0))
    return {name: count_each_way(name, ways, from_key) for name in metrics}, seen


def nothing_in_common(
    key: str, response: str, *, key_mentions: int, response_mentions: int, common: int
) -> list[str]:
    """Warn if a side has no mentions, or if the sides have none in common, given names and counts.

    >>> nothing_in_common("key.conll", "out.conll", key_mentions=9, response_mentions=0, common=0)
    ['out.conll: THE RESPONSE HAS NO MENTIONS, so it scores 0']
    """
    empty = [
        f"{name}: THE {role} HAS NO MENTIONS, so {what} scores 0"
        for name, role, count, what in (
            (key, "KEY", key_mentions, "every response"),
            (response, "RESPONSE", response_mentions, "it"),
        )
        if not count
    ]
    if empty or common:
        return empty
    return [
        f"{response}: NO MENTION IN COMMON WITH {key} ({response_mentions} in the response, "
        f"{key_mentions} in the key), so it scores 0; check that both count tokens in the same way"
    ]
