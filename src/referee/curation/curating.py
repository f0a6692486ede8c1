"""Curates: merges the annotations of several people, and says how far they agree."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO

from referee.analysis.study import Study
from referee.comparing.annotators import Agreement, agreement
from referee.comparing.verdicts import Plan
from referee.curation.cases import Case, Decision
from referee.curation.decisions import write_cases
from referee.curation.disagreements import MERGED, Counts, against, counted_merged, counted_pairs
from referee.curation.measuring import Measures, measure
from referee.curation.merging import TRUSTED, Marking, Merged, Rule, merge
from referee.curation.texts import Sides, annotated, said_of
from referee.display import Rows, number_of
from referee.formats.io.saving import save
from referee.matching.protocol import Protocol
from referee.model import Corpus, Document, DocumentCorpus
from referee.scoring.evaluate import Bar, no_bar


@dataclass(frozen=True, eq=False, repr=False)
class Curation(Rows):
    """Several annotations of the same texts, merged into one. Its rows are the undecided cases.

    Attributes:
        annotators: Their names.
        rule: How annotations were merged.
        merged: The merged documents, a corpus.
        cases: What the rule leaves undecided.
        decisions: What a person decided.
        agreement: How far annotators agree, as `agree` says; None if no document is common to all.
        measures: The same by document, type and annotator, with κ and intervals.
        kinds: How many steps of each kind lead from one annotator to another, or to what was merged.
        notices: What should be known about the input and the merging.
    """

    _output = "curation:curation_output"

    annotators: Sequence[str]
    rule: Rule
    texts: Sequence[Sides]
    documents: Sequence[Merged]
    decisions: Sequence[Decision]
    protocol: Protocol
    agreement: Agreement | None = None
    measures: Measures | None = None
    kinds: Counts = field(default_factory=dict)
    notices: Sequence[str] = ()

    @property
    def merged(self) -> DocumentCorpus:
        """The merged documents."""
        return DocumentCorpus([each.document for each in self.documents], "merged")

    @property
    def cases(self) -> list[Case]:
        """The undecided cases, document by document."""
        return [case for each in self.documents for case in each.cases]

    @property
    def attributed(self) -> DocumentCorpus:
        """The merged documents with a layer `annotators`: who marked the mentions that begin with a word."""
        return DocumentCorpus([each.attributed() for each in self.documents], "merged")

    def annotations(self) -> list[DocumentCorpus]:
        """What each annotator made, in the words of the merged texts."""
        return [
            DocumentCorpus([each.by[name] for each in self.texts if name in each.by], name)
            for name in self.annotators
        ]

    def corrected(self, documents: Iterable[Document]) -> Curation:
        """Take the merged documents as a person corrected them, in the page or elsewhere."""
        made = [each.corrected(document) for each, document in zip(self.documents, documents, strict=True)]
        return replace(self, documents=made)

    @property
    def common(self) -> list[Sides]:
        """The texts that all annotators have."""
        return [each for each in self.texts if len(each.by) == len(self.annotators)]

    @cached_property
    def disagreements(self) -> Study:
        """The errors of each annotator if what was merged is the key, on the texts that all have."""
        by_id = {each.document.id: each.document for each in self.documents}
        merged = [by_id[each.id] for each in self.common]
        return against(merged, self.common, self.annotators, self.protocol, MERGED)

    def write_cases(self, path: str | Path) -> None:
        """Write the undecided cases as a table to fill in, with what was decided before.

        Args:
            path: The file, comma-separated values; `decided=` takes it when it is filled in.
        """
        write_cases(self.cases, self.decisions, self.annotators, path)

    def write_annotators(self, path: str | Path) -> None:
        """Write who said what: a row for each mention that anybody marked.

        Args:
            path: The file, comma-separated values.
        """

        def write(file: IO[str]) -> None:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["document", "words", "text", "entity", "decided", *self.annotators])
            rows.writerows(self._said())

        save(path, write)

    def _said(self) -> Iterator[list[str]]:
        for each in self.documents:
            for marking in each.markings:
                yield self._row(each, marking)

    def _row(self, merged: Merged, marking: Marking) -> list[str]:
        """Write a mention, and for each annotator his entity, with his words where these are others."""
        mention = marking.mention or marking.candidate.mention
        said = []
        for name in self.annotators:
            own = marking.candidate.by.get(name)
            other = f" [{words_of(own.spans)}]" if own is not None and own != mention else ""
            said.append("" if own is None else marking.entities[name] + other)
        text = merged.document.text.spelled(mention.spans)
        decided = "by a person" if marking.decided else ""
        return [merged.document.id, words_of(mention.spans), text, marking.cluster or "", decided, *said]


def words_of(spans: Sequence[tuple[int, int]]) -> str:
    """Write spans as tables of errors do: half-open, from 0.

    >>> words_of([(3, 5), (7, 8)])
    '3:5+7:8'
    """
    return "+".join(f"{start}:{end}" for start, end in spans)


def curated(
    corpora: Sequence[Corpus], names: Sequence[str], rule: Rule, decisions: Sequence[Decision],
    protocol: Protocol, plan: Plan, progress: Bar = no_bar,
) -> Curation:  # fmt: skip
    """Merge annotations, and measure agreement on the documents that all annotators have."""
    texts = annotated(corpora, names)
    notices = [f"{name}: {said}" for name, each in zip(names, corpora, strict=True) for said in each.notices]
    notices += said_of(texts, names)
    if rule.name == TRUSTED and (lacking := sum(rule.trust not in each.by for each in texts)):
        notices.append(
            f"{rule.trust}: lacks {number_of(lacking, 'document')}, which are merged by majority instead"
        )
    by_document: dict[str, list[Decision]] = {}
    for decision in decisions:
        by_document.setdefault(decision.document, []).append(decision)
    if strange := [id_ for id_ in by_document if id_ not in {each.id for each in texts}]:
        notices.append(f"decisions on document {strange[0]}, which nobody has, are left out")
    merged = []
    with progress(len(texts), "merging") as advance:
        for each in texts:
            merged.append(merge(each, rule, by_document.get(each.id, ())))
            notices += merged[-1].notices
            advance(1)
    made = Curation(tuple(names), rule, texts, merged, tuple(decisions), protocol)
    if made.common:
        made = _measured(made, corpora, plan, progress)
        notices += made.agreement.notices if made.agreement else ()
    else:
        notices.append("no document is common to all annotators, so that agreement is not measured")
    return replace(made, notices=tuple(dict.fromkeys(notices)))


def _measured(made: Curation, corpora: Sequence[Corpus], plan: Plan, progress: Bar) -> Curation:
    """Measure agreement, and count disagreements by their kinds."""
    common, names = made.common, made.annotators
    pairs = len(names) * (len(names) - 1) // 2
    with progress(pairs * len(common) + pairs, "comparing") as advance:
        agreed = agreement(corpora, names, made.protocol, progress=advance)
        kinds = counted_pairs(common, names, made.protocol, advance)
    kinds = {**kinds, **counted_merged(made.disagreements)}
    return replace(made, agreement=agreed, measures=measure(common, agreed, made.protocol, plan), kinds=kinds)
