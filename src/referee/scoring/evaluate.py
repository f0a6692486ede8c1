"""Scores corpora: pairs documents by name, tallies them batch by batch, on one core or several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from os import PathLike
from typing import NamedTuple

import numpy as np

from referee.exceptions import FormatError, ProtocolError
from referee.matching.fitting import fit
from referee.matching.matcher import Matcher, skipped_notice
from referee.matching.matchings import memberships, without_singletons
from referee.matching.protocol import Protocol
from referee.matching.units import Groups, check_scope, unit_labels
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.contingency import Contingency, FloatArray, Membership
from referee.metrics.standard import DEFAULT_METRICS
from referee.model import Chains, Corpus, IntArray
from referee.model.characters import InCharacters
from referee.scoring.fingerprints import HashArray, fingerprints, name_of_key
from referee.scoring.result import Result

BATCH = 2**21  # bytes of key and response tallied at once: enough to keep numpy busy, and little memory
UNTOUCHED = 31 * 2**20  # bytes; the most that glibc adapts to is 32 MiB
SHOWN = 3  # names given in a notice before "and N more"
Counts = dict[str, FloatArray]
Pair = tuple[int, int | None]  # a key document and its response, if it has one
Batch = list[list[Pair]]  # units, each with its documents


def evaluate(
    key: Corpus,
    response: Corpus,
    protocol: Protocol | None = None,
    metrics: Sequence[str] = DEFAULT_METRICS,
    *,
    parses: str | PathLike[str] | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    groups: Groups | None = None,
) -> Result:
    """Score a response corpus against a key. `progress` is told how many documents have just been scored.

    `groups` says which documents are one unit, if the protocol's scope is "group".
    `parses` is a file or folder of Penn trees, for matchings that need them and a key that has none.
    """
    protocol = protocol or Protocol()
    check_metrics(metrics)
    given = key.only(protocol.mentions)
    key, response, pairs, notices = comparable(given, response, protocol)
    labels, units = sort_into_units(key, pairs, protocol.scope, groups)
    task = _Task(key, response, protocol, tuple(metrics), Matcher.of(key, protocol, parses), given)
    parts: list[_Tallied] = []
    repeats, skipped = Repeats(0, 0), 0
    batches = list(_batches(key, response, units))
    for batch, done in zip(batches, _tally(task, batches, jobs), strict=True):
        parts.append(done)
        notices += done.notices
        repeats = Repeats(repeats.key + done.repeats.key, repeats.response + done.repeats.response)
        skipped += done.skipped
        if progress:
            progress(sum(map(len, batch)))
    counts = {name: np.concatenate([part.counts[name] for part in parts]) for name in metrics}
    notices = [*key.notices, *response.notices, *notices, *repeats.notices(key.name, response.name)]
    notices += skipped_notice(response.name, skipped)
    name = name_of_key(labels, np.concatenate([part.prints for part in parts]).tolist())
    lengths = np.concatenate([part.lengths for part in parts]).tolist()
    return Result(response.name, labels, counts, protocol, notices, key=name, lengths=lengths)


def comparable(
    key: Corpus, response: Corpus, protocol: Protocol
) -> tuple[Corpus, Corpus, list[Pair], list[str]]:
    """Make two corpora count the same mentions, offsets and documents; say what that took."""
    key, response = key.only(protocol.mentions), response.only(protocol.mentions)
    if not len(key):
        raise FormatError(f"{key.name}: the key has no documents")
    if key.offsets != response.offsets:
        key, response = InCharacters(key), InCharacters(response)
    pairs, notices = pair(key, response, strict=protocol.strict)
    # If no name fits, the reference scorer gives 0, and so do we on what it reads; elsewhere it is a mistake.
    by_reference = key.reference_names and response.reference_names
    if len(response) and not by_reference and all(r is None for _, r in pairs):
        raise FormatError(f"{response.name}: {_names_differ(key, response)}; give them the same names")
    notices += check_scope(key, response, protocol.scope)
    response, fitted = fit(key, response, pairs)
    if fitted and protocol.strict:
        raise FormatError(fitted[0])
    return key, response, pairs, notices + fitted


def check_metrics(metrics: Sequence[str]) -> None:
    """Refuse metrics that do not exist."""
    unknown = [name for name in metrics if name not in CATALOGUE]
    if unknown or not metrics:
        raise ProtocolError(f"no metric '{', '.join(unknown)}'; choose from {', '.join(CATALOGUE)}")


class Repeats(NamedTuple):
    """How many mentions key and response annotate again."""

    key: int
    response: int

    def notices(self, key: str, response: str) -> list[str]:
        """Say it, and what is done about it."""
        said = []
        if self.key:
            said.append(f"{key}: {self.key} repeated mentions, counted as the reference scorer counts them")
        if self.response:
            said.append(
                f"{response}: {self.response} repeated mentions; of those in the key the first counts"
            )
        return said


class _Tallied(NamedTuple):
    """What comes out of a batch."""

    counts: Counts
    notices: list[str]
    repeats: Repeats
    skipped: int  # mentions whose tree cannot be read
    prints: HashArray  # of the key's units, to tell keys apart
    lengths: IntArray


@dataclass(frozen=True, slots=True)
class _Task:
    """What each batch is scored with."""

    key: Corpus
    response: Corpus
    protocol: Protocol
    metrics: tuple[str, ...]
    matcher: Matcher
    given: Corpus  # the key with the offsets it came with


def sort_into_units(
    key: Corpus, pairs: Sequence[Pair], scope: str, groups: Groups | None
) -> tuple[list[str], list[list[Pair]]]:
    """Sort the documents into the units that are scored as one partition, and name these."""
    if scope == "document":
        return [key.ids[k] for k, _ in pairs], [[found] for found in pairs]
    labels = unit_labels(key, scope, groups)
    units: dict[str, list[Pair]] = {}
    for found in pairs:
        units.setdefault(labels[found[0]], []).append(found)
    return list(units), list(units.values())


_own_task: _Task  # in a worker process, what it works on


def _tally(task: _Task, batches: Sequence[Batch], jobs: int) -> Iterator[_Tallied]:
    """Tally the batches, in order. They are cut alike whatever the number of jobs, so the numbers are too."""
    if jobs == 1 or len(batches) == 1:
        yield from map(_tally_batch, repeat(task), batches)
        return
    # The task goes to each process once: a corpus's index is large, and a batch is two lists of numbers.
    with ProcessPoolExecutor(min(jobs, len(batches)), initializer=_take_task, initargs=(task,)) as pool:
        yield from pool.map(_tally_own_batch, batches, chunksize=4)


def _take_task(task: _Task) -> None:
    global _own_task
    _own_task = task


def _tally_own_batch(batch: Batch) -> _Tallied:
    return _tally_batch(_own_task, batch)


def _batches(key: Corpus, response: Corpus, units: Sequence[list[Pair]]) -> Iterator[Batch]:
    batch: Batch = []
    weight = 0
    for unit in units:
        batch.append(unit)
        weight += sum(key.weight(k) + (0 if r is None else response.weight(r)) for k, r in unit)
        if weight >= BATCH:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _keep_freed_memory() -> None:
    """Free a large block that was never touched.

    glibc then keeps up to twice as much freed memory (mallopt(3): its threshold for mapping memory adapts),
    instead of handing pages back after each array and asking for them again: a third of the time of trees.
    """
    np.empty(UNTOUCHED, np.uint8)


def _tally_batch(task: _Task, batch: Batch) -> _Tallied:
    _keep_freed_memory()
    pairs = [found for unit in batch for found in unit]
    numbers = [k for k, _ in pairs]
    key, rows = task.matcher.read_key(numbers)
    response = task.response.chains([r for _, r in pairs])
    notices = [*key.notices, *response.notices, *_check_lengths(task, pairs, key, response)]
    units = None
    if task.protocol.scope != "document":
        units = np.repeat(np.arange(len(batch)), [len(unit) for unit in batch])
    matched = task.matcher.number(numbers, key, response, rows)
    sides = memberships(key, response, matched.numbers, units)
    counts, repeats = tally(*sides, task.protocol, task.metrics)
    if task.protocol.strict and (said := repeats.notices(task.key.name, task.response.name)):
        raise FormatError(f"{said[0]}; --protocol strict refuses that, referee validate lists where")
    given = key if task.given is task.key else task.given.chains(numbers)
    lengths = given.lengths if units is None else np.bincount(units, given.lengths).astype(np.int64)
    return _Tallied(counts, notices, repeats, matched.skipped, fingerprints(given, units), lengths)


def tally(
    key: Membership, response: Membership, protocol: Protocol, metrics: Sequence[str]
) -> tuple[Counts, Repeats]:
    """Count a stack of units in all metrics, and the mentions that are repeated."""
    before = key, response
    if protocol.singletons == "drop":
        key, response = without_singletons(key), without_singletons(response)
    table = Contingency.of(key, response)
    repeats = Repeats(
        key.mention.size - int(table.key_mentions.sum()),
        response.mention.size - int(table.response_mentions.sum()),
    )
    whole = any(CATALOGUE[name].before_dropping for name in metrics) and protocol.singletons == "drop"
    tables = {False: table, True: Contingency.of(*before) if whole else table}
    return {name: CATALOGUE[name].count(tables[CATALOGUE[name].before_dropping]) for name in metrics}, repeats


def _check_lengths(task: _Task, batch: Sequence[Pair], key: Chains, response: Chains) -> list[str]:
    """Positions are only comparable if both sides have the same tokens."""
    differ = (key.lengths != response.lengths) & (key.lengths >= 0) & (response.lengths >= 0)
    messages = [
        f"document {task.key.ids[batch[i][0]]}: {key.lengths[i]} {task.key.offsets} in the key, "
        f"{response.lengths[i]} in the response ({task.response.name}): positions may not correspond"
        for i in np.flatnonzero(differ).tolist()
    ]
    must_agree = task.protocol.strict or task.protocol.match != "exact" or isinstance(task.key, InCharacters)
    if messages and must_agree:
        raise FormatError(f"{messages[0]}; referee validate --key shows the first difference")
    return messages


def pair(key: Corpus, response: Corpus, *, strict: bool) -> tuple[list[Pair], list[str]]:
    """Find each key document's response by name. As in the reference scorer, the key's names decide,
    the last of several documents with one name counts, and a missing response is an empty one.
    """
    keys = {id_: number for number, id_ in enumerate(key.ids)}
    responses = {id_: number for number, id_ in enumerate(response.ids)}
    notices: list[str] = []
    if not keys.keys() & responses.keys():
        if not key.named and not response.named and len(key) == len(response):
            return list(zip(range(len(key)), range(len(response)), strict=True)), notices
        plain_keys = {_plain_name(id_): number for id_, number in keys.items()}
        plain_responses = {_plain_name(id_): number for id_, number in responses.items()}
        if len(plain_keys) == len(keys) and plain_keys.keys() & plain_responses.keys():
            keys, responses = plain_keys, plain_responses
    for corpus, distinct in ((key, keys), (response, responses)):
        if len(corpus) > len(distinct):
            twice = [id_ for number, id_ in enumerate(corpus.ids) if distinct.get(id_, number) != number]
            notices.append(f"{corpus.name}: {_some(twice)} stands more than once; the last one counts")
    missing = [id_ for id_ in keys if id_ not in responses]
    extra = [id_ for id_ in responses if id_ not in keys]
    if missing:
        count = f"{len(missing)} of the key's {len(keys)} documents"
        notices.append(f"{response.name}: {count} missing, scored as empty: {_some(missing)}")
        if len(missing) == len(keys) and extra:
            notices.append(f"NO DOCUMENT IS SCORED: {_names_differ(key, response)}")
    if extra:
        notices.append(
            f"{response.name}: {len(extra)} documents that the key does not have, ignored: {_some(extra)}"
        )
    if notices and strict:
        raise FormatError(notices[0])
    return [(number, responses.get(id_)) for id_, number in keys.items()], notices


def _names_differ(key: Corpus, response: Corpus) -> str:
    names = f"the key has '{key.ids[0]}', the response '{response.ids[0]}'"
    return f"key and response name their documents differently: {names}"


def _plain_name(id_: str) -> str:
    """Write `(bc/x_0001); part 002` as e2e systems do: `bc/x_0001_2`; and ECB+'s files without `.xml`."""
    named = re.fullmatch(r"\((.*)\);(?: part (\d+))?", id_)
    return f"{named[1]}_{int(named[2] or 0)}" if named else id_.removesuffix(".xml")


def _some(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
