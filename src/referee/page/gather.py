"""Gathers a report: reads the corpora, scores them every way, finds the errors, and makes the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike, fspath
from typing import IO, Any

from referee import formats
from referee.analysis.describing import read_key, read_responses, response_list
from referee.analysis.link_errors import Decisions, Tree
from referee.analysis.study import Study, analyse
from referee.comparing.verdicts import Plan
from referee.exceptions import FormatError
from referee.formats.io import saving
from referee.formats.io.opening import STDIN, stem
from referee.formats.marked.text import MarkedCorpus
from referee.language.mention_types import Category
from referee.language.trees.parses import has_parses
from referee.matching.matchings import FROM_TREES
from referee.matching.protocol import COREFUD_MATCHINGS, Protocol
from referee.matching.units import Groups, default_scope, unit_labels
from referee.model import Corpus
from referee.page.data import report_data
from referee.page.render import render
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import evaluate
from referee.scoring.result import Result
from referee.scoring.systems import Bar, no_bar, system_names

PathName = str | PathLike[str]
LABELS = {"exact": "maximum spans", "mina": "minimum spans (MINA)", "head": "head spans"}
COREFUD_LABELS = {"exact": "exact spans", "head": "heads", "partial": "partial spans"}


@dataclass(frozen=True, eq=False)
class Report:
    """A report: its value, and the page that shows it."""

    data: Mapping[str, Any]

    @property
    def notices(self) -> Sequence[str]:
        """What is to be known about the input."""
        return list(self.data["notices"])

    @cached_property
    def html(self) -> str:
        """The page, whole: one file that loads nothing."""
        return render(self.data)

    def save(self, path: PathName) -> int:
        """Write the page; say how many bytes it has."""
        page = saving.encoded(self.html)
        saving.save(path, self._write)
        return len(page)

    def _write(self, file: IO[str]) -> None:
        file.write(self.html)

    def __repr__(self) -> str:
        """Name what is reported on; the page is too long to be shown."""
        return f"<Report: {self.data['title']}, {len(self.data['documents'])} documents>"


def report(
    key: PathName | Corpus,
    responses: PathName | Corpus | Sequence[PathName | Corpus],
    *,
    names: Sequence[str] | None = None,
    protocol: Protocol | None = None,
    groups: Groups | None = None,
    layers: PathName | None = None,
    nlp: str | None = None,
    parses: PathName | None = None,
    tree: Tree | str = "accessibility",
    category: Category | None = None,
    decisions: Sequence[Decisions | None] | None = None,
    plan: Plan | None = None,
    title: str = "",
    jobs: Jobs = 1,
    progress: Bar = no_bar,
    scope_is_chosen: bool = True,
) -> Report:
    """Make the report of one or more responses, given as paths or corpora.

    `layers` is CoNLL-U with parts of speech and heads for the key, and `nlp` ("spacy" or "spacy:MODEL") fills
    them in. With `parses`, or trees in the key itself, the responses are scored by minimum and head spans
    too. `groups`, `tree`, `category` and `decisions` are those of `analyse`; `plan` says how intervals and
    tests are made, `jobs` how many processes work; `progress` makes a bar for so many steps of something.
    Unless the scope is chosen, blocks are units where the key has them.

        referee.report("key.conll", ["a.conll", "b.conll"]).save("report.html")
    """
    given = response_list(responses)
    if any(not isinstance(each, Corpus) and fspath(each) == STDIN for each in (key, *given)):
        raise FormatError("a report reads its files more than once: give files, not '-'")
    named = _name(key)
    key = formats.opened(key, strict=protocol is not None and protocol.strict)
    chosen = protocol or Protocol.parse(key.usual_protocol)
    corpus = read_key(key, chosen, layers, nlp)
    if protocol is None or not scope_is_chosen:
        chosen = default_scope(corpus, chosen)
    read = read_responses(given, chosen)
    names = names or system_names(given)
    with progress(len(corpus), "reading") as advance:
        study = analyse(
            corpus, read, names=names, protocol=chosen, tree=tree, category=category, decisions=decisions,
            parses=parses, groups=groups, jobs=jobs, progress=advance,
        )  # fmt: skip
    copies = [
        each for each in read if not isinstance(each, MarkedCorpus)
    ]  # others are put on the key's words
    trees = (parses or has_parses(corpus)) and not any(each.cut for each in (corpus, *copies))
    ways = [chosen, *(_other_ways(chosen) if trees or chosen.by_corefud else ())]
    with progress(len(corpus) * len(read) * len(ways), "scoring") as advance:
        scores = {
            (COREFUD_LABELS if way.by_corefud else LABELS).get(way.match, way.match): [
                replace(result, system=name)
                for result, name in zip(
                    _scored(corpus, read, way, parses, groups, jobs, advance), names, strict=True
                )
            ]
            for way in ways
        }
    data = report_data(study, scores, key=named, title=title, units=_units(corpus, study, groups), plan=plan)
    return Report(data)


def _name(given: PathName | Corpus) -> str:
    return stem(given.name if isinstance(given, Corpus) else fspath(given))


def _other_ways(protocol: Protocol) -> list[Protocol]:
    """Vary the way of matching; a tree that cannot be read is passed over, and the signature says so."""
    if protocol.by_corefud:
        return [replace(protocol, match=match) for match in COREFUD_MATCHINGS if match != protocol.match]
    return [
        replace(protocol, match=match, bad_parses="skip" if match in FROM_TREES else "refuse")
        for match in LABELS
        if match != protocol.match
    ]


def _scored(
    key: Corpus,
    responses: Sequence[Corpus],
    protocol: Protocol,
    parses: PathName | None,
    groups: Groups | None,
    jobs: Jobs,
    progress: Callable[[int], None],
) -> list[Result]:
    return [
        evaluate(key, response, protocol, parses=parses, groups=groups, jobs=jobs, progress=progress)
        for response in responses
    ]


def _units(key: Corpus, study: Study, groups: Groups | None) -> dict[str, str] | None:
    """Say each document's unit, if it is more than the document."""
    scope = study.protocol.scope
    return None if scope == "document" else dict(zip(key.ids, unit_labels(key, scope, groups), strict=True))
