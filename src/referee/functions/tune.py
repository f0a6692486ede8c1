"""referee.tune: a model's thresholds and calibration, chosen on dev."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from referee import formats
from referee.display import Rows
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
from referee.scoring.evaluate import Bar, no_bar
from referee.tables.rendering import Output
from referee.tables.tuning import plot_trials, plot_tuning, precision_output, trial_output, tuning_output

CURVE = "curve.svg"
PathName = str | PathLike[str]


@dataclass(frozen=True, repr=False, eq=False)
class Tuning(Rows):
    """What was tried on dev: the tables of the command, and its rows as data frames.

    Examples:
        >>> import referee
        >>> referee.Tuning.__name__
        'Tuning'
    """

    _output = "rendering:own_output"

    resolver: str  # neural or across
    output: Output


def tune(
    model: PathName,
    *,
    dev: PathName | Sequence[PathName],
    resolver: str | None = None,
    plot: PathName | None = None,
    keep_thresholds: bool = False,
    dry_run: bool = False,
    report: Callable[[str], None] = lambda _: None,
    notify: Callable[[Sequence[str]], None] = lambda _: None,
    progress: Bar = no_bar,
    **settings: Any,
) -> Tuning:
    """Choose on dev what a link must score and which spans are candidates, calibrate, and write it.

    Args:
        model: A model's folder.
        dev: Corpora with a key, one or several; within documents also NAME=PATH, with its guidelines.
        resolver: What to tune, neural or across; otherwise what the model is for.
        plot: The file of a figure; for neural otherwise curve.svg in the model's folder.
        keep_thresholds: Only measure how precise links are by threshold, and leave the rest as it is.
        dry_run: Change nothing.
        report: Is given lines about what was written.
        notify: Is given what the readers of corpora noticed.
        progress: Shows how far the work has come.
        **settings: Those of the resolver: `threads` for neural; `kind` and `mentions` for across.

    Returns:
        What was tried, and what was chosen.

    Raises:
        SettingError: If a setting does not belong to the resolver.
        FormatError: If the folder is not a model.
        MissingExtra: If onnxruntime is not installed.

    Examples:
        >>> import referee
        >>> referee.tune("my-model", dev="corpus/dev")  # doctest: +SKIP
    """
    corpora = [fspath(path) for path in ([dev] if isinstance(dev, str | PathLike) else dev)]
    chosen = tuned_resolver(Path(model), corpora, resolver)
    check_settings(chosen, settings, TUNED)
    asked = _Asked(
        Path(model), corpora, plot, keep_thresholds, dry_run, with_defaults(TUNED[chosen], settings),
        report, notify, progress,
    )  # fmt: skip
    return Tuning(chosen, asked.within() if chosen == "neural" else asked.across())


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for."""

    model: Path
    dev: Sequence[str]
    plot: PathName | None
    keep_thresholds: bool
    dry_run: bool
    settings: Mapping[str, Any]
    report: Callable[[str], None]
    notify: Callable[[Sequence[str]], None]
    progress: Bar

    def within(self) -> Output:
        """Tune a network's links within documents, or only measure how precise they are."""
        need_package("onnxruntime", "resolve")
        names = list(facts_in(self.model).get("guidelines", [FIRST]))
        read = [guided_corpus(path, names, notify=self.notify) for path in self.dev]
        texts = [DevText(document, number) for documents, number in read for document in documents]
        tuner = Tuner(self.model, texts, self.settings["threads"])
        if self.keep_thresholds:
            return self._precision(tuner)
        with self.progress(TRIALS, "tuning") as advance:
            tuned = tuner.tune(advance)
        if not self.dry_run:
            tuner.save(tuned.facts())
        if self.plot or (find_spec("matplotlib") and not self.dry_run):
            target = Path(self.plot or self.model / CURVE)
            plot_tuning(tuned, target)
            self.report(f"{target}: precision and recall")
        return tuning_output(tuned)

    def _precision(self, tuner: Tuner) -> Output:
        """Measure how precise links are by threshold, and leave everything else as it is."""
        if self.plot:
            raise SettingError("plot= draws what tuning tried; keep_thresholds=True tries nothing")
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
            plot_trials(trials, fspath(self.plot))
            self.report(f"{self.plot}: scores by τ")
        return trial_output(trials, kind)

    def _trials(self, kind: str, *, given: bool) -> tuple[list[Trial], int | None]:
        """Try λ and τ; also the length of the reader's rows, which is one for all kinds."""
        corpus = formats.read(self.dev[0])
        self.notify(corpus.notices)
        resolver = AcrossResolver(opened_scorer(str(self.model)), kind)
        if kind == "all" and has_reader(resolver.scorer) and not self.keep_thresholds:
            with self.progress(len(ROWS) * len(corpus), "resolving") as advance:
                rows, trials = best_rows(resolver, corpus, given=given, progress=advance)
            self.report(f"reader: rows of {rows} subwords")
            return trials, rows
        shares = (None,) if self.keep_thresholds else SPANS_PER_WORD
        with self.progress(len(corpus), "resolving") as advance:
            return tried(resolver, corpus, given=given, spans_per_word=shares, progress=advance), None
