"""The pre-flight: do key and response follow one convention? Asked before anything is scored.

Each rule compares one property of both sides, by words and mentions alone, and each is judged after the
repairs of those before it. The thresholds were chosen so that a resolver's errors do not set off a rule: no
alarm on whole corpora of one convention, and at most one on 240 samples of ten documents
(`bench/preflight.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from referee.arrays import BoolArray, FloatArray, IntArray, find, first_of_each
from referee.display import number_of
from referee.exceptions import RefereeError
from referee.matching.pairing import folded_pairs, pair_documents, some_names
from referee.matching.sampled import BITS, Sample, Side
from referee.model import Corpus

MENTIONS = 200  # of each side, before a rule about mentions speaks
KEPT, LEFT_OUT = 0.10, 0.015  # P3: shares of entities that are singletons
GAIN, COMMON = 1.5, 0.25  # P4: how many more mentions are common when moved, and of the smaller side
ARTICLE_POINTS, OWNER_POINTS, CASES = 0.30, 0.25, 20  # P5, P6: differences of shares, each of so many cases
OWNERS, FEW_OWNERS = 40, 0.10  # P6: owners on one side, against a share of these
NESTED, NOT_NESTED = 0.04, 0.002  # P7: shares of mentions
LONG, SHORTER, LONG_CASES = 4, 0.75, 30  # P8: words, share that ends earlier, cases
LINKED, LINKED_SHARE, NOT_LINKED = 20, 0.003, 0.10  # P9: count, share of mentions, share of the other side's
PRONOUN_POINTS, MOST, FEWEST = 0.35, 0.85, 0.03  # P10: difference of shares, and one beyond these
ALL_PRONOUNS = 0.97  # P10: against less than MOST
PERSONS, FEW_PERSONS = 30, 0.05  # P10: I, you; my, his: count, and share of it on the other side
RATIO = 2.5  # P11
EMPTY, ENDED, TEXT, CERTAIN = 0.10, 0.70, 400, 10  # P12: documents, share of the text, words, key's mentions


@dataclass(frozen=True, slots=True)
class Finding:
    """A convention that key and response do not share."""

    rule: str
    measured: str  # on each side
    advice: str
    repair: str = ""  # what repair=True does about it: names, case, singletons, offsets; empty if nothing
    move: tuple[int, int] = (0, 0)  # by which offsets are repaired: of starts, of ends

    def said(self, key: str, response: str, *, repaired: bool) -> str:
        """Write it as a notice."""
        if repaired and self.repair:
            return f"{response}: REPAIRED ({self.rule}): {self.measured}; {DONE[self.repair]}"
        return f"{response}: CONVENTION UNLIKE THAT OF {key} ({self.rule}): {self.measured}; {self.advice}"


DONE = {
    "names": "documents are matched without path, ending, case and part",
    "case": "words are compared without case",
    "singletons": "scored with singletons='drop'",
    "offsets": "the response's mentions are moved so, but for those that would leave the text",
}
WIDER = "give match='head' or match='mina', which compare heads or minimum spans"


def preflight(key: Corpus, response: Corpus, *, singletons: str = "keep") -> list[Finding]:
    """Compare the conventions of key and response; what cannot be read is left to scoring."""
    if response.is_copy or not len(key) or not len(response):
        return []
    try:
        found = list(_names(key, response))
        pairs = folded_pairs(key, response) if found else pair_documents(key, response, strict=False)[0]
        sample = Sample.of(key, response, pairs)
    except RefereeError:
        return []
    found += _words(sample)
    ours, theirs = sample.key, sample.response
    within = not key.cross_document and not response.cross_document
    judged = singletons != "drop" and enough(ours, theirs) and (within or sample.whole)
    unlike = _singletons(ours, theirs) if judged else []
    found += unlike
    if unlike or singletons == "drop":
        ours, theirs = (side.chosen(side.sizes > 1) for side in (ours, theirs))
    return found + list(_mention_rules(replace(sample, key=ours, response=theirs)))


def enough(ours: Side, theirs: Side) -> bool:
    """Whether both sides have mentions enough for shares to mean something."""
    return min(ours.mentions, theirs.mentions) >= MENTIONS


def _mention_rules(sample: Sample) -> Iterator[Finding]:
    """Go through the rules about mentions in order, each after the repair of the one before."""
    yield from _cut_off(sample)
    if not enough(sample.key, sample.response):
        return
    steps: tuple[Callable[[Sample], tuple[list[Finding], Sample]], ...] = (_offsets, _articles, _owners)
    for step in steps:
        found, sample = step(sample)
        yield from found
    for rule in (_nested, _spans, _linked, _pronouns, _number):
        yield from rule(sample)


def _names(key: Corpus, response: Corpus) -> Iterator[Finding]:
    """P1: documents that are found only if their names are folded."""
    found = sum(r is not None for _, r in pair_documents(key, response, strict=False)[0])
    if found == len(key):
        return
    folded = [pair for pair in folded_pairs(key, response) if pair[1] is not None]
    if len(folded) > found and 2 * len(folded) >= len(key):
        first = next((k, r) for k, r in folded if r is not None and key.ids[k] != response.ids[r])
        yield Finding(
            "names",
            f"'{response.ids[first[1]]}' is '{key.ids[first[0]]}' in the key; {found} of "
            f"{number_of(len(key), 'document')} found by name, {len(folded)} without path, ending, case and "
            "part",
            "give repair=True to match them so",
            "names",
        )


def _words(sample: Sample) -> Iterator[Finding]:
    """P2: as many words, but others; or the same but for their case."""
    differ: list[tuple[str, int, str, str]] = []
    compared = unlike = 0
    for id_, ours, theirs in zip(sample.ids, *sample.texts, strict=True):
        if len(ours) != len(theirs) or len(set(theirs)) < 2 <= len(set(ours)):  # no words, but fillers
            continue
        compared += len(ours)
        if ours != theirs:
            both = zip(ours, theirs, strict=True)
            places = [(id_, place, *pair) for place, pair in enumerate(both) if pair[0] != pair[1]]
            unlike += len(places)
            differ += [place for place in places if place[2].lower() != place[3].lower()][:1] or places[:1]
    if not unlike:
        return
    truly = [place for place in differ if place[2].lower() != place[3].lower()]
    id_, place, our, their = (truly or differ)[0]
    measured = (
        f"{unlike} of {compared} words compared are not the key's, first in document {id_}, word {place}: "
        f"'{their}' for '{our}'"
    )
    if not truly:
        advice = "positions are the same, so that only matching by words is affected; give repair=True"
        yield Finding("case", f"the words differ in case: {measured}", advice, "case")
    elif 2 * unlike > compared:
        yield Finding("words", measured, "IS THIS THE SAME TEXT?")
    else:
        yield Finding("words", measured, "positions are compared all the same")


def _singletons(ours: Side, theirs: Side) -> list[Finding]:
    """P3: entities of one mention on one side only."""
    shares = [_singleton_share(side) for side in (ours, theirs)]
    if not (min(shares) < LEFT_OUT and max(shares) > KEPT):
        return []
    measured = f"entities of one mention: {_percent(shares)}"
    return [Finding("singletons", measured, "give singletons='drop'", "singletons")]


def _singleton_share(side: Side) -> float:
    alone = np.count_nonzero(side.sizes == 1)
    return float(alone / max(first_of_each(side.entity).size, 1))


def _offsets(sample: Sample) -> tuple[list[Finding], Sample]:
    """P4: mentions that are the key's when their starts or ends are moved by one."""
    alike = sample.comparable
    keys = sample.key.places(alike)[1]
    moves = {move: sample.response.moved(*move) for move in product((0, -1, 1), (0, -1, 1))}
    common = {move: int(find(side.places(alike)[1], keys)[1].sum()) for move, side in moves.items()}
    best = max(common, key=lambda move: common[move])
    smaller = min(keys.size, sample.response.places(alike)[1].size)
    if common[best] <= GAIN * common[0, 0] or common[best] < COMMON * smaller:
        return [], sample
    what = {
        (0, 1): "the response's ends seem to include the last word",
        (0, -1): "the response's ends seem to be one word beyond the end",
        (-1, -1): "the response seems to count words from 1",
        (1, 1): "the key seems to count words from 1",
        (-1, 0): "the response seems to count starts from 1, with ends included",
    }.get(best, "the response's spans seem to be shifted")
    measured = (
        f"{common[0, 0]} mentions are common, {common[best]} if the response's starts move by {best[0]} and "
        f"its ends by {best[1]}"
    )
    advice = f"{what}: correct them, or give repair=True to move them so"
    return [Finding("offsets", measured, advice, "offsets", best)], replace(sample, response=moves[best])


def _articles(sample: Sample) -> tuple[list[Finding], Sample]:
    """P5: articles inside mentions on one side, before them on the other."""
    sides = [(side, side.among("article")) for side in (sample.key, sample.response)]
    inside = [article[side.start] for side, article in sides]
    before = [article[side.start - 1] & _has_before(side) for side, article in sides]
    unlike = _unlike(inside, [one | two for one, two in zip(inside, before, strict=True)], ARTICLE_POINTS)
    if not unlike:
        return [], sample
    measured = f"articles inside the mention that they belong to: {_percent(unlike)}"
    trimmed = [side.moved(start=part.astype(np.int64)) for (side, _), part in zip(sides, inside, strict=True)]
    return [Finding("articles", measured, WIDER)], replace(sample, key=trimmed[0], response=trimmed[1])


def _owners(sample: Sample) -> tuple[list[Finding], Sample]:
    """P6: the possessive 's inside mentions on one side, after them on the other; or no owners at all."""
    sides = [(side, side.among("possessive mark")) for side in (sample.key, sample.response)]
    verbs = [side.among("before is")[side.start] & (side.end - side.start < 3) for side, _ in sides]
    inside = [mark[side.end - 1] & (side.end - side.start > 1) for side, mark in sides]
    after = [
        mark[side.end] & (side.end < side.first[side.document + 1]) & ~verb
        for (side, mark), verb in zip(sides, verbs, strict=True)
    ]
    owners = [one | two for one, two in zip(inside, after, strict=True)]
    counts = [int(each.sum()) for each in owners]
    if unlike := _unlike(inside, owners, OWNER_POINTS):
        measured = f"possessive 's inside its mention: {_percent(unlike)}"
    elif max(counts) >= OWNERS and min(counts) < FEW_OWNERS * max(counts):
        measured = f"mentions before a possessive 's: {_counts(counts)}"
    else:
        return [], sample
    trimmed = [side.moved(end=-part.astype(np.int64)) for (side, _), part in zip(sides, inside, strict=True)]
    return [Finding("possessive 's", measured, WIDER)], replace(sample, key=trimmed[0], response=trimmed[1])


def _has_before(side: Side) -> BoolArray:
    return side.start > side.first[side.document]


def _unlike(some: Sequence[BoolArray], all_: Sequence[BoolArray], points: float) -> list[float]:
    """Give the shares of both sides if they differ by more than so many points, each of cases enough."""
    cases = [int(each.sum()) for each in all_]
    if min(cases) < CASES:
        return []
    shares = [float(one.sum() / case) for one, case in zip(some, cases, strict=True)]
    return shares if abs(shares[0] - shares[1]) > points else []


def _nested(sample: Sample) -> Iterator[Finding]:
    """P7: mentions inside others on one side only."""
    shares = [_nested_share(side) for side in (sample.key, sample.response)]
    if max(shares) >= NESTED and min(shares) < NOT_NESTED:
        measured = f"mentions inside others: {_percent(shares)}"
        yield Finding("nested mentions", measured, "no option makes them alike: say so beside the score")


def _nested_share(side: Side) -> float:
    order = np.lexsort((-side.end, side.start))
    end = side.end[order]
    reached = np.maximum.accumulate(end)[:-1]
    return float(np.count_nonzero(end[1:] <= reached) / max(end.size, 1))


def _spans(sample: Sample) -> Iterator[Finding]:
    """P8: long mentions that begin alike and end earlier on the other side."""
    (starts, ends), (other_starts, other_ends) = (
        _longest(*side.places(sample.comparable)) for side in (sample.key, sample.response)
    )
    _, ours, theirs = np.intersect1d(starts, other_starts, assume_unique=True, return_indices=True)
    key, response = ends[ours], other_ends[theirs]
    for role, long, short in (("key", key, response), ("response", response, key)):
        cases = long >= LONG
        count = int(cases.sum())
        shorter = float(np.count_nonzero(short[cases] < long[cases]) / max(count, 1))
        if count >= LONG_CASES and shorter > SHORTER:
            other = "response" if role == "key" else "key"
            measured = f"of the {role}'s {count} mentions of {LONG} words or more, {shorter:.0%} end earlier"
            yield Finding("spans", f"{measured} in the {other}", WIDER)


def _longest(start: IntArray, span: IntArray) -> tuple[IntArray, IntArray]:
    """Give each place where mentions start, and how many words the longest of them has."""
    order = np.argsort(span)
    place, last = np.unique(start[order][::-1], return_index=True)
    position = (1 << BITS) - 1
    return place, (span[order][::-1][last] & position) - (place & position)


def _linked(sample: Sample) -> Iterator[Finding]:
    """P9: `X , Y` or `X is Y` as one entity on one side only."""
    for rule, between in (("appositions", "comma"), ("predicates", "copula")):
        counts = [_linked_count(side, between) for side in (sample.key, sample.response)]
        most = max(counts)
        side = sample.key if counts[0] == most else sample.response
        if most >= max(LINKED, LINKED_SHARE * side.mentions) and min(counts) <= NOT_LINKED * most:
            pattern = "X , Y" if rule == "appositions" else "X is Y"
            yield Finding(
                rule,
                f"pairs `{pattern}` as one entity: {_counts(counts)}",
                "no option of scoring makes them alike; a resolver's guidelines may",
            )


def _linked_count(side: Side, name: str) -> int:
    """Count mentions whose entity has another one, after a word of a class."""
    between = side.among(name)[side.end]
    size = int(side.entity.max(initial=0)) + 1
    starts = np.sort(side.start * size + side.entity)
    return int(find((side.end[between] + 1) * size + side.entity[between], starts)[1].sum())


def _pronouns(sample: Sample) -> Iterator[Finding]:
    """P10: pronouns, or some of them, on one side only."""
    sides = (sample.key, sample.response)
    single = [side.end - side.start == 1 for side in sides]

    def counted(name: str) -> list[int]:
        return [
            int((side.among(name)[side.start] & one).sum()) for side, one in zip(sides, single, strict=True)
        ]

    shares = [count / side.mentions for count, side in zip(counted("pronoun"), sides, strict=True)]
    low, high = min(shares), max(shares)
    if (high - low > PRONOUN_POINTS and (high > MOST or low < FEWEST)) or (
        high > ALL_PRONOUNS and low < MOST
    ):
        measured = f"pronouns among mentions: {_percent(shares)}"
        yield Finding("pronouns", measured, "compare by='mention-type'")
    for named in ("I, we, you", "my, his, its"):
        counts = counted(named)
        if max(counts) >= PERSONS and min(counts) < FEW_PERSONS * max(counts):
            measured = f"mentions like {named}: {_counts(counts)}"
            yield Finding("pronouns", measured, "compare by='mention-type'")


def _number(sample: Sample) -> Iterator[Finding]:
    """P11: many more mentions on one side."""
    counts = [sample.key.mentions, sample.response.mentions]
    if max(counts) > RATIO * min(counts):
        yield Finding(
            "number", f"mentions: {_counts(counts)}", "one side annotates much that the other does not"
        )


def _cut_off(sample: Sample) -> Iterator[Finding]:
    """P12: documents without mentions, or with none in their last part, where the key has many."""
    size = len(sample.ids)
    keys, responses = (np.bincount(side.document, minlength=size) for side in (sample.key, sample.response))
    judged = keys >= CERTAIN
    empty = np.flatnonzero(judged & (responses == 0))
    if empty.size and empty.size >= EMPTY * judged.sum() and responses.any():
        yield _said_cut_off(sample, empty, judged, "have no mention in the response")
    lengths = np.diff(sample.key.first)
    long = judged & (lengths >= TEXT) & (responses > 0)
    last = [_last(side, size) for side in (sample.key, sample.response)]
    early = np.flatnonzero(long & (last[1] < ENDED * last[0]))
    if early.size and 2 * early.size >= long.sum():
        yield _said_cut_off(sample, early, long, "have no mention in the last part of the text")


def _said_cut_off(sample: Sample, some: IntArray, judged: BoolArray, what: str) -> Finding:
    names = some_names([sample.ids[number] for number in some.tolist()])
    measured = f"{some.size} of {number_of(int(judged.sum()), 'document')} {what}, but in the key: {names}"
    return Finding("cut off", measured, "was the response cut off?")


def _last(side: Side, documents: int) -> FloatArray:
    """Say where the last mention of each document ends, as a share of its words."""
    last = np.zeros(documents)
    lengths = np.maximum(np.diff(side.first), 1)
    share = (side.end - side.first[side.document]) / lengths[side.document]
    np.maximum.at(last, side.document, share)
    return last


def _percent(shares: Sequence[float]) -> str:
    return f"{shares[0]:.1%} in the key, {shares[1]:.1%} in the response".replace("%", " %")


def _counts(counts: Sequence[int]) -> str:
    return f"{counts[0]} in the key, {counts[1]} in the response"
