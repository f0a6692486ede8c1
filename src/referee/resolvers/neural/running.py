"""Running a model: words in, clusters with scores out, by onnxruntime and numpy alone.

Spans that may be mentions are found section by section, or are given and only linked; they are compared part
by part with those before them; what is linked to nothing may be an entity of one mention. A model is opened
once in each process, and is refused if it no longer finds anything in its test sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from referee.arrays import FloatArray, IntArray
from referee.exceptions import FormatError, MissingExtra, RefereeError, SettingError
from referee.language.languages import ENGLISH
from referee.language.word_classes import classes_of
from referee.resolvers.neural.cautious_decisions import CautiousDecisions, without_unsure
from referee.resolvers.neural.cutting import cut_sentences, cut_words, modern_words
from referee.resolvers.neural.deciding import REACH, Decisions, Memory
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.entities import Facts, span_facts
from referee.resolvers.neural.entity_decisions import EntityDecisions, EntityScorer
from referee.resolvers.neural.features import MAX_SPAN_WIDTH, WordFeatures, describe_words
from referee.resolvers.neural.forward import Candidates, Floats, NumpyHead, PairScorer, ScoredSpans, gelu
from referee.resolvers.neural.models import (
    HEAD,
    NEEDED,
    can_run,
    facts_of,
    guidelines_of,
    instead_of,
    language_of,
    links_only,
)

LOWEST_GIVEN = -1.0  # the lowest score of a given mention; see `given_spans`
LIKELY = (
    -3.0
)  # what a span scores that is remembered though it is not linked; -6 and -1 give the same on OntoGUM
SENTENCE = "Anna Holt said that she had lost her keys. Her brother found them when he came home."
OPEN_MODELS = 4  # that stay open
LOWEST = 0.0  # stands for the threshold in choosing pairs, where a model decides by entities; see `LIFT`

Ends = tuple[IntArray, IntArray]  # the first and the last word of each mention, in the order of the text


class Linked(NamedTuple):
    """The mentions of a text: first and last word (inclusive), cluster, and how sure each is.

    Scores are log odds: `score` that the best antecedent is one, or that the span belongs to its entity where
    a model decides by entities; `mention` that the span is a mention.
    """

    start: IntArray
    end: IntArray
    cluster: IntArray
    score: FloatArray
    mention: FloatArray
    number: IntArray  # which of the spans that were compared, or given, it is
    singletons: ScoredSpans | None = None  # mentions that are linked to nothing, if they were asked for


def ends_within(given: Ends, section: slice) -> Ends:
    """Take the mentions that begin in a section of a text, counted from its first word; they end with it.

    >>> start, end = ends_within((np.array([1, 4, 6]), np.array([2, 9, 6])), slice(4, 8))
    >>> start.tolist(), end.tolist()
    ([0, 2], [3, 2])
    """
    start, end = given
    here = (start >= section.start) & (start < section.stop)
    return start[here] - section.start, np.minimum(end[here], section.stop - 1) - section.start


def given_spans(head: NumpyHead, states: Floats, start: IntArray, end: IntArray) -> ScoredSpans:
    """Score given spans as `NumpyHead.top_spans` scores all; a very wide one counts as MAX_SPAN_WIDTH words.

    None scores less than LOWEST_GIVEN: that it is a mention is known, though not that it is linked. By that,
    links of OntoGUM's and LitBank's gold mentions both get better.
    """
    first, last = gelu(head.linear("first", states[start])), gelu(head.linear("last", states[end]))
    size = first.shape[1]
    score = ((first @ head.w["ends.weight"][:size].T) * last).sum(1) / np.float32(size**0.5)
    score += head.linear("first_score", first)[:, 0] + head.linear("last_score", last)[:, 0]
    score += head.w["length.weight"][np.minimum(end - start, MAX_SPAN_WIDTH - 1), 0]
    return ScoredSpans(start, end, np.maximum(score, np.float32(LOWEST_GIVEN)))


class Singletons:
    """The spans of a text that are entities of one mention; none are looked for without a threshold."""

    def __init__(self, head: NumpyHead, threshold: float | None) -> None:
        """Begin with none; `threshold` is what a span must score."""
        self.head, self.threshold = head, threshold
        self.sections: list[ScoredSpans] = []

    def find(self, states: Floats, words: WordFeatures, section: slice) -> None:
        """Look through a section of the text; the states are those of its words."""
        if self.threshold is not None:
            inside = words.section(section)
            found = self.head.top_spans(states, inside, output=1, threshold=self.threshold)
            shifted = found.start + section.start, found.end + section.start
            self.sections.append(ScoredSpans(*shifted, found.score))

    def unlinked(self, start: IntArray, end: IntArray) -> ScoredSpans | None:
        """Leave out the spans that are linked."""
        if self.threshold is None:
            return None
        linked = set(zip(start.tolist(), end.tolist(), strict=True))
        found = [np.concatenate(column) for column in zip(*self.sections, strict=True)]
        left = [ends not in linked for ends in zip(found[0].tolist(), found[1].tolist(), strict=True)]
        return ScoredSpans(*(column[np.array(left, np.bool_)] for column in found))


class Model(Encoder):
    """A model's folder, opened: an encoder, head.safetensors, and a scorer of entities if it has one."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """Load the encoder and the head."""
        super().__init__(folder, threads)
        from safetensors.numpy import load_file

        weights = load_file(folder / HEAD)
        self.head = NumpyHead(weights, self.about["spans_per_word"], self.about["antecedents"])
        self.entities = EntityScorer.in_folder(folder)

    def resolve(
        self, words: Sequence[str], sentences: IntArray, speakers: Sequence[str] = (), *, guideline: int = 0,
        threshold: float = 0.0, given: Ends | None = None, singleton_threshold: float | None = None,
    ) -> Linked:  # fmt: skip
        """Resolve one text; `sentences` numbers the sentence of each word.

        `threshold` is what a link must score. `given` are mentions to be linked: no others are looked for.
        `singleton_threshold` is what a mention must score that is linked to nothing: without it none is.
        """
        language = language_of(self.about, guideline)
        if language == ENGLISH:
            words = modern_words(words)
        described = describe_words(words, sentences, speakers, guideline, language)
        singletons = Singletons(self.head, singleton_threshold)
        candidates = list(self.candidates(words, described, guideline, given, singletons))
        scorer = PairScorer(self.head, described, candidates)
        decisions: Decisions | EntityDecisions = Decisions(threshold)
        lowest = threshold
        if self.entities:
            facts = span_facts(words, described, scorer.spans, language)
            decisions, lowest = self.entity_decisions(facts, threshold, guideline), LOWEST
        memory = Memory(described, scorer.spans, scorer.mention > LIKELY)
        for part in scorer.parts():
            memory.enter(decisions.clusters, part.start - REACH)
            antecedents = scorer.antecedents(part, memory.recall(part), lowest)
            decisions.decide(antecedents.scores.astype(np.float64), antecedents.candidates)
        least = self.by_guideline("entity_thresholds", guideline, -np.inf)
        numbers = decisions.clusters
        if given is None and least > -np.inf:
            numbers = without_unsure(numbers, scorer.mention.astype(np.float64), least)
        linked = np.flatnonzero(numbers >= 0)
        spans, scores, clusters = scorer.spans, decisions.scores[linked], numbers[linked]
        ends = spans.start[linked], spans.end[linked]
        mention = scorer.mention[linked].astype(np.float64)
        return Linked(*ends, clusters, scores, mention, linked, singletons.unlinked(*ends))

    def by_guideline(self, fact: str, guideline: int, otherwise: float) -> float:
        """Give a number that the model has for some of its guidelines."""
        return float(self.about.get(fact, {}).get(guidelines_of(self.about)[guideline], otherwise))

    def entity_decisions(self, facts: Facts, threshold: float, guideline: int) -> EntityDecisions:
        """Begin to decide a text mention by mention against whole entities."""
        assert self.entities is not None
        language = language_of(self.about, guideline)
        if language == ENGLISH:
            return EntityDecisions(self.entities, facts, threshold)
        share = self.by_guideline("entity_shares", guideline, 1.0)
        return CautiousDecisions(self.entities, facts, threshold, classes_of(language), share)

    def candidates(
        self,
        words: Sequence[str],
        described: WordFeatures,
        guideline: int,
        given: Ends | None,
        singletons: Singletons,
    ) -> Iterator[Candidates]:
        """Choose the spans that may be mentions, or take those given, section by section."""
        for section, states in self.states(described, *self.cut(words)):
            states += self.head.w["guideline.weight"][guideline]
            singletons.find(states, described, section)
            if given is None:
                threshold = self.about["mention_threshold"]
                spans = self.head.top_spans(states, described.section(section), threshold=threshold)
            else:
                spans = given_spans(self.head, states, *ends_within(given, section))
            yield self.head.candidates(states, described, section, spans)


def open_model(folder: Path, threads: int = 0) -> Model:
    """Open a model, once in each process: sessions do not survive a fork."""
    return _opened(folder, threads, os.getpid())


@lru_cache(maxsize=OPEN_MODELS)
def _opened(folder: Path, threads: int, _process: int) -> Model:
    if not can_run():
        raise MissingExtra("what the neural resolver needs", "resolve")
    facts_of(folder)
    if links_only(folder):
        raise SettingError(f"{folder}: this model only links several texts; {instead_of(folder)}")
    with openable(folder):
        model = Model(folder, threads)
    try_sentence(model, folder)
    return model


@contextmanager
def openable(folder: Path) -> Iterator[None]:
    """Say of a folder whose files the libraries cannot read that it is not a model."""
    try:
        yield
    except (RefereeError, OSError):
        raise
    except Exception as error:  # of three libraries, each with its errors
        raise FormatError(f"{folder}: not a model that can be opened: {error}; {versions()}") from error


def try_sentence(model: Model, folder: Path) -> tuple[list[str], Linked]:
    """Resolve the test sentence; a model that finds nothing is refused, since it would look like a result."""
    text = str(model.about.get("self_test", SENTENCE))
    words = [text[start:end] for start, end in cut_words(text)]
    linked = model.resolve(words, cut_sentences(words))
    if not linked.start.size or not np.isfinite(linked.score).all():
        raise RefereeError(
            f"{folder}: the model finds nothing in its test sentence, so it would find nothing anywhere; "
            f"a library may have changed: {versions()}"
        )
    return words, linked


def versions() -> str:
    """Name the libraries that a model needs, with their versions."""
    from importlib.metadata import version

    return ", ".join(f"{library} {version(library)}" for library in NEEDED)
