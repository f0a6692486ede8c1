"""Trains what decides mentions against whole entities in the English model for non-commercial use.

    python models/en-nc/train_entities.py DATA --e5 FOLDER --model FOLDER -o FOLDER [--fold N]

DATA has ontogum/, gum/, litbank/ and gap/, as for train.py. The documents to train on are dealt out to four
folds. Four students (e5-small, seven layers) learn, each from three of the folds, and each scores the pairs
of mentions of the fourth, which it has not seen. The scorer of entities learns from these scores, along its
own decisions. It is written into MODEL, the folder of the English model, whose threshold `referee tune` then
chooses anew.

The students are in the folder that -o names; those that are done already are left as they are. With --fold
only one of them is trained, so that several can learn side by side; a run without it trains those that are
missing, and then the scorer. With --tiny each phase takes a few steps on two documents of each corpus on a
CPU, to see that all of it runs. The students for the weights that the package holds took 2,600 steps each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from safetensors.numpy import save
from train import STUDENT, lessons, phase

from referee.formats.io.json_file import json_object
from referee.formats.io.saving import save_bytes
from referee.resolvers.neural.models import ENTITIES, TOKENIZER
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.data.scored_pairs import ScoredDocument, score_pairs, scored_document
from referee.training.entity_scorer import train_entity_scorer
from referee.training.export.model import NETWORK
from referee.training.networks.resolver import load_network
from referee.training.within import Annotated, TrainingData

FOLDS, TINY_FOLDS = 4, 2
FOLD = STUDENT | {"epochs": 20, "words": 2000, "rate": 1.5e-4}


def main() -> None:
    """Train the students that are missing, and then the scorer."""
    given = arguments()
    data = lessons(given.data, None, tiny=given.tiny)
    if given.fold is not None:
        train_student(data, given.fold, given)
        return
    documents = list[ScoredDocument]()
    for fold in range(given.folds):
        train_student(data, fold, given)
        documents += scored(data, fold, given)
    print(f"== scorer, from {len(documents)} documents", flush=True)
    weights = train_entity_scorer(documents, report=print)
    save_bytes(given.model / ENTITIES, save(weights))
    print(f"{given.model / ENTITIES}: {sum(weight.size for weight in weights.values()):,} numbers")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--e5", type=Path, required=True, help="an encoder's folder")
    parser.add_argument("--model", type=Path, required=True, help="the English model's folder")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder for the students")
    parser.add_argument("--fold", type=int, metavar="N", help="train only the student of one fold, from 0")
    parser.add_argument("--tiny", action="store_true", help="a few steps on a few documents")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    given = parser.parse_args()
    given.folds = TINY_FOLDS if given.tiny else FOLDS
    if given.fold is not None and given.fold not in range(given.folds):
        parser.error(f"--fold {given.fold}: folds are 0 to {given.folds - 1}")
    return given


def train_student(data: TrainingData, fold: int, given: argparse.Namespace) -> None:
    """Train a student on all folds but one, or go on with it; nothing happens if it is finished."""
    train = [
        Annotated([d for n, d in enumerate(corpus.documents) if n % given.folds != fold], corpus.guideline)
        for corpus in data.train
    ]
    phase(replace(data, train=train), given.e5, student_folder(fold, given), FOLD, given)


def student_folder(fold: int, given: argparse.Namespace) -> Path:
    """Name the folder of a fold's student."""
    output: Path = given.output
    return output / f"fold{fold}"


def scored(data: TrainingData, fold: int, given: argparse.Namespace) -> Iterator[ScoredDocument]:
    """Let a student score the documents that were kept from it."""
    folder = student_folder(fold, given)
    network = load_network(folder / NETWORK, given.device)
    tokenizer = SubwordTokenizer(json_object(folder / TOKENIZER, "a student has it"), str(folder))
    for corpus in data.train:
        for document in corpus.documents[fold :: given.folds]:
            pairs = score_pairs(network, document, corpus.guideline, tokenizer, given.device)
            yield scored_document(pairs, document, corpus.guideline)


if __name__ == "__main__":
    main()
