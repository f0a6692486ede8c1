"""referee tune: a model's thresholds and calibration, chosen on dev."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.resolver_options import given_settings, options_of
from referee.cli.terminal import mention_done, print_notices, progress_bar, show
from referee.exceptions import SettingError, need_package
from referee.resolvers.across.across import opened_scorer
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.threshold_search import (
    ROWS,
    SPANS_PER_WORD,
    Trial,
    best_rows,
    has_reader,
    save_precision,
    save_trials,
    tried,
)
from referee.resolvers.base import check_settings, with_defaults
from referee.resolvers.neural import GOLD
from referee.resolvers.neural.guided_corpora import FIRST, guided_corpus
from referee.resolvers.neural.models import facts_in
from referee.resolvers.neural.tuning import TRIALS, DevText, Tuner, curve_facts
from referee.resolvers.tuned import TUNED, tuned_resolver
from referee.tables.rendering import Output
from referee.tables.tuning import plot_trials, plot_tuning, precision_output, trial_output, tuning_output

CURVE = "curve.svg"


@click.command("tune", cls=RefereeCommand)
@click.argument("model", type=click.Path(file_okay=False, exists=True))
@click.option("--dev", multiple=True, required=True, metavar="CORPUS", help="With a key; may be repeated.")
@click.option(
    "--resolver", type=click.Choice(list(TUNED)),
    help=f"What to tune: {', '.join(f'{name}, {entry.label}' for name, entry in TUNED.items())}.  [default: "
    "what MODEL is for; where it does both, what CORPUS has]",
)  # fmt: skip
@click.option(
    "--plot", type=OUTPUT_FILE, metavar="FILE",
    help=f"The file of a figure.  [default: MODEL/{CURVE} for neural, none for across]",
)  # fmt: skip
@click.option(
    "--keep-thresholds", is_flag=True,
    help="Only measure how precise links are by threshold, for --precision of `referee resolve` and `referee "
    "link`, and leave the model's thresholds and calibration as they are.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Show what would be chosen, and change nothing.")
@options_of({name: entry.settings for name, entry in TUNED.items()})
@output_options
def tune_command(
    model: str,
    dev: tuple[str, ...],
    resolver: str | None,
    plot: str | None,
    keep_thresholds: bool,
    dry_run: bool,
    form: str,
    output: str | None,
    **_settings: Any,
) -> None:
    """Choose on dev what a link must score and which spans are candidates, and calibrate scores.

    The best CoNLL is chosen, and written into MODEL: for links within documents into model.json, with the
    calibration, a slope and an intercept that make probabilities of scores; for links across documents into
    across.json. So is how precise links are by threshold, by which --precision of `referee resolve` and
    `referee link` chooses one. Within documents CORPUS may be NAME=PATH, with the name of the guidelines it
    follows; across documents it is one corpus with topics.

    \b
    Examples:
      referee tune my-model/ --dev corpus/dev
      referee tune my-model/ --dev ontogum/dev --dev litbank=books --plot curve.pdf
      referee tune my-model/ --dev ecbplus/dev --kind events --plot tau.svg
    """
    settings = given_settings()
    chosen = tuned_resolver(Path(model), dev, resolver)
    check_settings(chosen, settings, TUNED)
    tuning = _Tuning(Path(model), dev, plot, keep_thresholds, dry_run, with_defaults(TUNED[chosen], settings))
    show(tuning.within() if chosen == "neural" else tuning.across(), form, output)


@dataclass(frozen=True, slots=True)
class _Tuning:
    """What is asked for."""

    model: Path
    dev: tuple[str, ...]
    plot: str | None
    keep_thresholds: bool
    dry_run: bool
    settings: Mapping[str, Any]

    def within(self) -> Output:
        """Tune a network's links within documents, or only measure how precise they are."""
        need_package("onnxruntime", "resolve")
        names = list(facts_in(self.model).get("guidelines", [FIRST]))
        read = [guided_corpus(path, names, notify=print_notices) for path in self.dev]
        texts = [DevText(document, number) for documents, number in read for document in documents]
        tuner = Tuner(self.model, texts, self.settings["threads"])
        if self.keep_thresholds:
            return self._precision(tuner)
        with progress_bar(TRIALS, "tuning") as advance:
            tuned = tuner.tune(advance)
        if not self.dry_run:
            tuner.save(tuned.facts())
        if self.plot or (find_spec("matplotlib") and not self.dry_run):
            target = Path(self.plot or self.model / CURVE)
            plot_tuning(tuned, target)
            mention_done(f"{target}: precision and recall")
        return tuning_output(tuned)

    def _precision(self, tuner: Tuner) -> Output:
        """Measure how precise links are by threshold, and leave everything else as it is."""
        if self.plot:
            raise click.UsageError("--plot draws what tuning tried; --keep-thresholds tries nothing")
        curves = tuner.precision_curves(tuner.knobs)
        if not self.dry_run:
            tuner.save(curve_facts(curves))
        return precision_output(curves)

    def across(self) -> Output:
        """Try λ and τ on dev, and write the best into the model, or only the precision of links by τ."""
        if len(self.dev) != 1:
            raise SettingError("a model across documents is tuned on one corpus, which has topics: one dev=")
        kind, mentions = self.settings["kind"], self.settings["mentions"]
        trials, rows = self._trials(kind, given=mentions == GOLD)
        if self.keep_thresholds and not self.dry_run:
            save_precision(self.model, kind, mentions, trials)
        elif not self.dry_run:
            save_trials(self.model, kind, mentions, trials, rows)
        if self.plot:
            plot_trials(trials, self.plot)
            mention_done(f"{self.plot}: scores by τ")
        return trial_output(trials, kind)

    def _trials(self, kind: str, *, given: bool) -> tuple[list[Trial], int | None]:
        """Try λ and τ; also the length of the reader's rows, which is one for all kinds."""
        corpus = formats.read(self.dev[0])
        print_notices(corpus.notices)
        resolver = AcrossResolver(opened_scorer(str(self.model)), kind)
        if kind == "all" and has_reader(resolver.scorer) and not self.keep_thresholds:
            with progress_bar(len(ROWS) * len(corpus), "resolving") as advance:
                rows, trials = best_rows(resolver, corpus, given=given, progress=advance)
            mention_done(f"reader: rows of {rows} subwords")
            return trials, rows
        shares = (None,) if self.keep_thresholds else SPANS_PER_WORD
        with progress_bar(len(corpus), "resolving") as advance:
            return tried(resolver, corpus, given=given, spans_per_word=shares, progress=advance), None
