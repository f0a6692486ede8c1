"""Cross-document coreference on the command line."""

from __future__ import annotations

import csv
import doctest
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee import formats
from referee.cli import main
from small_corpora import cat_xml, write_ecbplus

QUAKE = ["Quake in Aceh kills six villagers overnight"]
REHAB = ["Actress enters rehab clinic in Malibu after relapse"]


@pytest.fixture
def key(tmp_path: Path) -> str:
    """Two topics of two documents; each topic has one event that spans them, and singletons."""
    events = [("ACTION_OCCURRENCE", [1]), ("ACTION_OCCURRENCE", [4]), ("HUMAN_PART_PER", [6])]
    files = {}
    for topic, words in ((1, QUAKE), (2, REHAB)):
        for number, subtopic in ((1, "ecb"), (2, "ecbplus")):
            xml = cat_xml(words, events, [("CROSS_DOC_COREF", [1], f"ACT{topic}")])
            files[f"{topic}_{number}{subtopic}"] = xml
    return str(write_ecbplus(tmp_path, files, [(name, 0) for name in files]))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def response(key: str, tmp_path: Path) -> str:
    path = str(tmp_path / "response.conll")
    assert run("baseline", "same-string", key, "-o", path, "--kind", "events").exit_code == 0
    return path


def test_the_protocol_gives_both_levels_mention_detection_and_links(key: str, response: str) -> None:
    shown = run("score", key, response, "--protocol", "crossdoc", "--kind", "events")
    assert shown.exit_code == 0, shown.output
    for words in (
        "2 topics", "corpus", "Mention detection", "Links within documents", "Links across documents",
        "the same as the key's (8): gold mentions",
        "Topic: 0 links missed, 0 of them across documents; 2 links invented, 2 (100.0%) of them across",
        "singletons:drop|scope:topic|kind:events", "singletons:drop|scope:corpus|kind:events",
    ):  # fmt: skip
        assert words in shown.output


def test_scores_come_as_json_and_csv(key: str, response: str) -> None:
    options = ("--scope", "topic", "--singletons", "drop", "--kind", "events")
    (result,) = json.loads(run("score", key, response, *options, "--format", "json").stdout)["results"]
    assert result["protocol"]["scope"] == "topic"
    assert list(result["units"]) == ["1", "2"]
    assert result["links"]["across"]["counts"]["recall_denominator"] == 2
    assert result["mentions"].startswith("the same")
    rows = list(csv.DictReader(io.StringIO(run("score", key, response, *options, "-f", "csv").stdout)))
    assert [row["metric"] for row in rows][-2:] == ["links_within", "links_across"]
    assert {row["group"] for row in rows} == {"topic"}
    assert {row["metric"]: float(row["recall"]) for row in rows if row["recall"]}["muc"] == 1.0


def test_several_systems_stand_side_by_side(key: str, response: str, tmp_path: Path) -> None:
    alone = str(tmp_path / "alone.conll")
    run("baseline", "singletons", key, "-o", alone, "--kind", "events")
    shown = run("score", key, response, alone, "-p", "crossdoc", "--kind", "events", "-f", "markdown")
    rows = [
        line.split("|")[1:3] for line in shown.stdout.splitlines() if "topics" in line or "corpus" in line
    ]
    assert [[cell.strip() for cell in row] for row in rows[:4]] == [
        ["response", "2 topics"], ["response", "corpus"], ["alone", "2 topics"], ["alone", "corpus"],
    ]  # fmt: skip


def test_scopes_cut_links(key: str, response: str, tmp_path: Path) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text("".join(f"{id_}\teach {id_}\n" for id_ in formats.read(key).ids), encoding="utf-8")
    for scope, links in ((str(groups), 0), ("subtopic", 0), ("topic", 2), ("corpus", 2)):
        shown = run("score", key, response, "--scope", scope, "--kind", "events", "--format", "json")
        (result,) = json.loads(shown.stdout)["results"]
        assert result["links"]["across"]["counts"]["recall_denominator"] == links


def test_units_break_down(key: str, response: str) -> None:
    shown = run("score", key, response, "--scope", "topic", "--kind", "events", "--by", "unit")
    assert [line.split()[0] for line in shown.stdout.splitlines()[3:5]] == ["1", "2"]
    wrong = run("score", key, response, "--scope", "topic", "--by", "document")
    assert (wrong.exit_code, "break down --by unit" in wrong.output) == (1, True)


@pytest.mark.parametrize(
    ("option", "code", "message"),
    [
        ("nowhere", 2, "neither document, block, subtopic, topic, corpus nor a file of groups"),
        ("group", 2, "neither document, block, subtopic, topic, corpus nor a file of groups"),
    ],
)
def test_unknown_scopes_are_refused(key: str, response: str, option: str, code: int, message: str) -> None:
    shown = run("score", key, response, "--scope", option)
    assert shown.exit_code == code
    assert message in shown.output


def test_stats_count_parts_and_kinds(key: str) -> None:
    shown = run("stats", key)
    rows = {line[:28].strip(): line[28:].split() for line in shown.stdout.splitlines()[4:]}
    assert rows["Topics"] == ["1", "1", "1", "1"]  # topic 1 is in train, topic 2 in dev; events and entities
    assert rows["Mentions"] == ["4", "2", "4", "2"]
    assert rows["Singletons"] == ["2", "2", "2", "2"]
    assert rows["Clusters, without singletons"] == ["1", "0", "1", "0"]
    (counted,) = json.loads(run("stats", f"{key}/1", "--kind", "all", "-f", "json").stdout)["counts"]
    assert (counted["part"], counted["mentions"], counted["across"]) == ("Train", 6, 1)


def test_topics_are_written_for_scopes_and_baselines(key: str, response: str, tmp_path: Path) -> None:
    path = tmp_path / "topics.json"
    shown = run("topics", key, "-o", str(path), "-v")
    assert "2 topics found in 4 documents" in shown.stdout
    assert "100.00" in shown.stdout
    assert len(set(json.loads(path.read_text(encoding="utf-8")).values())) == 2
    assert run("score", key, response, "--scope", str(path), "--kind", "events").exit_code == 0
    again = str(tmp_path / "again.conll")
    run("baseline", "same-string", key, "-o", again, "--kind", "events", "--scope", str(path))
    assert Path(again).read_text(encoding="utf-8") == Path(response).read_text(encoding="utf-8")


def test_baselines_of_plain_corpora_stay_within_documents(tmp_path: Path) -> None:
    plain = tmp_path / "plain.conll"
    plain.write_text("#begin document (x y); part 000\nHe (1)\nhe (2)\n#end document\n", encoding="utf-8")
    made = str(tmp_path / "made.conll")
    assert run("baseline", "same-string", str(plain), "-o", made).exit_code == 0
    assert formats.read(made).ids == formats.read(plain).ids
    wrong = run("baseline", "same-string", str(plain), "-o", made, "--scope", "corpus")
    assert "hold within a document only" in wrong.output


def test_a_part_is_found_where_all_topics_lie_together(key: str) -> None:
    assert formats.read(f"{key}/train").ids == ["1_1ecb.xml", "1_2ecbplus.xml"]  # there is no such folder


def test_events_convert_to_conll_and_back_without_loss(key: str, tmp_path: Path) -> None:
    for name in ("key.conll", "key.jsonl"):
        path = str(tmp_path / name)
        assert run("convert", key, path, "--kind", "events").exit_code == 0
        shown = run("score", key, path, "-p", "crossdoc", "--kind", "events", "-f", "json")
        assert [result["conll"] for result in json.loads(shown.stdout)["results"]] == [1.0, 1.0]
        assert run("validate", path, "--key", key).exit_code == 0


def test_the_documentation_tells_the_story_of_singletons_as_it_is() -> None:
    page = Path(__file__).parents[2] / "docs" / "cross-document.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried
    assert not failed


def test_topics_of_a_corpus_that_has_none_of_its_own(tmp_path: Path) -> None:
    plain = tmp_path / "plain.conll"
    block = "#begin document {}\n{} (1)\n{} (1)\n\n#end document\n"
    plain.write_text(
        block.format("a", "dogs", "bark") + block.format("b", "quakes", "kill"), encoding="utf-8"
    )
    assert (
        run("topics", str(plain)).stdout == "2 topics found in 2 documents; the corpus does not say its own\n"
    )
    value = json.loads(run("topics", str(plain), "-f", "json").stdout)
    assert (value["schema"], set(value["topics"]), value["fits"]) == (1, {"a", "b"}, [])


BLOCKS = """#begin document topic1
1\t1_0\t1_1ecb.xml\t0\t1\tStorm\tTrue\t(5)
1\t1_0\t1_1ecb.xml\t0\t2\thits\tTrue\t-
1\t1_0\t1_2ecb.xml\t0\t1\tIt\tTrue\t(5)
1\t1_0\t1_2ecb.xml\t0\t2\tended\tTrue\t(6)
1\t1_0\t1_3ecb.xml\t0\t1\tend\tTrue\t(6)
#end document
"""


@pytest.mark.parametrize("command", ["score", "compare", "errors"])
def test_blocks_are_units_unless_a_scope_is_chosen(command: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.conll" for name in ("key", "a", "b")]
    for path in paths:
        path.write_text(BLOCKS, encoding="utf-8")
    arguments = [command, *map(str, paths), "-f", "json"]
    shown = run(*arguments)
    assert "scope:block" in shown.stdout
    assert "each block is scored as one unit" in shown.stderr
    assert any("each block is scored as one unit" in notice for notice in json.loads(shown.stdout)["notices"])
    assert "scope:document" in run(*arguments, "--scope", "document").stdout
    assert "scope:document" in run(*arguments, "--protocol", "scope:document").stdout


def test_links_across_the_documents_of_a_block_count(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(BLOCKS, encoding="utf-8")
    response.write_text(BLOCKS.replace("end\tTrue\t(6)", "end\tTrue\t(7)"), encoding="utf-8")
    (result,) = json.loads(run("score", str(key), str(response), "-m", "muc", "-f", "json").stdout)["results"]
    assert result["scores"]["muc"]["counts"]["recall_denominator"] == 2
    assert result["scores"]["muc"]["recall"] == 0.5
