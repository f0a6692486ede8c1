"""Trains the English model for non-commercial use, from corpora and two encoders to the package's folder.

    python models/en-nc/train.py DATA --mpnet FOLDER --e5 FOLDER -o FOLDER [--texts FOLDER]

DATA has ontogum/, gum/, litbank/ and gap/ as they are published. TEXTS has running texts (.txt) without
annotation, and in fiction/ those that are read by LitBank's guidelines. Four teachers (MPNet) learn from the
corpora; so do two students (e5-small, seven and eight layers); then three students go on with what the
teachers say, also of texts without annotation. The first of them goes on once more, with what all three say,
rounding as it will run; at last it is exported in eight bits and tuned. One after the other on one GPU that
takes about three hours; with --tiny each phase takes a few steps on a CPU, to see that all of it runs.

The weights that the package holds were made in these phases by the clock, several side by side: epochs are
those that were reached, so that another run gives other weights of about the same worth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "en"))
from material import NAMES, SIZES, VOCABULARY, command_line, gap_texts, parts_of, with_speakers

from referee import formats
from referee.formats.corpora.gap import GapCorpus
from referee.resolvers.neural.tuning import DevText, Tuner
from referee.training.export.model import export_model
from referee.training.trainer import Settings
from referee.training.within import Annotated, TrainingData, by_name, train_model

ONTONOTES, LITBANK = 0, 1  # the guidelines
APART = 8, 3  # of the sorted books every eighth is for dev, beginning with the fourth
COMMON: dict[str, Any] = {
    "sizes": SIZES,
    "weights": {"gap": 3.0},
    "crop": 0.3,
    "masculine": 2,
    "patience": 99,
}
TEACHER: dict[str, Any] = COMMON | {
    "encoder_layers": 12,
    "epochs": 17,
    "words": 2000,
    "gap": 2,
    "decay": 0.85,
    "swapped": 0.3,
}
TEACHERS = [
    TEACHER | {"rate": 1.5e-4, "seed": 1},
    TEACHER | {"rate": 1.5e-4, "seed": 2},
    TEACHER | {"rate": 2e-4, "seed": 3},
    TEACHER | {"rate": 1e-4, "seed": 4, "words": 1500},
]
STUDENT = COMMON | {"encoder_layers": 7, "epochs": 18, "words": 1500, "rate": 1e-4, "swapped": 0.3, "seed": 3}
DISTILLED = COMMON | {
    "encoder_layers": 7, "epochs": 23, "words": 1500, "rate": 1.5e-4, "head_rate": 3e-4, "seed": 1,
    "rounded": True, "near": 1.0, "other_guideline": 0.1, "crossed": 0.1,
}  # fmt: skip
EIGHT = {"encoder_layers": 8}
LAST = COMMON | {
    "encoder_layers": 7, "epochs": 7, "words": 1500, "rate": 1.2e-4, "head_rate": 2.4e-4, "table_rate": 1e-3,
    "seed": 8, "rounded": True,
}  # fmt: skip


def main() -> None:
    """Run all phases; one that is done already is left as it is."""
    given = command_line(__doc__).parse_args()
    data = lessons(given.data, given.texts, tiny=given.tiny)
    out: Path = given.output
    teachers = [out / f"teacher{number}" for number in range(1, len(TEACHERS) + 1)]
    for folder, plan in zip(teachers, TEACHERS, strict=True):
        phase(replace(data, unlabelled=()), given.mpnet, folder, plan, given)
    students = out / "student7", out / "student8"
    for folder, plan in zip(students, (STUDENT, STUDENT | EIGHT), strict=True):
        phase(replace(data, unlabelled=()), given.e5, folder, plan, given)
    taught = replace(data, teachers=teachers, names={})
    distilled = [out / f"distilled{number}" for number in (1, 2, 3)]
    plans = DISTILLED, DISTILLED | EIGHT, DISTILLED | {"near": 0.0, "seed": 2}
    for folder, plan, student in zip(distilled, plans, (*students, students[0]), strict=True):
        phase(replace(taught, start=student), given.e5, folder, plan, given)
    phase(replace(taught, teachers=distilled, start=distilled[0]), given.e5, out / "last", LAST, given)
    export_model(out / "last", out / "en-nc", int8=True)
    texts = [DevText(d, corpus.guideline) for corpus in data.dev for d in corpus.documents]
    tuner = Tuner(out / "en-nc", texts)
    tuned = tuner.tune()
    tuner.save(tuned.facts())
    print(f"{out / 'en-nc'}: CoNLL {100 * tuned.chosen.conll:.2f} on dev, {tuned.chosen.knobs}")


def phase(
    data: TrainingData, encoder: Path, out: Path, plan: dict[str, Any], given: argparse.Namespace
) -> None:
    """Train one network, or go on with it; nothing happens if it is finished."""
    small = {
        "encoder_layers": 1,
        "epochs": 1,
        "measures": 1,
        "longest": 200,
        "sizes": SIZES | {"spans_per_word": 0.2},
    }
    settings = Settings(**({"measures": 3} | plan | (small if given.tiny else {})))
    print(f"== {out.name}", flush=True)
    is_begun = (out / "checkpoint.safetensors").exists()
    train_model(data, encoder, out, settings, device=given.device, resume=is_begun)


def lessons(data: Path, texts: Path | None, *, tiny: bool) -> TrainingData:
    """Read all corpora."""
    books = sorted(formats.read(data / "litbank"), key=lambda book: book.id)
    step, first = APART
    data = TrainingData(
        train=[
            Annotated(with_speakers(data, "train")),
            Annotated([b for n, b in enumerate(books) if n % step != first], LITBANK),
        ],
        dev=[Annotated(with_speakers(data, "dev")), Annotated(books[first::step], LITBANK)],
        entities=by_name(formats.read(data / "gum" / "train")),
        gap=gap_texts(data / "gap" / "gap-development.tsv"),
        gap_dev=gap_texts(data / "gap" / "gap-validation.tsv"),
        names=NAMES,
        unlabelled=plain_texts(texts) if texts else (),
        vocabulary=VOCABULARY,
    )
    return few(data) if tiny else data


def few(data: TrainingData) -> TrainingData:
    """Keep two documents of each corpus."""

    def two(corpora: Sequence[Annotated]) -> list[Annotated]:
        return [Annotated(corpus.documents[:2], corpus.guideline) for corpus in corpora]

    def rows(corpus: GapCorpus | None) -> GapCorpus | None:
        return corpus and GapCorpus(corpus.examples[:9], list(corpus)[:9], corpus.name)

    return replace(
        data, train=two(data.train), dev=two(data.dev), unlabelled=two(data.unlabelled),
        gap=rows(data.gap), gap_dev=rows(data.gap_dev),
    )  # fmt: skip


def plain_texts(folder: Path) -> list[Annotated]:
    """Cut texts without annotation into parts; those in fiction/ follow LitBank's guidelines."""
    paths = sorted(folder.rglob("*.txt"))
    fiction = [path for path in paths if "fiction" in path.relative_to(folder).parts]
    others = [path for path in paths if path not in fiction]
    return [
        Annotated([part for path in own for part in parts_of(path)], guideline)
        for own, guideline in ((others, ONTONOTES), (fiction, LITBANK))
        if own
    ]


if __name__ == "__main__":
    main()
