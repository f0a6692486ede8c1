"""Trains the reader of the English model, which sees passages of several documents together.

    python models/en/train_reader.py DATA --model FOLDER --mpnet FOLDER -o FOLDER [--texts FOLDER]

DATA has ecbplus/train and ecbplus/dev. MODEL is the folder of the English model with its heads across
documents, whose encoder gives lower states. Three teachers (MPNet, all twelve layers) learn to read two
passages at a time, each near pair of passages of a topic: they are readers like any other, with nothing below
them and blocks of two. They then judge pairs of near passages that nobody annotated, with the mentions that
MODEL finds there: of the whole documents of ECB+ train, of the same stories with other names, and of TEXTS,
running texts (.txt) in a folder for each kind, whose passages are compared with each other. The reader itself
begins as a copy of the four upper layers of MODEL's encoder and learns in blocks, from what the teachers say
in each step, from the annotation in every eighth: that is little text, and soon learned by heart. A fifth of
the pieces is left out in each step. It is written with MODEL into FOLDER/en, in eight bits as the encoder is,
and λ and τ are tuned on dev.

What is done already is left as it is. With --tiny each phase takes two steps on one topic on a CPU, to see
that all of it runs. The weights that the package holds were trained by the clock, texts cut into somewhat
shorter passages (70,700 pairs of 14,847, a million words), so that another run gives other weights. Their
TEXTS were Wikinews of 2019 and 2020, GUM train (spoken genres and novels left out), and parts of WikiText-2
and MASC.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from referee import formats
from referee.matching.units import unit_labels
from referee.model import Corpus, Document, Text
from referee.resolvers.across.model import AcrossModel
from referee.resolvers.across.reader import Reader
from referee.resolvers.across.similarity import named_terms
from referee.resolvers.neural.cutting import cut_sentences, cut_words
from referee.resolvers.neural.models import ACROSS, ENCODER, save_facts
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.across.model import tune_across
from referee.training.across.reader import (
    ReaderSettings,
    soft_targets,
    train_reader,
)
from referee.training.data.passages import (
    PassagePairs,
    ReaderMaterial,
    StateSource,
    SubwordSource,
    annotated_texts,
    found_texts,
    passage_pairs,
    with_inputs,
)
from referee.training.export.encoder_folders import EncoderFolder, read_encoder_folder
from referee.training.export.reader import LOWER, write_reader
from referee.training.export.weights import read_graph_layers
from referee.training.networks.reader import ReaderSizes, ReaderStart, load_reader, save_reader

NEAR = 5  # passages that each is paired with where nobody annotated
TEACHER: dict[str, Any] = {
    "two": True, "steps": 1800, "subwords": 3100, "rate": 3e-5, "decay": 0.9, "average": 0.99,
    "rounded": False,
}  # fmt: skip  # about 32 pairs in a step: eight times all 7,200 pairs
TEACHERS = [
    TEACHER | {"seed": 1},
    TEACHER | {"seed": 2},
    TEACHER | {"seed": 5, "decay": 0.85},
]
PUPIL: dict[str, Any] = {
    "steps": 9500, "subwords": 600, "taught": 4200, "annotated_every": 8, "lengths": (96, 160, 256, 384),
    "sizes": ReaderSizes(subword_dropout=0.2),
}  # fmt: skip
LONGEST = 1200  # words of a text without annotation
RENAMED = 0.8  # of the names, and of the numbers, in the same story once more
TINY = {"steps": 2, "subwords": 200, "taught": 200}


def main() -> None:
    """Run all phases."""
    given = arguments(__doc__)
    train = topics_of(given, "train")
    across = AcrossModel(given.model)
    known, annotated = annotated_texts(train)
    source = StateSource(across.model, known.texts)
    gold = passage_pairs(known, annotated, source.cut)
    stories = plain_documents(train, given)
    plain, found = found_texts([each for each, _ in stories], [group for _, group in stories], across)
    plain_source = StateSource(across.model, plain.texts)
    untold = passage_pairs(plain, found, plain_source.cut, near=NEAR)
    print(f"{len(untold.passages)} passages without annotation, {untold.near.size} pairs of them", flush=True)
    said = judged(gold, known.texts, untold, plain.texts, given)
    taught = with_inputs(replace(untold, same=said), plain_source)
    learn(given, across, with_inputs(gold, source), taught)


def arguments(description: str | None) -> argparse.Namespace:
    """Read the command line, which is also that of train_mentions."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the English model's folder")
    parser.add_argument("--mpnet", type=Path, required=True, help="an encoder's folder")
    parser.add_argument("--texts", type=Path, help="running texts, a folder for each kind of them")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--tiny", action="store_true", help="a few steps on a few documents")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def topics_of(given: argparse.Namespace, part: str) -> Corpus:
    """Read a part of ECB+, or its first topic."""
    folder = given.data / "ecbplus" / part
    return formats.read(min(folder.glob("*/")) if given.tiny else folder)


def planned(plan: dict[str, Any], given: argparse.Namespace) -> ReaderSettings:
    """Make settings of a plan."""
    return ReaderSettings(**(plan | (TINY if given.tiny else {})))


def judged(
    gold: PassagePairs, texts: list[Text], untold: PassagePairs, plain: list[Text], given: argparse.Namespace
) -> Any:
    """Train the teachers, and let them judge what nobody annotated: how likely pairs are the same."""
    path: Path = given.output / "judged.npy"
    if not path.exists():
        given.output.mkdir(parents=True, exist_ok=True)
        encoder = read_encoder_folder(given.mpnet, 1 if given.tiny else 0)
        sees = SubwordTokenizer(encoder.tokenizer, str(given.mpnet))
        lesson = with_inputs(gold, SubwordSource(sees, texts))
        for number, plan in enumerate(TEACHERS, 1):
            teach(given.output / f"reader{number}.safetensors", encoder, lesson, plan, given)
        unread = with_inputs(untold, SubwordSource(sees, plain))
        teachers = [
            (load_reader(given.output / f"reader{number}.safetensors", given.device), unread)
            for number in range(1, len(TEACHERS) + 1)
        ]
        np.save(path, soft_targets(teachers, unread).pairs.same)
    return np.load(path)


def teach(
    path: Path,
    encoder: EncoderFolder,
    lesson: ReaderMaterial,
    plan: dict[str, Any],
    given: argparse.Namespace,
) -> None:
    """Train one teacher, unless it is there."""
    if path.exists():
        return
    print(f"== {path.stem}", flush=True)
    start = ReaderStart(encoder.shape, encoder.weights, lower=0)
    network = train_reader(start, lesson, planned(plan, given), device=given.device, report=print)
    save_reader(network, path)


def learn(
    given: argparse.Namespace, across: AcrossModel, lesson: ReaderMaterial, taught: ReaderMaterial
) -> None:
    """Train the reader, write it beside a copy of the model, and tune both."""
    folder = given.output / "en"
    shutil.copytree(given.model, folder, dirs_exist_ok=True)
    layers = read_graph_layers(folder / ENCODER)
    start = ReaderStart(layers.shape, layers.weights, across.model.about[LOWER])
    print("== reader", flush=True)
    settings = planned(PUPIL, given)
    network = train_reader(start, lesson, settings, taught, given.device, print)
    write_reader(network.as_arrays(), layers.shape.heads, folder, int8=layers.int8)
    tuned = tune_across(across.model, across.heads, topics_of(given, "dev"), Reader(folder))
    save_facts(folder, tuned.settings, ACROSS)
    print(f"{folder}: {tuned.settings}")


def plain_documents(train: Corpus, given: argparse.Namespace) -> list[tuple[Document, str]]:
    """Take texts without what is annotated, each with its group: the corpus, once more renamed, and TEXTS."""
    texts = running_texts(given.texts) if given.texts else []
    whole = [
        (id_, tuple(train.all_words(number)), topic)
        for number, (id_, topic) in enumerate(zip(train.ids, unit_labels(train, "topic"), strict=True))
    ]
    terms = {str(term) for _, words, _ in texts or whole for term in named_terms(words)}
    renaming = Renaming(sorted(term.capitalize() for term in terms if term.isalpha()))
    renamed = [
        (f"{id_} renamed", renaming.told(words, subtopic), topic)
        for (id_, words, topic), subtopic in zip(whole, unit_labels(train, "subtopic"), strict=True)
    ]
    return [(in_sentences(id_, words), topic) for id_, words, topic in [*whole, *renamed, *texts]]


def running_texts(folder: Path) -> list[tuple[str, tuple[str, ...], str]]:
    """Read texts, each with the name of its folder."""
    read = []
    for path in sorted(folder.rglob("*.txt")):
        text = path.read_text(encoding="utf-8")
        words = tuple(text[start:end] for start, end in cut_words(text))[:LONGEST]
        read.append((path.stem, words, path.parent.name))
    return read


class Renaming:
    """Tells a story of other people, places and numbers: the same ones in all texts of a subtopic."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names that are drawn from."""
        self.names, self.random = names, Random(7)
        self.known: dict[tuple[str, str], str] = {}

    def told(self, words: Sequence[str], subtopic: str) -> tuple[str, ...]:
        """Give a text other names."""
        names = {*named_terms(words)}
        return tuple(
            self.known.setdefault((subtopic, word), self.other(word))
            if word.lower() in names and not word[0].islower()
            else word
            for word in words
        )

    def other(self, word: str) -> str:
        """Draw a name for a name, digits for digits; some stay."""
        if self.random.random() >= RENAMED:
            return word
        if word[:1].isdigit():
            return "".join(self.random.choice("123456789") if sign.isdigit() else sign for sign in word)
        return self.random.choice(self.names)


def in_sentences(id_: str, words: tuple[str, ...]) -> Document:
    """Cut a text into sentences."""
    sentence = cut_sentences(words)
    begins = [0, *(n for n in range(1, len(words)) if sentence[n] != sentence[n - 1]), len(words)]
    return Document(Text(id_, words, tuple(pairwise(begins))), ())


if __name__ == "__main__":
    main()
