"""Every command takes the shapes that cross-document coreference comes in, and convert goes between them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee import Protocol, formats, score
from referee.cli import main
from referee.formats import FORMATS
from referee.formats.format import GAPS

CONTEXT = ["A", "fair", "opened", "and", "the", "fair", "closed"]
GVC = "#begin document ({0});\n{0}.DCT\t2017-01-01\tDCT\t-\n" + "".join(
    f"{{0}}.b1.{number}\t{word}\tBODY\t{{{number + 1}}}\n" for number, word in enumerate(CONTEXT)
)


def gvc(folder: Path, *, whole: bool) -> Path:
    cells = ["-", "(22)", "-", "-", "(22", "22)", "(7)" if whole else "-"]
    other = ["-", "-", "(7)", "-", "-", "(22)" if whole else "(5)", "-"]
    path = folder / "corpus.conll"
    path.write_text(
        "".join(f"{GVC.format(name, *row)}#end document\n" for name, row in (("a", cells), ("b", other)))
    )
    return path


def wec(folder: Path, *, whole: bool) -> Path:
    mentions = [
        ("a", [1], 22),
        ("a", [4, 5], 22),
        ("b", [5], 22 if whole else 5),
        ("b", [2], 7),
        ("a", [6], 7),
    ]
    items = [
        {"coref_chain": chain, "doc_id": doc, "mention_context": CONTEXT, "tokens_number": numbers}
        for doc, numbers, chain in mentions[: 5 if whole else 4]
    ]
    path = folder / "corpus.json"
    path.write_text(json.dumps(items))
    return path


def fcc(folder: Path, *, whole: bool) -> Path:
    tokens = [f"{doc},0,{number},{word}" for doc in "ab" for number, word in enumerate(CONTEXT)]
    (folder / "tokens.csv").write_text("\n".join(["doc-id,sentence-idx,token-idx,token", *tokens]))
    rows = ["a,0,1,2,22", "a,0,4,6,22", f"b,0,5,6,{22 if whole else 5}", "b,0,2,3,7", *["a,0,6,7,7"] * whole]
    path = folder / "hyperlinks.csv"
    path.write_text(
        "\n".join(["url-normalized,sentence-idx,token-idx-from,token-idx-to,to-url-normalized", *rows])
    )
    return path


def mention_list(folder: Path, *, whole: bool) -> Path:
    (folder / "x.json").write_text(
        json.dumps(
            {doc: [[0, number + 1, word, True] for number, word in enumerate(CONTEXT)] for doc in "ab"}
        )
    )
    rows = [("a", [2], 22), ("a", [5, 7], 22), ("b", [6], 22 if whole else 5), ("b", [3], 7), ("a", [4], 7)]
    path = folder / "x_events.json"
    fields = [
        {"doc_id": doc, "tokens_ids": ids, "cluster_id": id_} for doc, ids, id_ in rows[: 5 if whole else 4]
    ]
    path.write_text(json.dumps(fields))
    return path


SHAPES = {"gvc": gvc, "wec": wec, "token-tables": fcc, "mentions-json": mention_list}


def pair(tmp_path: Path, shape: str) -> tuple[str, str]:
    paths = []
    for name in ("key", "response"):
        (tmp_path / name).mkdir()
        paths.append(str(SHAPES[shape](tmp_path / name, whole=name == "key")))
    return paths[0], paths[1]


def run(*words: str) -> Result:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.parametrize("shape", SHAPES)
def test_every_command_takes_it(tmp_path: Path, shape: str) -> None:
    key, response = pair(tmp_path, shape)
    scored = json.loads(run("score", key, response, "--scope", "corpus", "-f", "json", "-q").output)
    assert scored["results"][0]["scores"]["muc"]["recall"] == pytest.approx(1 / 3)  # of 2 + 1 links, 1
    run("compare", key, response, response, "--scope", "corpus", "-q")
    run("errors", key, response, "--scope", "corpus", "-q")
    run("report", key, response, "--scope", "corpus", "-o", str(tmp_path / "page.html"), "-q")
    run("validate", response, "--key", key)
    assert "Mentions" in run("stats", key, "-q").output


@pytest.mark.parametrize("target", ["corpus-conll", "crossdoc-jsonlines", "mentions-json"])
@pytest.mark.parametrize("shape", SHAPES)
def test_convert_keeps_the_clusters(tmp_path: Path, shape: str, target: str) -> None:
    key, _ = pair(tmp_path, shape)
    made = str(tmp_path / "made_events.json")
    gaps = "keep" if GAPS in FORMATS[target].holds else "fill"
    run("convert", key, made, "--to", target, "-q", *["--lossy"] * (gaps == "fill"))
    run("convert", key, str(tmp_path / "made.json"), "--to", "mentions-documents", "-q", "--lossy")
    result = score(formats.read(key), formats.read(made), protocol=Protocol(scope="corpus", gaps=gaps))
    assert {score.f1 for score in result.scores.values()} == {1.0}
    assert result.counts["muc"].sum() > 0


def test_formats_that_cut_clusters_at_documents_are_not_named_instead(tmp_path: Path) -> None:
    key, _ = pair(tmp_path, "mentions-json")
    words = ["convert", key, str(tmp_path / "made.conll")]
    said = CliRunner().invoke(main, words).output
    assert "write mentions-json or crossdoc-jsonlines (--to …), or give --lossy" in said


def test_gaps_are_an_option_and_in_the_signature(tmp_path: Path) -> None:
    key, _ = pair(tmp_path, "mentions-json")
    made = str(tmp_path / "made.conll")
    run("convert", key, made, "-q", "--lossy")
    kept = run("score", key, made, "--scope", "corpus")
    filled = run("score", key, made, "--scope", "corpus", "--gaps", "fill")
    assert "--gaps fill takes a mention from its first word to its last" in kept.output
    assert "|gaps:fill|" in filled.output
    assert "= 100.00" in filled.output
    assert "= 100.00" not in kept.output
