"""Files whose last column is not coreference are refused by name: they would score 0 without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee import FormatError, formats, score
from referee.cli import main


def conll(*rows: str, end: str = "\n") -> str:
    return end.join(["#begin document d", *rows, "#end document", ""])


WRONG = {
    "a column after it": (conll("a (1 -", "b 1) -", "c (2) -"), "a.conll:2: .*column 2 looks like coref"),
    "two columns after it": (
        conll("0\ta\t(x)\tO\t_", "1\tb\t-\tO\t_", "2\tc\t(x)\tO\t_").replace("O", "*"),
        "a.conll:2: .*column 3 looks like coreference",
    ),
    "none, tags last": (conll("0 he PRP", "1 saw VBD", "2 her PRP"), "text such as 'PRP', not coreference"),
    "none, words last": (conll("0\ta", "1\tb", "2\tc", "3\td"), "text such as 'a', .* reads the last column"),
    "one column": (conll("he", "saw", "her"), "a.conll:2: the lines have only one column"),
    "old line ends": (conll("he (1)", "her (1)", end="\r"), "a.conll:1: the lines end in a carriage return"),
    "conllu-plus": (
        "# global.columns = ID FORM COREF\n# newdoc id = d\n1\the\t(EntityID=1)\n2\ther\t_\n",
        "a.conll:1: CoNLL-U Plus",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_scoring_is_refused_and_validation_says_why(tmp_path: Path, kind: str) -> None:
    text, message = WRONG[kind]
    path = tmp_path / "a.conll"
    path.write_bytes(text.encode())
    good = tmp_path / "good.conll"
    good.write_text(conll("0 a (1", "1 b 1)", "2 c (2)"), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        score(path, path)
    with pytest.raises(FormatError, match=message):
        score(good, path)
    shown = CliRunner().invoke(main, ["validate", str(path)])
    assert shown.exit_code == 1
    assert message.split(".*")[-1].strip() in shown.output


@pytest.mark.parametrize(
    "rows",
    [
        ["0 a -", "1 b -"],
        ["a NN (1)", "b NN -"],
        ["a (NP* -", "b *) -"],
        ["a (ORG* * -", "b *) (V*) -"],
        ["a (1 x", "b - (2)", "c - (2)"],
        ["(1) -", "he -"],
    ],
)
def test_files_with_few_mentions_or_brackets_elsewhere_are_read(tmp_path: Path, rows: list[str]) -> None:
    (tmp_path / "a.conll").write_text(conll(*rows), encoding="utf-8")
    assert len(formats.read(tmp_path / "a.conll").document(0).words) == len(rows)


def test_a_document_without_mentions_beside_others_is_read(tmp_path: Path) -> None:
    """With two columns of coreference, the last one counts, if any document has something there."""
    (tmp_path / "a.conll").write_text(conll("a (1) -", "b (1) -") + conll("a (1) (1)"), encoding="utf-8")
    assert [len(document.clusters) for document in formats.read(tmp_path / "a.conll")] == [0, 1]
