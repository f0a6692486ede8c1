"""Every value fits a screen, at the sizes that corpora have; notebooks show it without scripts."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

import referee
from referee.comparing.annotators import agreement
from referee.comparing.significance import compare_results
from referee.comparing.verdicts import Plan
from referee.crossdoc.corpus_statistics import CorpusCounts, corpus_statistics
from referee.display import Rows, Shown
from referee.language.span_survey import minimum_spans
from referee.model import Cluster, Document, DocumentCorpus, Mention, Names
from referee.resolvers.resolved import Resolved, ResolvedTexts
from referee.scoring.gap import DecisionCounts, GapScore
from referee.tables.comparison import ComparisonReport
from systems import documents, spoiled

LINES, CHARACTERS, HTML = 25, 2_500, 80_000
HOSTILE = "<script>alert('&\"')</script> " * 20


@cache
def key() -> DocumentCorpus:
    return DocumentCorpus(documents(200), HOSTILE)


@cache
def response() -> DocumentCorpus:
    return DocumentCorpus(spoiled(documents(200), 0.2, 5), "response")


def book() -> Document:
    """A novel: many words, a hero with thousands of mentions, entities with long names."""
    words = [HOSTILE, "she", "\n\n", "naïve", "指代"] * 20_000
    hero = Cluster(HOSTILE, tuple(Mention.at(n, n + 2) for n in range(0, 90_000, 10)))
    others = [Cluster(str(n), (Mention.at(n, n + 40), Mention.at(n + 1, n + 3))) for n in range(3_000)]
    return Document.of(HOSTILE, words, [(0, len(words))], [hero, *others])


def linked() -> ResolvedTexts:
    shared = Cluster("o", (Mention.at(0, 1), Mention.at(2, 3)))
    made = [Document.of(f"{HOSTILE}{n}", (HOSTILE, "is", "it"), ((0, 3),), (shared,)) for n in range(500)]
    return ResolvedTexts(map(Resolved, made), linked=True)


@cache
def result() -> referee.Result:
    return replace(referee.score(key(), response()), system=HOSTILE)


def comparison() -> referee.Comparison:
    return compare_results([replace(result(), system=f"{HOSTILE}{n}") for n in range(30)], Plan(samples=10))


def gap() -> GapScore:
    answers = {f"test-{n}": (True, None) for n in range(4_000)}
    counts = DecisionCounts(9, 1, 2, 3)
    return GapScore(HOSTILE, counts, counts, counts, answers, (HOSTILE,) * 50)


VALUES: dict[str, Callable[[], Any]] = {
    "Result": result,
    "Comparison": comparison,
    "ComparisonReport": lambda: ComparisonReport({HOSTILE: comparison(), "head": comparison()}),
    "Scores": lambda: referee.score(key(), *[response()] * 30, names=[f"{HOSTILE}{n}" for n in range(30)]),
    "scores by document": lambda: referee.score(key(), response(), key(), by="document", names=["a", "b"]),
    "Study": lambda: referee.errors(key(), response(), names=[HOSTILE]),
    "SystemErrors": lambda: referee.errors(key(), response()).systems[0],
    "LinkError": lambda: referee.errors(key(), response()).systems[0].recall[0],
    "Agreement": lambda: agreement([key(), response(), key()], [HOSTILE, "b", "c"]),
    "MinimumSpans": lambda: minimum_spans(key(), "min"),
    "SpanStatistics": lambda: minimum_spans(key(), "min").statistics(),
    "CorpusCounts": lambda: CorpusCounts([corpus_statistics(key(), "", "all")] * 12, HOSTILE),
    "GapScore": gap,
    "Document": book,
    "Text": lambda: book().text,
    "Cluster": lambda: book().clusters[0],
    "Corpus": key,
    "slice": lambda: key()[10:],
    "Names": lambda: Names(["name" * 9] * 500),
    "Resolved": lambda: Resolved(book()),
    "ResolvedEntity": lambda: Resolved(documents(1)[0]).entities[0],
    "ResolvedTexts": lambda: ResolvedTexts(map(Resolved, documents(200))),
    "linked texts": linked,
    "Recurring": lambda: linked().recurring()[0],
    "Scorer": referee.Scorer,
    "Protocol": referee.Protocol,
}
# What has a line of its own instead of a table.
IN_A_LINE = {
    "SystemErrors", "LinkError", "Text", "Cluster", "Names", "ResolvedEntity", "Recurring", "Scorer",
    "Protocol",
}  # fmt: skip
SHOWN = [name for name in VALUES if name not in IN_A_LINE]


@cache
def made(name: str) -> Any:
    return VALUES[name]()


@pytest.mark.parametrize("name", VALUES)
def test_a_repr_is_at_most_a_screen(name: str) -> None:
    assert isinstance(made(name), Shown) == (name in SHOWN)
    shown = repr(made(name))
    assert shown
    assert len(shown) <= CHARACTERS
    assert len(shown.splitlines()) <= LINES


class _Tags(HTMLParser):
    """Collects the elements that are open, and all that were there."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", SHOWN)
def test_html_is_small_whole_and_harmless(name: str) -> None:
    html = made(name)._repr_html_()
    assert 0 < len(html) < HTML
    tags = _Tags()
    tags.feed(html)
    assert tags.open == []
    tables = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert tags.seen <= tables | {"b", "p", "div", "span", "sub", "small"}
    assert not re.search(r"https?:|url\(|javascript:|\bon\w+=", html)


@pytest.mark.parametrize("name", SHOWN)
def test_frames_have_the_same_rows(name: str) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    value = made(name)
    assert isinstance(value, Rows)
    frame, other = value.to_frame(), value.to_polars()
    assert list(frame.columns) == other.columns
    assert len(frame) == len(other) > 0


def _subclasses(kind: type[Shown]) -> Iterator[type[Shown]]:
    for each in kind.__subclasses__():
        yield each
        yield from _subclasses(each)


def test_every_shown_value_names_a_function_that_shows_it() -> None:
    for room in (
        "functions",
        "tables",
        "scoring",
        "comparing",
        "analysis",
        "crossdoc",
        "language",
        "resolvers",
        "model",
        "formats",
    ):
        for found in pkgutil.iter_modules(importlib.import_module(f"referee.{room}").__path__):
            if not found.ispkg:
                importlib.import_module(f"referee.{room}.{found.name}")
    makers = {kind._output for kind in _subclasses(Shown) if kind is not Rows}
    assert len(makers) > 9
    for maker in makers:
        module, function = maker.split(":")
        assert callable(getattr(importlib.import_module(f"referee.tables.{module}"), function))
