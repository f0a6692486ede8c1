"""The report from files and corpora: the library's function and the command."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import referee
from made_corpora import corpus, document
from open_page import HARBOUR, PATHS
from referee.cli import main
from referee.matching.protocol import Protocol
from referee.model import DocumentCorpus
from studies import report

KEY, ALPHA, BETA = PATHS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


def test_a_running_text_is_shown_in_the_words_of_the_key(tmp_path: Path) -> None:
    running = tmp_path / "running.jsonl"
    words = " ".join(next(iter(referee.read(KEY))).words)
    line = {"doc_key": HARBOUR, "text": words, "clusters": [[[0, 3], [4, 8]]]}
    running.write_text(json.dumps(line), encoding="utf-8")
    shown = run(KEY, str(running), "-o", str(tmp_path / "r.html"))
    assert shown.exit_code == 0
    line["text"] = "The head"
    running.write_text(json.dumps(line), encoding="utf-8")
    assert "characters in the key, 7 in the response" in run(KEY, str(running)).output


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    shown = run(KEY, ALPHA, BETA, "-o", str(target), "--title", "My systems")
    assert shown.exit_code == 0, shown.output
    assert str(target) in shown.stderr
    page = target.read_text(encoding="utf-8")
    assert "<title>My systems</title>" in page
    assert "Ellery" in page


def test_a_key_with_parses_is_scored_by_minimum_and_head_spans_too() -> None:
    data = report(KEY, [ALPHA, BETA]).data
    assert [part["label"].split()[0] for part in data["scores"]] == ["maximum", "minimum", "head"]
    for part, match in zip(data["scores"], ("exact", "mina", "head"), strict=True):
        protocol = Protocol(match=match, bad_parses="refuse" if match == "exact" else "skip")
        scored = referee.score(KEY, ALPHA, protocol=protocol)
        assert part["signature"] == scored.signature
        assert part["conll"][0] == pytest.approx(scored.conll, abs=1e-6)
    assert data["scores"][1]["conll"][0] > data["scores"][0]["conll"][0]  # alpha's errors are of boundaries


def test_parses_may_stand_beside_the_key(tmp_path: Path) -> None:
    key = document([[(0, 3), (4, 5)]], "the old dog barked it", pos="DT JJ NN VBD PRP")
    response = document([[(1, 3), (4, 5)]], "the old dog barked it")
    paths = [str(tmp_path / f"{name}.conll") for name in ("key", "response")]
    for path, made in zip(paths, (key, response), strict=True):
        referee.write([made], path)
    trees = tmp_path / "d.ptb"
    trees.write_text(
        "(S (NP (DT the) (JJ old) (NN dog)) (VP (VBD barked) (NP (PRP it))))\n", encoding="utf-8"
    )
    without = report(paths[0], paths[1:]).data
    assert [part["label"] for part in without["scores"]] == ["maximum spans"]
    beside = report(paths[0], paths[1:], parses=trees).data
    assert [part["conll"] for part in beside["scores"]][2] == [1.0]


def test_singletons_can_be_dropped() -> None:
    kept, dropped = (
        report(KEY, ALPHA, protocol=Protocol(singletons=choice)).data for choice in ("keep", "drop")
    )
    assert "singletons:drop" in dropped["scores"][0]["signature"]
    assert len(dropped["documents"][0]["key"]) < len(kept["documents"][0]["key"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((KEY, "nowhere.conll"), "nowhere.conll"),
        ((KEY, ALPHA, "-o", "nowhere/at/all.html"), "mkdir -p nowhere/at"),
        ((KEY, ALPHA, "--protocol", "strickt"), "did you mean strict"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], message: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code != 0
    assert message in shown.output
    assert "Traceback" not in shown.output


def test_corpora_and_paths_give_the_same_report(tmp_path: Path) -> None:
    from_paths = report(Path(KEY), Path(ALPHA), title="t")
    from_corpora = report(referee.read(KEY), [referee.read(ALPHA)], title="t")
    assert from_paths.html == from_corpora.html
    assert from_paths.save(tmp_path / "r.html") == (tmp_path / "r.html").stat().st_size
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == from_paths.html


def test_systems_have_names_of_their_own(tmp_path: Path) -> None:
    assert report(KEY, [ALPHA, BETA]).data["systems"] == ["alpha", "beta"]
    other = tmp_path / "alpha.conll"
    other.write_bytes(Path(BETA).read_bytes())
    assert report(KEY, [ALPHA, other]).data["systems"] == [ALPHA, str(other)]
    twice = report(KEY, [ALPHA, ALPHA]).data["systems"]
    assert len(set(twice)) == 2
    assert report(KEY, [ALPHA, ALPHA], names=["x", "y"]).data["systems"] == ["x", "y"]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"responses": []}, "no response"),
        ({"nlp": "stanza"}, "nlp='stanza'"),
        ({"layers": "nowhere.conllu"}, "nowhere.conllu"),
    ],
)
def test_the_library_names_parameters(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(referee.RefereeError, match=message):
        report(**{"key": KEY, "responses": ALPHA, **choices})


def test_an_old_report_outlives_one_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(referee.RefereeError, match="nowhere"):
        report(KEY, ALPHA).save(tmp_path / "nowhere" / "r.html")
    target = tmp_path / "r.html"
    target.write_text("old", encoding="utf-8")
    monkeypatch.setattr("referee.formats.io.saving.os.replace", _no_room)
    with pytest.raises(referee.RefereeError, match=r"r\.html: No space left on device"):
        report(KEY, ALPHA).save(target)
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def _no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_title_may_have_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    report(KEY, ALPHA, title=b"caf\xe9".decode("utf-8", "surrogateescape")).save(tmp_path / "r.html")
    assert "<title>caf\\udce9</title>" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("cell", ["*", "-", "_"])
def test_a_parse_column_that_says_nothing_asks_for_nothing(cell: str, tmp_path: Path) -> None:
    made = document([[(0, 1), (2, 3)]], words="a b c d", parse=" ".join([cell] * 4))
    data = report(DocumentCorpus([made]), corpus([], words="a b c d")).data
    assert [group["label"] for group in data["scores"]] == ["maximum spans"]
    rows = [
        f"d 0 {number} {word} X {cell} - - - - * {chain}"
        for number, (word, chain) in enumerate(zip("abc", ("(0)", "-", "(0)"), strict=True))
    ]
    path = tmp_path / "key.conll"
    path.write_text(
        "#begin document (d); part 000\n" + "\n".join(rows) + "\n\n#end document\n", encoding="utf-8"
    )
    shown = run(str(path), str(path), "-o", str(tmp_path / "r.html"))
    assert shown.exit_code == 0, shown.output
