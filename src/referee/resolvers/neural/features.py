"""What can be seen of words, spans and pairs of spans without an encoder.

The same functions serve training (torch) and running (numpy): they only index, compare and add, and are
given the library as `xp`. Words are described once, by whole numbers; a span is its first and last word.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import BoolArray, IntArray, offsets_of, spread
from referee.encoding import encoded
from referee.language.languages import ENGLISH
from referee.language.word_classes import DETERMINERS, PRONOUNS, WordClasses, classes_of, quotations

Array = Any  # a numpy array or a torch tensor


MAX_SPAN_WIDTH = 30  # words: a wider span is never a candidate
IMPOSSIBLE = -1e4  # the score of what cannot be: a span across sentences, an antecedent that comes later
# A model for English has one class of pronouns fewer than one for several languages: the last, `open`.
PRONOUN_CLASSES, DETERMINER_CLASSES, CAPITAL_CLASSES = len(PRONOUNS), len(DETERMINERS) + 2, 3
ALL_PRONOUN_CLASSES = PRONOUN_CLASSES + 1
BUCKETS = 1024  # words of a span are compared by hash


class WordFeatures(NamedTuple):
    """Features of words: one number for each word in each column."""

    sentence: Array
    form: Array  # the same for the same word in small letters
    pronoun: Array  # its class, or 0
    determiner: Array
    capital: Array  # 1 inside a sentence, 2 at its beginning
    until: Array  # the first word after it at which a noun phrase's core would end
    light: Array  # 1 for words that do not distinguish entities
    possessive: Array
    quote: Array  # the number of the quotation that it is in, or 0
    speaker: Array  # the number of its speaker, or 0
    guideline: Array  # which guidelines are to be followed: 0 OntoNotes (OntoGUM), 1 LitBank
    document: Array

    def section(self, words: slice) -> WordFeatures:
        """Give the features of some words, counted from the first of them."""
        inside = WordFeatures(*(column[words] for column in self))
        return inside._replace(until=inside.until - words.start)


def describe_words(
    words: Sequence[str],
    sentences: IntArray,
    speakers: Sequence[str] = (),
    guideline: int = 0,
    language: str = ENGLISH,
) -> WordFeatures:
    """Describe the words of a text; `sentences` has the number of each word's sentence."""
    known = classes_of(language)
    lower = [word.lower() for word in words]
    forms = {word: zlib.crc32(encoded(known.base(word))) for word in set(lower)}
    count = len(words)
    begins = np.r_[True, sentences[1:] != sentences[:-1]][:count]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(filter(None, speakers)), 1)}
    form = np.array([forms[word] for word in lower], np.int64)
    determiner = _classes(known.determiners, words, lower)
    digit = np.array([word[:1].isdigit() for word in words], np.bool_)
    return WordFeatures(
        sentence=np.asarray(sentences, np.int64),
        form=form,
        pronoun=_classes(known.pronouns, words, lower),
        determiner=np.where((determiner == 0) & digit, DETERMINER_CLASSES - 1, determiner),
        capital=_capitals(known, words, form, determiner) * (1 + begins),
        until=_until(_breaks(known, lower), sentences),
        light=np.array([word in known.light for word in lower], np.int64),
        possessive=np.array([word in known.possessive_marks for word in lower], np.int64),
        quote=quotations(words, known),
        speaker=np.array([numbers.get(name, 0) for name in speakers] or [0] * count, np.int64),
        guideline=np.full(count, guideline, np.int64),
        document=np.zeros(count, np.int64),
    )


def _classes(table: Mapping[str, int], words: Sequence[str], lower: Sequence[str]) -> IntArray:
    """Look up words as they are written, then in small letters."""
    found = [table.get(word) or table.get(small, 0) for word, small in zip(words, lower, strict=True)]
    return np.array(found, np.int64)


def _capitals(known: WordClasses, words: Sequence[str], form: IntArray, determiner: IntArray) -> IntArray:
    """Mark capitals; where all nouns have one, only those of forms that no determiner precedes."""
    capital = np.array([word[:1].isupper() for word in words], np.int64)
    if known.capital_nouns and capital.size:
        behind = np.r_[False, determiner[:-1] > 0]
        capital *= ~np.isin(form, form[behind & (capital > 0)])
    return capital


def _breaks(known: WordClasses, lower: Sequence[str]) -> BoolArray:
    """Mark words at which the core of a phrase ends: behind its first word, if that is its head."""
    if known.head_first:
        return np.ones(len(lower), np.bool_)
    return np.array([word in known.after_noun for word in lower], np.bool_)


def _until(breaks: Any, sentences: IntArray) -> IntArray:
    """For each word the first break after it, or the end of its sentence."""
    count = breaks.size
    index = np.arange(count)
    following = np.where(breaks, index, count)
    nearest = np.minimum.accumulate(following[::-1])[::-1]
    return np.minimum(np.r_[nearest[1:], count][:count], np.searchsorted(sentences, sentences, side="right"))


class SpanFeatures(NamedTuple):
    """What is known of each span: its columns, and those of its first or head word."""

    start: Array
    end: Array
    core: Array  # the first word after a determiner
    last: Array  # the last word before a final 's
    form: Array  # equal for spans of the same words, without a leading determiner and a final 's
    head: Array  # the form of the head word
    pronoun: Array
    determiner: Array
    capital: Array
    width: Array  # in classes
    sentence: Array
    quote: Array
    speaker: Array
    document: Array


WIDTH_CLASSES = 8
EMBEDDED = {  # the columns of spans that the head has an embedding for, and the classes of each
    "pronoun": PRONOUN_CLASSES,
    "determiner": DETERMINER_CLASSES,
    "capital": CAPITAL_CLASSES,
    "width": WIDTH_CLASSES,
}


def describe_spans(xp: Any, words: WordFeatures, sums: Array, start: Array, end: Array) -> SpanFeatures:
    """Describe spans; `sums` are the running sums of the words' forms, beginning with 0."""
    one = start == end
    core = xp.minimum(start + (words.determiner[start] > 0), end)
    last = xp.maximum(end - words.possessive[end], core)
    head = xp.minimum(last, words.until[core] - 1)
    width = end - start
    return SpanFeatures(
        start, end, core, last,
        form=sums[last + 1] - sums[core],
        head=words.form[head],
        pronoun=words.pronoun[start] * one,
        determiner=words.determiner[start] * ~one,
        capital=words.capital[head],
        width=xp.where(width < 5, width, xp.where(width < 8, 5, xp.where(width < 15, 6, 7))),
        sentence=words.sentence[start],
        quote=words.quote[start],
        speaker=words.speaker[start],
        document=words.document[start],
    )  # fmt: skip


def fill_bags(xp: Any, words: WordFeatures, spans: SpanFeatures, offsets: Array, bags: Array) -> Array:
    """Mark the content words of each span in a blank array, span × (BUCKETS + 1); the last is spare."""
    index = spans.core[:, None] + offsets
    inside = xp.minimum(index, spans.last[:, None])
    wanted = (index <= spans.last[:, None]) & (words.light[inside] == 0)
    rows = (spans.start * 0 + 1).cumsum(0) - 1
    bags[rows[:, None], xp.where(wanted, words.form[inside] % BUCKETS, BUCKETS)] = 1
    return bags[:, :BUCKETS]


class Content(NamedTuple):
    """The content words of spans: what `fill_bags` marks, as a list in the order of spans."""

    bucket: IntArray
    begins: IntArray  # span → its first word in the list; and the length of the list
    sizes: IntArray  # span → how many it has


def content_words(words: WordFeatures, spans: SpanFeatures) -> Content:
    """List the different content words of spans."""
    span, index = spread(spans.core, spans.last + 1)
    wanted = words.light[index] == 0
    listed = np.unique(span[wanted] * BUCKETS + words.form[index[wanted]] % BUCKETS)
    begins = offsets_of(listed // BUCKETS, len(spans.start))
    return Content(listed % BUCKETS, begins, np.diff(begins))


def common_words(content: Content, ours: IntArray, theirs: IntArray) -> IntArray:
    """Count the content words that each of our spans has in common with each of theirs."""
    row, our_words = spread(content.begins[ours], content.begins[ours + 1])
    column, their_words = spread(content.begins[theirs], content.begins[theirs + 1])
    order = np.argsort(content.bucket[their_words], kind="stable")
    begins = offsets_of(content.bucket[their_words], BUCKETS)
    sought = content.bucket[our_words]
    found, position = spread(begins[sought], begins[sought + 1])
    pair = row[found] * theirs.size + column[order[position]]
    return np.bincount(pair, minlength=ours.size * theirs.size).reshape(ours.size, theirs.size)


SPAN_CLASSES, SENTENCE_CLASSES = 12, 8
MATCHES, RELATIONS, DISTANCES, CATEGORIES = 32, 36, SPAN_CLASSES * SENTENCE_CLASSES, 6
PRONOUN_PAIRS, ALL_PRONOUN_PAIRS = PRONOUN_CLASSES**2, ALL_PRONOUN_CLASSES**2


class PairFeatures(NamedTuple):
    """Four whole numbers for each pair of spans, and its category (LingMess, Otmazgin et al. 2023)."""

    match: Array
    pronouns: Array
    distance: Array
    relation: Array
    category: Array


def bucket(xp: Any, distance: Array, classes: int) -> Array:
    """Put distances into classes: 0, 1, 2, 3, 4, 5-7, 8-15, 16-31, …"""
    result = xp.minimum(distance, distance * 0 + 4)
    for number, bound in enumerate((5, 8, 16, 32, 64, 128, 256)[: classes - 5]):
        result = xp.where(distance >= bound, 5 + number, result)
    return result


def distance_class(xp: Any, distance: Array, sentences: Array) -> Array:
    """Put pairs into classes by how many spans and sentences are between them."""
    return bucket(xp, distance, SPAN_CLASSES) * SENTENCE_CLASSES + bucket(xp, sentences, SENTENCE_CLASSES)


class Common(NamedTuple):
    """How many content words a span and an earlier one share, and how many each has."""

    shared: Array
    ours: Array
    theirs: Array


def describe_pairs(
    xp: Any, ours: SpanFeatures, theirs: SpanFeatures, common: Common, distance: Array
) -> PairFeatures:
    """Describe every pair of a span and an earlier one; `distance` counts spans."""
    i, j = (
        SpanFeatures(*(column[:, None] for column in ours)),
        SpanFeatures(*(column[None] for column in theirs)),
    )
    return describe_each(xp, i, j, Common(common.shared, common.ours[:, None], common.theirs[None]), distance)


def describe_each(xp: Any, i: SpanFeatures, j: SpanFeatures, common: Common, distance: Array) -> PairFeatures:
    """Describe pairs of spans that stand side by side."""
    pronominal = (i.pronoun > 0) | (j.pronoun > 0)
    match = _match(xp, i, j, common) * ~pronominal
    together = (match > 0) & (match != 2)
    nested = xp.where(i.start > j.end, 0, xp.where(i.end <= j.end, 1, 2))
    known = (i.speaker > 0) & (j.speaker > 0)
    speaker = xp.where(known, xp.where(i.speaker == j.speaker, 1, 2), 0)
    outside = (i.quote == 0) & (j.quote == 0)
    quote = xp.where(
        outside, 0, xp.where(i.quote == j.quote, 1, xp.where((i.quote > 0) & (j.quote > 0), 2, 3))
    )
    both = (i.pronoun > 0) & (j.pronoun > 0)
    other = xp.where(nested > 0, 4, 5)
    named = xp.where(pronominal, 2, xp.where(together, 3, other))
    return PairFeatures(
        match=match * 4 + (i.capital > 0) * 2 + (j.capital > 0),
        pronouns=_pronoun_pair(xp, i.pronoun, j.pronoun),
        distance=distance_class(xp, distance, xp.abs(i.sentence - j.sentence)),
        relation=nested * 12 + speaker * 4 + quote,
        category=xp.where(both, xp.where(i.pronoun == j.pronoun, 0, 1), named),
    )


def _pronoun_pair(xp: Any, ours: Array, theirs: Array) -> Array:
    """Number pairs of pronouns: those of classes that each model has, then those with the last class.

    >>> [int(_pronoun_pair(np, *map(np.array, pair))) for pair in ((11, 11), (12, 0), (0, 12), (11, 12))]
    [143, 144, 157, 168]
    """
    last = PRONOUN_CLASSES
    ours_alone = PRONOUN_PAIRS + ALL_PRONOUN_CLASSES + ours
    known = xp.where(theirs == last, ours_alone, ours * PRONOUN_CLASSES + theirs)
    return xp.where(ours == last, PRONOUN_PAIRS + theirs, known)


def _match(xp: Any, i: SpanFeatures, j: SpanFeatures, common: Common) -> Array:
    """Say how alike the words of two spans are.

    0 nothing in common, 1 the head alone, 2 other words, 3 and 4 one has all words of the other and the same
    head, 5 with another head, 6 the same content words, 7 the same string.
    """
    shared, head = common.shared, i.head == j.head
    all_ours, all_theirs = shared == common.ours, shared == common.theirs
    part = xp.where(head, xp.where(all_ours, 3, 4), 5)
    match = xp.where(all_ours | all_theirs, part, xp.where(head, 1, 2))
    match = xp.where(all_ours & all_theirs, 6, match) * (shared > 0)
    return xp.where(i.form == j.form, 7, match)
