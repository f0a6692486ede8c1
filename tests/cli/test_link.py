"""referee link, with a scorer that looks at words alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from corpora import corpus
from referee import FailureWarning, formats, link, score
from referee.cli import main
from referee.matching.protocol import Protocol
from referee.model import Document
from referee.resolvers.across import across
from surface_scorer import SurfaceScorer, SurfaceStudy

TEXTS = {
    "monday": "Philadelphia fired coach Maurice Cheeks.\n\nThe <b>Sixers</b> lost nine games.",
    "tuesday": "Cheeks was fired by Philadelphia. The Sixers had lost again.",
    "weather": "Heavy rain flooded Nashville.",
}


@pytest.fixture(autouse=True)
def _scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "opened_scorer", lambda *_: SurfaceScorer())


@pytest.fixture
def news(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["link", *map(str, arguments)])


def test_the_terminal_lists_what_is_in_several_texts(news: Path) -> None:
    said = run(news, "--scope", "corpus").output
    assert said.startswith("3 documents; ")
    assert "Philadelphia (2 mentions in 2 documents)" in said
    assert "       tuesday: Philadelphia" in said
    assert "Nashville" not in said


def test_programs_get_the_same_list(news: Path) -> None:
    listed = json.loads(run(news, "-f", "json").output)
    assert listed["documents"] == ["monday", "tuesday", "weather"]
    names = {
        thing["name"]: {mention["text"] for mention in thing["mentions"]} for thing in listed["entities"]
    }
    assert names["Philadelphia"] == {"monday", "tuesday"}


def test_what_was_joined_is_explained_without_a_store(news: Path) -> None:
    said = run(news, "--explain").output.splitlines()
    joined = next(line for line in said if "Philadelphia" in line)
    assert "‘Philadelphia’ (monday 0) = ‘Philadelphia’ (tuesday 4): the same words" in joined
    given = json.loads(run(news, "--explain", "-f", "json", "-o", news / "linked.jsonl").output)
    document = next(iter(formats.read(news / "linked.jsonl")))
    ids = {cluster.id for cluster in document.clusters}
    first = next(join for join in given["joins"] if join["said"] == ["Philadelphia", "Philadelphia"])
    assert first["entity"] in ids
    assert first["holds"]


def test_any_number_of_processes_gives_the_same(news: Path) -> None:
    here, there = news / "here.jsonl", news / "there.jsonl"
    assert run(news, "--scope", "document", "-o", here).exit_code == 0
    assert run(news, "--scope", "document", "-o", there, "--jobs", "2").exit_code == 0
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.parametrize("name", ["nowhere/x.html", "nowhere/x.graphml", "x.nothing"])
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    news: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(across, "opened_scorer", lambda *_: pytest.fail("the work has begun"))
    for more in ((), ("--into", news / "store")):
        result = run(news / "monday.txt", news / "tuesday.txt", "-o", news / name, *more)
        assert result.exit_code == 2 or "format" in result.output, result.output
        assert not (news / "store").exists()


def test_a_page_has_the_sentences_and_shows_markup_as_text(news: Path) -> None:
    page = news / "entities.html"
    assert run(news, "--scope", "corpus", "-o", page).exit_code == 0
    html = page.read_text(encoding="utf-8")
    data = json.loads(html.partition('id="data">')[2].partition("</script>")[0])
    sentences = [text for _, text in data["sentences"]]
    assert "Philadelphia fired coach Maurice Cheeks." in sentences
    assert "Philadelphia" in {name for name, *_ in data["things"]}
    assert "<b>Sixers</b> lost" not in html


def test_corpora_are_written_with_clusters_across_documents(news: Path) -> None:
    target = news / "response.jsonl"
    assert run(news, "--scope", "corpus", "-o", target).exit_code == 0
    read = formats.read(target)
    assert read.cross_document
    ids = [{cluster.id for cluster in document.clusters} for document in read]
    assert ids[0] & ids[1]
    assert not ids[2]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("g.graphml", ["g.graphml"]),
        ("g.csv", ["g.csv", "g.edges.csv", "g.nodes.csv"]),
        ("g.jsonld", ["g.jsonld"]),
        ("g.entities.jsonl", ["g.entities.jsonl"]),
    ],
)
def test_graphs_are_written_by_their_endings(news: Path, name: str, written: list[str]) -> None:
    record = news / "run.json"
    result = run(news, "--scope", "corpus", "-o", news / name, "--record", record)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in news.glob("g.*")) == written
    assert "Philadelphia" in (news / name).read_text("utf-8")
    assert sorted(json.loads(record.read_text("utf-8"))["written"]) == [str(news / each) for each in written]


def test_a_graph_goes_to_standard_output_unless_it_is_several_files(news: Path) -> None:
    shown = run(news, "--scope", "corpus", "-o", "-", "--to", "jsonld")
    assert {each["name"] for each in json.loads(shown.stdout)["@graph"]} >= {"Philadelphia", "monday"}
    refused = run(news / "no-such.txt", "-o", "-", "--to", "csv")
    assert "csv writes three files" in refused.stderr  # before the texts are looked for


def test_mentions_json_is_written_under_its_own_name(news: Path) -> None:
    assert run(news, "--scope", "corpus", "-o", news / "mentions.json").exit_code == 0
    assert "Philadelphia" in (news / "mentions.json").read_text("utf-8")


def test_topics_of_a_file_are_walls(news: Path) -> None:
    topics = news / "topics.json"
    topics.write_text('{"monday": "a", "tuesday": "b", "weather": "c"}', encoding="utf-8")
    assert "in several of them: 0" in run(news, "--scope", topics).output


def test_gold_mentions_and_topics_of_ecb_plus(tmp_path: Path) -> None:
    folder, target = corpus("ecbplus") / "dev", tmp_path / "response.conll"
    result = run(
        folder,
        "--mentions",
        "gold",
        "--scope",
        "topic",
        "--kind",
        "events",
        "-o",
        target,
    )
    assert result.exit_code == 0, result.output
    protocol = Protocol(scope="topic", singletons="drop", kind="events", gaps="fill")
    scored = score(folder, target, protocol=protocol, metric=("detection", "muc"))
    assert scored.scores["detection"].f1 == 1
    assert 0.6 < scored.scores["muc"].f1 < 0.9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--mentions", "gold"), "has no mentions to be linked; --mentions predicted finds them"),
        (("--scope", "topic"), "has no topic for document monday"),
    ],
)
def test_what_cannot_be_linked_is_said(news: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run(news, *arguments)
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--scope", "nowhere"),
            "--scope nowhere is neither one of document, block, subtopic, topic, corpus, ",
        ),
        (("--resolver", "camp"), "--resolver camp works within each document: use referee resolve"),
        (("--resolver", "acros"), "did you mean across?"),
        (("--update",), "--update does nothing without --into"),
        (("--into", "new", "--jobs", "2"), "--jobs does nothing with --into"),
        (("-o", "new.html", "-f", "json"), "--format does nothing with --output"),
        (("--into", "new", "--scope", "topic"), "--scope does nothing with --into"),
        (("--replace",), "it is an option of referee resolve"),
        (("--only", "names"), "it is an option of referee components, resolve"),
    ],
)
def test_what_link_does_not_take_is_refused(news: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run(news, *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--across",), "No such option: --across; use referee link"),
        (("--resolver", "across"), "--resolver across links mentions across documents: use referee link"),
        (("--resolver", "across", "-o", "folder/"), "use referee link"),
        (("--scope", "corpus"), "No such option: --scope; it is an option of referee "),
    ],
)
def test_resolve_says_that_link_goes_across(news: Path, arguments: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(main, ["resolve", str(news), *arguments])
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


class FailingScorer(SurfaceScorer):
    """Fails when one of the documents has a certain word."""

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> SurfaceStudy:
        """Refuse the word."""
        for some in words:
            if "Nashville" in some:
                raise ValueError("Nashville is too much")
        return super().study(documents, words)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(across, "opened_scorer", lambda *_: FailingScorer())


REASON = "ValueError: Nashville is too much"


@pytest.mark.usefixtures("failing")
def test_the_others_are_linked_without_a_document_that_the_linker_fails_on(news: Path) -> None:
    target, record = news / "response.jsonl", news / "record.json"
    done = run(news, "--scope", "corpus", "-o", target, "--record", record)
    assert done.exit_code == 1
    assert f"1 document failed:\n  {news / 'weather.txt'}  {REASON}\n" in done.stderr
    ids = [{cluster.id for cluster in document.clusters} for document in formats.read(target)]
    assert len(ids) == 2
    assert ids[0] & ids[1]
    facts = json.loads(record.read_text("utf-8"))
    assert (facts["linked"], len(facts["failures"])) == (2, 1)
    strict = run(news, "--scope", "corpus", "--strict")
    assert (strict.exit_code, strict.stderr) == (1, f"Error: {news / 'weather.txt'}: {REASON}\n")


@pytest.mark.usefixtures("failing")
def test_a_corpus_is_linked_without_it_too(news: Path) -> None:
    corpus = news / "news.jsonl"
    lines = [
        {"doc_key": name, "tokens": text.replace(".", " .").split(), "clusters": []}
        for name, text in TEXTS.items()
    ]
    corpus.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    done = run(corpus, "--scope", "corpus")
    assert f"{corpus}:3  {REASON}" in done.stderr
    assert "Philadelphia (2 mentions in 2 documents)" in done.output


@pytest.mark.usefixtures("failing")
def test_in_python_a_text_that_fails_keeps_its_place() -> None:
    with pytest.warns(FailureWarning, match=f"1 document failed: 2: {REASON}"):
        linked = link([*TEXTS.values()], scope="corpus")
    assert [each.failure for each in linked] == ["", "", REASON]
    assert [entity.name for entity in linked.recurring()]


@pytest.mark.usefixtures("failing")
def test_if_the_linker_fails_on_all_of_them_nothing_is_written(news: Path) -> None:
    for name in TEXTS:
        (news / f"{name}.txt").write_text("Rain flooded Nashville.", "utf-8")
    done = run(news, "--scope", "corpus", "-o", news / "response.jsonl")
    assert done.exit_code == 1
    assert "3 documents failed:" in done.stderr
    assert not (news / "response.jsonl").exists()
