"""referee errors: its tables, lists, filters and formats, and what it says to bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee import formats
from referee.analysis.link_errors import LinkError
from referee.analysis.selection import parse_filter
from referee.analysis.sheets.catalogue import NEED_RELATIONS, TABLES
from referee.analysis.sheets.sheet import Gain, Share
from referee.analysis.study import Study
from referee.cli import main
from referee.exceptions import RefereeError
from referee.language.mention_types import Described
from referee.matching import aligned
from referee.model import Document, Mention
from referee.tables.errors import context, sheet_table
from referee.tables.rendering import RENDERERS, Output
from studies import analyse

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["errors", *arguments])


@pytest.fixture(scope="module")
def study() -> Study:
    return analyse(formats.read(KEY), [formats.read(ALPHA), formats.read(BETA)], names=["alpha", "beta"])


def test_tables_of_one_system() -> None:
    shown = run(KEY, ALPHA).output
    assert "Recall errors of alpha: 22 of 79 possible." in shown
    assert "Precision errors of alpha: 20 of 77 decisions." in shown
    muc = referee.score(KEY, ALPHA).muc.counts
    assert muc["recall_denominator"] - muc["recall_numerator"] == 22
    assert muc["precision_denominator"] - muc["precision_numerator"] == 20


def test_common_errors_of_two_systems() -> None:
    shown = run(KEY, ALPHA, BETA, "--common").output
    assert "(common errors)" in shown
    assert "Recovered by" in shown
    assert "Recall errors by the systems that make them." in shown


OF_CLUSTERS = [name for name in TABLES if name not in NEED_RELATIONS]


@pytest.mark.parametrize("name", OF_CLUSTERS)
@pytest.mark.parametrize("face", RENDERERS)
def test_every_table_in_every_format(name: str, face: str, study: Study) -> None:
    sheets = TABLES[name](study)
    assert all(len(row) == len(sheet.heads) for sheet in sheets for row in sheet.rows)
    assert RENDERERS[face](Output(lambda: [sheet_table(sheet) for sheet in sheets], dict))


def test_the_matrix_adds_up(study: Study) -> None:
    for sheet, system in zip(TABLES["recall"](study), study.systems, strict=True):
        totals = {"errors": 0, "maximum": 0}
        for name, _, label, *cells, total in sheet.rows:
            assert name == system.name
            numbers = [cell for cell in cells if isinstance(cell, int)]
            assert sum(numbers) == total
            totals[str(label)] += sum(numbers)
        assert totals == {"errors": len(system.recall), "maximum": len(study.maximum)}


def test_errors_are_never_more_than_the_maximum(study: Study) -> None:
    for sheet in (*TABLES["recall"](study), *TABLES["precision"](study)):
        for errors, most in zip(sheet.rows[::2], sheet.rows[1::2], strict=True):
            assert all(int(a or 0) <= int(b or 0) for a, b in zip(errors[3:], most[3:], strict=True))


def test_all_combinations_are_all_errors(study: Study) -> None:
    for sheet in TABLES["combinations"](study):
        *rows, (alpha, beta, any_of_both) = sheet.rows
        counts = {(row[0], row[1]): int(row[2] or 0) for row in rows}
        assert sum(counts.values()) == any_of_both
        assert sum(count for made_by, count in counts.items() if made_by[0]) == int(str(alpha))
        assert sum(count for made_by, count in counts.items() if made_by[1]) == int(str(beta))


def test_gains_and_shares_are_shown_as_such(study: Study) -> None:
    (gain, *_) = (cell for row in TABLES["gains"](study)[0].rows for cell in row if isinstance(cell, Gain))
    shown = sheet_table(TABLES["gains"](study)[0]).rows[0][2].text
    assert shown == f"{100 * gain:+.2f}"
    shares = [cell for row in TABLES["totals"](study)[0].rows for cell in row if isinstance(cell, Share)]
    assert all(0 <= cell <= 1 for cell in shares)


def test_json_holds_numbers_and_the_signature() -> None:
    value = json.loads(run(KEY, ALPHA, "--format", "json").output)
    assert value["schema"] == 1
    assert value["systems"] == ["alpha"]
    assert value["signature"] == referee.Protocol().signature
    assert value["spanning_trees"] == {"recall": "accessibility", "precision": {"alpha": "accessibility"}}
    totals = next(table for table in value["tables"] if table["name"] == "totals")
    assert totals["rows"][0][:2] == ["alpha", 22]


def test_csv_has_a_line_for_each_number() -> None:
    rows = list(csv.DictReader(io.StringIO(run(KEY, ALPHA, BETA, "--format", "csv", "-t", "totals").output)))
    found = {(row["row"], row["column"]): row["value"] for row in rows}
    assert found["alpha", "Errors"] == "22"
    assert found["beta", "Errors"] == "25"


def test_list_with_context_and_filter() -> None:
    shown = run(
        KEY, ALPHA, "--filter", "anaphor=noun and antecedent=name and side=recall", "--list", "--context"
    )
    lines = shown.output.splitlines()
    assert lines[0] == "2 errors"
    assert "had led [the authority] for nine years" in shown.output
    assert "by {the Ministry of Transport} and by" in shown.output


def test_list_as_a_table_and_as_json() -> None:
    shown = run(KEY, ALPHA, "--filter", "anaphor.head=ministry", "--list", "--format", "csv").output
    row = next(csv.DictReader(io.StringIO(shown)))
    assert (row["anaphor"], row["antecedent"], row["types"]) == (
        "The ministry", "the Ministry of Transport", "noun-name",
    )  # fmt: skip
    value = json.loads(run(KEY, ALPHA, "--list", "--limit", "3", "--format", "json").output)
    assert len(value["errors"]) == 3
    assert value["errors"][0]["anaphor"]["spans"]


def test_filtered_tables_count_filtered_errors() -> None:
    shown = run(KEY, ALPHA, "--filter", "anaphor=noun", "-t", "recall").output
    assert "Recall errors of alpha: 13 of 30 possible." in shown


FORMATS = ("text", "json", "csv", "latex", "markdown")


@pytest.mark.parametrize("form", FORMATS)
def test_a_filter_is_recorded_in_every_format(form: str) -> None:
    for arguments in (("-t", "all"), ("--list",), ("--context",)):
        shown = run(
            KEY, ALPHA, BETA, "--filter", "anaphor=noun", "--made-by", "alpha", *arguments, "-f", form
        )
        assert shown.exit_code == 0
        if form == "json":
            value = json.loads(shown.stdout)
            assert (value["filter"], value["made_by"], value["not_made_by"]) == (
                "anaphor=noun",
                ["alpha"],
                [],
            )
        elif form != "csv" or "-t" in arguments:  # rows of errors have no caption
            assert "anaphor=noun" in shown.stdout
            assert "alpha alone" in shown.stdout


def test_a_filter_counts_in_all_tables_or_says_so() -> None:
    def tables(*arguments: str) -> tuple[dict[str, list[list[object]]], list[str]]:
        value = json.loads(run(KEY, ALPHA, "-t", "all", "-f", "json", *arguments).stdout)
        return {table["name"]: table["rows"] for table in value["tables"]}, value["notices"]

    whole, _ = tables()
    some, notices = tables("--filter", "anaphor=pronoun")
    assert whole.keys() - some.keys() == {"gains alpha"}
    assert any("left out: gains" in notice for notice in notices)
    (all_steps,), (steps,) = whole["transformations"], some["transformations"]
    assert sum(map(int, map(str, steps[1:-1]))) == steps[-1]
    assert 0 < int(str(steps[-1])) < int(str(all_steps[-1]))


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("anaphor=adjective", "anaphor is never 'adjective'; it is one of name, noun, pronoun"),
        ("side=recal", "did you mean recall?"),
        ("system=alfa", "did you mean alpha?"),
        ("document=harbour", "it is one of (nw/sample/harbour); part 000"),
        ("class='extra mentions'", "did you mean extra mention?"),
    ],
)
def test_a_value_that_no_error_can_have_is_refused(condition: str, message: str) -> None:
    shown = run(KEY, ALPHA, "--filter", condition)
    assert shown.exit_code == 2
    assert message in shown.stderr
    assert not shown.stdout


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("how", ["--list", "--context"])
def test_a_list_says_where_in_every_format(form: str, how: str) -> None:
    chosen = ("--filter", "anaphor.head=ministry and side=recall", how, "--format", form)
    shown = run(KEY, ALPHA, *chosen).stdout
    error = next(
        e for s in analyse(KEY, ALPHA).systems for e in s.recall if e.anaphor.head_word == "ministry"
    )
    anaphor, antecedent = error.anaphor.mention, error.antecedent.mention
    if form == "json":
        (value,) = json.loads(shown)["errors"]
        assert value["anaphor"]["spans"] == [[anaphor.start, anaphor.end]]
        assert value["antecedent"]["spans"] == [[antecedent.start, antecedent.end]]
        assert (value["anaphor"]["sentence"], value["antecedent"]["sentence"]) == (13, 12)
        assert (value["anaphor"]["head"], value["antecedent"]["head"]) == ("ministry", "ministry")
        assert (value["system"], value["class"], value["entity"]) == ("alpha", "boundary", error.entity)
    else:
        for words in ("alpha", "boundary", "recall", str(error.entity), "noun-name"):
            assert words in shown
        for mention in (anaphor, antecedent):
            assert f"{mention.start}:{mention.end}" in shown


def test_a_list_in_csv_has_a_column_for_everything() -> None:
    shown = run(KEY, ALPHA, "--filter", "anaphor.head=ministry and side=recall", "--list", "-f", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(shown))
    assert row["system"] == "alpha"
    assert row["class"] == "boundary"
    assert row["anaphor_head"] == row["antecedent_head"] == "ministry"
    assert (row["anaphor_sentence"], row["antecedent_sentence"]) == ("13", "12")
    start, end = map(int, row["anaphor_words"].split(":"))
    words = next(d for d in formats.read(KEY) if d.id == row["document"]).words
    assert " ".join(words[start:end]) == row["anaphor"]


def test_sentences_and_words_beyond_the_first_document() -> None:
    value = json.loads(run(KEY, ALPHA, "--list", "-f", "json").stdout)
    documents = {document.id: document for document in formats.read(KEY)}
    assert {error["document"] for error in value["errors"]} == documents.keys()
    for error in value["errors"]:
        for mention in (error["anaphor"], error["antecedent"]):
            document = documents[mention["document"]]
            ((start, end),) = mention["spans"]
            assert " ".join(document.words[start:end]) == mention["text"]
            first, last = document.sentences[mention["sentence"] - 1]
            assert first <= start < last


def test_only_one_system_makes_them() -> None:
    def listed(*arguments: str) -> list[tuple[object, ...]]:
        errors = json.loads(run(KEY, ALPHA, BETA, "--list", "-f", "json", *arguments).stdout)["errors"]
        return [(e["system"], e["side"], e["anaphor"]["text"], str(e["anaphor"]["spans"])) for e in errors]

    alone = listed("--made-by", "alpha", "--not-made-by", "beta")
    assert alone
    assert {system for system, *_ in alone} == {"alpha"}
    assert alone == listed("--made-by", "alpha") == listed("--not-made-by", "beta")
    both = listed("--made-by", "alpha", "--made-by", "beta")
    everything = listed()
    assert len(both) + len(alone) + len(listed("--made-by", "beta")) == len(everything)


def test_samples_are_drawn_sorted_and_recorded() -> None:
    first = run(KEY, ALPHA, "--draw", "5", "--seed", "3", "-f", "json").stdout
    assert first == run(KEY, ALPHA, "--draw", "5", "--seed", "3", "-f", "json").stdout
    value = json.loads(first)
    assert value["sample"] == {"size": 5, "seed": 3}
    assert len(value["errors"]) == 5
    assert value["errors"] != json.loads(run(KEY, ALPHA, "--draw", "5", "-f", "json").stdout)["errors"]
    assert "5 errors. Drawn at random, seed 3." in run(KEY, ALPHA, "--draw", "5", "--seed", "3").stdout
    by_types = json.loads(run(KEY, ALPHA, BETA, "--sort", "types,document", "-f", "json").stdout)["errors"]
    types = [(e["anaphor"]["type"], e["antecedent"]["type"]) for e in by_types]
    assert types == sorted(types)


def test_every_table_has_the_system_in_a_column(study: Study) -> None:
    for name in OF_CLUSTERS:
        for sheet in TABLES[name](study):
            names = [head if isinstance(head, str) else head[1] for head in sheet.heads]
            assert names[0] == "System" or names[:2] == ["alpha", "beta"]
    rows = list(csv.DictReader(io.StringIO(run(KEY, ALPHA, BETA, "-t", "gains,recall", "-f", "csv").stdout)))
    assert {row["system"] for row in rows} == {"alpha", "beta"}


def test_the_rules_of_the_authors_of_the_steps() -> None:
    shown = run(KEY, ALPHA, "-t", "transformations,gains", "--classes", "kummerfeld-klein")
    assert "by the rules 'kummerfeld-klein'" in shown.stdout
    assert "left out: gains: they need --classes referee" in shown.stderr
    value = json.loads(run(KEY, ALPHA, "--classes", "kummerfeld-klein", "-f", "json").stdout)
    assert value["classes"] == "kummerfeld-klein"
    assert json.loads(run(KEY, ALPHA, "-f", "json").stdout)["classes"] == "referee"


def test_several_processes_print_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "BATCH", 1)
    one, two = (run(KEY, ALPHA, BETA, "-t", "all", "-f", "json", "--jobs", jobs) for jobs in ("1", "2"))
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout


def test_functions_of_the_users_own_that_fail(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "def kind(mention):\n    return mention.words[7]\n\n"
        "def tree(entity):\n    raise OSError('no tree')\n",
        encoding="utf-8",
    )
    for option, name, message in (
        ("--mention-type", "kind", "the category 'kind' of '"),
        ("--spanning-tree", "tree", "OSError: no tree"),
    ):
        shown = run(KEY, ALPHA, option, f"{own}:{name}")
        assert shown.exit_code == 1
        assert message in shown.stderr
        assert len(shown.stderr.splitlines()) == 1
    own.write_text("1 / 0\n", encoding="utf-8")
    shown = run(KEY, ALPHA, "--mention-type", f"{own}:kind")
    assert (shown.exit_code, "ZeroDivisionError" in shown.stderr) == (1, True)


def test_strict_refuses_repeated_mentions(tmp_path: Path) -> None:
    twice = "#begin document (d); part 000\nd 0 0 a (0)|(1)\nd 0 1 b (0)\nd 0 2 c (1)\n\n#end document\n"
    path = tmp_path / "twice.conll"
    path.write_text(twice, encoding="utf-8")
    shown = run(str(path), str(path), "-p", "strict")
    assert shown.exit_code == 1
    assert "1 repeated mention," in shown.stderr
    assert run(str(path), str(path)).exit_code == 0


def test_untyped_files_say_so(tmp_path: Path) -> None:
    documents = [referee.Document.of(d.id, d.words, d.sentences, d.clusters) for d in formats.read(KEY)]
    bare = tmp_path / "bare.jsonl"
    formats.write(documents, bare)
    shown = run(str(bare), str(bare))
    assert shown.exit_code == 0
    assert "untyped" in shown.output
    assert "2 of 2 documents without parts of speech" in shown.output


def test_a_tree_and_a_category_from_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "def first(entity):\n    return [0] * (len(entity) - 1)\n\n"
        "def size(mention):\n    return 'long' if len(mention.words) > 1 else 'short'\n",
        encoding="utf-8",
    )
    shown = run(
        KEY, ALPHA, "--spanning-tree", f"{own}:first", "--mention-type", f"{own}:size", "-t", "recall"
    ).output
    assert "22 of 79 possible" in shown
    assert "the spanning tree 'first'" in shown
    assert "long" in shown


def test_antecedents_from_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("(nw/sample/harbour); part 000\t(0, 0)\t(1, 1)\n", encoding="utf-8")
    shown = run(KEY, ALPHA, "--antecedents", str(own), "-t", "precision").output
    assert "Precision errors of alpha: 0 of 0 decisions." in shown or "Precision errors of alpha: 0." in shown
    assert "1 of 1 antecedent decision left" in shown
    assert "own antecedents" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--filter", "anaphr=noun"), 2, "no field 'anaphr'; did you mean anaphor?"),
        (("--filter", "anaphor noun"), 2, "expected =, != or ~, found 'noun'"),
        (("--filter", "(anaphor=noun"), 2, "expected ')', found the end"),
        (("--filter", "anaphor="), 2, "expected a value, found the end"),
        (("--filter", "anaphor=noun antecedent=name"), 2, "expected 'and', 'or' or the end"),
        (("--common",), 2, "--common compares systems"),
        (("--table", "foo"), 2, "no table 'foo'; choose from recall"),
        (("--made-by", "alfa"), 2, "no system 'alfa'; did you mean alpha?"),
        (("--not-made-by", "x"), 2, "systems: alpha"),
        (("--sort", "size"), 2, "no order 'size'; choose from document, class, types, system"),
        (("--classes", "kk"), 2, "kummerfeld-klein"),
        (("--draw", "0"), 2, "0"),
        (("--spanning-tree", "foo"), 2, "neither a known name nor FILE.py:FUNCTION"),
        (("--spanning-tree", "nowhere.py:foo"), 2, "nowhere.py"),
        (("--spanning-tree", "os:nothing"), 2, "has no function 'nothing'"),
        (("--nlp", "stanza"), 2, "--nlp stanza is not a spaCy pipeline"),
        (("--antecedents", "beta=x"), 2, "name the system, as SYSTEM=FILE"),
        (("--layers", "nowhere"), 1, "nowhere"),
        (("-p", "foo"), 2, "neither a protocol"),
    ],
)
def test_bad_options_are_explained(arguments: tuple[str, ...], code: int, message: str) -> None:
    shown = run(KEY, ALPHA, *arguments)
    assert shown.exit_code == code
    assert message in shown.output


def test_the_page_shows_real_output(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "error-analysis.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    \$ referee (errors .*)\n((?:    .*\n)+)", page, re.MULTILINE)
    monkeypatch.chdir(SAMPLE)
    for command, output in shown:
        printed = CliRunner().invoke(main, command.split()).stdout
        assert printed == re.sub("^    ", "", output, flags=re.MULTILINE)
    assert len(shown) == 2
    assert all(f"`{name}`" in page for name in TABLES)


def test_a_missing_file_is_explained() -> None:
    shown = run("nowhere.conll", ALPHA)
    assert shown.exit_code == 1
    assert "nowhere.conll" in shown.output


def error(anaphor: Mention, antecedent: Mention, *sentences: tuple[int, int]) -> LinkError:
    document = Document.of("d", tuple("abcdefghij"), sentences or ((0, 10),), ())
    one, other = (Described("d", mention, "noun", document=document) for mention in (anaphor, antecedent))
    return LinkError("recall", "s", one, other, 0)


def test_context_of_nested_and_distant_mentions() -> None:
    assert context(error(Mention.at(2, 3), Mention.at(1, 4))) == "a {b [c] d} e f g h i j"
    assert context(error(Mention.at(1, 3), Mention.at(1, 4), (0, 5), (5, 10))) == "a {[b c] d} e"
    assert (
        context(error(Mention.at(6, 7), Mention.at(1, 2), (0, 3), (3, 5), (5, 10))) == "a {b} c\nf [g] h i j"
    )


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("anaphor=noun", True),
        ("anaphor != noun", False),
        ("ANAPHOR = Noun", True),
        ("anaphor=name or antecedent=noun", True),
        ("anaphor=name or antecedent=noun and system=t", False),
        ("(anaphor=name or antecedent=noun) and not system=t", True),
        ("not (anaphor=noun and antecedent=noun)", False),
        ("anaphor.text ~ 'b c'", True),
        ('document="d"', True),
        ("antecedent.entity=none", True),
        ("anaphor.text='and'", False),
    ],
)
def test_conditions(condition: str, kept: bool) -> None:
    assert parse_filter(condition)(error(Mention.at(1, 3), Mention.at(0, 1))) is kept


def test_a_condition_runs_nothing() -> None:
    with pytest.raises(RefereeError, match="no field"):
        parse_filter("__import__('os').system('true')=1")


def test_errors_by_distance_and_genre() -> None:
    shown = run(KEY, ALPHA, "--by", "distance", "--by", "genre", "-f", "json")
    tables = {table["name"]: table for table in json.loads(shown.stdout)["tables"]}
    assert [*tables] == ["by distance", "by genre"]
    whole = json.loads(run(KEY, ALPHA, "-t", "totals", "-f", "json").stdout)["tables"][0]
    for table in tables.values():
        assert sum(row[2] for row in table["rows"]) == whole["rows"][0][1]
    assert [row[1] for row in tables["by genre"]["rows"]] == ["bc", "nw"]
    assert "up to 10 words" in run(KEY, ALPHA, "--by", "distance").stdout
    assert "Recall errors of" not in run(KEY, ALPHA, "--by", "distance").stdout


def test_a_negative_gain_is_explained() -> None:
    shown = run(KEY, ALPHA, "-t", "gains").stdout
    assert ("A gain can be negative" in shown) == ("-0." in shown or "\u22120." in shown)
