"""A model goes on learning from journals of the workbench, and says whether that helped on others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from safetensors.numpy import load_file

import referee
from corrected_journals import write_corrected
from referee.cli import main
from referee.corrections import read_corrections
from referee.exceptions import FormatError
from referee.model import Document
from referee.training.corrected import SHARES, Learning, Teaching, learn_from
from toy_model import write_toy

TEXTS = (
    "Clara opened the door . She smiled . Peter saw her dog . It barked at him .",
    "Peter lost his keys . He said that Clara had them . She laughed .",
    "Anna has a brother . He has a dog . It likes her .",
    "The dog slept . Anna saw it . Peter said that he saw it too .",
    "Clara has a garden . She said that Peter likes it . He laughed .",
)
FAST = Learning(epochs=25, rate=0.008)


def documents(model: Path, guidelines: str) -> list[Document]:
    """Resolve the texts by a toy model."""
    texts = [Document.of(f"d{n}", text.split(), [(0, len(text.split()))], []) for n, text in enumerate(TEXTS)]
    found = referee.resolve(texts, "neural", model=str(model), links_only=True, guidelines=guidelines)
    return [each.document for each in found]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that links words of one gender, and by its second guidelines no things."""
    return write_toy(tmp_path_factory.mktemp("model") / "toy", scores=[])


@pytest.fixture(scope="module")
def found(model: Path) -> list[Document]:
    """What the model finds by its first guidelines, in which a person sees mistakes."""
    return documents(model, "ontonotes")


@pytest.fixture(scope="module")
def key(model: Path) -> list[Document]:
    """What the person wants: no things."""
    return documents(model, "litbank")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory, found: list[Document], key: list[Document]) -> Path:
    folder = tmp_path_factory.mktemp("kept") / "x.journal"
    assert sum(write_corrected(folder, zip(found, key, strict=True))) >= 6
    return folder


@pytest.fixture
def corrected(journal: Path) -> list[Document]:
    return [each.after for each in read_corrections(journal)]


def learn(
    documents_: Sequence[Document], model: Path, out: Path, learning: Learning = FAST, folds: int = 5
) -> Any:
    return learn_from(documents_, model, out, "ontonotes", learning, folds, lambda _: None)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["train", *map(str, arguments)])


def test_the_journals_hold_the_key(journal: Path, found: list[Document], key: list[Document]) -> None:
    read = read_corrections(journal)
    keys = {document.id: document for document in key}
    for each in read:
        spans = [{m.spans for m in cluster.mentions} for cluster in each.after.clusters]
        assert sorted(spans, key=repr) == sorted(
            ({m.spans for m in cluster.mentions} for cluster in keys[each.after.id].clusters), key=repr
        )
    assert [each.before.clusters for each in read] == [each.clusters for each in found]


def test_it_learns_what_was_corrected_and_the_encoder_stays(
    corrected: list[Document], model: Path, key: list[Document], tmp_path: Path
) -> None:
    held_out = learn(corrected, model, tmp_path / "made", folds=2)
    before, after = (
        referee.score(held_out.key, response).conll for response in (held_out.before, held_out.after)
    )
    assert after > before + 0.05
    assert referee.score(key, documents(tmp_path / "made", "ontonotes")).conll > 0.95
    for name in ("encoder.onnx", "tokenizer.json"):
        assert (tmp_path / "made" / name).read_bytes() == (model / name).read_bytes()
    facts = json.loads((tmp_path / "made" / "model.json").read_text("utf-8"))
    assert facts["trained_on"] == [{"name": "corrected documents", "part": "5 documents"}]
    assert "scores" not in facts  # they are those of the old model
    old, new = (load_file(folder / "head.safetensors") for folder in (model, tmp_path / "made"))
    assert {name: weight.shape for name, weight in old.items()} == {n: w.shape for n, w in new.items()}


def test_each_document_is_held_out_once(
    corrected: list[Document], model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[list[int]] = []
    measured: list[list[int]] = []
    learn_of, resolved_of = Teaching.learn, Teaching.resolved

    def learning(self: Teaching, numbers: Sequence[int]) -> Any:
        learnt.append([*numbers])
        return learn_of(self, numbers)

    def resolving(self: Teaching, folder: Path, numbers: Sequence[int]) -> Any:
        measured.append([*numbers])
        return resolved_of(self, folder, numbers)

    monkeypatch.setattr(Teaching, "learn", learning)
    monkeypatch.setattr(Teaching, "resolved", resolving)
    found = learn(corrected, model, tmp_path / "made", Learning(1), 2)
    everything = set(range(len(TEXTS)))
    assert learnt[-1] == [*everything]
    assert measured[0] == [*everything]  # by the old model
    outs = measured[1 :: len(SHARES)]
    assert sorted(number for out in outs for number in out) == [*everything]
    assert measured[1:] == [out for out in outs for _ in SHARES]
    for out, taught in zip(outs, learnt[:2], strict=True):
        assert {*out} | {*taught} == everything
        assert not {*out} & {*taught}
    assert [d.id for d in found.key] == [d.id for d in found.before] == [d.id for d in found.after]


def test_how_far_it_goes_is_chosen_on_other_folds(
    corrected: list[Document], model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen_on: list[list[int]] = []

    def best(_self: Teaching, _after: Any, numbers: Sequence[int]) -> float:
        chosen_on.append([*numbers])
        return SHARES[0]

    monkeypatch.setattr(Teaching, "_best", best)
    teaching = Teaching(model, corrected, "ontonotes", Learning(1))
    held_out, share = teaching.held_out(2, lambda _: None)
    everything = range(len(TEXTS))
    assert share == SHARES[0]
    assert sorted(map(len, chosen_on)) == [2, 3, 5]
    assert chosen_on[-1] == [*everything]
    assert sorted(chosen_on[0] + chosen_on[1]) == [*everything]  # of two folds, each is chosen on the other
    assert [each.id for each in held_out.after] == [each.id for each in corrected]


def test_weights_go_a_share_of_the_way(corrected: list[Document], model: Path) -> None:
    teaching = Teaching(model, corrected, "ontonotes", Learning(1))
    old = teaching.model.head.w["mention.bias"]
    learnt = {"mention.bias": old + 4, "new": old}
    mixed = teaching.mixed(learnt, 0.25)
    assert (mixed["mention.bias"] == old + 1).all()
    assert (mixed["new"] == old).all()
    assert (teaching.mixed(learnt, 1.0)["mention.bias"] == learnt["mention.bias"]).all()


def test_the_share_that_resolves_best_is_chosen(
    corrected: list[Document], found: list[Document], model: Path
) -> None:
    teaching = Teaching(model, corrected, "ontonotes", Learning(1))
    right, wrong = dict(enumerate(corrected)), dict(enumerate(found))
    for best in SHARES:
        after = {share: right if share == best else wrong for share in SHARES}
        assert teaching._best(after, range(len(TEXTS))) == best
    assert teaching._best(dict.fromkeys(SHARES, right), [0, 1]) == SHARES[0]  # of equals the smallest


def test_the_same_seed_gives_the_same_model(corrected: list[Document], model: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        learn(corrected, model, tmp_path / name, Learning(2, seed=seed), 2)
    a, b, c = ((tmp_path / name / "head.safetensors").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_without_singletons_what_is_said_of_them_stays(
    corrected: list[Document], model: Path, tmp_path: Path
) -> None:
    learn(corrected, model, tmp_path / "made", Learning(5, rate=1e-3), 2)

    def lone(folder: Path) -> list[str]:
        found = referee.resolve(TEXTS[4], "neural", model=str(folder), singletons="keep", links_only=True)
        words = found.document.words
        return [words[c.mentions[0].start] for c in found.document.clusters if len(c.mentions) == 1]

    assert "garden" in lone(model)
    assert set(lone(tmp_path / "made")) & {"door", "garden", "keys"} == set(lone(model)) & {
        "door",
        "garden",
        "keys",
    }


def test_the_command_says_whether_it_helped(journal: Path, model: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    result = run("--from", journal, "-o", made, "--model", model, "--epochs", 1, "--folds", 2)
    assert result.exit_code == 0, result.output
    assert "5 documents, 5 of them finished: 78 words" in result.output
    assert "5 held-out documents: CoNLL " in result.output
    assert " before, " in result.output
    assert referee.resolve("Clara said she slept.", "neural", model=str(made)).document.words


def test_documents_that_are_not_finished_are_told(
    found: list[Document], key: list[Document], model: Path, tmp_path: Path
) -> None:
    write_corrected(tmp_path / "j", zip(found, key, strict=True), finished=False)
    result = run(
        "--from", tmp_path / "j", "-o", tmp_path / "made", "--model", model, "--epochs", 1, "--folds", 2
    )
    assert result.exit_code == 0, result.output
    assert (
        "5 documents not marked as finished: what nobody corrected in them counts as right" in result.output
    )


def test_too_few_documents_are_refused(
    found: list[Document], key: list[Document], model: Path, tmp_path: Path
) -> None:
    write_corrected(tmp_path / "j", zip(found[:3], key[:3], strict=True))
    result = run("--from", tmp_path / "j", "-o", tmp_path / "made", "--model", model)
    assert result.exit_code == 1
    assert "3 corrected documents, too few to hold some of them out" in result.output
    assert not (tmp_path / "made").exists()


def test_documents_without_entities_are_refused(model: Path, tmp_path: Path) -> None:
    empty = [Document.of(f"d{n}", ["Clara", "slept"], [(0, 2)], []) for n in range(4)]
    write_corrected(tmp_path / "j", zip(empty, empty, strict=True))
    with pytest.raises(FormatError, match="no two mentions of one entity"):
        referee.train(corrections=tmp_path / "j", output=tmp_path / "made", model=str(model))
