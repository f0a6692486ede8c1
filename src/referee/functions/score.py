"""referee.score: recall, precision and F1 of one or more responses, in every metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, overload

from referee.exceptions import FormatError, RefereeError, SettingError, did_you_mean
from referee.formats.failures import Failures
from referee.functions.scores import Scores
from referee.functions.task_options import Names, Scope, TaskOptions, names_in
from referee.matching.protocol import Protocol
from referee.metrics.standard import DEFAULT_METRICS
from referee.model import Corpus
from referee.scoring.datasets import score_datasets
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import Bar, evaluate, metric_names, no_bar
from referee.scoring.result import Result
from referee.scoring.task import CROSSDOC, PathName, Task
from referee.tables.scores import Parts

if TYPE_CHECKING:
    from referee.scoring.scorer import Scorable

ONE_MATCHING = "across documents give one match= at a time"
LEVELS = ("topic", "corpus")  # those of Cattan et al. (2021, §3.2)
GROUPS = ("document", "genre", "unit")
KINDS = (  # `STRATIFICATIONS`
    "entity-size", "entity-type", "entity-type-strict", "entity-span", "mention-type", "distance",
)  # fmt: skip
TYPED = ("entity-type", "entity-type-strict", "entity-span")  # those that need types
BREAKDOWNS = (*GROUPS, *KINDS)


@overload
def score(
    key: Scorable | None = None, response_: Scorable = ..., /, *,
    references: Scorable | None = None, predictions: Scorable | None = None,
    response: None = None, macro: Literal[False] = False, protocol: Protocol | str | None = None,
    singletons: str | None = None, zeros: str | None = None, heads: str | None = None,
    match: str | None = None, parses: PathName | None = None, on_bad_parse: str | None = None,
    metric: Names | None = None, scope: Scope | None = None, kind: str | None = None,
    ids: str | None = None, gaps: str | None = None, sets: str | None = None,
    layer: str | None = None, repair: bool = False,
    by: None = None, genres: None = None, types: None = None, layers: None = None, nlp: None = None,
    ci: Literal[False] = False, jobs: Jobs = 1, names: Sequence[str] | None = None, strict: bool = False,
    progress: Bar = no_bar,
) -> Result: ...  # fmt: skip
@overload
def score(
    key: Scorable | None = None, /, *responses: Scorable,
    references: Scorable | None = None, predictions: Scorable | None = None,
    response: PathName | Sequence[PathName] | None = None, macro: bool = False,
    protocol: Protocol | str | None = None, singletons: str | None = None, zeros: str | None = None,
    heads: str | None = None, match: Names | None = None, parses: PathName | None = None,
    on_bad_parse: str | None = None, metric: Names | None = None, scope: Scope | Sequence[str] | None = None,
    kind: str | None = None, ids: str | None = None, gaps: str | None = None, sets: str | None = None,
    layer: str | None = None, repair: bool = False,
    by: str | None = None,
    genres: PathName | None = None, types: PathName | None = None, layers: PathName | None = None,
    nlp: str | None = None, ci: bool = False, samples: int = 10_000, seed: int = 1,
    level: float = 0.95, jobs: Jobs = 1, names: Sequence[str] | None = None, strict: bool = False,
    progress: Bar = no_bar,
) -> Scores: ...  # fmt: skip
def score(
    key: Scorable | None = None, *responses: Scorable, references: Scorable | None = None,
    predictions: Scorable | None = None, response: PathName | Sequence[PathName] | None = None,
    macro: bool = False, protocol: Protocol | str | None = None, singletons: str | None = None,
    zeros: str | None = None, heads: str | None = None, match: Names | None = None,
    parses: PathName | None = None, on_bad_parse: str | None = None, metric: Names | None = None,
    scope: Scope | Sequence[str] | None = None, kind: str | None = None, ids: str | None = None,
    gaps: str | None = None, sets: str | None = None, layer: str | None = None, repair: bool = False,
    by: str | None = None, genres: PathName | None = None, types: PathName | None = None,
    layers: PathName | None = None, nlp: str | None = None, ci: bool = False,
    samples: int = 10_000, seed: int = 1, level: float = 0.95, jobs: Jobs = 1,
    names: Sequence[str] | None = None, strict: bool = False,
    progress: Bar = no_bar,
) -> Result | Scores:  # fmt: skip
    """Score one response or several against a key.

    Key and responses are of one kind: paths of files or folders, corpora, documents, what other libraries
    have in memory (see `read`), or bare clusters. Bare clusters are lists of lists of mentions, or a batch of
    these, one item for each document. A mention is any hashable value, or a list of two whole numbers; other
    lists inside what looks like a cluster mean that this is a batch. Objects without names pair by order.

    A document that cannot be read does not end the work. A response's is scored as empty, and a key's is not
    scored; it is in `failures` of what is returned, and a `FailureWarning` names it. `protocol="strict"`
    refuses it.

    Args:
        key: The annotated corpus. With `response`, the first of several keys.
        *responses: The responses to score. With `response`, more keys.
        references: Another name for the key.
        predictions: Another name for the response.
        response: A folder, or several, each a system's: the response to each key has the key's name there.
        macro: With `response`, add the mean over data sets, each of equal weight.
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
        metric: Metrics, one or several; otherwise those that the protocol calls for.
        scope: What is one unit: `document`, `block`, `subtopic`, `topic`, `corpus`, a file of groups, or a
            mapping of documents to groups. Several scopes give a result for each.
        kind: Take `all` mentions, `events` or `entities`, where a corpus distinguishes them.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        gaps: Whether to `keep` the gaps in mentions of several spans, or to `fill` them.
        sets: Whether split antecedents count (`keep`), do not (`drop`), or alone do (`only`).
        layer: What is scored: `identity`, discourse `deixis`, `bridging` or `non-referring` expressions.
        repair: Where key and response follow different conventions, repair what is safe: names of documents,
            case, singletons on one side. Notices say what was found and repaired.
        by: Break the scores down by `document`, `genre` or `unit`; or by kinds of mentions: `entity-type`,
            `entity-span`, `entity-size`, `mention-type` or `distance`.
        genres: A file of documents and their genres, where the documents' names do not say.
        types: Where the types of entities come from, for `by`: a file or folder that annotates the same
            texts, or `entity` for the named entities in a column of the key; otherwise from the key itself.
        layers: CoNLL-U with parts of speech and heads for the key, for `by`.
        nlp: A spaCy pipeline that fills in parts of speech, heads and entities, for `by`.
        ci: Whether to resample for an interval around each score.
        samples: How many resamples to draw.
        seed: The same seed gives the same numbers.
        level: The level of intervals.
        jobs: How many processes work, or an engine.
        names: What the systems are called; otherwise after their files.
        strict: Whether the first document that cannot be read ends the work with its error.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        A `Result` for one response. `Scores` for several responses, matchings or scopes, and with `by`,
            `ci` or `response`.

    Raises:
        FormatError: If a file cannot be read.
        ProtocolError: If a choice does not exist, or does not go with another.
        RefereeError: If key and response are of two kinds, or have no document in common.

    Examples:
        >>> import referee
        >>> key = [["a", "b", "c"], ["d", "e", "f", "g"]]
        >>> result = referee.score(key, [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]])
        >>> round(result.muc.f1, 2), round(result.conll, 4)
        (0.4, 0.4582)
        >>> batch = [[[[0, 2], [5, 6]]], [[[1, 3], [7, 9]], [[4, 5]]]]
        >>> referee.score(references=batch, predictions=batch).units
        ['1', '2']
    """
    options = {**locals()}
    plain = len(responses) == 1 or predictions is not None
    plain = plain and not (response or by or ci) and len(names_in(match)) < 2
    made = scored(**options, one_level=plain)
    if made.failures:
        Failures(found=list(made.failures)).warn()
    return made[0] if plain and len(made) == 1 else made


def scored(
    key: Any, responses: Sequence[Any], *, references: Any = None, predictions: Any = None,
    response: PathName | Sequence[PathName] | None = None, macro: bool = False, metric: Names | None = None,
    by: str | None = None, genres: PathName | None = None, types: PathName | None = None,
    layers: PathName | None = None, nlp: str | None = None, ci: bool = False, samples: int = 10_000,
    seed: int = 1, level: float = 0.95, scope: Any = None, strict: bool = False, one_level: bool = False,
    progress: Bar = no_bar,
    **options: Any,
) -> Scores:  # fmt: skip
    """Score as `score` does, whose parameters these are, and give `Scores` of one response too.

    Across documents by the usual protocol there are two levels, for a table, unless `one_level` is wanted.
    """
    key, responses = _named(key, responses, references, predictions)
    scopes = list(scope) if isinstance(scope, list | tuple) else []
    how = TaskOptions(scope=scopes[0] if scopes else scope, **options)
    _check(responses, how, response=response, macro=macro, by=by, ci=ci, scopes=scopes)
    sources = {"layers": layers, "nlp": nlp, "types": types}
    _check_sources(by, sources)
    words = names_in(metric)
    failures = Failures(strict)
    if response:
        folders = [response] if isinstance(response, str | PathLike) else response
        made = _data_sets([key, *responses], folders, how, words, failures, macro=macro, progress=progress)
        return replace(made, failures=failures.found)
    sides, of_clusters = kept_and_kind((key, *responses))
    if of_clusters:
        from referee.functions.clusters import cluster_results

        if by in KINDS:
            raise SettingError(f"by='{by}' looks at mentions: give the key and the responses as files")
        made = Scores("key", cluster_results(sides, how, words or DEFAULT_METRICS))
    elif by in KINDS:
        made = _by_kind(sides, how, words, by, sources, failures, progress)
    else:
        both = how.protocol in (None, CROSSDOC) and scope is None and not one_level

        def levels(over: str) -> Sequence[str]:
            """List the scopes that a table shows beside each other; none for one that is not across."""
            if by or ci or over == "document":
                return ()
            return LEVELS if both and over == LEVELS[0] else scopes or (over,)

        made = _of_corpora(sides, how, words, levels, failures, progress)
    if by in GROUPS:
        made = replace(made, by=by, groups=_grouped(made.results, by, genres))
    return _estimated(made, {"samples": samples, "seed": seed, "level": level}, progress) if ci else made


def _of_corpora(
    sides: Sequence[Any], how: TaskOptions, words: Sequence[str], levels: Callable[[str], Sequence[str]],
    failures: Failures, progress: Bar,
) -> Scores:  # fmt: skip
    """Score documents, across them by the levels of the scope."""
    task = how.task(sides[0], sides[1:], failures)
    over = how.scope_of(task)
    if over != "document" and len(how.matchings) > 1:
        raise SettingError(ONE_MATCHING)
    wanted, scopes = metric_names(words, replace(task.protocol, scope=over)), levels(over)

    def counted(task: Task) -> Scores:
        protocols = how.protocols(task)
        if scopes:
            return _levels(
                task, [replace(p, scope=one) for p in protocols for one in scopes], wanted, progress
            )
        with progress(len(task.key) * len(task.responses) * len(protocols), "scoring") as advance:
            matched = {each.match: evaluate(task.under(each), wanted, progress=advance) for each in protocols}
        results = [result for some in matched.values() for result in some]
        return Scores(task.key.name, results, by_match=matched if len(matched) > 1 else {})

    return _surviving(task, counted, failures)


def _by_kind(
    sides: Sequence[Any], how: TaskOptions, words: Sequence[str], by: str, given: Mapping[str, Any],
    failures: Failures, progress: Bar,
) -> Scores:  # fmt: skip
    """Score documents, and each kind of their mentions by itself, in metrics that both have."""
    from referee.functions.kinds import KindSources, kind_metrics  # few scores need it

    sources = KindSources(**given)

    def counted(task: Task) -> Scores:
        task = task.under(how.protocols(task)[0])
        names = kind_metrics(by, metric_names(words, task.protocol) if words else ())
        found = sources.stratified(task, by, names)
        with progress(len(task.key) * len(task.responses), "scoring") as advance:
            results = evaluate(task, names, progress=advance)
        results = [replace(result, notices=[*result.notices, *found.notices]) for result in results]
        return Scores(task.key.name, results, by, found.strata, kinds=found.title)

    return _surviving(how.task(sides[0], sides[1:], failures), counted, failures)


def _surviving(task: Task, counted: Callable[[Task], Scores], failures: Failures) -> Scores:
    """Score a task; once more without the documents that cannot be read."""
    try:
        made = counted(task)
    except FormatError as error:
        from referee.scoring.unreadable import without_unreadable  # few scores need it

        made = counted(without_unreadable(task, failures, error))
    if not failures.found:
        return made
    results = [replace(result, failures=failures.found) for result in made.results]
    return replace(made, results=results, failures=failures.found)


def _named(key: Any, responses: Sequence[Any], references: Any, predictions: Any) -> tuple[Any, list[Any]]:
    """Take key and responses under either of their names."""
    response = responses[0] if responses else None
    for role, name, given, renamed in (
        ("key", "references", key, references),
        ("response", "predictions", response, predictions),
    ):
        if given is not None and renamed is not None:
            raise RefereeError(f"give the {role} by position or as {name}=, not both")
    if key is None and references is None:
        raise RefereeError("give the key, by position or as references=")
    return references if key is None else key, [predictions] if predictions is not None else list(responses)


def _check(
    responses: Sequence[Any], how: TaskOptions, *, response: Any, macro: bool, by: str | None, ci: bool,
    scopes: Sequence[str],
) -> None:  # fmt: skip
    """Refuse what does not go together."""
    if not responses and not response:
        raise SettingError("give a key and one or more responses, or keys and response= with folders")
    if macro and not response:
        raise SettingError("macro=True needs response=, which has a response for each key")
    several = len(how.matchings) > 1
    across = how.asked_scope != "document"
    if response and (by or ci or several or across):
        raise SettingError("response= allows only one match=, and no by=, ci= or scope=")
    if several and (by or ci):
        raise SettingError(f"{'by=' if by else 'ci='} allows only one match=")
    if several and across:
        raise SettingError(ONE_MATCHING)
    if by and by not in BREAKDOWNS:
        raise SettingError(f"by='{by}' must be {', '.join(BREAKDOWNS)}{did_you_mean(by, BREAKDOWNS)}")
    if len(scopes) > 1 and (by or ci):
        raise SettingError(f"{'by=' if by else 'ci='} allows only one scope=")


def _check_sources(by: str | None, sources: Mapping[str, Any]) -> None:
    """Refuse layers and types that nothing would look at."""
    for name in [name for name, given in sources.items() if given is not None]:
        kinds = TYPED if name == "types" else (*TYPED, "mention-type")
        if by not in kinds:
            wanted = " or ".join(f"by='{kind}'" for kind in kinds)
            raise SettingError(f"{name}= does nothing without {wanted}")


def kept_and_kind(given: Sequence[Any]) -> tuple[Sequence[Any], bool]:
    """Keep what iterators yield, and find out whether it is bare clusters."""
    if all(isinstance(side, str | PathLike | Corpus) for side in given):
        return given, False
    from referee.functions.clusters import is_of_clusters, listed  # few scores are of clusters

    sides = [listed(side) for side in given]
    return sides, is_of_clusters(sides)


def _data_sets(
    keys: Sequence[Any], folders: Sequence[PathName], how: TaskOptions, metrics: Sequence[str],
    failures: Failures, *, macro: bool, progress: Bar,
) -> Scores:  # fmt: skip
    """Score each key against the response of its name in each folder."""

    def opened(key: str, responses: Sequence[str]) -> Task:
        return how.single(key, responses, "response=", failures)

    if others := [key for key in keys if not isinstance(key, str | PathLike)]:
        raise SettingError(f"response= pairs files by name: give the keys as paths, not {type(others[0])}")
    data_sets = score_datasets(
        [fspath(key) for key in keys], [fspath(folder) for folder in folders], opened, metrics, failures,
        bar=progress,
    )  # fmt: skip
    results = [result for system in data_sets for result in system.results.values()]
    return Scores(fspath(keys[0]), results, data_sets=data_sets, macro=macro)


def _levels(task: Task, leveled: Sequence[Protocol], metrics: Sequence[str], progress: Bar) -> Scores:
    """Score across documents, with the links within documents and across."""
    from referee.crossdoc.levels import score_levels  # few scores need it, as in the functions below

    with progress(len(task.key) * len(task.responses) * len(leveled), "scoring") as advance:
        levels = score_levels(task, metrics, protocols=leveled, progress=advance)
    return Scores(task.key.name, [level.result for level in levels], levels=levels)


def _grouped(results: Sequence[Result], by: str, genres: PathName | None) -> list[Parts]:
    from referee.comparing.breakdowns import group_labels
    from referee.scoring.genres import read_genres

    known = read_genres(fspath(genres)) if genres else None
    return [result.by(group_labels(result, by, known)) for result in results]


def _estimated(made: Scores, resampling: dict[str, Any], progress: Bar) -> Scores:
    """Resample each result, or each of its groups."""
    from referee.comparing.significance import cautions, intervals_of
    from referee.comparing.stratified_scores import occupied
    from referee.comparing.verdicts import Plan
    from referee.tables.intervals import Estimate

    plan = Plan(**resampling)
    parts = [
        (result.system, group, part)
        for result, groups in zip(made.results, made.groups or [{"": each} for each in made], strict=True)
        for group, part in groups.items()
    ]
    if made.kinds:
        parts = [(system, group, occupied([part])[0]) for system, group, part in parts]
        parts += [(result.system, "", result) for result in made.results]
    estimates = []
    with progress(len(parts), "resampling") as advance:
        for system, group, part in parts:
            estimates.append(Estimate(system, group, part, intervals_of(part, plan)))
            advance(1)
    said = cautions(len(made[0].units), plan, made[0].protocol.scope)
    return replace(made, estimates=estimates, plan=plan, cautions=said)
