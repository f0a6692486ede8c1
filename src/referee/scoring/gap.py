"""GAP's score (Webster et al. 2018): of each pronoun two names are asked about, and F1 counts the true ones.

The rules are those of GAP's own script. A pronoun's gender is its form's; bias is F1 on feminine pronouns
over F1 on masculine ones. A decision that is missing is a false negative, *even if the name is not what the
pronoun refers to*: the script does so, and a notice says how many there are.

A coreference response decides by its clusters, as the systems that report GAP do (Joshi et al. 2019): a name
is true if the cluster of the pronoun, which must be a mention itself, has a mention that contains the name or
is contained in it. Texts are compared by their characters that are not white space.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from referee import formats
from referee.display import Rows, number_of
from referee.exceptions import FormatError
from referee.formats.corpora.gap import DECISIONS, Answers, GapCorpus, GapExample, read_decisions
from referee.formats.io.opening import SeekableFile
from referee.formats.objects.libraries import in_order
from referee.language import english
from referee.matching.pairing import check_common_documents, pair_documents
from referee.model import Corpus, Document, Span, word_edges

MASCULINE, FEMININE = "masculine", "feminine"
GENDERS = {  # GAP asks about no reflexives
    **dict.fromkeys(english.MASCULINE - english.REFLEXIVES, MASCULINE),
    **dict.fromkeys(english.FEMININE - english.REFLEXIVES, FEMININE),
}


class Decision(NamedTuple):
    """What is decided about a name: the pronoun's gender, whether it is true, and whether it was said."""

    gender: str
    truth: bool
    answer: bool | None


@dataclass(frozen=True, slots=True)
class DecisionCounts:
    """Decisions about names: true and false, positive and negative."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0
    true_negatives: int = 0

    @property
    def recall(self) -> float:
        """The share of true names that were found; 0 if there are none."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def precision(self) -> float:
        """The share of names found that are true; 0 if none was."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return _share(2 * self.precision * self.recall, self.precision + self.recall)


@dataclass(frozen=True, slots=True, repr=False)
class GapScore(Rows):
    """GAP's score: of all pronouns, and by gender. Its rows are those of `referee gap --format csv`.

    Examples:
        >>> import referee
        >>> from referee.scoring.gap import DecisionCounts
        >>> some = DecisionCounts(true_positives=2)
        >>> referee.GapScore("mine", some, some, some, {}).bias
        1.0
    """

    _output = "gap:one_gap_score"

    system: str
    overall: DecisionCounts
    masculine: DecisionCounts
    feminine: DecisionCounts
    answers: Mapping[str, tuple[bool | None, bool | None]]  # example → what was decided about A and B
    notices: tuple[str, ...] = ()

    @property
    def bias(self) -> float | None:
        """F1 on feminine pronouns over F1 on masculine ones; None if one of them is 0."""
        return bias(self.masculine, self.feminine)


def bias(masculine: DecisionCounts, feminine: DecisionCounts) -> float | None:
    """Divide F1 on feminine pronouns by F1 on masculine ones; None if one of them is 0."""
    return feminine.f1 / masculine.f1 if feminine.f1 and masculine.f1 else None


def gap_score(key: Any, response: Any, *, name: str = "response") -> GapScore:
    """Score decisions about GAP's names: a system's output in GAP's own form, or coreference of the texts.

    The key is GAP's data, as a path or read; the response a path, a corpus, or what `referee.read` takes.
    """
    texts = formats.opened(key)
    if not isinstance(texts, GapCorpus):
        raise FormatError(f"{texts.name}: expected GAP's data, with the heads ID, Text, Pronoun, …")
    answers, notices = _answers(texts, response)
    if not answers:
        raise FormatError(f"{name}: the response contains no decisions")
    if foreign := answers.keys() - {example.id for example in texts.examples}:
        notices.append(
            f"{name}: {number_of(len(foreign), 'decision')} about texts that the key does not have, ignored: "
            f"{min(foreign)}"
        )
    decisions = list(_decisions(texts.examples, answers))
    missing = sum(decision.answer is None for decision in decisions)
    if missing:
        notices.append(
            f"{name}: {missing} of {number_of(2 * len(texts.examples), 'decision')} missing; each "
            f"counts as a false "
            "negative, of false names too, as in GAP's own script"
        )
    return GapScore(name, *counted_by_gender(decisions), answers, tuple(notices))


def _answers(texts: GapCorpus, response: Any) -> tuple[Answers, list[str]]:
    if isinstance(response, str | PathLike):
        file = SeekableFile(str(response))
        if formats.recognise(file) == DECISIONS:
            return read_decisions(file)
        response = file  # a pipe is opened once
    corpus = formats.opened(response, role="response")
    _, corpus = in_order(texts, corpus)
    pairs, notices = pair_documents(texts, corpus, strict=False)
    check_common_documents(texts, corpus, pairs)
    answers: Answers = {
        texts.examples[number].id: decided(texts.examples[number], texts.document(number), corpus, other)
        for number, other in pairs
        if other is not None
    }
    return answers, [*corpus.notices, *notices]


def decided(example: GapExample, text: Document, response: Corpus, number: int) -> tuple[bool, bool]:
    """Decide by a response's clusters which names a pronoun refers to."""
    document = response.document(number)
    before = _characters_before(text, response, document, number)
    edges = word_edges(document.text)

    def in_response(span: Span) -> Span:
        return int(edges[span[0]]), int(edges[span[1]])

    def in_key(span: Span) -> Span:
        return int(before[span[0]]), int(before[span[1]])

    clusters = ([in_response((m.start, m.end)) for m in cluster.mentions] for cluster in document.clusters)
    one, other = names_meant(clusters, in_key(example.pronoun), map(in_key, example.names))
    return one, other


def names_meant(clusters: Iterable[Sequence[Span]], pronoun: Span, names: Iterable[Span]) -> list[bool]:
    """Say of each name whether the pronoun's cluster has a mention that contains it or is contained in it.

    >>> names_meant([[(0, 2), (6, 7)], [(3, 4)]], (6, 7), [(0, 1), (3, 4)])
    [True, False]
    """
    spans = next((cluster for cluster in clusters if pronoun in cluster), [])
    return [any(_overlies(span, name) for span in spans) for name in names]


def _characters_before(text: Document, response: Corpus, document: Document, number: int) -> Any:
    """Count the characters that are not white space before each one of the key's text."""
    running = text.text.running or ""
    key, other = "".join(running.split()), "".join("".join(word.split()) for word in document.words)
    if key != other:
        at = next(
            (i for i, (a, b) in enumerate(zip(key, other, strict=False)) if a != b), min(len(key), len(other))
        )
        raise FormatError(
            f"{response.location(number)}: the text differs from {text.id} of the key: "
            f"'{other[at : at + 20]}' instead of '{key[at : at + 20]}' after {at} characters "
            "that are not white space"
        )
    return np.cumsum([0, *(not character.isspace() for character in running)])


def _overlies(span: Span, name: Span) -> bool:
    """Whether one of two spans contains the other."""
    return (span[0] <= name[0] and name[1] <= span[1]) or (name[0] <= span[0] and span[1] <= name[1])


def _decisions(examples: Iterable[GapExample], answers: Answers) -> Iterator[Decision]:
    """Pair what was decided with what is true; refuse a pronoun whose gender is unknown."""
    for example in examples:
        gender = GENDERS.get(example.word.lower())
        if gender is None:
            raise FormatError(
                f"example {example.id}: the pronoun '{example.word}' has no gender that GAP knows; it has "
                f"{', '.join(GENDERS)}"
            )
        for truth, answer in zip(example.coreferent, answers.get(example.id, (None, None)), strict=True):
            yield Decision(gender, truth, answer)


def counted_by_gender(
    decisions: Iterable[Decision],
) -> tuple[DecisionCounts, DecisionCounts, DecisionCounts]:
    """Count decisions: all of them, those about masculine pronouns, and those about feminine ones."""
    counts = Counter(decisions)

    def of(*genders: str) -> DecisionCounts:
        kinds: Counter[tuple[bool, bool | None]] = Counter()
        for (gender, truth, answer), count in counts.items():
            kinds[truth, answer] += count if gender in genders else 0
        missing = kinds[True, None] + kinds[False, None]
        return DecisionCounts(
            kinds[True, True], kinds[False, True], kinds[True, False] + missing, kinds[False, False]
        )

    return of(MASCULINE, FEMININE), of(MASCULINE), of(FEMININE)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
