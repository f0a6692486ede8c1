"""Everything that is wrong is listed at once, and in no more time than the text needs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_format import lay_out
from referee import Mention, formats, validate
from referee.formats.validation import _crossed, problems


def listed(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return [str(problem).removeprefix(f"{path.parent}/") for problem in problems(formats.read(path))]


def test_an_unbalanced_bracket_hides_nothing_else(tmp_path: Path) -> None:
    rows = ["a\t9)", "b\t(1)|(1)", "c\t(2", "", "d\t2)", "e\t(3"]
    assert listed(tmp_path / "a.conll", "\n".join(["#begin document d", *rows, "#end document"])) == [
        "a.conll:2: cluster 9 is closed but never opened",
        "a.conll:7: cluster 3 is opened but never closed",
        "a.conll:3: 'b' of cluster 1 is annotated again",
        "a.conll:4: 'c d' of cluster 2 runs over the end of its sentence",
    ]


def test_lines_outside_of_documents(tmp_path: Path) -> None:
    one = "#begin document {}\nw\t(1)\n#end document\n"
    text = "lost\t(1)\n# licence\n" + one.format("a") + "\nbetween\t-\n" + one.format("b") + "after\t(2)\n"
    outside = [problem for problem in listed(tmp_path / "a.conll", text) if "outside" in problem]
    assert outside == ["a.conll:1: outside of any document, and not read: lines 1, 7, 11"]


def test_empty_files_and_documents(tmp_path: Path) -> None:
    assert listed(tmp_path / "a.conll", "") == ["a.conll: the file is empty: it holds no document"]
    assert listed(tmp_path / "a.conll", "#begin document d\n#end document\n") == [
        "a.conll:2: document d has no words"
    ]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 8)), max_size=12))
def test_crossing_mentions(pairs: list[tuple[int, int]]) -> None:
    mentions = sorted(Mention.at(start, start + length) for start, length in pairs)
    for number, other in enumerate(_crossed(mentions)):
        mine = mentions[number]
        crossing = [m for m in mentions[:number] if m.start < mine.start < m.end < mine.end]
        assert (other is not None) == bool(crossing)
        assert other is None or mentions[other] in crossing


def seconds(path: Path, text: str, count: int) -> float:
    started = time.process_time()
    assert len(listed(path, text)) == count
    return time.process_time() - started


def test_many_flaws_take_no_longer_than_their_lines(tmp_path: Path) -> None:
    """60,000 lines with text in the last column took a minute and a half."""
    rows = "".join(f"w\t{'(1)' if number % 3 else 'word'}\n" for number in range(60_000))
    assert seconds(tmp_path / "a.conll", f"#begin document d\n{rows}#end document\n", 20_000) < 5
    rows = "".join(f"w\t({number}\n" for number in range(30_000))
    assert seconds(tmp_path / "a.conll", f"#begin document d\n{rows}#end document\n", 30_000) < 5


def test_many_crossing_mentions(tmp_path: Path) -> None:
    size = 50_000
    rows = [f"w\t({number}\n" for number in range(size)] + [f"w\t{number})\n" for number in range(size)]
    assert seconds(tmp_path / "a.conll", f"#begin document d\n{''.join(rows)}#end document\n", size - 1) < 10


def brat_folder(folder: Path) -> Path:
    """Lay out three annotations: one with many faults, one with doubtful lines, and one that is not brat."""
    faults = "T1\tPerson 0 3\tAnn\nT2\tPerson 11 14\tHim\nQ\nR1\tCoref Arg1:T1 Arg2:T9\nT3\tPerson 0 99\tx\n"
    doubts = "T1\tPerson 0 9\tAnn slept\nT2\tPerson 4 14\tslept. She\nR1\tCorefPart Arg1:T1 Arg2:T2\n"
    for name, annotation in {"a": faults, "b": doubts, "c": "x\n"}.items():
        (folder / f"{name}.txt").write_text("Ann slept. She woke.\n", encoding="utf-8")
        (folder / f"{name}.ann").write_text(annotation, encoding="utf-8")
    return folder


def test_every_file_and_every_fault_is_listed_with_its_line(tmp_path: Path) -> None:
    found = validate(brat_folder(tmp_path))
    where = [(problem.file.rpartition("/")[2], problem.line) for problem in found]
    assert where == [
        ("c.ann", 1), ("b.ann", 2),
        ("a.ann", 2), ("a.ann", 3), ("a.ann", 5), ("a.ann", 4), ("b.ann", 3),
    ]  # fmt: skip
    assert "crosses 'Ann slept'" in found[1].what
    assert "'CorefPart' is called after coreference, but is not read as such" in found[-1].what


@pytest.mark.parametrize("form", ["doccano", "prodigy", "label-studio"])
def test_the_faults_of_all_tasks_are_listed(form: str, tmp_path: Path) -> None:
    path = lay_out(form, tmp_path)
    ends = {"doccano": "end_offset", "prodigy": "end", "label-studio": "end"}
    broken = path.read_text(encoding="utf-8").replace(f'"{ends[form]}": 9', f'"{ends[form]}": 999')
    path.write_text(broken, encoding="utf-8")
    assert [problem.line for problem in validate(path)][:2] == ([2, 3] if form == "label-studio" else [1, 2])


def test_a_file_without_mentions_and_a_notice_are_problems(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"tokens": ["a"], "clusters": []}', encoding="utf-8")
    (problem,) = validate(path)
    assert problem.kind == "skipped"
    assert problem.what.startswith("NO MENTION WAS READ")


def test_what_a_format_leaves_out_is_not_a_problem(tmp_path: Path) -> None:
    path = lay_out("litbank", tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + "COP\tT0\tT2\n", encoding="utf-8")
    assert any("COP or APPOS" in notice for notice in formats.read(path).notices)
    assert not validate(path)
