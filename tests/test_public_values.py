"""Every public value pickles, copies and compares, and so does all that public functions return."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import referee
from referee import Cluster, Document, DocumentCorpus, Mention
from referee.crossdoc.corpus_statistics import CorpusCounts, corpus_statistics
from referee.formats.corpora.gap import GapCorpus, GapExample
from referee.functions.llm import AnswerScores
from referee.model import cut_text
from referee.resolvers.resolved import ResolvedTexts

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, RESPONSE, OTHER = (SAMPLE / f"{name}.conll" for name in ("key", "alpha", "beta"))


def scorer() -> referee.Scorer:
    made = referee.Scorer()
    made.update([["a", "b"]], [["a", "b", "c"]])
    return made


def comparison(units: int) -> referee.Comparison:
    """A comparison of many units, or of so few that nothing is known."""
    scorers = referee.Scorer(name="a"), referee.Scorer(name="b")
    for unit in range(units):
        for system, each in enumerate(scorers):
            each.update([["a", "b", "c"]], [["a", "b", "c"][: 1 + (unit + system) % 3]], name=str(unit))
    return referee.compare(scorers[0].compute(), scorers[1].compute(), samples=99)


def document() -> Document:
    mention = Mention(((0, 1), (2, 3)), minimum=((0, 1),))
    return Document.of(
        "d", ("he", "saw", "her"), ((0, 3),), (Cluster("1", (mention,)),), {"pos": ("A", "B", "C")}
    )


def gap_score() -> referee.GapScore:
    example = GapExample("d", "he", (0, 2), ((3, 6), (7, 10)), (True, False))
    text = cut_text("d", "he saw her", example.clusters)
    return referee.gap(GapCorpus([example], [text], "gap"), GapCorpus([example], [text], "gap"))


VALUES: dict[str, Callable[[], Any]] = {
    "Cluster": lambda: document().clusters[0],
    "Comparison": lambda: comparison(12),
    "Comparison of too few": lambda: comparison(3),
    "Document": document,
    "DocumentCorpus": lambda: DocumentCorpus([document()], "key"),
    "Failure": lambda: referee.Failure("a.txt", "not UTF-8"),
    "GapScore": gap_score,
    "Interval": lambda: referee.Interval(math.nan, float("nan")),
    "Mention": lambda: document().clusters[0].mentions[0],
    "Plan": lambda: referee.Plan(samples=7),
    "Protocol": lambda: referee.Protocol(singletons="drop"),
    "Resolved": lambda: referee.Resolved(document()),
    "Result": lambda: referee.score(KEY, RESPONSE),
    "Score": lambda: referee.score(KEY, RESPONSE).muc,
    "Conversion": lambda: referee.Conversion("a.conll", "conll", 2, {"heads": 1}),
    "Topics": lambda: referee.Topics({"a": "1"}),
    "Export": lambda: referee.Export([("model", 9, None), ("made", 5, None)], 3),
    "stats": lambda: referee.stats(KEY),
    "validate": lambda: referee.validate(KEY),
    "Verdict": lambda: comparison(12).verdicts[1]["muc"],
    "intervals": lambda: referee.intervals(referee.score(KEY, RESPONSE), samples=9),
    "spans": lambda: referee.spans(DocumentCorpus([document()]), match="min"),
    "CorpusCounts": lambda: CorpusCounts([corpus_statistics(referee.read(KEY), "", "all")], "key"),
    "ResolvedTexts": lambda: ResolvedTexts([referee.Resolved(document())], linked=True),
    "ResolvedEntity": lambda: referee.Resolved(document()).entities[0],
    "Recurring": lambda: ResolvedTexts([referee.Resolved(document())], linked=True).recurring(1)[0],
    "Store": lambda: referee.open_store("not/there/yet/"),
    "agree": lambda: referee.agree(KEY, RESPONSE),
    "llm_prompt": lambda: referee.llm_prompt(KEY, window=60),
    "llm_run": lambda: referee.llm_run(referee.llm_prompt(KEY), dry_run=True, price_in=1.0),
}
# What is not compared by what it holds: files are read when asked for, and a scorer goes on changing.
OTHERS: dict[str, Callable[[], Any]] = {
    "Corpus": lambda: referee.read(KEY),
    "slice": lambda: referee.read(KEY)[1:],
    "Scorer": scorer,
    "Scores": lambda: referee.score(KEY, RESPONSE, OTHER),
    "ComparisonReport": lambda: referee.compare(KEY, RESPONSE, OTHER, documents=1, samples=99),
    "errors": lambda: referee.errors(KEY, RESPONSE, OTHER),
    "report": lambda: referee.report(KEY, RESPONSE),
    "curate": lambda: referee.curate(KEY, RESPONSE, OTHER),
    "llm_score": lambda: AnswerScores(referee.score(KEY, RESPONSE, OTHER)),
    "FormatError": lambda: referee.FormatError("a:1: odd"),
    "FailureWarning": lambda: referee.FailureWarning("1 document failed"),
    "LossWarning": lambda: referee.LossWarning("left out"),
    "MissingExtra": lambda: referee.MissingExtra("pandas", "pandas"),
    "ProtocolError": lambda: referee.ProtocolError("no such metric"),
    "RefereeError": lambda: referee.RefereeError("odd"),
}
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
NOT_VALUES = {
    "DaskEngine",
    "planned_parts",
    "raw_text",
    "recipe_for",
    "resolve_parts",
    "resolver_named",
    "baseline",
    "Tuning",
    "export",
    "train",
    "tune",
    "compare",
    "components",
    "connect",
    "convert",
    "gap",
    "llm_repair",
    "models",
    "open_store",
    "topics",
    "link",
    "read",
    "resolve",
    "restore",
    "score",
    "serve",
    "workbench",
    "write",
}  # functions whose results are above


def test_every_public_name_is_covered() -> None:
    assert set(referee.__all__) - NOT_VALUES <= VALUES.keys() | OTHERS.keys()


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", VALUES)
def test_a_copy_is_equal(name: str, way: str) -> None:
    value = VALUES[name]()
    found = COPIES[way](value)
    assert type(found) is type(value)
    assert found == value == VALUES[name]()
    assert found != "something else"
    assert repr(found) == repr(value)


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", OTHERS)
def test_the_others_can_be_copied(name: str, way: str) -> None:
    value = OTHERS[name]()
    found = COPIES[way](value)
    assert type(found) is type(value)
    assert value == value
    assert (found == value) in (True, False)
    if isinstance(value, Exception):
        assert str(found) == str(value)


def test_a_copied_scorer_and_a_copied_corpus_give_the_same() -> None:
    one, corpus = scorer(), referee.read(KEY)
    for again in COPIES.values():
        assert again(one).compute() == one.compute()
        assert list(again(corpus)) == list(corpus)


def test_errors_can_be_studied_from_paths_and_from_corpora() -> None:
    from_paths = referee.errors(str(KEY), RESPONSE)
    from_corpora = referee.errors(referee.read(KEY), referee.read(RESPONSE, role="response"))
    assert from_paths.systems[0].recall == from_corpora.systems[0].recall
    assert len(from_paths.systems[0].recall) > 0
