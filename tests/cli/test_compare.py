"""referee compare, agree and score --ci, as a newcomer uses them."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from referee import formats, score
from referee.cli import main
from referee.model import DocumentCorpus
from referee.tables.rendering import as_json
from referee.tables.scores import score_output
from systems import documents, spoiled

RATES = {"base": 0.2, "good": 0.03, "same": 0.2, "bad": 0.45}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and four systems, as files."""
    folder = tmp_path_factory.mktemp("runs")
    key = documents(36)
    formats.write(key, folder / "key.conll")
    for number, (name, rate) in enumerate(RATES.items()):
        formats.write(spoiled(key, rate, number), folder / f"{name}.conll")
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def files(folder: Path, *names: str) -> list[str]:
    return [str(folder / f"{name}.conll") for name in names]


def test_the_table_marks_gains_and_losses_and_explains_itself(runs: Path) -> None:
    shown = run("compare", *files(runs, "key", *RATES))
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[1].split() == ["System", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"]
    rows = {line.split()[0]: line.split()[1:] for line in lines[3:7]}
    assert all("↑" in cell for cell in rows["good"])
    assert all("↓" in cell for cell in rows["bad"])
    assert not any(mark in cell for cell in rows["same"] for mark in "↑↓")
    said = "\n".join(lines)
    assert "Null hypothesis: a system and base are equally good" in said
    assert "approximate randomisation, 10000 samples, seed 1, 36 documents resampled" in said
    assert "Holm-corrected for 3 comparisons in each measure" in said
    assert "match:exact|" in said


def test_the_second_table_gives_intervals_gains_and_first_places(runs: Path) -> None:
    lines = run("compare", *files(runs, "key", "base", "good", "bad")).stdout.splitlines()
    start = lines.index("CoNLL F1")
    assert lines[start + 3].split()[0] == "base"
    good = lines[start + 4].split()
    assert good[4].startswith("+")
    assert good[-2:] == ["100.0", "%"]
    assert lines[start + 5].split()[4].startswith("−")


def test_the_test_samples_seed_and_level_are_said(runs: Path) -> None:
    options = ["--test", "bootstrap", "--samples", "500", "--seed", "7", "--level", "0.9"]
    shown = run("compare", *files(runs, "key", "base", "good"), *options).stdout
    assert "paired bootstrap, 500 samples, seed 7, 36 documents" in shown
    assert "the difference between a system and base would be 0" in shown
    assert "p < 0.1, two-sided." in shown
    assert "90 % interval" in shown


def test_saved_results_give_the_same_table(runs: Path, tmp_path: Path) -> None:
    saved = []
    for name in ("base", "good", "bad"):
        saved.append(str(tmp_path / f"{name}.json"))
        assert run("score", *files(runs, "key", name), "-f", "json", "-o", saved[-1]).exit_code == 0
    fresh = run("compare", *files(runs, "key", "base", "good", "bad"), "--by", "length", "--by", "genre")
    kept = run("compare", *saved, "--by", "length", "--by", "genre")
    assert kept.exit_code == 0
    assert kept.stdout == fresh.stdout
    some = run("compare", *saved, "-m", "lea,muc").stdout
    assert some.splitlines()[1].split() == ["System", "LEA", "MUC"]


def test_results_of_unlike_protocols_are_refused(runs: Path, tmp_path: Path) -> None:
    kept, dropped = str(tmp_path / "kept.json"), str(tmp_path / "dropped.json")
    run("score", *files(runs, "key", "base"), "-f", "json", "-o", kept)
    run("score", *files(runs, "key", "good"), "--singletons", "drop", "-f", "json", "-o", dropped)
    shown = run("compare", kept, dropped)
    assert shown.exit_code == 1
    assert "singletons is keep and drop" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["key.conll", "base.conll"], "two or more responses"),
        (["base.json"], "only one system"),
        (["key.conll", "base.conll", "base.json"], "give only results, or"),
        (["base.json", "good.json", "--singletons", "drop"], "have their protocol"),
        (["base.json", "good.json", "--by", "distance"], "looks at mentions"),
        (["base.json", "good.json", "-m", "links"], "not every result has links"),
        (["key.conll", "base.conll", "good.conll", "--match", "tail"], "no matching"),
        (["key.conll", "base.conll", "absent.conll"], "absent.conll: no such file"),
        (["absent.json", "base.json"], "absent.json: no such file"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: list[str], said: str, runs: Path) -> None:
    for name in ("base", "good"):
        run("score", *files(runs, "key", name), "-f", "json", "-o", str(runs / f"{name}.json"))
    paths = [str(runs / word) if word.endswith(("conll", "json")) else word for word in arguments]
    shown = run("compare", *paths)
    assert shown.exit_code in (1, 2)
    assert said in shown.stderr


def test_breakdowns_and_documents(runs: Path) -> None:
    by = ["genre", "length", "entity-size", "distance"]
    shown = run(
        "compare", *files(runs, "key", "base", "good"), *(word for name in by for word in ("--by", name)),
        "--documents", "2", "--samples", "200",
    ).stdout  # fmt: skip
    for title in ("CoNLL F1 by genre", "CoNLL F1 by length", "B³ F1 by entity size", "B³ F1 by distance"):
        assert title in shown
    assert "first mention" in shown
    start = shown.splitlines().index("Largest gains and losses in CoNLL")
    assert all("GUM_" in line for line in shown.splitlines()[start + 4 : start + 6])


def test_mention_types_come_from_conllu(runs: Path, tmp_path: Path) -> None:
    for document in documents(36):
        rows = [
            f"{i}\t{word}\t_\tNOUN\t{'NNP' if i % 2 else 'NN'}\t_\t{i - 1}\t_\t_\t_"
            for i, word in enumerate(document.words, start=1)
        ]
        (tmp_path / f"{document.id}.conllu").write_text("\n".join(rows), encoding="utf-8")
    arguments = [*files(runs, "key", "base", "good"), "--by", "mention-type", "--samples", "200"]
    shown = run("compare", *arguments, "--layers", str(tmp_path))
    assert [line.split()[0] for line in shown.stdout.splitlines()[-4:-2]] == ["name", "noun"]
    assert "give --layers" in run("compare", *arguments).stderr
    assert "--nlp other is not a spaCy pipeline" in run("compare", *arguments, "--nlp", "other").stderr


def test_json_has_everything(runs: Path) -> None:
    options = ["-f", "json", "--by", "genre", "--documents", "1"]
    value = json.loads(run("compare", *files(runs, "key", "base", "good", "bad"), *options).stdout)
    assert value["plan"]["test"] == "permutation"
    (comparison,) = value["comparisons"].values()
    good = comparison["systems"][1]
    assert good["rank"] == 1
    assert sum(good["ranks"]) == pytest.approx(1)
    conll = good["metrics"]["conll"]
    assert conll["interval"]["low"] < conll["f1"] < conll["interval"]["high"]
    assert conll["p"] <= conll["adjusted"] < 0.05
    assert set(value["breakdowns"]["genre"]) == {"bio", "news"}
    assert value["documents"][0]["system"] == "good"


def test_csv_has_a_row_for_each_system_and_measure(runs: Path) -> None:
    shown = run(
        "compare", *files(runs, "key", "base", "good"), "-f", "csv", "--by", "genre", "--documents", "1"
    )
    rows = list(csv.DictReader(io.StringIO(shown.stdout)))
    whole = [row for row in rows if not row["by"]]
    assert len(whole) == 2 * 8
    assert whole[0]["p"] == ""
    assert float(whole[-1]["p"]) < 0.05
    assert [row["group"] for row in rows if row["by"] == "genre" and row["system"] == "good"][-1] == "news"
    assert rows[-1]["by"] == "document"


def test_latex_and_markdown(runs: Path, tmp_path: Path) -> None:
    target = tmp_path / "table.tex"
    assert (
        run("compare", *files(runs, "key", "base", "good"), "-f", "latex", "-o", str(target)).exit_code == 0
    )
    words = target.read_text(encoding="utf-8")
    assert words.count(r"\toprule") == words.count(r"\bottomrule") == 2
    assert r"$\uparrow$" in words
    assert words.isascii()
    shown = run("compare", *files(runs, "key", "base", "good"), "-f", "markdown").stdout
    assert "| System | Mentions | MUC |" in shown
    assert "↑**" in shown


PARSED = """#begin document (nw/{number}); part 000
nw/{number} 0 0 The DT (TOP(S(NP(NP* - - - - * (0
nw/{number} 0 1 head NN *) - - - - * {short}
nw/{number} 0 2 of IN (PP* - - - - * -
nw/{number} 0 3 state NN (NP*))) - - - - * {long}
nw/{number} 0 4 said VBD (VP* - - - - * -
nw/{number} 0 5 she PRP (S(NP*) - - - - * {pronoun}
nw/{number} 0 6 left VBD (VP*))))) - - - - * -

#end document
"""


def parsed(folder: Path, name: str, **cells: str) -> str:
    path = folder / f"{name}.conll"
    path.write_text("".join(PARSED.format(number=n, **cells) for n in range(8)), encoding="utf-8")
    return str(path)


def test_matchings_stand_side_by_side_with_changed_ranks(tmp_path: Path) -> None:
    key = parsed(tmp_path, "key", long="0)", short="-", pronoun="(0)")
    brief = parsed(tmp_path, "brief", long="-", short="0)", pronoun="(0)")  # too short, but with its head
    half = parsed(tmp_path, "half", long="0)", short="-", pronoun="-")
    shown = run("compare", key, half, brief, "--match", "exact,mina", "--by", "entity-size").stdout
    assert "F1 under the matching exact" in shown
    assert "F1 under the matching mina" in shown
    start = shown.index("(n): rank among the systems")
    ranks = [line.split() for line in shown[:start].splitlines() if line.startswith(("half", "brief"))][-4:]
    assert [row[:2] for row in ranks] == [
        ["half", "exact"],
        ["brief", "exact"],
        ["half", "mina"],
        ["brief", "mina"],
    ]
    assert "↓" in " ".join(ranks[2])
    assert "↑" in " ".join(ranks[3])
    under_mina = run("compare", key, half, brief, "--match", "mina", "--by", "entity-size").stdout
    assert "100.00" in under_mina[under_mina.index("by entity size") :]


def test_few_documents_are_warned_of(runs: Path, tmp_path: Path) -> None:
    key = documents(3)
    formats.write(key, tmp_path / "key.conll")
    for name, rate in (("a", 0.1), ("b", 0.4)):
        formats.write(spoiled(key, rate, 1), tmp_path / f"{name}.conll")
    shown = run("compare", *files(tmp_path, "key", "a", "b"))
    assert "note: 3 documents are too few" in shown.stderr
    assert "all 8 ways to swap" in shown.stdout
    assert " – " in shown.stdout  # instead of an interval
    del runs


def test_topics_are_resampled_across_documents(tmp_path: Path) -> None:
    key = [
        replace(document, clusters=tuple(replace(c, id=f"{number % 8}.{c.id}") for c in document.clusters))
        for number, document in enumerate(documents(32))
    ]
    groups = {document.id: f"topic{number % 8}" for number, document in enumerate(key)}
    results = [
        replace(
            score(
                DocumentCorpus(key, cross_document=True),
                DocumentCorpus(spoiled(key, rate, 1), cross_document=True),
                scope=groups,
            ),
            system=name,
        )
        for name, rate in (("base", 0.4), ("good", 0.02))
    ]
    assert results[0].lengths == [sum(d.text.length for d in key[i::8]) for i in range(8)]
    path = tmp_path / "both.json"
    path.write_text(as_json(score_output("key", results)), encoding="utf-8")
    shown = run("compare", str(path), "--documents", "1", "--by", "length")
    assert "all 256 ways to swap, 8 groups resampled" in shown.stdout
    assert next(line for line in shown.stdout.splitlines() if line.startswith("good")).count("↑") == 6
    assert "CoNLL F1 by length" in shown.stdout
    assert (
        "needs documents as units, but the scope is group"
        in run("compare", str(path), "--by", "genre").stderr
    )


def test_score_with_intervals(runs: Path) -> None:
    shown = run("score", *files(runs, "key", "base"), "--ci", "--seed", "3")
    lines = shown.stdout.splitlines()
    assert lines[0] == "base: 36 documents"
    muc = next(line for line in lines if line.startswith("MUC")).split()
    score, low, high = float(muc[1]), float(muc[2].strip("[,")), float(muc[3].strip("]"))
    assert low < score < high
    assert "bootstrap over documents, 10000 samples, seed 3" in shown.stdout
    assert next(line for line in lines if line.startswith("CoNLL")).count("[") == 1


def test_score_with_intervals_of_groups_in_every_format(runs: Path) -> None:
    arguments = ["score", *files(runs, "key", "base", "good"), "--ci", "--by", "genre", "--samples", "200"]
    text = run(*arguments).stdout.splitlines()
    assert [line.split()[:2] for line in text[2:6]] == [
        ["base", "bio"], ["base", "news"], ["good", "bio"], ["good", "news"]
    ]  # fmt: skip
    value = json.loads(run(*arguments, "-f", "json").stdout)
    edges = value["results"][1]["groups"]["news"]["intervals"]["muc"]["f1"]
    assert edges[0] < edges[1]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "-f", "csv").stdout)))
    assert len(rows) == 2 * 2 * 8
    assert float(rows[1]["f1_low"]) < float(rows[1]["f1"]) < float(rows[1]["f1_high"])


def test_scores_saved_with_intervals_can_be_compared(runs: Path, tmp_path: Path) -> None:
    saved = str(tmp_path / "both.json")
    run("score", *files(runs, "key", "base", "good"), "--ci", "-f", "json", "-o", saved)
    assert json.loads(Path(saved).read_text(encoding="utf-8"))["results"][0]["intervals"]["conll"]["f1"]
    assert run("compare", saved).stdout == run("compare", *files(runs, "key", "base", "good")).stdout


def test_agree_shows_pairs_the_mean_and_alpha(runs: Path) -> None:
    shown = run("agree", *files(runs, "base", "good", "bad"))
    lines = shown.stdout.splitlines()
    assert lines[2].split() == ["Annotators", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "LEA", "CoNLL"]
    assert [line.split()[0] for line in lines[4:8]] == ["base", "base", "good", "mean"]
    assert "Krippendorff's α over chains (Passonneau's distance): 0." in shown.stdout
    assert "3 annotators, 36 documents" in shown.stdout


def test_agree_in_other_formats(runs: Path) -> None:
    value = json.loads(run("agree", *files(runs, "base", "good"), "-f", "json").stdout)
    assert value["pairs"][0]["annotators"] == ["base", "good"]
    assert 0 < value["alpha"] < value["alpha_common"] <= 1
    rows = list(csv.DictReader(io.StringIO(run("agree", *files(runs, "base", "good"), "-f", "csv").stdout)))
    assert float(rows[-2]["value"]) == value["alpha"]
    assert r"$\alpha$" in run("agree", *files(runs, "base", "good"), "-f", "latex").stdout


def test_agree_compares_exact_spans(runs: Path) -> None:
    shown = run("agree", *files(runs, "base", "good"), "--protocol", "match:mina")
    assert "agreement compares exact spans" in shown.stderr


@pytest.mark.parametrize("names", [["base"], ["base", "base"]])
def test_agree_needs_different_annotators(names: list[str], runs: Path) -> None:
    shown = run("agree", *files(runs, *names))
    assert shown.exit_code == 2


def test_the_page_on_agreement_shows_real_output() -> None:
    page = (Path(__file__).parents[2] / "docs" / "agreement.md").read_text(encoding="utf-8")
    sample = Path(referee.__file__).parent / "sample"
    shown = run("agree", str(sample / "alpha.conll"), str(sample / "beta.conll")).stdout
    assert "\n".join(f"    {line}".rstrip() for line in shown.splitlines()) in page


def test_any_system_can_be_the_baseline(runs: Path, tmp_path: Path) -> None:
    ordered = run("compare", *files(runs, "key", "good", "base", "bad"), "--by", "distance")
    named = run(
        "compare", *files(runs, "key", "base", "good", "bad"), "--by", "distance", "--baseline", "good"
    )
    assert named.stdout == ordered.stdout
    saved = str(tmp_path / "all.json")
    run("score", *files(runs, "key", "base", "good", "bad"), "-f", "json", "-o", saved)
    assert (
        run("compare", saved, "--baseline", "good").stdout
        == ordered.stdout.split("B³ F1 by distance")[0].rstrip() + "\n"
    )
    wrong = run("compare", *files(runs, "key", "base", "good"), "--baseline", "god")
    assert (wrong.exit_code, "did you mean good?" in wrong.stderr) == (2, True)


def test_several_systems_with_intervals_are_one_table(runs: Path) -> None:
    shown = run("score", *files(runs, "key", "base", "good"), "--ci", "-m", "muc,lea", "--samples", "200")
    lines = shown.stdout.splitlines()
    assert lines[0] == "36 documents"
    assert lines[1].split()[:2] == ["System", "Recall"]
    assert [line.split()[:2] for line in (lines[3], lines[5])] == [["MUC", "base"], ["LEA", "base"]]
    assert [line.split()[0] for line in (lines[4], lines[6])] == ["good", "good"]
    assert "*" not in lines[3]
    assert "*" in lines[4]
    assert all(line.count("[") == 3 for line in lines[3:7])


def test_the_level_of_intervals_is_chosen_and_said(runs: Path) -> None:
    arguments = ["score", *files(runs, "key", "base"), "--ci", "--samples", "400", "-f"]
    edges = {}
    for level in ("0.8", "0.99"):
        value = json.loads(run(*arguments, "json", "--level", level).stdout)["results"][0]
        assert value["resampling"]["level"] == float(level)
        edges[level] = value["intervals"]["muc"]["f1"]
        assert f"{100 * float(level):g} % interval" in run(*arguments, "text", "--level", level).stdout
    assert edges["0.99"][0] < edges["0.8"][0] < edges["0.8"][1] < edges["0.99"][1]


def test_several_processes_break_down_alike(runs: Path) -> None:
    arguments = ["compare", *files(runs, "key", "base", "good"), "--by", "entity-size", "--samples", "200"]
    assert run(*arguments, "--jobs", "2").stdout == run(*arguments).stdout
    assert (
        run("errors", *files(runs, "key", "base"), "-j", "2").stdout
        == run("errors", *files(runs, "key", "base")).stdout
    )
