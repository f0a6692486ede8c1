"""Trains what links texts with the English model: from ECB+ and an encoder that teaches to all files.

    python models/link-en/train.py DATA --model FOLDER --mpnet FOLDER --texts FOLDER -o FOLDER [--phase NAME]

DATA has ecbplus/train and ecbplus/dev. MODEL is the folder of the English model, whose encoder stays as it
is. TEXTS has running texts (.txt) in a folder for each kind, which nobody annotated; the whole documents of
ECB+ train and the same stories with other names and numbers are read like these.

- heads: a first scorer of pairs and of mentions, from annotation, over the states of MODEL's encoder;
- found, pairs, lower, seen: mentions and passages of the texts without annotation, and what is read of them;
- reader1 … 3, mentions1 … 6, states1 and 2: those that teach (`reading`, `finding`);
- judged1 … 3: what each reader that teaches says of pairs of passages that nobody annotated;
- mentions: the scorer of mentions that the model gets; pupil1 … 3: readers, of which it gets the best on dev;
- final: all files in FOLDER/link-en, λ and τ tuned on dev.

A phase begins as soon as those that it needs are done, so that several run side by side, each with a log.
What is done already is left as it is. With --phase only one runs; with --tiny each takes two steps on one
topic on a CPU, to see that all of it runs. `compatibility.py` comes after it.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import finding
import numpy as np
import reading

from referee.model import Corpus, Document, Text
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.across.head import LINKED_KINDS
from referee.resolvers.across.model import AcrossModel, word_states
from referee.resolvers.across.neighbours import RowPairs
from referee.resolvers.across.pair_features import Located
from referee.resolvers.across.reader import Reader
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.threshold_search import best_trial, tried
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.models import ABOUT, ACROSS, ENCODER, TOKENIZER, save_facts
from referee.training.across.heads import HeadSettings, save_heads, train_heads
from referee.training.across.mentions import SpanData, annotated_spans
from referee.training.across.model import BEGUN, tune_across
from referee.training.data.passages import (
    GroupedTexts,
    KnownMentions,
    Passage,
    PassagePairs,
    PassageSource,
    StateSource,
    annotated_texts,
    found_texts,
    passage_pairs,
    with_inputs,
)
from referee.training.data.topics import topic_materials
from referee.training.export.reader import LOWER, MIDDLE, add_lower_states, write_reader
from referee.training.export.weights import read_graph_layers
from referee.training.networks.reader import load_reader, save_reader
from referee.training.networks.shapes import PassageInput
from referee.training.phases import run_phases
from texts import plain_documents, topics_of

READERS = [f"reader{number + 1}" for number in range(len(reading.TEACHERS))]
MENTIONS = [f"mentions{number + 1}" for number in range(len(finding.TEACHERS))]
STATES = [f"states{number + 1}" for number in range(len(finding.OVER_STATES))]
PUPILS = [f"pupil{seed}" for seed in (1, 2, 3)]
JUDGED = [f"judged{number + 1}" for number in range(len(READERS))]
NEEDS: dict[str, tuple[str, ...]] = {
    "heads": (), "found": ("heads",), "pairs": ("found",), "lower": ("heads",), "seen": ("heads",),
    **dict.fromkeys([*READERS, *MENTIONS], ("heads",)), **dict.fromkeys(STATES, ("seen",)),
    **{judged: ("pairs", reader) for judged, reader in zip(JUDGED, READERS, strict=True)},
    "mentions": ("seen", *MENTIONS, *STATES), **dict.fromkeys(PUPILS, ("lower", *JUDGED)),
    "final": ("mentions", *PUPILS),
}  # fmt: skip
NAME = "link-en"
PART = 16  # documents that a process reads at a time


def main() -> None:
    """Run the phases that are wanted and not done."""
    training = LinkTraining(arguments())
    training.out.mkdir(parents=True, exist_ok=True)
    if training.given.phase:
        training.run(training.given.phase)
    else:
        run_phases(NEEDS, training.run, training.out)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the English model's folder")
    parser.add_argument("--mpnet", type=Path, required=True, help="an encoder's folder")
    parser.add_argument("--texts", type=Path, help="running texts, a folder for each kind of them")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--phase", choices=NEEDS, help="run only this one")
    parser.add_argument("--tiny", action="store_true", help="a few steps on a few documents")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--processes", type=int, default=1, help="that read texts on the CPU at a time")
    return parser.parse_args()


class LinkTraining:
    """All phases; each reads what it needs, and writes its result into the folder."""

    def __init__(self, given: argparse.Namespace) -> None:
        """Take the command line."""
        self.given, self.out, self.tiny = given, given.output, given.tiny
        self.begun: Path = given.output / "begun"  # MODEL, with the first heads
        self.settings = {"device": given.device, "tiny": given.tiny}

    def run(self, name: str) -> None:
        """Run one phase, unless its result is there."""
        path = self.out / f"{name}.done"
        if not path.exists():
            number = name.lstrip("abcdefghijklmnopqrstuvwxyz")
            phase = getattr(self, f"make_{name.removesuffix(number)}{'_of' * bool(number)}")
            phase(*[int(number)] if number else [])
            path.touch()

    @cached_property
    def train(self) -> Any:
        """ECB+ train."""
        return topics_of(self.given.data, "train", tiny=self.tiny)

    @cached_property
    def plain(self) -> list[tuple[Document, str]]:
        """Texts without annotation, each with its group."""
        return plain_documents(self.train, self.given.texts, tiny=self.tiny)

    @cached_property
    def plain_texts(self) -> list[Text]:
        """The texts themselves."""
        return [document.text for document, _ in self.plain]

    @cached_property
    def model(self) -> Encoder:
        """The encoder."""
        return Encoder(self.begun, 1)

    # … what is read of texts

    def make_heads(self) -> None:
        """Train the first heads for the encoder, and let it give the states that all others need."""
        self.begun.mkdir(exist_ok=True)
        for name in (ENCODER, TOKENIZER, ABOUT):  # what MODEL has for single texts is not needed
            shutil.copyfile(self.given.model / name, self.begun / name)
        layers = read_graph_layers(self.begun / ENCODER).shape.layers
        add_lower_states(self.begun, (Encoder(self.begun).about[LOWER] + layers) // 2, MIDDLE)
        model = Encoder(self.begun)
        topics = topic_materials(self.train, lambda text: word_states(model, text))
        settings = HeadSettings(seeds=(1,), **({"epochs": 1, "longer": 1} if self.tiny else {}))
        heads = train_heads(topics, settings, print)
        save_heads(self.begun, heads, {kind: dict(BEGUN) for kind in MENTION_KINDS})

    def make_found(self) -> None:
        """Find mentions in the texts without annotation."""
        documents = [document for document, _ in self.plain]
        parts = self.spread(found_in, documents)
        for start, table in parts:
            table[0] += start
        np.save(self.out / "found.npy", np.concatenate([table for _, table in parts], 1))

    def make_pairs(self) -> None:
        """Pair passages of the texts without annotation, and describe the pairs of mentions in them."""
        table = np.load(self.out / "found.npy")
        mentions = KnownMentions(Located(*table[:3]), table[3], np.full(table.shape[1], -1))
        documents = [document for document, _ in self.plain]
        groups = [group for _, group in self.plain]
        known = GroupedTexts(self.plain_texts, [document.words for document in documents], groups)
        cut = StateSource(self.model, self.plain_texts).cut
        save_pairs(self.out / "pairs", passage_pairs(known, mentions, cut, near=reading.NEAR))

    def make_lower(self) -> None:
        """Read the lower states of all passages of the texts without annotation."""
        parts = self.spread(lower_states_of, self.plain_texts)
        StoredInputs.save(self.out / "lower", [inputs for _, part in parts for inputs in part])

    def make_seen(self) -> None:
        """Read the states of words in passages, each by itself, after three layers."""
        passages = self.passages()
        states = [rows for _, part in self.spread(states_in, passages) for rows in part]
        np.save(self.out / "seen.npy", np.concatenate(states))

    def spread(self, job: Callable[..., Any], items: Sequence[Any]) -> list[tuple[int, Any]]:
        """Let several processes read parts of texts: of each the number of its first, and the result."""
        parts = [(self.begun, at, items[at : at + PART]) for at in range(0, len(items), PART)]
        with get_context("fork").Pool(self.given.processes) as pool:
            return pool.starmap(job, parts, chunksize=1)

    # … readers

    def gold(self) -> tuple[PassagePairs, list[Text]]:
        """Take the annotated pairs of passages, and their texts."""
        known, annotated = annotated_texts(self.train)
        source = StateSource(self.model, known.texts)
        return passage_pairs(known, annotated, source.cut), list(known.texts)

    def make_reader_of(self, number: int) -> None:
        """Train one of the readers that teach."""
        path = self.out / f"reader{number}.safetensors"
        reading.teach(self.given.mpnet, number, *self.gold(), path, **self.settings)

    def make_judged_of(self, number: int) -> None:
        """Let a reader judge passages without annotation."""
        teacher, untold = self.out / f"reader{number}.safetensors", load_pairs(self.out / "pairs")
        odds = reading.judged(self.given.mpnet, teacher, untold, self.plain_texts, self.given.device)
        np.save(self.out / f"judged{number}.npy", odds.astype(np.float32))

    def make_pupil_of(self, seed: int) -> None:
        """Train a reader that the model may get."""
        gold, texts = self.gold()
        lesson = with_inputs(gold, StateSource(self.model, texts))
        untold = load_pairs(self.out / "pairs")
        taught = reading.with_targets(
            with_inputs(untold, StoredInputs(self.out / "lower")),
            [np.load(self.out / f"{name}.npy") for name in JUDGED],
        )
        network = reading.learn(self.model, self.begun, lesson, taught, seed=seed, **self.settings)
        save_reader(network, self.out / f"pupil{seed}.safetensors")

    # … scorers of mentions

    def passages(self) -> list[Text]:
        """Cut the texts without annotation."""
        passages = finding.as_passages(self.model, [document for document, _ in self.plain])
        return passages[:20] if self.tiny else passages

    def annotated(self, *, with_states: bool) -> SpanData:
        """Take the annotated spans."""
        texts, spans, likely = annotated_spans(self.train)
        states = finding.states_of(self.model, texts) if with_states else []
        return SpanData(texts, spans, [PassageInput(rows, finding.NO_ENDS) for rows in states], likely)

    def untold(self, *, with_states: bool) -> SpanData:
        """Take all spans of passages without annotation."""
        passages = self.passages()
        edges = np.cumsum([text.length for text in passages])[:-1]
        states = np.split(np.load(self.out / "seen.npy", mmap_mode="r"), edges) if with_states else []
        return finding.unlabelled(passages, states)

    def make_mentions_of(self, number: int) -> None:
        """Train a scorer with an encoder of its own, and ask it."""
        lesson, untold = self.annotated(with_states=False), self.untold(with_states=False)
        said = finding.teach_with_encoder(self.given.mpnet, number, lesson, untold, **self.settings)
        finding.save_chances(self.out / f"mentions{number}.npy", said)

    def make_states_of(self, number: int) -> None:
        """Train a scorer over states, and ask it."""
        lesson, untold = self.annotated(with_states=True), self.untold(with_states=True)
        said = finding.teach_over_states(number, lesson, untold, **self.settings)
        finding.save_chances(self.out / f"states{number}.npy", said)

    def make_mentions(self) -> None:
        """Train the scorer of mentions."""
        lesson, untold = self.annotated(with_states=True), self.untold(with_states=True)
        paths = [self.out / f"{name}.npy" for name in (*MENTIONS, *STATES)]
        said = finding.said_together(paths, [spans.size for spans in untold.spans])
        network = finding.learn(lesson, untold, said, seed=1, **self.settings)
        finding.write_scorer(self.begun, network)

    # … the model

    def make_final(self) -> None:
        """Put all files together, and tune on dev."""
        folder = self.out / NAME
        shutil.copytree(self.begun, folder, dirs_exist_ok=True)
        dev = topics_of(self.given.data, "dev", tiny=self.tiny)
        conll = {name: self.with_reader(folder, self.out / f"{name}.safetensors", dev) for name in PUPILS}
        print(f"CoNLL of gold mentions on dev: {conll}")
        best = max(conll, key=conll.__getitem__)
        self.with_reader(folder, self.out / f"{best}.safetensors", dev)
        across = AcrossModel(folder)
        tuned = tune_across(across.model, across.heads, dev, Reader(folder))
        save_facts(folder, tuned.settings, ACROSS)
        print(f"{folder}: {tuned.settings}")

    @staticmethod
    def with_reader(folder: Path, path: Path, dev: Corpus) -> float:
        """Give a model a reader, and measure both kinds on dev, of gold mentions."""
        layers = read_graph_layers(folder / ENCODER)
        write_reader(load_reader(path).as_arrays(), layers.shape.heads, folder, int8=layers.int8)
        across = AcrossModel(folder)
        trials = [best_trial(tried(AcrossResolver(across, kind), dev, given=True)) for kind in LINKED_KINDS]
        return float(np.mean([trial.conll for trial in trials]))


def found_in(folder: Path, start: int, documents: Sequence[Document]) -> tuple[int, np.ndarray]:
    """Find the mentions of some documents: document, first word, end and kind of each."""
    mentions = found_texts(documents, [""] * len(documents), AcrossModel(folder, 1))[1]
    return start, np.stack([*mentions.located, mentions.kind])


def lower_states_of(folder: Path, start: int, texts: Sequence[Text]) -> tuple[int, list[PassageInput]]:
    """Read the lower states of the passages of some texts."""
    source = StateSource(Encoder(folder, 1), texts)
    read = [source.read(number, source.cut(text)) for number, text in enumerate(texts) if text.length]
    return start, [inputs for of_text in read for inputs in of_text]


def states_in(folder: Path, start: int, texts: Sequence[Text]) -> tuple[int, list[np.ndarray]]:
    """Read the states of the words of some passages."""
    return start, finding.states_of(Encoder(folder, 1), texts)


class StoredInputs(PassageSource):
    """What is read of passages, from files; they are asked for in their order, once."""

    def __init__(self, path: Path) -> None:
        """Open the files."""
        self.rows, self.ends, self.sizes = (
            np.load(f"{path}-{name}.npy") for name in ("rows", "ends", "sizes")
        )
        self.edges = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(self.sizes, 0)])
        self.next = 0

    @staticmethod
    def save(path: Path, inputs: Sequence[PassageInput]) -> None:
        """Write the files."""
        np.save(f"{path}-rows.npy", np.concatenate([each.rows for each in inputs]))
        np.save(f"{path}-ends.npy", np.concatenate([each.ends for each in inputs]))
        np.save(f"{path}-sizes.npy", np.array([[len(each.rows), len(each.ends)] for each in inputs]))

    def read(self, number: int, passages: Sequence[tuple[int, int]]) -> list[PassageInput]:
        """Give the next passages."""
        inputs = []
        for start, end in passages:
            (row, word), (last_row, last_word) = self.edges[self.next : self.next + 2].tolist()
            if last_word - word != end - start:
                raise ValueError(f"passage {self.next} of text {number} has {end - start} words")
            inputs.append(PassageInput(self.rows[row:last_row], self.ends[word:last_word]))
            self.next += 1
        return inputs


def save_pairs(folder: Path, pairs: PassagePairs) -> None:
    """Write pairs as arrays."""
    folder.mkdir(exist_ok=True)
    located, kind, meant = pairs.mentions
    arrays = {
        "passages": np.array(pairs.passages, np.int64).reshape(-1, 3), "located": np.stack([*located]),
        "kind": kind, "meant": meant, "near": np.stack([*pairs.near]), "pairs": np.stack([*pairs.pairs]),
        **{name: getattr(pairs, name) for name in ("home", "alike", "edges", "features", "same")},
    }  # fmt: skip
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def load_pairs(folder: Path) -> PassagePairs:
    """Read pairs back."""
    stored = {path.stem: np.load(path) for path in folder.glob("*.npy")}
    mentions = KnownMentions(Located(*stored.pop("located")), stored.pop("kind"), stored.pop("meant"))
    passages = [Passage(*row) for row in stored.pop("passages").tolist()]
    near, pairs = RowPairs(*stored.pop("near")), RowPairs(*stored.pop("pairs"))
    return PassagePairs(passages=passages, mentions=mentions, near=near, pairs=pairs, **stored)


if __name__ == "__main__":
    main()
