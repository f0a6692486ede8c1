"""Everything that is wrong is listed at once, and in no more time than the text needs."""

from __future__ import annotations

import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from referee import Mention, formats
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
    assert [problem.split(" ")[0] for problem in outside] == ["a.conll:1:", "a.conll:7:", "a.conll:11:"]


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
    assert seconds(tmp_path / "a.conll", f"#begin document d\n{rows}", 20_000) < 5
    rows = "".join(f"w\t({number}\n" for number in range(30_000))
    assert seconds(tmp_path / "a.conll", f"#begin document d\n{rows}", 30_000) < 5


def test_many_crossing_mentions(tmp_path: Path) -> None:
    size = 50_000
    rows = [f"w\t({number}\n" for number in range(size)] + [f"w\t{number})\n" for number in range(size)]
    assert seconds(tmp_path / "a.conll", f"#begin document d\n{''.join(rows)}", size - 1) < 10
