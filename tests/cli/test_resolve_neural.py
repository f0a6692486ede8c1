"""referee resolve by a model, and referee models, as people call them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import referee
from installed_toy import NAME, nothing_installed, toy_installed
from referee.cli import main
from referee.resolvers.neural.models import installed_models
from toy_model import write_toy

for library in ("onnxruntime", "safetensors", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed: pip install 'referee-coref[resolve]'")

STORY = "Clara opened the door.\n\nShe smiled."
FACTS = {
    "language": "English", "licence": "CC0", "parameters": 60, "bits": 8, "encoder": "a table",
    "command": "referee train x", "seed": 7,
    "trained_on": [{"name": "Toys", "licence": "CC BY", "part": "train"}],
    "scores": [
        {"corpus": "Toys dev", "conll": 81.25, "interval": [79.0, 83.5]},
        {"corpus": "Toys dev", "genre": "fairy tales", "conll": 60.0},
    ],
    "gap": {"f1": 75.0, "bias": 0.981, "feminine": 74.5, "masculine": 75.9, "part": "validation"},
    "failures": ["It knows two names."], "calibration": {"link": {"slope": 1.0, "intercept": 0.0}},
}  # fmt: skip


TOLD = (
    f"# {NAME} 1.5: a model", "| licence | CC0 |", "| parameters | 60 |", " MB, weights of 8 bits |",
    "- Toys, train (CC BY)", "seed 7",
    "    referee train x", "| Toys dev | all | 81.2 | 79.0 to 83.5 |", "- It knows two names.",
    "Probabilities are calibrated.",
    "| Toys dev | fairy tales | 60.0 |  |", "GAP validation: F1 75.0, of feminine pronouns 74.5",
    "of masculine ones 75.9; bias (feminine by masculine) 0.98.",
)  # fmt: skip


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with toy_installed(tmp_path / "site", monkeypatch, **FACTS) as package:
        yield package


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text(STORY, "utf-8")
    return path


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], input=stdin)


def test_the_model_that_is_installed_resolves_and_is_named(installed: Path, story: Path) -> None:
    assert installed.name == "referee_toy"
    result = run("resolve", story)
    why = "note: guidelines of ontonotes, because it is a story of 6 words only\n"
    assert result.stderr == f"note: resolved by neural, model {NAME} 1.5\n{why}"
    assert "[Clara]1 opened the door.\n\n[She]1 smiled." in result.stdout
    assert run("resolve", story, "--quiet").stderr == ""
    assert run("resolve", story, "--resolver", "neural").stderr == why
    assert run("resolve", story, "--resolver", "neural", "--guidelines", "litbank").stderr == ""


@pytest.mark.usefixtures("installed")
def test_nothing_is_said_to_be_resolved_where_settings_or_inputs_are_wrong(story: Path) -> None:
    for wrong in (["nowhere.txt"], [story, "--guidelines", "gum"], [story, "--precision", "90"]):
        refused = run("resolve", *wrong)
        assert refused.exit_code != 0
        assert "resolved by" not in refused.stderr


def test_options_of_the_rules_choose_the_rules(installed: Path, story: Path) -> None:
    assert installed
    for options in (["--only", "nobody"], ["--explain", "--skip", "nobody"]):
        result = run("resolve", story, *options)
        assert "resolved by camp, because the options belong to it" in result.stderr
        assert "there is no component 'nobody'" in result.stderr


@pytest.mark.usefixtures("installed")
def test_without_a_model_rules_resolve(story: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    nothing_installed(monkeypatch)
    assert (
        "note: resolved by camp, by rules; the network (neural) finds more: pip install"
        in run("resolve", story).stderr
    )
    missing = run("resolve", story, "--resolver", "neural")
    assert missing.exit_code == 1
    assert (
        "no model is installed: pip install 'referee-coref[resolve]' referee-coref-en (in a" in missing.output
    )
    listed = run("models")
    assert (listed.exit_code, "no model is installed" in listed.stderr) == (0, True)
    assert run("models", "test").exit_code == 1


@pytest.mark.usefixtures("installed")
def test_options_of_another_resolver_are_refused(story: Path) -> None:
    refused = run("resolve", story, "--resolver", "neural", "--skip", "names")
    assert refused.exit_code == 2
    assert "--skip is a setting of the resolver camp, not of neural" in refused.output
    refused = run("resolve", story, "--resolver", "camp", "--mentions", "gold")
    assert refused.exit_code == 2
    assert "--mentions is a setting of the resolver" in refused.output
    refused = run("resolve", story, "--only", "names", "--singletons", "keep")
    assert refused.exit_code == 2
    assert "no resolver has all of --only (camp), --singletons (across or neural)" in refused.output
    with pytest.raises(referee.ProtocolError, match=r"neural has no setting modle=.*did you mean model"):
        referee.resolve(STORY, resolver="neural", modle="x")


@pytest.mark.usefixtures("installed")
def test_scores_are_told_on_demand(story: Path, tmp_path: Path) -> None:
    assert "(mention 0.99, link 0.88)" in run("resolve", story, "--scores").stdout
    assert "0.99" not in run("resolve", story).stdout
    run("resolve", story, "--scores", "-o", tmp_path / "out.html")
    assert 'title="1. Clara (mention 0.99, link 0.88)">She<' in (tmp_path / "out.html").read_text("utf-8")
    run("resolve", story, "--scores", "-o", tmp_path / "out.jsonl")
    line = json.loads((tmp_path / "out.jsonl").read_text("utf-8"))
    assert line["clusters"] == [[[0, 5], [24, 27]]]
    assert line["mention_scores"] == [[pytest.approx(0.9933071), pytest.approx(0.9933071)]]
    assert line["link_scores"] == [[None, pytest.approx(0.8807971)]]
    run("resolve", story, "-o", tmp_path / "out.jsonl")
    assert "link_scores" not in json.loads((tmp_path / "out.jsonl").read_text("utf-8"))


@pytest.mark.usefixtures("installed")
def test_singletons_and_gold_mentions(story: Path, tmp_path: Path) -> None:
    assert "story: 2 entities, 3 mentions" in run("resolve", story, "--singletons", "keep").stdout
    key = Path(referee.__file__).parent / "sample" / "key.conll"
    result = run(
        "resolve", key, "--mentions", "gold", "--singletons", "keep", "-o", tmp_path / "linked.conll"
    )
    assert result.exit_code == 0
    linked = referee.read(tmp_path / "linked.conll")
    assert [d.mentions for d in linked] == [d.mentions for d in referee.read(key)]
    refused = run("resolve", story, "--mentions", "gold")
    assert "story: --mentions gold needs a corpus with mentions" in refused.output


@pytest.mark.usefixtures("installed")
def test_any_number_of_processes_writes_the_same(tmp_path: Path) -> None:
    for number in range(5):
        text = f"Clara saw {'Peter' * number} her dog. It left." * (5 - number)
        (tmp_path / f"{number}.txt").write_text(text, "utf-8")
    files = sorted(tmp_path.glob("*.txt"))
    for jobs in "12":
        result = run("resolve", *files, "--scores", "-j", jobs, "-o", tmp_path / f"{jobs}.jsonl")
        assert result.exit_code == 0, result.output
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    lines = (tmp_path / "2.jsonl").read_text("utf-8").splitlines()
    keys = [json.loads(line)["doc_key"] for line in lines]
    assert keys == list("01234")


def test_models_are_listed_with_what_they_say(installed: Path) -> None:
    shown = run("models", "--format", "json").stdout
    (toy,) = (model for model in json.loads(shown)["models"] if model["name"] == NAME)
    assert (toy["version"], toy["licence"], toy["folder"]) == ("1.5", "CC0", str(installed))
    assert toy["bytes"] == sum(path.stat().st_size for path in installed.iterdir() if path.suffix != ".py")
    row = next(line for line in run("models", "-f", "markdown").stdout.splitlines() if NAME in line)
    assert row.startswith(f"| {NAME} | 1.5 | en | CC0 | Toys | 0.0 | Toys dev 81.2 | ")


@pytest.mark.usefixtures("installed")
def test_the_card_tells_all_facts(tmp_path: Path) -> None:
    card = run("models", "show", NAME).stdout
    for said in TOLD:
        assert said in card
    assert "ot said" not in card
    run("models", "show", NAME, "-o", tmp_path / "card.md")
    assert (tmp_path / "card.md").read_text("utf-8") == card
    bare = run("models", "show", write_toy(tmp_path / "bare")).stdout
    assert bare.startswith("# bare: a model")
    assert bare.count("ot said") == 5


def test_a_fact_that_is_none_is_an_error_in_words(tmp_path: Path) -> None:
    for facts in ({"scores": [{"corpus": "x"}]}, {"trained_on": ["x"]}, {"gap": {"f1": "high", "bias": 1}}):
        toy = write_toy(tmp_path / "wrong", **facts)
        result = run("models", "show", toy)
        assert result.exit_code == 1
        assert f"Error: {toy / 'model.json'}: a fact is not what it should be" in result.output


@pytest.mark.usefixtures("installed")
def test_the_self_test_says_what_was_found(tmp_path: Path) -> None:
    result = run("models", "test", NAME)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{NAME} 1.5: ok, Anna, she, her, Her; brother, he (onnxruntime ")
    silent = run("models", "test", write_toy(tmp_path / "silent", bias=-100.0))
    assert silent.exit_code == 1
    assert "finds nothing in its test sentence" in silent.output


def test_a_model_is_found_without_being_imported(installed: Path) -> None:
    assert installed_models()[NAME].folder == installed


@pytest.mark.usefixtures("installed")
def test_a_folder_is_filled_with_what_was_asked_for(story: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for threads in "12":
        assert run("resolve", story, "-o", out, "--threads", threads).exit_code == 0
    assert "link_scores" not in json.loads((out / "story.jsonl").read_text("utf-8"))
    told = run("resolve", story, "-o", out, "--threads", "2").stderr
    assert "0 of 1 file written, 1 finished before" in told
    assert (
        "done again: it was made with another scores" in run("resolve", story, "-o", out, "--scores").stderr
    )
    assert "link_scores" in json.loads((out / "story.jsonl").read_text("utf-8"))
    key = Path(referee.__file__).parent / "sample" / "key.conll"
    assert run("resolve", key, "-o", out, "--mentions", "gold", "--singletons", "keep").exit_code == 0
    assert [d.mentions for d in referee.read(out / "key.conll")] == [d.mentions for d in referee.read(key)]
