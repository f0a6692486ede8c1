"""Thirty first steps of a new user: ten commands, ten calls in Python, ten tasks that the guides begin with.

Each works in a folder that holds the sample and two short texts, and shows what the user came for.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main as command_line

SAMPLE = Path(referee.__file__).parent / "sample"
TEXTS = {
    "one.txt": "Lena Ortiz won the race in Oslo. She thanked her coach.",
    "two.txt": "In Oslo, Lena Ortiz said that she would rest for a week.",
}
FASTCOREF = {"text": "Ann saw Bo. She waved.", "clusters": [[[0, 3], [12, 15]]]}


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in SAMPLE.glob("*.*"):
        shutil.copy(path, tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("--help", "resolve"),
        ("score key.conll alpha.conll", "75.08"),
        ("score key.conll alpha.conll beta.conll --by genre", "beta"),
        ("compare key.conll alpha.conll beta.conll", "p"),
        ("errors key.conll alpha.conll", "name"),
        ("report key.conll alpha.conll beta.conll -o report.html", "report.html"),
        ("validate alpha.conll --key key.conll", ""),
        ("convert alpha.conll alpha.jsonl", "alpha.jsonl"),
        ("resolve story.txt -o story.html", "story.html"),
        ("link one.txt two.txt", "Ortiz"),
    ],
)
def test_ten_commands(command: str, expected: str) -> None:
    ran = CliRunner().invoke(command_line, command.split())
    assert ran.exit_code == 0, ran.output
    written = [word for word in (expected,) if word.endswith((".html", ".jsonl"))]
    assert all(Path(word).stat().st_size > 100 for word in written)
    assert written or expected in ran.output


@pytest.mark.usefixtures("_folder")
class TestTenCallsInPython:
    """What the page on Python begins with."""

    def test_lists_are_scored(self) -> None:
        assert referee.score([["a", "b"], ["c"]], [["a", "b", "c"]]).muc.precision == 0.5

    def test_files_are_scored(self) -> None:
        assert round(100 * referee.score("key.conll", "alpha.conll").conll, 2) == 75.08

    def test_a_result_completes(self) -> None:
        result = referee.score("key.conll", "alpha.conll")
        assert {"muc", "b_cubed", "ceaf_e", "lea", "conll"} <= set(dir(result))
        with pytest.raises(AttributeError, match="muk"):
            result.muk  # type: ignore[attr-defined]  # noqa: B018

    def test_a_result_is_a_table(self) -> None:
        pytest.importorskip("pandas")
        frame = referee.score("key.conll", "alpha.conll").to_frame()
        assert len(frame) >= 7

    def test_systems_are_compared(self) -> None:
        compared = referee.compare("key.conll", "alpha.conll", "beta.conll")
        assert "beta" in repr(compared)

    def test_errors_are_counted(self) -> None:
        study = referee.errors("key.conll", "alpha.conll")
        assert len(repr(study).splitlines()) <= 30

    def test_a_corpus_is_read_and_sliced(self) -> None:
        corpus = referee.read("key.conll")
        assert corpus[0].clusters
        assert len(corpus[:1]) == 1

    def test_a_text_is_resolved(self) -> None:
        resolved = referee.resolve("Ann saw Bo. She waved.")
        assert all(start < end for cluster in resolved.clusters for start, end in cluster)

    def test_texts_are_linked(self) -> None:
        linked = referee.link(list(TEXTS.values()))
        assert any("Ortiz" in thing.name for thing in linked.recurring())

    def test_a_file_is_converted(self) -> None:
        referee.convert("alpha.conll", "alpha.jsonl")
        assert referee.score("alpha.conll", "alpha.jsonl").conll == 1


@pytest.mark.usefixtures("_folder")
class TestTenTasksOfTheGuides:
    """What people come for."""

    def run(self, command: str) -> str:
        ran = CliRunner().invoke(command_line, command.split())
        assert ran.exit_code == 0, ran.output
        return str(ran.output)

    def test_the_output_of_fastcoref_is_scored_against_conll(self) -> None:
        rows = [
            ("Ann", "(1)"),
            ("saw", "-"),
            ("Bo", "-"),
            (".", "-"),
            ("She", "(1)"),
            ("waved", "-"),
            (".", "-"),
        ]
        lines = "".join(f"doc\t0\t{number}\t{word}\t{mark}\n" for number, (word, mark) in enumerate(rows))
        Path("key2.conll").write_text(f"#begin document (doc); part 000\n{lines}\n#end document\n")
        Path("fast.jsonl").write_text(json.dumps(FASTCOREF) + "\n")
        assert "100.00" in self.run("score key2.conll fast.jsonl")

    def test_significance_of_two_systems(self) -> None:
        assert "p" in self.run("compare key.conll alpha.conll beta.conll --metric conll,muc")

    def test_a_table_for_a_paper(self) -> None:
        assert "\\begin{tabular" in self.run("score key.conll alpha.conll beta.conll --format latex")

    def test_a_folder_is_resolved_to_pages(self) -> None:
        self.run("resolve one.txt two.txt -o pages.html")
        assert "Lena Ortiz" in Path("pages.html").read_text()

    def test_names_instead_of_pronouns(self) -> None:
        assert "Lena Ortiz" in self.run("resolve one.txt --replace")

    def test_who_occurs_in_several_texts(self) -> None:
        self.run("link one.txt two.txt -o who.html")
        assert "Ortiz" in Path("who.html").read_text()

    def test_an_answer_of_a_language_model(self) -> None:
        words = referee.read("key.conll")[0].words
        Path("answers").mkdir()
        first = referee.read("key.conll").ids[0]
        Path("one-key.conll").write_text(
            Path("key.conll").read_text().split("#end document")[0] + "#end document\n"
        )
        Path(f"answers/{first.split('(')[1].split(')')[0].replace('/', '_')}_0.txt").write_text(
            f"[{words[0]}](#1) " + " ".join(words[1:])
        )
        assert "aligned to the key's words" in self.run("score one-key.conll answers")

    def test_agreement_of_annotators(self) -> None:
        assert "alpha" in self.run("agree alpha.conll beta.conll")

    def test_what_a_corpus_holds(self) -> None:
        assert json.loads(self.run("stats key.conll --format json"))

    def test_a_wrong_word_is_answered_with_the_right_one(self) -> None:
        ran = CliRunner().invoke(command_line, ["scor", "key.conll", "alpha.conll"])
        assert ran.exit_code == 2
        assert "score" in ran.output
