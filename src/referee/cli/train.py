"""referee train: trains a neural resolver from a corpus and an encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.guided_corpora import FIRST, documents_at, guided_corpus
from referee.cli.options import notice_options
from referee.cli.outputs import OUTPUT_FOLDER
from referee.cli.terminal import mention_done, print_notices
from referee.display import number_of
from referee.exceptions import FormatError, need_package
from referee.formats.corpora.gap import GapCorpus
from referee.resolvers.across import MENTION_KINDS
from referee.resolvers.neural.models import model_named
from referee.training.ways import APART, WAYS

VOTING = 3  # heads, from as many seeds, where no reader looks again


def learn_across(corpora: Sequence[str], given: Mapping[str, Any]) -> None:
    """Train on one corpus with topics, tune on another, and say what was chosen."""
    if len(corpora) != 1 or len(given["dev"]) != 1:
        raise click.UsageError("across documents give one CORPUS and one --dev")
    from referee.training.across_heads import HeadSettings
    from referee.training.across_model import train_across
    from referee.training.across_reader import ReaderSettings

    train, dev = formats.read(corpora[0]), formats.read(given["dev"][0])
    print_notices([*train.notices, *dev.notices])
    voting = VOTING if given["no_reader"] else 1
    seeds = tuple(range(given["seed"], given["seed"] + voting))
    settings = HeadSettings(epochs=given["epochs"], seeds=seeds, way=given["way"])
    reading = None if given["no_reader"] else ReaderSettings(seed=given["seed"])
    out = Path(given["output"])
    encoder = Path(given["encoder"]) if given["encoder"] else model_named(None).folder
    kinds = MENTION_KINDS if given["kind"] == "all" else (given["kind"],)
    model = train_across(
        train, dev, encoder, out, settings, mention_done,
        reading=reading, device=given["device"], kinds=kinds,
    )  # fmt: skip
    if reading and model.reader is None:
        mention_done(f"{encoder}: its encoder gives no lower states, so there is no reader")
    for kind in kinds:
        chosen = model.settings[kind]
        mention_done(f"{out}: {kind}: λ {chosen['spans_per_word']}, τ {chosen['threshold']}")


SIZES = {"span": 384, "hidden": 256, "products": 16, "factors": 64}


@click.command("train", cls=RefereeCommand)
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...")
@click.option(
    "--dev", multiple=True, required=True, metavar="CORPUS", help="Measures the training; may be repeated."
)
@click.option(
    "-o", "--output", required=True, type=OUTPUT_FOLDER, metavar="FOLDER", help="The model's folder."
)
@click.option(
    "--encoder", type=click.Path(file_okay=False),
    help="A folder with config.json, model.safetensors and tokenizer.json: BERT, MiniLM, e5, MPNet; "
    "with --across a model's folder, or the model that is installed.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with a run that was stopped, as if it had not been.")
@click.option("--encoder-layers", default=0, help="How many of its layers to keep.  [default: all]")
@click.option("--vocabulary", default=0, help="How many subwords of its vocabulary to keep.  [default: all]")
@click.option("--epochs", default=20, show_default=True, help="How often each document is seen.")
@click.option(
    "--patience", default=5, show_default=True, help="Epochs without a better dev score before it ends."
)
@click.option(
    "--rate", default=1e-4, show_default=True, help="The learning rate of the encoder's upper layer."
)
@click.option("--words", default=1500, show_default=True, help="Words in a batch.")
@click.option(
    "--longest", default=2500, show_default=True, help="Words of a document shown at once, at most."
)
@click.option("--seed", default=1, show_default=True, help="Of all random numbers: the same, the same model.")
@click.option("--device", default="", metavar="cpu|cuda", help="[default: a GPU if there is one]")
@click.option("--int8", "rounded", is_flag=True, help="Prepare for export in eight bits: round as it will.")
@click.option(
    "--teacher", "teachers", multiple=True, type=click.Path(file_okay=False),
    help="A trained model to learn from beside the corpus; may be repeated.",
)  # fmt: skip
@click.option(
    "--entities", metavar="CORPUS", help="The same texts with all entities, also those mentioned once."
)
@click.option("--gap", metavar="FILE", help="GAP's development texts, for pronouns and names.")
@click.option(
    "--across",
    is_flag=True,
    help="Link across documents: train on a corpus with topics.",
)
@click.option(
    "--kind", type=click.Choice(MENTION_KINDS), default="all", show_default=True,
    help="Which mentions λ and τ are tuned for (with --across); both kinds are learned in any case.",
)  # fmt: skip
@click.option("--no-reader", is_flag=True, help="Do not learn to read passages together (with --across).")
@click.option(
    "--way", type=click.Choice([*WAYS]), default=APART, show_default=True,
    help="How finding mentions and linking them are learned (with --across): each for itself, one after the "
    "other, the first before both, or both at once.",
)  # fmt: skip
@notice_options
def train_command(corpora: tuple[str, ...], **given: Any) -> None:
    """Train a resolver on CORPUS: files or folders in any format, into a model's folder.

    \b
    CORPUS may be litbank=PATH where a corpus follows other guidelines than the rest: one model learns both,
    and resolves by either. The best model on dev is saved. ctrl-C stops after a step and leaves a checkpoint.

    \b
    Examples:
      referee train corpus/train --dev corpus/dev -o my-model/ --encoder e5-small/
      referee train corpus/train --dev corpus/dev -o my-model/ --encoder e5-small/ --resume
      referee train --across ecbplus/train --dev ecbplus/dev --kind events -o my-model/
      referee train ontogum/train litbank=books --dev ontogum/dev -o my-model/ --encoder e5-small/ --int8
    """
    _refuse_within(given)
    need_package("torch", "train")
    given["device"] = given["device"] or _device()
    if given["across"]:
        return learn_across(corpora, given)
    from referee.training.trainer import Settings
    from referee.training.within import Annotated, TrainingData, by_name, train_model

    names = [FIRST]
    train, dev = (
        [Annotated(*guided_corpus(path, names, new=True)) for path in paths]
        for paths in (corpora, given["dev"])
    )
    entities = by_name(documents_at(given["entities"])) if given["entities"] else {}
    gap = formats.read(given["gap"]) if given["gap"] else None
    if gap is not None and not isinstance(gap, GapCorpus):
        raise FormatError(f"{given['gap']}: not GAP's texts, gap-development.tsv")
    teachers = [Path(path) for path in given["teachers"]]
    guidelines = names if len(names) > 1 else [FIRST, "litbank"]
    data = TrainingData(
        train, dev, entities, gap, teachers=teachers, vocabulary=given["vocabulary"], guidelines=guidelines
    )
    chosen = ("encoder_layers", "epochs", "patience", "rate", "words", "longest", "seed", "rounded")
    settings = Settings(
        measures=given["epochs"], sizes=SIZES, crop=0.3, **{name: given[name] for name in chosen}
    )
    out = Path(given["output"])
    trainer = train_model(
        data,
        Path(given["encoder"]),
        out,
        settings,
        device=given["device"],
        resume=given["resume"],
        report=show_progress,
    )
    if trainer.stopping:
        mention_done(f"stopped at step {trainer.state.step}; --resume goes on")
    elif (out / "encoder.onnx").exists():
        mention_done(f"{out}: dev {trainer.state.best:.2f}; next: referee tune {out} --dev …")


def _refuse_within(given: Mapping[str, Any]) -> None:
    if given["way"] != APART and not given["across"]:
        raise click.UsageError("--way is for documents together: --across")
    if not given["across"] and not given["encoder"]:
        raise click.UsageError("Missing option '--encoder'.")


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def show_progress(facts: Mapping[str, Any]) -> None:
    """Report in a line how the training goes."""
    if facts["event"] == "ready":
        mention_done(
            f"{number_of(facts['train'], 'document')}; "
            f"{'from the beginning' if not facts['step'] else 'going on'}"
        )
        return
    dev = [f"{corpus} {values[0]:.2f}" for corpus, values in facts.items() if isinstance(values, list)]
    best = "  best so far" if facts["best"] else ""
    mention_done(
        f"{facts['at']:7.0f} s  step {facts['step']} of {facts['steps']}  loss {facts['loss']:.3f}  "
        f"dev {', '.join(dev)}{best}"
    )
