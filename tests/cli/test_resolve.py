"""referee resolve and referee components, as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import main

pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")

STORY = "Clara Holt opened the door.\n\nShe smiled. <b>Peter</b> saw her dog."


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text(STORY, "utf-8")
    return path


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["resolve", "--resolver", "camp", *map(str, arguments)], input=stdin)


def test_the_terminal_shows_entities_by_number(story: Path) -> None:
    shown = run(story).output
    assert "story: 1 entity, 3 mentions" in shown
    assert "[Clara Holt]1 opened the door.\n\n[She]1 smiled." in shown
    assert "  1  Clara Holt (3): Clara Holt, She, her" in shown


def test_names_replace_pronouns_from_a_pipe() -> None:
    assert run("-", "--replace", stdin=STORY).output.startswith(
        "Clara Holt opened the door.\n\nClara Holt smiled."
    )


def test_json_lines_count_characters(story: Path, tmp_path: Path) -> None:
    assert run(story, "-o", tmp_path / "out.jsonl").exit_code == 0
    line = json.loads((tmp_path / "out.jsonl").read_text("utf-8"))
    assert (line["doc_key"], line["text"]) == ("story", STORY)
    assert [STORY[slice(*pair)] for pair in line["clusters"][0]] == ["Clara Holt", "She", "her"]


def test_a_page_shows_the_text_and_no_markup_of_it(story: Path, tmp_path: Path) -> None:
    assert run(story, "-o", tmp_path / "out.html").exit_code == 0
    page = (tmp_path / "out.html").read_text("utf-8")
    assert '<mark class="e1" title="1. Clara Holt">Clara Holt<sub>1</sub></mark>' in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_a_corpus_is_written_in_its_own_words(tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    rows = [("Clara", "-"), ("smiled", "-"), (".", "-"), ("She", "-"), ("won", "-"), (".", "-")]
    lines = [f"d\t0\t{number % 3}\t{word}\t{cell}" for number, (word, cell) in enumerate(rows)]
    text = "\n".join(["#begin document (d); part 000", *lines[:3], "", *lines[3:], "", "#end document", ""])
    key.write_text(text, "utf-8")
    assert run(key, "-o", tmp_path / "out.conll").exit_code == 0
    assert [m.spans for m in referee.read(tmp_path / "out.conll").document(0).mentions] == [
        ((0, 1),), ((3, 4),),
    ]  # fmt: skip


def test_reasons_are_told(story: Path) -> None:
    shown = run(story, "--explain").output
    assert "story: 2 links" in shown
    assert "pronouns  salience" in shown
    assert "near misses: " in shown


def test_components_can_be_chosen(story: Path) -> None:
    assert "0 entities" in run(story, "--only", "names,quotes").output
    assert "0 entities" in run(story, "--until", "nouns").output
    assert "0 entities" in run(story, "--skip", "pronouns").output
    refused = run(story, "--only", "nmaes")
    assert refused.exit_code == 2
    assert "did you mean names?" in refused.output


def test_precision_costs_links(story: Path) -> None:
    strict = run(story, "--precision", "99")
    assert run(story, "--recall").output.count("]1") >= strict.output.count("]1")
    assert "note: --precision 99 is more than was measured: the strictest setting is taken" in strict.stderr
    assert run(story, "--precision", "88").stderr == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--precision", "80", "--threshold", "0.5"), "--precision and --threshold exclude each other"),
        (("--recall", "--threshold", "0.5"), "--recall and --threshold exclude each other"),
        (("--threshold", "7"), "--threshold 7.0 must be a number from 0 to 1"),
        (("--guidelines", "nonsense"), "--guidelines nonsense must be one of ontonotes, gum, litbank for"),
    ],
)
def test_what_camp_does_not_take_is_a_usage_error(story: Path, given: tuple[str, ...], said: str) -> None:
    refused = run(story, *given)
    assert refused.exit_code == 2
    assert said in refused.output


def test_help_lists_the_guidelines_of_each_resolver() -> None:
    said = " ".join(CliRunner().invoke(main, ["resolve", "--help"]).output.split())
    assert "camp: ontonotes, gum, litbank" in said


def test_the_components_are_scored(tmp_path: Path) -> None:
    sample = Path(referee.__file__).parent / "sample" / "key.conll"
    output = tmp_path / "table.json"
    result = CliRunner().invoke(main, ["components", str(sample), "-f", "json", "-o", str(output)])
    assert result.exit_code == 0, result.output
    rows = json.loads(output.read_text("utf-8"))["components"]
    assert [row["name"] for row in rows] == [
        "genre", "names", "syntax", "quotes", "proper", "nouns", "pronouns", "growing", "people",
    ]  # fmt: skip
    assert rows[1]["alone"]["muc"]["recall"] > 0
    recalls = [row["with_earlier"]["muc"]["recall"] for row in rows]
    assert recalls == sorted(recalls)
    assert all(row["links"] >= sum(row["wrong"].values()) for row in rows)
    shown = CliRunner().invoke(main, ["components", str(sample)]).output
    assert "Links that each adds" in shown
