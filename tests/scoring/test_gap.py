"""GAP's score: the rules of its own script, and decisions by clusters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from corpora import corpus
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, RefereeError
from referee.cli import main as command_line
from referee.formats.corpora.gap import GapCorpus, GapExample
from referee.model import cut_text
from referee.scoring.gap import DecisionCounts, gap_score

TEXT = "Ann Lee met Bea, and {} sang."
CHOICES: dict[str, tuple[str, tuple[bool, bool]]] = {
    "f1": ("she", (True, False)), "f2": ("Her", (False, True)), "m1": ("he", (True, False)),
    "m2": ("his", (False, False)),
}  # fmt: skip


def data() -> GapCorpus:
    examples, documents = [], []
    for id_, (pronoun, truth) in CHOICES.items():
        example = GapExample(id_, pronoun, (21, 21 + len(pronoun)), ((0, 7), (12, 15)), truth)
        examples.append(example)
        documents.append(cut_text(id_, TEXT.format(pronoun), example.clusters))
    return GapCorpus(examples, documents, "gap")


def decisions(folder: Path, **labels: str) -> Path:
    path = folder / "out.tsv"
    lines = ["\t".join([id_, *label.split()]) for id_, label in labels.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_counts_by_gender_and_bias(tmp_path: Path) -> None:
    out = decisions(tmp_path, f1="TRUE TRUE", f2="false true", m1="TRUE FALSE", m2="TRUE FALSE")
    score = gap_score(data(), out, name="mine")
    assert score.feminine == DecisionCounts(2, 1, 0, 1)
    assert score.masculine == DecisionCounts(1, 1, 0, 2)
    assert score.overall == DecisionCounts(3, 2, 0, 3)
    assert (score.overall.recall, score.overall.precision) == (1, 0.6)
    assert score.overall.f1 == pytest.approx(0.75)
    assert score.bias == pytest.approx((4 / 5) / (2 / 3))
    assert (score.system, score.notices) == ("mine", ())


def test_what_is_missing_is_a_false_negative_even_of_false_names(tmp_path: Path) -> None:
    out = decisions(tmp_path, f1="TRUE FALSE", f2="maybe TRUE", m1="TRUE FALSE", stranger="TRUE TRUE")
    score = gap_score(data(), out)
    assert score.feminine == DecisionCounts(2, 0, 1, 1)  # "maybe" is no decision
    assert score.masculine == DecisionCounts(1, 0, 2, 1)  # m2 has none, and no true name
    assert "3 of 8 decisions missing; each counts as a false negative" in score.notices[-1]
    assert "out.tsv:2: expected TRUE or FALSE twice, not 'maybe TRUE'" in score.notices[0]


def test_no_bias_where_one_gender_scores_nothing(tmp_path: Path) -> None:
    out = decisions(tmp_path, f1="TRUE FALSE", f2="FALSE FALSE", m1="FALSE TRUE", m2="FALSE FALSE")
    assert gap_score(data(), out).bias is None


def response(*mentions: tuple[int, int], words: str = "Ann Lee met Bea , and she sang .") -> DocumentCorpus:
    cluster = Cluster("1", tuple(Mention.at(*mention) for mention in mentions))
    return DocumentCorpus([Document.of("f1", words.split(), ((0, len(words.split())),), [cluster])])


@pytest.mark.parametrize(
    ("mentions", "decided"),
    [
        ([(6, 7), (0, 2)], (True, False)),
        ([(6, 7), (1, 2)], (True, False)),  # inside the name
        ([(6, 7), (0, 4)], (True, True)),  # around both
        ([(6, 7), (1, 3)], (False, False)),  # across the name's end
        ([(6, 7), (3, 5)], (False, True)),  # around, from the same word on
        ([(5, 7), (0, 2)], (False, False)),  # the pronoun is no mention itself
        ([(6, 7)], (False, False)),
    ],
)
def test_clusters_decide(mentions: list[tuple[int, int]], decided: tuple[bool, bool]) -> None:
    score = gap_score(data(), response(*mentions))
    assert score.answers == {"f1": decided}
    assert score.overall.false_negatives >= 6  # the other three are missing


def test_other_tokens_of_the_same_text_are_the_same() -> None:
    assert gap_score(data(), response((7, 8), (0, 1), words="Ann Lee m et Bea , and she sang.")).answers == {
        "f1": (True, False)
    }
    with pytest.raises(
        FormatError, match=r"the text differs from f1 .*: 'eBea.*' instead of 'tBea.*' after 8"
    ):
        gap_score(data(), response((6, 7), words="Ann Lee mee Bea , and she sang ."))
    with pytest.raises(FormatError, match="name their documents differently"):
        gap_score(data(), DocumentCorpus([response((6, 7)).document(0).with_text(id="x")]))


def test_objects_without_names_pair_by_order() -> None:
    lines = [
        {"text": TEXT.format(word), "clusters": [[[0, 7], [21, 21 + len(word)]]]}
        for word, _ in CHOICES.values()
    ]
    assert set(gap_score(data(), lines).answers.values()) == {(True, False)}


def test_the_key_decides_as_itself() -> None:
    score = gap_score(data(), data())
    assert score.overall == DecisionCounts(3, 0, 0, 5)
    assert score.bias == 1


def test_what_is_not_gap_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected GAP's data, with the heads ID, Text, Pronoun"):
        gap_score(response((0, 1)), response((0, 1)))
    (tmp_path / "none.tsv").write_text("ID\tA-coref\tB-coref\n", encoding="utf-8")
    with pytest.raises(FormatError, match="the response contains no decisions"):
        gap_score(data(), tmp_path / "none.tsv")
    odd = GapCorpus([GapExample("x", "their", (0, 1), ((0, 1), (1, 2)), (True, True))], [], "gap")
    with pytest.raises(RefereeError, match="example x: the pronoun 'their' has no gender that GAP knows"):
        gap_score(odd, decisions(tmp_path, x="TRUE TRUE"))


def nearest(example: GapExample) -> tuple[bool, bool]:
    one, other = (abs(name[0] - example.pronoun[0]) for name in example.names)
    return one <= other, one > other


def both(_: GapExample) -> tuple[bool, bool]:
    return True, True


# Counts that GAP's own script gives for these rules on its validation data: overall, masculine, feminine.
RULES: dict[Callable[[GapExample], tuple[bool, bool]], list[tuple[int, int, int, int]]] = {
    nearest: [(199, 210, 242, 257), (91, 111, 122, 130), (108, 99, 120, 127)],
    both: [(351, 467, 90, 0), (163, 241, 50, 0), (188, 226, 40, 0)],
}


@pytest.mark.parametrize("rule", RULES)
def test_the_numbers_are_those_of_gaps_own_script(
    tmp_path: Path, rule: Callable[[GapExample], tuple[bool, bool]]
) -> None:
    path = corpus("gap") / "gap-validation.tsv"
    texts = referee.read(path)
    assert isinstance(texts, GapCorpus)
    labels = {example.id: " ".join(map(str, rule(example))) for example in texts.examples}
    some = {id_: label for id_, label in labels.items() if not id_.endswith("7")}
    score = gap_score(path, decisions(tmp_path, **some))
    assert [score.overall, score.masculine, score.feminine] == [
        DecisionCounts(*counts) for counts in RULES[rule]
    ]


def test_the_command(tmp_path: Path) -> None:
    key = tmp_path / "gap.tsv"
    heads = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    rows = [
        f"{id_}\t{TEXT.format(word)}\t{word}\t21\tAnn Lee\t0\t{truth[0]}\tBea\t12\t{truth[1]}\tu\n"
        for id_, (word, truth) in CHOICES.items()
    ]
    key.write_text(heads + "".join(rows), encoding="utf-8")
    out = decisions(tmp_path, f1="TRUE FALSE", f2="FALSE TRUE", m1="FALSE FALSE", m2="TRUE FALSE")

    def run(*words: object) -> str:
        result = CliRunner().invoke(command_line, ["gap", *map(str, words)])
        assert result.exit_code == 0, result.output
        return result.stdout

    table = run(key, out, key)
    assert "out      66.67   66.67   66.67       0.00    100.00     –" in table
    assert "gap     100.00  100.00  100.00     100.00    100.00  1.00" in table
    assert "8 decisions about names" in table
    assert "out,masculine,0.0,0.0,0.0,0,1,1,2" in run(key, out, "-f", "csv")
    assert '"bias": 1.0' in run(key, key, "-f", "json")
    run(key, key, "--decisions", tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_text(encoding="utf-8").splitlines()[0] == "f1\tTRUE\tFALSE"
    assert gap_score(key, tmp_path / "again.tsv").overall.f1 == 1
    two = CliRunner().invoke(command_line, ["gap", str(key), str(out), str(out), "--decisions", "x"])
    assert (two.exit_code, "--decisions takes one response" in two.output) == (2, True)
