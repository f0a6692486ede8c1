"""Trains the multilingual model: from corpora and an encoder to a model's folder.

    python models/multi/encoder.py e5-small-q4.bin -o ENCODER --texts WORDS
    python models/multi/train.py prepare DATA -o RECORDS.jsonl.xz
    python models/multi/train.py learn RECORDS.jsonl.xz --encoder ENCODER -o FOLDER --minutes 5.5 5
    python models/multi/train.py finish RECORDS.jsonl.xz FOLDER -o MODEL

- prepare writes all corpora into one small file, so that they can be carried to a machine with a GPU;
- learn trains three networks on two thirds of the documents each (fold0 … fold2), and one on all (student),
  side by side, for the first number of minutes. Then the student goes on with what the three say on the
  average, rounding as it will run, for the second number of minutes, while the folds score the pairs of
  documents that they have not seen;
- finish trains the scorer of entities on these pairs, exports the model in eight bits and tunes it.

What is done already is left as it is. With --tiny each phase takes a few steps on short documents.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import finish
import numpy as np
import torch
import upper
from encoder import unpack
from learning import Learner, Plan, Remembered, log_to, measured
from safetensors.numpy import save

from corpora import CORPORA, GUIDELINES, Record, example_of, records
from referee.formats.io.json_file import json_object
from referee.resolvers.neural.features import ALL_PRONOUN_CLASSES, CAPITAL_CLASSES
from referee.resolvers.neural.models import ENTITIES
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.data.examples import Example, View, Vocabulary, collate, crop
from referee.training.data.scored_pairs import (
    ScoredDocument,
    ScoredPairs,
    best_of,
    load_pairs,
    pairs_of,
    save_pairs,
    scored_example,
)
from referee.training.entity_scorer import train_entity_scorer
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.export.model import NETWORK
from referee.training.networks.encoder import Encoder
from referee.training.networks.resolver import Network, load_network, save_network
from referee.training.networks.shapes import Sizes

FOLDS = 3
SIZES: dict[str, Any] = {
    "span": 384, "hidden": 256, "products": 16, "factors": 64, "guidelines": len(GUIDELINES),
    "pronouns": ALL_PRONOUN_CLASSES,
}  # fmt: skip
TEACHER = Plan(5.5, layers=9)
STUDENT = Plan(5.5, layers=7, seed=7)
DISTILLED = Plan(5.0, layers=7, seed=8, rate=1.5e-4, head_rate=4e-4, table_rate=2e-3, rounded=True, workers=4)
LARGER = 1.6  # times as many words in a batch where one network has the GPU for itself
JUDGED = 60_000  # words of a corpus that the scorer of entities learns from
# How often a part is seen in an epoch where only the upper layers learn: languages get nearly equal shares.
SHARES = {
    "ontonotes": 0.8, "litbank": 0.7, "gerdracor": 0.5, "openboek": 2.0, "korkor": 4.0, "fr-litbank": 0.8,
    "han-coref": 1.0, "ja-wikipedia": 0.6, "narc-nb": 1.0, "narc-nn": 1.0,
}  # fmt: skip
SCORED = 12_000  # words of a document whose pairs are scored
STUDENT_NAME, DISTILLED_NAME = "student", "distilled"


def main() -> None:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(required=True)
    preparing = steps.add_parser("prepare", help="write the corpora into one file")
    preparing.add_argument("data", type=Path)
    preparing.add_argument("--asked", action="store_true", help="also corpora that need asking first: NARC")
    preparing.set_defaults(step=prepare)
    learning = steps.add_parser("learn", help="train all networks")
    learning.add_argument("records", type=Path)
    learning.add_argument("--encoder", type=Path, required=True)
    learning.add_argument("--tiny", action="store_true", help="a few steps on short documents")
    learning.add_argument("--minutes", type=float, nargs=2, default=(TEACHER.minutes, DISTILLED.minutes))
    learning.add_argument("--words", type=int, default=TEACHER.words, help="of a batch")
    learning.add_argument("--device", default="cpu", help="cpu or cuda")
    learning.set_defaults(step=learn)
    upmost = steps.add_parser("upper", help="train the upper layers of one network on a processor")
    upmost.add_argument("records", type=Path)
    upmost.add_argument("--encoder", type=Path, required=True)
    upmost.add_argument("--tiny", action="store_true", help="a few steps on short documents")
    upmost.add_argument("--minutes", type=float, default=50.0)
    upmost.set_defaults(step=learn_upper)
    finishing = steps.add_parser("finish", help="export a network in eight bits, and choose its threshold")
    finishing.add_argument("records", type=Path)
    finishing.add_argument("trained", type=Path, help="the folder that learn or upper wrote")
    finishing.add_argument("--encoder", type=Path, required=True)
    finishing.add_argument("--tiny", action="store_true", help="on a few short documents")
    finishing.set_defaults(step=finish_model)
    for own in (preparing, learning, upmost, finishing):
        own.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    given.step(given)


def prepare(given: argparse.Namespace) -> None:
    """Write all corpora into one file."""
    lines = (
        json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        for record in records(given.data, asked=given.asked)
    )
    given.output.write_bytes(lzma.compress("\n".join(lines).encode()))


def tokenizer_in(folder: Path) -> SubwordTokenizer:
    """Load an encoder's tokenizer."""
    return SubwordTokenizer(json_object(folder / "tokenizer.json", "an encoder has it"), str(folder))


def finish_model(given: argparse.Namespace) -> None:
    """Make a model's folder of the network that learnt most."""
    networks = [given.trained / name / NETWORK for name in (DISTILLED_NAME, STUDENT_NAME)]
    network = next((path for path in networks if path.exists()), None)
    if network is None:
        raise SystemExit(f"{given.trained}: no network is there yet; run learn or upper first")
    rows = read_records(given.records, tiny=given.tiny)
    finish.finish(rows, network, given.encoder, given.trained / ENTITIES, given.output)


def read_records(path: Path, *, tiny: bool = False) -> list[Record]:
    """Read what `prepare` wrote; of each corpus only a few short documents for a rehearsal."""
    rows: list[Record] = [json.loads(line) for line in lzma.decompress(path.read_bytes()).splitlines()]
    if not tiny:
        return rows
    few = []
    for part in ("train", "dev"):
        for name in GUIDELINES:
            own = [row for row in rows if (row["part"], row["guidelines"]) == (part, name)]
            few += sorted(own, key=lambda row: row["words"].count("\n"))[: 6 if part == "train" else 1]
    return few


_TOKENIZER: list[SubwordTokenizer] = []  # of the processes that make examples


def _begin(folder: Path) -> None:
    _TOKENIZER[:] = [tokenizer_in(folder)]


def _example(record: Record) -> Example:
    return example_of(record, _TOKENIZER[0])


class Material:
    """All examples, and the encoder that the networks begin with."""

    def __init__(self, given: argparse.Namespace) -> None:
        """Read all; examples are made side by side."""
        rows = read_records(given.records, tiny=given.tiny)
        with multiprocessing.get_context("fork").Pool(
            min(os.cpu_count() or 1, 12), _begin, (given.encoder,)
        ) as pool:
            examples = pool.map(_example, rows, chunksize=1)
        if given.tiny:
            examples = [crop(each, 0, min(each.length, 300)) for each in examples]
        of = list(zip(rows, examples, strict=True))
        self.train = [example for row, example in of if row["part"] == "train"]
        self.words = {example.id: row["words"].split("\n") for row, example in of if row["part"] == "train"}
        self.dev = [example for row, example in of if row["part"] == "dev"]
        if not (given.encoder / "model.safetensors").exists():
            unpack(given.encoder)
        tokenizer = tokenizer_in(given.encoder)
        self.encoder = read_encoder_folder(given.encoder)
        pieces = np.arange(self.encoder.shape.pieces)
        self.vocabulary = Vocabulary(pieces, tokenizer.special_tokens)

    def seen(self, fold: int | None) -> list[Example]:
        """Take the documents that are not of a fold, or all."""
        return [each for n, each in enumerate(self.train) if fold is None or n % FOLDS != fold]

    def unseen(self, fold: int) -> list[Example]:
        """Take the documents of a fold."""
        return self.train[fold::FOLDS]


def new_network(material: Material, plan: Plan | upper.Plan, device: str) -> Network:
    """Put a new head on the lowest layers of the encoder."""
    torch.manual_seed(plan.seed)
    kinds = CAPITAL_CLASSES * len(GUIDELINES)
    shape = replace(material.encoder.shape, layers=plan.layers, kinds=kinds)
    return Network(Encoder.of(shape, material.encoder.weights), Sizes(**SIZES)).to(device)


def learn_upper(given: argparse.Namespace) -> None:
    """Train the upper layers of one network on a processor."""
    out = given.output / STUDENT_NAME
    out.mkdir(parents=True, exist_ok=True)
    report = log_to(given.output / "log")
    torch.set_num_threads(1)
    plan = upper.Plan(given.minutes)
    if given.tiny:
        plan = replace(plan, words=500, layers=2, frozen=1, steps=12)
    material = Material(given)
    network = new_network(material, plan, "cpu")
    states = upper.LowerStates(
        network, plan, material.train, material.vocabulary, given.output / upper.STATES
    )
    report(event="ready", parts=len(states.parts), words=sum(part.example.length for part in states.parts))
    upper.UpperLearner(states, out).run(SHARES, report)
    save_network(network, material.vocabulary.subwords, asdict(plan), out / NETWORK)
    report(event="dev", **measured(network, material.dev, material.vocabulary, "cpu"))


def learn(given: argparse.Namespace) -> None:
    """Train all networks."""
    out: Path = given.output
    out.mkdir(parents=True, exist_ok=True)
    report = log_to(out / "log")
    material = Material(given)
    words = dict.fromkeys(GUIDELINES, 0)
    for example in material.train:
        words[CORPORA[example.guideline].guidelines] += example.length
    report(event="ready", documents=len(material.train), words=words)
    first, second = given.minutes
    together = {f"fold{fold}": (fold, replace(TEACHER, minutes=first, seed=fold)) for fold in range(FOLDS)}
    together[STUDENT_NAME] = (None, replace(STUDENT, minutes=first))
    side_by_side([(train, (material, name, fold, plan, given)) for name, (fold, plan) in together.items()])
    report(event="taught")
    plan = replace(DISTILLED, minutes=second)
    last: list[tuple[Any, tuple[Any, ...]]] = [(distill, (material, plan, given))]
    last += [(score_fold, (material, fold, given)) for fold in range(FOLDS)]
    last.append((train_entities, (material, given)))
    side_by_side(last)
    report(event="over")


def side_by_side(calls: Sequence[tuple[Any, tuple[Any, ...]]]) -> None:
    """Run calls in processes of their own; none of this process has touched the GPU before."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=call, args=given) for call, given in calls]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def adjusted(plan: Plan, given: argparse.Namespace) -> Plan:
    """Set a plan's batch, or make it tiny."""
    torch.set_num_threads(1)
    if given.device != "cpu":
        torch.set_float32_matmul_precision("high")
    if given.tiny:
        return replace(plan, words=500, layers=min(plan.layers, 1), steps=12, workers=min(1, plan.workers))
    larger = LARGER if plan.rounded else 1.0
    return replace(plan, words=int(given.words * larger))


def train(material: Material, name: str, fold: int | None, plan: Plan, given: argparse.Namespace) -> None:
    """Train a network on all documents but those of a fold."""
    if (given.output / name / NETWORK).exists():
        return
    plan = adjusted(plan, given)
    network = new_network(material, plan, given.device)
    keep(network, Learner(network, plan, material.seen(fold), material.vocabulary), material, name, given)


def keep(
    network: Network, learner: Learner, material: Material, name: str, given: argparse.Namespace
) -> None:
    """Let a network learn, measure and write it."""
    report = log_to(given.output / f"{name}.log")
    learner.run(report)
    folder = given.output / name
    folder.mkdir(exist_ok=True)
    settings = asdict(learner.plan)
    save_network(network, material.vocabulary.subwords, settings, folder / NETWORK)
    report(event="dev", **measured(network, material.dev, material.vocabulary, given.device))


def distill(material: Material, plan: Plan, given: argparse.Namespace) -> None:
    """Let the student go on with what the others say."""
    if (given.output / DISTILLED_NAME / NETWORK).exists():
        return
    plan = adjusted(plan, given)
    began = time.time()
    teachers = [network_in(given.output / f"fold{fold}", given.device) for fold in range(FOLDS)]
    remembered = Remembered(teachers, material.train, material.vocabulary, given.device)
    network = load_network(given.output / STUDENT_NAME / NETWORK, given.device, dropout=0.1)
    plan = replace(plan, minutes=max(plan.minutes - (time.time() - began) / 60, 0.1))
    learner = Learner(network, plan, material.train, material.vocabulary, remembered)
    keep(network, learner, material, DISTILLED_NAME, given)


def network_in(folder: Path, device: str) -> Network:
    """Load a network."""
    return load_network(folder / NETWORK, device)


def score_fold(material: Material, fold: int, given: argparse.Namespace) -> None:
    """Let a network score the pairs of documents that it has not seen."""
    path = given.output / f"pairs{fold}.safetensors"
    if path.exists():
        return
    network = network_in(given.output / f"fold{fold}", given.device)
    save_pairs(dict(scored(network, material.unseen(fold), material.vocabulary, given.device)), path)


@torch.no_grad()
def scored(
    network: Network, examples: Iterable[Example], vocabulary: Vocabulary, device: str
) -> Iterable[tuple[str, ScoredPairs]]:
    """Score the pairs of documents, of long ones those of the beginning."""
    for example in examples:
        short = crop(example, 0, min(example.length, SCORED))
        yield example.id, best_of(pairs_of(network(collate([short], [View()], vocabulary, device).inputs)))


def train_entities(material: Material, given: argparse.Namespace) -> None:
    """Train the scorer of entities, as soon as all pairs are scored."""
    path, report = given.output / ENTITIES, log_to(given.output / "entities.log")
    files = [given.output / f"pairs{fold}.safetensors" for fold in range(FOLDS)]
    while not all(file.exists() for file in files):
        time.sleep(1)
    if not path.exists():
        documents = list(scored_documents(material, files))
        report(event="documents", count=len(documents), mentions=sum(len(each.key) for each in documents))
        weights = train_entity_scorer(documents, report=lambda line: report(line=line))
        path.write_bytes(save(weights))


def scored_documents(material: Material, files: Sequence[Path]) -> Iterator[ScoredDocument]:
    """Put scored pairs beside the keys, of each corpus about as many words."""
    known = {example.id: example for example in material.train}
    words = dict.fromkeys(GUIDELINES, 0)
    for file in files:
        for name, pairs in load_pairs(file):
            corpus = CORPORA[known[name].guideline]
            if words[corpus.guidelines] < JUDGED and len(pairs.start):
                example = crop(known[name], 0, min(known[name].length, SCORED))
                words[corpus.guidelines] += example.length
                said = material.words[name][: example.length]
                yield scored_example(pairs, said, example, corpus.language)


if __name__ == "__main__":
    main()
