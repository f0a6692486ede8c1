"""Resolving file by file into a folder: what is written, what is finished, and what is done again."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from click.testing import CliRunner, Result

import referee
from referee import FormatError, formats
from referee.cli import main
from referee.exceptions import ProtocolError, RefereeError
from referee.formats.failures import Failure
from referee.model import Cluster, Document, Mention, Text, cut_text
from referee.resolvers import part_files
from referee.resolvers.base import Resolver
from referee.resolvers.part_files import PartDone, PartRecipe, planned_parts, recipe_for, resolve_parts

ROWS = "#begin document ({0}); part 000\n{0}\t0\t0\tHe\t(1)\n{0}\t0\t1\tsaw\t-\n\n#end document\n"


class Counting(Resolver):
    """Makes one cluster of the first word, and remembers what it was asked for."""

    asked: list[str]

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        for text in texts:
            self.asked.append(text.id)
            cut = text if text.words else cut_text(text.id, text.running or "", []).text
            yield Document(cut, (Cluster("1", (Mention.at(0, 1),)),))


@pytest.fixture(autouse=True)
def resolver(monkeypatch: pytest.MonkeyPatch) -> Counting:
    made = Counting()
    made.asked = []
    monkeypatch.setattr(part_files, "resolver_named", lambda *_, **__: made)
    return made


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("Ann saw Bob.", "utf-8")
    (folder / "deep" / "b.txt.gz").write_bytes(gzip.compress(b"Cem saw Dee."))
    return folder


def done(inputs: Iterable[Path], folder: Path, **settings: Any) -> list[PartDone]:
    parts, form = planned_parts(list(map(str, inputs)), str(folder), settings.pop("form", None))
    return list(resolve_parts(parts, recipe_for("camp", settings, form)))


def test_each_file_has_its_own_below_the_folder(crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = done([crawl], out)
    assert told == [PartDone(str(out / "a.jsonl"), False), PartDone(str(out / "deep" / "b.jsonl"), False)]
    line = json.loads((out / "deep" / "b.jsonl").read_text("utf-8"))
    assert (line["doc_key"], line["text"], line["clusters"]) == ("b", "Cem saw Dee.", [[[0, 3]]])
    assert [word for word in referee.read(out).notices if "skipped" in word] == []  # records are no documents


def test_a_folder_may_be_named_in_several_ways(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("crawl", "./crawl/", str(crawl)):
        parts, _ = planned_parts([name], "out")
        assert [part.target for part in parts] == ["out/a.jsonl", "out/deep/b.jsonl"]


def test_files_that_are_named_lie_side_by_side(crawl: Path, tmp_path: Path) -> None:
    done([crawl / "deep" / "b.txt.gz", crawl / "a.txt"], tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == ["a.jsonl", "b.jsonl"]


def test_corpora_keep_their_format_unless_another_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "x.conll.gz").write_bytes(gzip.compress(ROWS.format("x").encode()))
    done([tmp_path / "x.conll.gz"], tmp_path / "out")
    assert referee.read(tmp_path / "out" / "x.conll").document(0).words == ("He", "saw")
    done([tmp_path / "x.conll.gz"], tmp_path / "other", form="jsonlines")
    assert json.loads((tmp_path / "other" / "x.jsonl").read_text("utf-8"))["clusters"] == [[[0, 0]]]


def test_what_is_finished_is_left_alone(crawl: Path, tmp_path: Path, resolver: Counting) -> None:
    out = tmp_path / "out"
    done([crawl], out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    assert [part.finished_before for part in done([crawl], out)] == [True, True]
    assert resolver.asked == ["a", "b"]
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def damaged(out: Path, crawl: Path, damage: str) -> None:
    target, record = out / "a.jsonl", out / ".a.jsonl.finished"
    if damage == "cut":
        target.write_bytes(target.read_bytes()[:-5])
    elif damage == "gone":
        target.unlink()
    elif damage == "no record":
        record.unlink()
    elif damage == "half a record":
        record.write_bytes(record.read_bytes()[:20])
    elif damage == "a list":
        record.write_text("[]", "utf-8")
    elif damage == "other input":
        (crawl / "a.txt").write_text("Eve saw Bob.", "utf-8")
    elif damage == "touched":
        os.utime(crawl / "a.txt", ns=(0, 0))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("cut", "it has been changed"),
        ("gone", ""),
        ("no record", "it was not known to be complete"),
        ("half a record", "it was not known to be complete"),
        ("a list", "it was not known to be complete"),
        ("other input", "its input has changed"),
        ("touched", "its input has changed"),
    ],
)
def test_what_is_not_finished_is_done_anew(damage: str, said: str, crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done([crawl], out)
    damaged(out, crawl, damage)
    again = done([crawl], out)
    assert [(part.finished_before, part.redone) for part in again] == [(False, said), (True, "")]
    assert [part.finished_before for part in done([crawl], out)] == [True, True]
    text = json.loads((out / "a.jsonl").read_text("utf-8"))["text"]
    assert text == (crawl / "a.txt").read_text("utf-8")


def test_other_settings_formats_and_versions_are_done_anew(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, rules = tmp_path / "out", tmp_path / "rules.toml"
    rules.write_text("a = 1", "utf-8")
    done([crawl], out, rules=str(rules))
    assert done([crawl], out, rules=str(rules), recall=True)[0].redone == "it was made with another recall"
    rules.write_text("a = 2", "utf-8")
    again = done([crawl], out, rules=str(rules))
    assert again[1].redone == "it was made with another recall, rules"
    versions = part_files.resolving_versions()
    monkeypatch.setattr(part_files, "resolving_versions", lambda: versions | {"spacy": "0", "numpy": "0"})
    assert done([crawl], out, rules=str(rules))[0].redone == "it was made with another numpy, spacy"


def test_leftovers_of_a_killed_run_are_cleared(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".a.jsonl.x7.unfinished").touch()
    done([crawl / "a.txt"], tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".a.jsonl.finished", "a.jsonl"]


def test_a_file_that_changes_after_planning_is_refused(crawl: Path, tmp_path: Path) -> None:
    parts, form = planned_parts([str(crawl / "a.txt")], str(tmp_path / "out"))
    (crawl / "a.txt").write_text("Eve saw Bob, too.", "utf-8")
    with pytest.raises(FormatError, match=r"a\.txt: has changed since it was found; run again"):
        list(resolve_parts(parts, recipe_for("camp", {}, form), strict=True))
    [changed] = resolve_parts(parts, recipe_for("camp", {}, form))
    assert changed.failures[0].reason.startswith("has changed since it was found")
    assert not changed.is_written
    assert not list((tmp_path / "out").iterdir())


def test_a_worker_with_other_packages_is_refused(crawl: Path, tmp_path: Path) -> None:
    parts, form = planned_parts([str(crawl)], str(tmp_path / "out"))
    for planned, said in (
        ({"numpy": "0"}, r"numpy: a worker has [\d.]+, the main process 0"),
        ({"x": "1"}, "x: .*none"),
    ):
        recipe = PartRecipe("camp", {}, form, part_files.resolving_versions() | planned)
        with pytest.raises(RefereeError, match=said):
            list(resolve_parts(parts, recipe))


def test_a_bad_file_is_named_and_the_others_stay(crawl: Path, tmp_path: Path, resolver: Counting) -> None:
    (crawl / "c.txt").write_bytes(b"one\nt\xffwo")
    inputs = [crawl / "a.txt", crawl / "c.txt", crawl / "deep"]
    parts, form = planned_parts(list(map(str, inputs)), str(tmp_path / "out"))
    with pytest.raises(FormatError, match=r"c\.txt:2: not UTF-8"):
        list(resolve_parts(parts, recipe_for("camp", {}, form), strict=True))
    [_, failed, other] = done(inputs, tmp_path / "out")
    assert (failed.is_written, other.is_written, other.failures) == (False, True, ())
    [(document, reason)] = failed.failures
    assert (document, reason[:17]) == (str(crawl / "c.txt"), "line 2: not UTF-8")
    (crawl / "c.txt").write_text("one", "utf-8")
    assert [part.finished_before for part in done(inputs, tmp_path / "out")] == [True, False, True]
    assert resolver.asked == ["a", "b", "c"]


def test_a_file_of_which_documents_fail_has_the_others_and_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "two.conll", tmp_path / "out"
    path.write_text(ROWS.format("x") + ROWS.format("y"), "utf-8")

    def odd(_self: Counting, document: Document) -> Document:
        if "x" in document.id:
            raise ValueError("odd")
        return document

    with monkeypatch.context() as patched:
        patched.setattr(Counting, "respond_to", odd)
        [first] = done([path], out)
        assert first.is_written
        assert first.failures == (Failure(f"{path}:2", "ValueError: odd"),)
        assert referee.read(out / "two.conll").ids == ["(y); part 000"]
    [again] = done([path], out)
    assert (again.redone, again.failures) == ("documents of it have failed", ())
    assert len(referee.read(out / "two.conll")) == 2
    path.write_text("Ann", "utf-8")
    [stale] = done([path], out)
    assert stale.failures[0].reason.endswith("; the output of an earlier run stays as it was")


def test_two_inputs_of_one_name_are_two_documents(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(crawl)
    (crawl / "deep" / "a.txt").write_text("Eve saw Bob.", "utf-8")
    (crawl / "a.md").write_text("Ida saw Bob.", "utf-8")
    done([Path("a.txt"), Path("deep/a.txt"), Path("a.md")], tmp_path / "out")
    names = {
        str(path.relative_to(tmp_path / "out")): json.loads(path.read_text("utf-8"))["doc_key"]
        for path in (tmp_path / "out").rglob("*.jsonl")
    }
    assert names == {"a.txt.jsonl": "a.txt", "deep/a.jsonl": "deep/a", "a.md.jsonl": "a.md"}
    with pytest.raises(ProtocolError, match=r"^a\.txt is given twice"):
        planned_parts(["a.txt", "a.txt"], "out")


def test_a_name_that_is_too_long_is_a_failure(tmp_path: Path) -> None:
    names = ["n" * 251 + ".txt", "n" * 244 + ".txt", "short.txt"]
    for name in names:
        (tmp_path / name).write_text("Ann slept.", "utf-8")
    long, record, short = done([tmp_path / name for name in names], tmp_path / "out")
    assert "its name is too long" in long.failures[0].reason
    assert (record.failures, short.failures) == ((), ())
    again = done([tmp_path / name for name in names[1:]], tmp_path / "out")
    assert [part.finished_before for part in again] == [True, True]


def test_what_cannot_be_done_file_by_file_is_refused(crawl: Path, tmp_path: Path) -> None:
    cases = [
        (["-"], "out", None, "standard input cannot be resumed"),
        ([str(crawl)], "memory://out", None, "outputs go to a folder that this machine and all workers see"),
        ([str(crawl / "a.txt")], "out", "brat", "brat: has a file for each document"),
    ]
    for inputs, folder, form, said in cases:
        with pytest.raises(ProtocolError, match=said):
            planned_parts(inputs, folder, form)
    (tmp_path / "x.conll").write_text(ROWS.format("x"), "utf-8")
    with pytest.raises(ProtocolError, match=r"x\.conll would be written over itself"):
        planned_parts([str(tmp_path / "x.conll")], str(tmp_path))
    with pytest.raises(FormatError, match="No such file"):
        planned_parts([str(tmp_path / "none.txt")], "out")


def test_remote_files_folders_and_patterns(tmp_path: Path) -> None:
    system = fsspec.filesystem("memory")
    system.pipe({"/crawl/a.txt": b"Ann saw Bob.", "/crawl/deep/b.txt": b"Cem saw Dee."})
    try:
        for number, (name, targets) in enumerate(
            {
                "memory://crawl/a.txt": ["a.jsonl"],
                "memory://crawl": ["a.jsonl", "deep/b.jsonl"],
                "memory://crawl/*.txt": ["a.jsonl"],
                "memory://crawl/**/*.txt": ["a.jsonl", "b.jsonl"],
            }.items()
        ):
            out = tmp_path / str(number)
            parts, form = planned_parts([name], str(out))
            assert all(
                not part.finished_before for part in resolve_parts(parts, recipe_for("camp", {}, form))
            )
            assert [os.path.relpath(part.target, out) for part in parts] == targets
            assert all(Path(part.target).exists() for part in parts)
        with pytest.raises(FormatError, match=r"memory://crawl/\*\.md: No such file"):
            planned_parts(["memory://crawl/*.md"], str(tmp_path))
    finally:
        system.rm("/crawl", recursive=True)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["resolve", "--resolver", "camp", *map(str, words)])


def test_the_command_tells_what_it_did(crawl: Path, tmp_path: Path) -> None:
    out = f"{tmp_path / 'out'}/"
    assert run(crawl, "-o", out).output == f"{out}: 2 of 2 files written\n"
    (crawl / "a.txt").write_text("Eve saw Bob.", "utf-8")
    assert run(crawl, "-o", tmp_path / "out").output.splitlines() == [
        f"note: {out}a.jsonl: done again: its input has changed",
        f"{tmp_path / 'out'}: 1 of 2 files written, 1 finished before",
    ]
    assert run(crawl, "-o", out, "--quiet").output == ""
    refused = run(crawl, "-o", out, "--replace")
    assert refused.exit_code == 2
    assert "--replace does not go with a folder" in refused.output


def test_a_folder_of_a_format_of_its_own_stays_one(tmp_path: Path) -> None:
    formats.write(referee.read(Path(referee.__file__).parent / "sample" / "key.conll"), tmp_path / "k.conll")
    assert run(tmp_path / "k.conll", "-o", f"{tmp_path / 'brat'}/", "--to", "brat").exit_code == 0
    assert len(list((tmp_path / "brat").glob("*.ann"))) == 2


def test_any_engine_writes_the_same(crawl: Path, tmp_path: Path) -> None:
    done([crawl], tmp_path / "one")
    parts, form = planned_parts([str(crawl)], str(tmp_path / "two"))
    assert len(list(resolve_parts(parts, recipe_for("camp", {}, form), 2))) == 2
    for name in ("a.jsonl", ".a.jsonl.finished", "deep/b.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
