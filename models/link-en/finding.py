"""Scorers of mentions: some that teach, and the one that the model gets, which learns what they say together.

Teachers learn from the annotated spans of ECB+ train: some with an encoder of their own (the lowest eight to
ten layers of MPNet, which learn, too), some over the states of the English model's encoder, which stays as it
is. On average they are better than each. They then say of all spans of passages that nobody annotated how
likely each is an event or an entity. The pupil learns from that, and from the annotation in each 64th step.
It sees the states of words after three layers beside each other; its products with them are narrowed in the
end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import load_file, save

from referee.formats.io.saving import save_bytes
from referee.model import Document, Text
from referee.resolvers.across.model import HEADS, word_states
from referee.resolvers.across.passages import SEVERAL, CutText
from referee.resolvers.across.span_words import all_spans
from referee.resolvers.neural.encoder import Encoder
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.training.across.mentions import (
    Likely,
    MentionSettings,
    SpanData,
    chances_together,
    span_chances,
    train_mentions,
)
from referee.training.data.passages import SubwordSource
from referee.training.export.encoder_folders import read_encoder_folder
from referee.training.networks.mention import MentionNetwork, low_rank, with_mentions
from referee.training.networks.shapes import PassageInput

TEACHERS: list[dict[str, Any]] = [
    {"encoder_layers": layers, "seed": seed} for seed, layers in enumerate((8, 9, 10, 8, 9, 10), 1)
]
TEACHING = {"steps": 640, "words": 800, "average": 0.99}  # twenty times all of ECB+ train
OVER_STATES: list[dict[str, Any]] = [{"only_last": True, "steps": 3000}, {"only_last": False, "steps": 1500}]
PUPIL: dict[str, Any] = {"steps": 16000, "taught": 7000, "average": 0.999}
SIZE, HIDDEN, NARROW = 192, 64, 384
TINY = {"steps": 2, "words": 60, "taught": 60}
NO_ENDS = np.zeros((0, 2), np.int64)


def planned(plan: dict[str, Any], *, tiny: bool) -> MentionSettings:
    """Make settings of a plan."""
    return MentionSettings(**(plan | (TINY if tiny else {})))


def as_passages(model: Encoder, documents: Sequence[Document]) -> list[Text]:
    """Cut texts without annotation into passages of whole sentences, each a text of its own."""
    cut = list[Text]()
    for text in (document.text for document in documents if document.text.length):
        edges = CutText.of(model, text)
        for start, end in np.searchsorted(edges.ends[:, 0], edges.passages(text)).tolist():
            own = [(first - start, last - start) for first, last in text.stretches if start <= first < end]
            cut.append(Text(f"{text.id} {start}", text.words[start:end], tuple(own)))
    return cut


def states_of(model: Encoder, texts: Sequence[Text]) -> list[np.ndarray]:
    """Give the states of words after three layers, beside each other."""
    return [word_states(model, text, SEVERAL).astype(np.float16) for text in texts]


def unlabelled(texts: Sequence[Text], states: Sequence[np.ndarray] = ()) -> SpanData:
    """List all spans of texts, and what is seen of each."""
    inputs = [PassageInput(rows, NO_ENDS) for rows in states]
    return SpanData(texts, [all_spans(text) for text in texts], inputs, [])


def as_subwords(lesson: SpanData, sees: SubwordTokenizer) -> SpanData:
    """Let another encoder see the same texts."""
    source = SubwordSource(sees, list(lesson.texts))
    inputs = [source.read(row, [(0, text.length)])[0] for row, text in enumerate(lesson.texts)]
    return lesson._replace(inputs=inputs)


def save_chances(path: Path, chances: Sequence[Likely]) -> None:
    """Write what a teacher says of all spans."""
    np.save(path, np.concatenate(chances).astype(np.float16))


def said_together(paths: Sequence[Path], sizes: Sequence[int]) -> list[Likely]:
    """Average what teachers say of the spans of each text."""
    edges = np.cumsum(sizes)[:-1]
    return chances_together([np.split(np.load(path).astype(np.float32), edges) for path in paths])


def teach_with_encoder(
    mpnet: Path, number: int, lesson: SpanData, untold: SpanData, device: str, *, tiny: bool
) -> list[Likely]:
    """Train a scorer with an encoder of its own, and ask it."""
    plan = TEACHERS[number - 1]
    folder = read_encoder_folder(mpnet, 1 if tiny else plan["encoder_layers"])
    sees = SubwordTokenizer(folder.tokenizer, str(mpnet))
    own, other = as_subwords(lesson, sees), as_subwords(untold, sees)
    torch.manual_seed(plan["seed"])
    network = MentionNetwork.with_encoder(folder.shape, folder.weights, 256, left_out=0.2, blank=sees.unknown)
    settings = planned(TEACHING | {"seed": plan["seed"]}, tiny=tiny)
    return span_chances(train_mentions(network.to(device), own, settings, report=print), other)


def teach_over_states(
    number: int, lesson: SpanData, untold: SpanData, device: str, *, tiny: bool
) -> list[Likely]:
    """Train a scorer over states of the model's encoder, the last or those after three layers, and ask it."""
    plan = OVER_STATES[number - 1]
    wide = lesson.inputs[0].rows.shape[1]
    used = slice(-wide // len(SEVERAL), None) if plan["only_last"] else slice(None)
    own, other = (
        each._replace(inputs=[text._replace(rows=text.rows[:, used]) for text in each.inputs])
        for each in (lesson, untold)
    )
    torch.manual_seed(number)
    network = MentionNetwork(own.inputs[0].rows.shape[1], 128).to(device)
    settings = planned({"steps": plan["steps"], "seed": number}, tiny=tiny)
    return span_chances(train_mentions(network, own, settings, report=print), other)


def learn(
    lesson: SpanData, untold: SpanData, said: list[Likely], device: str, *, seed: int, tiny: bool
) -> MentionNetwork:
    """Train the scorer that the model gets."""
    torch.manual_seed(seed)
    width = lesson.inputs[0].rows.shape[1]
    pupil = MentionNetwork(width, SIZE, HIDDEN, dropout=0.15).to(device)
    settings = planned(PUPIL | {"seed": seed}, tiny=tiny)
    train_mentions(pupil, lesson, settings, untold._replace(likely=said), print)
    rows = np.concatenate([text.rows for text in lesson.inputs]).astype(np.float32)
    return low_rank(pupil.cpu(), rows, NARROW)


def write_scorer(folder: Path, network: MentionNetwork) -> None:
    """Give all heads of a model the scorer."""
    stored = load_file(folder / HEADS)
    heads = sorted({name.partition("/")[0] for name in stored})
    changed: dict[str, Any] = {}
    for head in heads:
        own = {key.partition("/")[2]: weight for key, weight in stored.items() if key.startswith(f"{head}/")}
        changed |= {f"{head}/{name}": weight for name, weight in with_mentions(own, network).items()}
    save_bytes(folder / HEADS, save(changed))
    print(f"{folder}: {sum(weight.size for weight in changed.values()):,} numbers in {HEADS}")
