"""Training on corpora of any format, from an encoder in a folder to a model in a folder."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from referee.arrays import IntArray
from referee.encoding import encoded
from referee.exceptions import FormatError, ProtocolError
from referee.formats.corpora.gap import GapCorpus
from referee.formats.io.json_file import json_object
from referee.formats.io.saving import save_bytes
from referee.language.languages import ENGLISH
from referee.model import Document
from referee.resolvers.neural.features import ALL_PRONOUN_CLASSES, CAPITAL_CLASSES
from referee.resolvers.neural.models import TOKENIZER
from referee.resolvers.neural.subwords import SubwordTokenizer, vocabulary_of
from referee.resolvers.neural.zeros import zeros_placed
from referee.training.checkpoints import CHECKPOINT, go_on
from referee.training.constants import RUN_MENTION_THRESHOLD
from referee.training.data.examples import Example, Vocabulary, crop, example_of
from referee.training.data.gap import gap_examples, gap_words, repeated_men
from referee.training.data.swapping import Swaps
from referee.training.export.encoder_folders import EncoderFolder, read_encoder_folder
from referee.training.export.model import (
    NETWORK,
    describe_model,
    export_weights,
    prune_tokenizer,
    read_stored,
    wanted_subwords,
)
from referee.training.networks.encoder import Encoder
from referee.training.networks.resolver import Network, load_network
from referee.training.trainer import Material, Report, Settings, Trainer, new_network

LONGEST_DEV = 4000  # words of a dev document that are measured while training: a limit of time


class Annotated(NamedTuple):
    """Documents, and the number of the guidelines that they follow."""

    documents: Sequence[Document]
    guideline: int = 0


@dataclass(slots=True)
class TrainingData:
    """What a model is trained on, and by which teachers.

    `entities` are documents with all entities, by name; `gap` are texts of GAP, in which a pronoun chooses
    between two names, and `gap_dev` such texts to measure by; of `unlabelled` documents only what teachers
    say is learnt; `names` are first names and words of both genders that are exchanged at times; `start` is a
    trained model to begin with; `vocabulary` is how many of its subwords remain, 0 for all.
    """

    train: Sequence[Annotated]
    dev: Sequence[Annotated]
    entities: Mapping[str, Document] = field(default_factory=dict)
    gap: GapCorpus | None = None
    gap_dev: GapCorpus | None = None
    unlabelled: Sequence[Annotated] = ()
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    start: Path | None = None
    teachers: Sequence[Path] = ()
    vocabulary: int = 0
    guidelines: Sequence[str] = ("ontonotes", "litbank")
    language: str = ""  # the code of that of all corpora; where it is not said, English words are looked up


def train_model(
    data: TrainingData, encoder: Path, out: Path, settings: Settings, *, device: str = "cpu",
    resume: bool = False, report: Report | None = None,
) -> Trainer:  # fmt: skip
    """Train a model into a folder; it can be stopped by ctrl-C, and go on where it was with `resume`.

    The folder then has the network that was best on dev, exported in full precision, so that it runs.
    """
    _see_that_it_may_begin(data, out, resume=resume)
    folder, cutter = _pruned(read_encoder_folder(encoder, settings.encoder_layers), data, str(encoder))
    teachers, count = [str(path) for path in data.teachers], len(data.guidelines)
    sizes = settings.sizes | {"guidelines": count}
    if data.language not in ("", ENGLISH):
        sizes |= {"pronouns": ALL_PRONOUN_CLASSES}
    settings = replace(settings, encoder_layers=folder.shape.layers, teachers=teachers, sizes=sizes)
    shape = replace(folder.shape, kinds=CAPITAL_CLASSES * count)
    material = _material(data, cutter, settings)
    network = new_network(Encoder.of(shape, folder.weights, settings.encoder_dropout), settings, device)
    if data.start:
        network.load_state_dict(_loaded(data.start, folder.tokenizer, device).state_dict())
    vocabulary = Vocabulary(np.arange(folder.shape.pieces), cutter.special_tokens)
    networks = [_loaded(path, folder.tokenizer, device) for path in data.teachers]
    for path, teacher in zip(data.teachers, networks, strict=True):
        if (known := teacher.head.sizes.guidelines) != count:
            raise ProtocolError(f"{path}: the teacher knows {known} guidelines, not the {count} of the data")
    out.mkdir(parents=True, exist_ok=True)
    save_bytes(out / TOKENIZER, encoded(json.dumps(folder.tokenizer, ensure_ascii=False)))
    trainer = Trainer(settings, network, vocabulary, material, out, device, networks, report)
    if resume:
        go_on(trainer)
    with stopping_softly(trainer):
        trainer.run()
    if (out / NETWORK).exists():
        _finish(out, cutter, data)
    return trainer


def _see_that_it_may_begin(data: TrainingData, out: Path, *, resume: bool) -> None:
    if not any(corpus.documents for corpus in data.train):
        raise ProtocolError("there is no document to train on")
    if not any(corpus.documents for corpus in data.dev):
        raise ProtocolError("there is no development document; give dev=…")
    if not resume and (out / CHECKPOINT).exists():
        raise ProtocolError(f"{out} already has a run; resume it by resume=True, or choose another folder")


@contextmanager
def stopping_softly(trainer: Trainer) -> Iterator[None]:
    """Let ctrl-C end a run after its step, with a checkpoint; a second one ends it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        signal.signal(signal.SIGINT, before)
        trainer.stopping = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _pruned(folder: EncoderFolder, data: TrainingData, where: str) -> tuple[EncoderFolder, SubwordTokenizer]:
    """Keep the wanted subwords of an encoder and of its tokenizer."""
    full = SubwordTokenizer(folder.tokenizer, where)
    by_number = {number: piece for piece, number in vocabulary_of(folder.tokenizer).items()}
    vocabulary = [by_number.get(number, "") for number in range(folder.shape.pieces)]
    texts = (document for corpus in data.train for document in corpus.documents)
    words = list(dict.fromkeys(word for document in texts for word in document.words))
    words += [word for document in data.gap or () for word in gap_words(document)[1]]
    seen: IntArray = np.unique(full.cut(words)[0])
    wanted = (
        wanted_subwords(vocabulary, seen, data.vocabulary) if data.vocabulary else np.arange(len(vocabulary))
    )
    tokenizer = prune_tokenizer(folder.tokenizer, wanted)
    weights = folder.weights | {"pieces.weight": folder.weights["pieces.weight"][wanted]}
    shape = replace(folder.shape, pieces=wanted.size)
    return EncoderFolder(shape, weights, tokenizer), SubwordTokenizer(tokenizer, where)


def _material(data: TrainingData, cutter: SubwordTokenizer, settings: Settings) -> Material:
    language = data.language or ENGLISH
    train = [e for corpus in data.train for e in examples_of(corpus, cutter, data.entities, language)]
    dev: dict[str, list[Example]] = {}
    for corpus in data.dev:
        known = examples_of(corpus, cutter, {}, language)
        examples = [crop(e, 0, min(e.length, LONGEST_DEV)) for e in known]
        dev.setdefault(data.guidelines[corpus.guideline], []).extend(examples)
    if not any(example.key for example in train):
        raise FormatError("the documents to train on have no two mentions of one entity")
    beside = []
    if data.gap:
        beside.append((repeated_men(gap_examples(data.gap, cutter), settings.masculine), settings.gap))
    if data.gap_dev:
        dev["gap"] = gap_examples(data.gap_dev, cutter)
    for corpus in data.unlabelled:
        examples = list(examples_of(corpus, cutter, {}, language))
        beside.append(([replace(e, labelled=False) for e in examples], 1))
    swaps = Swaps.of(data.names, cutter) if data.names else None
    material = Material(train, dev, beside, swaps)
    _see_that_names_differ(example for examples in material.all_train for example in examples)
    return material


def _see_that_names_differ(examples: Iterable[Example]) -> None:
    """Refuse two documents of one name: teachers remember by names what they have read."""
    known: dict[str, Example] = {}
    for example in examples:
        if not np.array_equal(known.setdefault(example.id, example).subwords, example.subwords):
            raise FormatError(f"{example.id}: two documents that are trained on have this name; rename one")


def examples_of(
    corpus: Annotated, cutter: SubwordTokenizer, entities: Mapping[str, Document], language: str = ENGLISH
) -> Iterator[Example]:
    """Make examples of documents that have words; zeros are read in all languages but English."""
    for given in corpus.documents:
        document = given if language == ENGLISH else zeros_placed(given)
        words = document.words[: document.text.length]
        full = entities.get(document.id)
        if full is not None and full.words[: full.text.length] != words:
            raise FormatError(f"{document.id}: entities=… has other words; they must be the same texts")
        if words:
            cut = cutter.cut(words)
            yield example_of(document, *cut, guideline=corpus.guideline, entities=full, language=language)


def _loaded(path: Path, tokenizer: Mapping[str, Any], device: str) -> Network:
    """Load a network that was trained before, and number its subwords as a tokenizer does."""
    if not (path / NETWORK).exists():
        raise FormatError(
            f"{path / NETWORK}: no such file; a teacher or initial model must be trained by Referee"
        )
    network = load_network(path / NETWORK, device)
    theirs = json_object(path / TOKENIZER, "a model's folder has it")
    same = SubwordTokenizer(theirs, str(path)), SubwordTokenizer(tokenizer, TOKENIZER)
    known, ours = vocabulary_of(theirs), vocabulary_of(tokenizer)
    rows = np.full(max(ours.values()) + 1, same[0].unknown)
    for piece, number in ours.items():
        rows[number] = known.get(piece, same[0].unknown)
    rows[list(same[1].special_tokens)] = same[0].special_tokens
    network.encoder.pieces = torch.nn.Embedding.from_pretrained(
        network.encoder.pieces.weight.detach()[torch.from_numpy(rows).to(device)]
    )
    return network


def _finish(out: Path, cutter: SubwordTokenizer, data: TrainingData) -> None:
    """Export the best network, so that the folder runs as it is."""
    network = read_stored(out / NETWORK)
    export_weights(network, out, int8=False)
    facts: dict[str, Any] = {
        "special_tokens": list(cutter.special_tokens),
        "unknown": cutter.unknown,
        "mention_threshold": RUN_MENTION_THRESHOLD,
    }
    if data.language:
        facts["languages"] = dict.fromkeys(data.guidelines, data.language)
    describe_model(network, out, **facts, guidelines=list(data.guidelines))


def by_name(documents: Iterable[Document]) -> dict[str, Document]:
    """Find documents by their names."""
    return {document.id: document for document in documents}
