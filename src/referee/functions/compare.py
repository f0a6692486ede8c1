"""referee.compare: whether systems differ by more than chance, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, overload

from referee import formats
from referee.comparing.breakdowns import (
    Breakdown,
    by_label,
    by_length,
    by_stratum,
    extremes,
    group_labels,
)
from referee.comparing.significance import cautions, compare_results
from referee.comparing.verdicts import Comparison, Plan
from referee.exceptions import FormatError, SettingError, did_you_mean
from referee.formats.io.opening import is_file, opened_once
from referee.functions.kinds import KindSources
from referee.functions.score import kept_and_kind, scored
from referee.functions.task_options import Names, Scope, TaskOptions, names_in
from referee.language.strata import STRATIFICATIONS
from referee.matching.protocol import Protocol
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import Bar, evaluate, metric_names, no_bar
from referee.scoring.genres import read_genres
from referee.scoring.result import Result
from referee.scoring.saved import looks_saved, read_results
from referee.scoring.task import PathName, Task
from referee.tables.comparison import ComparisonReport

if TYPE_CHECKING:
    from referee.scoring.scorer import Scorable

    Comparable = Scorable | Result

BREAKDOWNS = ("genre", "length", *STRATIFICATIONS)
PLOT_FORMATS = ("pdf", "png", "svg")
OF_SCORING = ("protocol", "match", "singletons", "kind", "repair")  # what saved results have already


@overload
def compare(
    *given: Comparable, protocol: Protocol | str | None = None, singletons: str | None = None,
    zeros: str | None = None, heads: str | None = None, match: str | None = None,
    parses: PathName | None = None, on_bad_parse: str | None = None, scope: Scope | None = None,
    kind: str | None = None, ids: str | None = None, gaps: str | None = None, sets: str | None = None,
    layer: str | None = None, repair: bool = False,
    metric: Names | None = None,
    baseline: str | None = None, test: str = "permutation", samples: int = 10_000, seed: int = 1,
    level: float = 0.95, correction: str = "holm", by: None = None, genres: None = None,
    types: None = None, documents: Literal[0] = 0, layers: None = None, nlp: None = None,
    plot: PathName | None = None,
    plot_format: Names = ("pdf",), jobs: Jobs = 1, names: Sequence[str] | None = None,
    progress: Bar = no_bar,
) -> Comparison: ...  # fmt: skip
@overload
def compare(
    *given: Comparable, protocol: Protocol | str | None = None, singletons: str | None = None,
    zeros: str | None = None, heads: str | None = None, match: Names | None = None,
    parses: PathName | None = None, on_bad_parse: str | None = None, scope: Scope | None = None,
    kind: str | None = None, ids: str | None = None, gaps: str | None = None, sets: str | None = None,
    layer: str | None = None, repair: bool = False,
    metric: Names | None = None,
    baseline: str | None = None, test: str = "permutation", samples: int = 10_000, seed: int = 1,
    level: float = 0.95, correction: str = "holm", by: Names | None = None, genres: PathName | None = None,
    types: PathName | None = None, documents: int = 0, layers: PathName | None = None,
    nlp: str | None = None, plot: PathName | None = None, plot_format: Names = ("pdf",), jobs: Jobs = 1,
    names: Sequence[str] | None = None, progress: Bar = no_bar,
) -> ComparisonReport: ...  # fmt: skip
def compare(
    *given: Comparable, protocol: Protocol | str | None = None, singletons: str | None = None,
    zeros: str | None = None, heads: str | None = None, match: Names | None = None,
    parses: PathName | None = None, on_bad_parse: str | None = None, scope: Scope | None = None,
    kind: str | None = None, ids: str | None = None, gaps: str | None = None, sets: str | None = None,
    layer: str | None = None, repair: bool = False,
    metric: Names | None = None,
    baseline: str | None = None, test: str = "permutation", samples: int = 10_000, seed: int = 1,
    level: float = 0.95, correction: str = "holm", by: Names | None = None, genres: PathName | None = None,
    types: PathName | None = None, documents: int = 0, layers: PathName | None = None,
    nlp: str | None = None, plot: PathName | None = None, plot_format: Names = ("pdf",), jobs: Jobs = 1,
    names: Sequence[str] | None = None, progress: Bar = no_bar,
) -> Comparison | ComparisonReport:  # fmt: skip
    """Compare systems with a baseline, the first unless another is named: scores, intervals, tests, ranks.

    Each unit, a document or a topic, is resampled as a whole.

    Args:
        *given: A key and two or more responses, as `score` takes them; or two or more results, as values or
            as files that `referee score --format json` has saved.
        protocol: A preset (`conll`, `crac`, `crossdoc`, …), a signature, or a `Protocol`. Otherwise the
            key's usual one: `crac` for CorefUD's CoNLL-U, `ua` for CONLL-UA, `crossdoc` where clusters
            span documents, or else `conll`.
        singletons: `keep` or `drop` clusters of one mention.
        zeros: Whether words that are not written match by what they depend on (`dependent`, CorefUD's
            rules) or by position (`linear`), or are left out (`drop`, Universal Anaphora's rules).
        heads: By CorefUD's rules, take the heads that the files give (`given`) or those of trees (`tree`).
        match: When two mentions are the same: `exact`, `mina`, `head`, `min` or `partial`. Several give a
            table with ranks.
        parses: A file or folder of Penn trees for the key; otherwise its parse column is taken.
        on_bad_parse: Whether trees that cannot be read are refused (`refuse`), or their mentions keep
            their maximum spans (`skip`).
        scope: What is one unit: `document`, `block`, `subtopic`, `topic`, `corpus`, a file of groups, or a
            mapping of documents to groups.
        kind: Take `all` mentions, `events` or `entities`, where a corpus distinguishes them.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        gaps: Whether to `keep` the gaps in mentions of several spans, or to `fill` them.
        sets: Whether split antecedents count (`keep`), do not (`drop`), or alone do (`only`).
        layer: What is scored: `identity`, discourse `deixis`, `bridging` or `non-referring` expressions.
        repair: Where key and response follow different conventions, repair what is safe: names of documents,
            case, singletons on one side. Notices say what was found and repaired.
        metric: Metrics, one or several; otherwise those that the protocol calls for.
        baseline: The name of the system that the others are compared with.
        test: `permutation` (approximate randomisation) or `bootstrap` (paired bootstrap).
        samples: How many resamples to draw.
        seed: The same seed gives the same numbers.
        level: The level of intervals; a p below 1 − level is significant.
        correction: `holm` or `none`, for more than two systems.
        by: Where systems differ: by `genre`, `length`, `entity-type`, `mention-type` and the like; one or
            several.
        genres: A file of documents and their genres, where the documents' names do not say.
        types: Where the types of entities come from, for `by`: a file or folder that annotates the same
            texts, or `entity` for the named entities in a column of the key; otherwise from the key itself.
        documents: Name so many documents with the largest gain, and so many with the largest loss.
        layers: CoNLL-U with parts of speech and heads for the key, for `by`.
        nlp: A spaCy pipeline that fills in parts of speech, heads and entities, for `by`.
        plot: A folder to draw figures into; it needs the extra `plot`.
        plot_format: `pdf`, `png` or `svg`; one or several.
        jobs: How many processes work, or an engine.
        names: What the systems are called; otherwise after their files.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        A `Comparison`. A `ComparisonReport`, which has one for each matching, with several of these, `by` or
            `documents`.

    Raises:
        FormatError: If a file cannot be read.
        ProtocolError: If results were made by different protocols, versions or keys, or a choice does not
            exist.

    Examples:
        >>> import referee
        >>> key = [[["a", "b", "c"]], [["d", "e"]]]
        >>> comparison = referee.compare(key, [[["a", "b"]], []], key, names=["old", "new"], samples=100)
        >>> verdict = comparison.verdicts[1]["muc"]
        >>> round(verdict.gain, 3), verdict.significant
        (0.5, False)
    """
    options = {**locals()}
    made = compared(**options)
    plain = not (by or documents) and len(made.comparisons) == 1
    return made.first if plain else made


def compared(
    given: Sequence[Any], *, metric: Names | None = None, baseline: str | None = None,
    test: str = "permutation", samples: int = 10_000, seed: int = 1, level: float = 0.95,
    correction: str = "holm", by: Names | None = None, genres: PathName | None = None,
    types: PathName | None = None, documents: int = 0, layers: PathName | None = None,
    nlp: str | None = None, plot: PathName | None = None, plot_format: Names = ("pdf",),
    progress: Bar = no_bar, **options: Any,
) -> ComparisonReport:  # fmt: skip
    """Compare as `compare` does, whose parameters these are, and give the whole report."""
    plan = Plan(test=test, samples=samples, seed=seed, level=level, correction=correction)
    how, metrics = TaskOptions(**options), names_in(metric)
    if unknown := [name for name in names_in(by) if name not in BREAKDOWNS]:
        near = did_you_mean(unknown[0], BREAKDOWNS)
        raise SettingError(f"by='{unknown[0]}' must be {', '.join(BREAKDOWNS)}{near}")
    source = _source(given, how, metrics, progress).ordered(baseline)
    first = source.first
    said = cautions(len(first[0].units), plan, first[0].protocol.scope)
    draws = plan.samples * (2 if plan.test == "permutation" else 1) * len(source.results)
    with progress(draws, "resampling") as advance:
        comparisons = {
            name: compare_results(results, plan, progress=advance) for name, results in source.results.items()
        }
    kinds = KindSources(layers, nlp, types)
    broken_down = [_break_down(name, source, plan, genres, kinds) for name in names_in(by)]
    said += [notice for _, notices in broken_down for notice in notices]
    report = ComparisonReport(
        comparisons, [each for each, _ in broken_down], extremes(first, documents), said
    )
    if plot is None:
        return report
    from referee.tables.figures import save_plots  # needs matplotlib

    endings = [f".{ending}" for ending in names_in(plot_format)]
    return replace(report, drawn=save_plots(report.first, fspath(plot), endings))


@dataclass(frozen=True, slots=True)
class _Source:
    """Results under each matching, and the task that they come from, unless they were there before."""

    results: dict[str, list[Result]]
    task: Task | None = None

    @property
    def first(self) -> list[Result]:
        """The results under the first matching."""
        return next(iter(self.results.values()))

    def ordered(self, baseline: str | None) -> _Source:
        """Put the baseline before the others, if one is named."""
        names = [result.system for result in self.first]
        if baseline is None:
            return self
        if baseline not in names:
            near = did_you_mean(baseline, names)
            raise SettingError(f"no system '{baseline}' for a baseline; there are {', '.join(names)}{near}")
        order = sorted(range(len(names)), key=lambda number: names[number] != baseline)
        results = {match: [found[i] for i in order] for match, found in self.results.items()}
        task = self.task and replace(
            self.task, systems=[names[i] for i in order], responses=[self.task.responses[i] for i in order]
        )
        return _Source(results, task)


def _source(given: Sequence[Any], how: TaskOptions, metrics: Sequence[str], progress: Bar) -> _Source:
    """Find out what is compared: results, saved results, clusters, or a key and responses."""
    given = [opened_once(each) for each in given]
    saved = [each for each in given if isinstance(each, str | PathLike) and looks_saved(each)]
    made = [each for each in given if isinstance(each, Result)]
    if given and len(saved) + len(made) == len(given):
        if named := [name for name in OF_SCORING if getattr(how, name)]:
            raise SettingError(f"results have their protocol: {named[0]}= does not go with them")
        wanted = metric_names(metrics, Protocol()) if metrics else ()
        scope = how.asked_scope if how.scope is not None else None
        return _of_results(made, saved, wanted, scope)
    paths = [fspath(each) for each in given if isinstance(each, str | PathLike)]
    if missing := [path for path in paths if not is_file(path) and not formats.is_there(path)]:
        raise FormatError(f"{missing[0]}: no such file or folder")
    if saved or made:
        name = made[0].system if made else fspath(saved[0])
        raise SettingError(
            f"{name} is a result, but others are not: give only results, or a key and responses"
        )
    if len(given) < 3:
        raise SettingError("give a key and two or more responses; for one, see score with ci=")
    given, of_clusters = kept_and_kind(given)
    if of_clusters:
        results = scored(given[0], given[1:], metric=metrics, names=how.names, protocol=how.protocol,
                         singletons=how.singletons, match=how.match, repair=how.repair)  # fmt: skip
        return _Source({"exact": list(results)})
    return _scored(given, how, metrics, progress)


def _of_results(
    made: Sequence[Result], saved: Sequence[str | PathLike[str]], metrics: Sequence[str], scope: str | None
) -> _Source:
    found = read_results(saved, scope) if saved else {"": []}
    found = {match: [*made, *results] for match, results in found.items()}
    some = next(iter(found.values()))
    if len(some) < 2:
        raise SettingError("only one system: give another one, or use score with ci=")
    if missing := [name for name in metrics if any(name not in result.counts for result in some)]:
        raise SettingError(f"not every result has {', '.join(missing)}")
    if metrics:
        found = {
            match: [replace(r, counts={name: r.counts[name] for name in metrics}) for r in results]
            for match, results in found.items()
        }
    return _Source({match or some[0].protocol.match: results for match, results in found.items()})


def _scored(given: Sequence[Any], how: TaskOptions, metrics: Sequence[str], progress: Bar) -> _Source:
    task = how.task(given[0], given[1:])
    if len(task.systems) < 2:
        raise SettingError("give a key and two or more responses; for one, see score with ci=")
    protocols = how.protocols(task)
    names = metric_names(metrics, replace(task.protocol, scope=how.scope_of(task)))
    with progress(len(task.key) * len(task.systems) * len(protocols), "scoring") as advance:
        results = {each.match: evaluate(task.under(each), names, progress=advance) for each in protocols}
    return _Source(results, task.under(protocols[0]))


def _break_down(
    name: str, source: _Source, plan: Plan, genres: PathName | None, kinds: KindSources
) -> tuple[Breakdown, Sequence[str]]:
    """Compare groups of documents or kinds of mentions; also say what should be known about them."""
    results = source.first
    if name == "length":
        return by_length(results, plan), ()
    if results[0].protocol.scope != "document":
        raise SettingError(
            f"by='{name}' needs documents as units, but the scope is {results[0].protocol.scope}"
        )
    if name == "genre":
        known = read_genres(fspath(genres)) if genres else None
        return by_label(results, group_labels(results[0], name, known), "Genre", plan), ()
    if source.task is None:
        raise SettingError(f"by='{name}' looks at mentions: give the key and the responses as files")
    found = kinds.stratified(source.task, name)
    breakdown = by_stratum(found.strata, found.title, plan)
    absent = [kind for kind in found.strata[0] if kind not in breakdown.comparisons]
    left_out = [f"by='{name}': not in the key, and so not compared: {', '.join(absent)}"]
    return breakdown, [*found.notices, *left_out * bool(absent)]
