"""What is learnt from beside a corpus: teachers, texts without clusters, GAP, names that are exchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee import formats
from referee.exceptions import FormatError
from referee.formats.corpora.gap import GapCorpus
from referee.model import Cluster, Document, Mention
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.data.examples import known_mentions
from referee.training.data.gap import gap_examples
from referee.training.data.swapping import Swaps
from referee.training.within import Annotated, train_model
from small_corpora import write_gap
from toy_encoder import toy_tokenizer, write_encoder
from toy_story import CLUSTERS, story
from toy_training import settings, stop_after, training_data, weights

SHORT: dict[str, Any] = {"epochs": 1, "measures": 1}


def quiet(_: Any) -> None:
    pass


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An encoder, and a teacher with another vocabulary."""
    folder = tmp_path_factory.mktemp("folders")
    teacher = write_encoder(folder / "mpnet", "mpnet")
    train_model(training_data(), teacher, folder / "teacher", settings(**SHORT), report=quiet)
    return write_encoder(folder / "bert"), folder / "teacher"


def test_a_pupil_of_teachers_goes_on_bit_by_bit(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, teacher = folders
    plain = Document(story().text, ()).with_text(id="plain")
    lesson = training_data(teachers=[teacher], unlabelled=[Annotated([plain], 1)])
    near = settings(near=1.0, other_guideline=0.5, epochs=2, measures=2)
    train_model(lesson, encoder, tmp_path / "whole", near, report=quiet)
    with monkeypatch.context() as patched:
        stop_after(patched, 2)
        train_model(lesson, encoder, tmp_path / "parts", near, report=quiet)
    train_model(lesson, encoder, tmp_path / "parts", near, resume=True, report=quiet)
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    assert "weight.bridges.0.weight" in whole
    assert whole["weight.bridges.0.weight"].shape == (16, 16)
    assert not [name for name in whole if whole[name].tobytes() != parts[name].tobytes()]


def test_each_lesson_changes_what_is_learnt(folders: tuple[Path, Path], tmp_path: Path) -> None:
    encoder, teacher = folders
    lessons = {
        "alone": (training_data(), {}),
        "taught": (training_data(teachers=[teacher]), {}),
        "near": (training_data(teachers=[teacher]), {"near": 1.0}),
    }
    seen = []
    for name, (lesson, changes) in lessons.items():
        train_model(lesson, encoder, tmp_path / name, settings(**SHORT, **changes), report=quiet)
        seen.append(weights(tmp_path / name)["weight.encoder.layers.0.mix.weight"].tobytes())
    assert len(set(seen)) == 3


def test_a_run_may_begin_with_a_trained_network(folders: tuple[Path, Path], tmp_path: Path) -> None:
    encoder, _ = folders
    train_model(training_data(), encoder, tmp_path / "first", settings(**SHORT), report=quiet)
    still = settings(**SHORT, rate=0.0, head_rate=0.0, table_rate=0.0)
    train_model(training_data(start=tmp_path / "first"), encoder, tmp_path / "second", still, report=quiet)
    first, second = (weights(tmp_path / name, "network") for name in ("first", "second"))
    assert all((first[name] == second[name]).all() for name in first)
    with pytest.raises(FormatError, match="trained by Referee"):
        train_model(training_data(start=tmp_path), encoder, tmp_path / "third", still)


def test_gap_asks_a_pronoun_for_its_name(tmp_path: Path) -> None:
    write_gap(tmp_path / "gap.tsv")
    corpus = formats.read(tmp_path / "gap.tsv")
    assert isinstance(corpus, GapCorpus)
    examples = gap_examples(corpus, SubwordTokenizer(toy_tokenizer(), "toy"))
    for row, document, example in zip(corpus.examples, corpus, examples, strict=True):
        words = document.text.running.split() if document.text.running else []
        pronoun, *names, a, b, _ = example.gap
        assert (bool(a), bool(b)) == row.coreferent
        assert example.roles[pronoun] == (3 if any(row.coreferent) else 4)
        last = [example.roles[names[1]], example.roles[names[3]]]
        assert last == [1 if right else 2 for right in row.coreferent]
        assert example.length >= len(words)
        assert not example.mentions.size


def test_names_that_are_one_piece_are_exchanged() -> None:
    names = {"feminine": ["ada", "zoe"], "masculine": ["byron"], "pairs": ["she he", "her his", "her him"]}
    cutter = SubwordTokenizer(toy_tokenizer(), "toy")
    ada, she = (cutter.cut([word])[0][0] for word in ("ada", "she"))
    swaps = Swaps.of(names, cutter)
    assert swaps.feminine[:, 1].tolist() == [ada]  # zoe would be several
    assert swaps.pairs[-1, 1] == she
    assert swaps.her.shape == (3, 2)


def test_entities_that_are_mentioned_once_are_known_beside_the_linked_ones() -> None:
    document = story()
    whole = [
        Cluster("a", (Mention.at(0, 2), Mention.at(6, 7)), "person"),
        Cluster("b", (Mention.at(14, 15),), "plant"),
    ]
    rows = known_mentions(document, Document(document.text, tuple(whole)))
    by_span = {(first, last + 1): facts for first, last, *facts in rows.tolist()}
    assert by_span[0, 2] == [1, 1, 1, 6]
    assert by_span[14, 15] == [0, 0, 1, 8]
    assert len(by_span) == sum(map(len, CLUSTERS.values())) + 1
    assert rows[:, 0].tolist() == sorted(rows[:, 0].tolist())


def test_what_cannot_be_a_span_is_not_learnt() -> None:
    apart = Mention(((0, 1), (3, 4)))
    clusters = (
        Cluster("a", (Mention.at(4, 5), apart)),
        Cluster("b", (Mention.at(4, 5), Mention.at(6, 7), Mention.at(8, 10))),
    )  # fmt: skip
    rows = known_mentions(Document(story().text, clusters))
    assert rows[:, :4].tolist() == [[4, 4, 1, 0], [6, 6, 2, 1], [8, 9, 2, 1]]
    assert rows.dtype == np.int64
