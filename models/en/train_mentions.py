"""Trains what finds mentions across documents in the English model: a scorer that others have taught.

    python models/en/train_mentions.py DATA --model FOLDER --mpnet FOLDER -o FOLDER [--texts FOLDER]

DATA has ecbplus/train. MODEL is the folder of the English model with its heads across documents. Scorers
learn from the annotated spans of ECB+ train: some with an encoder of their own (the lowest eight to ten
layers of MPNet, which learn, too), some over the states of MODEL's encoder, which stays as it is. On average
they are better than each. They then say of all spans of passages that nobody annotated (the whole documents
of ECB+ train, the same stories with other names, and TEXTS, running texts (.txt) in a folder for each kind)
how likely each is an event or an entity. The scorer that the model gets learns from that, and from the
annotation in each 64th step. It sees the states of words after three layers of MODEL's encoder beside each
other; its products with them are narrowed in the end. It is written with MODEL into FOLDER/en.

What is done already is left as it is. With --tiny each phase takes two steps on one topic on a CPU, to see
that all of it runs. The weights that the package holds were taught by twenty scorers: fifteen with MPNet or
with MODEL's encoder tuned, three of these taught by others before, and five over states, two of them with a
layer of their own; by the clock, so that another run gives other weights. Their TEXTS were Wikinews
of 2019 and 2020, GUM train (spoken genres and novels left out), and parts of WikiText-2 and MASC.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save
from train_reader import arguments, plain_documents, topics_of

from referee.formats.io.saving import save_bytes
from referee.model import Text
from referee.resolvers.across.model import HEADS, word_states
from referee.resolvers.across.passages import SEVERAL
from referee.resolvers.across.span_words import all_spans
from referee.resolvers.neural.models import ENCODER
from referee.resolvers.neural.running import Model
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.across.mentions import (
    Likely,
    MentionSettings,
    SpanData,
    annotated_spans,
    chances_together,
    span_chances,
    train_mentions,
)
from referee.training.data.passages import StateSource, SubwordSource
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.export.reader import LOWER, MIDDLE, add_lower_states
from referee.training.export.weights import read_graph_layers
from referee.training.networks.mention import MentionNetwork, low_rank, with_mentions
from referee.training.networks.shapes import PassageInput

TEACHERS: list[dict[str, Any]] = [
    {"encoder_layers": 8, "seed": 1},
    {"encoder_layers": 9, "seed": 2},
    {"encoder_layers": 10, "seed": 3},
]
TEACHING = {"steps": 640, "words": 800, "average": 0.99}  # twenty times all of ECB+ train
OVER_STATES: list[dict[str, Any]] = [{"only_last": True, "steps": 3000}, {"only_last": False, "steps": 1500}]
PUPIL = {"steps": 16000, "taught": 7000, "average": 0.999}
SIZE, HIDDEN, NARROW = 192, 64, 384
TINY = {"steps": 2, "words": 60, "taught": 60}
NO_ENDS = np.zeros((0, 2), np.int64)


def main() -> None:
    """Run all phases."""
    given = arguments(__doc__)
    folder = given.output / "en"
    shutil.copytree(given.model, folder, dirs_exist_ok=True)
    shape = read_graph_layers(folder / ENCODER).shape
    model = Model(folder)
    add_lower_states(folder, (model.about[LOWER] + shape.layers) // 2, MIDDLE)
    model = Model(folder)
    texts, spans, likely = annotated_spans(topics_of(given, "train"))
    lesson = SpanData(texts, spans, seen(model, texts), likely)
    plain = passages(model, given)
    print(f"{len(texts)} annotated texts, {len(plain)} passages without annotation", flush=True)
    untold = SpanData(plain, [all_spans(text) for text in plain], seen(model, plain), [])
    said = chances_together(
        [*encoded(lesson, untold, given), *over_states(lesson, untold, given, shape.width)]
    )
    width = len(SEVERAL) * shape.width
    pupil = MentionNetwork(width, SIZE, HIDDEN, dropout=0.15).to(given.device)
    train_mentions(pupil, lesson, planned(PUPIL, given), untold._replace(likely=said), print)
    rows = np.concatenate([text.rows for text in lesson.inputs]).astype(np.float32)
    write(folder, low_rank(pupil.cpu(), rows, NARROW))


def planned(plan: dict[str, Any], given: argparse.Namespace) -> MentionSettings:
    """Make settings of a plan."""
    return MentionSettings(**(plan | (TINY if given.tiny else {})))


def passages(model: Model, given: argparse.Namespace) -> list[Text]:
    """Cut texts without annotation into passages of whole sentences, each a text of its own."""
    cut = list[Text]()
    for document, _ in plain_documents(topics_of(given, "train"), given):
        text = document.text
        for start, end in StateSource(model, [text]).cut(text):
            own = [(first - start, last - start) for first, last in text.stretches if start <= first < end]
            cut.append(Text(f"{text.id} {start}", text.words[start:end], tuple(own)))
    return cut[:20] if given.tiny else cut


def seen(model: Model, texts: list[Text]) -> list[PassageInput]:
    """Give the states of words after three layers, beside each other."""
    return [PassageInput(word_states(model, text, SEVERAL).astype(np.float16), NO_ENDS) for text in texts]


def encoded(lesson: SpanData, untold: SpanData, given: argparse.Namespace) -> list[list[Likely]]:
    """Train scorers with an encoder of their own, and ask each."""
    said = []
    for number, plan in enumerate(TEACHERS, 1):
        path = given.output / f"mentions{number}.npz"
        if not path.exists():
            print(f"== {path.stem}", flush=True)
            folder = read_encoder_folder(given.mpnet, 1 if given.tiny else plan["encoder_layers"])
            sees = SubwordTokenizer(folder.tokenizer, str(given.mpnet))
            own, other = (in_pieces(each, sees) for each in (lesson, untold))
            network = MentionNetwork.with_encoder(
                folder.shape, folder.weights, 256, left_out=0.2, blank=sees.unknown
            )
            settings = planned(TEACHING | {"seed": plan["seed"]}, given)
            train_mentions(network.to(given.device), own, settings, report=print)
            np.savez_compressed(path, *(each.astype(np.float16) for each in span_chances(network, other)))
        stored = np.load(path)
        said.append([stored[f"arr_{row}"].astype(np.float32) for row in range(len(untold.texts))])
    return said


def in_pieces(lesson: SpanData, sees: SubwordTokenizer) -> SpanData:
    """Let another encoder see the same texts."""
    source = SubwordSource(sees, list(lesson.texts))
    inputs = [source.read(row, [(0, text.length)])[0] for row, text in enumerate(lesson.texts)]
    return lesson._replace(inputs=inputs)


def over_states(
    lesson: SpanData, untold: SpanData, given: argparse.Namespace, width: int
) -> list[list[Likely]]:
    """Train scorers over the states of the model's encoder: the last, or those after three layers."""
    said = []
    for number, plan in enumerate(OVER_STATES, 1):
        print(f"== over states {number}", flush=True)
        used = slice(-width, None) if plan["only_last"] else slice(None)
        own, other = (
            each._replace(inputs=[text._replace(rows=text.rows[:, used]) for text in each.inputs])
            for each in (lesson, untold)
        )
        network = MentionNetwork(own.inputs[0].rows.shape[1], 128).to(given.device)
        settings = planned({"steps": plan["steps"], "seed": number}, given)
        said.append(span_chances(train_mentions(network, own, settings, report=print), other))
    return said


def write(folder: Path, network: MentionNetwork) -> None:
    """Give all heads of a model the scorer."""
    stored = load_file(folder / HEADS)
    heads = sorted({name.partition("/")[0] for name in stored})
    changed: dict[str, Any] = {}
    for head in heads:
        own = {key.partition("/")[2]: weight for key, weight in stored.items() if key.startswith(f"{head}/")}
        changed |= {f"{head}/{name}": weight for name, weight in with_mentions(own, network).items()}
    save_bytes(folder / HEADS, save(changed))
    print(f"{folder}: {sum(weight.size for weight in changed.values()):,} numbers in {HEADS}")


if __name__ == "__main__":
    main()
