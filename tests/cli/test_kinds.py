"""Scores by kinds of mentions and entities, from the command line and from Python."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import main
from referee.exceptions import ProtocolError, SettingError
from referee.functions.score import BREAKDOWNS, KINDS, TYPED
from referee.language.strata import STRATIFICATIONS
from referee.model import Cluster, Document, DocumentCorpus, Mention

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
BY_TYPE = ("--by", "entity-type", "--types", "entity")
TYPES = ["PERSON", "ORG", "GPE", "untyped"]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def data(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, [*words, "--format", "json"])
    assert done.exit_code == 0, done.output
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def test_text_has_a_row_for_each_kind_and_all() -> None:
    lines = run("score", KEY, ALPHA, *BY_TYPE).stdout.splitlines()
    rows = [line.split() for line in lines[3:8]]
    assert [row[0] for row in rows] == [*TYPES, "all"]
    assert sum(int(row[1]) for row in rows[:-1]) == int(rows[-1][1])
    whole = referee.score(KEY, ALPHA, metric=["mentions", "links"])
    assert rows[-1][2:] == [
        f"{100 * value:.2f}" for s in (whole.mentions, whole.links) for value in (s.recall, s.precision, s.f1)
    ]


def test_json_and_csv_have_counts_that_add_up() -> None:
    value = data("score", KEY, ALPHA, BETA, *BY_TYPE, "-m", "links,lea")
    for result in value["results"]:
        groups = result["groups"].values()
        assert list(result["groups"]) == [*TYPES[:-1], "DATE", TYPES[-1]]  # beta has a date
        for name, score in result["scores"].items():
            for column, count in score["counts"].items():
                assert sum(group["scores"][name]["counts"][column] for group in groups) == pytest.approx(
                    count
                )
    text = CliRunner().invoke(main, ["score", KEY, ALPHA, *BY_TYPE, "--format", "csv"]).stdout
    rows = list(csv.DictReader(StringIO(text)))
    assert [row["group"] for row in rows if row["metric"] == "links"] == TYPES


def test_python_gives_what_the_command_prints() -> None:
    scores = referee.score(KEY, ALPHA, by="entity-span", types="entity")
    assert scores.kinds == "Entity span"
    assert scores.to_dict() == data("score", KEY, ALPHA, "--by", "entity-span", "--types", "entity")
    groups = scores.groups
    assert groups is not None
    assert all(" · " in label for label in groups[0])


def test_jobs_change_nothing() -> None:
    words = ("score", KEY, ALPHA, *BY_TYPE)
    assert data(*words) == data(*words, "--jobs", "2")


def test_what_there_is_nothing_of_has_no_score() -> None:
    """A system has an entity of a type that the key does not have: recall and F1 say nothing."""
    lines = run("score", KEY, ALPHA, BETA, "--by", "entity-span", "--types", "entity").stdout.splitlines()
    row = next(line for line in lines if line.startswith("alpha") and "DATE" in line)
    assert row.split()[-7:] == ["0", "–", "–", "–", "–", "–", "–"]
    row = next(line for line in lines if line.startswith("beta") and "DATE" in line)
    assert row.split()[-7:] == ["0", "–", "0.00*", "–", "–", "0.00*", "–"]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_every_format_has_intervals(form: str) -> None:
    done = run("score", KEY, ALPHA, *BY_TYPE, "--ci", "--samples", "100", "--format", form)
    assert done.exit_code == 0, done.output
    assert "PERSON" in done.stdout


def typed_corpora() -> tuple[DocumentCorpus, DocumentCorpus]:
    """Twelve documents with a person each, and an event in six; every second response finds all."""

    def document(number: int, *, found: bool, typed: bool) -> Document:
        person = [replace(Mention.at(i, i + 1), type="person" if typed else None) for i in (0, 2, 4)]
        event = [replace(Mention.at(i, i + 1), type="event" if typed else None) for i in (1, 3)]
        clusters = [Cluster("1", tuple(person if found else person[:2]))]
        clusters += [Cluster("2", tuple(event))] * (number < 6 and (typed or found))
        return Document.of(f"d{number:02}", "abcdef", [(0, 6)], clusters)

    key = [document(number, found=True, typed=True) for number in range(12)]
    response = [document(number, found=number % 2 == 0, typed=False) for number in range(12)]
    return DocumentCorpus(key, "key"), DocumentCorpus(response, "system")


def test_intervals_are_those_of_the_documents_with_the_kind() -> None:
    key, response = typed_corpora()
    scores = referee.score(key, response, by="entity-type", ci=True, samples=500)
    events = next(each for each in scores.estimates if each.group == "event")
    assert len(events.result.units) == 6
    first = DocumentCorpus(key.documents[:6], "key"), DocumentCorpus(response.documents[:6], "system")
    alone = referee.score(*first, by="entity-type", ci=True, samples=500)
    again = next(each for each in alone.estimates if each.group == "event")
    assert [vars_of(i) for i in events.intervals["links"]] == [vars_of(i) for i in again.intervals["links"]]
    assert {each.group for each in scores.estimates} == {"person", "event", ""}


def vars_of(interval: referee.Interval) -> tuple[float, float]:
    return interval.low, interval.high


def test_no_types_are_refused_in_words_of_the_command_line() -> None:
    done = run("score", KEY, ALPHA, "--by", "entity-type")
    assert done.exit_code == 1
    assert "no entity has a type; give --types with a file or folder" in done.stderr
    with pytest.raises(ProtocolError, match="give types= with"):
        referee.score(KEY, ALPHA, by="entity-type")


def test_spans_without_types_are_shown_with_a_warning() -> None:
    done = run("score", KEY, ALPHA, "--by", "entity-span")
    assert "long entities look easier" in done.stderr
    assert "up to 50 words" in done.stdout
    assert " · " not in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-m", "ceaf_e"), "CEAFe is not a sum over mentions"),
        (("-m", "conll"), "MUC is not a sum over mentions"),
        (("--match", "exact,head"), "--by allows only one --match"),
        (("--scope", "corpus"), "--by entity-type needs documents as units, but the scope is corpus"),
    ],
)
def test_what_does_not_go_together_is_refused(words: tuple[str, ...], said: str) -> None:
    done = run("score", KEY, ALPHA, *BY_TYPE, *words)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("by", "given"), [(None, "types"), ("distance", "types"), ("genre", "layers"), ("distance", "nlp")]
)
def test_layers_and_types_in_vain_are_refused(by: str | None, given: str) -> None:
    options: dict[str, Any] = {given: "entity"}
    with pytest.raises(SettingError, match=f"{given}= does nothing without by='entity-type'"):
        referee.score(KEY, ALPHA, by=by, **options)


def test_bare_clusters_have_no_kinds() -> None:
    with pytest.raises(SettingError, match="looks at mentions"):
        referee.score([["a", "b"]], [["a", "b"]], by="distance")


def test_every_breakdown_is_offered() -> None:
    assert list(STRATIFICATIONS) == [*KINDS]
    assert [name for name, by in STRATIFICATIONS.items() if by.typed] == [*TYPED]
    assert set(KINDS) < set(BREAKDOWNS)


def test_a_document_that_cannot_be_read_does_not_end_the_work(tmp_path: Path) -> None:
    row = "#begin document ({0}); part 000\n{0}\t0\t0\tHe\t(1{1}\n{0}\t0\t1\tsaw\t{2}\n\n#end document\n"
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(row.format("a", ")", "-") + row.format("b", ")", "(1)"))
    response.write_text(row.format("a", "", "(2)|2)") + row.format("b", ")", "(1)"))
    done = run("score", str(key), str(response), "--by", "distance")
    assert done.exit_code == 1
    assert "1 document failed" in done.stderr
    first = next(line for line in done.stdout.splitlines() if line.startswith("first mention"))
    assert first.split()[2:6] == ["2", "50.00", "100.00", "66.67"]


def test_compare_judges_kinds_that_the_key_has() -> None:
    key, response = typed_corpora()
    report = referee.compare(key, response, key, names=["old", "new"], by="entity-type", samples=500)
    (breakdown,) = report.breakdowns
    assert breakdown.sizes == {"person": 36, "event": 12}
    verdict = breakdown.comparisons["person"].verdicts[1]["links"]
    assert verdict.gain > 0
    assert breakdown.comparisons["event"].headline == "links"
    assert breakdown.comparisons["event"].units == 6


def test_compare_leaves_out_kinds_that_the_key_lacks_and_says_so() -> None:
    done = run("compare", KEY, ALPHA, BETA, "--by", "entity-span", "--types", "entity", "--samples", "100")
    said = "--by entity-span: not in the key, and so not compared: DATE · 51–200 words"
    assert said in done.stderr
    value = data("compare", KEY, ALPHA, BETA, "--by", "entity-span", "--types", "entity", "--samples", "100")
    assert "DATE · 51–200 words" not in value["breakdowns"]["entity span"]
    assert said.replace("--by entity-span", "by='entity-span'") in value["notices"]


def test_a_key_without_mentions_has_no_kinds_to_compare() -> None:
    key, response = typed_corpora()
    empty = DocumentCorpus([replace(document, clusters=()) for document in key], "empty")
    with pytest.raises(ProtocolError, match="the key has no mentions"):
        referee.compare(empty, response, response, names=["a", "b"], by="distance", samples=100)


def test_types_may_have_any_name() -> None:
    """A type may be called as the table calls other things."""
    odd = {"person": "all", "event": "a · b", None: None}
    key, response = typed_corpora()
    renamed = [
        replace(d, clusters=tuple(replace(c, mentions=tuple(
            replace(m, type=odd[m.type]) for m in c.mentions)) for c in d.clusters))
        for d in key
    ]  # fmt: skip
    corpus = DocumentCorpus(renamed, "odd")
    plain = referee.score(key, response, by="entity-span").output.tables()[0].rows
    rows = referee.score(corpus, response, by="entity-span").output.tables()[0].rows
    assert [row[0].text for row in rows] == ["all · up to 50 words", "a · b · up to 50 words", "all"]
    assert [row[1:] for row in rows] == [row[1:] for row in plain]
    by_type = referee.score(corpus, response, by="entity-type").output.tables()[0].rows
    assert [row[0].text for row in by_type] == ["all", "a · b", "all"]
    assert by_type[0][1].text != by_type[2][1].text
    shown = referee.report(corpus, response).data["entityScores"]
    assert shown["values"] == referee.report(key, response).data["entityScores"]["values"]
