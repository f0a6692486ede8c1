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
from referee.cli import main
from referee.errors.filters import parse_filter
from referee.errors.link_errors import LinkError
from referee.errors.sheet import Gain, Share
from referee.errors.sheets import TABLES
from referee.errors.study import Study, analyse
from referee.exceptions import RefereeError
from referee.language.mention_types import Described
from referee.model import Document, Mention
from referee.tables.error_tables import context, sheet_table
from referee.tables.table import FACES

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


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("face", FACES)
def test_every_table_in_every_format(name: str, face: str, study: Study) -> None:
    for sheet in TABLES[name](study):
        assert all(len(row) == len(sheet.heads) for row in sheet.rows)
        assert FACES[face](sheet_table(sheet))


def test_the_matrix_adds_up(study: Study) -> None:
    for sheet, system in zip(TABLES["recall"](study), study.systems, strict=True):
        totals = {"errors": 0, "maximum": 0}
        for _, label, *cells, total in sheet.rows:
            numbers = [cell for cell in cells if isinstance(cell, int)]
            assert sum(numbers) == total
            totals[str(label)] += sum(numbers)
        assert totals == {"errors": len(system.recall), "maximum": len(study.maximum)}


def test_errors_are_never_more_than_the_maximum(study: Study) -> None:
    for sheet in (*TABLES["recall"](study), *TABLES["precision"](study)):
        for errors, most in zip(sheet.rows[::2], sheet.rows[1::2], strict=True):
            assert all(int(a or 0) <= int(b or 0) for a, b in zip(errors[2:], most[2:], strict=True))


def test_all_combinations_are_all_errors(study: Study) -> None:
    for sheet in TABLES["combinations"](study):
        *rows, (alpha, beta, any_of_both) = sheet.rows
        counts = {(row[0], row[1]): int(row[2] or 0) for row in rows}
        assert sum(counts.values()) == any_of_both
        assert sum(count for made_by, count in counts.items() if made_by[0]) == int(str(alpha))
        assert sum(count for made_by, count in counts.items() if made_by[1]) == int(str(beta))


def test_gains_and_shares_are_shown_as_such(study: Study) -> None:
    (gain, *_) = (cell for row in TABLES["gains"](study)[0].rows for cell in row if isinstance(cell, Gain))
    shown = sheet_table(TABLES["gains"](study)[0]).rows[0][1].text
    assert shown == f"{100 * gain:+.2f}"
    shares = [cell for row in TABLES["totals"](study)[0].rows for cell in row if isinstance(cell, Share)]
    assert all(0 <= cell <= 1 for cell in shares)


def test_json_holds_numbers_and_the_signature() -> None:
    value = json.loads(run(KEY, ALPHA, "--format", "json").output)
    assert value["schema"] == 1
    assert value["systems"] == ["alpha"]
    assert value["signature"] == referee.Protocol().signature
    assert value["trees"] == {"recall": "accessibility", "precision": {"alpha": "accessibility"}}
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
    assert (row["Anaphor"], row["Antecedent"], row["Types"]) == (
        "The ministry", "the Ministry of Transport", "noun-name",
    )  # fmt: skip
    value = json.loads(run(KEY, ALPHA, "--list", "--limit", "3", "--format", "json").output)
    assert len(value["errors"]) == 3
    assert value["errors"][0]["anaphor"]["spans"]


def test_filtered_tables_count_filtered_errors() -> None:
    shown = run(KEY, ALPHA, "--filter", "anaphor=noun", "-t", "recall").output
    assert "Recall errors of alpha: 13 of 30 possible." in shown


def test_untyped_files_say_so(tmp_path: Path) -> None:
    documents = [referee.Document.of(d.id, d.words, d.sentences, d.clusters) for d in formats.read(KEY)]
    bare = tmp_path / "bare.jsonl"
    formats.write(documents, bare)
    shown = run(str(bare), str(bare))
    assert shown.exit_code == 0
    assert "untyped" in shown.output
    assert "2 of 2 documents have no parts of speech" in shown.output


def test_a_tree_and_a_category_from_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "def first(entity):\n    return [0] * (len(entity) - 1)\n\n"
        "def size(mention):\n    return 'long' if len(mention.words) > 1 else 'short'\n",
        encoding="utf-8",
    )
    shown = run(KEY, ALPHA, "--tree", f"{own}:first", "--category", f"{own}:size", "-t", "recall").output
    assert "22 of 79 possible" in shown
    assert "the tree 'first'" in shown
    assert "long" in shown


def test_antecedents_from_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("(nw/sample/harbour); part 000\t(0, 0)\t(1, 1)\n", encoding="utf-8")
    shown = run(KEY, ALPHA, "--antecedents", str(own), "-t", "precision").output
    assert "Precision errors of alpha: 0 of 0 decisions." in shown or "Precision errors of alpha: 0." in shown
    assert "1 of 1 antecedent decisions" in shown
    assert "own antecedents" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--filter", "anaphr=noun"), 1, "no field 'anaphr'; did you mean anaphor?"),
        (("--filter", "anaphor noun"), 1, "expected =, != or ~, found 'noun'"),
        (("--filter", "(anaphor=noun"), 1, "expected ')', found the end"),
        (("--filter", "anaphor="), 1, "expected a value, found the end"),
        (("--filter", "anaphor=noun antecedent=name"), 1, "expected 'and', 'or' or the end"),
        (("--common",), 2, "--common compares systems"),
        (("--table", "foo"), 2, "no table 'foo'; choose from recall"),
        (("--tree", "foo"), 2, "neither a known name nor FILE.py:FUNCTION"),
        (("--tree", "nowhere.py:foo"), 1, "nowhere.py"),
        (("--tree", "os:nothing"), 1, "has no function 'nothing'"),
        (("--nlp", "stanza"), 2, "--nlp must be spacy"),
        (("--antecedents", "beta=x"), 2, "say whose they are"),
        (("--layers", "nowhere"), 1, "nowhere"),
        (("-p", "foo"), 1, "neither a protocol"),
    ],
)
def test_bad_options_are_explained(arguments: tuple[str, ...], code: int, message: str) -> None:
    shown = run(KEY, ALPHA, *arguments)
    assert shown.exit_code == code
    assert message in shown.output


def test_the_page_shows_real_output(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs" / "error-analysis.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^    \$ referee (errors .*)\n((?:    .*\n)+)", page, re.MULTILINE)
    monkeypatch.chdir(SAMPLE)
    output = CliRunner().invoke(main, shown[0].split()).stdout
    assert output == re.sub("^    ", "", shown[1], flags=re.MULTILINE)
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
