"""Trains an English model from texts that anybody may use: from corpora and two encoders to a model's folder.

    python models/en/train.py DATA --mpnet FOLDER --e5 FOLDER --texts FOLDER -o FOLDER [--phase NAME]

DATA has ontogum/, gum/, litbank/, craft/ and gap/ with their tables of licences: only texts in the public
domain or under CC BY or CC BY-SA are read, unless --all-genres is given. TEXTS has running texts (.txt)
without annotation, in folders named after the guidelines by which they are read.

- teacher0 … teacher3: MPNet, each learns from the documents that three of four folds have;
- student: e5-small, seven layers, learns from all;
- distilled: the student goes on with what the teachers say, also of texts without annotation, and rounds as
  it will run;
- last: it goes on once more, at lower rates;
- pairs: each teacher scores the pairs of the fold that it has not seen;
- entities: the scorer of entities learns from these pairs, and the model is exported in eight bits and tuned.

Phases that are done are left as they are, and one that was stopped goes on. Each begins as soon as those that
it needs are done, so that several run side by side, each with a log; with --phase only one runs; with --tiny
each takes a few steps on a CPU, to see that all of it runs. It made the weights in the package, whose README
has what each stage gave; teachers that learnt for seven epochs had taught nothing.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from material import NAMES, SIZES, VOCABULARY, command_line, gap_texts, parts_of, with_speakers
from safetensors.numpy import save

from referee import formats
from referee.formats.corpora.gap import GapCorpus
from referee.formats.io.json_file import json_object
from referee.formats.io.saving import save_bytes
from referee.model import Cluster, Document
from referee.resolvers.neural.models import ENTITIES, TOKENIZER
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.resolvers.neural.tuning import DevText, Tuner
from referee.training.data.scored_pairs import (
    ScoredDocument,
    best_of,
    load_pairs,
    save_pairs,
    score_pairs,
    scored_document,
)
from referee.training.entity_scorer import train_entity_scorer
from referee.training.export.model import NETWORK, export_model
from referee.training.networks.resolver import load_network
from referee.training.phases import run_phases
from referee.training.trainer import Settings
from referee.training.within import Annotated, TrainingData, by_name, train_model

NAME = "en"
GUIDELINES = ("ontonotes", "litbank", "craft")
FREE = frozenset(("cc-by/pd", "by-sa", "CC BY", "public domain"))
DEV_BOOKS = 8, 3  # of the sorted books every eighth is for dev, beginning with the fourth
LONGEST = 2000  # words of a document that are shown at once: an article does not outweigh a book
SCORED = 4000  # words of an article whose pairs are scored, and that is measured
FOLDS = 4
COMMON: dict[str, Any] = {
    "sizes": SIZES, "weights": {"gap": 3.0}, "crop": 0.3, "masculine": 2, "patience": 99, "longest": LONGEST,
    "swapped": 0.3, "measures": 1,
}  # fmt: skip
TEACHER = COMMON | {
    "encoder_layers": 12, "epochs": 18, "words": 2000, "gap": 2, "decay": 0.85, "rate": 1.5e-4,
}  # fmt: skip
STUDENT = COMMON | {"encoder_layers": 7, "epochs": 20, "words": 1500, "rate": 1e-4, "seed": 3}
DISTILLED = COMMON | {
    "encoder_layers": 7, "epochs": 24, "words": 1500, "rate": 1.5e-4, "head_rate": 3e-4, "seed": 1,
    "rounded": True, "near": 1.0, "other_guideline": 0.1, "crossed": 0.1, "swapped": 0.0, "measures": 2,
}  # fmt: skip
TEACHERS = [f"teacher{fold}" for fold in range(FOLDS)]
NEEDS = {
    **dict.fromkeys([*TEACHERS, "student"], ()),
    "distilled": (*TEACHERS, "student"), "pairs": TEACHERS, "last": ("distilled",),
    "entities": ("last", "pairs"),
}  # fmt: skip
CLOCKS = {**dict.fromkeys([*TEACHERS, "student"], 0), "distilled": 1, "last": 2}  # which of --minutes
LAST = DISTILLED | {"rate": 1.2e-4, "head_rate": 2.4e-4, "table_rate": 1e-3, "seed": 8, "measures": 1}

OF_FREE_TEXTS = "annotation CC-BY-4.0; texts CC-BY, CC-BY-SA or in the public domain"
FACTS = {
    "name": NAME, "language": "English", "licence": "CC-BY-SA-4.0", "seed": LAST["seed"],
    "encoder": f"e5-small (MIT), 7 of 12 layers, {VOCABULARY:,} of 30,522 subwords",
    "command": "python models/en/train.py DATA --mpnet FOLDER --e5 FOLDER --texts FOLDER -o FOLDER "
    "--minutes 8 7.2 4.7 --device cuda",
    "trained_on": [
        {"name": "OntoGUM", "part": "train, the 117 of 177 documents whose texts are free",
         "licence": OF_FREE_TEXTS},
        {"name": "GUM", "part": "the same texts: all entities and their types", "licence": OF_FREE_TEXTS},
        {"name": "LitBank", "part": "70 of the 80 books that were at hand", "licence": "CC-BY-4.0"},
        {"name": "CRAFT", "part": "train, the 49 of 63 articles that are CC BY or in the public domain",
         "licence": "annotation CC-BY-3.0, texts CC-BY or in the public domain"},
        {"name": "GAP", "part": "development, 2,000 paragraphs", "licence": "Apache-2.0"},
        {"name": "OntoGUM, LitBank and CRAFT train once more, for the scorer of entities",
         "licence": "as above",
         "part": "decisions by the pair scores of four networks, each on the quarter of the texts that it "
         "was not trained on"},
        {"name": "AMALGUM, its texts without their annotation, as four MPNet teachers read them",
         "part": "1.9 million words: Wikipedia, Wikinews, Wikivoyage, MDPI's articles, Gutenberg's fiction",
         "licence": "CC-BY, CC-BY-SA or in the public domain; none of it is in the weights' package"},
    ],
    "failures": [
        "Pronouns of women are resolved better than those of men (GAP: the bias is 1.13 by pairs alone).",
        "Talk among several people: who I and you are is often wrong where speakers are not known.",
        "Two people of one name, and families that share a surname, are sometimes made one, and so are two "
        "people of whom one is long called only he.",
        "Conversations, letters, podcasts, how-tos, essays and fiction of today were not among its texts, "
        "since GUM's are not free.",
        "By CRAFT's guidelines four in ten mentions in articles of biology are missed or end elsewhere.",
        "It was trained on English alone.",
    ],
}  # fmt: skip


def main() -> None:
    """Run the phases that are wanted and not done; those of one stage side by side."""
    given = arguments()
    data = material(given)
    given.output.mkdir(parents=True, exist_ok=True)
    if given.phase:
        run_phase(given.phase, data, given)
    else:
        run_phases(NEEDS, lambda name: run_phase(name, data, given), given.output)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = command_line(__doc__)
    parser.add_argument("--phase", choices=NEEDS, help="run only this one")
    parser.add_argument("--all-genres", action="store_true", help="texts of every licence")
    parser.add_argument(
        "--minutes", type=float, nargs=3, default=(0.0, 0.0, 0.0),
        help="by the clock, at most: of teachers and student, of distilling, and of going on with it",
    )  # fmt: skip
    return parser.parse_args()


def run_phase(name: str, data: TrainingData, given: argparse.Namespace) -> None:
    """Run one phase."""
    out: Path = given.output
    teachers = [out / each for each in TEACHERS]
    labelled = replace(data, unlabelled=())
    if name.startswith("teacher"):
        fold = TEACHERS.index(name)
        seen = replace(labelled, train=folded(data.train, fold, inside=False))
        train(seen, given.mpnet, out / name, TEACHER | {"seed": 1 + fold}, given)
    elif name == "student":
        train(labelled, given.e5, out / name, STUDENT, given)
    elif name in ("distilled", "last"):
        plan, start = (DISTILLED, "student") if name == "distilled" else (LAST, "distilled")
        taught = replace(data, teachers=teachers, names={}, start=out / start)
        train(taught, given.e5, out / name, plan, given)
    elif name == "pairs":
        for fold, teacher in enumerate(teachers):
            score_fold(
                folded(data.train, fold, inside=True), teacher, out / f"pairs{fold}.safetensors", given
            )
    else:
        finish(data, out)


def train(
    data: TrainingData, encoder: Path, out: Path, plan: dict[str, Any], given: argparse.Namespace
) -> None:
    """Train one network, or go on with it; nothing happens if it is finished."""
    small = {"encoder_layers": 1, "epochs": 1, "longest": 200, "sizes": SIZES | {"spans_per_word": 0.2}}
    clock = {"minutes": given.minutes[CLOCKS[out.name]]}
    settings = Settings(**(plan | clock | (small if given.tiny else {})))
    is_begun = (out / "checkpoint.safetensors").exists()
    train_model(data, encoder, out, settings, device=given.device, resume=is_begun)


def folded(corpora: Sequence[Annotated], fold: int, *, inside: bool) -> list[Annotated]:
    """Take the documents of a fold, or all others."""
    return [
        Annotated([d for n, d in enumerate(each.documents) if (n % FOLDS == fold) == inside], each.guideline)
        for each in corpora
    ]


def score_fold(corpora: Sequence[Annotated], teacher: Path, path: Path, given: argparse.Namespace) -> None:
    """Let a teacher score the pairs of documents that were kept from it."""
    if path.exists():
        return
    network = load_network(teacher / NETWORK, given.device)
    tokenizer = SubwordTokenizer(json_object(teacher / TOKENIZER, "a teacher has it"), str(teacher))
    scored = {
        document.id: best_of(score_pairs(network, document, each.guideline, tokenizer, given.device))
        for each in corpora
        for document in beginnings(each.documents)
    }
    save_pairs(scored, path)


def beginnings(documents: Iterable[Document], words: int = SCORED) -> Iterator[Document]:
    """Shorten long documents, at the end of a sentence."""
    for document in documents:
        sentences = [sentence for sentence in document.sentences if sentence[1] <= words]
        if document.text.length <= words or not sentences:
            yield document
            continue
        end = sentences[-1][1]
        kept = (
            Cluster(cluster.id, tuple(mention for mention in cluster.mentions if mention.end <= end))
            for cluster in document.clusters
        )
        clusters = [cluster for cluster in kept if cluster.mentions]
        yield Document.of(document.id, document.words[:end], sentences, clusters)


def finish(data: TrainingData, out: Path) -> None:
    """Train the scorer of entities, export the model and tune it."""
    known = {
        document.id: (document, each.guideline)
        for each in data.train
        for document in beginnings(each.documents)
    }
    documents: list[ScoredDocument] = [
        scored_document(pairs, *known[name])
        for fold in range(FOLDS)
        for name, pairs in load_pairs(out / f"pairs{fold}.safetensors")
    ]
    weights = train_entity_scorer(documents, report=print)
    export_model(out / "last", out / NAME, int8=True)
    save_bytes(out / NAME / ENTITIES, save(weights))
    texts = [DevText(d, corpus.guideline) for corpus in data.dev for d in corpus.documents]
    tuner = Tuner(out / NAME, texts)
    tuned = tuner.tune()
    tuner.save(FACTS | tuned.facts())
    print(f"{out / NAME}: CoNLL {100 * tuned.chosen.conll:.2f} on dev, {tuned.chosen.knobs}")


def material(given: argparse.Namespace) -> TrainingData:
    """Read all corpora."""
    data: Path = given.data
    books = sorted(formats.read(data / "litbank"), key=lambda book: book.id)
    step, first = DEV_BOOKS
    classes = licences(data / "ontogum" / "licences.tsv", "document", "class")
    articles = licences(data / "craft" / "licences.tsv", "article", "licence")
    free = {name for name, kind in {**classes, **articles}.items() if kind in FREE or given.all_genres}
    read = TrainingData(
        train=[
            Annotated([d for d in with_speakers(data, "train") if d.id in free]),
            Annotated([b for n, b in enumerate(books) if n % step != first], 1),
            Annotated([d for d in formats.read(data / "craft" / "train.jsonl") if d.id in free], 2),
        ],
        dev=[
            Annotated(with_speakers(data, "dev")),
            Annotated(books[first::step], 1),
            Annotated(list(beginnings(formats.read(data / "craft" / "dev.jsonl"))), 2),
        ],
        entities=by_name(d for d in formats.read(data / "gum" / "train") if d.id in free),
        gap=gap_texts(data / "gap" / "gap-development.tsv"),
        gap_dev=gap_texts(data / "gap" / "gap-validation.tsv"),
        names=NAMES,
        unlabelled=plain_texts(given.texts) if given.texts else (),
        vocabulary=VOCABULARY,
        guidelines=GUIDELINES,
    )
    return few(read) if given.tiny else read


def licences(path: Path, name: str, column: str) -> dict[str, str]:
    """Read what licence each text has."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row[name]: row[column] for row in csv.DictReader(file, delimiter="\t")}


def few(data: TrainingData) -> TrainingData:
    """Keep some documents of each corpus: one to a fold."""

    def some(corpora: Sequence[Annotated]) -> list[Annotated]:
        return [Annotated([*beginnings(c.documents[:FOLDS], 200)], c.guideline) for c in corpora]

    def rows(corpus: GapCorpus | None) -> GapCorpus | None:
        return corpus and GapCorpus(corpus.examples[:9], list(corpus)[:9], corpus.name)

    return replace(
        data, train=some(data.train), dev=some(data.dev), unlabelled=some(data.unlabelled),
        gap=rows(data.gap), gap_dev=rows(data.gap_dev),
        entities=by_name(beginnings(data.entities.values(), 200)),
    )  # fmt: skip


def plain_texts(folder: Path) -> list[Annotated]:
    """Cut texts without annotation into parts; each guideline has a folder of them."""
    return [
        Annotated([part for path in paths for part in parts_of(path)], number)
        for number, name in enumerate(GUIDELINES)
        if (paths := sorted((folder / name).glob("*.txt")))
    ]


if __name__ == "__main__":
    main()
