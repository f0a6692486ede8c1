"""What a language model wrote, through every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from documents_to_mark import written
from referee import Cluster, Document, Mention, formats
from referee.cli import main

TEXTS = {
    "one": (["Anna", "met", "the", "president", ".", "She", "left", "."], [[(0, 1), (5, 6)], [(2, 4)]]),
    "two": (["Bob", "saw", "his", "dog", ".", "It", "barked", "."], [[(0, 1), (2, 3)], [(2, 4), (5, 6)]]),
}


def run(*words: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A key, and the answers of two systems about it, in two folders; b has lost something."""
    documents = [
        Document.of(name, words, [(0, 5), (5, 8)], [
            Cluster(str(i), tuple(Mention.at(*span) for span in spans)) for i, spans in enumerate(clusters)
        ])
        for name, (words, clusters) in TEXTS.items()
    ]  # fmt: skip
    formats.write(documents, tmp_path / "key.conll")
    for system in "ab":
        (tmp_path / system).mkdir()
        for document in documents:
            (tmp_path / system / f"{document.id}.txt").write_text("\n" + written(document, "markdown"))
    broken = (tmp_path / "b" / "two.txt").read_text().replace("[It](#1)", "It](#1)")
    (tmp_path / "b" / "two.txt").write_text(broken)
    return tmp_path


def test_files_named_after_documents_are_one_system(folder: Path) -> None:
    result = run("score", folder / "key.conll", folder / "a" / "one.txt", folder / "a" / "two.txt")
    assert "a: 2 documents" in result.stdout
    assert "100.00" in result.stdout
    assert "Markdown of 2 documents aligned to the key's words: 100 % of 16 words kept" in result.stderr
    assert run("score", folder / "key.conll", folder / "a").stdout == result.stdout


def test_other_files_are_systems_of_their_own(folder: Path) -> None:
    for name in ("gpt.txt", "claude.txt"):
        (folder / name).write_text((folder / "a" / "one.txt").read_text())
    run("convert", folder / "a" / "one.txt", folder / "one.conll")
    result = run("score", folder / "one.conll", folder / "gpt.txt", folder / "claude.txt")
    assert {"gpt", "claude"} <= set(result.stdout.split())


def test_json_has_what_was_lost(folder: Path) -> None:
    result = run("score", folder / "key.conll", folder / "b", "--format", "json")
    [scored] = json.loads(result.stdout)["results"]
    assert scored["alignment"]["lost"] == {"unopened": 1}
    assert scored["alignment"]["documents"][1]["lost"][0]["where"].endswith("two.txt:3")


def test_folders_are_compared(folder: Path) -> None:
    files = [folder / system / f"{name}.txt" for system in "ab" for name in TEXTS]
    result = run("compare", folder / "key.conll", *files, "--samples", "100")
    assert (
        run("compare", folder / "key.conll", folder / "a", folder / "b", "--samples", "100").stdout
        == result.stdout
    )
    by_type = run("compare", folder / "key.conll", *files, "--samples", "100", "--by", "entity-size")
    assert len(by_type.stdout) > len(result.stdout)


def test_ids_may_hold_in_all_documents(folder: Path) -> None:
    whole = ["--ids", "corpus", "--scope", "corpus"]
    result = run("score", folder / "key.conll", folder / "a", *whole, "--format", "json")
    [scored] = json.loads(result.stdout)["results"]
    assert scored["conll"] == 1
    assert scored["alignment"]["mentions"] == 7


def test_errors_and_report_take_answers(folder: Path) -> None:
    answers = [folder / "b" / f"{name}.txt" for name in TEXTS]
    assert [system.name for system in referee.errors(folder / "key.conll", *answers).systems] == ["b"]
    assert "b" in run("errors", folder / "key.conll", *answers).stdout.split()
    run("report", folder / "key.conll", *answers, "-o", folder / "report.html")
    assert "barked" in (folder / "report.html").read_text()


def test_validate_lists_every_loss(folder: Path) -> None:
    answers = [folder / "b" / f"{name}.txt" for name in TEXTS]
    result = run("validate", *answers, "--key", folder / "key.conll", code=1)
    assert result.stdout == f"{folder / 'b' / 'two.txt'}:3: 'It](#1) barked .': unopened\n"
    run("validate", folder / "a", "--key", folder / "key.conll")
    alone = run("validate", folder / "b" / "two.txt", code=1)
    assert "'It](#1) barked .' does not mark a mention: unopened" in alone.stdout
    (folder / "b" / "one.txt").write_text("Something [else](#1).")
    result = run("validate", folder / "b", "--key", folder / "key.conll", code=1)
    assert "document one: 12.5 % of 8 words kept, " in result.stdout


@pytest.mark.parametrize("notation", ["crac-text", "markdown", "tags", "brackets", "json-answer"])
def test_conversion_there_and_back(notation: str, folder: Path) -> None:
    run("convert", folder / "key.conll", folder / "marked.txt", "--to", notation)
    result = run("score", folder / "key.conll", folder / "marked.txt", "--format", "json")
    assert json.loads(result.stdout)["results"][0]["conll"] == 1
    run("convert", folder / "marked.txt", folder / "back.jsonl")
    lines = (folder / "back.jsonl").read_text().splitlines()
    assert [sorted(map(len, json.loads(line)["clusters"])) for line in lines] == [[1, 2], [2, 2]]


def test_text_needs_a_notation_to_be_written(folder: Path) -> None:
    result = run("convert", folder / "key.conll", folder / "prompt.txt", code=2)
    assert "marked text is read only; write" in result.output
    run("convert", folder / "key.conll", folder / "prompt.tags.txt")
    assert '<m id="0">Anna</m>' in (folder / "prompt.tags.txt").read_text()


STORY = "Mary Smith saw the old dog . She liked it ."
CLUSTERS = '[["Mary Smith", "She"], ["the old dog", "it"]]'
SHAPES = {
    "// JSON": f'// clusters\n{{"clusters": /* two */ {CLUSTERS}}} // done',
    "'": "{'clusters': " + CLUSTERS.replace('"', "'") + "}",
    ",": '{"clusters": [["Mary Smith", "She",], ["the old dog", "it"],],}',
    "text": '{"clusters": [[{"text": "Mary Smith"}, {"text": "She"}], '
    '[{"text": "the old dog"}, {"text": "it"}]]}',
    "rows": json.dumps(
        [
            {"mention": m, "cluster": n}
            for m, n in zip(["Mary Smith", "She", "the old dog", "it"], "aabb", strict=True)
        ]
    ),
    "lines": '{"entity": 1, "mentions": ["Mary Smith", "She"]}\n'
    '{"entity": 2, "mentions": ["the old dog", "it"]}',
    "coref": '<coref id="1">Mary Smith</coref> saw <coref id="2">the old dog</coref>. '
    '<coref id="3" ref="1">She</coref> really liked <coref id="2">it</coref>.',
    "types": "<PERSON_1>Mary Smith</PERSON_1> saw <DOG_1>the old dog</DOG_1>. "
    "<PERSON_1>She</PERSON_1> liked <DOG_1>it</DOG_1>.",
    "names": "[Mary Smith] saw [the old dog]. [She: Mary Smith] liked [it: the old dog].",
    "₁": "[Mary Smith]₁ saw [the old dog]₂. [She]₁ liked [it]₂.",
    "{{": "{{Mary Smith|1}} saw {{the old dog|2}}. {{She|1}} liked {{it|2}}.",
    "**": "[**Mary Smith**](#1) saw [the **old** dog](#2). [She](#1) liked [it](#2).",
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_answers_of_many_shapes_are_scored(shape: str, tmp_path: Path) -> None:
    spans = [[(0, 2), (7, 8)], [(3, 6), (9, 10)]]
    clusters = [Cluster(str(i), tuple(Mention.at(*span) for span in some)) for i, some in enumerate(spans)]
    formats.write([Document.of("story", STORY.split(), [(0, 7), (7, 11)], clusters)], tmp_path / "key.conll")
    (tmp_path / "model.txt").write_text(SHAPES[shape])
    result = run("score", tmp_path / "key.conll", tmp_path / "model.txt")
    assert "= 100.00" in result.stdout
    assert "0 of 4 mentions lost" in result.stderr
    assert ("repaired before it was read" in result.stderr) == (shape in ("// JSON", "'", ",", "names", "**"))
